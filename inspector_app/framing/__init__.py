"""Bytes to lines and events: one file per framing."""
