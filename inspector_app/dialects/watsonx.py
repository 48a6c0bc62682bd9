"""IBM watsonx.ai text generation: numbered events with `results`, each a piece of text (dialects.md section 18.5).

Its chat endpoint sends chunks of OpenAI Chat instead. The count of tokens that came out grows with every event; what
went in stands in the first one alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._holders import keys_in

NAME = "watsonx"
TITLE = "IBM watsonx.ai text generation"
META = {"model": ("model_id",)}
PADDING = frozenset({"created_at"})
"""When the event was made: in each another time."""

FINISH = {
    "eos_token": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "token_limit": "length",
    "time_limit": "length",
    "cancelled": "cancelled",
    "error": "error",
}
"""Stop reasons by lower-case wire word."""

UNFINISHED = "not_finished"
"""The stop reason of every event but the last."""

_KNOWN = frozenset({"model_id", "created_at", "results", "system", "errors", "trace", "status_code", "model_version"})
_RESULT_KNOWN = frozenset(
    {"generated_text", "generated_token_count", "input_token_count", "stop_reason", "moderations", "seed"}
    | {"generated_tokens", "input_tokens"}
)
_COUNTS = {"input": "input_token_count", "output": "generated_token_count"}


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect."""
    if type(payload) is not dict:
        return 0
    results = payload.get("results")
    if type(results) is list and any(type(result) is dict and "generated_text" in result for result in results):
        return 2
    return 1 if "model_id" in payload and (type(results) is list or "system" in payload) else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "watsonx"


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of the root and of the results, for rules that ask whether a key is there at all."""
    return keys_in(payload, "results")


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    results = payload.get("results")
    for at, result in enumerate(results if type(results) is list else ()):
        if type(result) is dict:
            _result(out, result, at, f"/results/{at}")
        else:
            out.append(Delta("unknown", 0, f"/results/{at}", result))
    if is_filled(results) and type(results) is not list:
        out.append(Delta("unknown", 0, "/results", results))
    if is_filled(payload.get("system")):
        out.append(Delta("stream.meta", 0, "/system", payload["system"]))
    errors = payload.get("errors")
    if type(errors) is list and errors:
        out += [error_delta(error, f"/errors/{at}", "event", 0, payload) for at, error in enumerate(errors)]
    elif is_filled(errors):
        out.append(error_delta(errors, "/errors", "event", 0, payload))
    for key, value in payload.items():
        if key not in _KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out or [Delta("noop", 0, "", payload)]


def _result(out: list[Delta], result: dict[str, Any], at: int, base: str) -> None:
    text = result.get("generated_text")
    if isinstance(text, str) and text:
        out.append(Delta("text.delta", at, base + "/generated_text", text, {"field": "generated_text"}))
    elif is_filled(text):
        out.append(Delta("unknown", at, base + "/generated_text", text))
    lists = [key for key in ("generated_tokens", "input_tokens") if is_filled(result.get(key))]
    out += [Delta("logprobs", at, f"{base}/{key}", result[key]) for key in lists]
    if is_filled(result.get("moderations")):
        out.append(Delta("filter", at, base + "/moderations", result["moderations"], {"scope": "completion"}))
    if result.get("seed") is not None:
        out.append(Delta("stream.meta", at, base + "/seed", result["seed"]))
    for key, value in result.items():
        if key not in _RESULT_KNOWN and is_filled(value):
            out.append(Delta("unknown", at, f"{base}/{escape(key)}", value))
    reason = result.get("stop_reason")
    if isinstance(reason, str) and reason.lower() not in ("", UNFINISHED):
        extra: dict[str, Any] = {"reason": FINISH.get(reason.lower()), "native": {}}
        out.append(Delta("finish", at, base + "/stop_reason", reason, extra))
    elif is_filled(reason) and not isinstance(reason, str):
        out.append(Delta("unknown", at, base + "/stop_reason", reason))
    counts = {key: result[name] for key, name in _COUNTS.items() if type(result.get(name)) is int}
    if any(counts.values()):
        value = dict.fromkeys(("input", "output", "reasoning", "cache_read", "cache_write", "total")) | counts
        raw = {name: result[name] for name in _COUNTS.values() if name in result}
        place = next(f"{base}/{name}" for name in _COUNTS.values() if name in raw)
        out.append(Delta("usage", at, place, value, {"where": "root", "raw": raw}))


_ALWAYS = frozenset({"generated_text", "stop_reason"})


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    if path.startswith("results[]."):
        key = path.removeprefix("results[].").partition(".")[0].removesuffix("[]")
        return key in _ALWAYS or (key in _COUNTS.values() and rules.usage != "none")
    return path == "model_id" or (path.startswith("errors") and rules.error_key != "ignored")
