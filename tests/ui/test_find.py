"""Find in a page: what each part of the bar does, and how it follows what is read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange
from inspector_app.ui.find import control
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from tests.ui.find_data import Open, answer, chosen, current, pages_for, press, said, settled, type_in
from tests.ui.panes_data import exchange, fragmented, kit, lost_call


@pytest.fixture
def opened(qtbot: QtBot, look: Look) -> Iterator[Open]:
    """Opens an exchange in a page."""
    with pages_for(qtbot, look) as made:
        yield made


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
    monkeypatch.setattr(control, "REST", 0)
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
