"""How a transfer ended, and what a status means: words for findings, the command line and the window alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from inspector_app.core.text import clip, visible
from inspector_app.core.types import Http

ENDS = {
    "done": "complete",
    "eof": "ended without an end marker",
    "truncated": "broke off",
    "reset": "reset by the other side",
    "timeout": "silent too long",
    "cancelled": "cancelled",
    "http_error": "answered with an error",
    "tls_error": "no trusted connection",
    "connect_error": "no connection",
}
"""`how` of an end record (contract.md section 4) -> what it means."""

ANSWERS = {
    101: "it goes over to another protocol",
    304: "nothing has changed since it was last asked, so no body comes",
    400: "the request was not accepted",
    401: "the key was not accepted",
    402: "the account has no credit",
    403: "this key may not do that",
    404: "no such path or model there",
    405: "that path takes no such request",
    407: "the proxy wants a name and a password",
    413: "the request is too large",
    422: "the request was not accepted",
    429: "too many requests",
    500: "the server failed",
    502: "a server behind it failed",
    503: "the server takes nothing at the moment",
    504: "a server behind it did not answer in time",
    529: "the server is overloaded",
}
"""Status -> what it means for whoever asked."""
_KINDS = {1: "that only announces an answer", 3: "it redirects, and does not say where"}
"""The first digit of a status -> the same where nothing closer is known."""

LONGEST_ADDRESS = 160
LONGEST_WHY = 60

NO_TLS = "what listens there speaks no TLS"
NO_HANDSHAKE = "the server did not answer the TLS handshake"
HANDSHAKE_CUT = "the server hung up in the TLS handshake"
UNTRUSTED = "the certificate of the server is not trusted"
SENT_TLS = "the server speaks TLS there, and was asked without"
NO_HTTP = "the server sent something that is no HTTP"
BAD_HEAD = "the head of the answer breaks the rules of HTTP"
HEAD_CUT = "the answer ended within its head"
TOO_LONG = ("the response's headers are longer than", "the line before a chunk is longer than")
NO_CHUNK = "the chunked coding of the answer is broken"
NOT_SET_UP = "the connection is not set up right"
"""How the details of ends begin that need other advice than the rest."""


def stopped_words(end: Mapping[str, Any] | None) -> str:
    """Who stopped an answer that was cancelled, in words: its user, or whom it was passed on to."""
    return visible(clip(str((end or {}).get("detail") or ""), LONGEST_WHY)) or "stopped by the user"


def peer(request: dict[str, Any] | None) -> str:
    """Host and port that a request went to, "" where it is not known."""
    try:
        parts = urlsplit(str((request or {}).get("url") or ""))
        return f"{parts.hostname}{f':{parts.port}' if parts.port else ''}" if parts.hostname else ""
    except ValueError:
        return ""


def answer_words(http: Http) -> str:
    """What the head of an answer that is no success says: the status, how long to wait, where to go; in one line."""
    words = ANSWERS.get(http.status) or _KINDS.get(http.status // 100, "the server answered with an error")
    if retry := http.header("retry-after"):
        words += f"; it asks to wait {visible(clip(retry, 40))}{' s' if retry.isdigit() else ''}"
    location = http.header("location")
    if 300 <= http.status < 400 and http.status != 304 and location:
        words = f"it redirects to {visible(clip(location, LONGEST_ADDRESS))}, which is not followed"
    return words


def is_success(http: Http) -> bool:
    """Whether the status says that an answer follows."""
    return 200 <= http.status < 300
