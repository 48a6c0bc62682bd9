"""LM Studio's own chat: named events, blocks with starts and ends, the whole answer at the end (dialects.md 18.2).

Blocks follow one another, so an event names the kind of its block and no number. Tools run on the server. The last
event comes after an error too; it does not say why the answer ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.errors import error_delta, is_filled, type_of
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._holders import keys_in

NAME = "lmstudio"
TITLE = "LM Studio chat"
META = {"model": ("model_instance_id",)}
NAMED_BY = "type"
"""The `event:` line repeats this key."""
ENDS_WITHOUT_FINISH = frozenset({"chat.end"})

_USAGE = {"input": "input_tokens", "output": "total_output_tokens", "reasoning": "reasoning_output_tokens"}
_RESULT_KNOWN = frozenset({"model_instance_id", "output", "stats", "thread_id", "response_id"})
_MCP = "ephemeral_mcp"
"""The provider of tools that come from an MCP server."""


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict:
        return 0
    kind = type_of(payload, name)
    return 2 if kind in _EVENTS and kind != "error" else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "lmstudio"


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of the root and of the result, for rules that ask whether a key is there at all."""
    return keys_in(payload, "result")


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    event = _EVENTS.get(type_of(payload, name))
    if event is None:
        if is_filled(payload.get("error")):
            return [error_delta(payload["error"], "/error", "event", 0, payload)]
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    taken = event(out, payload)
    for key, value in payload.items():
        if key not in taken and key not in ("type", "model_instance_id") and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out or [Delta("noop", 0, "", payload)]


Taken = tuple[str, ...]
"""The root keys that an event has read."""

_Event = Callable[[list[Delta], dict[str, Any]], Taken]


def _start(out: list[Delta], payload: dict[str, Any]) -> Taken:
    out.append(Delta("stream.start", 0, "", {"id": None, "model": payload.get("model_instance_id")}))
    return ()


def _progress(out: list[Delta], payload: dict[str, Any]) -> Taken:
    """How far the model is loaded or the prompt is read."""
    out.append(Delta("progress", 0, "", payload))
    return ("progress", "load_time_seconds")


# text and thoughts

_KEYS: dict[str, dict[str, Any]] = {"text": {"key": "message"}, "reasoning": {"key": "reasoning", "form": "raw"}}
_CALL = {"key": "tool_call"}


def _opening(kind: str) -> _Event:
    def event(out: list[Delta], payload: dict[str, Any]) -> Taken:
        out.append(Delta(kind + ".start", 0, "", None, _KEYS[kind]))
        return ()

    return event


def _piece(kind: str) -> _Event:
    def event(out: list[Delta], payload: dict[str, Any]) -> Taken:
        value = payload.get("content")
        if isinstance(value, str) and value:
            out.append(Delta(kind + ".delta", 0, "/content", value, _KEYS[kind]))
        return ("content",) if isinstance(value, str) else ()

    return event


def _closing(kind: str) -> _Event:
    def event(out: list[Delta], payload: dict[str, Any]) -> Taken:
        out.append(Delta("noop", 0, "", payload, {"key": _KEYS[kind]["key"]}))
        return ()

    return event


# calls, which the server runs

_ABOUT_CALL = ("tool", "provider_info")


def _labels(call: dict[str, Any]) -> dict[str, Any]:
    info = call.get("provider_info")
    return {"kind": "mcp" if type_of(info) == _MCP else "server", "name": call.get("tool")}


def _call_start(out: list[Delta], payload: dict[str, Any]) -> Taken:
    place = "/tool" if "tool" in payload else ""
    out.append(Delta("tool.start", 0, place, payload.get("tool"), _CALL | _labels(payload)))
    return _ABOUT_CALL


def _arguments(out: list[Delta], payload: dict[str, Any]) -> Taken:
    """All arguments as an object, though the name of the event speaks of a stream."""
    value = payload.get("arguments")
    if isinstance(value, str) and value:
        out.append(Delta("tool.args", 0, "/arguments", value, _CALL | _labels(payload)))
    elif value is not None:
        extra = _CALL | _labels(payload) | {"keeps_open": True, "opens": True, "alone": True}
        out.append(Delta("tool.end", 0, "/arguments", value, extra))
    return (*_ABOUT_CALL, "arguments")


def _call_result(out: list[Delta], payload: dict[str, Any]) -> Taken:
    """The end of a call: its arguments once more, and what the tool gave back."""
    _call(out, payload, "", "tool_call")
    return (*_ABOUT_CALL, "arguments", "output")


def _call(out: list[Delta], call: dict[str, Any], place: str, key: Any, **beside: Any) -> None:
    held = "arguments" in call and not isinstance(call["arguments"], str)
    extra = _labels(call) | {"key": key, "opens": True, "alone": True} | beside
    where = f"{place}/arguments" if held else place
    out.append(Delta("tool.end", 0, where, call.get("arguments") if held else None, extra))
    if "output" in call:
        result = {"key": (key, "result"), "name": call.get("tool"), "complete": True} | beside
        out.append(Delta("tool.result", 0, place + "/output", call["output"], result))


def _failure(out: list[Delta], payload: dict[str, Any]) -> Taken:
    """A call that could not be made: the result is why."""
    metadata = payload.get("metadata")
    name = metadata.get("tool_name") if type(metadata) is dict else None
    out.append(Delta("noop", 0, "", payload, _CALL))
    result = {"key": ("tool_call", "result"), "name": name, "complete": True}
    out.append(Delta("tool.result", 0, "", payload, result))
    return (*_ABOUT_CALL, "reason", "metadata")


# the end


def _end(out: list[Delta], payload: dict[str, Any]) -> Taken:
    result = payload.get("result")
    if type(result) is dict:
        output = result.get("output")
        for at, item in enumerate(output if type(output) is list else ()):
            _whole(out, item, f"/result/output/{at}", at)
        stats = result.get("stats")
        if type(stats) is dict and stats:
            value = dict.fromkeys(("input", "output", "reasoning", "cache_read", "cache_write", "total"))
            counts = {key: stats[name] for key, name in _USAGE.items() if type(stats.get(name)) is int}
            out.append(Delta("usage", 0, "/result/stats", value | counts, {"where": "root", "raw": stats}))
        ids = [key for key in ("response_id", "thread_id") if is_filled(result.get(key))]
        out += [Delta("stream.meta", 0, "/result/" + key, result[key]) for key in ids]
        for key, value in result.items():
            if key not in _RESULT_KNOWN and is_filled(value):
                out.append(Delta("unknown", 0, "/result/" + escape(key), value))
    out.append(Delta("stream.end", 0, "", "chat.end"))
    return ("result",) if type(result) is dict else ()


def _whole(out: list[Delta], item: Any, place: str, at: int) -> None:
    """A part of the answer once more: it counts where no event said it before (R32)."""
    kind, content = type_of(item), item.get("content") if type(item) is dict else None
    if kind in ("message", "reasoning") and isinstance(content, str):
        if content:
            word, form = ("text.delta", {}) if kind == "message" else ("reasoning.delta", {"form": "raw"})
            out.append(Delta(word, 0, place + "/content", content, form | {"field": "content", "whole": True}))
    elif kind == "tool_call":
        _call(out, item, place, ("whole", at), whole=True)
    elif is_filled(item):
        out.append(Delta("unknown", 0, place, item))


def _error(out: list[Delta], payload: dict[str, Any]) -> Taken:
    held = is_filled(payload.get("error"))
    out.append(error_delta(payload["error"] if held else payload, "/error" if held else "", "event", 0, payload))
    return tuple(payload)


_EVENTS: dict[str, _Event] = {
    "chat.start": _start,
    "model_load.start": _progress,
    "model_load.progress": _progress,
    "model_load.end": _progress,
    "prompt_processing.start": _progress,
    "prompt_processing.progress": _progress,
    "prompt_processing.end": _progress,
    "reasoning.start": _opening("reasoning"),
    "reasoning.delta": _piece("reasoning"),
    "reasoning.end": _closing("reasoning"),
    "message.start": _opening("text"),
    "message.delta": _piece("text"),
    "message.end": _closing("text"),
    "tool_call.start": _call_start,
    "tool_call.arguments": _arguments,
    "tool_call.result": _call_result,
    "tool_call.success": _call_result,
    "tool_call.failure": _failure,
    "error": _error,
    "chat.end": _end,
}
"""What each event says; each returns the root keys that it has read. The success of a call was once its result."""

_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (("result.stats",), lambda rules: rules.usage != "none"),
    (("error",), lambda rules: rules.error_key != "ignored"),
    (("type", "model_instance_id", "content", "result.output"), lambda rules: True),
    (("tool", "provider_info.type", "arguments", "output", "reason", "metadata"), lambda rules: True),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    return False
