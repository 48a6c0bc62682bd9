"""NDJSON lines and bodies that are no stream."""

from __future__ import annotations

from itertools import pairwise

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
    (b' \t\r\n{"a":1}\n', [b'{"a":1}']),
    (b'\xef\xbb\xbf\n{"a":1}\n', [b'{"a":1}']),
    (b'{"a":1}\n\xef\xbb\xbf{"a":2}\n', [b'{"a":1}', b'\xef\xbb\xbf{"a":2}']),
    (b'{"a":1}\x0b\n\x0c\n', [b'{"a":1}\x0b', b"\x0c"]),
    (b'{"a":"\xc2\x85"}\r{"a":2}\n', [b'{"a":"\xc2\x85"}\r{"a":2}']),
    (b'{"a":1}\r\r\n\r', [b'{"a":1}\r']),
    (b'7\n[1]\n{"a":', [b"7", b"[1]", b'{"a":']),
]


def rows_of(lines: Lines, events: Events) -> list[range]:
    """The lines of each event."""
    return [range(*pair) for pair in pairwise([*events.first_lines, len(lines)])] if events.first_lines else []


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
    contents = [
        [body[line.start : line.end] for line in map(lines.__getitem__, rows)] for rows in rows_of(lines, events)
    ]
    first = [[rows[0].removeprefix(b"\xef\xbb\xbf"), *rows[1:]] for rows in contents[:1]]
    assert [ndjson.data_of(rows) for rows in [*first, *contents[1:]]] == payloads
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
