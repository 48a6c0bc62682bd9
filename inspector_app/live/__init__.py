"""Streams from the network; the only room that talks to one."""
