"""Replicate prediction streams: named events, whose output is plain text and not JSON (dialects.md section 18.5).

`output` and `logs` carry text as it is, a line break in it as a further data line; `error` is an object with a
`detail`, and `done` is an empty object, or one that says why there is no more.
"""

from __future__ import annotations

import re
from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta

NAME = "replicate"
TITLE = "Replicate predictions"
TEXT_EVENTS = frozenset({"output", "logs"})
FINISH = {"done": "stop", "canceled": "cancelled", "error": "error"}
"""The reasons of `done`; without one the prediction has succeeded."""

_MEDIA = re.compile(r"data:(image|audio|video)/")
"""How output begins that is a whole file."""


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect: text by that name does, the last event if it gives a reason.

    `logs` are everyone's word, and so is a `done` that says nothing.
    """
    if name == "output":
        return 2 if type(payload) is str else 0
    ended = name == "done" and type(payload) is dict and payload.keys() == {"reason"}
    return 1 if ended and payload["reason"] in ("canceled", "error") else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "replicate"


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is str and name in TEXT_EVENTS:
        return [_text(payload, name)]
    if name == "error":
        return [_error(payload)]
    if name != "done" or type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    return _done(payload)


def _text(text: str, name: str | None) -> Delta:
    if not text:
        return Delta("noop", 0, "", text)
    if name == "logs":
        return Delta("stream.meta", 0, "", text)
    media = _MEDIA.match(text)
    if media is not None:
        return Delta("media.delta", 0, "", text, {"media": media[1]})
    return Delta("text.delta", 0, "", text, {"field": "output"})


def _error(payload: Any) -> Delta:
    detail = payload.get("detail") if type(payload) is dict else None
    if isinstance(detail, str):
        return error_delta({"message": detail, **payload}, "/detail", "event")
    return error_delta(payload, "", "event")


def _done(payload: dict[str, Any]) -> list[Delta]:
    reason, out = payload.get("reason"), []
    for key, value in payload.items():
        if key != "reason" and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    if isinstance(reason, str) and reason:
        place = "/reason"
    else:
        reason, place = "done", ""
    out.append(Delta("finish", 0, place, reason, {"reason": FINISH.get(reason.lower()), "native": {}}))
    out.append(Delta("stream.end", 0, "", "done"))
    return out


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    return path in ("", "reason") or (path == "detail" and rules.error_key != "ignored")
