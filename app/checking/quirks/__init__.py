"""Which oddities of servers stand in the bytes that came? We read through all of them."""
