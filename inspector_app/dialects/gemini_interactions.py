"""Gemini Interactions: steps by index, each with a start, deltas and a stop (dialects.md section 12).

A step is one block: a thought, text, a call, a result. Pictures and sounds of an output stand in blocks of their own,
since a delta tells its step, but not the part inside it. Why an answer ended says a status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.errors import error_delta, is_filled, type_of
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._holders import keys_in

NAME = "gemini-interactions"
TITLE = "Gemini Interactions"
META = {"id": ("interaction", "id"), "model": ("interaction", "model"), "created": ("interaction", "created")}
NAMED_BY = "event_type"
"""The `event:` line repeats this key."""
END_MARKER = "[DONE]"
MARKERS = (b"[DONE]",)
BY_DESIGN = frozenset({"finish-repeated"})
"""A status may come as an update and once more with the whole interaction."""

FINISH = {
    "completed": "stop",
    "requires_action": "tool_calls",
    "incomplete": "length",
    "budget_exceeded": "length",
    "cancelled": "cancelled",
    "failed": "error",
}
"""Statuses that end an answer (section 12); `in_progress` and `queued` end none."""
_UNDER_WAY = frozenset({"in_progress", "queued", "created", "start"})
_ENDED = {"complete": "completed"}
"""Older names of events that end an answer."""

_USAGE = {
    "input": "total_input_tokens",
    "output": "total_output_tokens",
    "reasoning": "total_thought_tokens",
    "cache_read": "total_cached_tokens",
    "cache_write": "",
    "total": "total_tokens",
}
COUNTED_APART = ("total_thought_tokens", "total_tool_use_tokens")
"""Counts that are part of the total, but neither of input nor of output."""

_MEDIA = {"image": "image", "audio": "audio", "video": "video", "document": "file"}
_ROOT_KNOWN = frozenset({"event_type", "event_id", "interaction_id", "metadata", "usage", "error"})
_INTERACTION_KNOWN = frozenset(
    {"id", "model", "agent", "status", "object", "role", "created", "updated", "service_tier", "usage", "error"}
    | {"steps", "outputs", "output_text", "previous_interaction_id", "environment_id"}
)


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    kind = payload.get("event_type") if type(payload) is dict else None
    if not isinstance(kind, str):
        return 0
    return 2 if kind.startswith("interaction.") or kind in _EVENTS else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Who sent it: nobody else speaks so."""
    return "google"


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of the root and of what it holds, for rules that ask whether a key is there at all."""
    return keys_in(payload, "interaction", "step", "delta")


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    kind = payload.get("event_type") or name
    out: list[Delta] = []
    if isinstance(kind, str) and kind.startswith("interaction."):
        taken = _interaction(out, payload, kind.partition(".")[2])
    elif isinstance(kind, str) and kind in _EVENTS:
        taken = _EVENTS[kind](out, payload)
    elif is_filled(payload.get("error")):
        taken = ()
    else:
        return [Delta("unknown", 0, "", payload)]
    metadata = payload.get("metadata")
    _usage(out, payload.get("usage"), "/usage", "step")
    _usage(out, metadata.get("usage") if type(metadata) is dict else None, "/metadata/usage", "metadata")
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    for key, value in payload.items():
        if key not in _ROOT_KNOWN and key not in taken and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out or [Delta("noop", 0, "", payload)]


Taken = tuple[str, ...]
"""The root keys that an event has read."""


def _usage(out: list[Delta], raw: Any, place: str, where: str) -> None:
    if type(raw) is dict and raw:
        counts = {key: raw.get(name) for key, name in _USAGE.items()}
        value = {key: count if type(count) is int else None for key, count in counts.items()}
        out.append(Delta("usage", 0, place, value, {"where": where, "raw": raw}))
    elif is_filled(raw):
        out.append(Delta("unknown", 0, place, raw))


# the interaction


def _interaction(out: list[Delta], payload: dict[str, Any], what: str) -> Taken:
    held, base = payload.get("interaction"), "/interaction"
    known = type(held) is dict
    inner: dict[str, Any] = held if type(held) is dict else payload
    base = base if known else ""
    if what in ("created", "start"):
        out.append(Delta("stream.start", 0, base, {"id": inner.get("id"), "model": inner.get("model")}))
    status, place = inner.get("status"), base + "/status"
    if not isinstance(status, str) or not status:
        if is_filled(status):
            out.append(Delta("unknown", 0, place, status))
        status = _ENDED.get(what, what) if _ENDED.get(what, what) in FINISH else ""
        place = "/event_type" if "event_type" in payload else ""
    if known:
        _whole(out, inner)
        _usage(out, inner.get("usage"), "/interaction/usage", "root")
        if is_filled(inner.get("error")):
            out.append(error_delta(inner["error"], "/interaction/error", "event", 0, inner))
        for key, value in inner.items():
            if key not in _INTERACTION_KNOWN and is_filled(value):
                out.append(Delta("unknown", 0, "/interaction/" + escape(key), value))
    if status.lower() in _UNDER_WAY:
        if what not in ("created", "start"):
            out.append(Delta("stream.meta", 0, place, status))
    elif status:
        out.append(Delta("finish", 0, place, status, {"reason": FINISH.get(status.lower()), "native": {}}))
    return ("interaction",) if known else ("interaction", "status")


def _whole(out: list[Delta], interaction: dict[str, Any]) -> None:
    """What an answer said once more at its end: it counts where no step said it before (R32)."""
    found: list[Delta] = []
    for holder in ("steps", "outputs"):
        steps = interaction.get(holder)
        for at, step in enumerate(steps if type(steps) is list else ()):
            content = step.get("content") if type(step) is dict else None
            for n, part in enumerate(content if type(content) is list else ()):
                if type_of(part) == "text" and isinstance(part.get("text"), str) and part["text"]:
                    place = f"/interaction/{holder}/{at}/content/{n}/text"
                    found.append(Delta("text.delta", 0, place, part["text"], _REPEATED))
    text = interaction.get("output_text")
    if not found and isinstance(text, str) and text:
        found.append(Delta("text.delta", 0, "/interaction/output_text", text, _REPEATED))
    out += found


_REPEATED = {"field": "text", "whole": True}


# steps


def _key(payload: dict[str, Any]) -> dict[str, Any]:
    index = payload.get("index")
    return {"key": ("step", index), "index": index} if type(index) is int else {"key": None}


def _start(out: list[Delta], payload: dict[str, Any]) -> Taken:
    holder = "content" if "content" in payload and "step" not in payload else "step"
    step, key, place = payload.get(holder), _key(payload), "/" + holder
    kind = type_of(step)
    if type(step) is not dict:
        out.append(Delta("unknown", 0, place if holder in payload else "", step or payload, key | {"starts": True}))
        return (holder, "index")
    if kind == "thought":
        out.append(Delta("reasoning.start", 0, place, None, key | {"form": "summary"}))
        _contents(out, step.get("summary"), place + "/summary", key, thought=True)
        _rest(out, step, {"type", "summary", "signature"}, place)
    elif kind in ("model_output", "text"):
        out.append(Delta("text.start", 0, place, None, key))
        _text(out, step, place, key)
        _contents(out, step.get("content"), place + "/content", key)
        _rest(out, step, {"type", "content", "text", "annotations", "signature"}, place)
    elif kind.endswith("_call"):
        _call_start(out, step, kind, place, key)
    elif kind.endswith("_result"):
        out.append(_result(step, place, key))
        return (holder, "index")
    elif kind == "user_input":
        out.append(Delta("state", 0, place, step, key | {"starts": True}))
        return (holder, "index")
    else:
        out.append(Delta("unknown", 0, place, step, key | {"starts": True}))
        return (holder, "index")
    _signature(out, step, place, key)
    return (holder, "index")


def _call_start(out: list[Delta], step: dict[str, Any], kind: str, place: str, key: dict[str, Any]) -> None:
    """A call for the client, or one that the server runs and that its type names."""
    own = "function" if kind == "function_call" else "mcp" if kind.startswith("mcp_") else "server"
    name = step.get("name") if own == "function" or step.get("name") else kind
    extra = key | {"kind": own, "name": name, "type": kind} | ({"id": step["id"]} if "id" in step else {})
    out.append(Delta("tool.start", 0, place + "/name" if "name" in step else place, name, extra))
    if "arguments" in step and step["arguments"] is not None:
        # Written although it is empty; it counts where no delta brings any.
        start = key | {"mode": "start", "kind": own}
        out.append(Delta("tool.args", 0, place + "/arguments", step["arguments"], start))
    _rest(out, step, {"type", "id", "name", "arguments", "signature"}, place)


def _result(step: dict[str, Any], place: str, key: dict[str, Any]) -> Delta:
    """The result of a call, with all that stands beside it; a delta of it replaces what the start had."""
    extra = key | {"resumes": True}
    extra |= {label: step[own] for label, own in (("id", "call_id"), ("name", "name")) if own in step}
    return Delta("tool.result", 0, place, step, extra)


def _delta(out: list[Delta], payload: dict[str, Any]) -> Taken:
    delta, key, place = payload.get("delta"), _key(payload), "/delta"
    kind = type_of(delta)
    if type(delta) is not dict:
        return ("index",) if "delta" in payload else ("delta", "index")
    known = {"type", "signature"}
    if kind == "text":
        _text(out, delta, place, key)
        known |= {"text", "annotations"}
    elif kind == "thought_summary":
        _content(out, delta.get("content"), place + "/content", key, thought=True)
        known |= {"content"}
    elif kind == "thought_signature":
        pass
    elif kind == "arguments_delta":
        if is_filled(delta.get("arguments")):
            out.append(Delta("tool.args", 0, place + "/arguments", delta["arguments"], key))
        known |= {"arguments"}
    elif kind in ("text_annotation_delta", "text_annotation"):
        _citations(out, delta.get("annotations"), place + "/annotations", key)
        known |= {"annotations"}
    elif kind in _MEDIA:
        out.append(Delta("media.delta", 0, place, delta, {"media": _MEDIA[kind]}))
        return ("delta", "index")
    elif kind.endswith("_result"):
        out.append(_result(delta, place, key))
        return ("delta", "index")
    elif kind.endswith("_call"):
        labels = {label: delta[label] for label in ("id", "name") if label in delta}
        if delta.get("arguments") is not None:
            # An object holds all arguments so far; a string only the next piece.
            piece = isinstance(delta["arguments"], str)
            extra = key | labels | {"block": "tool_call"} | ({} if piece else {"keeps_open": True, "alone": True})
            word = "tool.args" if piece else "tool.end"
            out.append(Delta(word, 0, place + "/arguments", delta["arguments"], extra))
        known |= {"id", "name", "arguments"}
    else:
        out.append(Delta("unknown", 0, place, delta, key))
        return ("delta", "index")
    _signature(out, delta, place, key)
    _rest(out, delta, known, place)
    if not out:
        out.append(Delta("noop", 0, place, delta))
    return ("delta", "index")


def _stop(out: list[Delta], payload: dict[str, Any]) -> Taken:
    out.append(Delta("noop", 0, "/index" if "index" in payload else "", payload.get("index"), _key(payload)))
    return ("index",)


def _error(out: list[Delta], payload: dict[str, Any]) -> Taken:
    """The error of the event is read like that of any other one."""
    if not is_filled(payload.get("error")):
        out.append(error_delta(payload, "", "event"))
    return ()


# what steps and deltas hold


def _text(out: list[Delta], holder: dict[str, Any], place: str, key: dict[str, Any], thought: bool = False) -> None:
    text = holder.get("text")
    if isinstance(text, str) and text:
        kind, form = ("reasoning.delta", {"form": "summary"}) if thought else ("text.delta", {})
        out.append(Delta(kind, 0, place + "/text", text, key | form))
    elif is_filled(text):
        out.append(Delta("unknown", 0, place + "/text", text))
    _citations(out, holder.get("annotations"), place + "/annotations", key)


def _contents(out: list[Delta], value: Any, place: str, key: dict[str, Any], thought: bool = False) -> None:
    """A list of parts, or the one part of a thought."""
    if type(value) is list:
        for at, part in enumerate(value):
            _content(out, part, f"{place}/{at}", key, thought)
    else:
        _content(out, value, place, key, thought)


def _content(out: list[Delta], value: Any, place: str, key: dict[str, Any], thought: bool = False) -> None:
    kind = type_of(value)
    if type(value) is dict and kind in ("", "text") and "text" in value:
        _text(out, value, place, key, thought)
        _rest(out, value, {"type", "text", "annotations"}, place)
    elif type(value) is dict and kind in _MEDIA:
        out.append(Delta("media.delta", 0, place, value, {"media": _MEDIA[kind]}))
    elif isinstance(value, str) and value:
        form = {"form": "summary"} if thought else {}
        out.append(Delta("reasoning.delta" if thought else "text.delta", 0, place, value, key | form))
    elif is_filled(value):
        out.append(Delta("unknown", 0, place, value))


def _citations(out: list[Delta], value: Any, place: str, key: dict[str, Any]) -> None:
    if type(value) is list:
        out += [Delta("citation", 0, f"{place}/{at}", one, key) for at, one in enumerate(value) if is_filled(one)]
    elif is_filled(value):
        out.append(Delta("unknown", 0, place, value))


def _signature(out: list[Delta], holder: dict[str, Any], place: str, key: dict[str, Any]) -> None:
    signature = holder.get("signature")
    if isinstance(signature, str) and signature:
        extra = key | {"mode": "set", "format": "gemini"}
        out.append(Delta("reasoning.signature", 0, place + "/signature", signature, extra))
    elif is_filled(signature):
        out.append(Delta("unknown", 0, place + "/signature", signature))


def _rest(out: list[Delta], holder: dict[str, Any], known: set[str], place: str) -> None:
    found = [(key, value) for key, value in holder.items() if key not in known and is_filled(value)]
    out += [Delta("unknown", 0, f"{place}/{escape(key)}", value) for key, value in found]


_EVENTS: dict[str, Callable[[list[Delta], dict[str, Any]], Taken]] = {
    "step.start": _start,
    "step.delta": _delta,
    "step.stop": _stop,
    "content.start": _start,
    "content.delta": _delta,
    "content.stop": _stop,
    "error": _error,
}
"""What each event says; each returns the root keys that it has read. `content.*` are names of the first preview."""

_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (("delta.signature", "step.signature"), lambda rules: "signature" in rules.extras),
    (("delta.annotations", "step.content[].annotations"), lambda rules: "citations" in rules.extras),
    (("usage", "interaction.usage", "metadata.usage"), lambda rules: rules.usage != "none"),
    (("error", "interaction.error"), lambda rules: rules.error_key != "ignored"),
    (("event_type", "index", "status", "step", "content", "delta"), lambda rules: True),
    (("interaction.id", "interaction.model", "interaction.created", "interaction.status"), lambda rules: True),
    (("interaction.steps", "interaction.outputs", "interaction.output_text"), lambda rules: True),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    return False
