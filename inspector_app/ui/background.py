"""Long work beside the window: a generator runs in a thread, and what it gives is taken over between repaints."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

TICK_MS = 30


class Background(QObject):
    """`got(value)`: the work gave something. `ended(error)`: it is done, None where it did not fail.

    One work at a time: `start` drops the one before, and nothing that it still gives is heard. What runs in the thread
    must touch no widget.
    """

    got = Signal(object)
    ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: _Job | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._take)

    @property
    def busy(self) -> bool:
        """Whether work is going on."""
        return self._job is not None

    def start(self, work: Callable[[], Iterator[Any]]) -> None:
        """Do this instead of what is going on."""
        self.cancel()
        self._job = job = _Job(work)
        threading.Thread(target=job.run, name="background", daemon=True).start()
        self._timer.start()

    def cancel(self) -> None:
        """Stop at the next step; neither signal comes any more."""
        if self._job is not None:
            self._job.stopped = True
        self._job = None
        self._timer.stop()

    def _take(self) -> None:
        job = self._job
        if job is None:
            return
        # What comes after `done` was read may be incomplete; so it is read first.
        done = job.done
        while job.found:
            self.got.emit(job.found.popleft())
            if self._job is not job:
                return
        if done:
            self._job = None
            self._timer.stop()
            self.ended.emit(job.error)


class _Job:
    def __init__(self, work: Callable[[], Iterator[Any]]) -> None:
        self._work = work
        self.found: deque[Any] = deque()
        self.error: Exception | None = None
        self.done = self.stopped = False

    def run(self) -> None:
        try:
            for value in self._work():
                if self.stopped:
                    break
                self.found.append(value)
        except Exception as error:  # told where it is seen, instead of lost in a thread
            self.error = error
        self.done = True
