"""The analysis as the contract's JSON object (contract.md section 2), and the field ledger behind `--fields`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from inspector_app.core.blank_text import between_thoughts
from inspector_app.core.flags import UNDISPATCHED
from inspector_app.core.reading import Reading
from inspector_app.core.shapes import Shape, Shapes
from inspector_app.core.text import encodable
from inspector_app.core.timing import RUNGS, ladder
from inspector_app.core.types import Block, Finding

SCHEMA = "stream-inspector/analysis/1"
SHOWN = 20
"""Events and byte ranges printed of one finding."""
MARKERS = ("[DONE]", "message_stop", "response.completed", "done", "]")
"""The end markers that the contract names; another dialect's is null there."""
TEXT_KINDS = ("reasoning", "text", "refusal")
_LINE_ENDS = ("\x85", "\u2028", "\u2029")
"""Line ends of some readers that JSON leaves as they are."""
LONGEST_NUMBER = 3_500
"""Digits; Python writes no whole number with more than 4,300."""
_TYPES = {bool: "boolean", str: "string", int: "number", float: "number", dict: "object", list: "array"}
PIECE = 500
"""Events that are counted at once."""
SAMPLE = 80
"""Characters of a field's sample."""


def outline(
    reading: Reading, reference: Reading | None = None, *, events: bool = False, fields: bool = False
) -> dict[str, Any]:
    """One exchange as the contract's object. `reference` gives the findings when `reading` is a client's."""
    exchange = reading.exchange
    judged = reference or reading
    http = exchange.http
    out: dict[str, Any] = {
        "schema": SCHEMA,
        "file": exchange.name,
        "reader": reading.reader,
        "format": exchange.format,
        "framing": reading.framing,
        "dialect": judged.dialect,
        "provider": judged.provider,
        "http": None if http is None else {"status": http.status, "headers": [list(pair) for pair in http.headers]},
        "timing": exchange.timing,
        "counts": counts(reading),
        "blocks": blocks(reading),
        "finish": finish(reading),
        "usage": reading.usage,
        "errors": reading.errors,
        "times": times(judged),
        "end": {"marker": reading.marker if reading.marker in MARKERS else None, "clean": reading.clean},
        "findings": [finding_object(finding) for finding in judged.findings],
    }
    if reading.client_error is not None:
        out["client_error"] = {key: reading.client_error[key] for key in ("event", "message")}
    if fields:
        out["fields"] = list(ledger(judged, reading))
    if events:
        out["events"] = [event_object(reading, n) for n in range(len(reading.events))]
    out["exchange"] = exchange.number
    out["exchanges"] = exchange.count
    return out


def dumps(value: Any) -> str:
    """JSON in one line, also for readers that end lines at U+2028; a lone surrogate prints as U+FFFD."""
    try:
        out = encodable(json.dumps(value, ensure_ascii=False))
    except ValueError:  # A sum of numbers that were just short enough to be read is too long to be written.
        out = encodable(json.dumps(_without_giants(value), ensure_ascii=False))
    for char in _LINE_ENDS:
        out = out.replace(char, f"\\u{ord(char):04x}")
    return out


def _without_giants(value: Any) -> Any:
    """The value with whole numbers in hexadecimal that are too long to be written in decimals."""
    if isinstance(value, dict):
        return {key: _without_giants(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_without_giants(member) for member in value]
    return hex(value) if type(value) is int and value.bit_length() > 4 * LONGEST_NUMBER else value


def counts(reading: Reading) -> dict[str, int]:
    """How much of everything there is; `deltas` counts what says something."""
    exchange = reading.exchange
    return {
        "bytes": len(exchange.body),
        "reads": 0 if exchange.read_ends is None else len(exchange.read_ends),
        "lines": len(reading.lines),
        "events": len(reading.events),
        "dispatched": sum(not bits & UNDISPATCHED for bits in reading.events.flags),
        "deltas": reading.said_count(),
        "blocks": len(reading.blocks),
    }


def finish(reading: Reading) -> list[dict[str, Any]]:
    """One entry per choice: the wire's word and its normalized reason, both null when none came (R38, R41)."""
    pick = reading.rules.finish_pick
    held: dict[int, dict[str, Any]] = {}
    for entry in reading.finishes:
        before = held.get(entry["choice"])
        if before is None or pick == "last":
            held[entry["choice"]] = {key: entry[key] for key in ("choice", "raw", "reason")}
        elif pick == "joined":
            before["raw"] = f"{before['raw'] or ''}{entry['raw'] or ''}"
    calls = {block.choice for block in reading.blocks if block.kind == "tool_call"}
    default = reading.rules.finish_default or None
    choices = {block.choice for block in reading.blocks if block.kind != "error"}
    if default and reading.framing in ("sse", "ndjson") and reading.said_count():
        choices.add(0)
    for choice in sorted(choices):
        if choice not in held:
            held[choice] = {"choice": choice, "raw": default, "reason": default}
        elif reading.rules.finish_rewrite == "tool-calls" and held[choice]["raw"] == "stop" and choice in calls:
            held[choice] |= {"raw": "tool_calls", "reason": "tool_calls"}
    return [held[choice] for choice in sorted(held)]


def blocks(reading: Reading) -> list[dict[str, Any]]:
    """All blocks; white space that was hardly meant as text between two thoughts is `heuristic` (R8)."""
    doubtful = between_thoughts(reading.blocks)
    return [block_object(block) | ({"heuristic": True} if block.n in doubtful else {}) for block in reading.blocks]


def block_object(block: Block) -> dict[str, Any]:
    """One block: what every kind has, then what its kind has."""
    fields = block.fields
    text = block.text
    out: dict[str, Any] = {
        "n": block.n,
        "kind": block.kind,
        "choice": block.choice,
        "state": block.state,
        "closed_by": block.closed_by,
        "first_event": block.first_event,
        "last_event": block.last_event,
        "deltas": len(block.deltas),
        "chars": len(text),
    }
    if block.kind in TEXT_KINDS:
        out["text"] = text
    if block.kind == "reasoning":
        out["form"] = fields.get("form", "raw")
    if block.kind == "tool_call":
        out |= {"id": fields.get("id"), "name": fields.get("name"), "arguments": text}
        out |= {key: fields.get(key) for key in ("arguments_json", "executable", "tool_kind")}
    if block.kind == "error":
        out |= {key: fields.get(key) for key in ("type", "code", "message")}
    for key in ("id_made_up", "signature", "opaque", "redacted", "encrypted", "citations", "media", "result"):
        if fields.get(key) not in (None, []):
            out[key] = fields[key]
    return out


def finding_object(finding: Finding) -> dict[str, Any]:
    """One finding, its first 20 places."""
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "advice": finding.advice,
        "count": finding.count,
        "events": list(finding.events[:SHOWN]),
        "bytes": [[place.start, place.end] for place in finding.places[:SHOWN]],
        "pointer": finding.pointer,
        "block": finding.block,
        "under": finding.under,
        "heuristic": finding.heuristic,
    }


def times(reading: Reading) -> dict[str, float | None]:
    """The ladder of first times in ms since the request was sent; null where nothing was measured."""
    found = ladder(reading)
    return {f"{name}_ms": _ms(found[name]) for name in RUNGS}


def _ms(time: int | None) -> float | None:
    return None if time is None else time / 1e6


def event_object(reading: Reading, n: int) -> dict[str, Any]:
    """One event with its deltas."""
    event = reading.event(n)
    first, _ = reading.deltas_of(n)
    deltas = []
    for number, delta in enumerate(reading.deltas(n), first):
        if delta.kind == "noop":
            continue
        block = reading.delta_blocks[number]
        row: dict[str, Any] = {"kind": delta.kind, "pointer": delta.pointer}
        row["text" if isinstance(delta.value, str) else "value"] = delta.value
        row["block"] = block if block >= 0 else None
        deltas.append(row)
    time = reading.time_of(n)
    return {
        "n": n,
        "lines": list(event.lines),
        "bytes": [event.start, event.end],
        "t_ms": _ms(time),
        "name": event.name,
        "data": None if event.data is None else event.data.decode("utf-8", "replace"),
        "id": event.id,
        "retry": event.retry,
        "dispatched": event.dispatched,
        "flags": list(event.flags),
        "deltas": deltas,
    }


def ledger(reading: Reading, reader: Reading | None = None) -> Iterator[dict[str, Any]]:
    """Every JSON path of the payloads in order of first appearance: count, events, types, a sample, read or not.

    A second pass over the stream. `reader` is the reading whose rules say what is read, by default the same.
    """
    rules = (reader or reading).rules
    module = reading.dialect_module
    rows: dict[str, dict[str, Any]] = {}
    shapes = Shapes(reading, lambda path: sampled(rows[path]))
    for start in range(0, len(reading.events), PIECE):
        take_fields(rows, shapes, start, min(start + PIECE, len(reading.events)))
    for row in rows.values():
        yield row | {"read": module is not None and module.reads(row["path"], rules)}


def field_row(path: str, n: int) -> dict[str, Any]:
    """The row of a path that came in event n for the first time, before anything is counted."""
    return {"path": path, "count": 0, "first_event": n, "last_event": n, "types": [], "sample": None}


def sampled(row: dict[str, Any] | None) -> bool:
    """Whether a row has a sample that says something, or is none: further values of its types change but counts."""
    return row is None or row["sample"] not in (None, "", [], {})


def take_fields(
    rows: dict[str, dict[str, Any]], shapes: Shapes, start: int, end: int, most: int | None = None
) -> list[tuple[Iterable[str], list[int]]]:
    """Count the fields of events [start, end), at most so many; gives which fields came in which of them."""
    again: dict[Shape, list[int]] = {}
    came: list[tuple[Iterable[str], list[int]]] = []
    for n, shape, found in shapes.over(start, end):
        if shape is not None and not found:
            again.setdefault(shape, []).append(n)
            continue
        for path, leaf in found:
            row = rows.get(path)
            if row is None:
                if most is not None and len(rows) >= most:
                    continue
                row = rows[path] = field_row(path, n)
            take_field(row, n, leaf)
        came.append((dict.fromkeys(path for path, _ in found), [n]))
    for shape, events in again.items():
        for path, times in shape.paths.items():
            if (row := rows.get(path)) is not None:
                row["count"] += times * len(events)
                row["last_event"] = max(row["last_event"], events[-1])
        came.append((shape.paths, events))
    return came


def take_field(row: dict[str, Any], n: int, leaf: Any) -> None:
    """Count one more value of a path."""
    row["count"] += 1
    row["last_event"] = n
    kind = type_of(leaf)
    if kind not in row["types"]:
        row["types"].append(kind)
    if not sampled(row) and leaf is not None:
        row["sample"] = leaf[:SAMPLE] if isinstance(leaf, str) else leaf


def type_of(value: Any) -> str:
    """The JSON type of a value, in one word."""
    known = _TYPES.get(type(value))
    return known or next((name for kind, name in _TYPES.items() if isinstance(value, kind)), "null")
