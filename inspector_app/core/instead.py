"""What came where a stream was asked for and is none: the kind of a body, and the server's own words in it."""

from __future__ import annotations

import json
import re
from typing import Any

from inspector_app.core.binary import binary_kind
from inspector_app.core.errors import body_error, error_delta
from inspector_app.core.flags import COMMENT_ONLY, DANGLING, NO_DATA, UNDISPATCHED
from inspector_app.core.reading import Reading
from inspector_app.core.sniff import Sniffer
from inspector_app.core.text import clip
from inspector_app.core.types import Http

ENOUGH = 1 << 16
"""Bytes of a body that are looked at."""
LONGEST = 300
"""Characters of the server's own words that are shown."""

_TITLE = re.compile(rb"<title[^>]*>([^<]*)", re.IGNORECASE)
_TAGS = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]*(?:>|\Z)", re.DOTALL | re.IGNORECASE)

_NAMES = {"html": "an HTML page", "json": "an error in one JSON document", "text": "plain text"}
"""What came instead of a stream, where it speaks for itself."""
_LINES_OF_JSON = ("ndjson", "jsonl", "stream+json")
"""Parts of a media type under which one JSON document is a stream of one line."""


def instead_of_stream(reading: Reading) -> str:
    """What the body of a success is where it is no stream; empty where it is one, or where none was asked for."""
    exchange = reading.exchange
    assert exchange.http is not None
    body = (exchange.request or {}).get("body")
    if (isinstance(body, dict) and body.get("stream") is False) or binary_kind(exchange.body) is not None:
        return ""
    sent_as = (exchange.http.header("content-type") or "").lower()
    one_line = reading.framing == "json" and any(part in sent_as for part in _LINES_OF_JSON)
    foreign = reading.framing == "text" and reading.dialect_module is None
    lone_error = reading.framing == "json-array" and len(reading.events) == 1 and body_error(reading.payload(0))
    whole = (reading.framing == "json" and not one_line) or reading.framing == "html" or foreign or lone_error
    if not whole and (broke_off_at_once(reading) or not all(bits & UNDISPATCHED for bits in reading.events.flags)):
        return ""
    return kind_of(exchange.http, exchange.body.slice(0, ENOUGH))


def broke_off_at_once(reading: Reading) -> bool:
    """Whether an event stream came to its end inside its first event: some of its data is there, and no blank line."""
    flags = reading.events.flags
    begun = bool(len(flags)) and flags[-1] & DANGLING and not flags[-1] & (COMMENT_ONLY | NO_DATA)
    return reading.framing == "sse" and bool(begun) and all(bits & UNDISPATCHED for bits in flags)


def kind_of(http: Http, body: bytes) -> str:
    """What a body is that is no stream, in words, with the first of its own."""
    if not body:
        return "an empty body"
    sniffer = Sniffer()
    found = sniffer.feed(body) or sniffer.close()
    if found in _NAMES and b"\0" not in body and (message := message_in(body)):
        return f"{_NAMES[found]}: {message}"
    if isinstance(json_in(body), dict | list):
        return "one whole JSON document: the server streams nothing, or was not asked to in its own way"
    names = {"html": "an HTML page", "sse": "an event stream without data", "ndjson": "lines of JSON", "json": "JSON"}
    return f"{names.get(found, 'something else')} ({content_type(http)})"


def message_in(body: bytes) -> str:
    """The server's own words in an error body, one line; empty when there are none."""
    value = json_in(body)
    if value is not None:
        found = body_error(value)
        if found is None:
            detail = value.get("detail") if isinstance(value, dict) else None
            return _line(detail if isinstance(detail, str) else json.dumps(detail)) if detail else ""
        message = error_delta(found[0], found[1], "body").value["message"]
        return _line(message if isinstance(message, str) else json.dumps(found[0]))
    if title := _TITLE.search(body):
        return _line(title[1].decode("utf-8", "replace"))
    return _line(_TAGS.sub(" ", body[:ENOUGH].decode("utf-8", "replace"))) if body[:5].strip()[:1] != b"{" else ""


def json_in(data: bytes) -> Any:
    """The JSON value that the bytes are, None where they are none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def content_type(http: Http) -> str:
    """The Content-Type of an answer, or that it has none."""
    return clip(http.header("content-type") or "no content type", 80)


def _line(text: str) -> str:
    return clip(" ".join(text.split()), LONGEST)
