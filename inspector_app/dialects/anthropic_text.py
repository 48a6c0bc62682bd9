"""Anthropic's text completions, the legacy endpoint, also of Claude 2 on Bedrock (dialects.md sections 3 and 10).

A ping is the same here and in Messages. It is of this dialect once that has spoken; before, Messages gets it, whose
module comes first by its name.
"""

from __future__ import annotations

from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._bedrock import beside, left

NAME = "anthropic-completions"
TITLE = "Anthropic text completions"
META = {"id": ("id",), "model": ("model",)}
NAMED_BY = "type"
"""The `event:` line repeats this key."""

FINISH = {"stop_sequence": "stop", "max_tokens": "length"}
_KNOWN = frozenset({"type", "id", "completion", "stop_reason", "stop", "model", "log_id", "truncated", "exception"})


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict:
        return 0
    if payload.get("type") == "ping":
        return 2
    return 2 if "completion" in payload and payload.keys() & {"stop_reason", "stop"} else 0


def provider(payload: dict[str, Any]) -> str | None:
    """The sender that the payload's id betrays, or None."""
    found = payload.get("id")
    return "anthropic" if isinstance(found, str) and found.startswith("compl_") else None


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    if payload.get("type") == "ping":
        return [Delta("keepalive", 0, "", None, {"form": "ping"})]
    out: list[Delta] = []
    text, reason = payload.get("completion"), payload.get("stop_reason")
    if isinstance(text, str) and text:
        out.append(Delta("text.delta", 0, "/completion", text, {"field": "completion"}))
    elif is_filled(text):
        out.append(Delta("unknown", 0, "/completion", text))
    if isinstance(reason, str) and reason:
        native = {"stop": payload["stop"]} if is_filled(payload.get("stop")) else {}
        extra = {"reason": FINISH.get(reason.lower()), "native": native}
        out.append(Delta("finish", 0, "/stop_reason", reason, extra))
    else:
        odd = [key for key in ("stop_reason", "stop") if is_filled(payload.get(key))]
        out += [Delta("unknown", 0, "/" + key, payload[key]) for key in odd]
    if is_filled(payload.get("exception")):
        out.append(error_delta(payload["exception"], "/exception", "event", 0, payload))
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    beside(out, payload)
    left(out, payload, _KNOWN | {"error"})
    return out or [Delta("noop", 0, "", payload)]


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    if path.partition(".")[0] in ("error", "exception"):
        return rules.error_key != "ignored"
    return path in ("type", "id", "model", "completion", "stop_reason", "stop")
