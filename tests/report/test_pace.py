"""When two recordings came, side by side: in the window, in `diff`, and as Markdown."""

from __future__ import annotations

import json
from array import array
from pathlib import Path

import pytest

from inspector_app.cli import main
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.run import read
from inspector_app.report.pace import Pace, pace, rows_of
from inspector_app.report.pair import pair_as_markdown

MS = 1_000_000


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


def stream(words: int) -> list[bytes]:
    chunks = [{"choices": [{"index": 0, "delta": {"content": f"word {n} "}}]} for n in range(words)]
    return [b"data: " + json.dumps(chunk | {"object": "chat.completion.chunk"}).encode() + b"\n\n" for chunk in chunks]


def timed(times: tuple[int, ...], name: str, kit: Kit) -> Reading:
    """An event at each of these milliseconds; none of them: no times."""
    events = stream(len(times) or 3)
    made = Exchange(name, "sse-body", MemoryBody(b"".join(events)))
    if times:
        made.timing, made.end_time = "measured", (times[-1] + 2) * MS
        made.read_ends = array("q", [sum(map(len, events[: n + 1])) for n in range(len(events))])
        made.read_times = array("q", [time * MS for time in times])
    return read(made, kit)


def test_first_event_end_and_the_longest_wait_after_the_first_byte(kit: Kit) -> None:
    found = pace(timed((1900, 1960, 2860, 2900), "b", kit))
    assert (found.first, found.end) == (1900 * MS, 2902 * MS)
    # The wait for the first byte is longer, and told as the first event.
    assert found.wait is not None
    assert (found.wait.ns, found.wait.event, found.wait.words) == (900 * MS, 2, "event 1 to 2")
    assert found.words.replace("\u2009", " ") == "first event 1.90 s · end 2.90 s · longest wait 900 ms"


def test_nothing_is_said_of_times_that_were_not_measured(kit: Kit) -> None:
    untimed, known = pace(timed((), "a", kit)), pace(timed((600, 625), "b", kit))
    assert untimed == Pace(None, None, None)
    assert untimed.words == ""
    assert rows_of(untimed, untimed) == []
    assert [row.a for row in rows_of(untimed, known)] == ["this recording has no times"] * 3
    assert set(untimed.to_json().values()) == {None}


def test_markdown_has_the_times_of_both(kit: Kit) -> None:
    readings = timed((600, 625), "a", kit), timed((1900, 2860), "b", kit)
    paces = pace(readings[0]), pace(readings[1])
    said = pair_as_markdown(readings, "same", "", [], None, paces).replace("\u2009", " ")
    assert "| first event | 600 ms | 1.90 s |  |" in said
    assert "| longest wait | 25 ms | 960 ms | A 1, B 1 |" in said
    assert "### Times" not in pair_as_markdown(readings, "same", "", [])


def test_diff_prints_the_times_of_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = {"format": "stream-inspector/recording", "version": 1, "timing": "measured", "bytes": "exact"}
    paths = []
    for name, times in (("a", (600, 625)), ("b", (1900, 2860))):
        rows = [header, *({"t": t * MS, "text": x.decode()} for t, x in zip(times, stream(2)))]
        paths.append(tmp_path / f"{name}.rec.jsonl")
        paths[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["diff", *map(str, paths)]) == 0
    out = capsys.readouterr().out.replace("\u2009", " ")
    assert "    first event\n      a.rec.jsonl  600 ms\n      b.rec.jsonl  1.90 s\n" in out
    assert main(["diff", *map(str, paths), "--json"]) == 0
    times = json.loads(capsys.readouterr().out)["times"]
    assert times["b"] == {
        "first_event_ms": 1900.0, "end_ms": 2860.0, "longest_wait_ms": 960.0, "longest_wait_event": 1,
    }  # fmt: skip
