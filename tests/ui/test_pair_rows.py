"""Two recordings side by side: where a row leads, and what is selected on the other side."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange
from inspector_app.ui.pair.head import BLOCK, EVENT, TIME
from inspector_app.ui.pair.outcome import CONTENT, FRAMING, SHAPE
from inspector_app.ui.selection import Selection
from inspector_app.ui.window import Window
from tests.ui.pair_data import OTHER_WORDS, WORDS, after, answer, before, chunk, compared, rows, selected
from tests.ui.window_data import window

__all__ = ["window"]


@pytest.mark.parametrize("by, beside", [(BLOCK, 3), (EVENT, 1), (TIME, 3)])
def test_what_is_selected_on_one_side_is_on_the_other(qtbot: QtBot, window: Window, by: str, beside: int) -> None:
    # Twice as fast: at the time of the second event of A four of B have come.
    page = compared(qtbot, window, before(), after(gap=10))
    page.choose_alignment(by)
    page.sides[0].selection.select(Selection(1), None)
    assert selected(page) == (1, beside)


def test_a_row_leads_to_its_events_on_both_sides(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), after(OTHER_WORDS))
    at = rows(page).index((CONTENT, "text"))
    page.table.choose(at)
    assert selected(page) == (1, 3)
    # Only B has the field: A shows what stands beside it.
    page.table.choose(rows(page).index((SHAPE, "choices[].delta.reasoning")))
    assert selected(page) == (0, 1)


def test_the_difference_that_the_verdict_speaks_of_is_shown_first(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), after(OTHER_WORDS))
    verdict = page.outcome.verdict if page.outcome is not None else None
    assert verdict is not None
    assert verdict.first_difference is not None
    row = page.table.differences.rows[page.table.chosen]
    assert (row.layer, row.what, row.events[0]) == (CONTENT, "text", verdict.first_difference.event)
    assert selected(page) == row.events
    assert page.table.viewport().rect().contains(page.table.visualRect(page.table.currentIndex()))
    # Rows around it are whole.
    assert page.table.verticalScrollBar().value() % page.table.rowHeight(0) == 0
    assert page.table.verticalScrollBar().value() > 0


@pytest.mark.parametrize("turned", [False, True])
def test_what_lines_are_all_along_is_held_against_the_line_that_is_not(
    qtbot: QtBot, window: Window, turned: bool
) -> None:
    spaced = [b"data: " + chunk({"content": word}) + b"\n\n" for word in WORDS]
    bare = [*spaced[:3], spaced[3].replace(b"data: ", b"data:"), *spaced[4:]]
    made = [answer(spaced, "a.sse"), answer(bare, "b.sse")]
    page = compared(qtbot, window, *made[:: -1 if turned else 1])
    (row,) = (row for row in page.table.differences.rows if row.layer == FRAMING)
    assert (row.what, row.events) == ("space after the colon", (3, 3))
    page.table.choose(rows(page).index((FRAMING, row.what)))
    assert selected(page) == (3, 3)


def test_keys_go_through_the_differences(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), after())
    count = len(rows(page))
    page.table.choose(0)
    QTest.keyClick(window, Qt.Key.Key_F8)
    assert page.table.chosen == 1
    QTest.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert page.table.chosen == count - 1


def test_of_a_type_that_came_only_its_values_are_marked(qtbot: QtBot, window: Window) -> None:
    def numbered(kinds: str, name: str) -> Exchange:
        deltas = [{"content": "a", "place": n if kind == "n" else str(n)} for n, kind in enumerate(kinds)]
        return answer([b"data: " + chunk(delta) + b"\n\n" for delta in deltas], name)

    page = compared(qtbot, window, numbered("nnnnnn", "a.sse"), numbered("nnnsns", "b.sse"))
    page.table.choose(rows(page).index((SHAPE, "choices[].delta.place")))
    assert selected(page) == (3, 3)
    sides = [side.evidences for side in page.panes.sides]
    marked = [[n for n in range(6) if any("place" in one.pointer for one in its.of(n).ranges)] for its in sides]
    assert marked == [[], [3, 5]]


def test_a_difference_stays_selected_when_the_alignment_changes(qtbot: QtBot, window: Window) -> None:
    # By time all of A has come when B begins.
    page = compared(qtbot, window, before(), after(OTHER_WORDS, gap=300))
    page.table.choose(rows(page).index((CONTENT, "text")))
    assert selected(page) == (1, 3)
    for by in (TIME, EVENT, BLOCK):
        page.choose_alignment(by)
        assert selected(page) == (1, 3)


def test_a_difference_of_one_side_is_held_against_the_same_content_when_aligned_by_time(
    qtbot: QtBot, window: Window
) -> None:
    page = compared(qtbot, window, before(), after(gap=300))
    at = rows(page).index((SHAPE, "service_tier"))
    page.table.choose(at)
    by_block = selected(page)
    page.choose_alignment(TIME)
    assert selected(page) == by_block
    page.table.choose(0)
    page.table.choose(at)
    assert selected(page) == by_block
    # Who selects an event himself sees what there was at its time.
    page.sides[1].selection.select(Selection(4), None)
    assert selected(page) == (len(WORDS), 4)
    page.choose_alignment(EVENT)
    assert selected(page) == (len(WORDS), len(WORDS))


def test_a_difference_has_its_blocks_at_one_height(qtbot: QtBot, window: Window) -> None:
    window.resize(1280, 640)
    thought = [chunk({"reasoning": f"thought{n} "}) for n in range(60)]
    text = [chunk({"content": f"word{n} "}) for n in range(400)]
    call = {"tool_calls": [{"index": 0, "id": "call_1", "function": {"name": "look", "arguments": "{}"}}]}

    def answered(name: str, **more: str) -> Exchange:
        chunks = [*thought, *text, chunk(call, **more), chunk({}, usage={"prompt_tokens": 1})]
        return answer([b"data: " + one + b"\n\n" for one in chunks], name)

    page = compared(qtbot, window, answered("a.sse"), answered("b.sse", tier="default"))
    page.sides[0].selection.select(Selection(0), None)
    page.choose_view(1)
    page.table.choose(rows(page).index((SHAPE, "tier")))
    left, right = (side.cards for side in page.panes.sides)
    left.verticalScrollBar().setValue(0)
    page.panes.hold(True)
    right.verticalScrollBar().setValue(right.verticalScrollBar().maximum())
    page.panes.hold(False)
    page._show_row()
    tops = [cards.stacks[0].tops[2] - cards.verticalScrollBar().value() for cards in (left, right)]
    assert tops[0] == tops[1]
    assert right.verticalScrollBar().value() > 0
    # So they have when the lines give way to the blocks.
    page.choose_view(0)
    page.panes.hold(True)
    left.verticalScrollBar().setValue(0)
    page.panes.hold(False)
    page.choose_view(1)
    tops = [cards.stacks[0].tops[2] - cards.verticalScrollBar().value() for cards in (left, right)]
    assert tops[0] == tops[1]
