"""Rules about how a stream ends and about its end marker."""

from __future__ import annotations

from collections.abc import Iterable

from inspector_app.core import flags as F
from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.json_text import parse
from inspector_app.core.reading import Reading
from inspector_app.core.text import duration
from inspector_app.core.timing import last_silence
from inspector_app.core.transfer import stopped_words
from inspector_app.findings._generations import closed_by_marker, is_marker
from inspector_app.findings._places import NO_PAYLOAD, content, field
from inspector_app.findings._sse_lines import marker

SILENT = 1_000_000_000
"""Nanoseconds without a byte before its end that are told of an answer that was stopped."""
TEXT = b"[DONE]"
NO_JSON = F.NOT_JSON | F.PLAIN_TEXT


def _streams(reading: Reading) -> bool:
    """True for a stream of a known dialect that has an end of its own and told of no error."""
    module = reading.dialect_module
    known = bool(getattr(module, "FINISH", None) or getattr(module, "ENDS_WITHOUT_FINISH", None))
    return known and reading.framing != "json" and not reading.errors


def _truncated(reading: Reading, report: Report) -> None:
    if not _streams(reading) or reading.finishes or reading.marker is not None:
        return
    torn = any(fault.rule == "file-torn-tail" for fault in reading.exchange.faults)
    said = "; but the recording itself is cut, so the sender may have gone on" if torn else ""
    size = len(reading.body)
    report(reading.last_event, start=size, end=size, detail=said)


def _cancelled(reading: Reading, report: Report) -> None:
    if not reading.cancelled:
        return
    size, said = len(reading.body), stopped_words(reading.exchange.end)
    began, end = last_silence(reading.exchange) or (0, 0)
    if end - began >= SILENT:
        said = f"{said}; nothing had come for {duration(end - began)}"
    report(reading.last_event, start=size, end=size, detail=said)


def _not_reached(reading: Reading, report: Report) -> None:
    size = len(reading.body)
    for fault in reading.exchange.faults:
        if fault.rule == "meta-limit-reached" and 0 < size == fault.at:
            report(reading.last_event, start=size, end=size, detail=fault.detail)


def _missing(reading: Reading, report: Report) -> None:
    marker = getattr(reading.dialect_module, "END_MARKER", None)
    if marker is not None and _streams(reading) and reading.framing == "sse" and reading.marker is None:
        size = len(reading.body)
        report(reading.last_event, start=size, end=size, detail=marker)


def _repeated(reading: Reading, events: Iterable[int]) -> Iterable[int]:
    """A marker that closes a complete generation of its own is no repeat."""
    own = {last for _, last in closed_by_marker(reading)}
    return [n for n in events if n not in own] if len(own) > 1 else events


def _after_marker(reading: Reading, report: Report) -> None:
    if reading.marker_event is None or reading.marker_event == reading.last_event:
        return
    generations = closed_by_marker(reading)
    flags, layouts = reading.events.flags, reading.events.layouts
    inside = {n for first, last in generations[1:] for n in range(first, last + 1)}
    for n in range(reading.marker_event + 1, len(reading.events)):
        if flags[n] & NO_PAYLOAD or n in inside:
            continue
        if reading.layouts[layouts[n]].rows or not is_marker(reading, n):
            report(n)


def _in_text(reading: Reading, report: Report) -> None:
    last = -1
    for offset in reading.marker_texts:
        n = reading.event_at(offset)
        if n is None or n == last or reading.events.flags[n] & NO_JSON or not _in_payload(reading, offset):
            continue
        if reading.layouts[reading.events.layouts[n]].rows or _holds_text(reading, n):
            last = n
            report(n, start=offset, end=offset + len(TEXT))


def _in_payload(reading: Reading, offset: int) -> bool:
    """Whether a byte belongs to data: any line of JSON, in an event stream a data line with more than the marker."""
    if reading.framing != "sse":
        return True
    opening = content(reading, reading.lines.at(offset), 32)
    return field(opening)[0] == b"data" and not marker(opening)


def _holds_text(reading: Reading, n: int) -> bool:
    return not is_marker(reading, n) and not parse(reading.data(n) or b"").fault


ENDS = frozenset(
    {"end-truncated", "end-marker-missing", "finish-missing", "frame-cut", "sse-unterminated-event"}
    | {"anthropic-block-not-closed"}
)
"""What would be said of an end that is no end of the sender's."""

RULES = (
    Rule(
        "end-not-reached",
        "info",
        "stream",
        "How the stream ends is not known: this program stopped before its end ({detail}).",
        "Draw no conclusion from the end; a recording that is smaller, or not compressed, is read to its own.",
        why="What stands last here is only where reading stopped, so nothing is held against the sender for it.",
        instead_of=ENDS,
        end=_not_reached,
    ),
    Rule(
        "end-cancelled",
        "info",
        "stream",
        "The answer was cancelled before its end: {detail}.",
        "Send the request again for the whole answer; nothing here says that the sender failed.",
        why="This side closed the connection, so that a reason, a marker or the rest of an event could not come.",
        instead_of=ENDS,
        end=_cancelled,
    ),
    Rule(
        "end-truncated",
        "error",
        "stream",
        "The data ends without a finish reason and without an end marker{detail}.",
        "Take such an end for a failure and offer to try again.",
        why="The answer was under way when the connection went, and most clients keep the half as if it were whole.",
        breaks=(
            "openai-python 3.57.0, langchain-openai 1.7.4, pydantic-ai 2.68.0: say nothing",
            "openai-agents 0.24.0, llm 0.36: say nothing",
            "anthropic-sdk-python 2.14.0 helper: returns stop_reason None",
            "Codex CLI: fails, it needs response.completed",
            "opencode-copilot-chat #170: shows half an answer",
        ),
        under=("frame-cut", "end-silence"),
        end=_truncated,
    ),
    Rule(
        "end-marker-missing",
        "warning",
        "stream",
        "The end marker {detail} never came.",
        "Send the marker last, and let readers go by the finish reason.",
        why="A few readers wait on without it or call the stream broken; Cerebras, Perplexity and Writer omit it.",
        breaks=("VS Code Copilot Chat: needs the marker",),
        under=("end-truncated", "frame-cut", "end-silence"),
        end=_missing,
    ),
    Rule(
        "end-marker-unframed",
        "warning",
        "line",
        "The end marker is no event: it is a bare line, or no blank line follows it.",
        "Send the marker as `data: [DONE]` with a blank line behind it.",
        why="By the standard such a marker is never dispatched.",
        breaks=(
            "Portkey gateway #55: does not see the end",
            "VS Code Copilot Chat and others that require the marker: report a stream that never ended",
        ),
        flag=F.BARE_MARKER | F.UNFRAMED_MARKER,
        line=marker,
    ),
    Rule(
        "end-marker-duplicate",
        "warning",
        "event",
        "{count} more end marker{s} after the first.",
        "Leave the writing of the marker to one layer.",
        why="Two layers close the stream, and a strict relay counts two ends.",
        breaks=("relays that close at each marker: close twice",),
        settle=_repeated,
    ),
    Rule(
        "end-marker-foreign",
        "warning",
        "event",
        "{count} end marker{s} of another dialect: {detail}.",
        "Leave the marker of OpenAI out of streams of other dialects.",
        why="A reader of this dialect takes it for JSON; it ends nothing here.",
        breaks=("google-genai 3.6.1: raises",),
    ),
    Rule(
        "end-data-after-marker",
        "error",
        "event",
        "{count} event{s} with a payload after the end marker.",
        "Send the usage before the marker, and nothing behind it.",
        why="OpenAI clients leave at the marker and lose the rest, which is mostly the usage.",
        breaks=(
            "openai-python 3.57.0 and what is built on its decoder, openai-node 6.49.0: stop at the marker",
            "@ai-sdk/openai-compatible 2.0.92, @ai-sdk/openai 3.0.141: read on and show late text",
        ),
        end=_after_marker,
    ),
    Rule(
        "end-marker-in-text",
        "info",
        "event",
        "{count} payload{s} with the characters [DONE] in a string.",
        "Compare the whole data of an event with the marker; do not search for it.",
        why="A relay that looks for the marker among the raw bytes hangs up before the answer is over.",
        breaks=("smg #1878, litellm #33737: end the stream too early",),
        end=_in_text,
    ),
)
