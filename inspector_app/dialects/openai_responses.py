"""OpenAI Responses and compatible servers (dialects.md section 9): items by `output_index`, each with its parts.

An item is keyed by its `output_index`, else by its id, else it is the latest one. Values that stand in a `.done` event
are statements of an end: the assembler compares them with what the deltas said (R44). The items of the last event
count only where the stream brought none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.errors import error_delta, is_filled, type_of
from inspector_app.core.parts import (
    COUNTS_DELTAS,
    DONE_ONLY,
    ENCRYPTED,
    ID_CHANGES,
    NOT_STARTED,
    SEVERAL_PARTS,
    SNAPSHOT,
)
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects import _whole
from inspector_app.dialects._holders import keys_in
from inspector_app.dialects._responses_items import item_added, item_done, items_whole, key_of, part_ends
from inspector_app.dialects._usage import normalize_usage

NAME = "openai-responses"
TITLE = "OpenAI Responses and compatible"
whole = _whole.responses
IGNORED_MARKERS = frozenset({b"[DONE]", b'"[DONE]"'})
"""Markers that relays add and clients pass over."""
META = {"id": ("response", "id"), "model": ("response", "model"), "created": ("response", "created_at")}
PADDING = frozenset({"obfuscation"})
NAMED_BY = "type"
"""The `event:` line repeats this key."""
COUNTER = "sequence_number"
COUNTER_RULE = "responses-sequence-gap"
PROMISES_USAGE = True
FAULTS = {
    NOT_STARTED: "responses-not-announced",
    ID_CHANGES: "responses-item-id-changes",
    SNAPSHOT: "responses-snapshot-mismatch",
    DONE_ONLY: "responses-done-without-delta",
    COUNTS_DELTAS: "responses-index-unusable",
    SEVERAL_PARTS: "responses-summary-parts",
    ENCRYPTED: "responses-encrypted-changed",
}
"""The rules for faults of items and their parts."""

FINISH = {
    "completed": "stop",
    "incomplete": "length",
    "max_output_tokens": "length",
    "content_filter": "content_filter",
    "failed": "error",
    "cancelled": "cancelled",
}
"""Status of the response, and the reasons of an incomplete one (section 20)."""

TERMINAL = frozenset(f"response.{status}" for status in ("completed", "incomplete", "failed", "cancelled", "done"))

_KNOWN = frozenset(
    {"type", "sequence_number", "output_index", "item_id", "content_index", "summary_index", "annotation_index"}
    | {"obfuscation", "delta", "logprobs", "text", "refusal", "arguments", "input", "code", "diff", "command", "name"}
    | {"item", "part", "response", "annotation", "command_index", "output", "stream_id", "error", "message", "param"}
    | {"partial_image_b64", "partial_image_index", "size", "quality", "background", "output_format", "transcript"}
    | {"response_id", "status", "phase"}
)

PROGRESS = (".in_progress", ".searching", ".interpreting", ".generating", ".completed", ".failed", ".queued")
"""Ends of event types that only say how far an item has come."""


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict:
        return 0
    if type_of(payload, name).startswith("response."):
        return 2
    return 2 if payload.get("object") == "response" and "output" in payload else 0


def provider(payload: dict[str, Any]) -> str | None:
    """The sender that the payload's extras betray, or None."""
    return "openai" if payload.get("obfuscation") else None


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of root, item, part and response, for rules that ask whether a key is there at all."""
    return keys_in(payload, "item", "part", "response")


def unheeded(payload: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Values that decode to the same statement whatever they hold."""
    if payload.get("logprobs"):
        yield (), "logprobs"


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    kind = type_of(payload, name)
    out: list[Delta] = []
    if payload.get("object") == "response" and "output" in payload:
        _ending(out, payload, "", "completed")
        return out
    if kind in _PIECES:
        _piece(out, payload, *_PIECES[kind])
    elif kind in _VALUES:
        _value(out, payload, *_VALUES[kind])
    elif kind in _EVENTS:
        _EVENTS[kind](out, payload)
    elif kind in TERMINAL:
        _terminal(out, payload, kind)
    elif kind.startswith("response.") and kind.endswith(PROGRESS):
        out.append(Delta("progress", 0, "/type" if "type" in payload else "", kind))
    else:
        out.append(Delta("unknown", 0, "", payload))
        return out
    if payload.get("logprobs"):
        out.append(Delta("logprobs", 0, "/logprobs", payload["logprobs"]))
    if payload.get("obfuscation"):
        out.append(Delta("padding", 0, "/obfuscation", payload["obfuscation"]))
    for key, value in payload.items():
        if key not in _KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    return out


# the response


def _created(out: list[Delta], payload: dict[str, Any]) -> None:
    response = payload.get("response")
    if type(response) is dict:
        out.append(Delta("stream.start", 0, "/response", {key: response.get(key) for key in ("id", "model")}))
    else:
        out.append(Delta("unknown", 0, "", payload))


def _terminal(out: list[Delta], payload: dict[str, Any], kind: str) -> None:
    response = payload.get("response")
    status = kind.removeprefix("response.").replace("done", "completed")
    if type(response) is dict:
        _ending(out, response, "/response", status)
    else:
        normal = FINISH.get(status)
        out.append(Delta("finish", 0, "/type" if "type" in payload else "", status, {"reason": normal, "native": {}}))
    out.append(Delta("stream.end", 0, "", kind))


def _ending(out: list[Delta], response: dict[str, Any], base: str, status: str) -> None:
    """Items, status, usage and error of a response that has ended."""
    items_whole(out, response, base)
    said = response.get("status")
    place = base + "/status" if isinstance(said, str) and said else base
    raw = said if isinstance(said, str) and said else status
    details = response.get("incomplete_details")
    why = details.get("reason") if type(details) is dict else None
    reason = FINISH.get(str(why).lower() if raw == "incomplete" and why else raw.lower())
    extra: dict[str, Any] = {"reason": reason, "native": {"incomplete_details": why} if why else {}}
    if reason == "stop":
        extra["with_calls"] = "tool_calls"
    out.append(Delta("finish", 0, place, raw, extra))
    usage = response.get("usage")
    if type(usage) is dict and usage:
        value = normalize_usage(usage)
        out.append(Delta("usage", 0, base + "/usage", value, {"where": "final", "raw": usage}))
    if is_filled(response.get("content_filters")):
        out.append(Delta("filter", 0, base + "/content_filters", response["content_filters"]))
    if is_filled(response.get("error")):
        out.append(error_delta(response["error"], base + "/error", "event"))


def _error(out: list[Delta], payload: dict[str, Any]) -> None:
    """The documented flat form, or the nested one that servers send."""
    if is_filled(payload.get("error")):
        found = error_delta(payload["error"], "/error", "event", 0, payload)
        nested = found.value | {"shape": "nested" if found.value["shape"] == "object" else found.value["shape"]}
        out.append(found._replace(value=nested))
    else:
        out.append(error_delta(payload | {"type": payload.get("code")}, "", "event"))


# pieces


def _extra(payload: dict[str, Any], family: str) -> dict[str, Any]:
    """The key of what an event speaks of, by family: part of a message, reasoning, call, media."""
    item = key_of(payload)
    extra: dict[str, Any] = {"item": item, "item_id": payload.get("item_id")}
    if family == "part":
        content = payload.get("content_index")
        extra["key"] = None if item is None else (item, content if type(content) is int else 0)
        if type(content) is int:
            extra["run"] = content
    else:
        extra["key"] = None if item is None else (item, family)
    if family == "reasoning":
        extra["form"] = "raw"
        if "summary_index" in payload:
            number = payload["summary_index"]
            extra |= {"form": "summary", "part": number if type(number) is int else 0}
    elif family == "call" and type(payload.get("command_index")) is int:
        extra["part"] = payload["command_index"]
    return extra


def _piece(out: list[Delta], payload: dict[str, Any], kind: str, family: str) -> None:
    value = payload.get("delta")
    if isinstance(value, str) and value:
        out.append(Delta(kind, 0, "/delta", value, _extra(payload, family)))
    elif is_filled(value):
        out.append(Delta("unknown", 0, "/delta", value))
    else:
        out.append(Delta("noop", 0, "/delta" if "delta" in payload else "", value))


_PIECES: dict[str, tuple[str, str]] = {
    "response.output_text.delta": ("text.delta", "part"),
    "response.refusal.delta": ("refusal.delta", "part"),
    "response.reasoning_text.delta": ("reasoning.delta", "reasoning"),
    "response.reasoning_summary_text.delta": ("reasoning.delta", "reasoning"),
    "response.function_call_arguments.delta": ("tool.args", "call"),
    "response.custom_tool_call_input.delta": ("tool.args", "call"),
    "response.mcp_call_arguments.delta": ("tool.args", "call"),
    "response.code_interpreter_call_code.delta": ("tool.args", "call"),
    "response.shell_call_command.delta": ("tool.args", "call"),
    "response.apply_patch_call_operation_diff.delta": ("tool.args", "call"),
    "response.audio.delta": ("media.delta", "media"),
}
"""Events that bring a piece in `delta`: what they say, and of what."""


def _value(out: list[Delta], payload: dict[str, Any], name: str, family: str, block: str) -> None:
    """The end of a part or of a call's arguments, with its whole value."""
    extra = _extra(payload, family) | {"block": block}
    extra.pop("run", None)
    if family == "reasoning" or "part" in extra:
        extra["keeps_open"] = True
    if isinstance(payload.get("name"), str) and payload["name"]:
        extra["name"] = payload["name"]
    value = payload.get(name)
    stem = {"tool_call": "tool", "reasoning": "reasoning"}.get(block, "text")
    out.append(Delta(f"{stem}.end", 0, "/" + name if name in payload else "", value, extra))


_VALUES: dict[str, tuple[str, str, str]] = {
    "response.output_text.done": ("text", "part", "text"),
    "response.refusal.done": ("refusal", "part", "refusal"),
    "response.reasoning_text.done": ("text", "reasoning", "reasoning"),
    "response.reasoning_summary_text.done": ("text", "reasoning", "reasoning"),
    "response.function_call_arguments.done": ("arguments", "call", "tool_call"),
    "response.custom_tool_call_input.done": ("input", "call", "tool_call"),
    "response.mcp_call_arguments.done": ("arguments", "call", "tool_call"),
    "response.code_interpreter_call_code.done": ("code", "call", "tool_call"),
    "response.shell_call_command.done": ("command", "call", "tool_call"),
    "response.apply_patch_call_operation_diff.done": ("diff", "call", "tool_call"),
}
"""Events that end something with its value: its key, of what, and the kind of block."""


def _item_added(out: list[Delta], payload: dict[str, Any]) -> None:
    item_added(out, payload.get("item"), "/item" if "item" in payload else "", payload)


def _item_done(out: list[Delta], payload: dict[str, Any]) -> None:
    item_done(out, payload.get("item"), "/item" if "item" in payload else "", key_of(payload), {})


def _part_added(out: list[Delta], payload: dict[str, Any]) -> None:
    part = payload.get("part")
    kind = type_of(part)
    if type(part) is not dict or kind == "summary_text":
        out.append(Delta("noop", 0, "/part" if "part" in payload else "", part))
        return
    if kind == "reasoning_text":
        extra = _extra(payload, "reasoning") | {"resumes": True}
        out.append(Delta("reasoning.start", 0, "/part", None, extra))
    elif kind in ("output_text", "text", "refusal"):
        extra = _extra(payload, "part") | {"block": "refusal" if kind == "refusal" else "text"}
        extra.pop("run", None)
        out.append(Delta("text.start", 0, "/part", None, extra))
        text = part.get("refusal" if kind == "refusal" else "text")
        if isinstance(text, str) and text:
            name, said = ("refusal", "refusal.delta") if kind == "refusal" else ("text", "text.delta")
            out.append(Delta(said, 0, f"/part/{name}", text, extra))
    else:
        out.append(Delta("unknown", 0, "/part", part, _extra(payload, "part") | {"starts": True}))


def _part_done(out: list[Delta], payload: dict[str, Any]) -> None:
    part = payload.get("part")
    if type(part) is dict and type_of(part) in ("summary_text", "reasoning_text"):
        extra = _extra(payload, "reasoning") | {"keeps_open": True}
        if "text" in part:
            out.append(Delta("reasoning.end", 0, "/part/text", part["text"], extra))
    else:
        part_ends(out, part, "/part" if "part" in payload else "", _extra(payload, "part"))


def _annotation(out: list[Delta], payload: dict[str, Any]) -> None:
    extra = _extra(payload, "part")
    if is_filled(payload.get("annotation")):
        out.append(Delta("citation", 0, "/annotation", payload["annotation"], extra))
    else:
        out.append(Delta("noop", 0, "", payload.get("annotation")))


def _image(out: list[Delta], payload: dict[str, Any]) -> None:
    image = payload.get("partial_image_b64")
    if is_filled(image):
        extra = _extra(payload, "media") | {"media": "image", "starts": True, "resumes": True, "mode": "replace"}
        out.append(Delta("media.delta", 0, "/partial_image_b64", image, extra))


def _command(out: list[Delta], payload: dict[str, Any]) -> None:
    command = payload.get("command")
    if isinstance(command, str) and command:
        out.append(Delta("tool.args", 0, "/command", command, _extra(payload, "call")))
    else:
        out.append(Delta("noop", 0, "/command" if "command" in payload else "", command))


def _shell_output(out: list[Delta], payload: dict[str, Any]) -> None:
    for name, mode in (("delta", "append"), ("output", "replace")):
        if is_filled(payload.get(name)):
            extra = _extra(payload, "result") | {"mode": mode, "resumes": True}
            out.append(Delta("tool.result", 0, "/" + name, payload[name], extra))


def _transcript(out: list[Delta], payload: dict[str, Any]) -> None:
    if isinstance(payload.get("delta"), str) and payload["delta"]:
        extra = _extra(payload, "media") | {"media": "audio", "transcript": True}
        out.append(Delta("media.delta", 0, "/delta", payload["delta"], extra))


def _audio_done(out: list[Delta], payload: dict[str, Any]) -> None:
    out.append(Delta("noop", 0, "", None))


_EVENTS: dict[str, Callable[[list[Delta], dict[str, Any]], None]] = {
    "response.created": _created,
    "response.output_item.added": _item_added,
    "response.output_item.done": _item_done,
    "response.content_part.added": _part_added,
    "response.content_part.done": _part_done,
    "response.reasoning_part.added": _part_added,
    "response.reasoning_part.done": _part_done,
    "response.reasoning_summary_part.added": _part_added,
    "response.reasoning_summary_part.done": _part_done,
    "response.output_text.annotation.added": _annotation,
    "response.image_generation_call.partial_image": _image,
    "response.shell_call_command.added": _command,
    "response.shell_call_output_content.delta": _shell_output,
    "response.shell_call_output_content.done": _shell_output,
    "response.audio.transcript.delta": _transcript,
    "response.audio.transcript.done": _audio_done,
    "response.audio.done": _audio_done,
    "error": _error,
}
"""All other event types."""

_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (("item.encrypted_content",), lambda rules: "opaque" in rules.extras),
    (("annotation", "part.annotations", "item.content[].annotations"), lambda rules: "citations" in rules.extras),
    (("response.usage", "usage"), lambda rules: rules.usage != "none"),
    (("error", "response.error"), lambda rules: rules.error_key != "ignored"),
    (tuple(_KNOWN - {"obfuscation", "stream_id", "error", "annotation", "response"}), lambda rules: True),
    (("response.id", "response.model", "response.status", "response.output", "response"), lambda rules: True),
    (("output", "status", "id", "model", "incomplete_details"), lambda rules: True),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    return False
