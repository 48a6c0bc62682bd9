"""An event loop whose timers are not rounded to whole milliseconds, as those of epoll are: a rhythm is finer."""

from __future__ import annotations

import asyncio
import select
import selectors
import sys

if sys.platform == "linux":

    class _Selector(selectors.EpollSelector):
        """Waits with `select`, which counts microseconds, for the one descriptor that stands for all others."""

        def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
            # select takes no descriptor from 1024 on; this one is made before any connection.
            if timeout is not None and timeout > 0 and self.fileno() < 1024:
                select.select([self.fileno()], [], [], timeout)
                timeout = 0
            return super().select(timeout)

    def new_loop() -> asyncio.AbstractEventLoop:
        """A loop with fine timers, to be run by `asyncio.Runner(loop_factory=new_loop)`."""
        return asyncio.SelectorEventLoop(_Selector())
else:

    def new_loop() -> asyncio.AbstractEventLoop:
        """The loop of this system."""
        return asyncio.new_event_loop()
