"""OpenAI Chat Completions and everything compatible with it (dialects.md sections 5 to 8).

`decode` says what one chunk's own bytes say and keeps missing, null, "", [] and {} apart; every decision that needs
history is the assembler's. Order inside a chunk: role, reasoning, signature, text, refusal, media, citations, tool
calls, finish, usage, error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._usage import normalize_usage

NAME = "openai-chat"
TITLE = "OpenAI Chat Completions and compatible"
END_MARKER = "[DONE]"
META = ("id", "model", "created")
NAMED_EVENTS = frozenset({"message"})
"""An `event:` line with another name is unusual here (rule sse-event-name-mismatch)."""

REASONING_FIELDS = ("reasoning_details", "thinking_blocks", "reasoning_content", "reasoning", "reasoning_text", "thinking")

FINISH = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "tool_use": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
    "sensitive": "content_filter",
    "error": "error",
    "network_error": "error",
    "insufficient_system_resource": "error",
    "abort": "error",
}
"""Finish reasons of the family by lower-case wire word (section 20)."""

_DELTA_KNOWN = frozenset(
    {*REASONING_FIELDS, "role", "content", "refusal", "tool_calls", "function_call", "audio", "images", "annotations"}
    | {"reasoning_opaque", "executed_tools", "citations", "index", "token_id", "name", "channel", "extra_content"}
    | {"provider_specific_fields", "reasoning_id", "id", "type", "padding"}
)
_CHOICE_KNOWN = frozenset(
    {"index", "delta", "message", "text", "finish_reason", "native_finish_reason", "matched_stop", "stop_reason"}
    | {"logprobs", "usage", "content_filter_results", "content_filter_offsets", "content_filter_raw"}
    | {"content_filter_result", "seed", "token_ids", "prompt_token_ids", "routed_experts", "error"}
)
_ROOT_KNOWN = frozenset(
    {"id", "object", "created", "model", "choices", "usage", "system_fingerprint", "service_tier", "provider"}
    | {"obfuscation", "error", "base_resp", "x_groq", "prompt_filter_results", "prompt_annotations", "moderation"}
    | {"citations", "search_results", "timings", "time_info", "perf_metrics", "prompt_progress", "type", "code"}
    | {"message", "status_code", "num_sources_used", "nonce", "kv_transfer_params", "padding", "p", "prompt_token_ids"}
)
_META_OBJECTS = ("timings", "time_info", "perf_metrics")
_FILTERS = ("prompt_filter_results", "prompt_annotations", "moderation")
_CHOICE_FILTERS = ("content_filter_results", "content_filter_result", "content_filter_offsets", "content_filter_raw")

PROVIDERS: tuple[tuple[str, Callable[[dict[str, Any]], bool]], ...] = (
    ("groq", lambda p: "x_groq" in p),
    ("openrouter", lambda p: "provider" in p and str(p.get("id") or "").startswith("gen-")),
    ("azure", lambda p: "prompt_filter_results" in p or _in_choice(p, "content_filter_results")),
    ("cerebras", lambda p: "time_info" in p),
    ("sglang", lambda p: _in_choice(p, "matched_stop") or "sglext" in p or "hidden_states" in p),
    ("llama.cpp", lambda p: "timings" in p or "prompt_progress" in p or "__verbose" in p),
    ("ollama", lambda p: p.get("system_fingerprint") == "fp_ollama"),
    ("deepseek", lambda p: "prompt_cache_hit_tokens" in (p.get("usage") or ())),
    ("xai", lambda p: "num_sources_used" in (p.get("usage") or ()) or "cost_in_usd_ticks" in (p.get("usage") or ())),
    ("perplexity", lambda p: "search_results" in p),
    ("together", lambda p: _in_delta(p, "token_id") or (_in_choice(p, "text") and _in_choice(p, "seed"))),
    ("github-copilot", lambda p: _in_delta(p, "reasoning_opaque") or any(key.startswith("copilot_") for key in p)),
    ("litellm", lambda p: _in_delta(p, "thinking_blocks") or _in_delta(p, "provider_specific_fields")),
    ("minimax", lambda p: "base_resp" in p),
    ("vllm", lambda p: _in_choice(p, "token_ids") or "prompt_token_ids" in p),
    ("openai", lambda p: "obfuscation" in p),
)
"""Weak evidence for who sent it, display only (section 3)."""


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect: 2 decides alone, 1 is a hint, 0 nothing (section 3)."""
    if type(payload) is not dict:
        return 0
    kind = payload.get("object")
    if isinstance(kind, str) and kind.startswith("chat."):
        return 2
    choices = payload.get("choices")
    if type(choices) is list:
        if any(type(choice) is dict and "delta" in choice for choice in choices):
            return 2
        if any(type(choice) is dict and "text" in choice for choice in choices):
            return 0
        return 1
    return 1 if "choices" in payload and kind != "text_completion" else 0


def provider(payload: dict[str, Any]) -> str | None:
    """The sender that the payload's extras betray, or None."""
    return next((name for name, test in PROVIDERS if test(payload)), None)


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of root, choices and deltas, for rules that ask whether a key is there at all."""
    yield from payload
    choices = payload.get("choices")
    for choice in choices if type(choices) is list else ():
        if type(choice) is dict:
            yield from choice
            if type(choice.get("delta")) is dict:
                yield from choice["delta"]


def shape(payload: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """The key under which chunks decode alike but for one string, and the object that holds that string.

    None where the values decide: several choices, a finish reason, an index other than 0. The key has the keys, types
    and emptiness of root, choice and delta.
    """
    choices = payload.get("choices")
    if type(choices) is not list or len(choices) != 1:
        return None
    choice = choices[0]
    if type(choice) is not dict or choice.get("finish_reason") or choice.get("index"):
        return None
    delta = choice.get("delta")
    if type(delta) is not dict:
        return None
    root, mid, leaf = payload.values(), choice.values(), delta.values()
    return (
        (
            payload.get("object"), len(payload), len(choice), *payload, *choice, *delta, *map(type, root),
            *map(type, mid), *map(type, leaf), *map(bool, root), *map(bool, mid), *map(bool, leaf),
        ),
        delta,
    )  # fmt: skip


def static(payload: dict[str, Any]) -> bool:
    """True when nothing nested in the payload but the delta's strings decides how it decodes."""
    choice = payload["choices"][0]
    nested = [value for key, value in payload.items() if key != "choices"]
    nested += [value for key, value in choice.items() if key not in ("delta", "logprobs", *_CHOICE_FILTERS)]
    nested += choice["delta"].values()
    return not any(value and isinstance(value, dict | list) for value in nested)


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one chunk. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    choices = payload.get("choices")
    if type(choices) is list:
        for position, choice in enumerate(choices):
            pointer = f"/choices/{position}"
            if type(choice) is dict:
                _choice(out, choice, pointer)
            elif choice is not None:
                out.append(Delta("unknown", 0, pointer, choice))
    elif choices:
        out.append(Delta("unknown", 0, "/choices", choices))
    _root(out, payload, name)
    return out


def _choice(out: list[Delta], choice: dict[str, Any], base: str) -> None:
    index = choice_index(choice)
    delta = choice.get("delta")
    message = choice.get("message")
    if type(delta) is dict:
        _delta(out, delta, index, base + "/delta")
        if type(message) is dict and isinstance(message.get("content"), str) and message["content"]:
            out.append(Delta("noop", index, base + "/message/content", message["content"], {"field": "message"}))
        if isinstance(choice.get("text"), str) and choice["text"]:
            out.append(Delta("noop", index, base + "/text", choice["text"], {"field": "text"}))
    elif type(message) is dict:
        _delta(out, message, index, base + "/message")
    elif delta:
        out.append(Delta("unknown", index, base + "/delta", delta))
    else:
        out.append(Delta("absent", index, base, None, {"field": "delta"}))
    if choice.get("logprobs"):
        out.append(Delta("logprobs", index, base + "/logprobs", choice["logprobs"]))
    for key in _CHOICE_FILTERS:
        if choice.get(key):
            out.append(Delta("filter", index, f"{base}/{key}", choice[key], {"scope": "completion"}))
    for key, value in choice.items():
        if key not in _CHOICE_KNOWN and is_filled(value):
            out.append(Delta("unknown", index, f"{base}/{escape(key)}", value))
    if is_filled(choice.get("error")):
        out.append(error_delta(choice["error"], base + "/error", "in_choice", index))
    reason = choice.get("finish_reason")
    if isinstance(reason, str) and reason not in ("", "null"):
        native = {key: choice[key] for key in ("native_finish_reason", "matched_stop", "stop_reason") if choice.get(key)}
        normal = FINISH.get(reason.lower())
        out.append(Delta("finish", index, base + "/finish_reason", reason, {"reason": normal, "native": native}))
    elif reason is not None and not isinstance(reason, str):
        out.append(Delta("unknown", index, base + "/finish_reason", reason))
    if type(choice.get("usage")) is dict and choice["usage"]:
        out.append(_usage(choice["usage"], index, base + "/usage", "choice"))


def choice_index(choice: dict[str, Any]) -> int:
    """The choice an element speaks for; missing or unusable counts as 0 (R33)."""
    index = choice.get("index")
    if type(index) is int:
        return index
    if isinstance(index, float) and index.is_integer():
        return int(index)
    if isinstance(index, str) and index.isascii() and index.isdigit():
        return int(index[:9])
    return 0


def _delta(out: list[Delta], delta: dict[str, Any], index: int, base: str) -> None:
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
        if key not in _DELTA_KNOWN and is_filled(value):
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
    """One element of `tool_calls`: what it has of id, index, name, type and arguments, each key only if the wire has it."""
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


def _root(out: list[Delta], payload: dict[str, Any], name: str | None) -> None:
    for key in ("citations", "search_results"):
        if isinstance(payload.get(key), list):
            out.extend(Delta("citation", 0, f"/{key}/{n}", item) for n, item in enumerate(payload[key]))
    for key in _FILTERS:
        if payload.get(key):
            out.append(Delta("filter", 0, "/" + key, payload[key], {"scope": "prompt"}))
    for key in _META_OBJECTS:
        if payload.get(key):
            out.append(Delta("stream.meta", 0, "/" + key, payload[key]))
    if payload.get("prompt_progress"):
        out.append(Delta("progress", 0, "/prompt_progress", payload["prompt_progress"]))
    if payload.get("obfuscation"):
        out.append(Delta("padding", 0, "/obfuscation", payload["obfuscation"]))
    for key, value in payload.items():
        if key not in _ROOT_KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    groq = payload.get("x_groq")
    if isinstance(groq, dict):
        if isinstance(groq.get("usage"), dict) and groq["usage"]:
            out.append(_usage(groq["usage"], 0, "/x_groq/usage", "x_groq"))
        if is_filled(groq.get("error")):
            out.append(error_delta(groq["error"], "/x_groq/error", "event"))
    elif is_filled(groq):
        out.append(Delta("unknown", 0, "/x_groq", groq))
    if isinstance(payload.get("usage"), dict) and payload["usage"]:
        out.append(_usage(payload["usage"], 0, "/usage", "root"))
    _errors(out, payload, name)


def _usage(raw: dict[str, Any], index: int, pointer: str, where: str) -> Delta:
    return Delta("usage", index, pointer, normalize_usage(raw), {"where": where, "raw": raw})


def _errors(out: list[Delta], payload: dict[str, Any], name: str | None) -> None:
    base = payload.get("base_resp")
    if isinstance(base, dict) and base.get("status_code"):
        value = {"type": None, "code": base["status_code"], "message": base.get("status_msg"), "shape": "base_resp"}
        out.append(Delta("error", 0, "/base_resp", value, {"where": "event", "raw": base}))
    if is_filled(payload.get("error")):
        out.append(error_delta(payload["error"], "/error", "event", 0, payload))
    elif (name == "error" or payload.get("type") == "error") and not payload.get("choices"):
        out.append(error_delta(payload, "", "event"))


def _in_choice(payload: dict[str, Any], key: str) -> bool:
    choices = payload.get("choices")
    return type(choices) is list and any(type(choice) is dict and key in choice for choice in choices)


def _in_delta(payload: dict[str, Any], key: str) -> bool:
    choices = payload.get("choices")
    if type(choices) is not list:
        return False
    return any(type(c) is dict and type(c.get("delta")) is dict and key in c["delta"] for c in choices)


_READ_ALWAYS = frozenset(
    {"id", "model", "created", "choices[].index", "choices[].finish_reason", "choices[].delta.role"}
    | {"choices[].delta.content", "choices[].delta.tool_calls", "choices[].delta.refusal"}
)
_READ_UNDER = ("choices[].delta.tool_calls[].", "choices[].delta.content[]", "usage", "error")
_READ_BY_REFERENCE = ("x_groq.", "choices[].usage", "base_resp", "choices[].delta.function_call")


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    if path in _READ_ALWAYS or path.startswith(_READ_UNDER):
        return True
    if path.startswith("choices[].delta."):
        name = path.removeprefix("choices[].delta.").partition("[")[0].partition(".")[0]
        if name in REASONING_FIELDS:
            return name in rules.reasoning_fields
        if name == "reasoning_opaque":
            return "opaque" in rules.extras
        if name in ("annotations", "citations"):
            return "citations" in rules.extras
        return name in ("audio", "images", "executed_tools") or (name == "function_call" and rules.legacy_call == "read")
    return path.startswith(_READ_BY_REFERENCE)
