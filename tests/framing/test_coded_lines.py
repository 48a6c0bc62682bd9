"""Lines of a code and a JSON value: what they hold, whatever the reads, and which bodies are of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.frame import Frame
from inspector_app.core.kit import load_kit
from inspector_app.core.rules import ReadingRules
from inspector_app.core.sniff import Sniffer
from inspector_app.core.store import Events, Lines
from inspector_app.framing import coded_lines
from tests.framing.test_any_cut import answer

KIT = load_kit()

LINES: list[tuple[bytes, list[tuple[str | None, bytes]]]] = [
    (b'0:"a"\nd:{}\n', [("0", b'"a"'), ("d", b"{}")]),
    (b'0:"a"\r\n\r\n \n0:"b"', [("0", b'"a"'), ("0", b'"b"')]),
    (b'\xef\xbb\xbf0:"a"\n', [("0", b'"a"')]),
    (b'\n\n0:"a:b"\n', [("0", b'"a:b"')]),
    ('0:"\u2028"\n'.encode(), [("0", '"\u2028"'.encode())]),
    (b"0:\n<html>\nab:1\nA:1\n", [("0", b""), (None, b"<html>"), (None, b"ab:1"), (None, b"A:1")]),
    (b'0:"a\n', [("0", b'"a')]),
    (b"", []),
]


@pytest.mark.parametrize(("body", "events"), LINES)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_one_event_per_line(body: bytes, events: list[tuple[str | None, bytes]], size: int) -> None:
    lines, table = Lines(), Events()
    reader = coded_lines.create(ReadingRules(), lines, table)
    found: list[bytes | Frame] = []
    for start in range(0, len(body), size):
        found += reader.feed(body[start : start + size])
    found += reader.close()
    assert [(frame.name, frame.data) for frame in found if isinstance(frame, Frame)] == events
    assert [table.names.get(n) for n in range(len(found))] == [name for name, _ in events]
    places = zip(table.data_starts, table.data_ends, strict=True)
    assert [body[start:end] for start, end in places] == [data for _, data in events]
    rows = map(lines.__getitem__, range(len(lines)))
    assert b"".join(body[line.start : line.end] + line.eol for line in rows) == body


BODIES = [
    (b'0:"a"\n', "coded-lines"),
    (b'f:{"messageId":"m"}\n0:"a"\n', "coded-lines"),
    (b'\xef\xbb\xbf\n2:[{"a":1}]\n', "coded-lines"),
    (b'0:"a', "coded-lines"),
    (b'3:"no"', "coded-lines"),
    (b'0:"a" and more\n', "text"),
    (b"0:12\n", "text"),
    (b'2:{"a":1}\n', "text"),
    (b"9:30 we met\n", "text"),
    (b'a:"b"\n', "text"),
    (b'm:{"a":1}\n', "text"),
    (b'data:"a"\n\n', "sse"),
    (b'0:"a"x\n0:"a"\n', "text"),
    (b'0:"\xff"\n', "text"),
]


@pytest.mark.parametrize(("body", "framing"), BODIES)
def test_a_body_is_recognised_by_its_first_line(body: bytes, framing: str) -> None:
    for size in (1, 2, len(body)):
        sniffer = Sniffer(KIT.beginnings)
        found = None
        for start in range(0, len(body), size):
            found = found or sniffer.feed(body[start : start + size])
        assert (found or sniffer.close()) == framing


PARTS = [
    b'f:{"messageId":"m1"}',
    b'0:"Good "',
    '0:"d\u00e6g \u2028"'.encode(),
    b'g:"hm"',
    b'j:{"signature":"s"}',
    b'b:{"toolCallId":"c1","toolName":"f"}',
    b'c:{"toolCallId":"c1","argsTextDelta":"{\\"a\\":"}',
    b'9:{"toolCallId":"c1","toolName":"f","args":{"a":1}}',
    b'a:{"toolCallId":"c1","result":7}',
    b'2:[{"x":1}]',
    b'3:"no"',
    b'e:{"finishReason":"stop"}',
    b'd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":null}}',
    b"<p>502</p>",
    b"",
    b'0:"cut',
]


@given(
    st.lists(st.sampled_from(PARTS), max_size=12),
    st.sampled_from([b"\n", b"\r\n", b"\n\n", b"\r"]),
    st.lists(st.integers(1, 40), min_size=1, max_size=6),
    st.integers(0, 12),
)
def test_no_cut_changes_an_answer(parts: list[bytes], end: bytes, sizes: list[int], lost: int) -> None:
    body = b"".join(part + end for part in [PARTS[0], *parts])
    body = body[: max(1, len(body) - lost)]
    whole = answer(body, [len(body)])
    assert answer(body, sizes) == whole
    assert answer(body, [1]) == whole


def test_what_an_event_holds() -> None:
    found = answer(b'0:"a"\n\n<p>\n', [3])
    assert found["framing"] == "coded-lines"
    rows = [(row["name"], row["data"], row["bytes"], row["flags"]) for row in found["events"]]
    assert rows == [("0", '"a"', [0, 7], []), (None, "<p>", [7, 11], ["not-json"])]
