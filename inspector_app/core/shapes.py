"""Payloads of one shape: most events differ from one before in a text or a number, and need not be taken apart again.

A payload is cut at its quotes: what stands between two of them is a string, or else structure. Two that differ only in
strings that are values, and in numbers, have the same ledger paths with the same types (`pointer.flatten`). Whoever
counts fields looks at the values of such a payload only while they can still tell something new.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from operator import ne
from typing import Any

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame
from inspector_app.core.payload import read_payload
from inspector_app.core.pointer import flatten
from inspector_app.core.reading import Reading
from inspector_app.core.types import EOL

KEPT = 16
"""Shapes of one number of quotes that are tried."""
LONGEST = 1 << 16
"""Bytes of a payload that is worth comparing."""
PIECE = 4 << 20
"""Bytes of a body that are taken at once."""
FREE, EACH = 64, 4
"""Shapes that are learned in any case, and for each further one so many payloads that had a known one."""

_SCALAR = re.compile(rb"\{\s*\}|\[\s*\]|[-+.0-9A-Za-z]+")
_NUMBER = re.compile(rb"-?[0-9][-+.0-9eE]*")
_BLANK = re.compile(rb"\s")

Leaves = list[tuple[str, Any]]


class Shape:
    """`paths`: ledger path -> how often it stands in such a payload. `spaced`: there are blanks in its structure."""

    __slots__ = ("_free", "_head", "_name", "_parts", "_places", "_plain", "_tail", "paths", "spaced")

    def __init__(
        self, name: str | None, parts: Sequence[bytes], places: dict[int, list[str]], paths: dict[str, int]
    ) -> None:
        self.paths = paths
        self.spaced = any(_BLANK.search(part) for part in parts[2:-1:2])
        self._name = name
        self._parts = parts
        self._places = places
        self._free: set[int] = set()
        """Places whose values tell nothing new any more."""
        self._plain: dict[int, bytes] = {}
        """Structure with its numbers taken out."""
        self._head, self._tail = b"", b""

    def looks_like(self, data: bytes) -> bool:
        """Whether a payload is the last one of this shape but for the string that differed then."""
        head, tail = self._head, self._tail
        if not head or not data.startswith(head) or not data.endswith(tail) or len(data) < len(head) + len(tail):
            return False
        inner = _without_escapes(data[len(head) : len(data) - len(tail)])
        return b'"' not in inner and inner[-1:] != b"\\"

    def holds(self, name: str | None, parts: Sequence[bytes], settled: Callable[[str], bool]) -> bool:
        """Whether a payload is of this shape, and its values tell nothing new."""
        if name != self._name or len(parts) != len(self._parts):
            return False
        changed = list(compress(range(len(parts)), map(ne, parts, self._parts)))
        for at in changed:
            if at not in self._free:
                paths = self._places.get(at)
                if not paths or not all(map(settled, paths)):
                    return False
                self._free.add(at)
                if not at % 2:
                    self._plain[at] = _NUMBER.sub(b"0", self._parts[at])
            if not at % 2 and _NUMBER.sub(b"0", parts[at]) != self._plain[at]:
                return False
        if len(changed) == 1 and changed[0] % 2:
            at = changed[0]
            self._head, self._tail = b'"'.join([*parts[:at], b""]), b'"'.join([b"", *parts[at + 1 :]])
        return True


class Shapes:
    """Goes through the payloads of a reading. `settled(path)` says whether the values of a path, as long as they keep
    their type, are of no more interest.
    """

    def __init__(self, reading: Reading, settled: Callable[[str], bool]) -> None:
        self._reading = reading
        self._settled = settled
        self._known: dict[int, list[Shape]] = {}
        self._last: Shape | None = None
        self._learned = self._met = 0

    def over(self, start: int, end: int) -> Iterator[tuple[int, Shape | None, Leaves]]:
        """Of each of these events that has a payload: its number, its shape if that is known, and path and value of
        everything in it, in order; nothing where it is of a known shape and its values tell nothing new.
        """
        reading = self._reading
        flags, names = reading.events.flags, reading.events.names
        for n, data in datas(reading, start, end):
            name = names.get(n)
            usual = data is not None and not flags[n] & ~F.HARMLESS and len(data) <= LONGEST
            if usual and data is not None:
                last = self._last
                if last is not None and name == last._name and last.looks_like(data):
                    self._met += 1
                    yield n, last, []
                    continue
                parts = _without_escapes(data).split(b'"')
                shape = self._find(name, parts)
                if shape is not None:
                    self._met += 1
                    yield n, shape, []
                    continue
            payload = read_payload(Frame(flags[n], name, data), reading.rules, None, n, reading.markers)
            leaves = [leaf for value in payload.values for leaf in flatten(value)]
            if not leaves:
                continue
            shape = None
            if usual and len(payload.values) == 1 and payload.fault is None and type(payload.values[0]) is dict:
                shape = self._learn(name, parts, leaves)
            yield n, shape, leaves

    def _find(self, name: str | None, parts: Sequence[bytes]) -> Shape | None:
        known = self._known.get(len(parts), ())
        for at, shape in enumerate(known):
            if shape.holds(name, parts, self._settled):
                if at:
                    known.insert(0, known.pop(at))  # type: ignore[union-attr]
                self._last = shape
                return shape
        return None

    def _learn(self, name: str | None, parts: Sequence[bytes], leaves: Leaves) -> Shape | None:
        """The shape of a payload; None where it cannot be told, or where few that were learned came again."""
        if self._learned > FREE + self._met // EACH:
            return None
        places: dict[int, list[str]] = {}
        waiting = iter(leaves)
        for at, part in enumerate(parts):
            if at % 2:
                count = int(not parts[at + 1].lstrip().startswith(b":")) if at + 1 < len(parts) else 0
            else:
                count = len(_SCALAR.findall(part))
            for _ in range(count):
                leaf = next(waiting, None)
                if leaf is None:
                    return None
                places.setdefault(at, []).append(leaf[0])
        if next(waiting, None) is not None:
            return None
        paths: dict[str, int] = {}
        for path, _ in leaves:
            paths[path] = paths.get(path, 0) + 1
        shape = Shape(name, parts, places, paths)
        known = self._known.setdefault(len(parts), [])
        known.insert(0, shape)
        del known[KEPT:]
        self._learned += 1
        self._last = None
        return shape


def datas(reading: Reading, start: int, end: int) -> Iterator[tuple[int, bytes | None]]:
    """Number and data of each of these events, as `Reading.text` gives it."""
    text, body = reading.text, reading.body
    base, stop = (reading.bytes_of(start)[0], reading.bytes_of(end - 1)[1]) if start < end else (0, 0)
    if reading.framing != "sse" or stop - base > PIECE or reading.events.taken:
        for n in range(start, end):
            yield n, text(n)
        return
    piece = body.slice(base, stop)
    flags, firsts = reading.events.flags, reading.events.first_lines
    starts, eols = reading.lines.starts, reading.lines.eols
    for n in range(start, end):
        if flags[n] & ~F.HARMLESS or flags[n] & F.MULTI_DATA:
            yield n, text(n)
            continue
        line, last = firsts[n], firsts[n + 1] if n + 1 < len(firsts) else reading.lines_of(n)[1]
        at = starts[line] - base
        while line + 1 < last and piece[at : at + 5] != b"data:":
            line += 1
            at = starts[line] - base
        if line + 1 >= last or piece[at : at + 5] != b"data:":
            yield n, text(n)
            continue
        after = starts[line + 1] - base - len(EOL[eols[line]])
        yield n, piece[at + 5 + (piece[at + 5 : at + 6] == b" ") : after]


def _without_escapes(data: bytes) -> bytes:
    """Without its escaped quotes, and without what could be taken for one."""
    return data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data
