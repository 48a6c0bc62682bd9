"""The notes of a recording as a page of the detail pane."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu

from inspector_app.core.notes import Note
from inspector_app.core.text import duration
from inspector_app.ui.notes.words import first_words, place_words
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.sheet import Fact, Sheet

NO_NOTES = ("note", "No notes", "N writes one at the selected event, Ctrl+B sets a bookmark.")
MOST = 5000


class NotesPage(Sheet):
    """Where each note is, and what it says. `asked(note)` to go to it, `edited(note)`, `removed(note)`."""

    asked = Signal(object)
    edited = Signal(object)
    removed = Signal(object)

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(look, "Notes")
        self._session = session
        self._notes: list[Note] = []
        self._shown: object = None
        for signal in (session.notes.changed, session.notes.stored):
            signal.connect(self._changed)

    def forget(self) -> None:
        """The times of events may be known by now."""
        self._shown = None

    def show_selection(self, selection: Selection | None) -> None:
        """The same for every event."""
        notes = self._session.notes
        if self._shown is not notes.all or self._shown is None:
            self._shown, self._notes = notes.all, notes.all[:MOST]
            self.show_facts([self._fact(note) for note in self._notes], NO_NOTES)

    def _changed(self) -> None:
        self._shown = None
        if self.isVisible():
            self.show_selection(None)

    def _fact(self, note: Note) -> Fact:
        said = [self._time(note.event), "not in the file" if self._session.notes.is_loose(note) else ""]
        text = note.text
        words = "Range" if note.until is not None and not text.strip() else first_words(note)
        return Fact(place_words(note), words, " · ".join(filter(None, said)), copied=lambda: text)

    def _time(self, event: int) -> str:
        reading = self._session.reference
        time = reading.time_of(event) if reading is not None and event < len(reading.events) else None
        return duration(time) if time is not None else ""

    def _lead(self, index: QModelIndex) -> None:
        if index.row() < len(self._notes):
            self.asked.emit(self._notes[index.row()])

    def _chosen(self) -> Note | None:
        row = self.currentIndex().row()
        return self._notes[row] if 0 <= row < len(self._notes) else None

    def menu(self) -> QMenu:
        menu = super().menu()
        note = self._chosen()
        if note is not None:
            menu.addSeparator()
            menu.addAction("Edit the note").triggered.connect(lambda: self.edited.emit(note))
            menu.addAction("Remove the note").triggered.connect(lambda: self.removed.emit(note))
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        note = self._chosen()
        if note is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(note)
        elif note is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.asked.emit(note)
        else:
            super().keyPressEvent(event)
