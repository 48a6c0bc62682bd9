"""The window at a long recording: `python -m tests.bench.window [--events N] [--shape S] [--profile ROW]`.

A recording with times is made in a temporary folder and opened in a window without a screen; then rows are scrolled,
the timeline is zoomed and moved, events are selected. A frame is one such act with all that is painted after it. Told
are frames in ms: the processor's time that the interface thread took, and by the clock, where a busy machine shows too.
The rows "steps" are what the interface thread did at once: while the recording was read ("append" are those of the last
tenth of its events), from its last event until all of it is shown, while the clients read it, and until what was asked
for is there: other readers, a field filter, a word that is looked for, the pages of the detail pane.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import os
import pstats
import random
import resource
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

from tests.bench.window_recordings import SHAPES, write_recording

FRAME_MS, STEP_MS = 33.0, 50.0
FRAMES = 120
PATIENCE_S = 1800
LONGEST = 3
"""Steps over the bound that are told of each row, with where they were."""
LOOK_S, SHORT_S = 0.004, 0.02
"""How often a step is looked at, and how long it must have lasted: to look costs time too."""


class Took(NamedTuple):
    """One frame or step, in ms: by the clock, of the thread's own work, what it was, and where it was seen."""

    clock: float
    own: float
    words: str
    places: Counter[str]


def told(name: str, frames: list[Took], bound: float) -> str:
    """A row of the table."""
    if not frames:
        return f"  {name:26}     0"
    columns = (sorted(frame.own for frame in frames), sorted(frame.clock for frame in frames))
    rows = ([column[len(column) * part // 100] for part in (50, 95)] + column[-1:] for column in columns)
    own, clock = (" / ".join(f"{value:6.1f}" for value in row) for row in rows)
    over = sum(frame.own > bound for frame in frames)
    long = sorted((frame for frame in frames if frame.own > bound), key=lambda frame: -frame.own)[:LONGEST]
    lines = [f"  {name:26}{len(frames):6}   {own}   {clock}   {over} over {bound:g} ms"]
    for frame in long:
        lines.append(f"      {frame.own:.0f} ms own, {frame.clock:.0f} by the clock: {frame.words}")
        lines += [f"        {count:4} {place}" for place, count in frame.places.most_common(4)]
    return "\n".join(lines)


def main() -> None:
    """Print the table. The exit status is 0 whatever the figures are: a busy machine is no defect."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000, help="of the shape one-line, its bytes")
    parser.add_argument("--shape", choices=SHAPES, default="chunks")
    parser.add_argument("--profile", default="", help="one of the rows of acts: tell where its time goes")
    parser.add_argument("--without-clients", action="store_true", help="do not wait until every client has read it")
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.rec.jsonl"
        write_recording(options.shape, options.events, path)
        size = path.stat().st_size / 1e6
        print(f"{options.shape}, {options.events:,}, {size:.0f} MB, load {os.getloadavg()[0]:.1f}", flush=True)
        drive(path, options.profile, not options.without_clients)


class Watched:
    """Where the interface thread is in each step: looked at every few ms, told per line of ours."""

    def __init__(self) -> None:
        self.places: Counter[str] = Counter()
        self.began = 0.0
        """When the step began that is watched, 0 while there is none."""
        self._main = threading.get_ident()
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while True:
            time.sleep(LOOK_S)
            if self.began and time.perf_counter() - self.began > SHORT_S:
                frame = sys._current_frames().get(self._main)
                ours = [one for one in traceback.walk_stack(frame) if "inspector_app" in one[0].f_code.co_filename]
                names = (f"{Path(one.f_code.co_filename).name}:{line}" for one, line in ours[:5])
                self.places[" < ".join(names)] += 1
                # A frame that is held keeps objects of Qt alive that are only half made.
                del frame, ours, names


def drive(path: Path, profiled: str, clients_too: bool) -> None:
    """Open the recording and act on it."""
    from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from inspector_app.core.kit import load_kit
    from inspector_app.core.pattern import Query
    from inspector_app.lenses import LITERAL, REFERENCE
    from inspector_app.lenses.load import load_lenses, shipped_folder
    from inspector_app.ui.garbage import keep_to_this_thread
    from inspector_app.ui.selection import Selection
    from inspector_app.ui.settings import Settings
    from inspector_app.ui.theme import Look
    from inspector_app.ui.timeline.view import LABELS, TOP
    from inspector_app.ui.window import Window

    steps: list[Took] = []
    watched = Watched()
    garbage: list[float] = []
    begun: list[float] = []

    def collected(phase: str, what: dict[str, int]) -> None:
        if phase == "start":
            begun.append(time.perf_counter())
        elif begun:
            garbage.append((time.perf_counter() - begun.pop()) * 1e3)

    gc.callbacks.append(collected)

    class Timed(QApplication):
        """Times whatever the interface thread does at once."""

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
                        words = f"{type(receiver).__name__} {event.type().name}"
                        places = watched.places if own > STEP_MS else Counter[str]()
                        steps.append(Took((time.perf_counter() - began) * 1e3, own, words, places))

    application = Timed([])
    keep_to_this_thread(application)
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

    def loaded() -> bool:
        return page() is not None and page().session.exchange is not None

    def read() -> bool:
        session = page().session
        return bool(session.complete or session.reference.lines.size >= len(session.exchange.body))

    def whole() -> bool:
        return page() is not None and page().session.complete and page().link.settled

    def settled() -> bool:
        return whole() and page().session.idle and not page().find.is_searching

    def tell(name: str) -> None:
        print(told(name, steps, STEP_MS), flush=True)
        steps.clear()

    def tell_memory() -> None:
        peak, longest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, max(garbage, default=0.0)
        print(f"  peak of memory {peak:.0f} MB, longest search for garbage {longest:.0f} ms", flush=True)
        garbage.clear()

    print(f"  {'':26}{'times':>6}   {'own work p50 / p95 / most':24}   by the clock")
    until(loaded)
    here = time.perf_counter()
    until(lambda: known() > 0 and len(page().session.rows) > 0)
    first = time.perf_counter()
    until(lambda: read() or page().session.reference.lines.size * 10 >= len(page().session.exchange.body) * 9)
    tell("open, steps")
    until(read)
    tell("append, steps")
    until(whole)
    took = time.perf_counter() - began
    tell("end, steps")
    print(
        f"  loaded after {here - began:.2f} s, first rows {first - here:.2f} s later, "
        f"all after {took:.0f} s (load {os.getloadavg()[0]:.1f})"
    )
    tell_memory()
    shown, chance, events = page(), random.Random(6), known()
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
        QTest.mouseMove(timeline, QPoint(LABELS + 5 * n + 1, TOP + 12 + 24 * (n % 6)))

    def fragment(n: int) -> None:
        # What a click on a fragment of the blocks pane does.
        rows = panes.blocks
        bar = rows.verticalScrollBar()
        picked = rows.pick((bar.value() // 22 + n % 8) % max(1, len(session.rows)), 120, False)
        if picked is not None:
            session.selection.select(picked, rows)
        bar.setValue(chance.randrange(max(1, bar.maximum())))

    acts: dict[str, Callable[[int], None]] = {
        "scroll": scroll, "zoom": zoom, "pan": pan, "select": select, "next in the lane": step, "hover": hover,
        "select in blocks": fragment,
    }  # fmt: skip

    def frames(called: str) -> None:
        for name, act in acts.items():
            found: list[Took] = []
            profile = cProfile.Profile() if name == profiled else None
            for n in range(FRAMES):
                watched.places, watched.began = Counter(), time.perf_counter()
                with profile or nullcontext():
                    clock, own = time.perf_counter(), time.thread_time()
                    act(n)
                    application.sendPostedEvents()
                    application.processEvents()
                    worked, passed = (time.thread_time() - own) * 1e3, (time.perf_counter() - clock) * 1e3
                places = watched.places if worked > FRAME_MS else Counter[str]()
                found.append(Took(passed, worked, f"number {n}", places))
                watched.began = 0.0
            print(told(f"{name}{called}", found, FRAME_MS), flush=True)
            if profile is not None:
                pstats.Stats(profile).sort_stats("cumulative").print_stats(40)

    if not settled():
        # The clients read beside what the user does.
        frames(", clients at work")
    steps.clear()
    if not clients_too:
        session._work = None
        session._timer.stop()
    until(settled)
    tell("clients, steps")
    tell_memory()
    frames("")
    steps.clear()

    def asked(name: str, *acts: Callable[[], object]) -> None:
        """What a person asks for and what then goes on by itself."""
        for act in acts:
            watched.places, watched.began = Counter(), time.perf_counter()
            clock, own = time.perf_counter(), time.thread_time()
            act()
            worked = (time.thread_time() - own) * 1e3
            places = watched.places if worked > STEP_MS else Counter[str]()
            steps.append(Took((time.perf_counter() - clock) * 1e3, worked, "the act itself", places))
            watched.began = 0.0
            application.processEvents()
            until(settled)
            for _ in range(20):
                application.processEvents()
                time.sleep(0.001)
        tell(f"{name}, steps")

    clients = [lens.name for lens in session.usable_lenses() if lens.name != LITERAL][:2]
    asked("compare", *(lambda name=name: shown.choose_readers(REFERENCE, name) for name in (*clients, clients[0])))
    asked("no comparison", lambda: shown.choose_readers(REFERENCE, None))
    asked("literal", session.show_literal, session.show_literal)
    asked("find", lambda: shown.find.look_for(Query("word", False, False, "everything")), shown.find.next)
    asked("find off", shown.find.close)
    asked("filter", lambda: shown.find.look_for(Query("choices[].delta.tool_calls exists", False, False, "fields")))
    asked("filter off", shown.find.close)
    for name in shown.detail._pages:
        asked(f"page {name}", lambda name=name: shown.detail.show_page(name))
    asked("reading view", shown.turn_blocks, shown.turn_blocks)
    asked("in order", lambda: shown.link.show_in_order(True), lambda: shown.link.show_in_order(False))
    asked("first of the findings", *[lambda: shown.turn_finding(1)] * 12)
    tell_memory()
    window.close()
    os._exit(0)  # a million events are let go of faster by the system


if __name__ == "__main__":
    main()
    sys.exit(0)
