"""Events that say several things at once, as text and a finish reason: each thing in an event of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from inspector_app.core import flags as F
from inspector_app.core.reading import Reading
from inspector_app.core.types import Delta, Exchange
from inspector_app.variations._change import REPAIR, Edit
from inspector_app.variations._json import Node, removed
from inspector_app.variations._payloads import BY_LINES, NDJSON, Payload, edited, line_end

NAME = "split-events"
TITLE = "Send each thing that an event says in an event of its own"
SORT = REPAIR
KEEPS_MEANING = True
FRAMINGS = BY_LINES

_SILENT = ("noop", "absent", "stream.meta", "stream.start", "role", "padding")
_FAMILY = {
    "finish": "end", "usage": "end", "filter": "end", "refusal.delta": "refusal", "text.delta": "text",
    "reasoning.delta": "reasoning", "reasoning.signature": "reasoning", "reasoning.encrypted": "reasoning",
    "reasoning.redacted": "reasoning", "tool.start": "tool", "tool.args": "tool",
}  # fmt: skip

_TOGETHER = ("reasoning_details", "thinking_blocks")


class _Part(NamedTuple):
    """What becomes one event: one kind of content of one choice, or one element of a list of contents."""

    family: str
    choice: int
    element: str


def apply(reading: Reading) -> Exchange:
    end = line_end(reading)

    def edits(payload: Payload) -> Iterator[Edit]:
        if not _says_several(reading, payload.n):
            return
        if len(payload.places) > 1 or not payload.roots:
            return
        copies = _copies(reading, payload)
        if len(copies) < 2:
            return
        gap = end if reading.framing == NDJSON else end + end
        head = b"" if reading.framing == NDJSON else _head(reading, payload)
        yield payload.edit(0, len(payload.data), (gap + head).join(copies))

    return edited(reading, edits)


def _says_several(reading: Reading, n: int) -> bool:
    """Whether an event may have parts, by its layout alone: most have not."""
    rows = reading.layouts[reading.events.layouts[n]].rows
    said = {(kind, pointer) for kind, _, pointer in rows if kind not in _SILENT}
    return len(said) > 1 or bool(reading.events.flags[n] & F.MULTI_ROOT) or n in reading.payload_faults


def _copies(reading: Reading, payload: Payload) -> list[bytes]:
    """The payloads to send instead."""
    if payload.root is None:
        return [payload.data[root.start : root.end] for root in payload.roots]
    said = [delta for delta in reading.deltas(payload.n) if delta.kind not in _SILENT]
    if any(delta.kind not in _FAMILY or "key" in (delta.extra or {}) for delta in said):
        return []  # Dialects that name their blocks say one thing at a time.
    parts = _parts(said, _choices(reading))
    if not {part.family for part in parts} - {"end"}:
        return []
    nodes = {part: [payload.root.at(pointer) for pointer in pointers] for part, pointers in parts.items()}
    if any(node is None or node is payload.root for found in nodes.values() for node in found):
        return []
    return [_without(payload, [node for other in nodes if other != part for node in nodes[other]]) for part in nodes]


def _choices(reading: Reading) -> str:
    places = getattr(reading.dialect_module, "PLACES", None)
    return f"{places.choices}/" if places is not None and places.choices else ""


def _parts(said: list[Delta], choices: str) -> dict[_Part, list[str]]:
    """The parts of a payload in their order, and the pointers of what is theirs alone.

    A signature belongs to the element that it stands in, whatever that is of.
    """
    placed = [(delta, *_own(delta, choices)) for delta in said]
    owners = {pointer: _Part("part", delta.choice, pointer) for delta, pointer, listed in placed if listed}
    parts: dict[_Part, list[str]] = {}
    for delta, pointer, _ in placed:
        family = _FAMILY[delta.kind]
        alone = _Part("end", 0, "") if family == "end" else _Part(family, delta.choice, "")
        parts.setdefault(owners.get(pointer, alone), []).append(pointer)
    return parts


def _own(delta: Delta, choices: str) -> tuple[str, bool]:
    """The pointer of what of the payload is a delta's own, and whether that is content by itself: an element of a list
    of contents. The list of choices is none, and entries of one reasoning text belong together.
    """
    pointer, extra = delta.pointer, delta.extra or {}
    steps = pointer.split("/")
    inside = len(choices.split("/")) if choices and pointer.startswith(choices) else 1
    place = next((at for at in range(len(steps) - 1, inside - 1, -1) if steps[at].isdigit()), 0)
    own = "/".join(steps[: place + 1]) if place else pointer
    apart = bool(place) and _FAMILY[delta.kind] != "end" and extra.get("field") not in _TOGETHER
    return own, apart


def _without(payload: Payload, gone: list[Node | None]) -> bytes:
    assert payload.root is not None
    numbers = {id(node) for node in gone}
    data, out, at = payload.data, [], 0
    for start, end in sorted(removed(payload.root, lambda node: id(node) in numbers)):
        out.append(data[at:start])
        at = end
    return b"".join([*out, data[at:]])


def _head(reading: Reading, payload: Payload) -> bytes:
    """What stands before the payload of each further event: the name again, and the field."""
    start = reading.bytes_of(payload.n)[0]
    lines = reading.body.slice(start, payload.places[0][1])
    kept = [line for line in lines.splitlines(keepends=True) if line.startswith((b"event:", b"data:", b"data :"))]
    return b"".join(kept)
