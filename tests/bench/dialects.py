"""A row per dialect: microseconds of processor time an event, on a long stream made from its recording.

Every stream is of the same kind: the events with text (in a second and a third column those with thoughts and with
arguments) of a recording, told again and again in their place with words of one list. Numbers that rise in the
recording rise on, so usage and counters do; whatever else differs there comes in turn. What Chat takes at the same time
for events of its own of that kind is the measure of each column. A dialect that has usage in each event is held against
Chat that has it too, as some servers send it.
"""

from __future__ import annotations

import copy
import gc
import json
import random
import struct
import time
from base64 import b64encode
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.plan import STATIC
from inspector_app.core.reading import Reading
from inspector_app.core.types import Delta, Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.run import read
from tests.bench.streams import tokens
from tests.framing.aws_frames import frame

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "tests" / "dialects" / "recordings", ROOT / "recordings")
CHAT = "openai-chat"
READ = 1 << 16
ROUNDS = 5
KINDS = {"text": "text.delta", "thoughts": "reasoning.delta", "arguments": "tool.args", "media": "media.delta"}
"""Column, and the kind of the one delta that its events have."""

BESIDE = STATIC | {"usage"}
"""What may stand beside it."""


class Cell(NamedTuple):
    """One dialect in one column: microseconds an event, over the same of Chat; `usage`: each event has usage."""

    dialect: str
    column: str
    cost: float
    times: float
    usage: bool


class Source(NamedTuple):
    """Where the events of one column of a dialect are taken from."""

    reading: Reading
    events: Sequence[int]

    def delta(self, n: int, kinds: tuple[str, ...]) -> Delta | None:
        """The first delta of an event that is of one of these kinds."""
        return next((delta for delta in self.reading.deltas(n) if delta.kind in kinds), None)


def recordings(kit: Kit) -> dict[str, list[Reading]]:
    """The recordings of each dialect."""
    found: dict[str, list[Reading]] = {}
    for folder in FOLDERS:
        for path in sorted(folder.glob("*.rec.jsonl")):
            reading = read(read_input(str(path))[0], kit)
            if reading.dialect_module is not None:
                found.setdefault(reading.dialect, []).append(reading)
    return found


def source(readings: Sequence[Reading], kind: str) -> Source | None:
    """The longest run of events alike that say one thing of this kind; None where no recording has any."""
    best: Source | None = None
    for reading in readings:
        run: list[int] = []
        before: Any = None
        for n, layout in enumerate(reading.events.layouts):
            kinds = [row[0] for row in reading.layouts[layout].rows]
            fits = kinds.count(kind) == 1 and {*kinds} - {kind} <= BESIDE
            if not fits:
                run = []
                continue
            delta = next(delta for delta in reading.deltas(n) if delta.kind == kind)
            stream = layout, (delta.extra or {}).get("key")
            run = [*run, n] if run and run[-1] == n - 1 and stream == before else [n]
            before = stream
            if len(run) > (len(best.events) if best is not None else 0):
                best = Source(reading, run)
    return best


def long_body(chosen: Source, kind: str, events: int) -> bytes:
    """A body of about so many events."""
    reading, like = chosen
    slices = [reading.body.slice(*reading.bytes_of(n)) for n in range(len(reading.events.layouts))]
    parsed = [_parsed(reading.text(n)) for n in like]
    pointers = [delta.pointer if (delta := chosen.delta(n, (kind,))) else "" for n in like]
    counts = {place for one in parsed for place, number in numbers(one) if _differs(parsed, place, number)}
    tops = {place: max(_at(one, place) for one in parsed) for place in counts}
    counter = getattr(reading.dialect_module, "COUNTER", None)
    encoded = "encoding" in ((told.extra if (told := chosen.delta(like[0], (kind,))) else None) or {})
    words = tokens(random.Random(4))
    many: list[bytes] = []
    for n in range(max(len(like), events - len(slices))):
        at = n % len(like)
        value = copy.deepcopy(parsed[at])
        for place, top in tops.items():
            first = _at(parsed[0], place) if place == (counter,) else top
            value = _put(value, place, first + n)
        word = b64encode(next(words).encode()).decode() if encoded else next(words)
        value = _put(value, _steps(value, pointers[at]), word) if kind != "media.delta" else value
        many.append(_event(reading, like[at], value))
    # All of them in the place of the first, so that nothing that has ended gets more.
    behind = slices[like[0] :] if (counter,) not in counts else slices[like[-1] + 1 :]
    return b"".join([*slices[: like[0]], *many, *behind])


def _parsed(data: bytes | None) -> Any:
    try:
        return orjson.loads(data or b"")
    except orjson.JSONDecodeError:
        return (data or b"").decode("utf-8", "replace")


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], int]]:
    """The whole numbers in a value and where they stand."""
    if type(value) is int:
        yield path, value
    elif isinstance(value, dict | list):
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(member, (*path, key))


def _differs(values: Sequence[Any], place: tuple[Any, ...], number: int) -> bool:
    found = [_at(value, place) for value in values]
    return all(type(one) is int for one in found) and any(one != number for one in found)


def _at(value: Any, place: tuple[Any, ...]) -> Any:
    try:
        for key in place:
            value = value[key]
    except (KeyError, IndexError, TypeError):
        return None
    return value


def _steps(value: Any, pointer: str) -> tuple[Any, ...]:
    steps: list[Any] = []
    for part in pointer.split("/")[1:]:
        steps.append(int(part) if isinstance(value, list) else part.replace("~1", "/").replace("~0", "~"))
        value = _at(value, (steps[-1],))
    return tuple(steps)


def _put(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    """The value with something else in a place; the same value where there is no such place."""
    if not place:
        return new
    holder = _at(value, place[:-1])
    known = place[-1] in holder if isinstance(holder, dict) else isinstance(holder, list)
    if known:
        holder[place[-1]] = new
    return value


def _event(reading: Reading, n: int, value: Any) -> bytes:
    """An event with another payload, written as its own is."""
    event, data, text = reading.body.slice(*reading.bytes_of(n)), reading.data(n) or b"", reading.text(n) or b""
    new = _written(text, value)
    if text != data:
        new = data.replace(b64encode(text), b64encode(new))  # It stands in an envelope.
    if reading.framing == "aws-eventstream":
        (size,) = struct.unpack_from(">I", event, 4)
        return frame(event[12 : 12 + size], new)
    # Data that stands in several lines, or stands there twice, is left as it was.
    return event.replace(data, new.replace(b"\n", b" ")) if event.count(data) == 1 else event


def _written(data: bytes, value: Any) -> bytes:
    """Another payload as this one is written."""
    if data[:1] not in b'{["' or not isinstance(_parsed(data), dict | list | str):
        return str(value).encode()
    if b'": ' in data:
        return json.dumps(value, ensure_ascii=False).encode()
    return orjson.dumps(value)


def costs(bodies: Sequence[tuple[bytes, str]], kit: Kit) -> list[float]:
    """Processor time an event in microseconds of each body, the best of a few rounds.

    A round has each body once, so that what else the machine does meets them alike.
    """
    rounds = [[_cost(body, framing, kit) for body, framing in bodies] for _ in range(ROUNDS)]
    return [min(of_one) for of_one in zip(*rounds, strict=True)]


def _cost(body: bytes, framing: str, kit: Kit) -> float:
    gc.collect()
    began = time.process_time()
    analysis = Analysis(Exchange("-", "body", MemoryBody(body)), kit, framing=framing)
    for start in range(0, len(body), READ):
        analysis.feed(body[start : start + READ])
    count = len(analysis.finish().events)
    return (time.process_time() - began) / count * 1e6


def chat_with_usage(body: bytes) -> bytes:
    """The body with usage in each chunk that says something."""
    out: list[bytes] = []
    for n, event in enumerate(body.split(b"\n\n")):
        used = b',"usage":{"prompt_tokens":1024,"completion_tokens":%d,"total_tokens":%d}}' % (n, 1024 + n)
        out.append(event[:-1] + used if event.endswith(b'"finish_reason":null}]}') and n else event)
    return b"\n\n".join(out)


def rows(events: int, names: Sequence[str] = ()) -> Iterator[Cell]:
    """Each dialect in each column that it has, those of Chat first; all of them where no name is given."""
    kit = load_kit()
    found = recordings(kit)
    base: dict[tuple[str, bool], tuple[bytes, str]] = {}
    for name in (CHAT, *sorted({*found, *kit.dialects} - {CHAT})):
        if names and name not in (CHAT, *names):
            continue
        columns = [(column, source(found.get(name, ()), kind)) for column, kind in KINDS.items()]
        for column, chosen in islice(((c, s) for c, s in columns if s is not None), 3):
            body, framing = long_body(chosen, KINDS[column], events), chosen.reading.framing
            if name == CHAT:
                base |= {(column, False): (body, framing), (column, True): (chat_with_usage(body), framing)}
                plain, counted = costs([base[column, False], base[column, True]], kit)
                yield from (Cell(name, column, plain, 1.0, False), Cell(name, column, counted, 1.0, True))
                continue
            usage = chosen.delta(chosen.events[0], ("usage",)) is not None
            like, own = costs([base.get((column, usage), base["text", usage]), (body, framing)], kit)
            yield Cell(name, column, own, own / like, usage)
