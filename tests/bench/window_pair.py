"""Two long recordings side by side: `python -m tests.bench.window_pair [--events N]`.

Each has so many events; in the second one a field is gone and a word is another here and there. Told are the steps of
the interface thread, in ms of its own work, while both are read, while they are compared, and when what differs is
walked through.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.window import PATIENCE_S, STEP_MS, Took, Watched, told
from tests.bench.window_recordings import write_recording


def main() -> None:
    """Print the table. The exit status is 0 whatever the figures are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder) / "monday.rec.jsonl", Path(folder) / "tuesday.rec.jsonl"
        write_recording("chunks", options.events, one)
        with one.open() as lines, other.open("w") as out:
            for n, line in enumerate(lines):
                out.write(line.replace(",\\\"usage\\\":null", "").replace(" tide", " wave" if n % 1000 else " tide"))
        print(f"twice {options.events:,} events, load {os.getloadavg()[0]:.1f}", flush=True)
        drive(one, other)


def drive(one: Path, other: Path) -> None:
    """Compare them, and tell what the steps took."""
    from PySide6.QtCore import QEvent, QObject
    from PySide6.QtWidgets import QApplication

    from inspector_app.core.kit import load_kit
    from inspector_app.lenses.load import load_lenses, shipped_folder
    from inspector_app.ui.garbage import keep_to_this_thread
    from inspector_app.ui.pair.head import BLOCK, EVENT, TIME
    from inspector_app.ui.settings import Settings
    from inspector_app.ui.theme import Look
    from inspector_app.ui.window import Window

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
                        places = watched.places if own > STEP_MS else Counter[str]()
                        words = f"{type(receiver).__name__} {event.type().name}"
                        steps.append(Took((time.perf_counter() - began) * 1e3, own, words, places))

    application = Timed([])
    keep_to_this_thread(application)
    window = Window(load_kit(), load_lenses([shipped_folder()]), Look(application, "dark"), settings=Settings())
    window.resize(1600, 1000)
    window.show()
    page: Any = window.pairs.compare(str(one), str(other))

    def run(name: str, done: Callable[[], object]) -> None:
        limit = time.perf_counter() + PATIENCE_S
        while not done() and time.perf_counter() < limit:
            application.processEvents()
            time.sleep(0.0005)
        print(told(name, steps, STEP_MS), flush=True)
        steps.clear()

    print(f"  {'':26}{'times':>6}   {'own work p50 / p95 / most':24}   by the clock")
    run("read, steps", lambda: page.readings is not None)
    run("compare, steps", lambda: not page.busy)
    for by in (EVENT, TIME, BLOCK):
        page.choose_alignment(by)
        rest = time.perf_counter() + 0.5
        run(f"align, {by.lower()}, steps", lambda rest=rest: time.perf_counter() > rest)
    for _ in range(10):
        page.turn(1)
        rest = time.perf_counter() + 0.1
        while time.perf_counter() < rest:
            application.processEvents()
    run("next difference, steps", lambda: True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {len(page.table.differences.rows)} rows, peak of memory {peak:.0f} MB")
    os._exit(0)


if __name__ == "__main__":
    main()
    sys.exit(0)
