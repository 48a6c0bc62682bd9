"""What if the stream were another one: switches that change a copy of it, and what a client makes of that."""
