"""Amazon Titan text models: a piece of the text per event, counts and the reason in the last one (section 15)."""

from __future__ import annotations

from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._bedrock import ACTION, beside, left, usage

NAME = "bedrock-invoke/titan"
TITLE = "Amazon Titan text"

FINISH = {
    "finish": "stop",
    "finished": "stop",
    "stop_criteria_met": "stop",
    "length": "length",
    "content_filtered": "content_filter",
    "intervened": "content_filter",
}
"""Reasons in lower case; the last one is what a guardrail writes that took the place of the answer."""
_COUNTS = {"input": "inputTextTokenCount", "output": "totalOutputTextTokenCount"}
_KNOWN = frozenset({"outputText", "index", "completionReason", *_COUNTS.values()})


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict or "outputText" not in payload:
        return 0
    return 2 if payload.keys() & {"completionReason", *_COUNTS.values()} else 1


def provider(payload: dict[str, Any]) -> str | None:
    """Nobody else has these models."""
    return "bedrock"


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    text = payload.get("outputText")
    if isinstance(text, str) and text:
        out.append(Delta("text.delta", 0, "/outputText", text, {"field": "outputText"}))
    elif is_filled(text):
        out.append(Delta("unknown", 0, "/outputText", text))
    reason, place = payload.get("completionReason"), "/completionReason"
    if not is_filled(reason) and payload.get(ACTION) == "INTERVENED":
        reason, place = payload[ACTION], "/" + ACTION
    if isinstance(reason, str) and reason:
        out.append(Delta("finish", 0, place, reason, {"reason": FINISH.get(reason.lower()), "native": {}}))
    elif is_filled(reason):
        out.append(Delta("unknown", 0, place, reason))
    usage(out, "", payload, _COUNTS)
    beside(out, payload, counts=not any(is_filled(payload.get(key)) for key in _COUNTS.values()))
    left(out, payload, _KNOWN | {"error"})
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    return out or [Delta("noop", 0, "", payload)]


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    if path in _COUNTS.values():
        return rules.usage != "none"
    return path in ("outputText", "completionReason", "index")
