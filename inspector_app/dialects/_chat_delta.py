"""What one `delta` of a Chat chunk says: role, reasoning, text, refusal, media, citations, tool calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.errors import is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.types import Delta

REASONING_FIELDS = (
    "reasoning_details", "thinking_blocks", "reasoning_content", "reasoning", "reasoning_text", "thinking",
)  # fmt: skip

KNOWN = frozenset(
    {*REASONING_FIELDS, "role", "content", "refusal", "tool_calls", "function_call", "audio", "images", "annotations"}
    | {"reasoning_opaque", "executed_tools", "citations", "index", "token_id", "name", "channel", "extra_content"}
    | {"provider_specific_fields", "reasoning_id", "id", "type", "padding"}
)


def decode_delta(out: list[Delta], delta: dict[str, Any], index: int, base: str) -> None:
    """Append what a `delta` (or a `message` in its place) says; `base` is its pointer, `index` its choice."""
    role = delta.get("role")
    if isinstance(role, str) and role:
        out.append(Delta("role", index, base + "/role", role))
    for field in REASONING_FIELDS:
        if field in delta:
            out.extend(_reasoning(delta[field], field, index, f"{base}/{field}"))
    opaque = delta.get("reasoning_opaque")
    if isinstance(opaque, str) and opaque:
        extra = {"mode": "append", "format": "copilot", "field": "reasoning_opaque"}
        out.append(Delta("reasoning.signature", index, base + "/reasoning_opaque", opaque, extra))
    if "content" in delta:
        _content(out, delta["content"], index, base + "/content")
    if "refusal" in delta:
        refusal = delta["refusal"]
        if isinstance(refusal, str) and refusal:
            out.append(Delta("refusal.delta", index, base + "/refusal", refusal))
        else:
            out.append(_empty(refusal, "refusal", index, base + "/refusal"))
    _media(out, delta, index, base)
    for key in ("annotations", "citations"):
        if isinstance(delta.get(key), list):
            out.extend(Delta("citation", index, f"{base}/{key}/{n}", item) for n, item in enumerate(delta[key]))
    if isinstance(delta.get("executed_tools"), list):
        for n, item in enumerate(delta["executed_tools"]):
            out.append(Delta("tool.result", index, f"{base}/executed_tools/{n}", item))
    for key, value in delta.items():
        if key not in KNOWN and is_filled(value):
            out.append(Delta("unknown", index, f"{base}/{escape(key)}", value))
    if "tool_calls" in delta:
        _tool_calls(out, delta["tool_calls"], index, base + "/tool_calls")
    if "function_call" in delta:
        _function_call(out, delta["function_call"], index, base + "/function_call")


def _empty(value: Any, field: str, index: int, pointer: str) -> Delta:
    """A content key that is present and says nothing; some readers act on it, so it is not dropped."""
    if value in (None, "", [], {}):
        return Delta("absent", index, pointer, value, {"field": field})
    return Delta("unknown", index, pointer, value)


def _reasoning(value: Any, field: str, index: int, pointer: str) -> Iterator[Delta]:
    if isinstance(value, str) and value:
        yield Delta("reasoning.delta", index, pointer, value, {"field": field, "form": "raw"})
    elif field == "reasoning_details" and isinstance(value, list) and value:
        for n, entry in enumerate(value):
            yield from _detail(entry, n, index, f"{pointer}/{n}")
    elif field == "thinking_blocks" and isinstance(value, list) and value:
        for n, entry in enumerate(value):
            yield from _thinking_block(entry, n, index, f"{pointer}/{n}")
    elif isinstance(value, dict) and value:
        key = next((key for key in ("text", "content", "thinking") if isinstance(value.get(key), str)), None)
        if key is None:
            yield Delta("unknown", index, pointer, value)
        elif value[key]:
            yield Delta("reasoning.delta", index, f"{pointer}/{key}", value[key], {"field": field, "form": "raw"})
    elif isinstance(value, list) and value:
        for n, part in enumerate(value):
            yield from _reasoning(part, field, index, f"{pointer}/{n}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield Delta("reasoning.delta", index, pointer, str(value), {"field": field, "form": "raw"})
    else:
        yield _empty(value, field, index, pointer)


def _detail(entry: Any, n: int, index: int, pointer: str) -> Iterator[Delta]:
    """One entry of `reasoning_details` (section 7.2)."""
    if isinstance(entry, str) and entry:
        yield Delta("reasoning.delta", index, pointer, entry, {"field": "reasoning_details", "form": "raw", "entry": n})
        return
    if not isinstance(entry, dict):
        yield _empty(entry, "reasoning_details", index, pointer)
        return
    kind = entry.get("type")
    extra: dict[str, Any] = {"field": "reasoning_details", "entry": n, "type": kind}
    extra |= {key: entry[key] for key in ("index", "id", "format") if entry.get(key) is not None}
    extra["form"] = "summary" if kind == "reasoning.summary" else "raw"
    found = False
    for key in ("text", "summary"):
        if isinstance(entry.get(key), str) and entry[key]:
            found = True
            yield Delta("reasoning.delta", index, f"{pointer}/{key}", entry[key], extra)
    if isinstance(entry.get("signature"), str) and entry["signature"]:
        found = True
        yield Delta("reasoning.signature", index, pointer + "/signature", entry["signature"], extra | {"mode": "set"})
    if isinstance(entry.get("data"), str) and entry["data"]:
        found = True
        yield Delta("reasoning.encrypted", index, pointer + "/data", entry["data"], extra)
    if not found:
        known = kind in ("reasoning.text", "reasoning.summary", "reasoning.encrypted", None)
        yield Delta("noop" if known else "unknown", index, pointer, entry, {"field": "reasoning_details"})


def _thinking_block(entry: Any, n: int, index: int, pointer: str) -> Iterator[Delta]:
    """One element of LiteLLM's `thinking_blocks` (section 7.23)."""
    if not isinstance(entry, dict):
        yield _empty(entry, "thinking_blocks", index, pointer)
        return
    extra: dict[str, Any] = {"field": "thinking_blocks", "entry": n, "form": "raw"}
    found = False
    for key in ("thinking", "text"):
        if isinstance(entry.get(key), str) and entry[key]:
            found = True
            yield Delta("reasoning.delta", index, f"{pointer}/{key}", entry[key], extra)
            break
    if isinstance(entry.get("signature"), str) and entry["signature"]:
        found = True
        yield Delta("reasoning.signature", index, pointer + "/signature", entry["signature"], extra | {"mode": "set"})
    if isinstance(entry.get("data"), str) and entry["data"]:
        found = True
        yield Delta("reasoning.redacted", index, pointer + "/data", entry["data"], extra)
    if not found:
        yield Delta("noop", index, pointer, entry, {"field": "thinking_blocks"})


def _content(out: list[Delta], value: Any, index: int, pointer: str) -> None:
    if isinstance(value, str):
        kind = "text.delta" if value else "absent"
        out.append(Delta(kind, index, pointer, value, {"field": "content"}))
    elif isinstance(value, list) and value:
        for n, part in enumerate(value):
            out.extend(_part(part, index, f"{pointer}/{n}"))
    elif isinstance(value, dict) and value:
        out.extend(_part(value, index, pointer))
    else:
        out.append(_empty(value, "content", index, pointer))


def _part(part: Any, index: int, pointer: str) -> Iterator[Delta]:
    """One part of a content list (R12, sections 7.7 and 7.24)."""
    extra = {"field": "content_parts", "form": "raw"}
    if isinstance(part, str):
        yield Delta("text.delta" if part else "absent", index, pointer, part, extra)
        return
    if not isinstance(part, dict):
        yield _empty(part, "content", index, pointer)
        return
    kind = part.get("type")
    if kind in ("text", "output_text", None) and isinstance(part.get("text"), str):
        yield Delta("text.delta" if part["text"] else "absent", index, pointer + "/text", part["text"], extra)
    elif kind in ("thinking", "reasoning"):
        key = next((key for key in ("thinking", "text", "summary") if part.get(key)), "thinking")
        inner = part.get(key)
        if isinstance(inner, str) and inner:
            yield Delta("reasoning.delta", index, f"{pointer}/{key}", inner, extra)
        elif isinstance(inner, list):
            for n, piece in enumerate(inner):
                text = piece.get("text") if isinstance(piece, dict) else piece
                tail = f"{pointer}/{key}/{n}" + ("/text" if isinstance(piece, dict) else "")
                if isinstance(text, str) and text:
                    yield Delta("reasoning.delta", index, tail, text, extra)
                elif is_filled(piece) and not isinstance(text, str):
                    yield Delta("unknown", index, tail, piece)
        else:
            yield Delta("noop", index, pointer, part, {"field": "content"})
    elif kind == "reference":
        yield Delta("citation", index, pointer, part)
    elif kind == "refusal" and isinstance(part.get("refusal"), str):
        yield Delta("refusal.delta", index, pointer + "/refusal", part["refusal"])
    elif kind in ("image_url", "image", "input_image"):
        yield Delta("media.delta", index, pointer, part, {"media": "image"})
    else:
        yield Delta("unknown", index, pointer, part)


def _media(out: list[Delta], delta: dict[str, Any], index: int, base: str) -> None:
    audio = delta.get("audio")
    if isinstance(audio, dict) and audio:
        out.append(Delta("media.delta", index, base + "/audio", audio, {"media": "audio", "id": audio.get("id")}))
    images = delta.get("images")
    if isinstance(images, list):
        for n, image in enumerate(images):
            out.append(Delta("media.delta", index, f"{base}/images/{n}", image, {"media": "image"}))


def _tool_calls(out: list[Delta], value: Any, index: int, pointer: str) -> None:
    if value is None:
        out.append(Delta("absent", index, pointer, None, {"field": "tool_calls"}))
    elif value == []:
        out.append(Delta("noop", index, pointer, value, {"field": "tool_calls"}))
    elif not isinstance(value, list):
        out.append(Delta("unknown", index, pointer, value))
    else:
        for n, element in enumerate(value):
            if isinstance(element, dict):
                _element(out, element, n, len(value), index, f"{pointer}/{n}")
            else:
                out.append(Delta("unknown", index, f"{pointer}/{n}", element))


def _element(out: list[Delta], element: dict[str, Any], n: int, count: int, index: int, pointer: str) -> None:
    """One element of `tool_calls`: id, index, name, type and arguments, each key only if the wire has it."""
    inner, place = element.get("function"), pointer + "/function"
    arguments = "arguments"
    if not isinstance(inner, dict) and isinstance(element.get("custom"), dict):
        inner, place, arguments = element["custom"], pointer + "/custom", "input"
    if not isinstance(inner, dict):
        inner, place = element, pointer
    extra: dict[str, Any] = {key: element[key] for key in ("id", "index", "type") if key in element}
    if "name" in inner:
        extra["name"] = inner["name"]
    extra |= {"position": n, "count": count, "element": pointer}
    if element.get("type") == "custom" or arguments == "input":
        extra["kind"] = "custom"
    started = "id" in element or "name" in inner
    if started:
        where = f"{place}/name" if inner.get("name") else f"{pointer}/id" if "id" in element else pointer
        out.append(Delta("tool.start", index, where, inner.get("name"), extra))
    if arguments in inner:
        out.append(Delta("tool.args", index, f"{place}/{arguments}", inner[arguments], extra))
    elif not started:
        out.append(Delta("tool.start", index, pointer, None, extra))
    for key in ("extra_content", "provider_specific_fields"):
        signature, tail = _signature(element.get(key))
        if signature:
            more = {"mode": "set", "format": "google", "position": n, "field": key}
            out.append(Delta("reasoning.signature", index, f"{pointer}/{key}{tail}", signature, more))


def _signature(value: Any) -> tuple[str | None, str]:
    """A Gemini thought signature in the places gateways put it (section 7.16)."""
    if isinstance(value, dict):
        for tail, holder in (("", value), ("/google", value.get("google")), ("/vertex", value.get("vertex"))):
            if isinstance(holder, dict) and isinstance(holder.get("thought_signature"), str):
                return holder["thought_signature"], f"{tail}/thought_signature"
    return None, ""


def _function_call(out: list[Delta], value: Any, index: int, pointer: str) -> None:
    if not isinstance(value, dict) or not value:
        out.append(_empty(value, "function_call", index, pointer))
        return
    extra: dict[str, Any] = {"legacy": True, "element": pointer, "position": 0, "count": 1}
    if "name" in value:
        extra["name"] = value["name"]
        out.append(Delta("tool.start", index, pointer + "/name", value["name"], extra))
    if "arguments" in value:
        out.append(Delta("tool.args", index, pointer + "/arguments", value["arguments"], extra))
