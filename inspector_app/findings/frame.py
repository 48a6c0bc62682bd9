"""Rules about framings other than SSE, and about units that the end of the data cuts."""

from __future__ import annotations

from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.errors import body_error
from inspector_app.core.reading import Reading
from inspector_app.core.transfer import NO_CHUNK, TOO_LONG
from inspector_app.findings._places import lone_element

STREAMS = {
    "ndjson": "JSON lines (NDJSON)",
    "json-array": "a JSON array that arrives element by element",
    "aws-eventstream": "AWS event-stream frames",
}
"""Framings of a stream that is no event stream."""


def _not_sse(reading: Reading, report: Report) -> None:
    name = STREAMS.get(reading.framing) or getattr(reading.framing_module, "TITLE", None)
    if name is not None and len(reading.events) and body_error(lone_element(reading)) is None:
        report(0, start=0, end=len(reading.body), detail=name)


CAUSES = (*((beginning, "limit") for beginning in TOO_LONG), (NO_CHUNK, "chunks"))
"""How the detail of a cut begins -> what to advise instead."""


def _cause(detail: str) -> str:
    return next((case for beginning, case in CAUSES if detail.startswith(beginning)), "")


RULES = (
    Rule(
        "frame-not-sse",
        "info",
        "stream",
        "The stream is framed as {detail}.",
        "Pick a decoder by what the header and the first bytes say; JSON lines end at LF alone.",
        why="An SSE reader finds nothing here, and whoever parses read by read meets halves of objects.",
        breaks=(
            "chatbot-ui #1378: parses half lines",
            "symfony/ai #1988, nous #26: take the array for an event stream",
            "claurst #214, bifrost #4262: look for braces among binary frames",
        ),
        end=_not_sse,
    ),
    Rule(
        "frame-cut",
        "error",
        "event",
        "The end of the data cuts what was being sent: {detail}.",
        "Tell the user that the connection dropped; a relay adds an error event.",
        why="The connection went away while a piece was on its way, so more than that piece may be missing.",
        breaks=(
            "openai-python 3.57.0: APIConnectionError where HTTP ends early",
            "anthropic-sdk-python 2.14.0: a raw RemoteProtocolError where HTTP ends early",
            "readers by line: drop the piece",
            "AWS SDKs: raise at a short frame",
        ),
        under=("file-torn-tail", "end-silence"),
        cases={
            "limit": "Let the server send less in its header fields, cookies above all: it was this side that gave up, "
            "and other clients have such a limit too.",
            "chunks": "Look which server or gateway writes the chunks: it sent something between them that is none.",
        },
        case_of=_cause,
    ),
    Rule(
        "frame-aws-crc",
        "error",
        "event",
        "In {count} AWS frame{s} a checksum is wrong: {detail}.",
        "Let every hop pass the body on as bytes, never as text.",
        why="Something on the way changed the bytes. If it made text of them, what they were is gone; all frames that "
        "are sound were read.",
        breaks=("AWS SDKs: raise",),
    ),
)
