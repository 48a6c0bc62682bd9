"""Cohere v2 chat: content and tool calls by index, each with a start, deltas and an end (dialects.md section 14).

Content and calls count apart, so a key is the kind and the index. The plan of the tools has no start and no end: it
runs like the text of an implicit dialect until a call begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.diagnosis import Rule
from inspector_app.core.errors import error_delta, is_filled, type_of
from inspector_app.core.parts import NOT_CLOSED, NOT_STARTED
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects import _whole
from inspector_app.dialects._usage import cohere_usage

NAME = "cohere-v2"
TITLE = "Cohere chat v2"
whole = _whole.cohere
META = {"id": ("id",)}
NAMED_BY = "type"
"""The `event:` line repeats this key."""
IGNORED_MARKERS = frozenset({b"[DONE]"})
"""Comes after the end, and nobody needs it."""
PROMISES_USAGE = True
FAULTS = {NOT_STARTED: "cohere-block-unbalanced", NOT_CLOSED: "cohere-block-unbalanced"}
"""The rules for faults of blocks."""

FINISH = {
    "complete": "stop",
    "stop_sequence": "stop",
    "tool_call": "tool_calls",
    "max_tokens": "length",
    "error": "error",
    "timeout": "error",
}
"""Finish reasons (section 20)."""

_ROOT_KNOWN = frozenset({"type", "id", "index", "delta"})


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    return 2 if type(payload) is dict and type_of(payload, name) in _EVENTS else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "cohere"


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of the root, the delta and its message, for rules that ask whether a key is there at all."""
    yield from payload
    delta = payload.get("delta")
    if type(delta) is dict:
        yield from delta
        yield from _message(payload)


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    event = _EVENTS.get(type_of(payload, name))
    if event is None:
        if is_filled(payload.get("error")):
            return [error_delta(payload["error"], "/error", "event", 0, payload)]
        if "message" in payload and "delta" not in payload:
            return [error_delta(payload, "", "event")]
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    event(out, payload)
    known = len(out)
    for key, value in payload.items():
        if key not in _ROOT_KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    if not known and is_filled(payload.get("delta")):
        out.append(Delta("unknown", 0, "/delta", payload["delta"]))
    return out or [Delta("noop", 0, "", payload)]


def _message(payload: dict[str, Any]) -> dict[str, Any]:
    delta = payload.get("delta")
    message = delta.get("message") if type(delta) is dict else None
    return message if type(message) is dict else {}


def _key(payload: dict[str, Any], space: str) -> dict[str, Any]:
    index = payload.get("index")
    return {"key": (space, index), "index": index} if type(index) is int else {"key": None}


# the message


def _message_start(out: list[Delta], payload: dict[str, Any]) -> None:
    message = _message(payload)
    out.append(Delta("stream.start", 0, "", {"id": payload.get("id")}))
    for key, value in message.items():
        place = "/delta/message/" + escape(key)
        if key == "role" and isinstance(value, str) and value:
            out.append(Delta("role", 0, place, value))
        elif key == "tool_plan" and isinstance(value, str) and value:
            out.append(Delta("reasoning.delta", 0, place, value, _PLAN))
        elif is_filled(value):
            out.append(Delta("unknown", 0, place, value))


_PLAN = {"field": "tool_plan", "form": "plan"}


def _plan(out: list[Delta], payload: dict[str, Any]) -> None:
    value = _message(payload).get("tool_plan")
    if isinstance(value, str) and value:
        out.append(Delta("reasoning.delta", 0, "/delta/message/tool_plan", value, _PLAN))
    elif value == "":
        out.append(Delta("noop", 0, "/delta/message/tool_plan", value))


def _message_end(out: list[Delta], payload: dict[str, Any]) -> None:
    delta = payload.get("delta")
    if type(delta) is dict:
        for key, value in delta.items():
            if key not in ("finish_reason", "usage", "error") and is_filled(value):
                out.append(Delta("unknown", 0, "/delta/" + escape(key), value))
        if is_filled(delta.get("error")):
            out.append(error_delta(delta["error"], "/delta/error", "event", 0, delta))
        reason = delta.get("finish_reason")
        if isinstance(reason, str) and reason:
            extra: dict[str, Any] = {"reason": FINISH.get(reason.lower()), "native": {}}
            out.append(Delta("finish", 0, "/delta/finish_reason", reason, extra))
        elif is_filled(reason):
            out.append(Delta("unknown", 0, "/delta/finish_reason", reason))
        _usage(out, delta.get("usage"))
    out.append(Delta("stream.end", 0, "", "message-end"))


def _usage(out: list[Delta], raw: Any) -> None:
    if type(raw) is not dict:
        if is_filled(raw):
            out.append(Delta("unknown", 0, "/delta/usage", raw))
        return
    out.append(Delta("usage", 0, "/delta/usage", cohere_usage(raw), {"where": "root", "raw": raw}))


# content


def _content_start(out: list[Delta], payload: dict[str, Any]) -> None:
    content, key = _message(payload).get("content"), _key(payload, "content")
    kind = content.get("type") if type(content) is dict else None
    place = "/delta/message/content"
    if type(content) is dict and kind in (None, "text", "thinking"):
        thought = kind == "thinking" or (kind is None and "thinking" in content)
        out.append(Delta("reasoning.start" if thought else "text.start", 0, place, None, key))
        _content(out, content, key)
    else:
        at = place if is_filled(content) else ""
        out.append(Delta("unknown", 0, at, content if at else payload, key | {"starts": True}))


def _content_delta(out: list[Delta], payload: dict[str, Any]) -> None:
    content = _message(payload).get("content")
    if type(content) is dict:
        _content(out, content, _key(payload, "content"))
        if not out:
            out.append(Delta("noop", 0, "/delta/message/content", content))


def _content(out: list[Delta], content: dict[str, Any], key: dict[str, Any]) -> None:
    for name, value in content.items():
        place = "/delta/message/content/" + escape(name)
        if name in ("text", "thinking") and isinstance(value, str):
            if value and name == "text":
                out.append(Delta("text.delta", 0, place, value, key))
            elif value:
                out.append(Delta("reasoning.delta", 0, place, value, key | {"form": "raw"}))
        elif name != "type" and is_filled(value):
            out.append(Delta("unknown", 0, place, value))


def _content_end(out: list[Delta], payload: dict[str, Any]) -> None:
    _end(out, payload, "content")


def _end(out: list[Delta], payload: dict[str, Any], space: str) -> None:
    place = "/index" if "index" in payload else ""
    out.append(Delta("noop", 0, place, payload.get("index"), _key(payload, space)))


# tool calls


def _calls(payload: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Pointer and value of the call of an event: an object, where one expects a list."""
    calls, place = _message(payload).get("tool_calls"), "/delta/message/tool_calls"
    if type(calls) is dict:
        yield place, calls
    for at, call in enumerate(calls if type(calls) is list else ()):
        if type(call) is dict:
            yield f"{place}/{at}", call


def _call_start(out: list[Delta], payload: dict[str, Any]) -> None:
    key = _key(payload, "call")
    for place, call in _calls(payload):
        function = call.get("function")
        name = function.get("name") if type(function) is dict else None
        extra = key | {"kind": "function", "name": name}
        extra |= {label: call[label] for label in ("id", "type") if label in call}
        where = place + "/function/name" if type(function) is dict and "name" in function else place
        out.append(Delta("tool.start", 0, where, name, extra))
        _arguments(out, call, place, key)


def _call_delta(out: list[Delta], payload: dict[str, Any]) -> None:
    for place, call in _calls(payload):
        _arguments(out, call, place, _key(payload, "call"))
        if not out:
            out.append(Delta("noop", 0, place, call))


def _arguments(out: list[Delta], call: dict[str, Any], place: str, key: dict[str, Any]) -> None:
    function = call.get("function")
    if type(function) is dict:
        if is_filled(function.get("arguments")):
            out.append(Delta("tool.args", 0, place + "/function/arguments", function["arguments"], key))
        for name, value in function.items():
            if name not in ("name", "arguments") and is_filled(value):
                out.append(Delta("unknown", 0, f"{place}/function/{escape(name)}", value))
    elif is_filled(function):
        out.append(Delta("unknown", 0, place + "/function", function))
    for name, value in call.items():
        if name not in ("id", "type", "function") and is_filled(value):
            out.append(Delta("unknown", 0, f"{place}/{escape(name)}", value))


def _call_end(out: list[Delta], payload: dict[str, Any]) -> None:
    _end(out, payload, "call")


# the rest


def _citation(out: list[Delta], payload: dict[str, Any]) -> None:
    found, place = _message(payload).get("citations"), "/delta/message/citations"
    if type(found) is list:
        out += [Delta("citation", 0, f"{place}/{at}", one) for at, one in enumerate(found) if is_filled(one)]
    elif is_filled(found):
        out.append(Delta("citation", 0, place, found))


def _nothing(out: list[Delta], payload: dict[str, Any]) -> None:
    """An event that ends what has no length, or is meant for developers."""
    out.append(Delta("noop", 0, "", payload))


_EVENTS: dict[str, Callable[[list[Delta], dict[str, Any]], None]] = {
    "message-start": _message_start,
    "content-start": _content_start,
    "content-delta": _content_delta,
    "content-end": _content_end,
    "tool-plan-delta": _plan,
    "tool-call-start": _call_start,
    "tool-call-delta": _call_delta,
    "tool-call-end": _call_end,
    "citation-start": _citation,
    "citation-end": _nothing,
    "message-end": _message_end,
}

_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (("delta.message.citations",), lambda rules: "citations" in rules.extras),
    (("delta.usage",), lambda rules: rules.usage != "none"),
    (("delta.error", "error"), lambda rules: rules.error_key != "ignored"),
    (("type", "id", "index", "delta.message", "delta.finish_reason"), lambda rules: True),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    return False


RULES = (
    Rule(
        "cohere-block-unbalanced",
        "error",
        "event",
        "{count} event{s} of a block without its start or its end ({detail}).",
        "Open each index once, close it once, and keep the numbers of content and of calls apart.",
        why="A reader that files blocks by index has nowhere to put such an event, or waits for an end.",
        breaks=("readers keyed by index: lose the block, or never end it",),
        under=("end-truncated", "error-in-stream"),
    ),
)
"""The rules of this dialect."""
