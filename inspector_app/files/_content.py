"""What the first lines of a body look like, for the formats that are bodies without an envelope."""

from __future__ import annotations

import re
from typing import Any

import orjson

from inspector_app.core.sniff import sniff

BOM = b"\xef\xbb\xbf"
SSE_LINE = re.compile(rb"(?:data|event|id|retry)(?::|\Z)|:")
HTML = re.compile(rb"<(?:!doctype|html)\b", re.IGNORECASE)

NATIVE_KEYS = (("done", "message"), ("done", "response"), ("is_finished", "event_type"), ("jsonrpc",))
"""Keys that only the payloads of dialects have that stream as NDJSON: Ollama, Cohere v1, JSON-RPC over stdio."""

LOGGED_KEYS = frozenset(
    {
        *("object", "choices", "type"),
        *("candidates", "usageMetadata", "promptFeedback", "event_type", "outputs"),
        *("messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "chunk"),
        *("token", "generated_text", "output", "outputText", "generation", "results", "response", "data"),
    }
)
"""Keys of payloads that travel in an envelope (SSE, AWS frames, gRPC): as bare lines they are a log of it."""

STREAM_EVENT = re.compile(r"[._-]")
"""Types of stream events are compound (`message_start`, `text-delta`); those of whole answers and errors are not."""


def text_lines(head: bytes) -> list[bytes]:
    """The first hundred lines without their ends, a byte-order mark left out."""
    return head.removeprefix(BOM).splitlines()[:100]


def first_line(head: bytes) -> bytes:
    """The first line that is not blank."""
    return next((line for line in text_lines(head) if line.strip()), b"")


def object_lines(head: bytes) -> list[dict[str, Any]] | None:
    """The JSON objects among the first lines when the body is one object a line; None when it is something else.

    Pretty-printed JSON is told apart by its second line, which never opens an object. A log whose first line is damaged
    is told apart from text as the framing is.
    """
    lines = [line.strip() for line in text_lines(head) if line.strip()]
    if not lines:
        return None
    if not lines[0].startswith(b"{"):
        if sniff(head) != "ndjson":
            return None
    elif parse_object(lines[0]) is None and (len(lines) < 2 or not lines[1].startswith(b"{")):
        return None
    return [found for line in lines if (found := parse_object(line)) is not None]


def parse_object(line: bytes) -> dict[str, Any] | None:
    """A line that is one JSON object; None for anything else."""
    try:
        value = orjson.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def is_native(payload: dict[str, Any]) -> bool:
    """Whether a payload is one of a dialect that streams as NDJSON."""
    return any(all(key in payload for key in keys) for keys in NATIVE_KEYS)


def is_logged(payload: dict[str, Any]) -> bool:
    """Whether a payload is one that lost its envelope."""
    return not is_native(payload) and not LOGGED_KEYS.isdisjoint(payload)


def is_chunk(payload: dict[str, Any]) -> bool:
    """Whether a payload that stands alone is one of many, and no whole answer or error."""
    if isinstance(kind := payload.get("object"), str):
        return kind.endswith(".chunk")
    if isinstance(kind := payload.get("type"), str):
        return bool(STREAM_EVENT.search(kind))
    return is_logged(payload) and "error" not in payload


def lines_are_a_log(payloads: list[dict[str, Any]]) -> bool:
    """Whether the first line that tells is of a dialect that streams in an envelope."""
    return next((is_logged(payload) for payload in payloads if is_native(payload) or is_logged(payload)), False)


def named_like(name: str, extensions: tuple[str, ...]) -> bool:
    """Whether a file name ends like one of the format, a `.gz` left out."""
    return name.lower().removesuffix(".gz").endswith(extensions)
