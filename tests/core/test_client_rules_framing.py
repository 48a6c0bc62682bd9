"""Every reading rule of the framing: a stream, what the reference reads, what a client with the rule reads (22.2)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from inspector_app.core.rules import RULES
from tests.core.streams import DONE, chunk, data, end, outcome, read, rules_of, said, sse, stream

A, B = data(said("a")), data(said("b"))
LONG = data(said("b" * 200))
PRETTY = json.dumps(said("a"), indent=1).replace("\n", "\ndata: ")
CONCAT = json.dumps({"object": "chat.completion", "choices": [{"index": 0, "message": {"content": "whole"}}]})
ERROR = '{"error":{"message":"broken"}}'

BOTH = ["T:ab"]


def raw(*lines: str, ends: str = "\n") -> bytes:
    return "".join(line + ends for line in lines).encode()


Row = tuple[dict[str, Any], bytes, list[str], list[str]]

ROWS: list[Row] = [
    # framing
    ({"framing": "lf-lines"}, raw(f"data: {A}\r\rdata: {B}", ""), BOTH, []),
    ({"framing": "lf-lines", "multi_data": "each"}, raw(f"data: {A}", "", f"data: {B}", "", ends="\r\n"), BOTH, BOTH),
    ({"framing": "slice5"}, raw(f"data: {A}", "", f"json:{B}", ": no", ""), ["T:a"], BOTH),
    ({"framing": "slice5"}, raw(f"data: {A}", f"data: {B}", ""), BOTH, BOTH),
    ({"framing": "slice5"}, raw(ERROR, f"data: {A}", ""), ["T:a", "E:broken"], ["T:a"]),
    ({"space_required": True}, raw(f"data:{B}", ERROR, "", f"data: {A}", ""), ["T:b", "E:broken", "T:a"],
     ["E:broken", "T:a"]),
    ({"multi_data": "each"}, raw(f"data: {A}", ERROR, f"data: {B}", ""), ["T:ab", "E:broken"],
     ["T:a", "E:broken", "T:b"]),
    ({"framing": "slice5", "repairs": []}, raw(f"data: {A}", f"data: {B}", ""), BOTH, BOTH),
    ({"framing": "lf-blocks", "repairs": []}, raw(f"data: {A}", "", f"data: {B}", "", ends="\r\n"), BOTH, []),
    ({"framing": "lf-blocks"}, raw(f"data: {A}\r", "", f"data: {B}\r", ""), BOTH, BOTH),
    # lines
    (
        {"final_cr": "held", "dangling": "drop"},
        raw(f"data: {A}", "", f"data: {B}", "", ends="\r"),
        BOTH,
        ["T:a"],
    ),
    ({"space_required": True}, raw(f"data: {A}", "", f"data:{B}", ""), BOTH, ["T:a"]),
    ({"space_required": True}, raw(f"data: {A}", f"data:{B}", ""), BOTH, ["T:a"]),
    ({"bom": "kept"}, raw(f"\ufeffdata: {A}", "", f"data: {B}", ""), BOTH, ["T:b"]),
    ({"unicode_lines": True}, sse(said("a\u2028b"), said("c")), ["T:a\u2028bc"], ["T:c"]),
    ({"unicode_lines": True}, sse(said("a\x85b"), said("c")), ["T:a\x85bc"], ["T:c"]),
    (
        {"max_line": 200},
        sse(said("a"), LONG, said("c")),
        ["T:a" + "b" * 200 + "c"],
        ["T:a", f"raises at 0: line of {len(LONG) + 6} bytes is longer than 200"],
    ),
    # events without data
    (
        {"blank_fires": ["event"], "empty_data": "parse", "bad_json": "throw"},
        raw("event: ping", "", f"data: {A}", ""),
        ["T:a"],
        ["raises at 0: JSON error"],
    ),
    (
        {"blank_fires": ["retry"], "empty_data": "parse", "bad_json": "part"},
        raw("retry: 10", "", f"data: {A}", ""),
        ["T:a"],
        ["T:a", "part at 0: JSON error"],
    ),
    (
        {"blank_fires": ["id"], "empty_data": "parse", "bad_json": "throw"},
        raw("id: 1", f"data: {A}", "", "", f"data: {B}", ""),
        BOTH,
        ["T:a", "raises at 1: JSON error"],
    ),
    (
        {"blank_fires": ["id"], "empty_data": "parse", "bad_json": "throw"},
        raw("id: 1", f"data: {A}", "", ": ping", "", f"data: {B}", ""),
        BOTH,
        ["T:a", "raises at 1: JSON error"],
    ),
    (
        {"blank_fires": ["event", "id", "retry"], "empty_data": "parse", "bad_json": "throw"},
        raw("id:", "event:", "retry: soon", "", f"data: {A}", ""),
        ["T:a"],
        ["T:a"],
    ),
    ({"blank_fires": ["event", "id", "retry"]}, raw("id: 1", "event: e", "", f"data: {A}", ""), ["T:a"], ["T:a"]),
    (
        {"empty_data": "parse", "bad_json": "part"},
        raw(f"data: {A}", "", "data:", "", f"data: {B}", ""),
        BOTH,
        ["T:ab", "part at 1: JSON error"],
    ),
    # several data lines
    ({"multi_data": "last"}, raw(f"data: {PRETTY}", "", f"data: {B}", ""), BOTH, ["T:b"]),
    ({"multi_data": "last", "repairs": []}, raw(f"data: {A}", f"data: {B}", ""), BOTH, ["T:b"]),
    ({"multi_data": "each", "repairs": []}, raw(f"data: {A}", f"data: {B}", ""), BOTH, BOTH),
    ({"multi_data": "each"}, raw(f"data: {PRETTY}", "", f"data: {B}", ""), BOTH, ["T:b"]),
    # comments
    ({"comment": "drop-event"}, raw(f"data: {A}", "", ": ping", f"data: {B}", ""), BOTH, ["T:a"]),
    ({"comment": "end"}, raw(f"data: {A}", "", ": ping", "", f"data: {B}", ""), BOTH, ["T:a"]),
    # the end of the data
    ({"dangling": "drop"}, raw(f"data: {A}", "", f"data: {B}"), BOTH, ["T:a"]),
    ({"dangling": "flush"}, raw(f"data: {A}", "", f"data: {B}"), BOTH, BOTH),
    # no SSE
    ({"not_sse": "nothing"}, CONCAT.encode(), ["T:whole"], []),
    ({"not_sse": "nothing", "finish_default": "stop"}, CONCAT.encode(), ["T:whole"], []),
    ({"not_sse": "error"}, CONCAT.encode(), ["T:whole"], ["raises at 0: the body is no event stream"]),
    ({"not_sse": "error"}, b"<html>502</html>\n", [], ["raises at 0: the body is no event stream"]),
    # the end marker
    ({"done": "prefix"}, sse(said("a"), "[DONE] bye", said("b")), BOTH, ["T:a"]),
    ({"done": "anywhere"}, sse(said("a"), said("b"), said("c"), said("say [DONE]"), said("d")),
     ["T:abcsay [DONE]d"], ["T:abc"]),
    ({"done": "ignored"}, sse(said("a"), DONE, said("b")), BOTH, BOTH),
    ({"done": "ignored", "end_marker": "error"}, stream(said("a")),
     ["T:a", "finish stop"], ["T:a", "finish stop", "raises at 2: the stream ended without its end marker"]),
    # event lines
    ({"named_event": "required"}, raw(f"data: {A}", "", "event: e", f"data: {B}", ""), BOTH, ["T:b"]),
    ({"named_event": "wrap"}, raw("event: message", f"data: {A}", "", "event: e", f"data: {B}", ""), BOTH, ["T:a"]),
    ({"named_event": "skip"}, raw("event: e", f"data: {A}", "", f"data: {B}", ""), BOTH, ["T:b"]),
    # payloads that do not parse, errors that nobody framed
    ({"bad_json": "throw"}, sse(said("a"), "{no", said("b")), BOTH, ["T:a", "raises at 1: JSON error"]),
    ({"bad_json": "part"}, sse(said("a"), "{no", said("b")), BOTH, ["T:ab", "part at 1: JSON error"]),
    ({"bad_json": "skip"}, sse(said("a"), "{no", said("b")), BOTH, BOTH),
    ({"object_required": "chat.completion.chunk"}, sse(said("a"), {"choices": [{"delta": {"content": "b"}}]}),
     ["T:ab"], ["T:a"]),
    ({"object_required": "chat.completion.chunk"}, sse(said("a"), ERROR), ["T:a", "E:broken"], ["T:a", "E:broken"]),
    ({"bare_error_line": "ignored"}, raw(f"data: {A}", "", ERROR), ["T:a", "E:broken"], ["T:a"]),
    ({"bare_error_line": "ignored"}, raw(f"data: {A}", "", "error: " + ERROR), ["T:a", "E:broken"], ["T:a"]),
    # repairs
    ({"repairs": []}, sse("data: " + A, said("b")), BOTH, ["T:b"]),
    ({"repairs": ["sse-double-wrapped"]}, sse("data: " + A, said("b")), BOTH, BOTH),
    ({"repairs": []}, sse(A + B, chunk({"content": "c"})), ["T:abc"], ["T:c"]),
    ({"repairs": ["json-multiple-roots"]}, sse(A + B, chunk({"content": "c"})), ["T:abc"], ["T:abc"]),
    # every blank line lost: the end marker is in the one event there is
    ({"repairs": []}, raw(f"data: {A}", f"data: {B}", "data: [DONE]", ""), ["T:ab"], []),
    ({"repairs": ["json-multiple-roots"]}, raw(f"data: {A}", f"data: {B}", "data: [DONE]", ""), ["T:ab"], ["T:ab"]),
    ({"repairs": [], "end_marker": "error"}, sse(said("a"), end()) + b"[DONE]\n", ["T:a", "finish stop"],
     ["T:a", "finish stop", "raises at 2: the stream ended without its end marker"]),
]  # fmt: skip


def plain(lines: list[str]) -> list[str]:
    """Without what is wrong with the JSON, which the parser says in its own words."""
    return [re.sub("JSON error: .*", "JSON error", line) for line in lines]


@pytest.mark.parametrize("rules, body, reference, client", ROWS)
def test_a_rule_of_the_framing(rules: dict[str, Any], body: bytes, reference: list[str], client: list[str]) -> None:
    assert plain(outcome(read(body))) == reference
    assert plain(outcome(read(body, rules_of(**rules)))) == client


@pytest.mark.parametrize("size", [1, 2, 3, 17])
@pytest.mark.parametrize("rules, body", [(row[0], row[1]) for row in ROWS])
def test_reads_do_not_matter_to_a_client(rules: dict[str, Any], body: bytes, size: int) -> None:
    whole, cut = read(body, rules_of(**rules)), read(body, rules_of(**rules), size)
    assert outcome(cut) == outcome(whole)
    assert list(cut.events.first_lines) == list(whole.events.first_lines)
    assert (cut.stopped_at, cut.unread) == (whole.stopped_at, whole.unread)


@pytest.mark.parametrize("rules, body", [(row[0], row[1]) for row in ROWS])
def test_the_deltas_of_a_client_are_those_that_it_read(rules: dict[str, Any], body: bytes) -> None:
    reading = read(body, rules_of(**rules))
    for n in range(len(reading.events)):
        rows = reading.layouts[reading.events.layouts[n]].rows
        assert [(delta.kind, delta.choice, delta.pointer) for delta in reading.deltas(n)] == list(rows)


def test_every_value_has_a_row() -> None:
    shown = {(key, value) for rules, *_ in ROWS for key, value in rules.items() if isinstance(value, str)}
    shown |= {
        (key, item) for rules, *_ in ROWS for key, value in rules.items() if isinstance(value, list) for item in value
    }
    for key, rule in RULES.items():
        if rule.stage == "F":
            wanted = rule.values[1:] if rule.shape == "choice" else rule.values
            assert {(key, value) for value in wanted} <= shown
            assert any(key in rules for rules, *_ in ROWS)
