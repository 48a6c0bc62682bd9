"""Answers that are no stream, or not all of one, and what has to be said of each: one row a fault."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass

from tests.live.server import (
    ANSWER,
    CHUNKED,
    CUT,
    ERROR,
    EVENTS,
    GATE,
    HTML,
    LAST,
    RESET,
    Step,
    chunk,
    chunked,
    event,
    head,
    length,
)
from tests.live.streams import CANARY

JSON = "application/json"
PAGE = b"<!DOCTYPE html>\n<html><head><title>Sign in to Example</title></head><body>Your session ended.</body></html>"
WHOLE = json.dumps(
    {
        "id": "c1",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"content": "Tea"}, "finish_reason": "stop"}],
    }
).encode()
ECHO = json.dumps({"error": {"message": f"Incorrect API key provided: {CANARY}"}}).encode()
OVERLOADED = b'data: {"error":{"message":"Overloaded, try later","type":"overloaded","code":"529"}}\n\n'
PACKED = gzip.compress(ANSWER, mtime=0)
LONG = "x" * (300 << 10)


@dataclass(frozen=True)
class Fault:
    """How a request is answered, and what `record` and `check` make of it: status, words or rules, status."""

    steps: tuple[Step, ...]
    recorded: int
    words: str
    rules: tuple[str, ...]
    checked: int = 1
    idle_s: float = 60.0
    without: tuple[str, ...] = ()
    """Rules that would say something wrong of it."""


FAULTS: dict[str, Fault] = {
    "closed-at-once": Fault((), 2, "broke off: the server closed the connection without an answer", ("end-no-answer",)),
    "reset-at-once": Fault((RESET,), 2, "reset by the other side: the connection was reset", ("end-no-answer",)),
    "no-head": Fault((GATE,), 2, "silent too long: no byte came for 0.2 s", ("end-no-answer",), idle_s=0.2),
    "head-then-silence": Fault(
        (head("200 OK", CHUNKED), GATE),
        2,
        "silent too long: no byte came for 0.2 s; no byte of a stream came",
        ("end-silence",),
        idle_s=0.2,
    ),
    "head-then-close": Fault(
        (head("200 OK", CHUNKED),),
        2,
        "broke off: the connection ended before the last chunk; no byte of a stream came",
        ("frame-cut",),
    ),
    "stall": Fault(
        (head("200 OK", CHUNKED), chunk(CUT), GATE),
        0,
        "silent too long: no byte came for 0.2 s",
        ("end-silence", "end-truncated"),
        idle_s=0.2,
    ),
    "first-event-cut": Fault(
        (head("200 OK", CHUNKED), chunk(EVENTS[0][:-40])),
        0,
        "broke off: the connection ended before the last chunk; the stream broke off within its first event",
        ("frame-cut", "sse-unterminated-event"),
        without=("body-no-stream", "body-not-sse"),
    ),
    "first-event-cut-at-the-close": Fault(
        (head(), b": wait\n\n" + EVENTS[0][:-40]),
        0,
        "the stream broke off within its first event",
        ("frame-cut", "sse-unterminated-event"),
        without=("body-no-stream", "body-not-sse"),
    ),
    "first-event-without-its-blank-line": Fault(
        (head(), EVENTS[0][:-1]),
        0,
        "",
        ("sse-unterminated-event",),
        without=("body-no-stream", "frame-cut"),
    ),
    "stall-in-a-line": Fault(
        (head("200 OK", CHUNKED), chunk(CUT + EVENTS[0][:40]), GATE),
        0,
        "silent too long: no byte came for 0.2 s",
        ("end-silence", "frame-cut"),
        idle_s=0.2,
    ),
    "bad-chunk": Fault(
        (head("200 OK", CHUNKED), chunk(CUT), b"zz\r\n"),
        0,
        'broke off: the chunked coding of the answer is broken: "zz" stands where the size of a chunk should',
        ("frame-cut",),
    ),
    "left-open": Fault(
        (head("200 OK", CHUNKED), chunk(ANSWER), GATE),
        0,
        "complete, but the connection stayed open: no byte came for 0.2 s",
        ("end-left-open",),
        0,
        idle_s=0.2,
    ),
    "429-empty-object": Fault(
        (length(b"{}", None, "429 Too Many Requests", "Retry-After: 7", kind=JSON),),
        2,
        "HTTP 429: too many requests; it asks to wait 7 s",
        ("http-status",),
    ),
    "503-date": Fault(
        (length(b"", None, "503 Service Unavailable", "Retry-After: Mon, 30 Nov 2026 10:00:00 GMT"),),
        2,
        "HTTP 503: the server takes nothing at the moment; it asks to wait Mon, 30 Nov 2026 10:00:00 GMT",
        ("http-status",),
    ),
    "401": Fault(
        (length(ERROR, None, "401 Unauthorized", kind=JSON),),
        2,
        "HTTP 401: the key was not accepted; it says: Invalid key",
        ("http-status", "body-json-error"),
    ),
    "500-page": Fault(
        (length(HTML, None, "500 Internal Server Error", kind="text/html"),),
        2,
        "HTTP 500: the server failed; it says: 500 Internal Server Error",
        ("http-status", "body-html"),
    ),
    "307": Fault(
        (length(b"", None, "307 Temporary Redirect", "Location: https://llm.example.com/v2"),),
        2,
        "HTTP 307: it redirects to https://llm.example.com/v2, which is not followed; give --redirects to follow it",
        ("http-status",),
    ),
    "304": Fault(
        (head("304 Not Modified"),),
        2,
        "HTTP 304: nothing has changed since it was last asked, so no body comes",
        ("http-status",),
    ),
    "error-under-200": Fault(
        (length(b'{"error":{"message":"no such model"}}', kind=JSON),),
        2,
        "no stream came but an error in one JSON document: no such model",
        ("body-json-error",),
    ),
    "login-page": Fault(
        (length(PAGE, kind="text/html"),),
        2,
        "no stream came but an HTML page: Sign in to Example",
        ("body-html",),
    ),
    "whole-answer": Fault(
        (length(WHOLE, kind=JSON),),
        2,
        "no stream came but one whole JSON document: the server streams nothing, or was not asked to in its own way",
        ("body-nonstream",),
        0,
    ),
    "foreign-json": Fault(
        (length(b'{"ok":true}', kind=JSON),),
        2,
        "no stream came but one whole JSON document: the server streams nothing, or was not asked to in its own way",
        ("body-no-stream",),
    ),
    "plain-text": Fault(
        (length(b"It works!", kind="text/plain"),),
        2,
        "no stream came but plain text: It works!",
        ("body-no-stream",),
    ),
    "204": Fault((head("204 No Content"),), 2, "no stream came but an empty body", ("body-empty",)),
    "empty": Fault((length(b""),), 2, "no stream came but an empty body", ("body-empty",)),
    "only-comments": Fault(
        chunked(b": wait\n\n" * 3),
        2,
        "no stream came but an event stream without data (text/event-stream)",
        ("body-no-stream",),
    ),
    "error-in-the-middle": Fault(
        chunked(*EVENTS[:3], OVERLOADED),
        0,
        "the stream carries an error: Overloaded, try later",
        ("error-in-stream",),
    ),
    "error-then-reset": Fault(
        (head("200 OK", CHUNKED), chunk(EVENTS[0]), chunk(OVERLOADED)),
        0,
        "broke off: the connection ended before the last chunk; the stream carries an error: Overloaded, try later",
        ("error-in-stream", "frame-cut"),
    ),
    "gzip-cut": Fault(
        chunked(PACKED[:-40], fields=("Content-Encoding: gzip",)),
        0,
        "the compressed body broke off: the gzip data stops before its end",
        ("frame-cut", "http-compressed"),
    ),
    "long-head": Fault(
        (head("200 OK", CHUNKED, "X-First: 1", f"X-Long: {LONG}"), chunk(ANSWER), LAST),
        2,
        "broke off: the response's headers are longer than 100 kB; no byte of a stream came",
        ("frame-cut",),
    ),
    "no-http": Fault(
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n",),
        2,
        "broke off: the server sent something that is no HTTP: ",
        ("end-no-answer",),
    ),
    "key-in-the-answer": Fault(
        (length(ECHO, None, "401 Unauthorized", kind=JSON),),
        2,
        "it says: Incorrect API key provided: redacted******************",
        ("http-status", "body-json-error", "file-key-masked"),
    ),
    "key-in-the-stream": Fault(
        chunked(*[bytes([one]) for one in event(f"your key is {CANARY}, I think")], *EVENTS),
        0,
        "the server repeated the key of the request, which is masked in the recording",
        ("file-key-masked",),
        0,
    ),
    "clean-cut": Fault(chunked(*EVENTS[:-2]), 0, "", ("end-truncated",)),
    "whole": Fault(chunked(*EVENTS), 0, "", (), 0),
}
