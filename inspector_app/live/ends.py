"""How a transfer ended, from what the layers below raised: a word of the recording format, and why in words."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator, Sequence

import httpcore
import httpx

from inspector_app.core.text import clip, visible
from inspector_app.core.transfer import (
    BAD_HEAD,
    HANDSHAKE_CUT,
    HEAD_CUT,
    NO_HANDSHAKE,
    NO_HTTP,
    NO_TLS,
    NOT_SET_UP,
    SENT_TLS,
    TOO_LONG,
    UNTRUSTED,
)
from inspector_app.live.body import from_head
from inspector_app.live.http_words import BROKEN, in_words
from inspector_app.live.request import without
from inspector_app.live.sockets import IN_HANDSHAKE
from inspector_app.live.wire import HANDSHAKE_S, CaptureRefused

RESET = "the connection was reset"
UNANSWERED = "the server closed the connection without an answer"

_NO_SERVER = {
    ConnectionRefusedError: "nothing listens there",
    ConnectionResetError: "the connection was reset at once",
    TimeoutError: "no answer to the attempt to connect",
}

_SAID = (
    (r"peer closed connection .*\(incomplete chunked read\)", "the connection ended before the last chunk"),
    (
        r"peer closed connection .*\(received (\d+) bytes, expected (\d+)\)",
        r"the connection ended after \1 of \2 bytes",
    ),
    (r"Server disconnected without sending a response\.", UNANSWERED),
)
"""What the protocol layer says of an end -> what is said here."""
_TLS_RECORDS = (b"\x15\x03", b"\x16\x03")
"""How a record of TLS begins: an alert, a handshake."""
SHOWN = 60
"""Characters of what a server sent that are shown."""

_PLAIN = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL", "PACKET_LENGTH_TOO_LONG")
"""What OpenSSL calls bytes that are no TLS."""
_HTTP2_ERRORS = dict(
    enumerate(
        (
            *("no error", "protocol error", "internal error", "flow control error", "settings timeout"),
            *("stream closed", "frame size error", "refused stream", "cancel", "compression error", "connect error"),
            *("enhance your calm", "inadequate security", "HTTP/1.1 required"),
        )
    )
)
"""RFC 9113, section 7."""

HEAD_LIMIT = httpcore.AsyncHTTP11Connection.MAX_INCOMPLETE_EVENT_SIZE
"""Bytes that the head of an answer may have."""
_TOO_LONG = "Receive buffer too long"


def end_of(error: BaseException, *, connected: bool, idle_s: float, headed: bool = False) -> tuple[str, str]:
    """(how, detail) of a transfer that `error` ended. `connected`: the request was on its way; `headed`: the head of
    its answer had come.
    """
    causes = list(_causes(error))
    late = _first(causes, httpcore.ConnectTimeout)
    if late is not None and (str(late) == IN_HANDSHAKE or _first(causes, ssl.SSLWantReadError) is not None):
        return "timeout", f"{NO_HANDSHAKE} within {min(idle_s, HANDSHAKE_S):g} s"
    if (tls := _first(causes, ssl.SSLError)) is not None and not connected:
        return "tls_error", _tls(tls)
    match error:
        case CaptureRefused():
            return "connect_error", f"{NOT_SET_UP}: {error}"
        case httpcore.ReadTimeout() | httpcore.WriteTimeout() if not connected:
            return "timeout", f"the proxy did not answer within {idle_s:g} s"
        case httpcore.ConnectTimeout():
            return "connect_error", "the server did not take the connection in time"
        case httpcore.ProxyError():
            return "connect_error", f"the proxy refused: {error}"
        case httpcore.ReadTimeout() | httpcore.WriteTimeout() | httpcore.PoolTimeout():
            return "timeout", f"no byte came for {idle_s:g} s"
        case httpcore.RemoteProtocolError() if "StreamReset" in str(error) or "ConnectionTerminated" in str(error):
            return "reset", _http2(str(error))
        case httpcore.RemoteProtocolError() | httpcore.LocalProtocolError():
            return "truncated", _in_words(str(error), headed)
        case httpcore.ReadError() | httpcore.WriteError() if connected:
            return "reset", RESET
        case httpx.TooManyRedirects():
            return "http_error", "it redirects without end"
        case httpx.UnsupportedProtocol() | httpcore.UnsupportedProtocol() | httpx.InvalidURL():
            return "connect_error", f"the address cannot be used: {error}"
    if _first(causes, socket.gaierror) is not None:
        return "connect_error", "there is no server of that name"
    for kind, words in _NO_SERVER.items():
        if _first(causes, kind) is not None:
            return "connect_error", words
    return "connect_error", str(error) or type(error).__name__


def _tls(error: BaseException) -> str:
    if said := getattr(error, "verify_message", ""):
        return f"{UNTRUSTED}: {said.rstrip('.')}"
    if isinstance(error, ssl.SSLWantReadError | ssl.SSLEOFError):
        return HANDSHAKE_CUT
    reason = getattr(error, "reason", "") or str(error)
    if reason in _PLAIN:
        return NO_TLS
    return f"no TLS came about with the server: {reason.replace('_', ' ').lower()}"


def _http2(said: str) -> str:
    found = re.search(r"error_code:(?:\w+\.)?(\d+)", said)
    code = int(found[1]) if found else -1
    name = f" with error {code}" + (f", {_HTTP2_ERRORS[code]}" if code in _HTTP2_ERRORS else "") if found else ""
    return f"the server {'reset the stream' if 'StreamReset' in said else 'ended the connection'}{name} (HTTP/2)"


def is_head_too_long(error: BaseException) -> bool:
    """Whether an exchange ended since the head of its answer had no end."""
    return isinstance(error, httpcore.RemoteProtocolError) and str(error) == _TOO_LONG


def _in_words(said: str, headed: bool) -> str:
    if said == _TOO_LONG:
        return f"{TOO_LONG[headed]} {HEAD_LIMIT >> 10} kB"
    for pattern, words in _SAID:
        if found := re.fullmatch(pattern, said, re.DOTALL):
            return found.expand(words)
    return in_words(said, "answer", _quoted)


def instead_of_head(wire: bytes, detail: str, secrets: Sequence[str]) -> str:
    """What came where an answer should have begun, in words, with the first of the server's own; `detail` says how it
    ended, and stays where nothing came.
    """
    interim, wire = wire, from_head(wire)
    if not wire:
        status = interim[9:12].decode("latin-1")
        return f"{detail}; only HTTP {status} came before, which announces an answer" if interim else detail
    if wire.startswith(_TLS_RECORDS):
        return SENT_TLS
    if not wire.startswith(b"HTTP/1.") and not b"HTTP/1.".startswith(wire):
        return f"{NO_HTTP}: {_quoted(wire, secrets)}"
    if not re.search(rb"\n\r?\n", wire):
        return f"{HEAD_CUT}, behind {_quoted(wire, secrets)}" + (f": {detail}" if detail.startswith("no byte") else "")
    return BAD_HEAD if detail == BROKEN else f"{BAD_HEAD}: {detail}"


def _quoted(data: bytes, secrets: Sequence[str] = ()) -> str:
    """The first line of what a server sent, in quotation marks."""
    line = data.split(b"\n", 1)[0].rstrip(b"\r").decode("utf-8", "replace")
    return f'"{visible(clip(without(line, secrets), SHOWN))}"'


def _first(causes: list[BaseException], kind: type[BaseException]) -> BaseException | None:
    return next((cause for cause in causes if isinstance(cause, kind)), None)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        one = waiting.pop(0)
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += [one.__cause__, one.__context__]
        if isinstance(one, BaseExceptionGroup):
            waiting += one.exceptions
