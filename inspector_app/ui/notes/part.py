"""What a page has for notes: its commands, the card they are written on, the way to each of them."""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from inspector_app.core.notes import Note, free_id
from inspector_app.core.text import number
from inspector_app.core.types import Exchange
from inspector_app.live.recorder import EXTENSION, recordings_folder
from inspector_app.ui.commands import Command
from inspector_app.ui.notes.editor import NoteEditor
from inspector_app.ui.notes.lane import MARK
from inspector_app.ui.notes.model import is_example
from inspector_app.ui.notes.strip import NotesStrip
from inspector_app.ui.selection import Selection
from inspector_app.ui.timeline.marked import events_between
from inspector_app.ui.timeline.view import LABELS

if TYPE_CHECKING:
    from inspector_app.ui.page import RecordingPage

NO_EVENT, NO_NOTE, NO_NOTES = "needs a selected event", "needs a note at the selected event", "there are no notes"
BEGUN = "The note begins at event {}. Select its last event and press Shift+N; on the same event it is given up."

UNFIT = re.compile(r'[/\\:*?"<>|\x00-\x1f]')
"""What no name of a file may have: a page may be called after a time of day, or after a provider."""

Span = tuple[int, int]


class NotesPart(QObject):
    """Put on a page. `copy_asked(path)`: a copy with the notes is to be written there and opened."""

    copy_asked = Signal(object)

    def __init__(self, page: RecordingPage) -> None:
        super().__init__(page)
        self._page, self._session = page, page.session
        self.notes = page.session.notes
        self.folder: Callable[[], Path] = recordings_folder
        """Where copies go of what lies in no folder that can be written to."""
        self.spans: list[Callable[[], Span | None]] = [self._span_of_rows, self._span_of_range]
        """What may have several events chosen: the first and the last of them."""
        self.editor = NoteEditor(page.look, page)
        self.strip = NotesStrip(page.look)
        page.add_strip(self.strip)
        self._before: QWidget | None = None
        self._begun: int | None = None
        self._current: str | None = None
        page.installEventFilter(self)
        self.editor.kept.connect(self._kept)
        self.editor.removed.connect(self.remove)
        self.editor.closed.connect(self._give_back)
        self.strip.save_asked.connect(self._ask_copy)
        self.notes.unkept.connect(self._unkept)
        listed = page.detail.notes
        listed.asked.connect(self.go_to)
        listed.edited.connect(self.write)
        listed.removed.connect(self.remove)

    def commands(self) -> list[Command]:
        """What can be done with notes."""
        group, page = "Notes", self._page

        def some() -> bool:
            return bool(self.notes.all)

        def chosen() -> bool:
            return self._event() is not None

        def noted() -> bool:
            event = self._event()
            return event is not None and bool(self.notes.at(event))

        return [
            Command("Note on the selected event", group, self.write_here, ("N",), chosen, NO_EVENT),
            Command("Note on range or rows, or from here to…", group, self.write_span, ("Shift+N",), chosen, NO_EVENT),
            Command("Bookmark the event, or no longer", group, self.turn_bookmark, ("Ctrl+B",), chosen, NO_EVENT),
            Command("Next note", group, lambda: self.turn(1), ("F2",), some, NO_NOTES),
            Command("Previous note", group, lambda: self.turn(-1), ("Shift+F2",), some, NO_NOTES),
            Command("Remove the note", group, self.remove_here, (), noted, NO_NOTE),
            Command("List of notes", group, lambda: page.detail.show_page("Notes")),
        ]

    # writing

    def _event(self) -> int | None:
        """The selected event, where there is one."""
        current, reading = self._session.selection.current, self._session.reference
        if current is None or reading is None or current.event >= len(reading.events):
            return None
        return current.event

    def write_here(self) -> None:
        """Write a note on the selected event, or go on with the one it has."""
        event = self._event()
        if event is not None:
            here = self.notes.at(event)
            held = next((note for note in here if note.id == self._current), here[0] if here else None)
            self.write(held or self._new(event))

    def write_span(self) -> None:
        """Write a note on the events that are chosen; where none are, from the one selected now to the next time."""
        event = self._event()
        if event is None:
            return
        span = next((span for source in self.spans if (span := source()) is not None), None)
        begun, self._begun = self._begun, None
        if span is None and begun is None:
            self._begun = event
            self._page.notice.tell(BEGUN.format(number(event)))
            return
        self._page.notice.withdraw()
        first, last = span if span is not None else sorted((begun or 0, event))
        if span is not None or first < last:
            self.write(self._new(first, last if last > first else None))

    def _new(self, event: int, until: int | None = None) -> Note:
        return Note(free_id(self.notes.all), event, "", until, self._view())

    def write(self, note: Note) -> None:
        """Open the card of a note."""
        editor = self.editor
        if editor.note is not None and editor.changed:
            editor.take()
            if self.notes.named(note.id) is None:  # The id that was free is taken by now.
                note = note._replace(id=free_id(self.notes.all))
        if editor.note is None:
            self._before = self._page.window().focusWidget()
        editor.open(note, self._place(note), self.notes.named(note.id) is None)

    def turn_bookmark(self) -> None:
        """Set a bookmark at the selected event, or take it away."""
        event = self._event()
        if event is None:
            return
        held = next((note for note in self.notes.at(event) if not note.text and note.until is None), None)
        if held is not None:
            self.remove(held)
        else:
            self._kept(self._new(event))

    def remove_here(self) -> None:
        """Take away the note of the selected event."""
        event = self._event()
        here = self.notes.at(event) if event is not None else []
        if here:
            self.remove(next((note for note in here if note.id == self._current), here[0]))

    def remove(self, note: Note) -> None:
        """Take a note away."""
        self._page.history.keep("notes")
        self.notes.remove(note)

    def _kept(self, note: Note) -> None:
        self._page.history.keep("notes")
        self._current = note.id
        self.notes.put(note)

    def _view(self) -> Span | None:
        """From where to where the timeline is shown, in ns."""
        timeline = self._page.timeline
        start, end = round(timeline.aim.start), round(timeline.aim.end)
        return (start, end) if timeline.axis.measured and not timeline.axis.empty and start < end else None

    def _span_of_rows(self) -> Span | None:
        panes = self._page.panes
        spans = (view.chosen_events() for view in (panes.raw, panes.deltas, panes.blocks))
        return next((span for span in spans if span is not None), None)

    def _span_of_range(self) -> Span | None:
        """The events between the two points of the timeline."""
        timeline = self._page.timeline
        if timeline.points is None:
            return None
        first, after = events_between(timeline.axis, timeline.points)
        return (first, after - 1) if after - first > 1 else None

    # the card

    def _place(self, note: Note) -> QRect:
        """Where the event of a note is drawn in the page: its rows, else its place in the timeline."""
        page, raw = self._page, self._page.panes.raw
        rows = raw.place_of(note.event)
        if not rows.isEmpty() and raw.isVisible():
            corner = raw.viewport().mapTo(page, rows.topLeft())
            return QRect(corner + QPoint(80, 0), rows.size())
        timeline = page.timeline
        x = min(max(timeline.aim.x(timeline.axis.position(note.event)), LABELS), timeline.width())
        return QRect(timeline.mapTo(page, QPoint(x, 0)), QSize(1, timeline.height()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.editor.note is not None:
            self.editor.place()
        return False

    def _give_back(self) -> None:
        before, self._before = self._before, None
        there = before is not None and isValid(before) and before.isVisible()
        (before if there and before is not None else self._page.timeline).setFocus()

    # going from one to the other

    def turn(self, step: int) -> None:
        """The next note (1) or the one before (-1), round and round."""
        notes = self.notes.all
        if not notes:
            return
        event = self._event()
        at = next((n for n, note in enumerate(notes) if note.id == self._current and note.event == event), None)
        if at is not None:
            self.go_to(notes[(at + step) % len(notes)])
            return
        events = [note.event for note in notes]
        here = -1 if event is None else event
        at = bisect_right(events, here) if step > 0 else bisect_left(events, here) - 1
        self.go_to(notes[at % len(notes)])

    def go_to(self, note: Note) -> None:
        """Select the event of a note, and show as much of the timeline as when it was written."""
        reading, timeline = self._session.reference, self._page.timeline
        if reading is None or not len(reading.events):
            return
        self._current = note.id
        chosen = Selection(min(note.event, reading.last_event))
        # One step back leads to where one was, however soon one has gone on.
        timeline.leaving.emit("fit")
        self._session.selection.select(chosen, self)
        if note.view is not None and timeline.axis.measured:
            start, end = note.view
            if start <= timeline.axis.position(chosen.event) <= end:
                aim = timeline.aim
                timeline.show_view(replace(aim, start=float(start), per_pixel=(end - start) / aim.width))

    def picked(self, rule: str) -> bool:
        """Go to the note that a mark of the timeline stands for; whether it stands for one."""
        if not rule.startswith(MARK):
            return False
        note = self.notes.named(rule.removeprefix(MARK))
        if note is not None:
            self.go_to(note)
        return True

    # keeping

    def _unkept(self, why: str) -> None:
        self.strip.ask(why, self.proposed().name)

    def proposed(self) -> Path:
        """Where a copy would go: beside the file, under a name that is free."""
        return next(self._places())

    def _places(self) -> Iterator[Path]:
        path = Path(self._session.path)
        beside = path.is_file() and not is_example(path) and os.access(path.parent, os.W_OK)
        stem = path.name.removesuffix(EXTENSION) if path.name.endswith(EXTENSION) else path.stem
        stem = "stream" if self._session.path == "-" or not stem else stem
        return _free(path.parent if beside else self.folder(), UNFIT.sub("-", stem))

    def unsaved(self) -> list[tuple[Exchange, Path]]:
        """Exchanges whose notes would go with the tab, and where copies of them would go; what stands on the card is
        such a note, too.
        """
        if self.editor.changed:
            self.editor.take()
        return [(exchange, path) for (exchange, _), path in zip(self.notes.unsaved(), self._places())]

    def ask_to_leave(self) -> None:
        """The tab is to be closed: ask in place what is to become of the notes."""
        count = sum(count for _, count in self.notes.unsaved())
        self.strip.ask_to_leave(count, [path.name for _, path in self.unsaved()])

    def _ask_copy(self) -> None:
        self.copy_asked.emit(self.proposed())

    def copied(self, exchange: Exchange) -> None:
        """The notes of an exchange are in a copy."""
        self.strip.hide()
        self.notes.kept_elsewhere(exchange)

    def close(self) -> None:
        """The page goes away: what is written on the card is kept, and what waits is written."""
        if self.editor.changed:
            self.editor.take()
        self.notes.close()


def _free(folder: Path, stem: str) -> Iterator[Path]:
    """Names in a folder that are not taken."""
    count = 1
    while True:
        path = folder / f"{stem}{f'-{count}' if count > 1 else ''}{EXTENSION}"
        if not path.exists():
            yield path
        count += 1
