"""Events of one event line and one data line, as all typed dialects send them: tabled without a look at each field."""

from __future__ import annotations

import re
from itertools import accumulate, chain, repeat
from typing import NamedTuple

from inspector_app.core import flags as F
from inspector_app.core.frame import Frame
from inspector_app.core.store import CRLF, LF, Events, Lines
from inspector_app.framing._sse_lines import LARGE


def take_named(
    data: bytes, pieces: list[bytes], eol: bytes, lines: Lines, events: Events, out: list[bytes | Frame]
) -> bool:
    """Table whole events; False, and nothing done, where one of them is anything else.

    `pieces` is what blank lines divide `data` into, without what follows the last of them; all lines end with `eol`.
    """
    count, wide = len(pieces), len(eol)
    body = sum(map(len, pieces)) + 2 * wide * count
    if (
        not data.startswith(b"event: ")
        or data.count(eol + eol + b"event: ", 0, body) != count - 1
        or data.count(b"\n", 0, body) != 3 * count
        or data.count(b"\ndata: ", 0, body) != count
    ):
        return False
    halves = [piece.partition(eol) for piece in pieces]
    heads = [half[0] for half in halves]
    payloads = [half[2][6:] for half in halves]
    sizes = list(map(len, pieces))
    # Where one event has two data lines another one has none; and what starts with white space may be nothing else.
    if min(payloads) < b"!" or min(map(len, heads)) < 8 or max(sizes) > LARGE:
        return False
    names = {head: head[7:].decode("utf-8", "replace") for head in set(heads)}
    called = [names[head] for head in heads]
    first, number = len(lines.starts), len(events.first_lines)
    ends = list(accumulate([size + 2 * wide for size in sizes], initial=lines.size))
    seconds = [start + len(head) + wide for start, head in zip(ends, heads, strict=False)]
    blanks = [end - wide for end in ends[1:]]
    lines.starts.extend(chain.from_iterable(zip(ends[:-1], seconds, blanks, strict=True)))
    lines.eols.extend(bytes([LF if wide == 1 else CRLF]) * (3 * count))
    lines.size = ends[-1]
    events.first_lines.extend(range(first, first + 3 * count, 3))
    if not number:
        events.first_lines[0] = 0
    events.flags.frombytes(bytes(events.flags.itemsize * count))
    events.names.update(zip(range(number, number + count), called, strict=True))
    out.extend(map(Frame._make, zip(repeat(0), called, payloads, repeat(None), repeat(()), strict=False)))
    return True


class Fields(NamedTuple):
    """The lines of an event that has data: their ends from its start on, and what they say.

    `bits` are flags of core/flags.py, `unspaced` and `comments` how many lines raised two of them.
    """

    ends: list[int]
    data: bytes
    name: str | None
    id: str | None
    bits: int
    unspaced: int
    comments: int


def _pattern(eol: bytes) -> re.Pattern[bytes]:
    """A name or none, an id or none, and data, as most write them."""
    end = re.escape(eol)
    name, last_id = rb"(?:event: ([^\r\n]*)%b)?" % end, rb"(?:id: ([^\r\n\0]*)%b)?" % end
    return re.compile(name + last_id + rb"((?:data: [^\r\n]*%b)*)data: ([^\r\n]*)" % end)


_USUAL = {eol: _pattern(eol) for eol in (b"\n", b"\r\n")}


def _usual(found: re.Match[bytes], eol: bytes) -> Fields:
    """What the groups of the pattern say; the third has all data lines but the last."""
    name, last_id, before, data = found.groups()
    wide = len(eol)
    ends = [found.end(group) + wide for group in (1, 2) if found[group] is not None]
    bits = 0 if last_id is None else F.HAS_ID
    if before:
        at, last = found.start(3), found.end(3)
        while at < last:
            at = found.string.find(eol, at) + wide
            ends.append(at)
        data = (before + b"data: ")[6:].replace(eol + b"data: ", b"\n") + data
        bits |= F.MULTI_DATA
    ends.append(len(found.string) + wide)
    if not data.strip():
        bits |= F.EMPTY_DATA
    called = None if name is None else name.decode("utf-8", "replace")
    number = None if last_id is None else last_id.decode("utf-8", "replace")
    return tuple.__new__(Fields, (ends, data, called, number, bits, 0, 0))


def fields_of(piece: bytes, eol: bytes) -> Fields | None:
    """An event of comments, data and at most one name and one id, none of them odd; None for anything else."""
    found = _USUAL[eol].fullmatch(piece)
    if found is not None:
        return _usual(found, eol)
    data: list[bytes] = []
    said: dict[bytes, bytes] = {}
    ends: list[int] = []
    at = unspaced = comments = 0
    for line in piece.split(eol):
        at += len(line) + len(eol)
        ends.append(at)
        name, colon, value = line.partition(b":")
        if not colon:
            return None
        if not name:
            comments += 1
            continue
        if value[:1] == b" ":
            value = value[1:]
        elif value:
            unspaced += 1
        if name == b"data":
            data.append(value)
        elif name in said or name not in (b"event", b"id"):
            return None
        else:
            said[name] = value
    called, number = said.get(b"event"), said.get(b"id")
    if not data or (number is not None and b"\0" in number):
        return None
    joined = b"\n".join(data)
    bits = (F.MULTI_DATA if len(data) > 1 else 0) | (0 if joined.strip() else F.EMPTY_DATA)
    bits |= (F.NO_SPACE if unspaced else 0) | (F.COMMENT if comments else 0) | (0 if number is None else F.HAS_ID)
    called_text = None if called is None else called.decode("utf-8", "replace")
    last_id = None if number is None else number.decode("utf-8", "replace")
    return Fields(ends, joined, called_text, last_id, bits, unspaced, comments)


def take_one(piece: bytes, lines: Lines, events: Events, out: list[bytes | Frame]) -> bool:
    """Table one event; False, and nothing done, where it is anything else."""
    end = piece.find(b"\n")
    if end < 8 or piece[end + 1 : end + 7] != b"data: ":
        return False
    payload = piece[end + 7 :]
    if payload < b"!" or b"\n" in payload:
        return False
    size, at = len(piece), lines.size
    if size > LARGE or not piece.startswith(b"event: "):
        return False
    number = len(events.first_lines)
    events.first_lines.append(len(lines.starts) if number else 0)
    events.flags.append(0)
    lines.starts.extend((at, at + end + 1, at + size + 1))
    lines.eols.extend(b"\x01\x01\x01")
    lines.size = at + size + 2
    name = events.names[number] = piece[7:end].decode("utf-8", "replace")
    out.append(Frame(0, name, payload))
    return True
