"""The contract's JSON object as a table (contract.md section 2), and what its numbers owe each other."""

from __future__ import annotations

from typing import Any

KINDS = ("reasoning", "text", "refusal", "tool_call", "tool_result", "media", "error", "state", "other")
ENDS = ("text", "refusal", "tool_call", "media", "reasoning", "finish", "error", "explicit", "end")
FRAMINGS = ("sse", "ndjson", "json-array", "aws-eventstream", "json", "html", "text", "none")
MARKERS = ("[DONE]", "message_stop", "response.completed", "done", "]", None)
SAYING_NOTHING = ("comment-only", "no-data", "dangling")
FLAGS = (*SAYING_NOTHING, "bom", "nul-id", "invalid-utf8", "unknown-field", "not-json")
DELTAS = (
    *("stream.start", "stream.meta", "stream.end", "role", "keepalive", "progress", "padding", "unknown", "state"),
    *("text.start", "text.delta", "text.end", "refusal.delta", "reasoning.start", "reasoning.delta", "reasoning.end"),
    *("reasoning.signature", "reasoning.encrypted", "reasoning.redacted", "tool.start", "tool.name", "tool.args"),
    *("tool.args.patch", "tool.end", "tool.result", "citation", "media.start", "media.delta", "media.end"),
    *("logprobs", "filter", "usage", "finish", "error", "step.start", "step.end"),
)

Text, Number = (str, None), (int, float, None)

OBJECT: dict[str, Any] = {
    "schema": ("stream-inspector/analysis/1",),
    "file": str,
    "reader": str,
    "format": str,
    "framing": FRAMINGS,
    "dialect": str,
    "provider": Text,
    "http": (None, {"status": int, "headers": [[str]]}),
    "timing": ("measured", "per-line", "none"),
    "counts": dict.fromkeys(("bytes", "reads", "lines", "events", "dispatched", "deltas", "blocks"), int),
    "blocks": [dict],
    "finish": [{"choice": int, "raw": Text, "reason": Text}],
    "usage": (
        None,
        dict.fromkeys(("input", "output", "reasoning", "cache_read", "cache_write", "total"), (int, None))
        | {"raw": dict},
    ),
    "errors": [{"event": int, "type": Any, "code": Any, "message": Any}],
    "times": {
        f"{name}_ms": Number
        for name in ("headers", "first_byte", "first_event", "first_reasoning", "first_text", "first_tool", "end")
    },
    "end": {"marker": MARKERS, "clean": bool},
    "findings": [
        {
            "rule": str,
            "severity": ("error", "warning", "info"),
            "message": str,
            "advice": str,
            "count": int,
            "events": [int],
            "bytes": [[int]],
            "pointer": Text,
            "block": (int, None),
            "under": Text,
            "heuristic": bool,
        }
    ],
    "exchange": int,
    "exchanges": int,
}
BLOCK: dict[str, Any] = {
    "n": int,
    "kind": KINDS,
    "choice": int,
    "state": ("complete", "open", "truncated"),
    "closed_by": ENDS,
    "first_event": int,
    "last_event": int,
    "deltas": int,
    "chars": int,
}
TEXT = {"text": str}
BY_KIND: dict[str, dict[str, Any]] = {
    "text": TEXT,
    "refusal": TEXT,
    "reasoning": TEXT | {"form": ("raw", "summary", "inline_tag", "plan")},
    "tool_call": {
        "id": Text,
        "name": Text,
        "arguments": str,
        "arguments_json": Any,
        "executable": bool,
        "tool_kind": ("function", "custom", "server", "mcp", "builtin"),
    },
    "error": {"type": Any, "code": Any, "message": Any},
}
MAY_BE = ("id_made_up", "signature", "opaque", "redacted", "encrypted", "citations", "media", "result", "heuristic")
FIELD = {
    "path": str,
    "count": int,
    "first_event": int,
    "last_event": int,
    "types": [("string", "number", "boolean", "null", "object", "array")],
    "sample": Any,
    "read": bool,
}
EVENT = {
    "n": int,
    "lines": [int],
    "bytes": [int],
    "t_ms": Number,
    "name": Text,
    "data": Text,
    "id": Text,
    "retry": (int, None),
    "dispatched": bool,
    "flags": [FLAGS],
    "deltas": [dict],
}


def fits(value: Any, shape: Any) -> bool:
    """Whether a value is of a type, one of several shapes or constants, a list of a shape, or has just these keys."""
    if shape is Any:
        return True
    if isinstance(shape, tuple):
        return any(fits(value, one) for one in shape)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(item, shape[0]) for item in value)
    if isinstance(shape, dict):
        return (
            isinstance(value, dict)
            and list(value) == list(shape)
            and all(fits(value[key], shape[key]) for key in shape)
        )
    return type(value) is shape if isinstance(shape, type) else value == shape and type(value) is type(shape)


def check_object(found: dict[str, Any]) -> None:
    """Asserts every promise about one object of `check --json --events --fields`."""
    late = {"client_error": {"event": int, "message": str}} if "client_error" in found else {}
    keys = list(OBJECT)
    shape = {key: OBJECT[key] for key in keys[:-2]} | late | {"fields": [FIELD], "events": [EVENT]}
    shape |= {key: OBJECT[key] for key in keys[-2:]}
    assert list(found) == list(shape)
    for key in shape:
        assert fits(found[key], shape[key]), (key, found[key])
    counts, events = found["counts"], found["events"]
    assert len(found["blocks"]) == counts["blocks"]
    for number, block in enumerate(found["blocks"]):
        check_block(block, number, counts["events"])
    firsts = [block["first_event"] for block in found["blocks"]]
    assert firsts == sorted(firsts)
    check_events(events, counts, found["framing"])
    rules = {finding["rule"] for finding in found["findings"]}
    for finding in found["findings"]:
        check_finding(finding, counts)
        assert finding["under"] is None or finding["under"] in rules - {finding["rule"]}
    paths = [field["path"] for field in found["fields"]]
    assert len(paths) == len(set(paths))


def check_block(block: dict[str, Any], number: int, events: int) -> None:
    shape = BLOCK | BY_KIND.get(block["kind"], {}) | {key: Any for key in MAY_BE if key in block}
    assert fits(block, shape), block
    assert block["n"] == number
    assert 0 <= block["first_event"] <= block["last_event"] < events
    text = block.get("text", block.get("arguments"))
    assert text is None or len(text) == block["chars"]


def check_events(events: list[dict[str, Any]], counts: dict[str, int], framing: str) -> None:
    """Events follow each other without a gap, over every line and byte where there is one at all."""
    line = byte = deltas = dispatched = 0
    for number, event in enumerate(events):
        assert event["n"] == number
        assert (event["lines"][0], event["bytes"][0]) == (line, byte)
        (_, line), (_, byte) = event["lines"], event["bytes"]
        assert event["dispatched"] == (not set(event["flags"]) & set(SAYING_NOTHING))
        if framing != "aws-eventstream":  # a damaged frame has no name
            assert (framing == "sse") == (event["name"] is not None)
        for delta in event["deltas"]:
            assert delta["kind"] in DELTAS, delta
            assert list(delta) == ["kind", "pointer", "text" if "text" in delta else "value", "block"]
            assert delta["block"] is None or 0 <= delta["block"] < counts["blocks"]
        deltas += len(event["deltas"])
        dispatched += event["dispatched"]
    assert not events or (line, byte) == (counts["lines"], counts["bytes"])
    assert (len(events), deltas, dispatched) == (counts["events"], counts["deltas"], counts["dispatched"])


def check_finding(finding: dict[str, Any], counts: dict[str, int]) -> None:
    events = finding["events"]
    assert events == sorted(set(events))
    assert len(events) <= 20
    assert len(finding["bytes"]) <= 20
    assert finding["count"] >= max(1, len(events))
    assert all(0 <= event < counts["events"] for event in events)
    assert all(0 <= start <= end <= counts["bytes"] for start, end in finding["bytes"])
