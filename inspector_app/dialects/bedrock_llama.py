"""Meta Llama on Bedrock: a piece of the text per event, with the number of tokens so far (section 15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._bedrock import METRICS, beside, left, usage

NAME = "bedrock-invoke/llama"
TITLE = "Meta Llama on Bedrock"

FINISH = {"stop": "stop", "length": "length"}
_COUNTS = {"input": "prompt_token_count", "output": "generation_token_count"}
_KNOWN = frozenset({"generation", "stop_reason", "error", *_COUNTS.values()})


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict or "generation" not in payload:
        return 0
    return 2 if payload.keys() & {"stop_reason", *_COUNTS.values()} else 1


def provider(payload: dict[str, Any]) -> str | None:
    """Nobody else tells of these models in this form."""
    return "bedrock"


def unheeded(payload: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """How many tokens there are so far changes nothing for a text; what counts is the number of the last event."""
    if not _tells(payload) and payload.get(_COUNTS["output"]):
        yield (), _COUNTS["output"]


def _tells(payload: dict[str, Any]) -> bool:
    """Whether an event has counts that are to be kept: the first and the last have."""
    return any(is_filled(payload.get(key)) for key in (_COUNTS["input"], "stop_reason", METRICS))


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    text, reason = payload.get("generation"), payload.get("stop_reason")
    if isinstance(text, str) and text:
        out.append(Delta("text.delta", 0, "/generation", text, {"field": "generation"}))
    elif is_filled(text):
        out.append(Delta("unknown", 0, "/generation", text))
    if isinstance(reason, str) and reason:
        out.append(Delta("finish", 0, "/stop_reason", reason, {"reason": FINISH.get(reason.lower()), "native": {}}))
    elif is_filled(reason):
        out.append(Delta("unknown", 0, "/stop_reason", reason))
    if _tells(payload):
        usage(out, "", payload, _COUNTS)
    elif is_filled(payload.get(_COUNTS["output"])):
        out.append(Delta("progress", 0, "/" + _COUNTS["output"], payload[_COUNTS["output"]]))
    beside(out, payload)
    left(out, payload, _KNOWN)
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    return out or [Delta("noop", 0, "", payload)]


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    if path in _COUNTS.values():
        return rules.usage != "none"
    return path in ("generation", "stop_reason")
