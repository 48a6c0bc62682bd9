"""Reports as Markdown: all the evidence that an issue needs, and foreign text that stays text."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from inspector_app import __version__
from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody, Place
from inspector_app.lenses import compare, literal, load_lenses, shipped_folder
from inspector_app.lenses.run import read, read_as
from inspector_app.report import markdown
from inspector_app.report.comparison import as_markdown
from inspector_app.report.event_words import event_words
from inspector_app.report.findings import findings_as_markdown

KIT = load_kit()
LENSES = load_lenses([shipped_folder()])
KEY = "sk-abcdefghijklmnopqrstuvwx"


def stream(*deltas: dict[str, Any], name: str = "/home/anna/private/x.sse", tail: str = "data: [DONE]\n\n") -> Reading:
    """A Chat stream of these deltas, the last of them with a finish reason, and a comment before them."""
    top = {"object": "chat.completion.chunk", "model": "m-1"}
    chunks = [top | {"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    body = ": wait\n\n" + "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + tail
    return read(Exchange(name, "sse-body", MemoryBody(body.encode())), KIT)


def details(text: str) -> dict[str, Any]:
    return {"reasoning_details": [{"type": "reasoning.text", "text": text, "index": 0}]}


def compared(reference: Reading, name: str) -> str:
    lens = literal(reference) if name == "literal" else LENSES[name]
    difference = compare(reference, read_as(lens, reference, KIT))
    assert difference.first_difference is not None
    return as_markdown(difference, reference, LENSES, difference.first_difference.event)


def test_the_report_of_a_comparison_has_the_evidence() -> None:
    lines = compared(stream(details("High"), details(" water")), "openclaw").split("\n")
    cause = "`reasoning_details` is not read (2 events, from event 1), so the turn is empty; "
    assert lines[0] == (
        "**OpenClaw of April 2026** (`openclaw`) against `reference`: **failed**. Reasoning is lost, then an error."
    )
    assert f"- cause: {cause}it raises: incomplete turn detected: payloads=0 (event 4)" in lines
    assert "- lost: 10 characters of the reasoning" in lines
    assert "- blocks: `reference` 1, `openclaw` 0" in lines
    assert any(line.startswith("- stream: model `m-1`, dialect `openai-chat`, framing `sse`") for line in lines)
    assert any("file `x.sse`, 4 events + 1 comment" in line for line in lines)
    lens = LENSES["openclaw"]
    assert any(line.startswith("- client `openclaw`") and f"known by report: {lens.source}" in line for line in lines)
    advice = KIT.rules["reasoning-field-variant"].advice
    assert any(line.startswith("- finding `reasoning-field-variant`") and advice in line for line in lines)
    [sent] = [at for at, line in enumerate(lines) if line.startswith("As sent (event 1, line 2, bytes ")]
    assert lines[sent + 3].startswith('data: {"object": "chat.completion.chunk"')
    assert "stream-inspector diff x.sse --as reference --with openclaw" in lines
    assert any("counted from 0" in line and __version__ in line for line in lines)
    assert "anna" not in "\n".join(lines)


def test_what_is_lost_is_said_and_no_equal_counts() -> None:
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    empty = {"index": 0, "id": "", "function": {"name": "", "arguments": ""}}
    told = compared(stream({"tool_calls": [call]}, {"tool_calls": [empty]}), "wingmate-2026-06")
    assert "- lost: the id and the name of tool call 0" in told
    assert "- characters" not in told


def arguments(*pieces: str) -> Reading:
    """A call whose arguments come in these pieces."""
    first = {"index": 0, "id": "c1", "type": "function", "function": {"name": "look", "arguments": ""}}
    more = ({"index": 0, "function": {"arguments": piece}} for piece in pieces)
    return stream(*({"tool_calls": [element]} for element in (first, *more)))


def test_arguments_that_begin_again_are_shown_where_they_do_with_the_finding_that_says_so() -> None:
    told = compared(arguments('{"q', '{"q":"o', '{"q":"o"}'), "openclaw")
    assert "- cause: from event 3 on" in told
    assert "- finding `tool-args-repeated`: " in told
    assert "As sent (event 3, " in told
    # What is known of this client is about something else.
    assert LENSES["openclaw"].summary.split(" but ")[0] not in told
    assert "- client `openclaw`: known by report: " in told


def test_an_empty_id_is_shown_where_it_stands() -> None:
    call = {"index": 0, "id": "c1", "type": "function", "function": {"name": "look", "arguments": "{"}}
    empty = {"index": 0, "id": "", "function": {"name": "", "arguments": "}"}}
    told = compared(stream({"tool_calls": [call]}, {"tool_calls": [empty]}), "wingmate-2026-06")
    assert re.search(r"As sent \(event 2, .*\):\n\n```\n.*\"id\": \"\"", told)
    assert "- finding `tool-id-empty`: " in told
    assert "- finding `tool-name-empty`: " in told
    assert LENSES["wingmate-2026-06"].summary in told


def test_bytes_that_are_no_utf_8_are_shown_as_bytes() -> None:
    body = stream({"content": "a\u00fcXX\ufffd"}).body
    sent = body.slice(0, len(body)).replace(b"\\u00fcXX\\ufffd", "\u00fc".encode() + b"\xc3(" + "\ufffd".encode())
    reference = read(Exchange("x.sse", "sse-body", MemoryBody(sent)), KIT)
    told = findings_as_markdown(reference, reference.findings, KIT.rules)
    assert '"a\u00fc\\xc3(\ufffd"' in told
    far = markdown.sent(reference, Place(1, (start := sent.index(b"\xc3(")), start + 1))
    assert "\\xc3(" in far[3]


@pytest.mark.parametrize("lead", range(6))
def test_a_clipped_line_begins_with_a_whole_character(lead: int) -> None:
    sent = b"data: " + b"x" * lead + "\u00fc\U0001f389".encode() * 300 + b"end\n\n"
    reference = read(Exchange("x.sse", "sse-body", MemoryBody(sent)), KIT)
    shown = markdown.sent(reference, Place(0, (start := sent.index(b"end")), start + 3))[3]
    before = int(re.search(r"\((\d+) bytes", shown)[1])  # type: ignore[index]
    assert shown.partition(") ")[2] == sent[before:].decode().rstrip()
    assert "\\x" not in shown


def test_foreign_text_cannot_leave_its_fence_and_keys_are_masked() -> None:
    evil = f"```\n# not a heading\n```` <img src=x> {KEY}"
    told = compared(stream(details(evil)), "openclaw")
    fence = re.search(r"^(`{3,})\n(.*)\n\1$", told, re.MULTILINE | re.DOTALL)
    assert fence is not None
    assert len(fence[1]) == 5
    assert "```` <img" in fence[2]
    assert KEY not in told
    assert "# not" not in [line.strip()[:5] for line in told.split("\n")]


@pytest.mark.parametrize(
    "text, shown",
    [
        ("a`b", "`` a`b ``"),
        ("plain", "`plain`"),
        ("", "` `"),
        ("``", "``` `` ```"),
        ("a\nb", "`a\u240ab`"),
    ],
)
def test_code(text: str, shown: str) -> None:
    assert markdown.code(text) == shown


@pytest.mark.parametrize(
    "text, shown",
    [
        ("closed by `tool_calls: []` at *1*", "closed by `tool_calls: []` at \\*1\\*"),
        ("tool_calls is empty", "`tool_calls` is empty"),
        ("The end marker [DONE] never came.", "The end marker `[DONE]` never came."),
        ("<b> | @ai-sdk/openai 3.0", "\\<b\\> \\| `@ai-sdk/openai` 3.0"),
        ("an odd ` tick", "an odd \\` tick"),
    ],
)
def test_words(text: str, shown: str) -> None:
    assert markdown.words(text) == shown


def test_a_place_far_inside_a_line_is_shown_with_what_stands_before_it() -> None:
    reference = stream({"content": "x" * 3000, "refusal": "here it is"})
    start = reference.body.slice(0, len(reference.body)).index(b"here it is")
    shown = markdown.sent(reference, Place(1, start, start + 4))
    assert "bytes before) " in shown[3]
    assert "here it is" in shown[3]
    assert len(shown[3]) < 2 * markdown.WIDEST


def test_the_report_of_findings_needs_no_client() -> None:
    reference = stream({"content": "Hi"}, tail='data: {"choices":[{"delta":{"content":"')
    told = findings_as_markdown(reference, reference.findings, KIT.rules).split("\n")
    assert told[0].startswith("**x.sse**: ")
    at = told.index("### `frame-cut`: error")
    rule = KIT.rules["frame-cut"]
    assert told[at + 4] == f"- advice: {rule.advice}"
    assert f"- breaks: {rule.breaks[0]}" in told[at:]
    assert 'data: {"choices":[{"delta":{"content":"' in told[at:]
    under = told.index("### `sse-unterminated-event`: error")
    assert told[under + 3] == "It follows from `frame-cut`."
    assert "stream-inspector check x.sse" in told


def test_the_report_of_a_clean_stream_says_so() -> None:
    told = findings_as_markdown(stream({"content": "Hi"}), [], KIT.rules)
    assert told.startswith("**x.sse**: no findings\n")


@pytest.mark.parametrize(
    "body, words",
    [
        (": a\n\ndata: x\n\n: b\n\n", "1 event + 2 comments"),
        ("data: x\n\ndata: y\n\n", "2 events"),
        ("data: x\n\ndata: y", "1 event + 1 without its blank line"),
        ("event: a\n\ndata: x\n\n", "1 event + 1 without data"),
        ("", "0 events"),
    ],
)
def test_comments_are_no_events(body: str, words: str) -> None:
    reading = read(Exchange("x.sse", "sse-body", MemoryBody(body.encode())), KIT, framing="sse")
    counts = {bits: reading.events.flags.count(bits) for bits in set(reading.events.flags)}
    assert event_words(counts) == words
