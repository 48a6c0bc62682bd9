"""Chat streams in a few words, and what a reader makes of them in a few words."""

from __future__ import annotations

import json
from typing import Any

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules, from_mapping
from inspector_app.core.types import Block, Exchange, MemoryBody
from inspector_app.lenses.run import actions_of
from inspector_app.report.outline import finish

KIT = load_kit()
DONE = "[DONE]"
SHORT = {"reasoning": "R", "text": "T", "refusal": "X", "error": "E", "media": "M", "other": "O", "tool_result": "V"}


def data(payload: Any) -> str:
    return payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False, separators=(",", ":"))


def chunk(delta: Any = None, finish: str | None = None, index: int = 0, **root: Any) -> dict[str, Any]:
    """One chunk of one choice."""
    choice = {"index": index, "delta": {} if delta is None else delta, "finish_reason": finish}
    return {"object": "chat.completion.chunk", "choices": [choice], **root}


def bare(finish: str | None = None, **more: Any) -> dict[str, Any]:
    """A chunk whose choice has no delta."""
    return {"choices": [{"index": 0, "finish_reason": finish} | more]}


def said(text: Any, **more: Any) -> dict[str, Any]:
    return chunk({"content": text}, **more)


def thought(text: Any, field: str = "reasoning_content", **more: Any) -> dict[str, Any]:
    return chunk({field: text} | more)


def element(
    args: Any = ..., *, index: Any = ..., id: Any = ..., name: Any = ..., type: Any = "function"
) -> dict[str, Any]:
    """An element of `tool_calls`; what is not given is not on the wire."""
    function = {key: value for key, value in (("name", name), ("arguments", args)) if value is not ...}
    outer = {key: value for key, value in (("index", index), ("id", id), ("type", type)) if value is not ...}
    return outer | {"function": function}


def tool(args: Any = ..., **labels: Any) -> dict[str, Any]:
    """A chunk with one element of `tool_calls`, index 0 unless said."""
    return chunk({"tool_calls": [element(args, **({"index": 0} | labels))]})


def end(reason: str = "stop", **more: Any) -> dict[str, Any]:
    return chunk(None, reason, **more)


def sse(*payloads: Any) -> bytes:
    """Each payload as an event."""
    return "".join(f"data: {data(payload)}\n\n" for payload in payloads).encode("utf-8", "surrogatepass")


def stream(*payloads: Any, finish: str | None = "stop") -> bytes:
    """A whole stream: the payloads, the finish reason, the end marker."""
    return sse(*payloads, *([] if finish is None else [end(finish)]), DONE)


def read(body: bytes, rules: ReadingRules | None = None, size: int = 1 << 20) -> Reading:
    """The reading of a body with these rules, fed in pieces of `size` bytes."""
    exchange = Exchange("x.sse", "sse-body", MemoryBody(body))
    return _fed(Analysis(exchange, KIT), size) if rules is None else _fed(client(body, rules, exchange), size)


def client(body: bytes, rules: ReadingRules, exchange: Exchange) -> Analysis:
    named = rules.skips_on or rules.parts_on or rules.stops_on
    actions = actions_of(rules, read(body), KIT.rules) if named else None
    return Analysis(exchange, KIT, rules, "client", actions=actions, diagnose=False)


def _fed(analysis: Analysis, size: int) -> Reading:
    body = analysis.reading.body
    for start in range(0, len(body), size):
        analysis.feed(body.slice(start, start + size))
    return analysis.finish()


def rules_of(**differs: Any) -> ReadingRules:
    return from_mapping(differs, "test")


def outcome(reading: Reading) -> list[str]:
    """Blocks in order, then the finish reasons that came, then what the client raised.

    R:thought, T:text, X:refusal, C:id,name,arguments (`-` for none, `*` for an id made up), E:message; behind `|`
    what stands beside. A block of another choice has its number in front.
    """
    out = [_block(block) for block in reading.blocks]
    out += [f"finish {entry['raw']}" for entry in finish(reading) if entry["raw"] is not None]
    error = reading.client_error
    if error is not None:
        out.append(f"{'part' if error['part'] else 'raises'} at {error['event']}: {error['message']}")
    return out


def _block(block: Block) -> str:
    fields = block.fields
    if block.kind == "tool_call":
        shown = ["*" if "id_made_up" in fields and not fields["id"] else fields["id"], fields["name"], block.text]
        line = "C:" + ",".join("-" if value is None else value for value in shown)
    else:
        line = f"{SHORT[block.kind]}:{block.text}"
    keys = ("signature", "opaque", "redacted", "encrypted", "citations")
    beside = [f"{key}={fields[key]}" for key in keys if fields.get(key)]
    return (f"{block.choice}/" if block.choice else "") + " | ".join([line, *beside])
