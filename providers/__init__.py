"""The providers: their dialects, how they are reached, and one of our own."""
