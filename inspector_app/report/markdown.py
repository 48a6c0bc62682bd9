"""Pieces of Markdown that hold foreign text: whatever it is, it stays text."""

from __future__ import annotations

import re
import shlex
from collections import Counter

from inspector_app import __version__
from inspector_app.core.reading import Reading
from inspector_app.core.redact import redact_text
from inspector_app.core.text import clip, visible
from inspector_app.core.types import Exchange, Line, Place
from inspector_app.report.event_words import event_words

WIDEST = 600
"""Characters shown of one line of the wire."""
LEAD = 200
"""Bytes shown before a place far inside a line."""
MOST_LINES = 4
"""Lines shown of one place."""
_INSIDE = bytes(range(0x80, 0xC0))
"""Bytes that no character of UTF-8 begins with."""
_TICKS = re.compile("`+")
_CODED = re.compile(r"(`[^`]*`|\[DONE\]|@[\w./-]+|\b[A-Za-z]\w*_[\w.]*\w)")
"""What stands in a sentence as code: what is in ticks, the end marker, names with an underscore or an at sign."""
_SPECIAL = frozenset("\\`*_<>[]|~$@&")


def code(text: str) -> str:
    """Text as inline code, whatever ticks are in it."""
    shown = visible(text).strip() or " "
    ticks = "`" * (1 + max(map(len, _TICKS.findall(shown)), default=0))
    pad = " " if "`" in shown else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def words(text: str) -> str:
    """A sentence: what stands in ticks and what looks like code becomes code, other marks of Markdown are escaped."""
    parts = _CODED.split(visible(text))
    return "".join(code(part.strip("`")) if at % 2 else _escaped(part) for at, part in enumerate(parts))


def _escaped(text: str) -> str:
    return "".join(f"\\{char}" if char in _SPECIAL else char for char in text)


def fenced(text: str, language: str = "") -> list[str]:
    """Text as a block of code, its fence longer than any in it."""
    ticks = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
    return [f"{ticks}{language}", *text.split("\n"), ticks]


def file_name(exchange: Exchange) -> str:
    """The name of the recording without its folder: where it lies on a machine is nobody's business."""
    name = exchange.name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return "standard input" if name in ("-", "") else name


def sent(reading: Reading, place: Place) -> list[str]:
    """Where a place lies, and its lines as they were sent: clipped, keys masked, controls made visible."""
    event, start, end = place
    span = (reading.lines.at(start), reading.lines.at(max(start, end - 1)) + 1) if len(reading.lines) else (0, 0)
    shown = [line for n in range(*span) if (line := reading.lines[n]).end > line.start][:MOST_LINES]
    where = f"line {span[0]}, bytes {start} to {end}" if end > start else f"byte {start}"
    where = f"event {event}, {where}" if len(reading.events) else where
    if not shown or end == start:
        return [f"At {where}: the end of what was sent." if start >= len(reading.body) else f"At {where}."]
    return [f"As sent ({where}):", "", *fenced("\n".join(_line(reading, line, start) for line in shown))]


def _line(reading: Reading, line: Line, start: int) -> str:
    """One line, from shortly before byte `start` on where that lies far inside. What is no UTF-8 stands as `\\xc3`."""
    text = reading.body.slice(line.start, line.end).decode("utf-8", "backslashreplace")
    safe = redact_text(text)
    if safe != text or start - line.start < WIDEST // 2:
        return clip(visible(safe), WIDEST)
    before = max(0, start - line.start - LEAD)
    cut = reading.body.slice(line.start + before, line.end)
    # It begins with a whole character.
    inside = len(cut) - len(cut[:4].lstrip(_INSIDE)) - len(cut[4:])
    before, tail = before + inside, cut[inside:].decode("utf-8", "backslashreplace")
    return f"… ({before} bytes before) {clip(visible(tail), WIDEST)}"


def about(reading: Reading) -> str:
    """What the stream is: provider, model, dialect, framing, status, events."""
    exchange = reading.exchange
    model = reading.meta.get("model")
    facts = [
        ("provider", reading.provider),
        ("model", clip(model, 100) if isinstance(model, str) and model else None),
        ("dialect", reading.dialect),
        ("framing", reading.framing),
        ("format", exchange.format),
        ("HTTP", str(exchange.http.status) if exchange.http is not None else None),
        ("file", file_name(exchange)),
    ]
    said = [f"{name} {code(value)}" for name, value in facts if value]
    events = event_words(Counter(reading.events.flags)).replace("\u2009", " ")
    return "- stream: " + ", ".join([*said, events])


def command(*arguments: str) -> list[str]:
    """A command of this program as a block of code."""
    return fenced(" ".join(["stream-inspector", *map(shlex.quote, arguments)]), "sh")


def closing() -> str:
    """The last line of a report: how its numbers count, and what wrote it."""
    counted = "Lines, events and bytes are counted from 0; bytes are those of the body, the last one not included."
    return f"{counted} Stream Inspector {__version__}."
