"""What the raw lines show of notes, beside their numbers: a tag where one begins, a bar along what it speaks of."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from inspector_app.ui.notes.model import Notes
from inspector_app.ui.notes.words import place_words, told
from inspector_app.ui.theme import Theme
from inspector_app.ui.timeline.flags import paint_tag

BAR, TAG_WIDTH, TAG_HEIGHT = 3, 9, 12
MOST = 5
"""Notes at one event that a tip tells."""


def paint_gutter(painter: QPainter, theme: Theme, notes: Notes, event: int, first: bool, y: int, row: int) -> None:
    """Beside a line of an event, `first` its first one, in a row at `y` that is `row` pixels high."""
    if not notes.covers(event):
        return
    painter.fillRect(QRect(0, y, BAR, row), theme.color("ink.3"))
    if first and notes.at(event):
        paint_tag(painter, theme, QRect(BAR + 1, y + (row - TAG_HEIGHT) // 2, TAG_WIDTH, TAG_HEIGHT))


def gutter_words(notes: Notes, event: int) -> list[str]:
    """What the tag of an event says."""
    return [f"{place_words(note).capitalize()}: {told(note)}" for note in notes.at(event)[:MOST]]
