"""The window at a long recording: `python -m tests.bench.window [--events N] [--profile ROW]`, by default 1,000,000.

A recording with times is made in a temporary folder and opened in a window without a screen; then rows are scrolled,
the timeline is zoomed and moved, events are selected. A frame is one such act with all that is painted after it. Told
are frames in ms: the processor's time that the interface thread took, and by the clock, where a busy machine shows too.
"Append" are the steps in which the last tenth of the events came into the window while they were read.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import random
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.streams import STREAMS

FRAME_MS, STEP_MS = 33.0, 50.0
EVENTS_A_READ = 3
FRAMES = 120
PATIENCE_S = 1800


class Took(NamedTuple):
    """One frame or step, in ms: by the clock, of the thread's own work, and what it was."""

    clock: float
    own: float
    words: str = ""


def write_recording(events: int, path: Path) -> None:
    """Write Chat chunks in reads of three or so, 20 to 40 ms apart, now and then a longer wait and a burst."""
    chance, ns = random.Random(5), 400_000_000
    header = {"format": "stream-inspector/recording", "version": 1, "timing": "measured", "bytes": "exact"}
    head = {"status": 200, "headers": [["content-type", "text/event-stream"]]}
    with path.open("wb") as file:
        file.write(json.dumps(header | {"request": {"method": "POST", "url": "https://one.example/v1"}}).encode())
        file.write(b"\n" + json.dumps({"t": ns - 1, "head": head}).encode() + b"\n")
        held: list[str] = []
        for n, payload in enumerate(STREAMS["full-fields"](events), 1):
            held.append(f"data: {payload.decode()}\n\n")
            if len(held) >= EVENTS_A_READ * (20 if n % 5000 < 100 else 1) or n == events:
                ns += round(chance.uniform(2, 4) * 1e7 * (100 if n % 20_000 < 3 else 1))
                file.write(json.dumps({"t": ns, "text": "".join(held)}).encode() + b"\n")
                held = []
        file.write(json.dumps({"t": ns + 1000, "end": {"reason": "complete"}}).encode() + b"\n")


def told(name: str, frames: list[Took], bound: float) -> str:
    """A row of the table."""
    if not frames:
        return f"  {name:26}     0"
    columns = (sorted(frame.own for frame in frames), sorted(frame.clock for frame in frames))
    rows = ([column[len(column) * part // 100] for part in (50, 95)] + column[-1:] for column in columns)
    own, clock = (" / ".join(f"{value:6.1f}" for value in row) for row in rows)
    over = sum(frame.own > bound for frame in frames)
    return f"  {name:26}{len(frames):6}   {own}   {clock}   {over} over {bound:g} ms"


def main() -> None:
    """Print the table. The exit status is 0 whatever the figures are: a busy machine is no defect."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--profile", default="", help="one of the rows, or open: tell where its time goes")
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.rec.jsonl"
        write_recording(options.events, path)
        size = path.stat().st_size / 1e6
        print(f"{options.events:,} events, {size:.0f} MB, load {os.getloadavg()[0]:.1f}", flush=True)
        drive(path, options.events, options.profile)


class Watched:
    """Where the interface thread is in each long step: looked at every 10 ms, told per line of ours."""

    def __init__(self, wanted: bool, application: Any) -> None:
        self._places: Counter[str] = Counter()
        self._main, self._application = threading.get_ident(), application
        if wanted:
            threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while True:
            time.sleep(0.01)
            if self._application.depth and time.perf_counter() - self._application.began > 4 * STEP_MS / 1e3:
                frame = sys._current_frames().get(self._main)
                ours = [entry for entry in traceback.extract_stack(frame) if "inspector_app" in entry.filename]
                self._places[" < ".join(f"{Path(e.filename).name}:{e.lineno}" for e in reversed(ours[-4:]))] += 1

    def tell(self) -> None:
        for place, count in self._places.most_common(25):
            print(f"    {count:6} {place}")


def drive(path: Path, events: int, profiled: str) -> None:
    """Open the recording and act on it."""
    from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    from inspector_app.core.kit import load_kit
    from inspector_app.lenses.load import load_lenses, shipped_folder
    from inspector_app.ui.selection import Selection
    from inspector_app.ui.settings import Settings
    from inspector_app.ui.theme import Look
    from inspector_app.ui.timeline.view import LABELS, TOP
    from inspector_app.ui.window import Window

    steps: list[Took] = []

    class Timed(QApplication):
        """Times whatever the interface thread does at once."""

        depth, began = 0, 0.0

        def notify(self, receiver: QObject, event: QEvent) -> bool:
            Timed.depth += 1
            began, worked = time.perf_counter(), time.thread_time()
            if Timed.depth == 1:
                Timed.began = began
            try:
                return bool(super().notify(receiver, event))
            finally:
                Timed.depth -= 1
                if not Timed.depth:
                    own = (time.thread_time() - worked) * 1e3
                    words = f"{type(receiver).__name__} {event.type().name}"
                    steps.append(Took((time.perf_counter() - began) * 1e3, own, words))

    application = Timed([])
    watched = Watched(profiled == "open", Timed)
    window = Window(load_kit(), load_lenses([shipped_folder()]), Look(application, "dark"), settings=Settings())
    window.resize(1600, 1000)
    window.show()
    began = time.perf_counter()
    window.open_paths([str(path)], None)

    def until(done: Callable[[], bool]) -> None:
        limit = time.perf_counter() + PATIENCE_S
        while not done() and time.perf_counter() < limit:
            application.processEvents()
            time.sleep(0.0005)

    def page() -> Any:
        return window.page()

    def known() -> int:
        reference = page().session.reference if page() is not None else None
        return 0 if reference is None else len(reference.events)

    def whole() -> bool:
        return page() is not None and page().session.complete and page().link.settled

    until(lambda: known() > 0)
    first = time.perf_counter() - began
    until(lambda: known() >= events * 9 // 10 or whole())
    opening = len(steps)
    until(whole)
    took = time.perf_counter() - began
    print(f"first rows after {first:.2f} s, all after {took:.0f} s (load {os.getloadavg()[0]:.1f})")
    print(f"  {'':26}{'times':>6}   {'own work p50 / p95 / most':24}   by the clock")
    print(told("open, steps", [s for s in steps[:opening] if s.own > 1], STEP_MS), flush=True)
    print(told("append, steps", [s for s in steps[opening:] if s.own > 1], STEP_MS), flush=True)
    for step in sorted(steps, key=lambda step: -step.own)[:5]:
        print(f"    {step.own:.0f} ms own, {step.clock:.0f} ms by the clock: {step.words}")

    watched.tell()
    shown, chance = page(), random.Random(6)
    timeline, panes, session = shown.timeline, shown.panes, shown.session
    # Gliding would spread one act over several frames.
    timeline._go_to = timeline._look_at

    def wheel(turn: int, x: int) -> None:
        at = QPoint(x, TOP + 30)
        event = QWheelEvent(
            QPointF(at), QPointF(timeline.mapToGlobal(at)), QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(timeline, event)

    def scroll(n: int) -> None:
        bar = panes.raw.verticalScrollBar()
        bar.setValue(bar.value() + 3 * 22 if n % 4 else chance.randrange(max(1, bar.maximum())))

    def zoom(n: int) -> None:
        wheel(120 if n % FRAMES < FRAMES // 2 else -120, LABELS + 700)

    def pan(n: int) -> None:
        if n == 0:
            timeline.fit()
            timeline.zoom(200.0, LABELS + 300)
        timeline.pan(0.07 if n % 8 < 6 else -0.2)

    def select(n: int) -> None:
        session.selection.select(Selection(chance.randrange(events)), window)

    def step(n: int) -> None:
        timeline.step_item(1)

    def hover(n: int) -> None:
        from PySide6.QtTest import QTest

        QTest.mouseMove(timeline, QPoint(LABELS + 5 * n + 1, TOP + 12 + 24 * (n % 6)))

    acts: dict[str, Callable[[int], None]] = {
        "scroll": scroll, "zoom": zoom, "pan": pan, "select": select, "next in the lane": step, "hover": hover
    }  # fmt: skip
    for name, act in acts.items():
        frames: list[Took] = []
        profile = cProfile.Profile() if name == profiled else None
        for n in range(FRAMES):
            with profile or nullcontext():
                clock, own = time.perf_counter(), time.thread_time()
                act(n)
                application.sendPostedEvents()
                application.processEvents()
                frames.append(Took((time.perf_counter() - clock) * 1e3, (time.thread_time() - own) * 1e3))
        print(told(name, frames, FRAME_MS), flush=True)
        if profile is not None:
            pstats.Stats(profile).sort_stats("cumulative").print_stats(40)
    window.close()
    os._exit(0)  # a million events are let go of faster by the system


if __name__ == "__main__":
    main()
    sys.exit(0)
