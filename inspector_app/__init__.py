"""Stream Inspector: what an LLM stream said, byte by byte, and what each client made of it."""

__version__ = "0.1.0"
