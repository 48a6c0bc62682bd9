"""How a body was cut into reads changes nothing in its analysis, for the reference and for every client."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.load import Lens, load_lenses, shipped_folder
from inspector_app.lenses.run import analysis_of
from inspector_app.report.outline import outline

ROOT = Path(__file__).parents[2]
KIT = load_kit()
LENSES = list(load_lenses([shipped_folder()]).values())

STREAMS = sorted((ROOT / "tests" / "findings" / "streams").glob("*/"))
RECORDINGS = sorted((ROOT / "recordings").glob("*.rec.jsonl"))
SMALL = 50_000
"""Bytes of a body that is also fed in pieces of one and of three bytes."""


def fed(exchange: Exchange, pieces: Iterator[bytes], lens: Lens | None = None, judge: Reading | None = None) -> Reading:
    analysis = analysis_of(exchange, KIT, lens, judge)
    for piece in pieces:
        analysis.feed(piece)
    return analysis.finish()


def cut(exchange: Exchange, how: int | str) -> Iterator[bytes]:
    """The body whole, in pieces of one size, or cut at random, often inside a line end or a character."""
    size, at = len(exchange.body), 0
    rng = random.Random(str(how))
    while at < size:
        step = {"whole": size, "random": rng.choice((1, 1, 2, 3, 7, 64, 300))}[how] if isinstance(how, str) else how
        yield exchange.body.slice(at, at + step)
        at += step


def shown(reading: Reading, judge: Reading | None = None) -> dict[str, Any]:
    out = outline(reading, judge, events=True)
    out["rows"] = [[tuple(row) for row in reading.layouts[number].rows] for number in reading.events.layouts]
    return out


def hold(path: Path, lenses: Iterable[Lens]) -> None:
    """The reference and these clients show the same of every exchange in a file, however its body is cut."""
    for exchange in read_input(str(path)):
        # Reads and their times are what the cuts replace.
        exchange.read_ends = exchange.read_times = None
        exchange.timing = "none"
        sizes: list[int | str] = [1, 3, "random"] if len(exchange.body) < SMALL else ["random"]
        judge = fed(exchange, cut(exchange, "whole"))
        judged = shown(judge)
        for how in sizes:
            assert shown(fed(exchange, cut(exchange, how))) == judged, (path.name, how)
        for lens in lenses:
            whole, pieces = (fed(exchange, cut(exchange, how), lens, judge) for how in ("whole", "random"))
            assert shown(pieces, judge) == shown(whole, judge), (path.name, lens.name)


@pytest.mark.parametrize("folder", STREAMS, ids=lambda folder: folder.name)
def test_streams(folder: Path) -> None:
    for number, path in enumerate(sorted(folder.iterdir())):
        hold(path, [LENSES[number % len(LENSES)]])


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name)
def test_recordings(path: Path) -> None:
    hold(path, LENSES)


def test_shared_cases(shared: Path) -> None:
    folder = shared / "cases"
    for line in (folder / "index.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if json.loads((folder / case["expect"]).read_text("utf-8"))["dialect"] in ("openai-chat", "none"):
            hold(folder / case["file"], LENSES)


CHUNK = b'{"object":"chat.completion.chunk","choices":[{"index":0,"delta":%b}]}'
SAID = [
    *(CHUNK % delta for delta in (b'{"content":"a"}', b'{"content":"\\ud83d"}', b'{"reasoning":"r","tool_calls":[]}')),
    CHUNK % b'{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]}',
    *(b"{}", b'{"ping":1}', b"{}{}", b"[DONE]", b"data: x", b'{"error":{"message":"no"}}', b"no", b" ", b'{"a":'),
]
PIECES = st.sampled_from(
    [
        *(b"data: ", b"data:", b"data", b"event: x", b"id: 1", b"retry: 5", b"retry: x", b": ping", b"error: no"),
        *(b"\n", b"\n", b"\n\n", b"\r", b"\r\n", b"\xef\xbb\xbf", b"\xff", b"\xe2\x80\xa8", b"\x0b", b"\0"),
        *(b"<!doctype html>", b"[", b"foo", b"data: [DONE]\n\n"),
        *SAID,
        *(b"data: " + payload + b"\n\n" for payload in SAID),
    ]
)


@given(
    st.lists(PIECES, max_size=20).map(b"".join),
    st.sampled_from([None, "sse", "ndjson", "json", "text"]),
    st.sampled_from([None, *LENSES]),
)
@example(b"data: {}\n\ndata: " + SAID[0] + b"\n\n", None, None)
@example(b"data: " + SAID[0] + b"\n\ndata: \n\n", None, None)
@example(b"\xef\xbb\xbf\xef\xbb\xbfdata: " + SAID[0], "ndjson", None)
def test_any_body(body: bytes, framing: str | None, lens: Lens | None) -> None:
    exchange = Exchange("x", "sse-body", MemoryBody(body), framing=framing)
    judge = fed(exchange, cut(exchange, "whole"))
    whole = fed(exchange, cut(exchange, "whole"), lens, judge)
    assert shown(fed(exchange, cut(exchange, 1), lens, judge), judge) == shown(whole, judge)
    for n, layout in enumerate(whole.events.layouts):
        # What an event says is decoded again for each view of it.
        assert whole.layouts[layout].rows == tuple((row.kind, row.choice, row.pointer) for row in whole.deltas(n))
