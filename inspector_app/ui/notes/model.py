"""The notes of one session, and the edits that made them; each one goes into the recording at once if there is one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from inspector_app.core.notes import LONGEST, Note, gone, notes_in
from inspector_app.core.redact import redact_text
from inspector_app.core.resources import resource
from inspector_app.core.text import visible
from inspector_app.core.types import Exchange, Mark
from inspector_app.files.recording import is_marked
from inspector_app.ui.notes.writer import ANOTHER, Record, Writer, notes_from

if TYPE_CHECKING:
    from inspector_app.ui.session import Session

NO_RECORDING = "Notes are kept in recordings, and this file is none."
NO_FILE = "Notes are kept in recordings, and this is in no file yet."
HEAR_MS, SETTLE_S = 20, 0.3
"""How often the writer is asked what came of it; how long it is waited for before a tab goes."""
EXAMPLE = "Notes are kept in recordings of your own: the examples stay as they are."


class Notes(QObject):
    """`changed`: there are other notes. `stored`: others of them are in the file. `unkept(why)`: what was noted is in
    this session alone.
    """

    changed = Signal()
    stored = Signal()
    unkept = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._exchange: Exchange | None = None
        self.all: list[Note] = []
        """By event."""
        self._starting: dict[int, list[Note]] = {}
        self._firsts: list[int] = []
        self._lasts: list[int] = []
        """The stretches of events that notes speak of, joined where they overlap."""
        self._edits: list[tuple[Note | None, Note | None]] = []
        self._done = 0
        self._loose: dict[tuple[int, str], int] = {}
        """(number of the exchange, id) -> how many records of it are not in the file yet."""
        self._homeless: set[tuple[int, str]] = set()
        """Those for which there is no file at all."""
        self._failed = False
        """Whether what should be in the file could not be written."""
        self._recorded = self._late = False
        self._lost = False
        """Whether the file is another one by now."""
        self._watcher: QFileSystemWatcher | None = None
        self._read_to = 0
        """The byte of the file up to which notes in it are known."""
        self._own: list[Record] = []
        """What was written here, and is still to be met in the file."""
        self.writer = Writer(session.path)
        self._hearing = QTimer(self)
        self._hearing.setInterval(HEAR_MS)
        self._hearing.timeout.connect(self._hear)
        session.grown.connect(self._follow)

    # what there is

    def named(self, name: str) -> Note | None:
        """The note with this id."""
        return next((note for note in self.all if note.id == name), None)

    def at(self, event: int) -> list[Note]:
        """The notes that begin at an event."""
        return self._starting.get(event, [])

    def covers(self, event: int) -> bool:
        """Whether a note speaks of an event."""
        at = bisect_right(self._firsts, event) - 1
        return at >= 0 and event <= self._lasts[at]

    def is_loose(self, note: Note) -> bool:
        """Whether a note, as it is now, is in this session alone."""
        return self._exchange is not None and (self._exchange.number, note.id) in self._loose

    @property
    def exchange(self) -> Exchange | None:
        """What the notes are about: all of it, also in playback."""
        return self._exchange

    def unsaved(self) -> list[tuple[Exchange, int]]:
        """Exchanges with notes that no file gets when the session is given up, and how many notes these are."""
        if self.writer.busy:
            self.writer.join(SETTLE_S)
            self._hear()
        found = []
        for exchange in self._session.exchanges:
            held = notes_in(exchange.notes)
            lost = [key for note in held if self._is_lost(key := (exchange.number, note.id))]
            if lost:
                found.append((exchange, len(lost)))
        return found

    def _is_lost(self, key: tuple[int, str]) -> bool:
        return key in self._homeless or (self._failed and key in self._loose)

    # edits

    def put(self, note: Note) -> None:
        """Add a note, or write another text under its id; keys in it are masked."""
        before = self.named(note.id)
        after = note._replace(text=redact_text(note.text[:LONGEST]))
        if after != before:
            self._edit(before, after)

    def remove(self, note: Note) -> None:
        """Take a note away."""
        if self.named(note.id) is not None:
            self._edit(note, None)

    @property
    def done(self) -> int:
        """How many edits are made of those that are known; for undo."""
        return self._done

    def go_to(self, done: int) -> None:
        """Take edits back, or make them again, until so many are made."""
        while self._done > max(done, 0):
            self._done -= 1
            before, after = self._edits[self._done]
            self._apply(before, after)
        while self._done < min(done, len(self._edits)):
            before, after = self._edits[self._done]
            self._done += 1
            self._apply(after, before)

    def _edit(self, before: Note | None, after: Note | None) -> None:
        del self._edits[self._done :]
        self._edits.append((before, after))
        self._done += 1
        self._apply(after, before)

    def _apply(self, now: Note | None, was: Note | None) -> None:
        known = now or was
        if self._exchange is None or known is None:
            return
        record = now.to_json() if now is not None else gone(known)
        # Reports, pictures and copies take the notes from there.
        self._exchange.notes.append(record)
        self._sort()
        self._keep(record)
        self._late = self._session.held
        self.changed.emit()

    # keeping

    def wait_for(self, closed: Callable[[float], bool], marked: Callable[[], Mark | None] | None = None) -> None:
        """The recording is being written: notes wait until `closed`, and `release` or `close`; `marked` gives by what
        it is known again then.
        """
        self._recorded = True
        self.writer.closed, self.writer.marked = closed, marked

    def release(self) -> None:
        """The stream has ended."""
        self._recorded = True
        if self._exchange is not None and self.writer.marked is not None:
            self._exchange.mark = self.writer.marked()
            self._own = self.writer.waiting
            self._watch(written=True)
        self._start()

    def is_current(self) -> bool:
        """Whether the file is still the one that is shown, or cannot be looked at."""
        mark = self._exchange.mark if self._exchange is not None else None
        try:
            return mark is None or is_marked(self._session.path, mark)
        except OSError:
            return True

    def close(self) -> None:
        """The session is given up: write what is still to be written; `writer.join` waits for it."""
        self._start()

    def kept_elsewhere(self, exchange: Exchange) -> None:
        """All notes of an exchange are in a copy of it."""
        self._loose = {key: count for key, count in self._loose.items() if key[0] != exchange.number}
        self._homeless = {key for key in self._homeless if key[0] != exchange.number}
        self.stored.emit()

    def _keep(self, record: Record) -> None:
        assert self._exchange is not None
        key = self._exchange.number, record["id"]
        self._loose[key] = self._loose.get(key, 0) + 1
        why = self._why_homeless(self._exchange) if self._lost or not self._recorded else ""
        if why:
            self._homeless.add(key)
            self.unkept.emit(why)
            return
        if self._exchange.end is not None:
            self.writer.whole = True
        if self._watcher is not None:
            self._own.append(record)
        self.writer.mark = self._exchange.mark or self.writer.mark
        self.writer.add(record)
        if not getattr(self._session, "live", False):
            self._start()

    def _why_homeless(self, exchange: Exchange) -> str:
        path = Path(self._session.path)
        if not path.is_file():
            return NO_FILE
        if self._lost:
            return ANOTHER.format(visible(path.name))
        if exchange.format != "recording":
            return NO_RECORDING
        return EXAMPLE if is_example(path) else ""

    def _start(self) -> None:
        self.writer.start()
        self._hearing.start()

    def _hear(self) -> None:
        """Take what the writer tells."""
        done = not self.writer.writing
        while self.writer.told:
            self._take(*self.writer.told.popleft())
        if done:
            self._hearing.stop()

    def _take(self, record: Record | None, why: str) -> None:
        """What the writer tells."""
        self._failed = record is None
        if record is None:
            if not self._lost:
                self.unkept.emit(why)
            return
        for key in [key for key in self._loose if key[1] == record["id"]]:
            self._loose[key] -= 1
            if self._loose[key] <= 0:
                del self._loose[key]
        self.stored.emit()

    # following the session

    def _follow(self) -> None:
        if self._session.held:
            return
        exchange = self._session.exchange
        if exchange is not self._exchange:
            self._exchange = exchange
            self._edits, self._done, self._late = [], 0, False
            self._sort()
            self._watch()
            self.changed.emit()
        elif self._late:
            # Nothing but the part that was played showed them until now.
            self._late = False
            self.changed.emit()

    # what others add to the file: another window, or a tab beside

    def _watch(self, written: bool = False) -> None:
        """Follow the file of a recording that is complete: nothing but notes comes to it any more. One that was
        recorded here is, once it is `written`.
        """
        exchange, path = self._exchange, self._session.path
        if self._watcher is not None or (self._recorded and not written) or exchange is None or exchange.end is None:
            return
        if not self._why_homeless(exchange):
            self._read_to = Path(path).stat().st_size
            self._watcher = QFileSystemWatcher([path], self)
            self._watcher.fileChanged.connect(self._look)

    def _look(self) -> None:
        """Take over what was added."""
        exchange, path = self._exchange, self._session.path
        if exchange is None or self._lost:
            return
        try:
            if not is_marked(path, exchange.mark):
                self._lose()
                return
            size = Path(path).stat().st_size
            if size <= self._read_to:
                self._read_to = min(self._read_to, size)
                return
            found, self._read_to = notes_from(path, self._read_to)
        except OSError:
            return
        others = []
        for record in found:
            if record in self._own:
                self._own.remove(record)
            else:
                others.append(record)
        if others:
            exchange.notes.extend(others)
            self._sort()
            self._late = self._session.held
            self.changed.emit()

    def _lose(self) -> None:
        """The file is another one: what was noted is in this session alone."""
        self._lost = True
        told, path = self._failed, Path(self._session.path)
        for exchange in self._session.exchanges:
            for note in notes_in(exchange.notes):
                self._homeless.add((exchange.number, note.id))
                self._loose.setdefault((exchange.number, note.id), 1)
        self.stored.emit()
        if self._homeless and not told:
            self.unkept.emit(ANOTHER.format(visible(path.name)))

    def _sort(self) -> None:
        self.all = notes_in(self._exchange.notes) if self._exchange is not None else []
        self._starting, self._firsts, self._lasts = {}, [], []
        for note in self.all:
            self._starting.setdefault(note.event, []).append(note)
            if self._lasts and note.event <= self._lasts[-1]:
                self._lasts[-1] = max(self._lasts[-1], note.last)
            else:
                self._firsts.append(note.event)
                self._lasts.append(note.last)


def is_example(path: Path) -> bool:
    """Whether a file belongs to the program: nobody writes into it."""
    return path.absolute().parent == resource("recordings")
