"""One chunk of Chat Completions and of what is made like it (dialects.md sections 5 to 8).

`decode` says what one chunk's own bytes say and keeps missing, null, "", [] and {} apart; every decision that needs
history is the assembler's. Order inside a chunk: role, reasoning, signature, text, refusal, media, citations, tool
calls, finish, usage, error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.admit import Places
from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.pointer import escape
from inspector_app.core.rule_keys import REASONING_STRINGS
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._chat_delta import REASONING_FIELDS, decode_delta
from inspector_app.dialects._usage import normalize_usage

END_MARKER = "[DONE]"
MARKERS = (b"[DONE]", b'"[DONE]"')
"""Data that ends a stream and is no payload."""
META = {"id": ("id",), "model": ("model",), "created": ("created",)}
"""What an answer says of itself, and where."""
PLACES = Places(choices="/choices", parts="content", errors=("/base_resp", "/x_groq", "/choices"))

PADDING = frozenset({"obfuscation", "padding", "p"})
"""Root keys whose value says nothing."""
NAMED_EVENTS = frozenset({"message"})
"""An `event:` line with another name is unusual here (rule sse-event-name-mismatch)."""

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
_NATIVE_REASONS = ("native_finish_reason", "matched_stop", "stop_reason")
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
    ("deepseek", lambda p: _in_usage(p, "prompt_cache_hit_tokens")),
    ("xai", lambda p: _in_usage(p, "num_sources_used") or _in_usage(p, "cost_in_usd_ticks")),
    ("perplexity", lambda p: "search_results" in p),
    ("together", lambda p: _in_delta(p, "token_id") or (_in_choice(p, "text") and _in_choice(p, "seed"))),
    ("github-copilot", lambda p: _in_delta(p, "reasoning_opaque") or any(key.startswith("copilot_") for key in p)),
    ("litellm", lambda p: _in_delta(p, "thinking_blocks") or _in_delta(p, "provider_specific_fields")),
    ("minimax", lambda p: "base_resp" in p),
    ("vllm", lambda p: _in_choice(p, "token_ids") or "prompt_token_ids" in p),
    ("openai", lambda p: "obfuscation" in p),
)
"""Weak evidence for who sent it, display only (section 3)."""


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


def only_choice(payload: dict[str, Any]) -> tuple[int, str] | None:
    """Index and pointer of the one choice of a chunk, -1 for several or an odd one, None for no choice (R33)."""
    choices = payload.get("choices")
    if not isinstance(choices, list) or not choices:
        return None
    index = choices[0].get("index") if isinstance(choices[0], dict) else None
    return (index if len(choices) == 1 and isinstance(index, int) else -1), "/choices/0/index"


def unheeded(payload: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Nested values that decode to the same statement whatever they hold: the way to their object, and their key."""
    choices = payload.get("choices")
    for position, choice in enumerate(choices if type(choices) is list else ()):
        if type(choice) is dict:
            for key in ("logprobs", *_CHOICE_FILTERS):
                if choice.get(key):
                    yield ("choices", position), key


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
        decode_delta(out, delta, index, base + "/delta")
        if type(message) is dict and isinstance(message.get("content"), str) and message["content"]:
            out.append(Delta("noop", index, base + "/message/content", message["content"], {"field": "message"}))
        if isinstance(choice.get("text"), str) and choice["text"]:
            out.append(Delta("noop", index, base + "/text", choice["text"], {"field": "text"}))
    elif type(message) is dict:
        out.append(Delta("absent", index, base, None, {"field": "delta"}))
        inner: list[Delta] = []
        decode_delta(inner, message, index, base + "/message")
        # The whole answer in one chunk: it counts where no delta said it before (R32).
        out += [one._replace(extra=(one.extra or {}) | {"whole": True}) for one in inner]
    elif delta:
        out.append(Delta("unknown", index, base + "/delta", delta))
    else:
        out.append(Delta("absent", index, base, None, {"field": "delta"}))
    if choice.get("logprobs"):
        out.append(Delta("logprobs", index, base + "/logprobs", choice["logprobs"]))
    scope = {"scope": "completion"}
    out += [Delta("filter", index, f"{base}/{key}", choice[key], scope) for key in _CHOICE_FILTERS if choice.get(key)]
    for key, value in choice.items():
        if key not in _CHOICE_KNOWN and is_filled(value):
            out.append(Delta("unknown", index, f"{base}/{escape(key)}", value))
    if is_filled(choice.get("error")):
        out.append(error_delta(choice["error"], base + "/error", "in_choice", index))
    reason = choice.get("finish_reason")
    if isinstance(reason, str) and reason not in ("", "null"):
        native = {key: choice[key] for key in _NATIVE_REASONS if choice.get(key)}
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


def _root(out: list[Delta], payload: dict[str, Any], name: str | None) -> None:
    for key in ("citations", "search_results"):
        if isinstance(payload.get(key), list):
            out.extend(Delta("citation", 0, f"/{key}/{n}", item) for n, item in enumerate(payload[key]))
    scope = {"scope": "prompt"}
    out += [Delta("filter", 0, "/" + key, payload[key], scope) for key in _FILTERS if payload.get(key)]
    out += [Delta("stream.meta", 0, "/" + key, payload[key]) for key in _META_OBJECTS if payload.get(key)]
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
        error = error_delta(payload["error"], "/error", "event", 0, payload)
        beside = {"choices": True} if isinstance(payload.get("choices"), list) else {}
        out.append(error._replace(extra=(error.extra or {}) | beside))
    elif (name == "error" or payload.get("type") == "error") and not payload.get("choices"):
        out.append(error_delta(payload, "", "event"))


def _in_usage(payload: dict[str, Any], key: str) -> bool:
    usage = payload.get("usage")
    return type(usage) is dict and key in usage


def _in_choice(payload: dict[str, Any], key: str) -> bool:
    choices = payload.get("choices")
    return type(choices) is list and any(type(choice) is dict and key in choice for choice in choices)


def _in_delta(payload: dict[str, Any], key: str) -> bool:
    choices = payload.get("choices")
    if type(choices) is not list:
        return False
    return any(type(c) is dict and type(c.get("delta")) is dict and key in c["delta"] for c in choices)


_ALWAYS = ("id", "model", "created", "choices[].index", "choices[].finish_reason")
_IN_DELTA = ("role", "content", "tool_calls", "audio", "images", "executed_tools")

_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (("choices[].delta.content[]",), lambda rules: rules.content_types == "any"),
    (tuple(f"choices[].delta.{key}" for key in _IN_DELTA), lambda rules: True),
    (_ALWAYS, lambda rules: True),
    (("choices[].delta.refusal",), lambda rules: rules.refusal != "lost"),
    (("choices[].delta.function_call",), lambda rules: rules.legacy_call == "read"),
    (("choices[].delta.reasoning_opaque",), lambda rules: "opaque" in rules.extras),
    (
        ("choices[].delta.annotations", "choices[].delta.citations", "citations", "search_results"),
        lambda rules: "citations" in rules.extras,
    ),
    (("usage",), lambda rules: rules.usage != "none"),
    (("choices[].usage", "x_groq.usage"), lambda rules: rules.usage in ("last", "max")),
    (("error",), lambda rules: rules.error_key != "ignored"),
    (("choices[].error", "x_groq.error", "base_resp"), lambda rules: rules.error_key == "shown"),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    if path.startswith("choices[].delta."):
        name = path.removeprefix("choices[].delta.").partition("[")[0].partition(".")[0]
        if name in REASONING_FIELDS:
            signature = path.endswith(".signature") and "signature" in rules.extras
            strings = rules.reasoning_types == "string" and name in REASONING_STRINGS
            inside = strings and path != f"choices[].delta.{name}"
            return signature or (name in rules.reasoning_fields and not inside)
    return False
