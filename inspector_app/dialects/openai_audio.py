"""OpenAI audio streams: speech in pieces of base64, and transcriptions, also told apart by speaker (section 18).

A piece of a transcription may name the segment it belongs to; the segment then ends with all of its text, its speaker
and its times. The last event has the whole text again, which counts where none came before (R32).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspector_app.core.errors import error_delta, is_filled, type_of
from inspector_app.core.pointer import escape
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Delta
from inspector_app.dialects._usage import normalize_usage

NAME = "openai-audio"
TITLE = "OpenAI speech and transcription"
MARKERS = (b"[DONE]", b'"[DONE]"')
"""Sent after a transcription; the last event of its own says that it is the last."""
NAMED_BY = "type"
PADDING = frozenset({"obfuscation"})

SPEECH, DELTA, SEGMENT = "speech.audio.delta", "transcript.text.delta", "transcript.text.segment"
FINISH = {"speech.audio.done": "stop", "transcript.text.done": "stop"}
"""Nothing gives a reason: the last event is the end of all there is."""

_KNOWN = frozenset(
    {"type", "delta", "text", "audio", "logprobs", "usage", "obfuscation", "segment_id", "id"}
    | {"start", "end", "speaker"}
)
_ABOUT = ("speaker", "start", "end")
"""What a segment says of itself; times are seconds in the recording."""


def evidence(payload: Any, name: str | None) -> int:
    """How strongly one payload speaks for this dialect."""
    return 2 if type(payload) is dict and type_of(payload, name) in (SPEECH, DELTA, SEGMENT, *FINISH) else 0


def provider(payload: dict[str, Any]) -> str | None:
    """Compatible servers send the same, and nothing in it tells them apart."""
    return None


def unheeded(payload: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Values that decode to the same statement whatever they hold."""
    if payload.get("logprobs"):
        yield (), "logprobs"


def decode(payload: Any, name: str | None = None) -> list[Delta]:
    """The statements of one event. Pure: equal payloads give equal deltas, and none raises."""
    if type(payload) is not dict:
        return [Delta("unknown", 0, "", payload)]
    kind = type_of(payload, name)
    if kind not in (SPEECH, DELTA, SEGMENT, *FINISH):
        if is_filled(payload.get("error")):
            return [error_delta(payload["error"], "/error", "event", 0, payload)]
        return [error_delta(payload, "", "event") if kind == "error" else Delta("unknown", 0, "", payload)]
    out: list[Delta] = []
    if isinstance(payload.get("audio"), str) and payload["audio"]:
        out.append(Delta("media.delta", 0, "/audio", payload["audio"], {"media": "audio"}))
    elif is_filled(payload.get("audio")):
        out.append(Delta("unknown", 0, "/audio", payload["audio"]))
    _text(out, payload, kind)
    if payload.get("logprobs"):
        out.append(Delta("logprobs", 0, "/logprobs", payload["logprobs"]))
    if payload.get("obfuscation"):
        out.append(Delta("padding", 0, "/obfuscation", payload["obfuscation"]))
    out += [Delta("stream.meta", 0, "/" + key, payload[key]) for key in _ABOUT if is_filled(payload.get(key))]
    for key, value in payload.items():
        if key not in _KNOWN and is_filled(value):
            out.append(Delta("unknown", 0, "/" + escape(key), value))
    if kind in FINISH:
        out.append(Delta("finish", 0, "/type" if "type" in payload else "", kind, {"reason": "stop", "native": {}}))
    _usage(out, payload.get("usage"))
    return out or [Delta("noop", 0, "", payload)]


def _text(out: list[Delta], payload: dict[str, Any], kind: str) -> None:
    """Pieces go to their segment, which its own event ends; those of none are one text."""
    for field in ("delta", "text"):
        value = payload.get(field)
        if not isinstance(value, str) or not value:
            if is_filled(value):
                out.append(Delta("unknown", 0, "/" + field, value))
            continue
        extra: dict[str, Any] = {"field": field}
        name = payload.get("id" if kind == SEGMENT else "segment_id")
        if kind == SEGMENT:
            key = ("segment", name) if isinstance(name, str) else None
            out.append(Delta("text.end", 0, "/text", value, extra | {"key": key, "alone": True, "opens": True}))
        elif kind in FINISH:
            out.append(Delta("text.delta", 0, "/" + field, value, extra | {"whole": True}))
        else:
            own = {"key": ("segment", name)} if isinstance(name, str) and name else {}
            out.append(Delta("text.delta", 0, "/" + field, value, extra | own))


def _usage(out: list[Delta], usage: Any) -> None:
    """Counts of tokens; a recording that is billed by its length has none."""
    if type(usage) is dict and usage:
        value = normalize_usage(usage)
        counted = any(count is not None for count in value.values())
        kind = "usage" if counted else "stream.meta"
        extra = {"where": "root", "raw": usage} if counted else None
        out.append(Delta(kind, 0, "/usage", value if counted else usage, extra))
    elif is_filled(usage):
        out.append(Delta("unknown", 0, "/usage", usage))


_READ = frozenset({"type", "delta", "text", "audio", "segment_id", "id"})


def reads(path: str, rules: ReadingRules) -> bool:
    """True when a reader with these rules takes something from this field (ledger path, arrays as [])."""
    first = path.partition(".")[0].removesuffix("[]")
    if first == "usage":
        return rules.usage != "none"
    return first in _READ or (first == "error" and rules.error_key != "ignored")
