"""The notes of a session as a lane of the timeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inspector_app.core.text import number
from inspector_app.ui.notes.words import first_words
from inspector_app.ui.session import Session
from inspector_app.ui.timeline import Lane, Mark
from inspector_app.ui.timeline.flags import BOOKMARK_ICON, NOTE_ICON, NOTES

MARK = "note:"
"""What stands before the id of a note where a mark of a finding has its rule."""
MOST = 2000
"""Notes that have a flag."""


def notes_lane(session: Session, positions: Sequence[int]) -> Iterator[Lane]:
    """The lane, as far as events have positions; none where there is no note."""
    notes = session.notes.all
    shown = [note for note in notes if note.event < len(positions)][:MOST]
    if not shown:
        return
    words = number(len(notes)) if len(shown) == len(notes) else f"{number(len(shown))} of {number(len(notes))}"
    lane = Lane(NOTES, "Notes", words, icon="note")
    for note in shown:
        last = min(note.last, len(positions) - 1)
        lane.marks.append(
            Mark(
                positions[note.event],
                "info",
                f"{MARK}{note.id}",
                event=note.event,
                end=positions[last] if note.until is not None else None,
                icon=NOTE_ICON if note.text.strip() or note.until is not None else BOOKMARK_ICON,
                words=first_words(note),
            )
        )
    yield lane
