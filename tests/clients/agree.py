"""Whether a lens reads a body as the real client did: blocks, finish reason, failure."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.rules import RULES, ReadingRules
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses import Lens
from inspector_app.lenses.run import read_as
from inspector_app.report.outline import finish

KIT = load_kit()
TOLD = ("reasoning", "text", "refusal", "tool_call")
"""Kinds of block that are compared: results, media and the like have another form in each client."""


def difference(lens: Lens, reference: Reading, row: dict[str, Any]) -> str:
    """What the lens reads otherwise than the client did (a row of drive.py); empty where they agree."""
    reading = read_as(lens, reference, KIT)
    if "payloads" in row:
        told = _behind_the_decoder(lens, reference, row["payloads"])
        want, ended = [_of_block(block, lens) for block in told.blocks], _finish(told)
    else:
        want, ended = [_of_row(block) for block in row["blocks"]], row.get("finish", ...)
    have = [_of_block(block, lens) for block in reading.blocks]
    have, want = ([block for block in side if block[0] in TOLD and block[3]] for side in (have, want))
    if row.get("order") == "none":
        have.sort(key=lambda block: block[0])
        want.sort(key=lambda block: block[0])
    wire = reference.exchange.body.slice(0, len(reference.exchange.body)).decode("utf-8", "replace")
    want = [_without_own_id(block, other, wire) for block, other in zip(want, [*have, *[None] * len(want)])]
    if have != want:
        return f"blocks {have}, really {want}"
    if ended is not ... and _finish(reading) != ended:
        return f"finish {_finish(reading)}, really {ended}"
    if (reading.client_error is None) != (row["error"] is None):
        return f"error {reading.client_error}, really {row['error']}"
    return ""


def _behind_the_decoder(lens: Lens, reference: Reading, payloads: list[Any]) -> Reading:
    """What the client handed on, framed anew, as the assembly of the lens reads it."""
    lines = []
    for payload in payloads:
        name, data = (None, payload) if isinstance(payload, str) else payload
        lines += [f"event: {name}\n"] if name not in (None, "", "message") else []
        lines += [f"data: {line}\n" for line in data.split("\n")] + ["\n"]
    body = "".join(lines).encode("utf-8", "surrogatepass")
    plain = {key: getattr(ReadingRules(), key) for key, rule in RULES.items() if "F" in rule.stage and key != "repairs"}
    # What was handed on is no error and no cut any more.
    plain |= {"error_key": "shown"}
    exchange = Exchange("x.sse", "sse-body", MemoryBody(body))
    analysis = Analysis(
        exchange, KIT, replace(lens.rules, **plain), lens.name, dialect=_speaks(reference), diagnose=False
    )
    analysis.feed(body)
    return analysis.finish()


def _speaks(reference: Reading) -> str | None:
    return reference.dialect if reference.dialect in KIT.names else None


def _finish(reading: Reading) -> Any:
    return next((entry["raw"] for entry in finish(reading) if entry["choice"] == 0), None)


Plain = tuple[str, Any, Any, Any]
"""Kind, id, name, text or arguments."""


def _of_block(block: Any, lens: Lens) -> Plain:
    if block.kind != "tool_call":
        return block.kind, None, None, block.text
    held = block.fields
    parsed = held.get("arguments_json")
    partial = lens.rules.args_parse.startswith("partial") and parsed is not None
    return block.kind, held.get("id"), held.get("name"), _same(parsed if partial else block.text)


def _of_row(block: dict[str, Any]) -> Plain:
    if block["kind"] != "tool_call":
        return block["kind"], None, None, block["text"]
    return "tool_call", block["id"], block["name"], _same(block["arguments"])


@cache
def _parsed(text: str) -> str:
    try:
        value = json.loads(text)
        # Clients that parse arguments print those once decoded that were encoded twice.
        value = json.loads(value) if isinstance(value, str) else value
        return json.dumps(value, sort_keys=True)
    except ValueError:
        return text


def _same(arguments: Any) -> str:
    """Arguments as they are compared: parsed where they parse, and none is an empty object."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return _parsed(text or "{}")


def _without_own_id(block: Plain, other: Plain | None, wire: str) -> Plain:
    """An id that the client made up is its own; so is none where the wire's is empty."""
    kind, call_id, *rest = block
    if other is not None and not other[1] and (not call_id or call_id not in wire):
        call_id = other[1]
    return kind, call_id, *rest  # type: ignore[return-value]
