"""The recording proxy in a window: a panel beside it, and exchanges that can be followed in tabs as they happen."""
