"""What is shown of what was found, and where going to a match leads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector_app.ui.find.marks import Found, Marks, joined, shown_length
from inspector_app.ui.theme import Look
from inspector_app.ui.views.line_text import CURRENT, FOLD, MATCH
from tests.ui.find_data import Open, answer, chosen, current, pages_for, type_in

LONG = 1_000_000


@pytest.fixture
def opened(qtbot: QtBot, look: Look) -> Iterator[Open]:
    """Opens an exchange in a page."""
    with pages_for(qtbot, look) as made:
        yield made


def test_a_match_over_several_deltas_is_marked_in_every_pane(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("再試", "行 ", "Hel", "lo"))
    type_in(qtbot, page, "試行 hello")
    marks, reading = page.find.marks, page.session.reference
    assert reading is not None
    assert [marks.in_delta(n) for n in range(1, 5)] == [
        [Found(1, 2, True)], [Found(0, 2, True)], [Found(0, 3, True)], [Found(0, 2, True)]
    ]  # fmt: skip
    assert marks.in_fragment("reference", 0, 2) == [Found(0, 3, True)]
    for n, text in ((1, "試".encode()), (4, b"lo")):
        [found] = marks.in_bytes(*reading.bytes_of(n))
        assert reading.body.slice(found.start, found.end) == text
    assert (current(page).event, chosen(page)) == (1, "試".encode())


def test_a_fold_that_hides_a_match_opens(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("ab", "cd", "ef"))
    raw = page.panes.raw
    assert any(run.kind == FOLD for run in raw._shown_runs(2, 4))
    type_in(qtbot, page, "completion.chunk")
    found = [run for run in raw._shown_runs(2, 4) if run.found]
    assert ["".join(run.text for run in found), {run.found for run in found}] == ["completion.chunk", {MATCH}]
    assert {run.found for run in raw._shown_runs(0, 0)} == {0, CURRENT}
    page.find.close()
    assert not any(run.found for run in raw._shown_runs(2, 4))


def test_a_match_far_in_a_line_of_a_megabyte_comes_into_view(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("x" * LONG + "needle" + "y" * LONG, "end"))
    raw = page.panes.raw
    type_in(qtbot, page, "needle")
    assert chosen(page) == b"needle"
    raw.grab()
    [(left, right)] = [
        (left, right) for left, right, run in raw._places[raw._session.rows.rows_of(1)[0]] if run.found == CURRENT
    ]
    assert 0 <= left < right <= raw.viewport().width()
    page.panes.show_whole_lines(True)
    page.find.next()
    raw.grab()
    assert any(run.found == CURRENT for run in raw._shown_runs(1, 2))


def test_going_far_scrolls_all_panes(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer(*["word "] * 300, "needle", *[" word"] * 300))
    type_in(qtbot, page, "needle")
    row = page.session.rows.rows_of(301)[0] * 22
    for view in (page.panes.raw, page.panes.deltas, page.panes.blocks):
        assert view.verticalScrollBar().value() <= row < view.verticalScrollBar().value() + view.viewport().height()


def test_scroll_bars_and_overview_are_marked(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer(*["word "] * 100, "needle", *[" word"] * 99, "needle"))
    type_in(qtbot, page, "needle")
    marks = page.find._scroll_marks[2]
    assert not marks.isHidden()
    assert len(marks.ticks()) == 2
    assert [round(place, 1) for place in marks._places] == [0.5, 1.0]
    clock = page.clock
    assert clock is not None
    assert list(page.timeline._found) == [clock.positions[101], clock.positions[201]]
    page.find.close()
    assert (marks.isHidden(), list(page.timeline._found)) == (True, [])


def test_the_scroll_bar_of_the_reading_view_is_marked(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer(*["word\n\n"] * 100, "needle", *["\n\nword"] * 99, "needle"))
    type_in(qtbot, page, "needle")
    page.panes.show_reading_view(True)
    marks = page.find._card_marks
    assert [round(place, 1) for place in marks._places] == [0.5, 1.0]
    assert not marks.isHidden()
    page.find.close()
    assert marks.isHidden()


def painted(widget: QWidget, color: str) -> int:
    """How many pixels of a widget have a colour."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    wanted = int(color[1:], 16)
    data = memoryview(image.constBits()).cast("I")
    return sum(pixel & 0xFFFFFF == wanted for pixel in data)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_matches_have_their_colour_in_every_pane(qtbot: QtBot, opened: Open, look: Look, theme: str) -> None:
    look.choose(theme)
    page = opened(answer("one two", " three two", " four"))
    panes, color = page.panes, look.theme.color("find.fill").name()
    views = (panes.raw, panes.deltas, panes.blocks, panes.cards)

    def grounds() -> list[bool]:
        found = []
        for view in views:
            panes.show_reading_view(view is panes.cards)
            found.append(painted(view.viewport(), color) > 20)
        return found

    assert grounds() == [False] * 4
    type_in(qtbot, page, "two")
    assert grounds() == [True] * 4
    page.find.close()
    assert grounds() == [False] * 4


def test_marks_in_bytes_are_the_first_ones_and_the_current_one() -> None:
    class Some:
        ranges: ClassVar = [(n, n + 1, (n, n + 1, -1, -1)) for n in range(0, 1000, 2)]

    marks = Marks()
    marks.show(Some(), (900, 901, -1, -1))  # type: ignore[arg-type]
    found = marks.in_bytes(100, 950, 3)
    assert found == [Found(100, 101, False), Found(102, 103, False), Found(104, 105, False), Found(900, 901, True)]
    assert marks.in_bytes(1, 2) == []
    marks.show(None, None)
    assert marks.in_bytes(0, 1000) == []


def test_parts_of_a_match_that_touch_are_one() -> None:
    parts = [Found(0, 2, True), Found(2, 3, True), Found(3, 5, False), Found(7, 8, False)]
    assert joined(parts) == [Found(0, 3, True), Found(3, 5, False), Found(7, 8, False)]


@pytest.mark.parametrize("text, count, length", [("plain", 3, 3), ("a\x00b", 2, 2), ("a\u202eb", 2, 9), ("你好", 1, 1)])
def test_the_length_of_what_is_shown(text: str, count: int, length: int) -> None:
    assert shown_length(text, count) == length
