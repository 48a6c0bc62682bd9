"""What the start page knows of a recording is what its reading says, and survives being kept as JSON."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.resources import resource
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.files.recording import write
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.lenses.matrix import matrix
from inspector_app.lenses.run import read
from inspector_app.ui.readers import short_title_of
from inspector_app.ui.session import Session
from inspector_app.ui.start.digest import FAMILIES, Digest, digest_of, from_json, to_json
from inspector_app.ui.start.sketch import SPAN
from inspector_app.ui.start.sketch_paint import LARGE, SMALL, paint_sketch
from inspector_app.ui.theme import Look
from tests.ui.conftest import Canvas

LENSES = load_lenses([shipped_folder()])
GALLERY = {
    # name: (worst rule, severity, family, first that breaks, shapes to be seen)
    "arguments-again-and-again": ("tool-args-repeated", "error", "Tool calls", "OpenClaw", {"bar", "error"}),
    "call-in-three-chunks": ("tool-id-empty", "warning", "Tool calls", "Wingmate 2026-06", {"bar", "missing"}),
    "cut-in-the-middle": ("frame-cut", "error", "Endings", "Continue", {"bar", "torn"}),
    "empty-tool-calls": ("tool-calls-empty-array", "warning", "Tool calls", "ZCode 3.11", {"pieces", "bar"}),
    "error-after-200": ("error-in-stream", "error", "Endings", "Cline", {"bar", "torn"}),
    "framed-twice": ("sse-double-wrapped", "error", "Framing", "OpenClaw", {"unread"}),
    "half-a-minute-of-silence": ("time-stall", "warning", "Timing", "Codex CLI", {"bar", "silence", "hourglass"}),
    "held-back-burst": ("time-burst", "info", "Timing", "no client breaks", {"bar", "wait", "rays"}),
    "mixed-spacing": ("sse-no-space", "warning", "Framing", "Wingmate 2026-06", {"bar", "missing"}),
    "reasoning-details": ("reasoning-field-variant", "warning", "Reasoning", "OpenClaw", {"unread"}),
    "think-tags": ("think-tag-inline", "warning", "Reasoning", "Cline", {"bar", "warning"}),
    "two-finish-reasons": ("finish-conflict", "error", "Endings", "ChatMock #114", {"bar", "error"}),
    "usage-counted-twice": ("usage-cumulative", "warning", "Usage", "langchain-openai 1.7.4", {"bar", "warning"}),
    "web-page-instead": ("body-html", "error", "Framing", "every decoder", {"fault"}),
}
CHUNK = b'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"%s":"x"}}]}\n\n'


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


def digest(qtbot: QtBot, kit: Kit, exchanges: list[Exchange]) -> Digest:
    session = Session("x", kit, LENSES)
    session.open_exchanges(exchanges)
    qtbot.waitUntil(lambda: session.complete and session.idle, timeout=20_000)
    made = digest_of(session)
    assert made is not None
    return made


def body(data: bytes) -> list[Exchange]:
    return [Exchange("x", "sse-body", MemoryBody(data))]


@pytest.mark.parametrize("name", GALLERY)
def test_the_gallery_is_told_by_its_readings(qtbot: QtBot, kit: Kit, name: str) -> None:
    rule, severity, family, breaks, shapes = GALLERY[name]
    made = digest(qtbot, kit, read_input(str(resource("recordings", f"{name}.rec.jsonl"))))
    assert (made.rule, made.severity, made.family, made.breaks[0]) == (rule, severity, family, breaks)
    assert {stroke.shape for stroke in made.sketch.strokes} == shapes
    assert from_json(json.loads(json.dumps(to_json(made)))) == made


@pytest.mark.parametrize("name", ["mixed-spacing", "call-in-three-chunks", "framed-twice", "error-after-200"])
def test_as_many_clients_come_to_harm_as_the_table_of_all_clients_has(qtbot: QtBot, kit: Kit, name: str) -> None:
    exchanges = read_input(str(resource("recordings", f"{name}.rec.jsonl")))
    rows = matrix(read(exchanges[0], kit), LENSES.values(), kit)
    hurt = [row.lens.name for row in rows if row.verdict not in ("right", "n/a")]
    assert {*digest(qtbot, kit, exchanges).breaks} == {short_title_of(lens, LENSES) for lens in hurt}


def test_every_recording_of_the_gallery_has_a_family(kit: Kit) -> None:
    words = {word for words in FAMILIES.values() for word in words}
    assert {rule.partition("-")[0] for rule, *_ in GALLERY.values()} <= words


def test_facts_of_the_flagship(qtbot: QtBot, kit: Kit) -> None:
    made = digest(qtbot, kit, read_input(str(resource("recordings", "empty-tool-calls.rec.jsonl"))))
    assert (made.source, made.dialect, made.counts) == ("z.ai · glm-5.2", "openai-chat", (0, 2, 3))
    assert made.duration is not None
    assert 5_000_000_000 < made.duration < 7_000_000_000
    assert not made.sketch.hollow
    rows = {stroke.meaning: stroke.row for stroke in made.sketch.strokes}
    assert rows == {"reasoning": 1, "text": 2}
    reasoning = [stroke for stroke in made.sketch.strokes if stroke.meaning == "reasoning"]
    assert len(reasoning) > 20
    assert max(stroke.end for stroke in reasoning) < min(s.start for s in made.sketch.strokes if s.meaning == "text")


def test_without_times_the_ticks_are_an_order_and_nothing_is_timed(qtbot: QtBot, kit: Kit) -> None:
    made = digest(qtbot, kit, body(CHUNK % b"content" * 5))
    assert (made.sketch.hollow, made.duration, made.source) == (True, None, "")
    assert list(made.sketch.ticks) == [place * SPAN // 5 for place in range(5)]


@pytest.mark.parametrize("data", [b"", b"\x00\xff" * 50, b"data: {", b": ping\n\n", b'{"error":{"message":"no"}}'])
def test_whatever_the_body_is_it_has_a_digest(qtbot: QtBot, kit: Kit, data: bytes) -> None:
    made = digest(qtbot, kit, body(data))
    assert made.size == len(data)
    assert from_json(to_json(made)) == made


def test_a_long_recording_gives_a_small_sketch(qtbot: QtBot, kit: Kit) -> None:
    turns = CHUNK % b"reasoning_content" + CHUNK % b"content"
    made = digest(qtbot, kit, body(turns * 3000))
    assert len(made.sketch.ticks) + len(made.sketch.strokes) < 500
    assert {stroke.meaning for stroke in made.sketch.strokes if stroke.shape in ("bar", "pieces")} == {
        "reasoning", "text",
    }  # fmt: skip


@pytest.mark.parametrize("measures, height", [(LARGE, 60), (SMALL, 28)])
def test_sketches_keep_inside_their_frame(
    qtbot: QtBot, kit: Kit, look: Look, canvas: Canvas, measures: Any, height: int
) -> None:
    for name in GALLERY:
        made = digest(qtbot, kit, read_input(str(resource("recordings", f"{name}.rec.jsonl"))))
        image, painter = canvas(140, height + 40)
        paint_sketch(painter, look.theme, QRect(20, 20, 100, height), made.sketch, measures)
        painter.end()
        blank = look.theme.color("bg.pane").rgb()
        outside = [
            (x, y)
            for x in range(140)
            for y in range(height + 40)
            if not (20 <= x < 120 and 20 <= y < 20 + height) and image.pixel(x, y) != blank
        ]
        assert not outside, name
        inked = {image.pixel(x, y) for x in range(24, 116) for y in range(22, 18 + height)}
        assert len(inked) > 2, name


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["bar", "text", "error"]),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=10,
)


@given(name=st.sampled_from(sorted(to_json(Digest()))), value=JSON)
def test_a_digest_that_somebody_wrote_is_sound_or_none(name: str, value: Any) -> None:
    found = from_json({**to_json(Digest(rule="x", breaks=("a",))), name: value})
    assert found is None or from_json(to_json(found)) == found


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 0},
        {"counts": [1, 2]},
        {"counts": [1, 2, -3]},
        {"severity": "fatal"},
        {"model": "x" * 1000},
        {"ticks": [SPAN + 1]},
        {"ticks": list(range(900)) * 3},
        {"strokes": [["bar", 1, 0, 5]]},
        {"strokes": [["bar", 9, 0, 5, "text"]]},
        {"strokes": [["../etc", 1, 0, 5, "text"]]},
        {"strokes": [["bar", 1, 0, 5, "pink"]]},
        {"strokes": [[["bar"], 1, 0, 5, {}]]},
        {"duration": -1},
        {"size": "3"},
        {"breaks": [3]},
    ],
)
def test_what_is_no_digest_is_none(changes: dict[str, Any]) -> None:
    assert from_json({**to_json(Digest()), **changes}) is None


def test_nothing_is_no_digest() -> None:
    assert from_json(None) is None
    assert from_json({}) is None


def test_a_copy_of_a_recording_keeps_what_it_says_of_itself() -> None:
    [exchange] = read_input(str(resource("recordings", "mixed-spacing.rec.jsonl")))
    file = io.BytesIO()
    write(exchange, file)
    [copy] = read_input("-", io.BytesIO(file.getvalue()))
    assert copy.about == exchange.about
    assert set(copy.about) == {"title", "story"}


def test_words_of_a_header_that_are_no_words_are_left_out() -> None:
    header = {"format": "stream-inspector/recording", "version": 1, "title": ["x"], "story": None}
    [exchange] = read_input("-", io.BytesIO(json.dumps(header).encode() + b"\n"))
    assert exchange.about == {}
