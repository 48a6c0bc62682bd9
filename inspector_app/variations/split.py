"""Where one write ends and the next begins says nothing, but some clients take a read for a line or for an event."""

from __future__ import annotations

from collections.abc import Callable

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import TROUBLE, Argument, one_of, recut
from inspector_app.variations._line_ends import NAMES, with_line_ends
from inspector_app.variations._payloads import SSE

NAME = "split"
TITLE = "Cut the same bytes into other writes"
SORT = TROUBLE
KEEPS_MEANING = True
ARGUMENT = Argument(
    "event|line|all|utf8|crlf|N",
    "what one write holds: an event, a line, everything (at the time of the last byte), or N bytes; utf8 cuts each "
    "character of several bytes after its first one, crlf makes CRLF of line ends and cuts them in two",
    "1",
    "1",
)
CASES = {
    "one-byte": ("1", "Send one byte in each write"),
    "split-characters": ("utf8", "End writes inside of characters"),
    "split-line-ends": ("crlf", "End lines with CRLF, and writes between CR and LF"),
    "write-per-line": ("line", "Send one line in each write"),
    "one-write": ("all", "Send everything in one write, when the last byte was there"),
}


def apply(reading: Reading, argument: str = "") -> Exchange:
    wanted = argument or ARGUMENT.example
    exchange = reading.exchange
    size = len(exchange.body)
    if wanted.isdecimal() and int(wanted):
        step = int(wanted)
        return recut(exchange, [*range(step, size, step), *([size] if size else [])])
    if wanted == "crlf":
        return _in_line_ends(with_line_ends(reading, NAMES["crlf"]) if reading.framing == SSE else exchange)
    found = _ENDS[one_of(NAME, ARGUMENT, wanted, _ENDS)](reading)
    return recut(exchange, sorted({end for end in found if 0 < end < size} | {size})) if found and size else exchange


def _events(reading: Reading) -> list[int]:
    return [reading.bytes_of(n)[1] for n in range(len(reading.events))]


def _lines(reading: Reading) -> list[int]:
    return list(reading.lines.starts)


def _characters(reading: Reading) -> list[int]:
    body = reading.body.slice(0, len(reading.body))
    # The first byte of a character of several begins with two bits at least.
    found = [at + 1 for at, byte in enumerate(body) if byte >= 0xC0]
    return [*(reading.exchange.read_ends or _events(reading)), *found] if found else []


_ENDS: dict[str, Callable[[Reading], list[int]]] = {
    "event": _events,
    "line": _lines,
    "utf8": _characters,
    "all": lambda reading: [len(reading.body)],
}


def _in_line_ends(exchange: Exchange) -> Exchange:
    body = exchange.body.slice(0, len(exchange.body))
    ends: list[int] = []
    at = body.find(b"\r\n")
    while at >= 0:
        ends.append(at + 1)
        at = body.find(b"\r\n", at + 2)
    return recut(exchange, sorted({*ends, len(body)})) if ends else exchange
