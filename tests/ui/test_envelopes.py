"""Envelopes in the window: the raw pane and the tree show what is inside, and both lead to its base64."""

from __future__ import annotations

import json
from base64 import b64encode
from itertools import pairwise
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.run import read
from inspector_app.ui.find.marks import Found
from inspector_app.ui.masked import masked
from inspector_app.ui.session import Session
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.frame_text import frame_runs
from inspector_app.ui.views.line_text import CURRENT, FOLD, Run
from inspector_app.ui.views.payload_map import Payload
from tests.framing import aws_frames as aws
from tests.ui.panes_data import opened

KIT = load_kit()


def coded(inner: dict[str, Any]) -> bytes:
    return b64encode(json.dumps(inner, ensure_ascii=False, separators=(",", ":")).encode())


def chunk(inner: dict[str, Any]) -> bytes:
    return aws.event("chunk", {"bytes": coded(inner).decode(), "p": "abcdefgh"})


def piece(text: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}


INNER = [
    {"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "content": [], "usage": {}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    piece("Über "),
    piece("die Brücke"),
    {"type": "content_block_stop", "index": 0},
]
BODY = b"".join(map(chunk, INNER))


def session(qtbot: QtBot) -> Session:
    return opened(qtbot, Exchange("stream.bin", "binary-body", MemoryBody(BODY)), lenses=False)


def runs(qtbot: QtBot, n: int, whole: bool = False, found: tuple[Found, ...] = ()) -> list[Run]:
    shown = session(qtbot)
    evidences = Evidences(shown)
    evidences.forget()
    assert shown.reference is not None
    return frame_runs(shown.reference, evidences.of(n), n, whole=whole, found=found)


def text_of(made: list[Run]) -> str:
    return "".join("<fold>" if run.kind == FOLD else run.text for run in made)


def place(n: int) -> int:
    """Where the base64 of an event begins."""
    return BODY.index(coded(INNER[n]))


def test_a_line_is_what_the_envelope_holds(qtbot: QtBot) -> None:
    made = runs(qtbot, 2)
    inner = json.dumps(INNER[2], ensure_ascii=False, separators=(",", ":"))
    assert text_of(made) == f":event-type: chunk  <fold> <fold>{inner}<fold>"
    assert [(run.text, run.fill) for run in made if run.fill] == [('"Über "', "text")]
    assert all(a.end == b.start for a, b in pairwise(made[1:]) if a.start < a.end and b.start < b.end)


def test_what_the_event_before_had_too_is_folded(qtbot: QtBot) -> None:
    made = runs(qtbot, 3)
    assert text_of(made).endswith('<fold>"text":"die Brücke"}}<fold>')


def test_the_whole_line_is_as_it_came(qtbot: QtBot) -> None:
    assert f'{{"bytes":"{coded(INNER[2]).decode()}","p":"abcdefgh"}}' in text_of(runs(qtbot, 2, whole=True))


def test_a_run_lies_where_its_base64_does(qtbot: QtBot) -> None:
    [run] = [run for run in runs(qtbot, 3) if run.fill]
    data = json.dumps(INNER[3], ensure_ascii=False, separators=(",", ":")).encode()
    at = data.index(b'"die')
    assert (run.start - place(3)) * 6 // 8 <= at < (run.end - place(3)) * 6 // 8
    assert place(3) <= run.start < run.end <= place(3) + len(coded(INNER[3]))


@pytest.mark.parametrize(("which", "text"), [("inside", '"die Brücke"'), ("around", '"p":"abcdefgh"')])
def test_what_was_found_is_shown(qtbot: QtBot, which: str, text: str) -> None:
    shown = session(qtbot)
    assert shown.reference is not None
    if which == "inside":
        start, end = shown.reference.place(3, "/delta/text")
    else:
        start = BODY.index(b'"p":"abcdefgh"', place(3))
        end = start + len(text)
    made = runs(qtbot, 3, found=(Found(start, end, True),))
    assert text in "".join(run.text for run in made if run.found == CURRENT)


@pytest.mark.parametrize("n", [0, 2, 3])
def test_the_tree_is_of_what_is_inside(qtbot: QtBot, n: int) -> None:
    shown = session(qtbot)
    assert shown.reference is not None
    payload = Payload(shown.reference, n)
    assert payload.values == [INNER[n]]
    assert "base64" in payload.fault
    pointers = ["/type"] if n == 0 else ["/type", "/delta", "/delta/text"]
    for pointer in pointers:
        span = payload.spans(0, (pointer,))[pointer]
        assert place(n) <= span.key_start < span.key_end <= span.start + 1 < span.end <= place(n) + len(coded(INNER[n]))
        found = payload.pointer_at((span.start + span.end) // 2)
        assert found is not None
        assert found[1].startswith(pointer)
        assert payload.place(0, pointer) == (span.key_start, span.end)


KEY = "sk-proj-0123456789abcdefghijklmnop"


@pytest.mark.parametrize(
    "pieces", [[f"it is {KEY} now"], ["it is " + KEY[:9], KEY[9:] + " now"], [*f"it is {KEY} now"]]
)
def test_a_key_inside_is_in_no_picture(pieces: list[str]) -> None:
    reading = read(
        Exchange("x", "binary-body", MemoryBody(b"".join(map(chunk, [*INNER[:2], *map(piece, pieces)])))), KIT
    )
    hidden = masked(reading)
    assert hidden is not None
    assert len(hidden.body) == len(reading.body)
    shown = read(hidden, KIT)
    assert shown.dialect == "bedrock-invoke/anthropic"
    assert shown.blocks[0].text == f"it is {'*' * len(KEY)} now"


@pytest.mark.parametrize("cut", [2, 40])
def test_a_key_in_a_frame_that_is_cut_is_in_no_picture(cut: int) -> None:
    body = b"".join(map(chunk, [*INNER[:2], piece(f"it is {KEY} now")]))
    reading = read(Exchange("x", "binary-body", MemoryBody(body[:-cut])), KIT)
    hidden = masked(reading)
    if hidden is not None:
        assert len(hidden.body) == len(reading.body)
    shown = read(hidden, KIT) if hidden is not None else reading
    assert not any(KEY in block.text for block in shown.blocks)


def test_a_key_in_what_is_no_block_is_in_no_picture() -> None:
    body = b"".join(map(chunk, [*INNER[:2], piece("a") | {"novel": {"key": KEY}}]))
    hidden = masked(read(Exchange("x", "binary-body", MemoryBody(body)), KIT))
    assert hidden is not None
    values = [delta.value for delta in read(hidden, KIT).deltas(2) if delta.kind == "unknown"]
    assert values == [{"key": "*" * len(KEY)}]


def test_a_key_of_an_agent_is_in_no_picture() -> None:
    texts = [f"it is {KEY} now", "it is " + KEY[:9], KEY[9:] + " now"]
    body = b"".join(aws.event("chunk", {"bytes": b64encode(text.encode()).decode()}) for text in texts)
    hidden = masked(read(Exchange("x", "binary-body", MemoryBody(body)), KIT))
    assert hidden is not None
    data = hidden.body.slice(0, len(hidden.body))
    assert not [text for text in texts if b64encode(text.encode()) in data]
    assert not any(KEY[9:] in block.text for block in read(hidden, KIT).blocks)


def test_bytes_around_the_base64_belong_to_no_value(qtbot: QtBot) -> None:
    shown = session(qtbot)
    assert shown.reference is not None
    payload = Payload(shown.reference, 2)
    assert payload.pointer_at(place(2) - 3) is None
    assert payload.pointer_at(place(2) + len(coded(INNER[2])) + 3) is None
    assert payload.data is not None
    assert payload.data.startswith(b'{"bytes":')
