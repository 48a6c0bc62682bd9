"""The editor of lenses: every rule is there, what is made is tried, saved, read by all recordings, and taken away."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from inspector_app.core.rules import RULES
from inspector_app.lenses import load_lenses, user_folder
from inspector_app.ui.lens_editor.dialog import LensEditor
from inspector_app.ui.lens_editor.fields import reference_value
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.window import Window
from tests.ui.window_data import open_in, window

__all__ = ["window"]


@pytest.fixture
def page(qtbot: QtBot, window: Window) -> RecordingPage:
    return open_in(qtbot, window, "empty-tool-calls")


@pytest.fixture
def editor(qtbot: QtBot, window: Window, page: RecordingPage) -> Iterator[LensEditor]:
    made = window.asides.show_editor()
    tried(qtbot, made)
    yield made
    if isValid(made):
        made.close()


def tried(qtbot: QtBot, editor: LensEditor) -> None:
    qtbot.waitUntil(lambda: not editor.busy, timeout=20_000)


def choose(editor: LensEditor, key: str, value: str) -> None:
    """Choose a value of a rule as the user does."""
    choice = editor.rules.rows[key].field._choice
    choice.setCurrentIndex(choice.findData(value))
    choice.activated.emit(choice.currentIndex())


def typed(qtbot: QtBot, editor: LensEditor, **texts: str) -> None:
    for key, text in texts.items():
        editor.fields[key].clear()
        qtbot.keyClicks(editor.fields[key], text)


def pick(editor: LensEditor, data: str) -> None:
    editor.which.setCurrentIndex(editor.which.findData(data))
    editor.which.activated.emit(editor.which.currentIndex())


def test_every_rule_has_a_field_a_sentence_and_the_value_of_the_reference(editor: LensEditor) -> None:
    assert set(editor.rules.rows) == set(RULES)
    for key, row in editor.rules.rows.items():
        assert row.value == reference_value(key), key
        assert row._meaning.text() == RULES[key].meaning
        assert not row.differs
    for key, rule in RULES.items():
        if rule.shape == "choice":
            choice = editor.rules.rows[key].field._choice
            assert tuple(choice.itemData(at) for at in range(choice.count())) == rule.values


VALUES = {
    "choice": None, "flag": True, "number": 4096, "text": "ende", "list": ["reasoning"], "set": ["signature"],
    "table": {"sse-no-space": "boom"}, "repairs": ["tool-id-missing"],
}  # fmt: skip


def test_a_value_that_is_set_is_the_one_that_is_given_back(editor: LensEditor) -> None:
    for key, rule in RULES.items():
        row = editor.rules.rows[key]
        value = rule.values[1] if rule.shape == "choice" else VALUES[rule.shape]
        row.show_value(value)
        assert row.value == value
        assert editor.rules.rules == {key: value}
        assert row.reset.isVisibleTo(row)
        row.reset.click()
        assert editor.rules.rules == {}


def test_no_repairs_and_all_repairs_are_two_things(editor: LensEditor) -> None:
    row = editor.rules.rows["repairs"]
    row.show_value([])
    assert (row.value, row.differs) == ([], True)
    row.show_value("all")
    assert (row.value, row.differs) == ("all", False)


def test_the_recording_is_read_with_each_change(qtbot: QtBot, editor: LensEditor) -> None:
    assert editor.preview.verdict == "right"
    choose(editor, "reasoning_end", "non-null-tool-calls")
    tried(qtbot, editor)
    assert editor.preview.verdict == "fragmented"
    assert "149 reasoning blocks instead of 1" in editor.preview.words
    assert editor.count.text() == "1 differs"


def test_a_client_is_made_saved_and_chosen(
    qtbot: QtBot, window: Window, page: RecordingPage, editor: LensEditor
) -> None:
    assert not editor.save.isEnabled()
    typed(qtbot, editor, name="gate-1.0", title="Gate 1.0")
    assert editor.save.isEnabled()
    choose(editor, "reasoning_end", "non-null-tool-calls")
    assert tomllib.loads(editor.text.toPlainText())["rules"] == {"reasoning_end": "non-null-tool-calls"}
    with qtbot.waitActive(editor):
        editor.activateWindow()
    qtbot.keyClick(editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "Saved" in editor.fault.text)
    (lens,) = load_lenses([user_folder()]).values()
    assert (lens.name, lens.title) == ("gate-1.0", "Gate 1.0")
    assert page.read_as.findData("gate-1.0") >= 0
    page.choose_readers("reference", "gate-1.0")
    qtbot.waitUntil(lambda: page.session.idle and page.session.difference is not None)
    assert page.session.difference.verdict == "fragmented"  # type: ignore[union-attr]

    choose(editor, "reasoning_end", "non-empty")
    editor.save.click()
    qtbot.waitUntil(lambda: page.session.idle and page.session.difference is not None)
    assert page.session.difference.verdict == "same"  # type: ignore[union-attr]

    typed(qtbot, editor, name="gate-2.0")
    editor.save.click()
    assert page.session.secondary is None
    assert page.read_as.findData("gate-1.0") < 0 <= page.read_as.findData("gate-2.0")
    assert list(load_lenses([user_folder()])) == ["gate-2.0"]

    editor.delete.click()
    assert page.read_as.findData("gate-2.0") < 0
    assert load_lenses([user_folder()]) == {}
    assert not editor.delete.isVisible()


def test_a_copy_of_a_shipped_one_begins_as_it_is(qtbot: QtBot, editor: LensEditor, window: Window) -> None:
    pick(editor, "copy of zcode-3.11")
    assert editor.fields["name"].text() == "my-zcode-3.11"
    assert editor.rules.rules == {"reasoning_end": "non-null-tool-calls", "repairs": []}
    tried(qtbot, editor)
    assert editor.preview.verdict == "fragmented"
    assert editor.save.isEnabled()
    pick(editor, "")
    assert editor.rules.rules == {}


@pytest.mark.parametrize(
    "name, words", [("Gate", "only a-z"), ("zcode-3.11", "already taken"), ("literal", "reserved")]
)
def test_a_name_that_cannot_be_is_told_while_it_is_typed(
    qtbot: QtBot, editor: LensEditor, name: str, words: str
) -> None:
    typed(qtbot, editor, title="Gate", name=name)
    assert words in editor.fault.text
    assert not editor.save.isEnabled()


def test_a_wrong_value_is_told_and_not_tried(qtbot: QtBot, editor: LensEditor) -> None:
    typed(qtbot, editor, name="gate", title="Gate")
    entry = editor.rules.rows["reasoning_fields"].field._entry
    entry.clear()
    qtbot.keyClicks(entry, "reasonning")
    assert "'reasonning' is not allowed" in editor.fault.text
    tried(qtbot, editor)
    assert editor.preview.words == "On this recording: A rule is not right yet"


def test_rules_are_found_by_their_words(qtbot: QtBot, editor: LensEditor) -> None:
    def shown() -> list[str]:
        return [key for key, row in editor.rules.rows.items() if not row.isHidden()]

    qtbot.keyClicks(editor.search, "space colon")
    assert shown() == ["space_required"]
    editor.search.clear()
    choose(editor, "bom", "kept")
    editor.only.click()
    assert shown() == ["bom"]
    qtbot.keyClicks(editor.search, "qqq")
    assert shown() == []
    assert not editor.rules.nothing.isHidden()


def test_the_text_of_the_file_is_copied(qtbot: QtBot, editor: LensEditor) -> None:
    typed(qtbot, editor, name="gate", title="Gate")
    editor.copy.click()
    assert QApplication.clipboard().text() == editor.text.toPlainText()


def test_it_opens_without_a_recording(qtbot: QtBot, window: Window) -> None:
    window.run("Your own clients…")
    (editor,) = window.findChildren(LensEditor)
    assert editor.isVisible()
    assert not editor.preview.isVisible()
    editor.close()


def test_all_that_takes_the_keyboard_has_a_name(editor: LensEditor) -> None:
    takers = [one for one in editor.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert len(takers) > len(RULES)
    assert [type(one).__name__ for one in takers if one.isVisible() and not one.accessibleName()] == []
