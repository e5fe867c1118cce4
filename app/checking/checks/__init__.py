"""One behaviour a file: what must be true of what was heard?"""
