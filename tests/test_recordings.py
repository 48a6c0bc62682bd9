"""The gallery: each recording is whole, tells its story, and shows exactly the defect it is there for."""

from __future__ import annotations

import json
import random
import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.reading import Reading
from inspector_app.files import read_input
from inspector_app.lenses.load import load_lenses, shipped_folder
from inspector_app.lenses.run import read as read_exchange
from inspector_app.lenses.run import read_as

FOLDER = Path(__file__).parents[1] / "recordings"
SMALL = 80_000
"""Bytes; the gallery goes into the wheel and is opened for its thumbnails."""


class Expected(NamedTuple):
    """`blocks` are (kind, state, closed_by, deltas); `findings` rule -> count, with 0 where the count says nothing."""

    events: int
    reads: int
    blocks: list[tuple[str, str, str, int]]
    finish: list[str]
    marker: str | None
    findings: dict[str, int]


USAGE = {"choice-empty-list": 1}
"""What the chunk with the usage raises at the end of a healthy stream."""

GALLERY = {
    "empty-tool-calls": Expected(
        191, 64,
        [("reasoning", "complete", "text", 149), ("text", "complete", "finish", 38)],
        ["stop"], "[DONE]",
        {"tool-calls-empty-array": 188, "text-empty-beside-reasoning": 149, "choice-role-repeated": 1}
        | {"meta-all-fields": 150} | USAGE,
    ),
    "reasoning-details": Expected(
        53, 39,
        [("reasoning", "complete", "finish", 49)],
        ["stop"], "[DONE]",
        {"sse-comment": 3, "reasoning-field-variant": 47, "reasoning-order": 1} | USAGE,
    ),
    "mixed-spacing": Expected(
        15, 9,
        [("text", "complete", "tool_call", 7), ("tool_call", "complete", "finish", 8)],
        ["tool_calls"], "[DONE]",
        {"sse-no-space": 1, "tool-id-empty": 3, "tool-name-empty": 3} | USAGE,
    ),
    "call-in-three-chunks": Expected(
        24, 17,
        [("text", "complete", "tool_call", 15), ("tool_call", "complete", "finish", 9)],
        ["tool_calls"], "[DONE]",
        {"tool-id-empty": 2, "tool-name-empty": 2, "tool-name-late": 1} | USAGE,
    ),
    "finish-without-call": Expected(
        31, 24,
        [("text", "complete", "finish", 27)],
        ["tool_calls"], "[DONE]",
        {"finish-tools-without-call": 1} | USAGE,
    ),
    "cut-in-the-middle": Expected(
        108, 87,
        [("reasoning", "complete", "text", 36), ("text", "truncated", "end", 70)],
        [], None,
        {"end-truncated": 1, "end-marker-missing": 1, "finish-missing": 1, "frame-cut": 0, "sse-unterminated-event": 1}
        | {"text-empty-beside-reasoning": 36},
    ),
    "error-after-200": Expected(
        32, 22,
        [("text", "truncated", "error", 29), ("error", "complete", "explicit", 1)],
        [], "[DONE]",
        {"error-in-stream": 1, "error-then-done": 1, "finish-missing": 1},
    ),
    "held-back-burst": Expected(
        65, 2,
        [("text", "complete", "finish", 61)],
        ["stop"], "[DONE]",
        {"time-burst": 1} | USAGE,
    ),
    "half-a-minute-of-silence": Expected(
        78, 64,
        [("text", "complete", "finish", 74)],
        ["stop"], "[DONE]",
        {"time-stall": 1} | USAGE,
    ),
    "think-tags": Expected(
        75, 63,
        [("reasoning", "complete", "explicit", 38), ("text", "complete", "finish", 28)],
        ["stop"], "[DONE]",
        {"think-tag-inline": 1} | USAGE,
    ),
    "arguments-again-and-again": Expected(
        20, 13,
        [("text", "complete", "tool_call", 8), ("tool_call", "complete", "finish", 9)],
        ["tool_calls"], "[DONE]",
        {"tool-args-repeated": 1} | USAGE,
    ),
    "two-calls-on-one-index": Expected(
        22, 17,
        [("text", "complete", "tool_call", 6), *[("tool_call", "complete", "finish", 7)] * 2],
        ["tool_calls"], "[DONE]",
        {"tool-index-reused": 1} | USAGE,
    ),
    "web-page-instead": Expected(0, 2, [], [], None, {"body-html": 1, "body-not-sse": 1}),
    "framed-twice": Expected(
        32, 22,
        [("text", "complete", "finish", 28)],
        ["stop"], "[DONE]",
        {"sse-double-wrapped": 32} | USAGE,
    ),
    "two-finish-reasons": Expected(
        25, 19,
        [("text", "complete", "tool_call", 13), ("tool_call", "complete", "finish", 8)],
        ["tool_calls", "stop"], "[DONE]",
        {"finish-conflict": 1, "finish-chunk-after": 1} | USAGE,
    ),
    "tool-markup-in-text": Expected(
        39, 27,
        [("text", "complete", "finish", 35)],
        ["stop"], "[DONE]",
        {"tool-markup-leak": 1} | USAGE,
    ),
    "usage-counted-twice": Expected(
        61, 43,
        [("text", "complete", "finish", 57)],
        ["stop"], "[DONE]",
        {"usage-cumulative": 2} | USAGE,
    ),
}  # fmt: skip

# fmt: off
ONE_CAUSE = {
    "cut-in-the-middle": {
        "sse-unterminated-event": "frame-cut", "end-truncated": "frame-cut", "finish-missing": "end-truncated",
        "end-marker-missing": "end-truncated",
    },
    "error-after-200": {"finish-missing": "error-in-stream"},
    "web-page-instead": {"body-not-sse": "body-html"},
}
# fmt: on
"""Findings that only follow from another one, by recording."""


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.rec.jsonl"


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path_of(name).read_bytes().splitlines()]


def read(name: str, kit: Kit) -> Reading:
    [exchange] = read_input(str(path_of(name)))
    return read_exchange(exchange, kit)


def read_by(client: str, name: str, kit: Kit) -> Reading:
    return read_as(load_lenses([shipped_folder()])[client], read(name, kit), kit)


def read_in_pieces(name: str, pieces: Iterable[bytes], kit: Kit) -> Reading:
    [exchange] = read_input(str(path_of(name)))
    analysis = Analysis(exchange, kit)
    for piece in pieces:
        analysis.feed(piece)
    return analysis.finish()


def test_the_table_has_every_recording() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {path_of(name).name for name in GALLERY}


@pytest.mark.parametrize("name", GALLERY)
def test_a_recording_is_whole(name: str) -> None:
    header, head, *reads, end = records(name)
    assert path_of(name).stat().st_size < SMALL
    assert header["format"] == "stream-inspector/recording"
    assert head["head"]["status"] == 200
    assert dict(head["head"]["headers"])["content-type"].startswith("text/event-stream")
    for number, record in enumerate(reads):
        assert record["crc"] == f"{zlib.crc32(record['text'].encode()):08x}", number
    times = [record["t"] for record in (head, *reads, end)]
    assert times == sorted(times)
    assert times[0] > 0
    assert end["end"]["how"] == {"cut-in-the-middle": "truncated", "web-page-instead": "eof"}.get(name, "done")
    assert len(reads) == GALLERY[name].reads


@pytest.mark.parametrize("name", GALLERY)
def test_a_recording_says_what_to_see(name: str) -> None:
    header, *_ = records(name)
    assert 0 < len(header["title"]) <= 40
    assert re.fullmatch(r"\S[^\n]{20,180}\.", header["story"])
    assert header["request"]["body"]["model"]
    assert header["request"]["body"]["messages"]


@pytest.mark.parametrize("name", GALLERY)
def test_no_recording_holds_a_key(name: str) -> None:
    header, *_ = records(name)
    values = [value for key, value in header["request"]["headers"] if key == "authorization"]
    assert header["redacted"] == ["authorization"]
    assert len(values) == 1
    assert re.fullmatch(r"<redacted: sha256:[0-9a-f]{8}, \d+ chars>", values[0])
    assert b"Bearer" not in path_of(name).read_bytes()


@pytest.mark.parametrize("name", GALLERY)
def test_a_recording_reads_as_its_story_says(name: str, kit: Kit) -> None:
    reading = read(name, kit)
    expected = GALLERY[name]
    assert reading.exchange.timing == "measured"
    assert len(reading.events) == expected.events
    assert [(b.kind, b.state, b.closed_by, len(b.deltas)) for b in reading.blocks] == expected.blocks
    assert [finish["raw"] for finish in reading.finishes] == expected.finish
    assert reading.marker == expected.marker
    assert reading.dialect == ("none" if name == "web-page-instead" else "openai-chat")


@pytest.mark.parametrize("name", GALLERY)
def test_a_recording_raises_its_findings_and_no_others(name: str, kit: Kit) -> None:
    findings = read(name, kit).findings
    expected = GALLERY[name].findings
    assert {finding.rule for finding in findings} == set(expected)
    counted = {finding.rule: finding.count for finding in findings if expected[finding.rule]}
    assert counted == {rule: count for rule, count in expected.items() if count}
    under = {finding.rule: finding.under for finding in findings if finding.under}
    assert under == ONE_CAUSE.get(name, {})


def essence(reading: Reading) -> object:
    blocks = [(b.kind, b.state, b.closed_by, b.closed_at, b.text, list(b.deltas)) for b in reading.blocks]
    findings = [(f.rule, f.message, f.count, f.places, list(f.events), f.pointer) for f in reading.findings]
    return reading.framing, reading.dialect, len(reading.lines), blocks, findings


@pytest.mark.parametrize("name", GALLERY)
def test_where_the_reads_end_changes_nothing(name: str, kit: Kit) -> None:
    whole = read(name, kit)
    body = whole.body.slice(0, len(whole.body))
    chance = random.Random(name)
    cuts = sorted(chance.sample(range(len(body)), 40))
    pieces = [body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    assert essence(read_in_pieces(name, pieces, kit)) == essence(whole)
    single = (body[at : at + 1] for at in range(len(body)))
    assert essence(read_in_pieces(name, single, kit)) == essence(whole)


def test_an_empty_list_of_calls_cuts_the_reasoning_of_one_client(kit: Kit) -> None:
    reading = read_by("zcode-3.11", "empty-tool-calls", kit)
    assert [block.kind for block in reading.blocks] == ["reasoning"] * 149 + ["text"]
    assert {len(block.deltas) for block in reading.blocks[:149]} == {1}


def test_one_client_reads_nothing_of_reasoning_details(kit: Kit) -> None:
    reading = read_by("openclaw", "reasoning-details", kit)
    assert reading.blocks == []
    assert "payloads=0" in (reading.client_error or {})["message"]


def test_one_client_loses_the_name_of_a_line_without_a_space(kit: Kit) -> None:
    call = read_by("wingmate-2026-06", "mixed-spacing", kit).blocks[-1]
    assert (call.kind, call.fields["id"], call.fields["name"], len(call.text)) == ("tool_call", "", "", 17)
    assert call.fields["executable"] is False


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("mixed-spacing", [{"city": "Bergen"}]),
        ("call-in-three-chunks", [{"from": "Sævrøy", "to": "Fedje", "arrive_by": "12:30"}]),
        (
            "arguments-again-and-again",
            [{"name": "Storebotn", "lat": 60.3, "lon": 5.41, "icon": "viewpoint", "note": "bench"}],
        ),
        (
            "two-calls-on-one-index",
            [{"harbour": "Bergen", "day": "2026-10-17"}, {"harbour": "Stavanger", "day": "2026-10-17"}],
        ),
        ("two-finish-reasons", [{"harbour": "Skjerjehamn", "night": "2026-11-13", "metres": 10}]),
    ],
)
def test_the_reference_can_run_the_calls(name: str, arguments: list[dict[str, Any]], kit: Kit) -> None:
    calls = [block for block in read(name, kit).blocks if block.kind == "tool_call"]
    assert [call.fields["arguments_json"] for call in calls] == arguments
    assert all(call.fields["executable"] and call.fields["id"] and call.fields["name"] for call in calls)


def test_entries_of_one_delta_are_read_in_the_order_of_their_index(kit: Kit) -> None:
    [reasoning] = read("reasoning-details", kit).blocks
    assert "leave with a quarter of an hour's margin in hand" in reasoning.text
