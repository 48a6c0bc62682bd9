"""Whole events are tabled at once, pieces of them line by line: both say the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.rules import ReadingRules
from inspector_app.core.store import Events, Lines
from inspector_app.framing.sse import create

LINES = st.sampled_from(
    [
        *(
            b'data: {"a":1}',
            b'data:{"a":1}',
            b"data: ",
            b"data:",
            b"data",
            b"data:  x",
            b"data: [DONE]",
            b"data: \xc3\xa9",
        ),
        *(b"event: delta", b"event:delta", b"event", b"event: ", b"id: 7", b"id:8", b"id", b"id: \0", b"id: 9"),
        *(b": comment", b":HTTP_STATUS/200", b":", b"retry: 5", b"retry: x", b"foo: bar", b"[DONE]", b'{"error":1}'),
        *(b"", b" data: x", b"data : x", b"\xef\xbb\xbfdata: x", b"data: a:b"),
    ]
)
EVENT = st.lists(LINES, min_size=1, max_size=5)
USUAL = st.sampled_from([[b'data: {"a":1}'], [b"event: e", b"data: 1"], [b"id:1", b"event:e", b":c", b"data:1"]])
RULES = st.sampled_from(
    [
        ReadingRules(),
        ReadingRules(comment="drop-event"),
        ReadingRules(comment="end"),
        *(ReadingRules(multi_data=what) for what in ("last", "each")),
        ReadingRules(space_required=True),
        ReadingRules(blank_fires=frozenset({"event", "id", "retry"})),
    ]
)


def tabled(reads: list[bytes], rules: ReadingRules) -> object:
    lines, events = Lines(), Events()
    reader = create(rules, lines, events)
    frames = [frame for read in reads for frame in reader.feed(read)]
    frames += reader.close()
    columns = list(lines.starts), bytes(lines.eols), lines.size, list(events.first_lines), list(events.flags)
    return frames, columns, events.names, list(events.id_events), events.ids, events.taken, +reader.counts


@given(
    whole=st.lists(EVENT | USUAL, max_size=8),
    eol=st.sampled_from([b"\n", b"\r\n"]),
    tail=st.sampled_from([b"", b"data: 1", b"data: 1\n", b"\n", b"\r", b"\r\n"]),
    rules=RULES,
    data=st.data(),
)
def test_cuts_change_nothing(
    whole: list[list[bytes]], eol: bytes, tail: bytes, rules: ReadingRules, data: st.DataObject
) -> None:
    body = b"".join(eol.join(event) + eol + eol for event in whole) + tail
    cuts = sorted(data.draw(st.sets(st.integers(0, len(body)), max_size=3)))
    pieces = [body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    single = tabled([body[at : at + 1] for at in range(len(body))], rules)
    assert tabled(pieces, rules) == tabled([body], rules) == single


ODD = [
    b"data: 2",
    b"data:",
    b"data: ",
    b"data:  x",
    b"data",
    b"data:1\ndata:2",
    b"data:[DONE]",
    b":c",
    b"data:\tx",
    b"id:1",
]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("usual", [b'data: {"a":1}', b'data:{"a":1}'])
@pytest.mark.parametrize("rules", [ReadingRules(), ReadingRules(space_required=True), ReadingRules(comment="end")])
def test_events_of_one_kind_with_another_among_them(rules: ReadingRules, usual: bytes, odd: bytes) -> None:
    for place in range(5):
        events = [usual] * 4
        events.insert(place, odd)
        for eol in (b"\n", b"\r\n"):
            body = b"".join(event.replace(b"\n", eol) + eol + eol for event in events)
            assert tabled([body], rules) == tabled([body[at : at + 1] for at in range(len(body))], rules)
