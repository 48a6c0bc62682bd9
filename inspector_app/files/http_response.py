"""A raw HTTP response: what a socket received, or what `curl -i` printed (chunk framing removed, head kept).

Several heads may stand before the answer (100 Continue, a proxy's answer to CONNECT, redirects), and several
answers one after the other. When the bytes arrived is unknown, so chunk ends are no reads.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from inspector_app.core.types import Coded, Exchange, Fault, Http
from inspector_app.files._coding import undo_coding
from inspector_app.files._content import BOM, SSE_LINE, named_like
from inspector_app.files._source import Buffer, BufferBody, Source

NAME = "http-response"
TITLE = "Raw HTTP response, or the output of curl -i"
EXTENSIONS = (".http",)

STATUS = re.compile(rb"HTTP/(\d(?:\.\d)?)[ \t]+(\d{3})(?:[ \t][^\r\n]*)?\r?(?:\n|\Z)")
CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?(\r?\n)")
CUT_CHUNK_SIZE = re.compile(rb"[0-9A-Fa-f]{0,16}[ \t]*(?:;[^\r\n]*)?\r?\Z")
NEXT_HEAD = re.compile(rb"HTTP/\d(?:\.\d)? \d{3}[^\n]*\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:")
LEADING = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*")

HEAD_LIMIT = 1 << 20
"""Bytes of one response head; what lies beyond is read as body."""

BODYLESS = (204, 304)

LAST_CHUNK_MISSING = "the response ends before its last chunk"


class Head(NamedTuple):
    http: Http
    end: int
    whole: bool
    """False when the data or HEAD_LIMIT ended it before its blank line."""


class Transfer(NamedTuple):
    """A body with its transfer coding undone. `end` is where it stops in the file, `cut` why it is not whole."""

    body: memoryview
    end: int
    terminator: bool | None
    cut: str | None = None
    trailers: tuple[tuple[str, str], ...] = ()
    detail: str | None = None


def sniff(head: bytes, name: str) -> int:
    if STATUS.match(head, _leading(head, 0)):
        return 100
    return 3 if not head and named_like(name, EXTENSIONS) else 0


def read(source: Source) -> list[Exchange]:
    data, at = source.data, 0
    found: list[Exchange] = []
    while head := _read_head(data, _leading(data, at)):
        at = head.end
        if STATUS.match(data, _leading(data, at)) and (head.http.status < 400 or head.http.status == 407):
            # An interim answer, a redirect or a proxy's own: the answer is the one that follows.
            continue
        transfer = _transfer(data, head)
        at = transfer.end
        if not (300 <= head.http.status < 400 and STATUS.match(data, _leading(data, at))):
            found.append(_exchange(source, head, transfer))
    for number, exchange in enumerate(found):
        exchange.number, exchange.count = number, len(found)
    return found or [source.exchange(NAME)]


def _exchange(source: Source, head: Head, transfer: Transfer) -> Exchange:
    decoded = undo_coding(transfer.body, head.http.header("content-encoding"))
    wire = BufferBody(transfer.body)
    body = wire if decoded.data is None else BufferBody(decoded.data)
    coded = None if decoded.data is None else Coded(wire, None)
    faults = decoded.faults
    if transfer.cut:
        # The broken transfer is why the compressed data stops: one cut, one fault.
        faults = [fault for fault in faults if fault.rule != "frame-cut"]
        faults.append(Fault("frame-cut", len(body), len(body), transfer.cut))
    elif not head.whole:
        faults.append(Fault("meta-limit-reached", 0, 0, f"response head, limit {HEAD_LIMIT} bytes"))
    end: dict[str, Any] = {
        "how": "truncated" if transfer.cut else "eof",
        "terminator": transfer.terminator,
        "closed_by": None,
        "trailers": [list(trailer) for trailer in transfer.trailers],
        "detail": transfer.cut or transfer.detail,
    }
    faults += source.container_faults(len(body))
    return Exchange(source.name, NAME, body, http=head.http, coding=decoded.coding, coded=coded, end=end, faults=faults)


def _leading(data: Buffer, at: int) -> int:
    found = LEADING.match(data, at)
    return found.end() if found else at


def _read_head(data: Buffer, at: int) -> Head | None:
    status = STATUS.match(data, at)
    if status is None:
        return None
    fields, end, whole = _fields(data, status.end())
    return Head(Http(int(status[2]), fields, f"HTTP/{status[1].decode()}"), end, whole)


def _fields(data: Buffer, at: int) -> tuple[list[tuple[str, str]], int, bool]:
    """Header fields up to the blank line after them, where that line ends, and whether there was one."""
    fields: list[tuple[str, str]] = []
    limit = at + HEAD_LIMIT
    while (newline := data.find(b"\n", at, limit)) >= 0:
        line = data[at:newline].removesuffix(b"\r")
        at = newline + 1
        if not line:
            return fields, at, True
        text = _text(line)
        if text[0] in " \t" and fields:
            name, value = fields[-1]
            fields[-1] = name, f"{value} {text.strip()}"
        else:
            fields.append(_field(text))
    if limit < len(data):
        return fields, at, False
    if rest := data[at:].strip():
        fields.append(_field(_text(rest)))
    return fields, len(data), False


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip(), value.strip()


def _text(line: bytes | bytearray) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _transfer(data: Buffer, head: Head) -> Transfer:
    http, start = head.http, head.end
    view = memoryview(data)
    if http.status < 200 or http.status in BODYLESS:
        return Transfer(view[start:start], start, True)
    if not head.whole and start == len(data):
        return Transfer(view[start:], start, False, "the response ends inside its head")
    if "chunked" in (http.header("transfer-encoding") or "").lower():
        if start == len(data):
            return Transfer(view[start:], start, False, "the response ends before its first chunk")
        if _is_chunked(data, start):
            return _dechunk(data, start)
        return _until_next_head(data, start)
    length = http.header("content-length") or ""
    if re.fullmatch(r"[0-9]{1,15}", length) and not _was_decoded(http, data, start):
        return _of_length(data, start, int(length))
    return _until_next_head(data, start)


def _was_decoded(http: Http, data: Buffer, start: int) -> bool:
    """Whether the program that saved the response undid its content coding, so that its length is another one."""
    announced = http.header("content-encoding")
    if announced is None:
        return False
    return undo_coding(memoryview(data)[start : start + 64], announced).coding is None


def _of_length(data: Buffer, start: int, length: int) -> Transfer:
    view = memoryview(data)
    end = start + length
    if end > len(data):
        detail = f"the response ends after {len(data) - start} of the {length} bytes that Content-Length announces"
        return Transfer(view[start:], len(data), False, detail)
    if end == len(data) or STATUS.match(data, _leading(data, end)):
        return Transfer(view[start:end], end, True)
    # A client would stop reading here; in an edited file the header is more likely to be wrong than the bytes.
    rest = _until_next_head(data, start)
    return rest._replace(terminator=True, detail=f"{len(rest.body) - length} bytes more than Content-Length announces")


def _until_next_head(data: Buffer, start: int) -> Transfer:
    """A body that the end of the connection delimits, or the head of the next answer in a log of several.

    A plain text answer may quote a head, so only bodies that cannot are looked through.
    """
    view = memoryview(data)
    opening = bytes(data[start : start + 64]).removeprefix(BOM).lstrip()
    if SSE_LINE.match(opening.split(b"\n")[0].strip()) or opening.startswith((b"{", b"[")):
        at = start
        while (at := data.find(b"\nHTTP/", at) + 1) > 0:
            if NEXT_HEAD.match(data, at):
                return Transfer(view[start:at], at, None)
    return Transfer(view[start:], len(data), None)


def _is_chunked(data: Buffer, start: int) -> bool:
    """Whether chunk framing is still there: the first size is one, and its chunk ends where it says."""
    size = CHUNK_SIZE.match(data, start)
    if size is None:
        return len(data) - start <= 20 and bool(CUT_CHUNK_SIZE.match(data[start:]))
    length = int(size[1], 16)
    end = size.end() + length
    if length == 0 or end < len(data):
        return length == 0 or data[end : end + 1] in (b"\r", b"\n")
    return size[2] == b"\r\n"


def _dechunk(data: Buffer, start: int) -> Transfer:
    body = bytearray()
    at = start
    while size := CHUNK_SIZE.match(data, at):
        length = int(size[1], 16)
        at = size.end()
        if length == 0:
            trailers, end, _ = _fields(data, at)
            follows = len(data) - end if bytes(data[end : end + HEAD_LIMIT]).strip() else 0
            if STATUS.match(data, _leading(data, end)):
                follows = 0
            detail = f"{follows} bytes follow the last chunk and belong to no response" if follows else None
            return Transfer(memoryview(body), end, True, None, tuple(trailers), detail)
        body += data[at : at + length]
        at += length
        if data[at : at + 2] == b"\r\n":
            at += 2
        elif data[at : at + 1] == b"\n":
            at += 1
        else:
            break
    rest = data[at:]
    if at >= len(data):
        short = at - len(data)
        cut = f"the response ends {short} bytes before its chunk does" if short else LAST_CHUNK_MISSING
    elif len(rest) <= HEAD_LIMIT and CUT_CHUNK_SIZE.match(rest):
        cut = LAST_CHUNK_MISSING
    else:
        body += rest
        cut = f"the chunk framing breaks at byte {at} of the file; what follows is shown as it stands"
    return Transfer(memoryview(body), len(data), False, cut)
