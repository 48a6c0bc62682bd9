"""A new request: which provider to ask, what to ask it, and the providers themselves."""
