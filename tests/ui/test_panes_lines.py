from __future__ import annotations

import json

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.evidence import Evidence, Evidences
from inspector_app.ui.views.line_paint import width_of
from inspector_app.ui.views.line_text import (
    BEGINNING,
    ENOUGH,
    FOLD,
    MISSING,
    RETURN,
    TEXT,
    WHOLE,
    Run,
    runs_of,
    squeezed,
)
from tests.ui.panes_data import chunk, event, exchange, fragmented, lost_call, opened


def evidences(session: Session) -> Evidences:
    made = Evidences(session)
    made.forget()
    return made


def runs(session: Session, n: int, line: int | None = None, whole: bool = False) -> list[Run]:
    reading = session.reference
    assert reading is not None
    return runs_of(reading, evidences(session).of(n), reading.lines_of(n)[0] if line is None else line, whole=whole)


def text_of(runs: list[Run]) -> str:
    return "".join(run.text if run.kind == TEXT else f"<{run.kind} {run.text}>" for run in runs)


def only(runs: list[Run], **wanted: str) -> Run:
    found = [run for run in runs if all(getattr(run, key) == value for key, value in wanted.items())]
    assert len(found) == 1, runs
    return found[0]


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("read", [fragmented(), lost_call()], ids=["fragmented", "lost"])
def test_runs_cover_every_byte_of_a_line_once(qtbot: QtBot, read: Exchange, whole: bool) -> None:
    session = opened(qtbot, read, "zcode-3.11", "wingmate-2026-06")
    reading = session.reference
    assert reading is not None
    for n in range(len(reading.events)):
        for number in range(*reading.lines_of(n)):
            at = reading.lines[number].start
            for run in runs(session, n, number, whole):
                assert run.start == at
                at = run.end
            assert at == reading.lines[number].end


def test_the_value_of_a_delta_has_the_colour_of_its_meaning(qtbot: QtBot) -> None:
    found = only(runs(opened(qtbot, fragmented(), "reference", None), 2), fill="reasoning")
    assert (found.text, found.ink, found.pointer) == ('"ends "', "reasoning.text", "/choices/0/delta/reasoning_content")


OUTPUT = (b"Low tide", b'"is"', b"at\ndata:\ndata: four")
REPLICATE = [b"event: output\nid: 1\ndata: " + data + b"\n\n" for data in OUTPUT]
DONE = b"event: done\nid: 2\ndata: {}\n\n"
CODED = b'g:"The ferry"\n0:" goes"\nd:{"finishReason":"stop"}\n'


@pytest.mark.parametrize(
    ("read", "n", "values"),
    [
        (exchange([*REPLICATE, DONE]), 0, [("text", "Low tide")]),
        (exchange([*REPLICATE, DONE]), 1, [("text", '"is"')]),
        (exchange([*REPLICATE, DONE]), 2, [("text", "at"), ("text", "four")]),
        (exchange([*REPLICATE, DONE]), 3, []),
        (Exchange("stream", "body", MemoryBody(CODED)), 0, [("reasoning", '"The ferry"')]),
        (Exchange("stream", "body", MemoryBody(CODED)), 1, [("text", '" goes"')]),
    ],
)
def test_a_payload_that_is_all_of_a_value_has_its_colour(
    qtbot: QtBot, read: Exchange, n: int, values: list[tuple[str, str]]
) -> None:
    session = opened(qtbot, read, "reference", None, lenses=False)
    assert session.reference is not None
    lines = [runs(session, n, line) for line in range(*session.reference.lines_of(n))]
    assert [(run.fill, run.text) for line in lines for run in line if run.fill] == values


@pytest.mark.parametrize(("line", "ink"), [(b'f:{"messageId":"m"}\n', "ink.2"), (b": ping\n\n", "ink.3")])
def test_what_is_behind_the_code_of_a_line_is_no_remark(qtbot: QtBot, line: bytes, ink: str) -> None:
    session = opened(qtbot, Exchange("stream", "body", MemoryBody(line + CODED)), "reference", None, lenses=False)
    assert runs(session, 0)[-1].ink == ink


def test_what_closed_a_block_is_underlined_and_marked_with_scissors(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(), "reference", "zcode-3.11")
    found = only(runs(session, 2), under="cut")
    assert (found.text, found.ink) == ('"tool_calls":[]', "error.text")
    known = evidences(session).of(2)
    assert known.marks == {4: ("scissors", "error")}
    assert known.told[4][0] == "tool_calls: [] ends a block for ZCode 3.11"


def test_without_a_reader_that_closes_there_the_empty_list_is_a_warning(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(), "reference", None)
    assert only(runs(session, 2), under="warning").text == '"tool_calls":[]'
    assert evidences(session).of(2).marks[4] == ("warning", "warning")


def test_the_first_line_has_no_folds_and_the_others_fold_what_it_said(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(), "reference", None)
    assert all(run.kind == TEXT for run in runs(session, 0))
    assert text_of(runs(session, 2)) == 'data: <fold >"reasoning_content":"ends ","content":"","tool_calls":[]<fold >'
    assert all(run.kind == TEXT for run in runs(session, 2, whole=True))


def test_a_line_that_needs_a_space_says_so_and_is_read_by_nobody(qtbot: QtBot) -> None:
    session = opened(qtbot, lost_call(), "wingmate-2026-06", "reference")
    found = runs(session, 3)
    assert [run.kind for run in found[:2]] == [TEXT, MISSING]
    assert (found[0].text, found[0].ink) == ("data:", "error.text")
    assert found[1].text == "no space"
    rest = [run for run in found[2:] if run.kind == TEXT]
    assert {(run.ink, run.under, run.fill) for run in rest} == {("ink.3", "unread", "")}
    known = evidences(session).of(3)
    assert known.marks == {6: ("unread", "unread")}
    assert known.readers == ("Wingmate 2026-06",)
    assert known.skipped == frozenset(range(len(known.deltas)))


def test_a_reader_that_needs_no_space_misses_none(qtbot: QtBot) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    assert not any(run.kind == MISSING for run in runs(session, 3))
    assert evidences(session).of(3).skipped == frozenset()


def test_empty_labels_are_underlined(qtbot: QtBot) -> None:
    found = runs(opened(qtbot, lost_call(), "reference", None), 4)
    assert [run.text for run in found if run.under == "warning"] == ['"id":""', '"name":""']


def test_a_field_that_a_reader_does_not_know_is_unread_there_with_its_key(qtbot: QtBot) -> None:
    details = [{"type": "reasoning.text", "text": "High", "index": 0}]
    body = exchange([event(chunk({"reasoning_details": details})), event(chunk({}, "stop"))])
    session = opened(qtbot, body, "openclaw", "reference")
    assert [run.text for run in runs(session, 0) if run.under == "unread"] == ['"reasoning_details"', '"text":"High"']
    assert evidences(session).of(0).readers == ("OpenClaw",)


def test_a_blank_line_is_an_arrow(qtbot: QtBot) -> None:
    assert [run.kind for run in runs(opened(qtbot, fragmented(), lenses=False), 1, 3)] == [RETURN]


@pytest.mark.parametrize("whole, most", [(False, ENOUGH + 500), (True, 4 * WHOLE)])
def test_of_a_very_long_line_little_is_decoded_and_the_rest_counted(qtbot: QtBot, whole: bool, most: int) -> None:
    body = exchange([event(chunk({"content": "paper boats " * 90_000})), event(chunk({}, "stop"))])
    found = runs(opened(qtbot, body, lenses=False), 0, whole=whole)
    assert sum(len(run.text) for run in found) < most
    left_out = sum(run.end - run.start for run in found if run.kind == FOLD)
    assert left_out > 1_000_000
    assert any(run.fill == "text" and run.text.startswith('"paper') for run in found)


def test_bytes_that_are_no_text_are_shown_as_such(qtbot: QtBot) -> None:
    broken = chunk({"content": "caf\u00e9"}).replace(b"\xc3\xa9", b"\xc3")
    found = runs(opened(qtbot, exchange([event(broken), event(chunk({}, "stop"))]), lenses=False), 0)
    assert '"caf\ufffd"' in text_of(found)


def test_controls_have_a_picture(qtbot: QtBot) -> None:
    body = exchange([b": \x1b[31m\xe2\x80\xaered\n\n"])
    assert text_of(runs(opened(qtbot, body, lenses=False), 0)) == ": \u241b[31m‹U+202E›red"


def test_evidence_of_a_note_that_is_made_often_stands_where_it_was_made_first(qtbot: QtBot) -> None:
    body = exchange([event(chunk({"reasoning_content": "a", "content": ""})) for _ in range(8)])
    known: list[Evidence] = [evidences(opened(qtbot, body, lenses=False)).of(n) for n in range(1, 3)]
    assert not any(("info", "info") in item.marks.values() for item in known)
    first = evidences(opened(qtbot, body, lenses=False)).of(0)
    assert ("info", "info") in first.marks.values()


LONG = json.dumps({
    "model": "demo", "created_at": "2026-11-29T20:31:00.037Z",
    "message": {"role": "assistant", "content": "Low tide"}, "done": False,
}, separators=(",", ":"))  # fmt: skip
OLLAMA = Exchange("x", "body", MemoryBody(f"{LONG}\n".encode()))


@pytest.mark.parametrize(
    ("read", "room", "shown"),
    [
        (OLLAMA, 2000, LONG),
        (OLLAMA, 300, '<fold >"assistant","content":"Low tide"}'),
        (exchange([event(chunk({"role": "a", "content": "Low tide"}))]), 300, 'data: <fold >"a","content":"Low tide"'),
        (exchange([event(chunk({"content": "x" * 300}))]), 300, 'data: <fold >"content":"' + "x" * 300 + '"'),
    ],
)
def test_the_first_value_of_a_long_line_is_in_sight(
    qtbot: QtBot, look: Look, read: Exchange, room: int, shown: str
) -> None:
    session = opened(qtbot, read, "reference", None, lenses=False)
    made = squeezed(runs(session, 0), room, width_of)
    assert text_of(made).startswith(shown)
    assert [run.start for run in made[1:]] == [run.end for run in made[:-1]]
    before = made[: next(n for n, run in enumerate(made) if run.fill)]
    assert room == 2000 or sum(map(width_of, before)) <= room - BEGINNING
