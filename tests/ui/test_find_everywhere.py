"""Find in every open recording: what is listed, and where a row leads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.ui.find.everywhere import EverywhereDialog
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window
from tests.ui.panes_data import kit

NAMES = ("mixed-spacing", "think-tags", "held-back-burst")


@pytest.fixture
def window(qtbot: QtBot, look: Look) -> Iterator[Window]:
    window = Window(kit(), load_lenses([shipped_folder()]), look)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.show()
    for name in NAMES:
        page = window.open_path(str(resource("recordings", f"{name}.rec.jsonl")))
        qtbot.waitUntil(lambda page=page: page.session.complete and page.session.idle, timeout=20_000)
    yield window
    window.close()


def asked(qtbot: QtBot, window: Window, text: str) -> EverywhereDialog:
    window.everywhere.open()
    dialog = window.everywhere.dialog
    assert dialog is not None
    dialog.bar.field.selectAll()
    QTest.keyClicks(dialog.bar.field, text)
    dialog.bar.completion.completer.popup().hide()
    qtbot.waitUntil(lambda: not dialog.busy)
    return dialog


def test_what_is_found_is_listed_by_recording(qtbot: QtBot, qtmodeltester: ModelTester, window: Window) -> None:
    dialog = asked(qtbot, window, "get_weather")
    rows = [[dialog.model.index(row, column).data() for column in range(3)] for row in range(dialog.model.rowCount())]
    assert [row[0] for row in rows] == [window.deck.pages()[0].title]
    assert rows[0][1] == "8"
    assert '"name":"get_weather"' in rows[0][2]
    assert (dialog.bar.count.text(), dialog.bar.accessibleDescription()) == (
        "1 found",
        "1 found in 1 of 3 recordings",
    )
    qtmodeltester.check(dialog.model, force_py=True)


def test_a_row_leads_to_its_recording(qtbot: QtBot, window: Window) -> None:
    dialog = asked(qtbot, window, "get_weather")
    place = dialog.table.visualRect(dialog.model.index(0, 2)).center()
    QTest.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    page = window.page()
    assert page is window.deck.pages()[0]
    qtbot.waitUntil(lambda: not page.find.is_searching)
    selected = page.session.selection.current
    assert (page.find.is_open, selected.event) == (True, 8)


def test_many_matches_of_one_recording_are_counted(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector_app.ui.find.everywhere.MOST", 2)
    dialog = asked(qtbot, window, "choices")
    texts = [dialog.model.index(row, 2).data() for row in range(dialog.model.rowCount())]
    assert len(texts) == 9
    assert texts[2].startswith("and ")


@pytest.mark.parametrize(
    "scope, text, found", [("fields", "choices and", "Not a filter"), ("everything", "nowhere at all", "Nothing found")]
)
def test_what_it_says_besides(qtbot: QtBot, window: Window, scope: str, text: str, found: str) -> None:
    window.everywhere.open()
    dialog = window.everywhere.dialog
    assert dialog is not None
    dialog.bar.scope.setCurrentIndex(dialog.bar.scope.findData(scope))
    dialog.bar.scope.activated.emit(0)
    asked(qtbot, window, text)
    assert dialog.bar.count.text() == found


def test_a_recording_that_was_closed_is_listed_no_more(qtbot: QtBot, window: Window) -> None:
    dialog = asked(qtbot, window, "get_weather")
    for left in range(len(window.deck.pages()), 0, -1):
        pages = window.deck.pages()
        assert {hit.page for hit in dialog.model.rows} <= set(pages)
        assert f"of {left} recording" in dialog.bar.accessibleDescription()
        window.close_page(window.deck.tab_of(pages[0]))
    assert dialog.model.rows == []
    assert dialog.bar.count.text() == ""


def test_a_tab_that_is_closed_meanwhile_is_left_out(qtbot: QtBot, window: Window) -> None:
    window.everywhere.open()
    dialog = window.everywhere.dialog
    assert dialog is not None
    dialog.bar.field.setText("e")
    dialog.look()
    assert dialog._work is not None
    next(dialog._work)
    window.deck.close_tab(window.deck.tab_of(window.deck.pages()[2]))
    window.deck.close_tab(window.deck.tab_of(window.deck.pages()[1]))
    qtbot.waitUntil(lambda: not dialog.busy)
    assert dialog.bar.accessibleDescription().endswith(" found in 1 of 1 recording")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("index = 7", ["choices[].index", "choices[].delta.tool_calls[].index"]),
        ("what is this", ["Find it as text"]),
        ("model = nobody", []),
    ],
)
def test_a_filter_that_finds_nothing_says_what_may_be_meant(
    qtbot: QtBot, window: Window, typed: str, offered: list[str]
) -> None:
    window.everywhere.open()
    dialog = window.everywhere.dialog
    assert dialog is not None
    dialog.bar.turn_to(True)
    asked(qtbot, window, typed)
    assert [offer.words for offer in dialog.bar._offers] == offered
    assert dialog.bar.meant.isVisible() == bool(offered)
    assert dialog.bar.count.text() == ("Not a filter" if typed == "what is this" else "No event matches")
    dialog.bar.filter_by("model exists")
    qtbot.waitUntil(lambda: not dialog.busy)
    assert not dialog.bar.meant.isVisible()
