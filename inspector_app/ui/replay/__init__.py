"""Recordings served to clients on this machine, by a process of its own that a panel starts, reads and ends."""
