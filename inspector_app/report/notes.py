"""The notes of a recording in reports: in Markdown, and as a few lines of `check`."""

from __future__ import annotations

from inspector_app.core.notes import Note, notes_in
from inspector_app.core.reading import Reading
from inspector_app.core.redact import redact_text
from inspector_app.core.text import clip, number, terminal
from inspector_app.report import markdown

MOST, WIDEST = 20, 300
"""Notes that are told, and characters of each."""


def notes_as_markdown(reference: Reading) -> list[str]:
    """A head and a line for each note; nothing where there are none."""
    notes = notes_in(reference.exchange.notes)
    if not notes:
        return []
    lines = ["", "### Notes", ""]
    lines += [f"- {_place(note)}: {markdown.words(_text(note))}".replace("\u2009", " ") for note in notes[:MOST]]
    return [*lines, f"- and {len(notes) - MOST} more"] if len(notes) > MOST else lines


def notes_listed(reference: Reading) -> list[str]:
    """A line for each note, safe for a terminal."""
    notes = notes_in(reference.exchange.notes)
    lines = [f"  note  {_place(note)}: {terminal(_text(note))}" for note in notes[:MOST]]
    return [*lines, f"  … and {number(len(notes) - MOST)} more notes"] if len(notes) > MOST else lines


def _place(note: Note) -> str:
    return f"event {note.event}" if note.until is None else f"events {note.event} to {note.until}"


def _text(note: Note) -> str:
    """Its text in one line, without keys."""
    return clip(redact_text(" ".join(note.text.split())), WIDEST) or ("bookmark" if note.until is None else "marked")
