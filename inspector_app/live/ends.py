"""How a transfer ended, from what the layers below raised: a word of the recording format, and why in words."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator

import httpcore
import httpx

NO_HANDSHAKE = "the server did not answer the TLS handshake"
"""How the detail of an end begins where a connection was taken and TLS never came about."""

RESET = "the connection was reset"

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
    (r"Server disconnected without sending a response\.", "the server closed the connection without an answer"),
    (r"illegal chunk header: bytearray\(b(.*)\)", r"\1 stands where the size of a chunk should"),
    (r"illegal status line: bytearray\(b(.*)\)", r"\1 stands where the status line should: this is no HTTP/1"),
)
"""What the protocol layer says -> what is said here."""

HEAD_LIMIT = httpcore.AsyncHTTP11Connection.MAX_INCOMPLETE_EVENT_SIZE
"""Bytes that the head of an answer may have."""
_TOO_LONG = "Receive buffer too long"


def end_of(error: BaseException, *, connected: bool, idle_s: float, headed: bool = False) -> tuple[str, str]:
    """(how, detail) of a transfer that `error` ended. `connected`: the request was on its way; `headed`: the head of
    its answer had come.
    """
    causes = list(_causes(error))
    if _first(causes, httpcore.ConnectTimeout) is not None and _first(causes, ssl.SSLWantReadError) is not None:
        return "timeout", f"{NO_HANDSHAKE} within {idle_s:g} s"
    if (tls := _first(causes, ssl.SSLError)) is not None and not connected:
        reason = getattr(tls, "verify_message", "") or getattr(tls, "reason", "") or str(tls)
        return "tls_error", f"the certificate or the TLS of the server is not accepted: {reason}"
    match error:
        case httpcore.ConnectTimeout():
            return "connect_error", "the server did not take the connection in time"
        case httpcore.ProxyError():
            return "connect_error", f"the proxy refused: {error}"
        case httpcore.ReadTimeout() | httpcore.WriteTimeout() | httpcore.PoolTimeout():
            return "timeout", f"no byte came for {idle_s:g} s"
        case httpcore.RemoteProtocolError() if "StreamReset" in str(error) or "ConnectionTerminated" in str(error):
            return "reset", f"HTTP/2: {error}"
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


def is_head_too_long(error: BaseException) -> bool:
    """Whether an exchange ended since the head of its answer had no end."""
    return isinstance(error, httpcore.RemoteProtocolError) and str(error) == _TOO_LONG


def _in_words(said: str, headed: bool) -> str:
    if said == _TOO_LONG:
        what = "the line before a chunk is" if headed else "the response's headers are"
        return f"{what} longer than {HEAD_LIMIT >> 10} kB"
    for pattern, words in _SAID:
        if found := re.fullmatch(pattern, said, re.DOTALL):
            return found.expand(words)
    return said


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
