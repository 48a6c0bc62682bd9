"""What the tests of the replay server have in common: items of bytes with times, and a client that sees every chunk."""

from __future__ import annotations

import json
import socket
from array import array
from contextlib import closing
from typing import Any, NamedTuple

from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, Http, MemoryBody
from inspector_app.live.serve_item import TRUE, How, Item, item_of
from tests.live.server import ANSWER, EVENTS

KIT = load_kit()
END = {"how": "done", "terminator": True, "closed_by": "server", "trailers": [], "detail": None}
HEAD = (("content-type", "text/event-stream"), ("x-request-id", "r1"))


def exchange(
    pieces: tuple[bytes, ...] = EVENTS,
    *,
    step_ms: int = 0,
    end: dict[str, Any] | None = None,
    headers: tuple[tuple[str, str], ...] = HEAD,
    status: int = 200,
    name: str = "tea.rec.jsonl",
    request: dict[str, Any] | None = None,
) -> Exchange:
    """A recording of pieces, one every so many milliseconds."""
    ends = array("q")
    for piece in pieces:
        ends.append(len(piece) + (ends[-1] if ends else 0))
    times = array("q", [(n + 1) * step_ms * 1_000_000 for n in range(len(pieces))])
    return Exchange(
        name, "recording", MemoryBody(b"".join(pieces)), timing="measured", read_ends=ends, read_times=times,
        http=Http(status, list(headers)), head_time=0, end={**END, **(end or {})}, end_time=times[-1] if times else 0,
        request=request,
    )  # fmt: skip


def item(made: Exchange, how: How = TRUE) -> Item:
    return item_of(made, KIT, how)


class Answer(NamedTuple):
    """What a client got. `chunks` as they were on the wire; `end` is clean, cut or reset."""

    status: int
    headers: dict[str, str]
    chunks: list[bytes]
    end: str

    @property
    def body(self) -> bytes:
        return b"".join(self.chunks)


def ask(port: int, path: str = "/v1/chat/completions", body: Any = None, method: str = "POST", *fields: str) -> Answer:
    """One request over a connection of its own, read to its end however that is."""
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Content-Length: {len(data)}", *fields]
    with closing(socket.create_connection(("127.0.0.1", port), timeout=20)) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + data)
        return read_answer(connection)


def read_answer(connection: socket.socket) -> Answer:
    """The next answer on a connection."""
    received = b""
    end = "cut"
    while True:
        head, found, rest = received.partition(b"\r\n\r\n")
        if found and (whole := _parse(head, rest)) is not None:
            return whole
        try:
            data = connection.recv(1 << 16)
        except ConnectionResetError:
            end = "reset"
            break
        if not data:
            break
        received += data
    head, _, rest = received.partition(b"\r\n\r\n")
    status, headers = _head(head)
    return Answer(status, headers, _chunks(rest)[0] if "transfer-encoding" in headers else [rest], end)


def _head(head: bytes) -> tuple[int, dict[str, str]]:
    lines = head.decode("latin-1").split("\r\n")
    fields = dict(line.split(": ", 1) for line in lines[1:] if line)
    return int(lines[0].split(" ")[1]) if head else 0, {name.lower(): value for name, value in fields.items()}


def _parse(head: bytes, rest: bytes) -> Answer | None:
    status, headers = _head(head)
    if "content-length" in headers:
        size = int(headers["content-length"])
        return Answer(status, headers, [rest], "clean") if len(rest) >= size else None
    if "transfer-encoding" not in headers:
        return Answer(status, headers, [], "clean") if status in (204, 304) else None
    chunks, over = _chunks(rest) if rest.endswith(b"\r\n\r\n") else ([], False)
    return Answer(status, headers, chunks, "clean") if over else None


def _chunks(rest: bytes) -> tuple[list[bytes], bool]:
    """The chunks, the last of which may be cut, and whether the last chunk was there."""
    chunks = []
    at = 0
    while (found := rest.find(b"\r\n", at)) >= 0:
        count = int(rest[at:found], 16)
        if not count:
            return chunks, rest.endswith(b"\r\n\r\n")
        chunks.append(rest[found + 2 : found + 2 + count])
        at = found + count + 4
    return chunks, False


__all__ = ["ANSWER", "EVENTS", "KIT", "Answer", "ask", "exchange", "item", "read_answer"]
