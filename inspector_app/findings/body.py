"""Rules about the body as a whole and its character encoding."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

from inspector_app.core import flags as F
from inspector_app.core.binary import binary_kind
from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.errors import body_error
from inspector_app.core.instead import instead_of_stream
from inspector_app.core.reading import Reading
from inspector_app.core.text import clip
from inspector_app.core.transfer import is_success
from inspector_app.core.types import Body
from inspector_app.findings._places import content, flagged, lone_element, media_type, report_all

SSE_LINE = re.compile(rb"(?:data|event|id|retry)(?::|\Z)|:")
TITLE = re.compile(rb"<title[^>]{0,80}>([^<]{1,200})", re.IGNORECASE)
BODIES = {
    "json": "one JSON document",
    "ndjson": "JSON lines",
    "json-array": "a JSON array",
    "aws-eventstream": "AWS event-stream frames",
    "html": "a web page",
}
"""What a body is by its framing."""
BINARY = ("aws-eventstream",)
"""Framings that are no text."""
OPENING = 64
"""Bytes of a line that are looked at to tell what it is."""
STEP = 1 << 20


def _opening(reading: Reading, number: int) -> bytes:
    """The first bytes of a line."""
    return content(reading, number, OPENING)


def _html(reading: Reading, report: Report) -> None:
    pages = list(_pages(reading))
    if pages:
        title = TITLE.search(reading.body.slice(pages[0][0], pages[0][0] + 4096))
        said = clip(" ".join(title[1].decode("utf-8", "replace").split()), 80) if title else ""
        report_all(report, reading, pages, len(pages), f": {said}" if said else "")


def _pages(reading: Reading) -> Iterator[tuple[int, int]]:
    """Lines that open a page; an html tag on the line after the doctype opens no second one."""
    doctype = -2
    for number in _html_candidates(reading):
        opening = _opening(reading, number).lstrip().lower()
        if opening.startswith(b"<!doctype"):
            doctype = number
        elif not opening.startswith(b"<html") or number == doctype + 1:
            continue
        start, end, _ = reading.lines[number]
        yield start, end


def _html_candidates(reading: Reading) -> Iterator[int]:
    if reading.framing in ("html", "text"):
        yield from range(len(reading.lines) if reading.framing == "html" or reading.line_counts[F.HTML] else 0)
        return
    for n in flagged(reading, F.HTML if reading.framing == "sse" else F.NOT_JSON):
        yield from range(*reading.lines_of(n))


def _document(reading: Reading) -> Any:
    """The one JSON value that is the whole body, None for a stream or for no JSON. An array may hold it alone."""
    if reading.framing == "json-array":
        return lone_element(reading)
    if reading.framing != "json" or not len(reading.events) or reading.events.flags[0] & F.NOT_JSON:
        return None
    return reading.payload(0)


def _json_error(reading: Reading, report: Report) -> None:
    found = body_error(_document(reading))
    if found is None:
        return
    error, pointer = found
    message = error.get("message") if isinstance(error, dict) else error
    said = clip(message, 80) if isinstance(message, str) and message else "it has no message"
    http = reading.exchange.http
    case = "status" if http is not None and http.status >= 400 else ""
    report(0, pointer or None, detail=said if http is None else f"{said} (HTTP {http.status})", case=case)


def _empty(reading: Reading, report: Report) -> None:
    """A success without a body, where the answer is known to have ended as it should."""
    http = reading.exchange.http
    ended = (reading.exchange.end or {}).get("how") in ("eof", "done")
    if http is not None and is_success(http) and ended and not len(reading.body):
        report(0, start=0, end=0, detail=f"HTTP {http.status}")


def _no_stream(reading: Reading, report: Report) -> None:
    """A success that came to its end and holds nothing of an answer, where it is known that a stream was asked for."""
    exchange = reading.exchange
    http, ended = exchange.http, (exchange.end or {}).get("how") in ("eof", "done")
    if http is None or not is_success(http) or not ended or not len(reading.body) or not _asked_for_stream(reading):
        return
    document = _document(reading)
    told = reading.framing == "html" or body_error(document) is not None or _answer(document) is not None
    announced = media_type(reading) == "text/event-stream" and reading.framing != "sse"
    if not told and not announced and (what := instead_of_stream(reading)):
        report(0, start=0, end=len(reading.body), detail=what)


def _asked_for_stream(reading: Reading) -> bool:
    request = reading.exchange.request or {}
    body = request.get("body")
    return (isinstance(body, dict) and bool(body.get("stream"))) or "stream" in str(request.get("url")).lower()


def _nonstream(reading: Reading, report: Report) -> None:
    document = _document(reading)
    kind = _answer(document)
    whole = reading.framing == "json" and body_error(document) is None
    if kind is not None and whole and not _asked_for_no_stream(reading):
        report(0, start=0, end=len(reading.body), detail=kind)


def _answer(document: Any) -> str | None:
    """What kind of whole answer a document is, None when it is none."""
    if not isinstance(document, dict):
        return None
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if document.get("object") == "chat.completion" or isinstance(message, dict):
        return "chat.completion"
    if document.get("type") == "message" and "content" in document:
        return "Anthropic message"
    if document.get("object") == "response":
        return "response"
    return "GenerateContentResponse" if isinstance(document.get("candidates"), list) else None


def _asked_for_no_stream(reading: Reading) -> bool:
    """True when the request is known and asks for no stream, neither in its body nor in its path (as Gemini's do)."""
    request = reading.exchange.request or {}
    body = request.get("body")
    return isinstance(body, dict) and not body.get("stream") and "stream" not in str(request.get("url")).lower()


def _not_sse(reading: Reading, report: Report) -> None:
    if media_type(reading) != "text/event-stream" or reading.exchange.synthetic or _still_compressed(reading):
        return
    lines = range(len(reading.lines))
    if any(SSE_LINE.match(_opening(reading, number)) for number in lines):
        return
    if any(_opening(reading, number).strip() for number in lines):
        own = getattr(reading.framing_module, "TITLE", None)
        what = BODIES.get(reading.framing) or own or binary_kind(reading.body) or "plain text"
        report(0, start=0, end=len(reading.body), detail=what)


def _still_compressed(reading: Reading) -> bool:
    """True when a coding is known but was not undone: nobody can say what the body holds."""
    named = any(fault.rule == "http-compressed" for fault in reading.exchange.faults)
    return named and reading.exchange.coding is None and bool(reading.invalid_count)


def _is_binary(reading: Reading) -> bool:
    """Whether the body is no text by its framing, or a binary kind that is known by name."""
    return reading.framing in BINARY or (reading.framing == "text" and binary_kind(reading.body) is not None)


def _invalid_utf8(reading: Reading, report: Report) -> None:
    if not reading.invalid or _is_binary(reading):
        return
    halves = list(_halves(reading))
    detail = case = ""
    if halves:
        character, first, second, _ = halves[0]
        case = "halves" if sum(pieces for *_, pieces in halves) == reading.invalid_count else ""
        detail = f": `{character}` is cut in two between events {first} and {second}"
        detail += f", the first of {len(halves)} such characters" if len(halves) > 1 else ""
    report_all(report, reading, reading.invalid, reading.invalid_count, detail, case)


def _halves(reading: Reading) -> Iterator[tuple[str, int, int, int]]:
    """Characters whose bytes lie in two events: the character, both events, the invalid pieces that it makes."""
    pieces, at = reading.invalid, 0
    while at < len(pieces):
        joined, after = reading.body.slice(*pieces[at]), at + 1
        character = ""
        while not character and after < min(at + 4, len(pieces)):
            joined += reading.body.slice(*pieces[after])
            after += 1
            character = joined.decode("utf-8", "ignore")
        first, second = reading.event_at(pieces[at][0]), reading.event_at(pieces[after - 1][0])
        if len(character.encode()) == len(joined) and first is not None and second is not None and first < second:
            yield character, first, second, after - at
            at = after
        else:
            at += 1


def _split_read(reading: Reading, report: Report) -> Iterator[None]:
    exchange = reading.exchange
    compressed = exchange.coding is not None or any(fault.rule == "http-compressed" for fault in exchange.faults)
    if exchange.read_ends is None or exchange.synthetic or compressed or _is_binary(reading):
        return
    cuts: list[tuple[int, int]] = []
    for found in _split_characters(reading):
        cuts += found
        yield
    report_all(report, reading, cuts, len(cuts))


def _split_characters(reading: Reading) -> Iterator[list[tuple[int, int]]]:
    """The bytes of each character that a read boundary cuts, those of each part of the body together."""
    body, size = reading.body, len(reading.body)
    ends = reading.exchange.read_ends or ()
    for base in range(0, size, STEP):
        piece = body.slice(base, base + STEP)
        found: list[tuple[int, int]] = []
        if not piece.isascii():
            within = ends[bisect_left(ends, base) : bisect_left(ends, base + len(piece))]
            cut = (end for end in dict.fromkeys(within) if piece[end - base] & 0xC0 == 0x80)
            found = [*_cut_characters(body, cut)]
        yield found


def _cut_characters(body: Body, ends: Iterable[int]) -> Iterator[tuple[int, int]]:
    for end in ends:
        start = max(0, end - 3)
        around = body.slice(start, end + 3)
        lead = next((at for at in range(end - start - 1, -1, -1) if around[at] & 0xC0 != 0x80), None)
        if lead is None:
            continue
        length = 2 if around[lead] < 0xE0 else 3 if around[lead] < 0xF0 else 4
        try:
            around[lead : lead + length].decode()
        except UnicodeDecodeError:
            continue
        if start + lead + length > end:
            yield start + lead, start + lead + length


RULES = (
    Rule(
        "body-html",
        "error",
        "line",
        "A web page stands where the stream should be{detail}.",
        "Look at the status and the first bytes before decoding, and let gateways answer with a JSON error.",
        why="A proxy or gateway put its error page here, often with status 200, so nothing else tells of the failure.",
        breaks=(
            "Chatbook #183: internal failure",
            "letta-code #1179: shows the page as the answer",
            "every decoder: no event at all",
        ),
        under=("http-status",),
        end=_html,
    ),
    Rule(
        "body-json-error",
        "error",
        "stream",
        "Instead of a stream came one JSON error: {detail}.",
        "Answer failures with a 4xx or 5xx status, or frame them as an event of the stream.",
        why="A client that looks for events takes it for an answer without content, under status 200 above all, and "
        "nobody learns the cause.",
        breaks=(
            "lemonade #2826, ggcode #446, a2a-rs #79: the cause stays hidden",
            "readers of xAI's {code, error} with status 200: an empty answer",
        ),
        under=("http-status",),
        end=_json_error,
        cases={"status": "Show the words of the error to the user: the server sent them under a status of failure."},
    ),
    Rule(
        "body-empty",
        "error",
        "stream",
        "Instead of a stream came an empty body: {detail}.",
        "Take an empty answer for a failure and try again; if it stays so, look which layer drops the body.",
        why="The status promised an answer, so most clients show an empty one and say nothing.",
        end=_empty,
    ),
    Rule(
        "body-no-stream",
        "error",
        "stream",
        "Instead of a stream came {detail}",
        "Compare base URL and path with what the server documents: something answers there, but not as a model does.",
        why="The request asked for a stream and the status promised one, so clients wait for events or show none.",
        end=_no_stream,
    ),
    Rule(
        "body-nonstream",
        "warning",
        "stream",
        "The whole answer came as one JSON document ({detail}); it is shown as one burst of deltas.",
        "Stream when the request says `stream: true`, or refuse such a request.",
        why="A client that waits for events finds none here, and most of them say nothing about it.",
        breaks=(
            "openai-python 3.57.0: yields no chunk; its helper fails with AssertionError",
            "langchain-openai 1.7.4: ValueError",
            "pydantic-ai 2.68.0: UnexpectedModelBehavior",
            "LiteLLM 1.110.2, openai-agents 0.24.0, llm 0.36, @ai-sdk/openai 3.0.141: an empty answer without error",
            "openai-node 6.49.0 helper: error",
            "@ai-sdk/openai-compatible 2.0.92: error part",
        ),
        end=_nonstream,
    ),
    Rule(
        "body-not-sse",
        "error",
        "stream",
        "The header announces an event stream, but the body is {detail}.",
        "Frame everything that follows an event-stream header as events, errors too.",
        why="A reader that keeps to the standard finds no event in it, so the answer or the error is lost whole.",
        breaks=(
            "openai-python 3.57.0: no event and no reason",
            "LiteLLM 1.110.2, openai-agents 0.24.0, llm 0.36: an empty answer without error",
            "lemonade #2826: the error is never shown",
        ),
        under=("body-json-error", "body-html"),
        end=_not_sse,
    ),
    Rule(
        "body-invalid-utf8",
        "error",
        "line",
        "{count} piece{s} of the body cannot be read as UTF-8{detail}.",
        "Encode once, where the text is made, and let every hop pass bytes on as they are.",
        why="Here characters get lost or a decoder gives up; the usual causes are Latin-1 text and binary data passed "
        "on as text.",
        breaks=("openai-python 3.57.0, anthropic-sdk-python 2.14.0: UnicodeDecodeError, the stream ends there",),
        end=_invalid_utf8,
        cases={
            "halves": "Whoever makes the deltas cuts its text by bytes: let it hold a piece of a character back until "
            "the rest has come.",
        },
    ),
    Rule(
        "body-utf8-split-read",
        "info",
        "read",
        "A read ends inside a character, {count} time{s}.",
        "Decode the stream with one incremental UTF-8 decoder, not read by read.",
        why="Whoever makes text of each read alone gets an exception or replacement characters at these places.",
        breaks=("liter-llm #152, librefang #3448, Fabric #2203: text damaged at read boundaries",),
        end=_split_read,
    ),
)
