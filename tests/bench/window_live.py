"""A tick of a live stream that is long already: `python -m tests.bench.window_live [--events N] [--rate R]`.

So many events come at once, then R a second for some seconds: what the interface thread does then is "append". Told are
its steps in ms of its own work; what comes after the end of the stream is told apart.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections import Counter, deque
from pathlib import Path
from typing import Any

from tests.bench.live_window import chunk
from tests.bench.window import FRAME_MS, PATIENCE_S, STEP_MS, Took, Watched, told

SECONDS = 10.0
AT_ONCE, EVENTS_A_READ = 16, 64


class Fed:
    """Stands for a capture whose reads are there when they are due."""

    def __init__(self, before: int, rate: int) -> None:
        self.zero = 0
        self.sent, self.before, self.rate = 0, before, rate
        self.since = 0.0
        """When the events began that come one by one."""
        self.ended = False
        self.mark = None
        self._items: deque[Any] = deque()

    def start(self) -> None:
        from inspector_app.core.types import Http
        from inspector_app.live.capture import Head

        self.zero = time.perf_counter_ns()
        self._items.append(Head(0, Http(200, [("content-type", "text/event-stream")])))

    def take(self, limit: int | None = None) -> list[Any]:
        from inspector_app.live.capture import End, Read

        out = list(self._items)
        self._items.clear()
        now = time.perf_counter()
        due = self.before if not self.since else self.before + int((now - self.since) * self.rate)
        if self.since and now - self.since > SECONDS:
            if not self.ended:
                self.ended = True
                at = time.perf_counter_ns() - self.zero
                out += [Read(at, b"data: [DONE]\n\n"), End(at, "done")]
            return out
        size = EVENTS_A_READ if not self.since else 1
        while self.sent < due and len(out) < min(limit or AT_ONCE, AT_ONCE):
            last = min(due, self.sent + size)
            data = b"".join(chunk(n).split(b"\r\n", 1)[1][:-2] for n in range(self.sent, last))
            out.append(Read(time.perf_counter_ns() - self.zero, data))
            self.sent = last
        return out

    def cancel(self) -> None:
        self.ended = True

    def join(self, seconds: float | None = None) -> bool:
        return True


def main() -> None:
    """Print the table. The exit status is 0 whatever the figures are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--rate", type=int, default=300)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        drive(Path(folder) / "live.rec.jsonl", options.events, options.rate)


def drive(path: Path, events: int, rate: int) -> None:
    """Follow the stream, and tell what its ticks took."""
    from PySide6.QtCore import QEvent, QObject
    from PySide6.QtWidgets import QApplication

    from inspector_app.core.kit import load_kit
    from inspector_app.lenses.load import load_lenses, shipped_folder
    from inspector_app.live.growth import Growth
    from inspector_app.live.request import Outgoing
    from inspector_app.ui.garbage import keep_to_this_thread
    from inspector_app.ui.live.part import LivePart
    from inspector_app.ui.live.session import LiveSession
    from inspector_app.ui.page import RecordingPage
    from inspector_app.ui.theme import Look

    steps: list[Took] = []
    watched = Watched()

    class Timed(QApplication):
        depth = 0

        def notify(self, receiver: QObject, event: QEvent) -> bool:
            Timed.depth += 1
            if Timed.depth == 1:
                watched.places, watched.began = Counter(), time.perf_counter()
            began, worked = time.perf_counter(), time.thread_time()
            try:
                return bool(super().notify(receiver, event))
            finally:
                Timed.depth -= 1
                if not Timed.depth:
                    watched.began = 0.0
                    own = (time.thread_time() - worked) * 1e3
                    if own > 1:
                        places = watched.places if own > FRAME_MS else Counter[str]()
                        words = f"{type(receiver).__name__} {event.type().name}"
                        steps.append(Took((time.perf_counter() - began) * 1e3, own, words, places))

    application = Timed([])
    keep_to_this_thread(application)
    fed = Fed(events, rate)
    request = Outgoing("POST", "http://127.0.0.1:1/v1/chat/completions", (), b"{}")
    session = LiveSession(
        str(path), fed, Growth(str(path), request), load_kit(), load_lenses([shipped_folder()]), idle_s=1e6
    )
    page = RecordingPage(session, Look(application, "dark"))
    page.resize(1600, 1000)
    part = LivePart(page, session)
    session.begin()
    page.show()
    limit = time.perf_counter() + PATIENCE_S

    def run(done: Any) -> None:
        while not done() and time.perf_counter() < limit:
            application.processEvents()
            time.sleep(0.0005)

    print(f"{events:,} events, then {rate} a second, load {os.getloadavg()[0]:.1f}")
    print(f"  {'':26}{'times':>6}   {'own work p50 / p95 / most':24}   by the clock")
    run(lambda: fed.sent >= events and session._pieces is None and not session._items)
    print(told("catching up, steps", steps, STEP_MS), flush=True)
    steps.clear()
    fed.since = time.perf_counter()
    run(lambda: fed.ended and not session.live)
    print(told("append, steps", steps, FRAME_MS), flush=True)
    steps.clear()
    run(lambda: session.complete and page.link.settled)
    print(told("after the end, steps", steps, STEP_MS), flush=True)
    print(f"  {len(session.reference.events):,} events, peak of memory "
          f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, {part is not None}")  # fmt: skip
    os._exit(0)


if __name__ == "__main__":
    main()
    sys.exit(0)
