"""AWS frames and arrays in the window: headers and payload to read, bytes to look up, places that are found."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.core.analysis import Analysis
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.ui.find.marks import Found
from inspector_app.ui.live.rows import open_line
from inspector_app.ui.theme import Look
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.frame_text import frame_facts, frame_runs
from inspector_app.ui.views.line_paint import width_of
from inspector_app.ui.views.line_text import FOLD, Run, squeezed
from inspector_app.ui.views.row_view import ROW
from tests.framing import aws_frames as aws
from tests.ui.detail_data import current, select
from tests.ui.detail_data import shown as details
from tests.ui.panes_data import kit, opened
from tests.ui.panes_data import shown as panes

STREAM = b"".join(
    (
        aws.event("messageStart", {"role": "assistant"}),
        aws.event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Good"}}),
        aws.event("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": " day"}}),
        b"<html>502</html>",
        aws.exception("throttlingException", b'{"message":"Too many tokens"}'),
        aws.error("Internal", "It broke"),
        aws.event("messageStop", {"stopReason": "end_turn"})[:50],
    )
)
ARRAY = "[" + "\n,\n".join(json.dumps({"n": n, "candidates": [{}] * 20}, indent=1) for n in range(9)) + "]"


def exchange(data: bytes) -> Exchange:
    return Exchange("stream.bin", "binary-body", MemoryBody(data))


def runs(qtbot: QtBot, n: int, whole: bool = False, found: tuple[Found, ...] = ()) -> list[Run]:
    session = opened(qtbot, exchange(STREAM), lenses=False)
    evidences = Evidences(session)
    evidences.forget()
    assert session.reference is not None
    return frame_runs(session.reference, evidences.of(n), n, whole=whole, found=found)


def text_of(made: list[Run]) -> str:
    return "".join("<fold>" if run.kind == FOLD else run.text for run in made)


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (0, ':event-type: messageStart  <fold> {"role":"assistant"}'),
        (1, ':event-type: contentBlockDelta  <fold> {"contentBlockIndex":0,"delta":{"text":"Good"}}'),
        (3, "<html>502</html>"),
        (4, ':exception-type: throttlingException  :message-type: exception  {"message":"Too many tokens"}'),
        (5, ":error-code: Internal  :error-message: It broke  :message-type: error  "),
    ],
)
def test_a_frame_reads_as_headers_and_payload(qtbot: QtBot, n: int, text: str) -> None:
    assert text_of(runs(qtbot, n)) == text


def test_a_payload_like_the_one_before_is_folded(qtbot: QtBot) -> None:
    assert text_of(runs(qtbot, 2)) == ':event-type: contentBlockDelta  <fold> <fold>"text":" day"}}'


@pytest.mark.parametrize("n", range(7))
def test_an_unfolded_frame_shows_every_byte_once(qtbot: QtBot, n: int) -> None:
    made = runs(qtbot, n, whole=True)
    for before, after in pairwise(made):
        assert before.end == after.start
    session = opened(qtbot, exchange(STREAM), lenses=False)
    assert session.reference is not None
    assert (made[0].start, made[-1].end) == session.reference.bytes_of(n)


def test_lengths_and_checksums_show_when_unfolded(qtbot: QtBot) -> None:
    text = text_of(runs(qtbot, 0, whole=True))
    size = len(aws.event("messageStart", {"role": "assistant"}))
    assert text.startswith(f"{size} bytes, headers 82, CRC ")
    assert text.endswith("  CRC " + STREAM[size - 4 : size].hex(" "))


def test_what_is_found_in_a_header_is_not_folded(qtbot: QtBot) -> None:
    at = STREAM.index(b"application/json")
    made = runs(qtbot, 0, found=(Found(at, at + 4, True),))
    assert [run.text for run in made if run.found] == ["application/json"]


def test_the_page_of_an_event_has_the_parts_of_its_frame(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, exchange(STREAM), lenses=False)
    view = details(qtbot, look, session)
    select(session, 1)
    view.show_page("Event")
    found = {fact.label: fact for fact in view.events.sheet.facts}
    assert found["event name"].value == "contentBlockDelta"
    assert found[":event-type"][1:3] == ("contentBlockDelta", "string")
    assert (found["prelude CRC"].note, found["message CRC"].note) == ("right", "right")
    leads = found["message CRC"].leads
    assert leads is not None
    assert STREAM[leads.start : leads.end].hex(" ") == found["message CRC"].value


def test_a_damaged_and_a_cut_frame_say_what_is_wrong(qtbot: QtBot) -> None:
    data = bytearray(STREAM)
    data[data.index(b"Good")] ^= 1
    session = opened(qtbot, exchange(bytes(data)), lenses=False)
    assert session.reference is not None
    notes = {fact.label: fact.note for fact in frame_facts(session.reference, 1)}
    assert notes["prelude CRC"] == "right"
    assert notes["message CRC"].startswith("wrong: the bytes give ")
    assert frame_facts(session.reference, 3)[0].note == "these bytes are no frame"
    cut = {fact.label: fact.note for fact in frame_facts(session.reference, 6)}
    assert cut["total length"] == "only 50 came"
    assert "message CRC" not in cut


def test_a_value_in_a_frame_is_found_in_its_bytes(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, exchange(STREAM), lenses=False)
    view = details(qtbot, look, session)
    select(session, 2, "/delta/text")
    chosen = current(session)
    assert STREAM[chosen.start : chosen.end] == b'"text":" day"'
    start = STREAM.index(b'" day"')
    view.json._pick_bytes(start + 1, start + 2)
    assert current(session).pointer == "/delta/text"


def test_panes_show_frames_whatever_they_are(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, exchange(STREAM), lenses=False)
    view = panes(qtbot, look, session)
    model = view.raw.model()
    assert model.rowCount() == 8  # the first frame says two things
    assert ":event-type:  contentBlockDelta" in view.raw.cell(1, 0, 2)
    assert view.raw.grab().toImage().width() > 0


def test_a_binary_body_that_is_not_decoded_is_named(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, exchange(b"\0\0\0\0\x02\x0a\xff" * 4), lenses=False)
    view = panes(qtbot, look, session)
    assert session.reference is not None
    assert session.reference.findings == []
    assert view.deltas.empty[2] == "gRPC-web or Connect frames: shown as bytes, not decoded."


def test_an_event_taller_than_the_pane_is_scrolled_to(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, exchange(ARRAY.encode()), lenses=False)
    view = panes(qtbot, look, session)
    select(session, 5)
    assert session.reference is not None
    first = session.rows.rows_of(5)[0]
    bar = view.raw.verticalScrollBar()
    assert bar.value() <= first * ROW < bar.value() + view.raw.viewport().height()


def test_a_live_array_gives_the_lines_of_the_next_element_to_no_event_before(qtbot: QtBot) -> None:
    body = b'[{"a":1}\n,\n{"a":\n2}, {"a":\n'
    analysis = Analysis(exchange(body), kit(), framing="json-array")
    ends = []
    for byte in range(len(body)):
        analysis.feed(body[byte : byte + 1])
        ends.append(open_line(analysis.reading, (-1, 0)))
    assert list(dict.fromkeys(ends)) == [(-1, 0), (0, 1), (0, 2), (1, 4)]
    analysis.reading.open_line = 4
    assert [analysis.reading.lines_of(n) for n in (0, 1)] == [(0, 2), (2, 4)]
    assert len(analysis.reading.lines) == 5


@pytest.mark.parametrize(
    ("room", "text"),
    [
        (2000, ":event-type: contentBlockDelta  <fold> <fold>"),
        (400, ":event-type: contentBlockDelta  <fold> <fold>"),
        (300, "<fold>contentBlockDelta  <fold> <fold>"),
    ],
)
def test_of_a_narrow_frame_the_type_and_the_value_stay(qtbot: QtBot, look: Look, room: int, text: str) -> None:
    said = text_of(squeezed(runs(qtbot, 2), room, width_of))
    assert said.startswith(text)
    assert '" day"' in said
