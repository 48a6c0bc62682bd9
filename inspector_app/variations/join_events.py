"""Events that each add a little to the same text: one event that adds all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from inspector_app.core import flags as F
from inspector_app.core.json_text import parse
from inspector_app.core.json_tokens import STRING
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange
from inspector_app.variations._change import REPAIR, Argument, ArgumentFault, Edit, changed
from inspector_app.variations._payloads import BY_LINES, Payload, payload_of

NAME = "join-events"
TITLE = "Send the text or arguments of neighbouring events in one event"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = BY_LINES
ARGUMENT = Argument("COUNT", "how many events at most become one; all in a row where it is empty", "2", "all")

_ADDING = ("text.delta", "reasoning.delta", "refusal.delta", "tool.args")
_SILENT = ("noop", "absent", "stream.meta", "padding")


class _Piece(NamedTuple):
    """An event that only adds a text. `rest` is all else that it says, `start` and `end` hold the text's quotes."""

    payload: Payload
    pointer: str
    rest: Any
    start: int
    end: int


def apply(reading: Reading, argument: str = "") -> Exchange:
    most = _most(argument)
    return changed(reading.exchange, _edits(reading, most))


def _most(argument: str) -> int:
    if not argument.strip():
        return 1 << 62
    if not argument.strip().isdecimal() or int(argument) < 2:
        raise ArgumentFault(f"{NAME} needs a number from 2 on, or nothing; this is {argument!r}")
    return int(argument)


def _edits(reading: Reading, most: int) -> Iterator[Edit]:
    run: list[_Piece] = []
    for n in range(len(reading.events)):
        if reading.events.flags[n] & F.COMMENT_ONLY:
            continue
        piece = _piece(reading, n)
        if run and (piece is None or len(run) >= most or piece[1:3] != run[0][1:3]):
            yield from _joined(reading, run)
            run = []
        if piece is not None:
            run.append(piece)
    yield from _joined(reading, run)


def _joined(reading: Reading, run: list[_Piece]) -> Iterator[Edit]:
    """The last event of a run says it all, so that nothing is there before it came."""
    if len(run) < 2:
        return
    *before, last = run
    for piece in before:
        yield Edit(*reading.bytes_of(piece.payload.n), b"")
    text = b"".join(piece.payload.data[piece.start + 1 : piece.end - 1] for piece in before)
    yield last.payload.edit(last.start + 1, last.start + 1, text)


def _piece(reading: Reading, n: int) -> _Piece | None:
    if reading.events.flags[n] & ~(F.HARMLESS | F.INVALID_UTF8) & ~F.COMMENT:
        return None
    rows = reading.layouts[reading.events.layouts[n]].rows
    said = [place for place, row in enumerate(rows) if row[0] not in _SILENT]
    if len(said) != 1 or rows[said[0]][0] not in _ADDING:
        return None
    pointer = rows[said[0]][2]
    block = reading.delta_blocks[reading.deltas_of(n)[0] + said[0]]
    if block >= 0 and reading.blocks[block].override is not None:
        return None  # Texts that hold the one before say the same twice when they are joined.
    payload = payload_of(reading, n)
    if payload is None or len(payload.places) > 1 or payload.root is None:
        return None
    node = payload.root.at(pointer)
    if node is None or node.kind != STRING:
        return None
    parsed = parse(payload.data[: node.start] + b'""' + payload.data[node.end :]).values
    if not parsed or not isinstance(parsed[0], dict):
        return None
    module = reading.dialect_module
    changing = {*getattr(module, "PADDING", ()), getattr(module, "COUNTER", "")}
    changing |= {name for name in ("created", "created_at") if name in parsed[0]}
    rest = {name: value for name, value in parsed[0].items() if name not in changing}
    return _Piece(payload, pointer, (reading.events.names.get(n), rest), node.start, node.end)
