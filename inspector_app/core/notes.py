"""Notes of the user in a recording: a remark at an event, or at all events from one to another (contract.md section 4).

A recording is only ever added to. A note that is written again under its id takes the place of the one before, and one
whose text is null is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

LONGEST = 20_000
"""Characters of a text that are kept."""


class Note(NamedTuple):
    """A remark at `event`, or at all up to and with `until`. An empty text is a bookmark.

    `view`: from where to where the timeline was shown when it was written, ns; None where nobody said so.
    """

    id: str
    event: int
    text: str = ""
    until: int | None = None
    view: tuple[int, int] | None = None

    @property
    def last(self) -> int:
        """The last event it is about."""
        return self.event if self.until is None else self.until

    def to_json(self) -> dict[str, Any]:
        """The note as a recording holds it."""
        out = {"id": self.id, "event": self.event, "text": self.text, "until": self.until}
        return out if self.view is None else out | {"view": list(self.view)}


def gone(note: Note) -> dict[str, Any]:
    """What takes a note out of a recording that holds it."""
    return note.to_json() | {"text": None}


def notes_in(records: Iterable[Mapping[str, Any]]) -> list[Note]:
    """The notes that stand at the end of all records, by event. What is no note of this form is left alone."""
    held: dict[str, Note] = {}
    for number, record in enumerate(records):
        name = record.get("id")
        name = name if isinstance(name, str) else f"#{number}"
        if record.get("text") is None and "text" in record:
            held.pop(name, None)
        elif (note := _note(name, record)) is not None:
            held[name] = note
    return sorted(held.values(), key=lambda note: (note.event, note.last, note.id))


def free_id(notes: Iterable[Note]) -> str:
    """An id that none of the notes has: n1, n2…"""
    taken = {note.id for note in notes}
    number = 1
    while f"n{number}" in taken:
        number += 1
    return f"n{number}"


def _note(name: str, record: Mapping[str, Any]) -> Note | None:
    event, until, text = record.get("event"), record.get("until"), record.get("text", "")
    if not _counts(event) or not isinstance(text, str):
        return None
    assert isinstance(event, int)
    view = record.get("view")
    seen = isinstance(view, list) and len(view) == 2 and all(type(part) is int for part in view)
    return Note(
        name,
        event,
        text[:LONGEST],
        until if _counts(until) and isinstance(until, int) and until > event else None,
        (view[0], view[1]) if seen and isinstance(view, list) and view[0] < view[1] else None,
    )


def _counts(value: object) -> bool:
    return type(value) is int and value >= 0
