"""Find in a page: what each part of the bar does, what is shown of it, and where going to a match leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import ClassVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange
from inspector_app.ui.find import control
from inspector_app.ui.find.marks import Found, Marks, joined, shown_length
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.line_text import CURRENT, FOLD, MATCH
from tests.ui.panes_data import chunk, event, exchange, fragmented, kit, lost_call, shipped_lenses

Open = Callable[..., RecordingPage]
LONG = 1_000_000


@pytest.fixture
def opened(qtbot: QtBot, look: Look) -> Iterator[Open]:
    """Opens an exchange in a page."""
    pages: list[RecordingPage] = []

    def made(read: Exchange, width: int = 1400, height: int = 900) -> RecordingPage:
        page = RecordingPage(Session("stream.sse", kit(), shipped_lenses()), look)
        qtbot.addWidget(page)
        page.resize(width, height)
        with qtbot.waitExposed(page):
            page.show()
        pages.append(page)
        page.session.open_exchanges([read])
        qtbot.waitUntil(lambda: page.session.complete and page.session.idle)
        page.session.selection.select(Selection(0), None)
        return page

    yield made
    for page in pages:
        page.find.close()
        page.session.cancel()


def answer(*parts: str, field: str = "content") -> Exchange:
    events = [event(chunk({"role": "assistant", "content": ""}))]
    events += [event(chunk({field: part})) for part in parts]
    return exchange([*events, event(chunk({}, "stop")), event(b"[DONE]")])


def type_in(qtbot: QtBot, page: RecordingPage, text: str) -> None:
    """Types a text into the bar and waits for all that there is."""
    page.find.start()
    field = page.find.bar.field
    if text.isascii():
        QTest.keyClicks(field, text)
    else:
        field.insert(text)
        field.textEdited.emit(field.text())
    settled(qtbot, page)


def settled(qtbot: QtBot, page: RecordingPage) -> None:
    qtbot.waitUntil(lambda: not page.find.is_searching)


def press(widget: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(widget, key, modifier)


def current(page: RecordingPage) -> Selection:
    found = page.session.selection.current
    assert found is not None
    return found


def chosen(page: RecordingPage) -> bytes:
    place, reading = current(page), page.session.reference
    assert reading is not None
    assert place.start is not None
    assert place.end is not None
    return reading.body.slice(place.start, place.end)


def said(page: RecordingPage) -> tuple[str, str]:
    return page.find.bar.count.text(), page.find.bar.remark.text()


# the bar


def test_typing_goes_to_the_first_match_and_counts_them(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("six ", "two ", "six ", "three"))
    type_in(qtbot, page, "six")
    assert said(page) == ("1 of 2", "")
    assert (current(page).event, chosen(page)) == (1, b"six")
    assert (current(page).pointer, current(page).block) == ("/choices/0/delta/content", 0)


@pytest.mark.parametrize(
    "steps, count, remark",
    [
        ([(Qt.Key.Key_Return, False)], "2 of 3", ""),
        ([(Qt.Key.Key_Enter, False)] * 2, "3 of 3", ""),
        ([(Qt.Key.Key_Return, False)] * 3, "1 of 3", "from the start"),
        ([(Qt.Key.Key_Return, True)], "3 of 3", "went on from the last one"),
        ([(Qt.Key.Key_Return, False), (Qt.Key.Key_Return, True)], "1 of 3", ""),
    ],
)
def test_enter_walks_through_the_matches(
    qtbot: QtBot, opened: Open, steps: list[tuple[Qt.Key, bool]], count: str, remark: str
) -> None:
    page = opened(answer("ab", "ab", "ab"))
    type_in(qtbot, page, "ab")
    for key, shift in steps:
        modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
        press(page.find.bar.field, key, modifier)
    assert said(page) == (count, remark)


def test_the_buttons_and_the_commands_walk_too(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("ab", "ab", "ab"))
    type_in(qtbot, page, "ab")
    page.find.bar.following.click()
    assert said(page)[0] == "2 of 3"
    page.find.bar.previous.click()
    assert said(page)[0] == "1 of 3"
    named = {command.words: command for command in page.find.commands()}
    named["Next match"].run()
    named["Next match"].run()
    named["Previous match"].run()
    assert said(page)[0] == "2 of 3"
    assert (named["Find in this recording"].keys, named["Close find"].keys) == (("/", "Ctrl+F"), ("Esc",))
    named["Close find"].run()
    assert not page.find.is_open
    assert "Close find" not in {command.words for command in page.find.commands()}


def test_escape_takes_the_bar_and_the_marks_but_not_the_selection(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("ab", "ab"))
    page.panes.deltas.setFocus()
    type_in(qtbot, page, "ab")
    before = current(page)
    press(page.find.bar.field, Qt.Key.Key_Escape)
    assert (page.find.is_open, current(page), page.find.marks.search) == (False, before, None)
    assert page.panes.deltas.hasFocus()
    assert page.find.bar.history == ["ab"]


def test_next_without_a_bar_takes_up_the_last_search(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("ab", "ab"))
    page.find.next()
    assert page.find.bar.field.hasFocus()
    type_in(qtbot, page, "ab")
    page.find.close()
    page.panes.raw.setFocus()
    page.find.next()
    settled(qtbot, page)
    assert (said(page)[0], page.panes.raw.hasFocus()) == ("2 of 2", True)


def test_the_way_goes_on_from_what_was_selected_elsewhere(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("ab", "ab", "ab", "ab"))
    type_in(qtbot, page, "ab")
    page.session.selection.select(Selection(3), None)
    page.find.next()
    assert said(page)[0] == "3 of 4"
    page.session.selection.select(Selection(3), None)
    page.find.previous()
    assert said(page)[0] == "2 of 4"


def test_case_expression_and_scope(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("Index", "index 7", "in", "dex"))
    bar = page.find.bar
    type_in(qtbot, page, "index")
    everywhere = len(page.find.marks.search.matches)  # type: ignore[union-attr]
    bar.case.click()
    settled(qtbot, page)
    assert len(page.find.marks.search.matches) == everywhere - 1  # type: ignore[union-attr]
    for name, count in (("deltas", "1 of 1"), ("blocks", "1 of 2")):
        bar.scope.setCurrentIndex(bar.scope.findData(name))
        bar.scope.activated.emit(bar.scope.currentIndex())
        settled(qtbot, page)
        assert said(page)[0].partition(" of ")[2] == count.partition(" of ")[2]
    bar.expression.click()
    bar.field.setText(r"ex \d")
    bar.field.textEdited.emit(bar.field.text())
    settled(qtbot, page)
    assert chosen(page) == b"ex 7"


def test_what_is_no_expression_is_said_in_place(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("ab"))
    page.find.bar.expression.click()
    type_in(qtbot, page, "(a")
    assert said(page) == ("Not a regular expression", "missing ) at character 3")
    assert page.find.bar.count.property("ink") == "error.text"
    assert not page.find.bar.following.isEnabled()
    QTest.keyClicks(page.find.bar.field, ")")
    settled(qtbot, page)
    assert page.find.bar.count.property("ink") == "ink.1"
    assert page.find.bar.following.isEnabled()


def test_nothing_found_says_where_it_was_looked_for(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("ab"))
    before = current(page)
    type_in(qtbot, page, "zebra")
    assert said(page) == ("Nothing found", "in lines, deltas and blocks, in capital or small letters")
    press(page.find.bar.field, Qt.Key.Key_Return)
    assert current(page) == before
    page.find.bar.case.click()
    settled(qtbot, page)
    assert said(page)[1] == "in lines, deltas and blocks"


def test_up_and_down_bring_back_earlier_searches(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("one", "two"))
    field = page.find.bar.field
    for text in ("one", "two"):
        page.find.start()
        type_in(qtbot, page, text)
        press(field, Qt.Key.Key_Return)
    page.find.start()
    type_in(qtbot, page, "th")
    texts = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down):
        press(field, key)
        texts.append(field.text())
    assert texts == ["two", "one", "one", "two", "th", "th"]
    settled(qtbot, page)


def test_an_expression_that_is_given_up_is_counted(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("a" * 3000 + "!y"))
    page.find.bar.expression.click()
    type_in(qtbot, page, r"(a+)(a+)(a+)(a+)\1\2y")
    assert said(page)[0] == "Nothing found"
    assert said(page)[1].endswith("3 texts left out: this expression takes too long there")


# what is shown


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


# with the session


def test_another_reading_is_searched_as_well(qtbot: QtBot, opened: Open) -> None:
    page = opened(fragmented())
    page.session.choose("reference", None)
    type_in(qtbot, page, "fetch ends")
    assert ("zcode-3.11", 0) not in page.find.marks.search.fragments  # type: ignore[union-attr]
    page.session.choose("reference", "zcode-3.11")
    qtbot.waitUntil(lambda: page.session.right is not None and not page.find.is_searching)
    assert said(page)[0] == "1 of 2"
    page.find.bar.field.setText("fetch")
    page.find.bar.field.textEdited.emit("fetch")
    settled(qtbot, page)
    assert any(reader == "zcode-3.11" for reader, _ in page.find.marks.search.fragments)  # type: ignore[union-attr]


def test_what_comes_while_it_is_read_is_found(
    qtbot: QtBot, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "AGAIN_EACH_S", 0)
    page = RecordingPage(Session("stream.sse", kit(), {}), look)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    page.find.start()
    QTest.keyClicks(page.find.bar.field, "needle")
    assert said(page) == ("", "nothing has been read yet")
    page.session.open_exchanges([answer(*["word "] * 3000, "needle")])
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle and not page.find.is_searching)
    assert said(page)[0] == "1 of 1"
    page.find.close()


def test_a_search_holds_the_window_in_steps(
    qtbot: QtBot, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(answer(*["word "] * 2000))
    page.find.start()
    page.find.bar.field.insert("rd wo")
    ticks = iter(range(0, 10**12, control.STEP_NS // 2))
    monkeypatch.setattr(control.time, "perf_counter_ns", lambda: next(ticks))
    parts: list[int] = []
    page.find._ask()
    while page.find.is_searching:
        page.find._step()
        search = page.find._running
        assert search is not None
        parts.append(len(search.matches))
    assert len(parts) > 100
    assert max(after - before for before, after in pairwise(parts)) <= 2
    assert said(page)[0].endswith(" of 1 999".replace(" 9", "\u20099"))


def test_a_body_without_events_can_be_searched(qtbot: QtBot, opened: Open) -> None:
    page = opened(Exchange("page.html", "sse-body", exchange([b"<html>\n<body>\nBad Gateway\n"]).body))
    type_in(qtbot, page, "gateway")
    assert said(page)[0] == "1 of 1"
    assert chosen(page) == b"Gateway"


def test_a_name_of_a_call_is_marked_where_it_stands(qtbot: QtBot, opened: Open) -> None:
    page = opened(lost_call())
    type_in(qtbot, page, "get_weather")
    assert (said(page)[0], chosen(page)) == ("1 of 1", b"get_weather")


# small parts


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
