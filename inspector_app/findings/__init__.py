"""The rules of the wire and of all dialects: one file per family."""
