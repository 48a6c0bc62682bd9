"""A recording on its way to the disk: every read is written as it arrives, synced on a timer and at the end.

What a call has returned for survives the end of the process; what is older than `SYNC_S` survives that of the machine.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

import platformdirs

from inspector_app.core.types import Http, Mark
from inspector_app.files.recording import RecordingWriter, mark_of
from inspector_app.live.capture import End
from inspector_app.live.unfinished import lock

EXTENSION = ".rec.jsonl"
SYNC_S = 1.0
"""Seconds between two syncs."""

NO_FILE: Mark = (1 << 62, 0)
"""The mark of a recording whose file was taken away while it was written: no file has it."""

_UNFIT = re.compile(r"[^a-z0-9.]+")


def recordings_folder() -> Path:
    """Where recordings go that were given no name; the folder need not exist."""
    return Path(platformdirs.user_data_dir("stream-inspector")) / "recordings"


def free_names(folder: Path, *words: str, now: datetime | None = None) -> Iterator[Path]:
    """Names for a recording, the first that is free to be taken: the time, then words such as provider and model.

    Words come from people and from the wire: only lower-case letters, digits and dots of them stay.
    """
    moment = (now or datetime.now()).strftime("%Y%m%d-%H%M%S")
    fit = [_UNFIT.sub("-", word.lower()).strip("-.")[:40] for word in words]
    stem = "-".join([moment, *filter(None, fit)])
    for number in count(1):
        yield folder / f"{stem}{f'-{number}' if number > 1 else ''}{EXTENSION}"


def create(names: Path | Iterator[Path]) -> tuple[Path, BinaryIO]:
    """Make the file of a recording: the one that is named, else the first of the names that is free.

    Nothing is ever overwritten: raises FileExistsError, and OSError where no file can be made.
    """
    if isinstance(names, Path):
        return names, names.open("xb", buffering=0)
    for path in names:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return path, path.open("xb", buffering=0)
        except FileExistsError:
            continue
    raise FileExistsError("every name is taken")


class Recorder:
    """Writes one exchange. Never raises for the disk's sake: it stops, and `stopped` says why.

    Call it from one thread. A recording that stopped has no end record: it reads as a torn one, and is found among
    the unfinished.
    """

    def __init__(
        self,
        file: BinaryIO,
        request: dict[str, Any] | None,
        *,
        source: str = "live",
        sync: Callable[[int], None] = os.fsync,
        sync_s: float = SYNC_S,
    ) -> None:
        """Takes over `file`, which is opened without a buffer, and writes the header.

        `request` is the object of a recording's header. Raises OSError, InputFault.
        """
        self.stopped: str | None = None
        self.mark: Mark | None = None
        """By what the file is known again, once it is closed."""
        self._file = file
        self._sync_file = sync
        self._dirty = False
        self._closing = threading.Event()
        try:
            lock(file)
            self._writer = RecordingWriter(file, source=source, request=request)
            self._sync()
            _sync_folder(Path(file.name))
        except BaseException:
            file.close()
            # What has no header is no recording.
            with contextlib.suppress(OSError):
                Path(file.name).unlink()
            raise
        self._timer = threading.Thread(target=self._sync_on_time, args=(sync_s,), name="recording sync", daemon=True)
        self._timer.start()

    def head(self, t: int, http: Http) -> None:
        """The response head."""
        self._write(lambda: self._writer.head(t, http.status, http.headers, http.version))

    def read(self, t: int, data: bytes) -> None:
        """One read of the body."""
        self.reads([(t, data)])

    def reads(self, reads: Sequence[tuple[int, bytes]]) -> None:
        """Reads of the body that came together."""
        self._write(lambda: self._writer.reads(reads))

    def close(self, end: End) -> None:
        """Write how the stream ended, sync and close. Any later call does nothing."""
        if self._closing.is_set():
            return
        t, how, terminator, closed_by, trailers, detail, masked = end
        self._write(
            lambda: self._writer.end(
                t, how, terminator, closed_by=closed_by, trailers=trailers, detail=detail, masked=masked
            )
        )
        self._closing.set()
        self._timer.join()
        try:
            self._sync()
        except OSError as error:
            self._stop(error)
        self.mark = _mark(self._file)
        self._file.close()

    def _write(self, record: Callable[[], None]) -> None:
        if self.stopped is not None or self._closing.is_set():
            return
        try:
            record()
            self._dirty = True
        except OSError as error:
            self._stop(error)
            try:
                # What was not taken whole was not acknowledged; the lines before it are left as they are.
                self._file.truncate(self._writer.written)
            except OSError:
                pass  # A torn last line costs that line only.

    def _stop(self, error: OSError) -> None:
        self.stopped = self.stopped or f"the recording stopped: {error.strerror or error}"

    def _sync(self) -> None:
        self._dirty = False
        self._sync_file(self._file.fileno())

    def _sync_on_time(self, seconds: float) -> None:
        while not self._closing.wait(seconds):
            if self._dirty and self.stopped is None:
                try:
                    self._sync()
                except OSError as error:
                    self._stop(error)


def _mark(file: BinaryIO) -> Mark:
    """The mark of what was written, as long as its name still leads to it."""
    path = Path(file.name)
    try:
        if not os.path.samestat(os.fstat(file.fileno()), path.stat()):
            return NO_FILE
        with path.open("rb", buffering=0) as written:
            return mark_of(written)
    except OSError:
        return NO_FILE


def _sync_folder(path: Path) -> None:
    """The name of a new file is safe only once its folder is; where folders cannot be opened, it is already."""
    try:
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(folder)
    except OSError:
        pass  # Some file systems have no need of it, and say so like this.
    finally:
        os.close(folder)
