"""A row per dialect: microseconds of processor time an event, on a long stream made from its recording.

The events of the shape that comes most often in the recording are told again and again in their place; where events
have numbers they are numbered anew.
"""

from __future__ import annotations

import gc
import re
import time
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.run import read

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "tests" / "dialects" / "recordings", ROOT / "recordings")
CHAT = "openai-chat"
READ = 1 << 16
ROUNDS = 5


def recordings(kit: Kit) -> dict[str, Reading]:
    """The first recording of each dialect."""
    found: dict[str, Reading] = {}
    for folder in FOLDERS:
        for path in sorted(folder.glob("*.rec.jsonl")):
            reading = read(read_input(str(path))[0], kit)
            if reading.dialect_module is not None:
                found.setdefault(reading.dialect, reading)
    return found


def long_body(reading: Reading, events: int) -> bytes:
    """A body of about so many events."""
    layouts = reading.events.layouts
    commonest = Counter(number for number in layouts if reading.layouts[number].rows).most_common(1)[0][0]
    runs = [list(run) for same, run in groupby(range(len(layouts)), lambda n: layouts[n] == commonest) if same]
    like = max(runs, key=len)
    slices = [reading.body.slice(*reading.bytes_of(n)) for n in range(len(layouts))]
    times = max(1, (events - len(slices)) // len(like))
    # All of them in the place of the first, so that nothing that has ended gets more.
    many = b"".join(slices[n] for n in like) * times
    body = b"".join(slices[: like[0]]) + many + b"".join(slices[like[0] :])
    counter = getattr(reading.dialect_module, "COUNTER", None)
    return body if counter is None else _numbered(body, counter)


def _numbered(body: bytes, counter: str) -> bytes:
    numbers = iter(range(1 << 31))
    pattern = re.compile(rb'("%b": ?)\d+' % counter.encode())
    return pattern.sub(lambda found: found[1] + b"%d" % next(numbers), body)


def cost(body: bytes, framing: str, kit: Kit) -> float:
    """Processor time an event in microseconds, the best of a few rounds."""
    best, count = 0.0, 1
    for _ in range(ROUNDS):
        gc.collect()
        began = time.process_time()
        analysis = Analysis(Exchange("-", "body", MemoryBody(body)), kit, framing=framing)
        for start in range(0, len(body), READ):
            analysis.feed(body[start : start + READ])
        count = len(analysis.finish().events)
        took = time.process_time() - began
        best = min(best or took, took)
    return best / count * 1e6


def rows(events: int) -> Iterator[tuple[str, float, float]]:
    """Dialect, microseconds an event, and that over the figure of Chat; Chat first."""
    kit = load_kit()
    found = recordings(kit)
    chat = cost(long_body(found[CHAT], events), found[CHAT].framing, kit)
    yield CHAT, chat, 1.0
    for name in sorted(found.keys() - {CHAT}):
        own = cost(long_body(found[name], events), found[name].framing, kit)
        yield name, own, own / chat
