"""Gemini generateContent, as SSE or as a JSON array (dialects.md section 11).

There is no part index: parts of one kind continue each other as text runs do, so text and thoughts carry no key. A
call comes whole in one part and is opened and ended in its event, or in pieces (`willContinue`, `partialArgs`) under
one key until an empty `functionCall` ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from inspector_app.core.admit import Places
from inspector_app.core.errors import error_delta, is_filled
from inspector_app.core.parts import NOT_CLOSED
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects import _whole
from inspector_app.dialects._gemini_parts import BLOCKED, decode_content, listed, response_of
from inspector_app.dialects._gemini_rules import RULES

__all__ = ["RULES"]

NAME = "gemini"
TITLE = "Gemini generateContent"
whole = _whole.gemini
PLACES = Places(choices="/candidates")
META = {"id": ("responseId",), "model": ("modelVersion",), "created": ("createTime",)}
FAULTS = {NOT_CLOSED: "gemini-partial-args-unterminated"}
"""The rules for faults of blocks."""

ENDS_WITHOUT_FINISH = frozenset({BLOCKED})
"""Ends after which no finish reason is due."""

_FILTERED = (
    *("safety", "recitation", "language", "blocklist", "prohibited_content", "spii", "model_armor"),
    *("image_safety", "image_prohibited_content", "image_recitation"),
)
FINISH = {
    "stop": "stop",
    "max_tokens": "length",
    "other": "error",
    "malformed_function_call": "error",
    "unexpected_tool_call": "error",
    "too_many_tool_calls": "error",
    "image_other": "error",
    "no_image": "error",
} | dict.fromkeys(_FILTERED, "content_filter")
"""Finish reasons (section 20)."""

NUMBERS = ("FINISH_REASON_UNSPECIFIED", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER")
"""Finish reasons as numbers of the protocol; from here on AI Studio and Vertex count differently."""

_USAGE = {
    "input": "promptTokenCount",
    "output": "candidatesTokenCount",
    "reasoning": "thoughtsTokenCount",
    "cache_read": "cachedContentTokenCount",
    "cache_write": "",
    "total": "totalTokenCount",
}
COUNTED_APART = ("thoughtsTokenCount", "toolUsePromptTokenCount")
"""Counts that are part of the total, but neither of input nor of output."""

_ROOT_KNOWN = frozenset(
    {"candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId", "createTime", "error", "response"}
    | {"traceId", "modelStatus"}
)
_CANDIDATE_KNOWN = frozenset(
    {"index", "content", "finishReason", "finishMessage", "safetyRatings", "citationMetadata", "groundingMetadata"}
    | {"urlContextMetadata", "avgLogprobs", "logprobsResult", "tokenCount", "groundingAttributions"}
)


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect (section 3)."""
    if type(payload) is not dict:
        return 0
    if type(payload.get("candidates")) is list or type(payload.get("usageMetadata")) is dict:
        return 2
    if type(payload.get("promptFeedback")) is dict or ("modelVersion" in payload and "responseId" in payload):
        return 2
    response = payload.get("response")
    return 1 if type(response) is dict and type(response.get("candidates")) is list else 0


def provider(payload: dict[str, Any]) -> str | None:
    """The sender that the payload's extras betray, or None."""
    usage = payload.get("usageMetadata")
    return "vertex" if "createTime" in payload or (type(usage) is dict and "trafficType" in usage) else None


def keys(payload: dict[str, Any]) -> Iterator[str]:
    """Every key of the root and of the candidates, for rules that ask whether a key is there at all."""
    yield from payload
    inner, base = response_of(payload)
    if base:
        yield from inner
    for candidate in listed(inner.get("candidates")):
        if type(candidate) is dict:
            yield from candidate


def answer_id(payload: Any) -> str | None:
    """The id of the answer that a chunk belongs to."""
    found = response_of(payload)[0].get("responseId") if type(payload) is dict else None
    return found if isinstance(found, str) else None


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one chunk. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    inner, base = response_of(payload)
    out: list[Delta] = []
    found = inner.get("candidates")
    if type(found) is list:
        for at, candidate in enumerate(found):
            if type(candidate) is dict:
                _candidate(out, candidate, f"{base}/candidates/{at}")
            elif candidate is not None:
                out.append(Delta("unknown", 0, f"{base}/candidates/{at}", candidate))
    elif is_filled(found):
        out.append(Delta("unknown", 0, base + "/candidates", found))
    _root(out, inner, base)
    for one, place in ((payload, ""), (inner, base))[: 2 if base else 1]:
        for key, value in one.items():
            if is_filled(value) and (key not in _ROOT_KNOWN or (key == "response" and place == base)):
                out.append(Delta("unknown", 0, f"{place}/{escape(key)}", value))
    return out


def _root(out: list[Delta], inner: dict[str, Any], base: str) -> None:
    feedback = inner.get("promptFeedback")
    if is_filled(feedback):
        out.append(Delta("filter", 0, base + "/promptFeedback", feedback, {"scope": "prompt"}))
        if type(feedback) is dict and is_filled(feedback.get("blockReason")):
            out.append(Delta("stream.end", 0, base + "/promptFeedback/blockReason", BLOCKED))
    raw = inner.get("usageMetadata")
    if type(raw) is dict and raw:
        value = {key: raw.get(name) for key, name in _USAGE.items()}
        counts = {key: count if type(count) is int else None for key, count in value.items()}
        out.append(Delta("usage", 0, base + "/usageMetadata", counts, {"where": "root", "raw": raw}))
    elif is_filled(raw):
        out.append(Delta("unknown", 0, base + "/usageMetadata", raw))
    if is_filled(inner.get("error")):
        out.append(error_delta(inner["error"], base + "/error", "event", 0, inner))


def _candidate(out: list[Delta], candidate: dict[str, Any], base: str) -> None:
    index = candidate.get("index")
    choice = index if type(index) is int else 0
    content = candidate.get("content")
    if type(content) is dict:
        decode_content(out, content, choice, base + "/content")
    elif is_filled(content):
        out.append(Delta("unknown", choice, base + "/content", content))
    if is_filled(candidate.get("logprobsResult")):
        out.append(Delta("logprobs", choice, base + "/logprobsResult", candidate["logprobsResult"]))
    if is_filled(candidate.get("safetyRatings")):
        out.append(Delta("filter", choice, base + "/safetyRatings", candidate["safetyRatings"], _COMPLETION))
    _citations(out, candidate, choice, base)
    facts = [key for key in ("avgLogprobs", "tokenCount") if is_filled(candidate.get(key))]
    out += [Delta("stream.meta", choice, f"{base}/{key}", candidate[key]) for key in facts]
    for key, value in candidate.items():
        if key not in _CANDIDATE_KNOWN and is_filled(value):
            out.append(Delta("unknown", choice, f"{base}/{escape(key)}", value))
    _finish(out, candidate, choice, base)


_COMPLETION = {"scope": "completion"}


def _finish(out: list[Delta], candidate: dict[str, Any], choice: int, base: str) -> None:
    wire = candidate.get("finishReason")
    reason = wire
    if type(wire) is int:
        reason = NUMBERS[wire] if 0 <= wire < len(NUMBERS) else str(wire)
    if isinstance(reason, str) and reason and reason != NUMBERS[0]:
        message = candidate.get("finishMessage")
        extra: dict[str, Any] = {"reason": FINISH.get(reason.lower())}
        extra["native"] = ({"finishMessage": message} if message else {}) | ({"number": wire} if wire != reason else {})
        if extra["reason"] == "stop":
            extra["with_calls"] = "tool_calls"
        out.append(Delta("finish", choice, base + "/finishReason", reason, extra))
    elif is_filled(wire) and reason != NUMBERS[0]:
        out.append(Delta("unknown", choice, base + "/finishReason", wire))


_SOURCES = (
    ("citationMetadata", ("citations", "citationSources")),
    ("groundingMetadata", ("groundingChunks", "groundingSupports")),
    ("urlContextMetadata", ("urlMetadata",)),
)
"""Objects of a candidate that hold lists of citations."""


def _citations(out: list[Delta], candidate: dict[str, Any], choice: int, base: str) -> None:
    for key, lists in _SOURCES:
        holder = candidate.get(key)
        if type(holder) is not dict:
            if is_filled(holder):
                out.append(Delta("unknown", choice, f"{base}/{key}", holder))
            continue
        for name, value in holder.items():
            place = f"{base}/{key}/{escape(name)}"
            if name in lists and type(value) is list:
                out += [Delta("citation", choice, f"{place}/{at}", item) for at, item in enumerate(value)]
            elif is_filled(value):
                out.append(Delta("stream.meta", choice, place, value))
    for at, item in enumerate(listed(candidate.get("groundingAttributions"))):
        out.append(Delta("citation", choice, f"{base}/groundingAttributions/{at}", item))


_READ_BY_SOME: tuple[tuple[tuple[str, ...], Callable[[ReadingRules], bool]], ...] = (
    (("candidates[].content.parts[].thoughtSignature",), lambda rules: "signature" in rules.extras),
    (tuple(f"candidates[].{key}" for key, _ in _SOURCES), lambda rules: "citations" in rules.extras),
    (("candidates[].content", "candidates[].finishReason", "candidates[].index"), lambda rules: True),
    (("candidates[].finishMessage", "modelVersion", "responseId", "createTime"), lambda rules: True),
    (("usageMetadata",), lambda rules: rules.usage != "none"),
    (("error",), lambda rules: rules.error_key != "ignored"),
)
"""Fields by ledger path, and which readers take something from them or from what is under them."""


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    path = path.removeprefix("response.")
    for places, test in _READ_BY_SOME:
        if any(path == place or path.startswith((place + ".", place + "[")) for place in places):
            return test(rules)
    return False
