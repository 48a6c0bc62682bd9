"""Rules about SSE lines and events."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inspector_app.core import flags as F
from inspector_app.core.diagnosis import Report, Rule
from inspector_app.core.json_text import parse
from inspector_app.core.reading import Reading
from inspector_app.core.store import CR, CRLF, LF
from inspector_app.core.text import clip
from inspector_app.findings._places import BOM, NO_PAYLOAD, field_line, flagged, is_plain_text, media_type, report_all
from inspector_app.findings._sse_lines import (
    LARGE,
    blocks_without_data,
    comment,
    ignored_lines,
    large_lines,
    line_ends,
    odd_ends,
    unframed_json,
    without_space,
)

HELD = {
    "finish": "the finish reason",
    "stream.end": "the end marker",
    "usage": "the usage",
    "error": "an error",
    "text.delta": "text",
    "refusal.delta": "text of a refusal",
    "reasoning.delta": "reasoning",
    "tool.start": "a tool call",
    "tool.args": "arguments of a tool call",
}
"""What is lost with an event, in words, by the kind of its deltas."""

ENDS = {LF: "LF", CR: "CR", CRLF: "CR LF"}


def _crlf(reading: Reading, report: Report) -> None:
    ends = line_ends(reading) if reading.framing == "sse" else {}
    if list(ends) == [CRLF]:
        number = reading.lines.eols.index(CRLF)
        at = reading.lines[number].end
        report(reading.event_of_line(number) or 0, start=at, end=at + 2, detail=str(ends[CRLF]))


def _unusual_ends(reading: Reading, report: Report) -> None:
    ends = line_ends(reading) if reading.framing == "sse" else {}
    if CR in ends or len(ends) > 1:
        usual = CRLF if ends.get(CRLF, 0) > ends.get(LF, 0) else LF
        odd = sum(count for code, count in ends.items() if code != usual)
        detail = " and ".join(f"{count} {ENDS[code]}" for code, count in ends.items())
        report_all(report, reading, odd_ends(reading, usual), odd, detail)


def _bom(reading: Reading, report: Report) -> None:
    if reading.framing == "sse" and reading.body.slice(0, 3) == BOM:
        report(0, start=0, end=3)


def _multi_data(reading: Reading, report: Report) -> None:
    layouts = reading.layouts
    for n in flagged(reading, F.MULTI_DATA, F.NOT_JSON | F.EMPTY_DATA | F.DOUBLE_WRAPPED | F.PLAIN_TEXT):
        plain = layouts[reading.events.layouts[n]].rows and n not in reading.payload_faults
        if plain or parse(reading.data(n) or b"").fault in (None, "utf8", "surrogate"):
            report(n)


def _no_text(reading: Reading, events: Iterable[int]) -> Iterable[int]:
    """In a stream of plain text a word that begins like a line is a word."""
    text = reading.dialect_module is None and any(is_plain_text(reading, n) for n in flagged(reading, F.NOT_JSON))
    return () if text else events


def _no_data_block(reading: Reading, report: Report) -> None:
    for n, start, end in blocks_without_data(reading):
        report(n, start=start, end=end)


def _unterminated(reading: Reading, report: Report) -> None:
    if reading.framing != "sse":
        return
    for n in flagged(reading, F.DANGLING, F.NO_DATA | F.COMMENT_ONLY | F.UNFRAMED_MARKER):
        kinds = {delta.kind for delta in reading.deltas(n)}
        held = [words for kind, words in HELD.items() if kind in kinds]
        nothing = "a piece of a payload" if reading.events.flags[n] & F.NOT_JSON else "a payload that says nothing"
        report(n, detail=", ".join(held) or nothing)


def _ignored(reading: Reading, report: Report) -> None:
    for number in ignored_lines(reading):
        start, end, _ = reading.lines[number]
        said = reading.body.slice(start, min(end, start + 200)).decode("utf-8", "replace")
        report(reading.event_of_line(number) or 0, start=start, end=end, detail=clip(said, 60))


def _unframed(reading: Reading, report: Report) -> None:
    """In a body that only its header calls an event stream, each line that is whole JSON (not NDJSON by its type)."""
    if reading.framing == "sse":
        lines = [at for n in flagged(reading, F.UNFRAMED_JSON) for at in range(*reading.lines_of(n))]
    elif media_type(reading) == "text/event-stream":
        lines = list(range(len(reading.lines)))
    else:
        return
    for number in lines:
        start, end, _ = reading.lines[number]
        found = unframed_json(reading.body.slice(start, end).removeprefix(BOM if number == 0 else b""))
        if found is not None:
            shift = 3 if number == 0 and reading.body.slice(0, 3) == BOM else 0
            place = start + shift + found[0], start + shift + found[1]
            report(reading.event_of_line(number) or 0, start=place[0], end=place[1])


def _large(reading: Reading, report: Report) -> None:
    lines = reading.lines
    for number in large_lines(reading):
        start, end, _ = lines[number]
        report(reading.event_of_line(number) or 0, start=start, end=end, detail=str(end - start))


def _linebreaks(reading: Reading, report: Report) -> None:
    if reading.framing != "sse":
        return
    lines = {reading.lines.at(offset): offset for offset in reversed(reading.breaks)}
    for number, offset in reversed(lines.items()):
        character = reading.body.slice(offset, offset + 3).decode("utf-8", "ignore")[0]
        end = offset + len(character.encode())
        report(reading.event_of_line(number) or 0, start=offset, end=end, detail=f"U+{ord(character):04X}")


def _event_name(reading: Reading, report: Report) -> None:
    """A name other than the type of the payload; where payloads have no type, any but the usual ones."""
    if reading.framing != "sse":
        return
    type_key = getattr(reading.dialect_module, "NAMED_BY", None)
    if type_key is not None:
        _other_than_type(reading, report, type_key)
        return
    usual = getattr(reading.dialect_module, "NAMED_EVENTS", None)
    if usual is None:
        return
    odd = set(reading.events.names.values()) - usual - {""}
    for n, name in reading.events.names.items() if odd else ():
        if name in odd and not reading.events.flags[n] & NO_PAYLOAD:
            start, end = field_line(reading, n, b"event") or reading.bytes_of(n)
            report(n, start=start, end=end, detail=clip(name, 60))


def _other_than_type(reading: Reading, report: Report, type_key: str) -> None:
    names, firsts, starts = reading.events.names, reading.events.first_lines, reading.lines.starts
    key = b'"%b"' % type_key.encode()
    lead, quoted = rb"event: ?([^\r\n]+)\r?\ndata: ?\{", re.escape(key)
    body = reading.body.slice(0, len(reading.body))
    # Most say the same in both places, which their bytes tell; where the key is not the first, it stands there once.
    same = {found.start(): found[1] for found in re.finditer(lead + quoted + rb' ?: ?"\1"', body)}
    if 2 * len(same) < len(names):
        anywhere = lead + rb"[^\r\n]*?" + quoted + rb' ?: ?"\1"[^\r\n]*'
        found_once = (found for found in re.finditer(anywhere, body) if found[0].count(key) == 1)
        same |= {found.start(): found[1] for found in found_once}
    if len(same) == len(names):
        return
    for n, name in names.items():
        if same.get(starts[firsts[n]]) == name.encode():
            continue
        payload = reading.payload(n)
        said = payload.get(type_key) if isinstance(payload, dict) else None
        if name and isinstance(said, str) and said and said != name:
            start, end = field_line(reading, n, b"event") or reading.bytes_of(n)
            report(n, start=start, end=end, detail=f"{clip(name, 60)} for {clip(said, 60)}")


RULES = (
    Rule(
        "sse-no-space",
        "warning",
        "line",
        "{count} line{s} with no space after the colon.",
        "Put one space after `data:`; a reader takes off at most one.",
        why="The standard allows it, yet many readers written by hand look for `data: ` with its space.",
        breaks=(
            "google-genai 3.6.1: raises",
            "openai-python #498 (old), langchain_dart #778, opencodex #1170, genai-bench #159: skip every chunk",
        ),
        flag=F.NO_SPACE,
        line=without_space,
    ),
    Rule(
        "sse-crlf",
        "info",
        "stream",
        "All {detail} line ends are CR LF.",
        "Read LF, CR LF and CR alike.",
        why="Legal, and the habit of Gemini; whoever splits at two line feeds finds no event in such a body.",
        breaks=("xuan #194, Vercel AI SDK (old): the whole body is one blob that does not parse",),
        end=_crlf,
    ),
    Rule(
        "sse-unusual-line-ends",
        "warning",
        "stream",
        "Lines end in unusual or mixed ways: {detail}.",
        "End all lines with LF.",
        why="The standard knows all three, but a reader that knows LF only sees no event end, and a search for one "
        "delimiter misses pairs of two kinds.",
        breaks=(
            "Zed, Continue, VS Code Copilot Chat: know LF only",
            "openai-node #2309: misses mixed pairs",
            "eventsource-parser 3.1.1: holds a CR back at the end, so a body of CR lines loses its last event",
        ),
        end=_unusual_ends,
    ),
    Rule(
        "sse-bom",
        "warning",
        "stream",
        "A byte-order mark stands before the first line.",
        "Leave the mark out when writing, and take one off when reading.",
        why="Kept, it becomes part of the first field name, and the first event is gone.",
        breaks=(
            "openai-python 3.57.0 and what is built on its decoder: the first event is lost",
            "anthropic-sdk-python 2.14.0, httpx-sse 0.4.3: the first event is lost",
        ),
        end=_bom,
    ),
    Rule(
        "sse-multi-data",
        "warning",
        "event",
        "{count} payload{s} spread over several data lines.",
        "Put each JSON payload on one data line.",
        why="Legal, but lost on readers that take the last line only or parse line by line.",
        breaks=(
            "openresponses #56: takes the last line only",
            "term-llm #456: parses each line",
            "Continue: takes each line for an event",
        ),
        end=_multi_data,
    ),
    Rule(
        "sse-comment",
        "info",
        "line",
        "{count} comment line{s}.",
        "Skip comment lines, and follow a keep-alive comment with a blank line of its own.",
        why="Servers keep a connection open with them; a reader that wants JSON on every line trips.",
        breaks=(
            "google-genai 3.6.1: raises",
            "bifrost #6240: drops an event with a comment directly above its data",
            "Continue: takes `: ping` for the end",
        ),
        flag=F.COMMENT,
        line=comment,
    ),
    Rule(
        "sse-double-wrapped",
        "error",
        "event",
        "{count} event{s} framed twice: the data is a line of an event stream itself ({detail}); read unwrapped.",
        "Pass lines on that are framed already, and send keep-alives as comments, not as data.",
        why="None of these payloads is JSON, so a strict client stops at the first of them.",
        breaks=(
            "aprender #2015, openclaw #96497: events framed twice",
            "opencode #50871, llm-gateway #2053: a keep-alive comment arrives as data",
        ),
        settle=_no_text,
    ),
    Rule(
        "sse-empty-data",
        "warning",
        "event",
        "{count} event{s} with empty data.",
        "Send heartbeats as comments; a reader skips events without data.",
        why="One data line, even an empty one, dispatches an event, and its empty text is then parsed as JSON.",
        breaks=(
            "openai-python 3.57.0 and what is built on its decoder, openai-node 6.49.0: raise",
            "@ai-sdk/openai-compatible 2.0.92: error part, then goes on",
            "wave-agent #1326, copilot-api #88: flood their logs",
        ),
        flag=F.EMPTY_DATA,
        # An id beside the empty data is how an MCP stream begins; as plain text it is an empty text.
        unless=F.DANGLING | F.HAS_ID | F.PLAIN_TEXT,
    ),
    Rule(
        "sse-no-data-block",
        "warning",
        "event",
        "No data line in {count} block{s}, so nothing is dispatched.",
        "Leave id and retry lines out of LLM streams, and dispatch only where a data line was seen.",
        why="The standard drops such a block, but an id outlives its event and makes some decoders fire an empty one.",
        breaks=(
            "openai-python 3.57.0 and what is built on its decoder: raise at an event, retry or sticky id alone",
            "openai-node 6.49.0: raises at a block with only an event line",
            "httpx-sse 0.4.3, anthropic-sdk-python 2.14.0: dispatch an empty event",
            "openai-python #2722, coder #28185: reported failures",
        ),
        end=_no_data_block,
    ),
    Rule(
        "sse-unterminated-event",
        "error",
        "event",
        "No blank line ends the last event; it held {detail}.",
        "Write a blank line behind the last event too; a reader that takes the rest anyway has to say so.",
        why="By the standard this event is dropped, and it is mostly the one with the finish reason or the usage.",
        breaks=(
            "openai-python 3.57.0 and what is built on its decoder: the event is lost",
            "openai-node 6.49.0, @ai-sdk/openai-compatible 2.0.92: the event is lost",
            "LiteLLM 1.110.2: raises",
            "openai-node #2725, gemini-cli #29059, langgraph #6155: lose the last event",
        ),
        under=("frame-cut",),
        end=_unterminated,
    ),
    Rule(
        "sse-ignored-line",
        "warning",
        "line",
        "{count} line{s} without effect by the standard: {detail}",
        "Use data, event, id and retry only, and send an error as data.",
        why="A correct reader never sees what these lines say, be it an error.",
        breaks=(
            "llama.cpp #16109, coddy-agent #106: the error stays unseen and a cut answer looks whole",
            "google-genai 3.6.1: collects such lines and raises",
        ),
        under=("body-json-error", "body-html"),
        end=_ignored,
    ),
    Rule(
        "sse-unframed-json",
        "error",
        "line",
        "{count} line{s} of bare JSON outside any field.",
        "Send the error as an event with a data line.",
        why="To a correct reader this is an unknown field; mostly it is an error written into a stream under way.",
        breaks=(
            "openai-python 3.57.0, openai-node 6.49.0, @ai-sdk/openai-compatible 2.0.92: skip it, the answer stops",
            "google-genai 3.6.1: raises it",
            "js-genai #1973: loses it",
        ),
        under=("body-json-error", "body-html"),
        end=_unframed,
    ),
    Rule(
        "sse-large-line",
        "warning",
        "line",
        f"{{count}} line{{s}} longer than {LARGE} bytes, the first with {{detail}}.",
        "Read lines into a buffer that grows, up to a high limit.",
        why="A line reader with a fixed buffer stops here.",
        breaks=("ragflow #15381, openai-go #368, goclaw #1348, term-llm #347: stop at the line",),
        end=_large,
    ),
    Rule(
        "sse-unicode-linebreak",
        "warning",
        "line",
        "A raw character that some readers take for a line end, in {count} line{s}, first {detail}.",
        "End lines where SSE does and nowhere else, or escape these characters when writing.",
        why="SSE takes them for ordinary text, while functions such as `splitlines()` break the JSON apart there.",
        breaks=(
            "httpx iter_lines, httpx-sse before 0.4.2, requests: cut the line",
            "codex-lb #1010, dify #39008, evalscope #1642: broken JSON",
        ),
        end=_linebreaks,
    ),
    Rule(
        "sse-event-name-mismatch",
        "warning",
        "event",
        "{count} event{s} with a name that does not fit what is in them, first {detail}.",
        "Send no event line in a Chat stream; where payloads have a type, repeat it.",
        why="Some clients go by the name and some by the payload, so they read two different streams; Chat clients "
        "wrap or skip what has a name.",
        breaks=(
            "google-genai 3.6.1: raises at any event line",
            "openai-node (older): wraps the payload into {event, data}",
            "VS Code Copilot Chat: logs it as bad JSON",
            "anthropic-sdk-python 2.14.0, @anthropic-ai/sdk 1.14.0: follow the name",
            "@ai-sdk/anthropic 3.0.140: follows the type in the payload",
        ),
        end=_event_name,
    ),
)
