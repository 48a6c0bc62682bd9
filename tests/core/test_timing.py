"""First times, the waits between reads and what they lie in, and the verdict on buffering, checked by hand."""

from __future__ import annotations

from array import array
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_app.core.analysis import Analysis
from inspector_app.core.buffering import buffering, conclusion
from inspector_app.core.reading import Reading
from inspector_app.core.store import SegmentBody
from inspector_app.core.text import THIN_SPACE
from inspector_app.core.timing import BINS, DURATION, EDGES, FIRST_CHUNK, PER_CHUNK, Wait, Waits, ladder, metrics
from inspector_app.core.types import Exchange
from tests.core.streams import DONE, KIT, end, said, sse, thought, tool
from tests.core.timed import MS, exchange_of, head, reading_of

ROLE = sse({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})


def waits_of(reading: Reading) -> Waits:
    waits = Waits(reading)
    waits.extend()
    return waits


def answer() -> Reading:
    """A comment, a role, two thoughts, a text in two reads, a call, and the end."""
    word = sse(said("word"))
    return reading_of(
        [
            (100, b": hello\n\n" + ROLE),
            (150, sse(thought("a"))),
            (170, sse(thought("b"))),
            (470, word[:20]),
            (471, word[20:]),
            (1000, sse(tool("{}", id="c", name="f"))),
            (1001, sse(end("tool_calls"), DONE)),
        ],
        head_time=90 * MS,
        end_time=1101 * MS,
    )


def test_the_ladder_has_the_moment_of_every_first() -> None:
    assert ladder(answer()) == {
        "headers": 90 * MS,
        "first_byte": 100 * MS,
        "first_event": 100 * MS,
        "first_reasoning": 150 * MS,
        "first_text": 471 * MS,
        "first_tool": 1000 * MS,
        "end": 1101 * MS,
    }


def test_metrics_have_the_names_and_the_unit_of_opentelemetry() -> None:
    # Chunks: role 100, thoughts 150 and 170, text 471, call 1000, finish 1001; no comment, no end marker.
    found = metrics(answer())
    assert found.pop(PER_CHUNK) == pytest.approx(0.901 / 5)
    assert found == {FIRST_CHUNK: 0.1, DURATION: 1.101}
    assert FIRST_CHUNK == "gen_ai.client.operation.time_to_first_chunk"


@pytest.mark.parametrize(
    "ms, name",
    [
        *((0, "1 ms"), (1, "1 ms"), (1.001, "5"), (5, "5"), (19, "20"), (20.5, "50"), (100, "100"), (101, "200")),
        *((499, "500"), (501, "1 s"), (1000, "1 s"), (1001, "2 s"), (2000, "2 s"), (2001, "more"), (35_000, "more")),
    ],
)
def test_a_wait_falls_into_the_bin_up_to_whose_edge_it_goes(ms: float, name: str) -> None:
    waits = waits_of(reading_of([(7, b"data: a\n\n"), (7 + ms, b"data: b\n\n")]))
    assert {BINS[n]: count for n, count in enumerate(waits.counts) if count} == {name: 1}
    assert len(BINS) == len(EDGES) + 1


def test_waits_of_an_answer_are_named_after_what_they_lie_in() -> None:
    waits = waits_of(answer())
    assert waits.total == 6
    assert waits.percentiles() == {50: 20 * MS, 95: 529 * MS, 99: 529 * MS}
    found = [(wait.ns // MS, wait.words, wait.event) for wait in waits.longest()]
    assert found == [
        (529, "text to tool call", 5),
        (300, "reasoning to text", 4),
        (100, "before the first byte", 0),
        (100, "last byte to the end", 7),
        (50, "event 1 to 2", 2),
        (20, "event 2 to 3", 3),
        (1, "inside event 4", 4),
        (1, "event 5 to 6", 6),
    ]


def test_an_error_after_text_is_named() -> None:
    waits = waits_of(reading_of([(5, sse(said("a"))), (9, sse({"error": {"message": "no"}}))]))
    assert "text to error" in [wait.words for wait in waits.longest()]


@pytest.mark.parametrize(
    "reads, words",
    [
        ([(5, b"<html>"), (9, b"</html>")], "read 0 to 1"),
        ([(5, b"data: a\n"), (9, b"\ndata: b\n\n")], "inside event 0"),
        ([(5, b"data: a\n\n"), (9, b"\n\ndata: b\n\n")], "event 0 to 1"),
        ([(5, b"\n"), (9, b"data: a\n\n")], "inside event 0"),
        ([(5, b"data: a\n\n"), (9, b"\n")], "after event 0"),
    ],
)
def test_a_wait_at_an_odd_place_is_named(reads: list[tuple[float, bytes]], words: str) -> None:
    assert [wait.words for wait in waits_of(reading_of(reads)).longest()] == ["before the first byte", words]


@pytest.mark.parametrize(
    "times, total",
    [((10, 20, 30), 2), ((10, None, 30), 0), ((None, 20, 30), 1), ((None, None, None), 0), ((10, 5, 30), 1)],
)
def test_a_wait_is_only_between_neighbours_with_times(times: tuple[float | None, ...], total: int) -> None:
    waits = waits_of(reading_of([(time, b"data: a\n\n") for time in times]))
    assert waits.total == sum(waits.counts) == total


@pytest.mark.parametrize("lost", ["timing", "read_times"])
def test_nothing_is_said_of_a_recording_without_times(lost: str) -> None:
    gone = {"timing": "none"} if lost == "timing" else {"read_times": None}
    reading = reading_of([(5, sse(said("a"))), (9, sse(DONE))], head_time=3, **gone)
    waits = waits_of(reading)
    assert (waits.total, waits.percentiles(), waits.longest()) == (0, None, [])
    assert set(ladder(reading).values()) == {None}
    assert metrics(reading) == {}
    assert buffering(waits).words == "buffering: not known, order only: this recording has no times"


def live(*pieces: tuple[float, bytes]) -> Waits:
    """What is known while the stream goes on."""
    whole = exchange_of(pieces)
    analysis = Analysis(whole, KIT)
    for piece in whole.chunks():
        analysis.feed(piece)
    return waits_of(analysis.reading)


@pytest.mark.parametrize(
    "pieces, words, ns, event",
    [
        ([(5, sse("a", "b") + b"data: ha")], "now, inside line 4", 45, 1),
        ([(5, sse("a", "b"))], "now, after event 1", 45, 1),
        ([], "now, before the first byte", 50, None),
    ],
)
def test_a_live_stream_waits_now(pieces: list[tuple[float, bytes]], words: str, ns: int, event: int | None) -> None:
    waits = live(*pieces)
    first = waits.longest(50 * MS)[0]
    assert (first.words, first.ns, first.event, first.open) == (words, ns * MS, event, True)
    assert all(not wait.open for wait in waits.longest())


def test_a_stream_that_has_ended_waits_no_more() -> None:
    assert waits_of(answer()).open_wait(5000 * MS) is None


WORDS = [sse(said(f"w{n} ")) for n in range(24)]


@pytest.mark.parametrize(
    "reads, headers, verdict",
    [
        ([(520, b"".join(WORDS))], (), f"held back, 24 deltas in 1 read after 520{THIN_SPACE}ms"),
        (
            [(515, ROLE), (600, b"".join(WORDS[:9])), (640, b"".join(WORDS[9:]))],
            (),
            f"held back, 24 deltas in 2 reads after 515{THIN_SPACE}ms",
        ),
        ([(400, b"".join(WORDS))], (), "no sign of it, 24.0 events a read"),
        ([(520, b"".join(WORDS[:9]))], (), "no sign of it, 9.0 events a read"),
        ([(20 * n, word) for n, word in enumerate(WORDS, 30)], (), "no sign of it, 1.0 events a read"),
        (
            [(900 * n, b"".join(WORDS[6 * n : 6 * n + 6])) for n in range(4)],
            (),
            f"in clumps, 6.0 events a read, one every 900{THIN_SPACE}ms",
        ),
        ([(9 * n, b"".join(WORDS[6 * n : 6 * n + 6])) for n in range(4)], (), "no sign of it, 6.0 events a read"),
    ],
)
def test_the_verdict_on_buffering_has_its_reason(
    reads: list[tuple[float, bytes]], headers: tuple[tuple[str, str], ...], verdict: str
) -> None:
    assert buffering(waits_of(reading_of(reads, http=head(*headers)))).words == f"buffering: {verdict}"


@pytest.mark.parametrize(
    "name, value, hint",
    [
        ("X-Accel-Buffering", "no", "x-accel-buffering no: proxies are asked to pass it on"),
        ("x-accel-buffering", "yes", "x-accel-buffering yes: proxies may wait"),
        ("Content-Encoding", "gzip", "content-encoding gzip: a compressor may hold bytes back"),
        ("Content-Encoding", "identity", None),
        ("Content-Length", "77", "content-length 77: the whole body was known before it was sent"),
        ("Via", "1.1 a\u202eb", "via 1.1 a‹U+202E›b: a proxy stands on the way"),
        ("Content-Type", "text/event-stream", None),
    ],
)
def test_headers_of_the_answer_give_hints(name: str, value: str, hint: str | None) -> None:
    waits = waits_of(reading_of([(520, b"".join(WORDS))], http=head((name, value))))
    assert buffering(waits).hints == (() if hint is None else (hint,))


@settings(max_examples=60, deadline=None)
@given(
    pieces=st.lists(st.integers(1, 90), min_size=1, max_size=30),
    gaps=st.lists(st.integers(0, 3000), min_size=40, max_size=40),
    looks=st.sets(st.integers(0, 60)),
)
def test_what_is_taken_in_piece_by_piece_is_what_is_taken_in_at_once(
    pieces: list[int], gaps: list[int], looks: set[int]
) -> None:
    body = b"".join([ROLE, sse(thought("a"), thought("b")), *WORDS[:8], sse(DONE)])
    cuts = [0]
    while cuts[-1] < len(body):
        cuts.append(min(len(body), cuts[-1] + pieces[len(cuts) % len(pieces)]))
    grown = SegmentBody()
    ends, times = array("q"), array("q")
    exchange = Exchange("live", "recording", grown, "measured", ends, times)
    analysis = Analysis(exchange, KIT)
    waits, now = Waits(analysis.reading), 0
    for number, (start, stop) in enumerate(pairwise(cuts)):
        now += gaps[number % len(gaps)] * MS
        grown.append(body[start:stop])
        ends.append(stop)
        times.append(now)
        analysis.feed(body[start:stop])
        if number in looks:
            waits.extend()
            waits.percentiles()
            waits.longest(now)
            buffering(waits)
    reading = analysis.finish()
    waits.extend()
    whole = waits_of(reading)
    for name in ("counts", "total", "first", "last", "events_read", "reads_filled", "fullest"):
        assert getattr(waits, name) == getattr(whole, name), name
    assert waits.percentiles() == whole.percentiles()
    assert waits.longest() == whole.longest()
    assert sum(waits.counts) == waits.total == len(cuts) - 2
    assert waits.events_read == len(reading.events)


def test_only_the_longest_waits_are_told() -> None:
    reads = [(10 * n + n * n, b"data: a\n\n") for n in range(60)]
    found = waits_of(reading_of(reads)).longest()
    assert len(found) == 12
    assert found[0] == Wait((10 + 59 * 59 - 58 * 58) * MS, "event 58 to 59", 59, 59 * 9, end=(590 + 59 * 59) * MS)


WORD = sse(said("word "))
CONCLUSIONS = [
    ([(900, WORD * 12)], ("Looks held back: 12 deltas in 1 read after 900 ms; something between buffered it, "
     "or the sender wrote it all at once (no sign in the headers)"), False),
    ([(80, WORD * 12)], "All in one read after 80 ms: too little to tell whether it was held back", True),
    ([(200 * n, WORD * 5) for n in range(1, 5)], ("Looks passed on in clumps: 5.0 events a read, one every 200 ms; "
     "something between gathers it (no sign in the headers)"), False),
    ([(100, WORD), (140, WORD), (35_140, WORD), (35_180, WORD)], ("A silence of 35.00 s before event 2, the reads "
     "around it one by one: looks like a pause of the sender, nothing held back"), True),
    ([*((20 * n, WORD) for n in range(1, 20)), (35_140, WORD * 30), (35_180, WORD)], ("A silence of 34.76 s before "
     "event 19, and then 30 events in one read: looks held back"), False),
    ([(6000, WORD), (6040, WORD)], ("The first byte took 6.00 s, then the reads one by one: looks like the sender "
     "took so long, nothing held back"), True),
    ([(60, WORD), (90, WORD)], "Nothing looks held back: 1.0 events a read, first byte after 60 ms", True),
]  # fmt: skip


@pytest.mark.parametrize(("reads", "words", "calm"), CONCLUSIONS)
def test_the_conclusion_is_a_sentence_with_its_reason(reads: list[tuple[int, bytes]], words: str, calm: bool) -> None:
    found = conclusion(waits_of(reading_of(reads, http=head())))
    assert (found.words.replace("\u2009", " "), found.calm) == (words, calm)


def test_without_times_or_headers_nothing_is_concluded_of_them() -> None:
    assert conclusion(waits_of(reading_of([(None, WORD)]))).words == ""
    assert "(no headers were recorded)" in conclusion(waits_of(reading_of([(900, WORD * 12)]))).words
