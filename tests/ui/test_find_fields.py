"""The field filter of the find bar: typed, completed, chosen, kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from inspector_app.core.field_search import FIELDS
from inspector_app.ui.find.filters import PRESETS, SavedFilters, filter_menu
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.theme import Look
from tests.ui.find_data import Open, answer, chosen, current, pages_for, press, said, settled


@pytest.fixture
def opened(qtbot: QtBot, look: Look) -> Iterator[Open]:
    """Opens an exchange in a page."""
    with pages_for(qtbot, look) as made:
        yield made


def filtered(qtbot: QtBot, page: RecordingPage, text: str) -> None:
    page.find.filter_by()
    QTest.keyClicks(page.find.bar.field, text)
    page.find.bar.completion.completer.popup().hide()
    settled(qtbot, page)


def test_it_goes_through_the_events_of_which_it_holds(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("six ", "two ", "six"))
    filtered(qtbot, page, "choices[].delta.content contains six")
    assert said(page) == ("1 of 2 events", "")
    assert (current(page).event, chosen(page)) == (1, b'"content":"six "')
    press(page.find.bar.field, Qt.Key.Key_Return)
    assert (said(page)[0], current(page).event) == ("2 of 2 events", 3)


@pytest.mark.parametrize(
    "text, found, remark",
    [
        ("choices exists and", "Not a filter", "a field is expected at the end"),
        ("look at the mill", "Not a filter", "a filter says something of a field, as in t > 2s"),
        ("choices exi", "Not a filter", "`and` or `or` is expected at character 9, where 'exi' stands"),
        ("choices is null", "No event matches", ""),
    ],
)
def test_what_it_says_besides(qtbot: QtBot, opened: Open, text: str, found: str, remark: str) -> None:
    page = opened(answer("six "))
    filtered(qtbot, page, text)
    assert said(page) == (found, remark)


def test_names_are_completed_from_the_fields_seen(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("six "))
    page.find.filter_by()
    field, completer = page.find.bar.field, page.find.bar.completion.completer
    QTest.keyClicks(field, "conten")
    popup = completer.popup()
    names = [popup.model().index(row, 0).data() for row in range(popup.model().rowCount())]
    assert names == ["choices[].delta.content"]
    press(popup, Qt.Key.Key_Down)
    press(popup, Qt.Key.Key_Return)
    assert field.text() == "choices[].delta.content "
    settled(qtbot, page)
    assert said(page)[0] == "1 of 2 events"


def test_other_helps_stand_beside_a_field_filter(opened: Open) -> None:
    bar = opened(answer("six ")).find.bar
    bar.show()
    assert (bar.case.isVisible(), bar.presets.isVisible(), bar.completion.active) == (True, False, False)
    bar.filter_by("kind = tool")
    assert (bar.case.isVisible(), bar.presets.isVisible(), bar.completion.active) == (False, True, True)


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if action.isEnabled() and not action.isSeparator()]


def test_filters_are_kept_and_forgotten(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("six "))
    saved, asked = SavedFilters(), []
    menu = filter_menu(page, saved, " t > 2s ", asked.append)
    assert texts(menu) == [*("\t".join(preset) for preset in PRESETS), "Keep this filter"]
    menu.actions()[0].trigger()
    menu.actions()[-2].trigger()
    assert (asked, saved()) == (["kind = tool"], ["t > 2s"])
    menu = filter_menu(page, saved, "t > 2s", asked.append)
    assert texts(menu)[len(PRESETS) :] == ["t > 2s", "Forget this filter"]
    menu.actions()[-1].trigger()
    assert saved() == []


def test_each_key_opens_its_own_kind_of_find(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("six ", "two "))
    bar = page.find.bar
    filtered(qtbot, page, "kind = text")
    page.find.start()
    assert (bar.query.scope, bar.field.text()) == ("everything", "")
    QTest.keyClicks(bar.field, "two")
    settled(qtbot, page)
    assert said(page)[0] == "1 of 1"
    page.find.filter_by()
    settled(qtbot, page)
    assert (bar.query.scope, bar.field.text(), bar.field.selectedText()) == (FIELDS, "kind = text", "kind = text")
    page.find.close()
    page.find.start()
    assert (bar.query.scope, bar.field.selectedText()) == ("everything", "two")


@pytest.mark.parametrize("text", ["two", "two parts", "it is two"])
def test_a_word_that_is_no_field_can_be_found_as_text(qtbot: QtBot, opened: Open, text: str) -> None:
    page = opened(answer("it is two parts"))
    bar = page.find.bar
    filtered(qtbot, page, text)
    assert (bar.meant.isVisible(), bar.meant.text()) == (True, "Find it as text")
    bar.meant.click()
    settled(qtbot, page)
    assert (bar.query.scope, bar.query.text, bar.meant.isVisible()) == ("everything", text, False)
    assert said(page)[0] == "1 of 1"


@pytest.mark.parametrize("text", ["choices exi", "choices is null", "choices exists and", "kind = tool", "x = 7"])
def test_a_filter_is_not_taken_for_text(qtbot: QtBot, opened: Open, text: str) -> None:
    page = opened(answer("six "))
    filtered(qtbot, page, text)
    assert not page.find.bar.meant.isVisible()


def test_a_field_by_its_last_name_is_offered_in_full(qtbot: QtBot, opened: Open) -> None:
    page = opened(answer("six ", "two ", "six"))
    bar = page.find.bar
    filtered(qtbot, page, "content contains six")
    assert said(page) == ("No event matches", "no field “content”, but choices[].delta.content")
    assert bar.meant.text() == "Did you mean…"
    bar.meant.click()
    menu = bar.findChild(QMenu)
    assert texts(menu) == ["choices[].delta.content"]
    menu.actions()[0].trigger()
    menu.close()
    settled(qtbot, page)
    assert bar.field.text() == "choices[].delta.content contains six"
    assert (said(page)[0], bar.meant.isVisible()) == ("1 of 2 events", False)
