"""What is said of a note: in rows, flags, tips and lists. Its text may be foreign: it is clipped and made visible."""

from __future__ import annotations

from inspector_app.core.notes import Note
from inspector_app.core.text import clip, number, visible

BOOKMARK = "Bookmark"
SHOWN, TOLD = 120, 400


def place_words(note: Note) -> str:
    """Event 12, or events 12–30."""
    if note.until is None:
        return f"event {number(note.event)}"
    return f"events {number(note.event)}–{number(note.until)}"


def first_words(note: Note) -> str:
    """The beginning of a text in one line; a name for what has none."""
    line = " ".join(note.text[: 4 * SHOWN].split())
    if line:
        return visible(line[:SHOWN]) + ("…" if len(line) > SHOWN else "")
    return BOOKMARK if note.until is None else place_words(note).capitalize()


def told(note: Note) -> str:
    """A text for a tip, with its lines."""
    return clip(visible(note.text[: 2 * TOLD].strip(), keep="\n"), TOLD) or first_words(note)
