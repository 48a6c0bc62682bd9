"""NDJSON lines and bodies that are no stream."""

from __future__ import annotations

import pytest

from inspector_app.core.frame import Frame
from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import Events, Lines
from inspector_app.framing import document, ndjson

LINES: list[tuple[bytes, list[bytes]]] = [
    (b'{"a":1}\n{"a":2}\n', [b'{"a":1}', b'{"a":2}']),
    (b'{"a":1}\r\n\r\n{"a":2}', [b'{"a":1}', b'{"a":2}']),
    (b'\xef\xbb\xbf{"a":1}\n', [b'{"a":1}']),
    ('{"a":"\u2028"}\n'.encode(), ['{"a":"\u2028"}'.encode()]),
    (b"\n\n", []),
]


@pytest.mark.parametrize(("body", "payloads"), LINES)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_one_event_per_line(body: bytes, payloads: list[bytes], size: int) -> None:
    lines, events = Lines(), Events()
    reader = ndjson.create(ReadingRules(), lines, events)
    found: list[bytes | Frame] = []
    for start in range(0, len(body), size):
        found += reader.feed(body[start : start + size])
    found += reader.close()
    assert [frame.data if isinstance(frame, Frame) else frame for frame in found] == payloads
    assert (
        b"".join(body[line.start : line.end] + line.eol for line in map(lines.__getitem__, range(len(lines)))) == body
    )


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize("body", [b'{\r\n "a": 1\r}\n', b'{"a":1}', b'{"a":1}\r'])
def test_a_json_document_is_one_event_over_all_its_lines(body: bytes, size: int) -> None:
    lines, events = Lines(), Events()
    reader = document.create(ReadingRules(), lines, events, "json")
    for start in range(0, len(body), size):
        assert reader.feed(body[start : start + size]) == []
    [frame] = reader.close()
    assert isinstance(frame, Frame)
    assert frame.data == body
    assert (
        b"".join(body[line.start : line.end] + line.eol for line in map(lines.__getitem__, range(len(lines)))) == body
    )


def test_a_page_has_lines_and_no_event() -> None:
    lines, events = Lines(), Events()
    reader = document.create(ReadingRules(), lines, events, "html")
    reader.feed(b"<html>\n<body>\n")
    assert reader.close() == []
    assert (len(lines), len(events.first_lines)) == (2, 0)
