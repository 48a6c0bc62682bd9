"""Events of one event line and one data line, as all typed dialects send them: tabled without a look at each field."""

from __future__ import annotations

from itertools import accumulate, chain, repeat

from inspector_app.core.frame import Frame
from inspector_app.core.store import Events, Lines
from inspector_app.framing._sse_lines import LARGE


def take_named(data: bytes, pieces: list[bytes], lines: Lines, events: Events, out: list[bytes | Frame]) -> bool:
    """Table whole events; False, and nothing done, where one of them is anything else.

    `pieces` is what blank lines divide `data` into, without what follows the last of them.
    """
    count = len(pieces)
    body = sum(map(len, pieces)) + 2 * count
    if (
        not data.startswith(b"event: ")
        or data.count(b"\n\nevent: ", 0, body) != count - 1
        or data.count(b"\n", 0, body) != 3 * count
        or data.count(b"\ndata: ", 0, body) != count
    ):
        return False
    halves = [piece.partition(b"\n") for piece in pieces]
    heads = [half[0] for half in halves]
    payloads = [half[2][6:] for half in halves]
    sizes = list(map(len, pieces))
    # Where one event has two data lines another one has none; and what starts with white space may be nothing else.
    if min(payloads) < b"!" or min(map(len, heads)) < 8 or max(sizes) > LARGE:
        return False
    names = {head: head[7:].decode("utf-8", "replace") for head in set(heads)}
    called = [names[head] for head in heads]
    first, number = len(lines.starts), len(events.first_lines)
    ends = list(accumulate([size + 2 for size in sizes], initial=lines.size))
    seconds = [start + len(head) + 1 for start, head in zip(ends, heads, strict=False)]
    blanks = [end - 1 for end in ends[1:]]
    lines.starts.extend(chain.from_iterable(zip(ends[:-1], seconds, blanks, strict=True)))
    lines.eols.extend(b"\x01" * (3 * count))
    lines.size = ends[-1]
    events.first_lines.extend(range(first, first + 3 * count, 3))
    if not number:
        events.first_lines[0] = 0
    events.flags.frombytes(bytes(events.flags.itemsize * count))
    events.names.update(zip(range(number, number + count), called, strict=True))
    out.extend(map(Frame._make, zip(repeat(0), called, payloads, repeat(None), repeat(()), strict=False)))
    return True


def take_one(piece: bytes, lines: Lines, events: Events, out: list[bytes | Frame]) -> bool:
    """Table one event; False, and nothing done, where it is anything else."""
    end = piece.find(b"\n")
    payload = piece[end + 7 :]
    if end < 8 or payload < b"!" or piece[end + 1 : end + 7] != b"data: " or b"\n" in payload:
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
