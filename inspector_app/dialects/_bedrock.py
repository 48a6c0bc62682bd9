"""What Bedrock puts beside the events of any vendor: counts and times of the call, and what a guardrail did."""

from __future__ import annotations

from typing import Any

from inspector_app.core.errors import is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.types import Delta

SIGN = "amazon-bedrock-"
"""How all these keys begin."""
METRICS, ACTION, TRACE = "amazon-bedrock-invocationMetrics", "amazon-bedrock-guardrailAction", "amazon-bedrock-trace"
COUNTS = ("input", "output", "reasoning", "cache_read", "cache_write", "total")
"""The counts of the contract."""
_METRICS = {
    "input": "inputTokenCount",
    "output": "outputTokenCount",
    "cache_read": "cacheReadInputTokenCount",
    "cache_write": "cacheWriteInputTokenCount",
}


def whole(value: Any) -> int | None:
    """A count; some models write it with a fraction of zero."""
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def usage(out: list[Delta], pointer: str, raw: dict[str, Any], names: dict[str, str]) -> None:
    """The counts in `raw`; `names` is ours -> the wire's. Says nothing where there is none."""
    value = {key: whole(raw.get(names[key])) if key in names else None for key in COUNTS}
    if any(count is not None for count in value.values()):
        said = {name: raw[name] for name in names.values() if raw.get(name) is not None} if not pointer else raw
        out.append(Delta("usage", 0, pointer, value, {"where": "root", "raw": said}))


def beside(out: list[Delta], payload: dict[str, Any], *, counts: bool = True) -> None:
    """The statements of the keys of Bedrock. `counts`: whether its metrics are all that tells of tokens."""
    for key, value in payload.items():
        if not key.startswith(SIGN) or not is_filled(value):
            continue
        place = "/" + escape(key)
        if key in (ACTION, TRACE):
            out.append(Delta("filter", 0, place, value))
        else:
            out.append(Delta("stream.meta", 0, place, value))
        if key == METRICS and counts and type(value) is dict:
            usage(out, place, value, _METRICS)


def left(out: list[Delta], payload: dict[str, Any], known: frozenset[str]) -> None:
    """Keys that nobody knows."""
    for key, value in payload.items():
        if key not in known and not key.startswith(SIGN) and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
