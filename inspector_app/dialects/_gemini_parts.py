"""The parts of a Gemini answer: text, thoughts, calls, results, media, and the signatures that sit on any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.errors import is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.types import Delta
from inspector_app.dialects._media import media_of

STREAMED = "streamed"
"""The key of the call whose arguments come in pieces; there is one at a time."""

_PART_KNOWN = frozenset({"text", "thought", "thoughtSignature", "videoMetadata", "mediaResolution", "partMetadata"})
_CALL_KNOWN = frozenset({"id", "name", "args", "partialArgs", "willContinue"})
_VALUES = ("stringValue", "numberValue", "boolValue", "nullValue")
_THOUGHT = {"field": "content_parts", "form": "summary"}
_TEXT = {"field": "content_parts"}

BLOCKED = "promptFeedback.blockReason"
"""How the end of a stream is named whose prompt was refused: nothing else comes."""
CALL_FAILURES = frozenset({"malformed_function_call", "unexpected_tool_call", "too_many_tool_calls"})
"""Reasons, in lower case, of an answer whose tool call the API refused."""


def listed(value: Any) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if type(value) is list else []


def response_of(payload: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The response, and where it stands: Code Assist wraps it."""
    response = payload.get("response")
    if type(response) is dict and "candidates" not in payload:
        return response, "/response"
    return payload, ""


def candidates(payload: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Pointer and value of each candidate of a chunk."""
    if type(payload) is dict:
        inner, base = response_of(payload)
        for at, candidate in enumerate(listed(inner.get("candidates"))):
            if type(candidate) is dict:
                yield f"{base}/candidates/{at}", candidate


def decode_content(out: list[Delta], content: dict[str, Any], choice: int, base: str) -> None:
    """Append what the `content` of a candidate says; `base` is its pointer, `choice` its candidate."""
    if isinstance(content.get("role"), str) and content["role"]:
        out.append(Delta("role", choice, base + "/role", content["role"]))
    parts = content.get("parts")
    for at, part in enumerate(listed(parts)):
        if type(part) is dict:
            _part(out, part, choice, f"{base}/parts/{at}", at)
        elif is_filled(part):
            out.append(Delta("unknown", choice, f"{base}/parts/{at}", part))
    if is_filled(parts) and type(parts) is not list:
        out.append(Delta("unknown", choice, base + "/parts", parts))
    for key, value in content.items():
        if key not in ("role", "parts") and is_filled(value):
            out.append(Delta("unknown", choice, f"{base}/{escape(key)}", value))


def _part(out: list[Delta], part: dict[str, Any], choice: int, base: str, at: int) -> None:
    said = len(out)
    text = part.get("text")
    if isinstance(text, str) and text:
        thought = part.get("thought") is True
        kind = "reasoning.delta" if thought else "text.delta"
        out.append(Delta(kind, choice, base + "/text", text, _THOUGHT if thought else _TEXT))
    elif is_filled(text):
        out.append(Delta("unknown", choice, base + "/text", text))
    key: Any = None
    for name, value in part.items():
        kind_of_part = _PARTS.get(name)
        if kind_of_part is not None:
            key = kind_of_part(out, value, choice, f"{base}/{name}", ("part", at)) or key
        elif name not in _PART_KNOWN and is_filled(value):
            out.append(Delta("unknown", choice, f"{base}/{escape(name)}", value))
    signature = part.get("thoughtSignature")
    if isinstance(signature, str) and signature:
        extra: dict[str, Any] = {"mode": "set", "format": "gemini", "field": "content_parts"}
        if key is not None:
            extra["key"] = key
        elif not part.get("thought"):
            extra["of"] = "part"
        if text == "" and key is None:
            extra["at_risk"] = True
        out.append(Delta("reasoning.signature", choice, base + "/thoughtSignature", signature, extra))
    elif is_filled(signature):
        out.append(Delta("unknown", choice, base + "/thoughtSignature", signature))
    # The end of a call comes behind its signature, so that this is no news of a closed block.
    if key is not None and key != STREAMED:
        out.append(Delta("tool.end", choice, base, None, {"key": key}))
    if len(out) == said:
        out.append(Delta("noop", choice, base, part))


def _function(out: list[Delta], value: Any, choice: int, base: str, key: Any) -> Any:
    """A `functionCall`: whole, the start of one in pieces, a piece, or the end. Returns the key of a call it starts."""
    if type(value) is not dict:
        out.append(Delta("unknown", choice, base, value))
        return None
    name, goes_on, pieces = value.get("name"), value.get("willContinue") is True, listed(value.get("partialArgs"))
    if goes_on or pieces or not (is_filled(name) or is_filled(value.get("args"))):
        key = STREAMED
    held = {"key": key}
    starts = is_filled(name) or key != STREAMED
    if starts:
        own = {label: value[label] for label in ("id", "name") if isinstance(value.get(label), str)}
        extra = held | own | {"kind": "function"} | ({} if value.get("id") else {"nameless": True})
        out.append(Delta("tool.start", choice, base + "/name" if "name" in value else base, name, extra))
    if is_filled(value.get("args")) or (starts and value.get("args") == {}):
        out.append(Delta("tool.args", choice, base + "/args", value["args"], held))
    for at, piece in enumerate(pieces):
        _patch(out, piece, choice, f"{base}/partialArgs/{at}", held)
    for label, more in value.items():
        if label not in _CALL_KNOWN and is_filled(more):
            out.append(Delta("unknown", choice, f"{base}/{escape(label)}", more))
    if key == STREAMED and not (goes_on or starts or pieces):
        out.append(Delta("tool.end", choice, base, None, held | {"quiet": True}))
    return key if starts else None


def _patch(out: list[Delta], piece: Any, choice: int, base: str, held: dict[str, Any]) -> None:
    path = piece.get("jsonPath") if type(piece) is dict else None
    name = next((name for name in _VALUES if name in piece), None) if type(piece) is dict else None
    if isinstance(path, str) and name is not None:
        value = None if name == "nullValue" else piece[name]
        out.append(Delta("tool.args.patch", choice, f"{base}/{name}", value, held | {"path": path}))
    elif is_filled(piece):
        out.append(Delta("unknown" if name or path is None else "noop", choice, base, piece))


def _server_call(out: list[Delta], value: Any, choice: int, base: str, key: Any) -> Any:
    """A call that runs on the server; without a name of its own it is called by what the part is."""
    if type(value) is not dict:
        out.append(Delta("unknown", choice, base, value))
        return None
    own = base.rpartition("/")[2]
    kind, label, inside = _SERVER[own]
    extra = {"key": key, "kind": kind, "type": value.get(label) or own, "name": own, "id": value.get("id")}
    out.append(Delta("tool.start", choice, base, own, extra))
    arguments = value.get(inside) if inside else value
    if is_filled(arguments):
        out.append(Delta("tool.args", choice, f"{base}/{inside}" if inside else base, arguments, {"key": key}))
    return key


_SERVER = {"executableCode": ("builtin", "", ""), "toolCall": ("server", "toolType", "args")}
"""Kind of a call that runs on the server, the keys of its type and of its arguments."""


def _result(out: list[Delta], value: Any, choice: int, base: str, key: Any) -> None:
    if is_filled(value):
        out.append(Delta("tool.result", choice, base, value))


def _media(out: list[Delta], value: Any, choice: int, base: str, key: Any) -> None:
    if not is_filled(value):
        return
    mime = value.get("mimeType") if type(value) is dict else None
    out.append(Delta("media.delta", choice, base, value, {"media": media_of(mime), "mime": mime}))


def _transcript(out: list[Delta], value: Any, choice: int, base: str, key: Any) -> None:
    text = value.get("text") if type(value) is dict else value
    if isinstance(text, str) and text:
        out.append(Delta("media.delta", choice, base, {"transcript": text}, {"media": "audio"}))
    elif is_filled(value):
        out.append(Delta("unknown", choice, base, value))


_PARTS: dict[str, Callable[[list[Delta], Any, int, str, Any], Any]] = {
    "functionCall": _function,
    "functionResponse": _result,
    "inlineData": _media,
    "fileData": _media,
    "executableCode": _server_call,
    "codeExecutionResult": _result,
    "toolCall": _server_call,
    "toolResponse": _result,
    "audioTranscription": _transcript,
}
"""What a key of a part says. Each takes the statements so far, its value, choice, pointer and key of a call."""
