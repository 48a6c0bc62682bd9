"""Writes notes into a recording, beside the window: the disk may be slow, and a stream may still be recorded."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspector_app.core.text import visible
from inspector_app.core.types import InputFault, Mark
from inspector_app.files.recording import add_note
from inspector_app.live.unfinished import lock

CLOSED_S = 30.0
"""How long is waited for a recording to be closed."""

ANOTHER = "{} is another recording by now. Save a copy to keep the notes."
"""What is said of a file (its name goes in) that is not the one that was read."""

MOST_ADDED = 4 << 20
"""Bytes that are looked through for notes at once."""

Record = dict[str, Any]
Told = tuple[Record | None, str]


class Writer:
    """`told` has what came of it, to be taken out: `(record, "")`, it is on the disk, or `(None, why)`, it and what
    follows is not; that waits for the next `start`. Nothing of Qt is touched in the thread.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.told: deque[Told] = deque()
        self.mark: Mark | None = None
        """What the file is known by; to another one in its place nothing is added."""
        self.closed: Callable[[float], bool] | None = None
        """Waits until whoever writes the recording has closed it; whether it has."""
        self.marked: Callable[[], Mark | None] | None = None
        """Gives the mark of what was closed."""
        self.whole = False
        """Whether nobody can be writing the recording any more."""
        self._records: deque[Record] = deque()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def writing(self) -> bool:
        """Whether something is being written."""
        return self._thread is not None

    @property
    def waiting(self) -> list[Record]:
        """What is still to be written."""
        with self._lock:
            return list(self._records)

    @property
    def busy(self) -> bool:
        """Whether something is being written, or nobody has heard yet what came of it."""
        return self.writing or bool(self.told)

    def add(self, record: Record) -> None:
        """Something is to be written at the next `start`."""
        with self._lock:
            self._records.append(record)

    def start(self) -> None:
        """Write what there is."""
        with self._lock:
            if self._records and self._thread is None:
                self._thread = threading.Thread(target=self._work, name="notes", daemon=True)
                self._thread.start()

    def join(self, seconds: float) -> None:
        """Wait until nothing is left, or the time is over."""
        thread = self._thread
        if thread is not None:
            thread.join(max(0.0, seconds))

    def _work(self) -> None:
        why = ""
        while not why:
            with self._lock:
                if not self._records:
                    self._thread = None
                    return
                record = self._records[0]
            why = self._write(record)
            if not why:
                with self._lock:
                    self._records.popleft()
                    self.told.append((record, ""))
        with self._lock:
            self.told.append((None, why))
            self._thread = None

    def _write(self, record: Record) -> str:
        """Why it could not be written."""
        name = visible(Path(self.path).name)
        try:
            if self.closed is not None:
                if not self.closed(CLOSED_S):
                    return f"{name} is still being recorded."
                self.closed, self.whole = None, True
                if self.mark is None and self.marked is not None:
                    self.mark = self.marked()
            if not self.whole and _is_written(self.path):
                return f"{name} is still being recorded."
            if not add_note(self.path, record, self.mark):
                return ANOTHER.format(name)
        except InputFault:
            return f"Notes are kept in recordings, and {name} is none."
        except OSError as error:
            return f"{name} cannot be written: {visible(error.strerror or str(error)).lower()}."
        return ""


def notes_from(path: str, start: int) -> tuple[list[Record], int]:
    """The notes in the whole lines that were added to a recording behind byte `start`, and where these lines end."""
    with Path(path).open("rb") as file:
        file.seek(start)
        added = file.read(MOST_ADDED)
    whole = added.rpartition(b"\n")[0]
    notes = []
    for line in whole.split(b"\n"):
        try:
            record = json.loads(line) if b'"note"' in line else None
        except (ValueError, RecursionError):
            continue
        note = record.get("note") if isinstance(record, dict) else None
        if isinstance(note, dict):
            notes.append(note)
    return notes, start + len(whole) + 1 if whole else start


def _is_written(path: str) -> bool:
    """Whether somebody else writes this recording: never two at the end of one file."""
    with Path(path).open("rb") as file:
        return not lock(file)
