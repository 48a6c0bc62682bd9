"""Notes of the user on a recording: bookmarks, remarks and ranges, kept in its file (core/notes.py)."""
