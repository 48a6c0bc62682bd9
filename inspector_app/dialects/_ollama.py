"""What Ollama's chat and its generate endpoint have in common: the last line, tool calls, errors (section 13)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._holders import keys_in

FINISH = {"stop": "stop", "length": "length", "done": "stop"}
"""Reasons by lower-case wire word; load and unload end no generation. A last line without a reason says `done`."""

TIMES = frozenset({"total_duration", "load_duration", "prompt_eval_duration", "eval_duration"})
"""Durations of the last line, in nanoseconds."""

FACTS = TIMES | {"remote_model", "remote_host"}
KNOWN = FACTS | {"model", "created_at", "done", "done_reason", "prompt_eval_count", "eval_count", "error", "logprobs"}
LOADS = frozenset({"load", "unload"})


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "ollama"


def is_line(payload: Any) -> bool:
    """True for an object that looks like a line of this server."""
    return type(payload) is dict and type(payload.get("done")) is bool


def text(out: list[Delta], holder: dict[str, Any], key: str, base: str) -> None:
    """A string of an answer, or the lack of one."""
    value = holder.get(key)
    thought = key == "thinking"
    extra = {"field": key, "form": "raw"} if thought else {"field": key}
    if isinstance(value, str) and value:
        out.append(Delta("reasoning.delta" if thought else "text.delta", 0, f"{base}/{key}", value, extra))
    elif is_filled(value):
        out.append(Delta("unknown", 0, f"{base}/{key}", value))


def calls(out: list[Delta], value: Any, base: str) -> None:
    """Tool calls; each comes whole, with its arguments as an object."""
    if type(value) is not list:
        if is_filled(value):
            out.append(Delta("unknown", 0, base, value))
        return
    for at, element in enumerate(value):
        place = f"{base}/{at}"
        function = element.get("function") if type(element) is dict else None
        if type(function) is not dict:
            if is_filled(element):
                out.append(Delta("unknown", 0, place, element))
            continue
        key = {"key": ("call", at)}
        own = {"id": element["id"]} if isinstance(element.get("id"), str) and element["id"] else {"nameless": True}
        if isinstance(function.get("name"), str):
            own["name"] = function["name"]
        if type(function.get("index")) is int:
            own["index"] = function["index"]
        name = place + "/function" + ("/name" if "name" in function else "")
        out.append(Delta("tool.start", 0, name, function.get("name"), key | own | {"kind": "function"}))
        if function.get("arguments") is not None:
            out.append(Delta("tool.args", 0, place + "/function/arguments", function["arguments"], key))
        out.append(Delta("tool.end", 0, place, None, key))
        for holder, where in ((element, place), (function, place + "/function")):
            unknown(out, holder, {"function", "id", "type", "name", "index", "arguments"}, where)


def images(out: list[Delta], value: Any, base: str) -> None:
    """Pictures of an answer."""
    if type(value) is list:
        out += [Delta("media.delta", 0, f"{base}/{at}", one, {"media": "image"}) for at, one in enumerate(value) if one]
    elif is_filled(value):
        out.append(Delta("unknown", 0, base, value))


def unknown(out: list[Delta], holder: dict[str, Any], known: Container[str], base: str) -> None:
    """What stands in an object and is not known."""
    found = [(key, value) for key, value in holder.items() if key not in known and is_filled(value)]
    out += [Delta("unknown", 0, f"{base}/{escape(key)}", value) for key, value in found]


def ending(out: list[Delta], payload: dict[str, Any], known: Container[str]) -> None:
    """What a line has beside its content: errors, and in the last one the reason, the counts and the times."""
    if is_filled(payload.get("logprobs")):
        out.append(Delta("logprobs", 0, "/logprobs", payload["logprobs"]))
    unknown(out, payload, known, "")
    if payload.get("done") is True:
        out += [Delta("stream.meta", 0, "/" + key, payload[key]) for key in sorted(FACTS & payload.keys())]
        _finish(out, payload)
        counts = {key: payload.get(name) for key, name in _COUNTS.items()}
        value = dict.fromkeys(("input", "output", "reasoning", "cache_read", "cache_write", "total"))
        value |= {key: count for key, count in counts.items() if type(count) is int}
        if any(count is not None for count in value.values()):
            raw = {name: payload[name] for name in payload if name in _RAW}
            place = next("/" + name for name in payload if name in _COUNTS.values())
            out.append(Delta("usage", 0, place, value, {"where": "root", "raw": raw}))
        out.append(Delta("stream.end", 0, "/done", "done"))
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    if not out:
        out.append(Delta("noop", 0, "", payload))


_COUNTS = {"input": "prompt_eval_count", "output": "eval_count"}
_RAW = TIMES | set(_COUNTS.values())


def _finish(out: list[Delta], payload: dict[str, Any]) -> None:
    reason = payload.get("done_reason")
    place = "/done_reason"
    if not isinstance(reason, str) or not reason:
        if is_filled(reason):
            out.append(Delta("unknown", 0, place, reason))
        reason, place = "done", "/done"
    extra: dict[str, Any] = {"reason": FINISH.get(reason.lower()), "native": {}}
    if extra["reason"] == "stop":
        extra["with_calls"] = "tool_calls"
    out.append(Delta("finish", 0, place, reason, extra))


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of the line and of its message, for rules that ask whether a key is there at all."""
    return keys_in(payload, "message")


def reads(path: str, rules: ReadingRules, own: Container[str]) -> bool:
    """True when a reader with these rules takes something from this field; `own` are the root keys of the answer."""
    first = path.partition(".")[0].removesuffix("[]")
    if first in ("prompt_eval_count", "eval_count"):
        return rules.usage != "none"
    if first == "error":
        return rules.error_key != "ignored"
    return first in own or first in ("model", "done", "done_reason")


def _load_only(reading: Reading, report: Report) -> None:
    if not reading.speaks.startswith("ollama-") or reading.blocks:
        return
    for entry in reading.finishes:
        if str(entry["raw"]).lower() in LOADS:
            report(entry["event"], entry["pointer"], detail=entry["raw"])


LOAD_ONLY = Rule(
    "ollama-load-only",
    "info",
    "stream",
    "The server only managed its model ({detail}); there is no answer.",
    "Keep it out of the conversation.",
    why="Such a stream ends like an answer, so it may look like one without words.",
    breaks=("chat clients that keep every reply: show an empty message",),
    end=_load_only,
)
