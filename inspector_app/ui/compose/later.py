"""Work that may take a while, in a thread of its own, so that the window goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject, QTimer

from inspector_app.live.wire import DaemonThreads

POLL_MS = 25


class Later(QObject):
    """One piece of work at a time: `start` it, and `done` gets what came of it, on the thread of the window.

    What comes after a `cancel` or another `start` is not told any more.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._number = 0
        self._found: list[tuple[int, Any]] = []
        self._done: Callable[[Any], None] | None = None
        self._stop: Callable[[], None] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._look)

    @property
    def running(self) -> bool:
        """Whether an answer is awaited."""
        return self._timer.isActive()

    def start(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Do `work` in a thread. An exception of it is what `done` gets then; `work` must not touch Qt."""
        self.cancel()
        self._number += 1
        number, found = self._number, self._found

        def run() -> None:
            try:
                result = work()
            except Exception as error:  # told to the one who asked, on the thread of the window
                result = error
            found.append((number, result))

        self._done = done
        threading.Thread(target=run, name="compose", daemon=True).start()
        self._timer.start()

    def start_async(self, work: Callable[[], Coroutine[Any, Any, Any]], done: Callable[[Any], None]) -> None:
        """The same for a coroutine, which `cancel` cancels."""
        loop = asyncio.new_event_loop()
        loop.set_default_executor(DaemonThreads())
        tasks: list[asyncio.Task[Any]] = []

        def run() -> Any:
            try:
                tasks.append(loop.create_task(work()))
                return loop.run_until_complete(tasks[0])
            except asyncio.CancelledError:
                return None
            finally:
                # What was read of a stream may end in the middle.
                loop.run_until_complete(loop.shutdown_asyncgens())
                loop.close()

        def stop() -> None:
            try:
                loop.call_soon_threadsafe(lambda: tasks[0].cancel())
            except RuntimeError:
                pass  # It is over already.

        self.start(run, done)
        self._stop = stop

    def cancel(self) -> None:
        """Do not wait any more; a coroutine is ended."""
        self._number += 1
        self._timer.stop()
        stop, self._stop, self._done = self._stop, None, None
        if stop is not None:
            stop()

    def _look(self) -> None:
        while self._found:
            number, result = self._found.pop(0)
            if number == self._number and self._done is not None:
                done, self._done, self._stop = self._done, None, None
                self._timer.stop()
                done(result)
