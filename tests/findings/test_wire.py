"""Counts, places and causes of the rules about bytes, lines and ends."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, Fault, Finding, Http, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.run import read
from inspector_app.report.end_words import end_words
from tests.core.timed import MS, reading_of
from tests.framing.aws_frames import event

KIT = load_kit()
STREAMS = Path(__file__).parent / "streams"


def chunk(delta: str, finish: str = "null") -> bytes:
    start = b'data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":'
    return start + f'{delta},"finish_reason":{finish}}}]}}\n\n'.encode()


ROLE = chunk('{"role":"assistant","content":""}')
TEXT = chunk('{"content":"a"}')
STOP = chunk("{}", '"stop"')
DONE = b"data: [DONE]\n\n"
RAW = b'"content_filter_raw":[1]'


def check(body: bytes, content_type: str | None = None, **known: Any) -> dict[str, Finding]:
    http = Http(200, [("Content-Type", content_type)]) if content_type else None
    exchange = Exchange("x", "sse-body", MemoryBody(body), http=http, **known)
    analysis = Analysis(exchange, KIT)
    analysis.feed(body)
    return {finding.rule: finding for finding in analysis.finish().findings}


@pytest.mark.parametrize(
    "rule, body, places",
    [
        ("sse-no-space", ROLE + TEXT.replace(b"data: ", b"data:") + STOP + DONE, [TEXT.replace(b": {", b":{").strip()]),
        ("sse-no-space", b"\xef\xbb\xbfid:1\n" + ROLE + STOP + DONE, [b"id:1"]),
        ("sse-no-data-block", b"id: 1\n" + ROLE + b"\n\n" + STOP + DONE, [b"\n", b"\n"]),
        ("sse-no-data-block", b"\nretry: 9\nevent: x\n\n" + ROLE + STOP + DONE, [b"\nretry: 9\nevent: x\n\n"]),
        ("sse-no-data-block", b"id: 1\n" + ROLE + b": a\n: b\n\n\n" + STOP + DONE, [b": a\n: b\n\n", b"\n"]),
        ("sse-unusual-line-ends", ROLE + TEXT.replace(b"\n", b"\r") + STOP + DONE, [b"\r", b"\r"]),
        ("sse-unusual-line-ends", ROLE.replace(b"\n", b"\r\n") * 3 + TEXT, [b"\n", b"\n"]),
        ("sse-unicode-linebreak", b": a\x0bb\x0cc\n\n: \xe2\x80\xa9\n\n" + ROLE, [b"\x0b", b"\xe2\x80\xa9"]),
        ("sse-ignored-line", ROLE + b"\xef\xbb\xbfdata: x\nfoo\n\n" + STOP + DONE, [b"\xef\xbb\xbfdata: x", b"foo"]),
        ("sse-unframed-json", ROLE + b'{"error":{"message":"no"}}\n[{}]\n\n', [b'{"error":{"message":"no"}}', b"[{}]"]),
        ("sse-event-name-mismatch", b"id: 1\nevent: chunk\n" + ROLE + STOP + DONE, [b"event: chunk"]),
        ("body-html", ROLE + b"<!DOCTYPE html>\n<html>\n\n<html>\n\n", [b"<!DOCTYPE html>", b"<html>"]),
        ("body-invalid-utf8", ROLE + b": \xff\xfe \xe2\x82\n\n" + STOP + DONE, [b"\xff", b"\xfe", b"\xe2\x82"]),
        ("end-marker-in-text", ROLE + chunk('{"content":"[DONE] [DONE]"}') + STOP + DONE, [b"[DONE]"]),
        ("end-marker-unframed", ROLE + STOP + b"[DONE]\n", [b"[DONE]"]),
        ("end-data-after-marker", ROLE + STOP + DONE + b": x\n\n" + TEXT + DONE, [TEXT]),
        ("end-marker-duplicate", ROLE + STOP + DONE + TEXT + DONE + DONE, [DONE, DONE]),
        ("end-truncated", ROLE + TEXT, [b""]),
        ("meta-unknown-value", ROLE + chunk('{"content":[{"type":"x"}]}') * 3 + STOP + DONE, [b'{"type":"x"}'] * 3),
        ("meta-unknown-value", ROLE + TEXT + chunk("{}", '"tired"') + DONE, [b'"finish_reason":"tired"']),
        ("meta-id-drift", ROLE + TEXT + TEXT.replace(b"c1", b"c2") + STOP + DONE, [b'"id":"c2"']),
        ("meta-filter-data", (ROLE + TEXT * 2).replace(b'"finish', b'"content_filter_raw":[1],"finish'), [RAW] * 3),
        ("json-duplicate-key", ROLE + TEXT * 2 + TEXT.replace(b'{"id', b'{"id":"c1","id'), [b'"id":"c1"']),
    ],
)
def test_places(rule: str, body: bytes, places: list[bytes]) -> None:
    finding = check(body)[rule]
    assert [body[place.start : place.end] for place in finding.places] == places
    assert finding.count == len(places)


def test_twenty_places_are_kept_and_all_are_counted() -> None:
    finding = check(b": ping\n\n" * 25 + ROLE + STOP + DONE)["sse-comment"]
    assert (finding.count, len(finding.places), len(finding.events)) == (25, 20, 25)
    finding = check((ROLE + TEXT * 15 + STOP + DONE).replace(b"\n", b"\r"))["sse-unusual-line-ends"]
    assert (finding.count, len(finding.places)) == (36, 20)


@pytest.mark.parametrize(
    "body, content_type, rule, cause",
    [
        (b"<html></html>", "text/event-stream", "body-not-sse", "body-html"),
        (b'{"error":{"message":"no"}}', "text/event-stream", "body-not-sse", "body-json-error"),
        (b'{"error":{"message":"no"}}', "text/event-stream", "sse-unframed-json", "body-json-error"),
        (ROLE + b"<html>\n<head>\n\n", "text/event-stream", "sse-ignored-line", "body-html"),
        (b"upstream gone", "text/event-stream", "body-not-sse", None),
        (event("messageStop", {"stopReason": "end"}).replace(b'":"', b'":}'), None, "json-invalid", "frame-aws-crc"),
        (b"data: {]\n\n" + TEXT, None, "json-invalid", None),
        (ROLE + TEXT, None, "end-marker-missing", "end-truncated"),
        (ROLE + TEXT + STOP, None, "end-marker-missing", None),
    ],
)
def test_what_only_follows_stands_under_its_cause(
    body: bytes, content_type: str | None, rule: str, cause: str | None
) -> None:
    found = check(body, content_type)
    assert found[rule].under == cause
    assert cause is None or cause in found


def test_a_log_that_lost_its_envelope_is_not_judged_by_it() -> None:
    lines = (ROLE + TEXT + STOP).replace(b"data: ", b"").replace(b"\n\n", b"\n")
    log = lines + b'{"choices":[{"ind'
    wire = ("http-", "sse-", "frame-", "end-marker-")
    assert not [rule for rule in check(log, "text/html", framing="ndjson", synthetic=True) if rule.startswith(wire)]
    assert "frame-cut" in check(log, framing="ndjson")


def test_a_body_without_events_has_no_event_in_its_findings() -> None:
    finding = check(b"<html></html>")["body-html"]
    assert finding.events == array("I")
    assert [place[1:] for place in finding.places] == [(0, 13)]


def test_bytes_that_could_not_be_decompressed_are_not_called_no_stream() -> None:
    exchange = Exchange("x", "http-response", MemoryBody(b"\x8b\xff\xfe\x80"))
    exchange.http = Http(200, [("Content-Type", "text/event-stream"), ("Content-Encoding", "br")])
    exchange.faults = [Fault("http-compressed", 0, 0, "br")]
    analysis = Analysis(exchange, KIT)
    analysis.feed(exchange.body.slice(0, 4))
    assert "body-not-sse" not in {finding.rule for finding in analysis.finish().findings}


def test_dialect_switch() -> None:
    """An event of another dialect in a Chat stream; a made-up dialect, since Chat is the only one so far."""
    other: Any = SimpleNamespace(
        NAME="other",
        evidence=lambda payload, name: 2 if isinstance(payload, dict) and "other" in payload else 0,
        decode=lambda payload, name: [],
        keys=lambda payload: iter(payload),
        provider=lambda payload: None,
    )
    dialects: dict[str, ModuleType] = {**KIT.dialects, "other": other}
    body = ROLE + TEXT + b'data: {"other":1}\n\n' + STOP + DONE
    analysis = Analysis(Exchange("x", "sse-body", MemoryBody(body)), replace(KIT, dialects=dialects))
    analysis.feed(body)
    found = {finding.rule: finding for finding in analysis.finish().findings}
    assert list(found["meta-dialect-switch"].events) == [2]
    assert "other" in found["meta-dialect-switch"].message


@pytest.mark.parametrize("name", ["fires-in-the-answer", "fires-in-an-event", "fires-before-the-answer"])
def test_who_stops_an_answer_is_told_so_and_nobody_is_accused(name: str) -> None:
    exchange = read_input(str(STREAMS / "end-cancelled" / f"{name}.rec.jsonl"))[0]
    analysis = Analysis(exchange, KIT)
    analysis.feed(exchange.body.slice(0, len(exchange.body)))
    reading = analysis.finish()
    assert [(finding.rule, finding.severity) for finding in reading.findings] == [("end-cancelled", "info")]
    assert reading.findings[0].message == "The answer was cancelled before its end: stopped by the user."
    assert end_words(reading) == "stopped by the user (cancelled)"
    assert [block.fields.get("cancelled") for block in reading.blocks] == ["stopped by the user"] * len(reading.blocks)


@pytest.mark.parametrize(
    ("last", "end", "said"),
    [
        (2000, 7700, "; nothing had come for 5.70 s"),
        (2000, 2999, ""),
        (2000, 1000, ""),
        (2000, None, ""),
        (None, 7700, ""),
    ],
)
def test_how_long_nothing_had_come_is_told_of_an_answer_that_was_stopped(
    last: int | None, end: int | None, said: str
) -> None:
    about = {"end": {"how": "cancelled"}, "end_time": None if end is None else end * MS}
    reading = reading_of([(1000, ROLE), (last, TEXT)], **about)
    (finding,) = (finding for finding in reading.findings if finding.rule == "end-cancelled")
    told = finding.message.replace("\u2009", " ")
    assert told == f"The answer was cancelled before its end: stopped by the user{said}."


def test_who_passed_an_answer_on_says_who_left() -> None:
    exchange = read_input(str(STREAMS / "end-cancelled" / "fires-in-the-answer.rec.jsonl"))[0]
    exchange.end = {**(exchange.end or {}), "detail": "the client closed the connection"}
    analysis = Analysis(exchange, KIT)
    analysis.feed(exchange.body.slice(0, len(exchange.body)))
    reading = analysis.finish()
    assert reading.findings[0].message == "The answer was cancelled before its end: the client closed the connection."
    assert end_words(reading) == "the client closed the connection (cancelled)"
    assert {block.fields.get("cancelled") for block in reading.blocks} == {"the client closed the connection"}


def test_where_this_program_stopped_nothing_is_said_of_the_end() -> None:
    exchange = read_input(str(STREAMS / "end-not-reached" / "fires-decompressed-far.http"))[0]
    reading = read(exchange, KIT)
    assert [finding.rule for finding in reading.findings] == [
        "meta-limit-reached",
        "http-compressed",
        "end-not-reached",
    ]
    assert not reading.clean
