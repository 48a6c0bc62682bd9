"""Rules about framings other than SSE, and about units that the end of the data cuts."""

from __future__ import annotations

from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.reading import Reading

STREAMS = {"ndjson": "JSON lines (NDJSON)"}
"""Framings of a stream that is no event stream."""


def _not_sse(reading: Reading, report: Report) -> None:
    name = STREAMS.get(reading.framing)
    if name is not None and len(reading.events):
        report(0, start=0, end=len(reading.body), detail=name)


RULES = (
    Rule(
        "frame-not-sse",
        "info",
        "stream",
        "The stream is framed as {detail}.",
        "Pick a decoder by what the header and the first bytes say; JSON lines end at LF alone.",
        why="An SSE reader finds nothing here, and whoever parses read by read meets halves of objects.",
        breaks=("chatbot-ui #1378: parses half lines",),
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
        ),
    ),
)
