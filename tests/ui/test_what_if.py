"""What if: switches, what they do alone and together, and the copy that leaves the program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from inspector_app.cli import main
from inspector_app.files import read_input
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.theme import Look
from inspector_app.ui.toggle import Toggle
from inspector_app.ui.whatif.dialog import WhatIfDialog
from inspector_app.ui.whatif.rows import REPAIRS
from inspector_app.ui.window import Window
from inspector_app.variations import REPAIR, variations
from tests.ui.window_data import open_in, type_at, window

__all__ = ["window"]


def page_read_as(qtbot: QtBot, window: Window, name: str, lens: str) -> RecordingPage:
    page = open_in(qtbot, window, name)
    page.choose_readers("reference", lens)
    qtbot.waitUntil(lambda: page.session.idle)
    return page


def settled(qtbot: QtBot, dialog: WhatIfDialog) -> None:
    qtbot.waitUntil(lambda: not dialog.busy, timeout=30_000)


@pytest.fixture
def dialog(qtbot: QtBot, window: Window) -> Iterator[WhatIfDialog]:
    page_read_as(qtbot, window, "empty-tool-calls", "zcode-3.11")
    made = window.asides.show_what_if()
    assert made is not None
    settled(qtbot, made)
    yield made
    if isValid(made):
        made.close()


def test_it_begins_with_the_client_of_the_window_and_tells_what_repairs_it(dialog: WhatIfDialog) -> None:
    assert dialog.reader.currentData() == "zcode-3.11"
    assert dialog.before.words.startswith("As it came: fragmented, 149 reasoning blocks instead of 1")
    assert ", 150 blocks, not 2" in dialog.before.words
    assert dialog.after.words == "With the changes: No change is on"
    row = dialog.rows["drop-empty-arrays"]
    assert row.mark.helps == REPAIRS
    assert row.mark.accessibleName() == "alone: repairs it"
    assert dialog.rows["drop-nulls"].mark.accessibleName() == "alone: fragmented"
    assert dialog.rows["add-done"].mark.accessibleName() == "changes nothing here"
    assert dialog.rows["drop-field"].mark.accessibleName() == "say which"
    assert "Leave out fields that are an empty list" in dialog.advice.text()
    for button in (dialog.open_tab, dialog.save, dialog.line):
        assert not button.isEnabled()


def test_every_change_has_a_switch_and_what_does_not_fit_says_why(qtbot: QtBot, dialog: WhatIfDialog) -> None:
    assert set(dialog.rows) == set(variations())
    row = dialog.rows["number-calls"]
    assert not row.toggle.isEnabled()
    assert row.mark.accessibleName() == "there are no pieces of tool calls in a list called tool_calls"


def test_a_switch_shows_at_once_whether_it_would_work(qtbot: QtBot, dialog: WhatIfDialog) -> None:
    row = dialog.rows["drop-empty-arrays"]
    row.toggle.click()
    settled(qtbot, dialog)
    assert dialog.wishes == (("drop-empty-arrays", ""),)
    assert dialog.after.verdict == "right"
    assert dialog.outcome is not None
    assert dialog.outcome.works
    assert "become" in dialog.size_words.text()
    row.toggle.click()
    settled(qtbot, dialog)
    assert dialog.after.verdict == ""
    dialog.rows["drop-nulls"].toggle.click()
    settled(qtbot, dialog)
    assert dialog.after.verdict == "fragmented"


def test_what_repairs_it_together_is_turned_on_with_one_button(qtbot: QtBot, window: Window) -> None:
    page_read_as(qtbot, window, "mixed-spacing", "wingmate-2026-06")
    dialog = window.asides.show_what_if()
    assert dialog is not None
    settled(qtbot, dialog)
    # As many blocks as the reference has are not said to be others.
    assert dialog.before.words.endswith(", 2 blocks")
    assert dialog.take.text() == "Turn them on"
    dialog.take.click()
    settled(qtbot, dialog)
    assert {name for name, _ in dialog.wishes} == {"space-data", "drop-empty-strings"}
    assert dialog.after.verdict == "right"
    assert not dialog.take.isVisible()
    dialog.off.click()
    settled(qtbot, dialog)
    assert dialog.wishes == ()
    dialog.close()


def test_an_argument_is_tried_and_a_wrong_one_is_told_in_its_row(qtbot: QtBot, dialog: WhatIfDialog) -> None:
    row = dialog.rows["drop-field"]
    row.toggle.click()
    settled(qtbot, dialog)
    assert "needs FIELD" in row._below.text()
    row.argument.setFocus()
    qtbot.keyClicks(row.argument, "tool_calls")
    qtbot.keyClick(row.argument, Qt.Key.Key_Return)
    settled(qtbot, dialog)
    assert row._below.text() == "drop-field"
    assert dialog.wishes == (("drop-field", "tool_calls"),)
    assert dialog.after.verdict == "right"
    assert row.mark.helps == REPAIRS
    other = dialog.rows["rename-field"]
    other.argument.setText("x")
    other.turn(True)
    settled(qtbot, dialog)
    assert "FROM=TO" in other._below.text()
    assert dialog.isVisible()


def test_what_the_client_wants_is_filled_in(qtbot: QtBot, window: Window) -> None:
    page_read_as(qtbot, window, "reasoning-details", "openclaw")
    made = window.asides.show_what_if()
    assert made is not None
    settled(qtbot, made)
    assert made.advice.text() == "Would repair it: “Send the text of reasoning_details as a string”."
    row = made.rows["details-as-text"]
    assert row.wish == ("details-as-text", "reasoning_content")
    assert row.mark.helps == REPAIRS
    made.reader.setCurrentIndex(made.reader.findData("vscode-copilot-chat"))
    made.reader.activated.emit(made.reader.currentIndex())
    settled(qtbot, made)
    assert row.wish == ("details-as-text", "reasoning_text")
    made.take.click()
    settled(qtbot, made)
    assert made.after.verdict == "right"
    made.close()


def test_names_of_fields_are_offered(dialog: WhatIfDialog) -> None:
    completer = dialog.rows["drop-field"].argument.completer()
    assert completer is not None
    offered = [completer.model().index(row, 0).data() for row in range(completer.model().rowCount())]
    assert {"tool_calls", "reasoning", "finish_reason"} & set(offered)


def test_another_client_is_tried_anew(qtbot: QtBot, dialog: WhatIfDialog) -> None:
    dialog.reader.setCurrentIndex(dialog.reader.findData("zcode-fixed"))
    dialog.reader.activated.emit(dialog.reader.currentIndex())
    assert dialog.busy
    settled(qtbot, dialog)
    assert dialog.before.verdict == "right"
    assert dialog.rows["drop-empty-arrays"].mark.helps == ""
    assert "reads the recording right" in dialog.advice.text()


def test_the_copy_opens_in_a_tab_with_the_same_readers(qtbot: QtBot, window: Window, dialog: WhatIfDialog) -> None:
    before = window.page()
    dialog.turn_on((("drop-empty-arrays", ""),))
    settled(qtbot, dialog)
    dialog.open_tab.click()
    page = window.page()
    assert page is not None
    assert page is not before
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle, timeout=20_000)
    assert page.title == "empty-tool-calls (what if)"
    assert page.session.difference is not None
    assert page.session.difference.verdict == "same"
    assert page.session.exchange is not None
    assert page.session.exchange.source == "what-if"


def test_the_copy_is_written_as_a_recording(qtbot: QtBot, dialog: WhatIfDialog, tmp_path: Path) -> None:
    dialog.turn_on((("drop-empty-arrays", ""),))
    settled(qtbot, dialog)
    dialog.export(str(tmp_path / "copy"))
    assert "Written" in dialog.size_words.text()
    (copy,) = read_input(str(tmp_path / "copy.rec.jsonl"))
    assert b'"tool_calls":[]' not in copy.body.slice(0, len(copy.body))
    assert copy.about["title"].endswith("with drop-empty-arrays")
    dialog.export(str(tmp_path / "no" / "copy"))
    assert "could not be written" in dialog.size_words.text()


def test_the_command_does_the_same(qtbot: QtBot, dialog: WhatIfDialog, capsys: pytest.CaptureFixture[str]) -> None:
    dialog.turn_on((("drop-field", "tool_calls"),))
    settled(qtbot, dialog)
    dialog.line.click()
    program, *arguments = QApplication.clipboard().text().split()
    assert program == "stream-inspector"
    assert main(arguments) == 0
    assert "zcode-3.11: right" in capsys.readouterr().out


def test_it_opens_by_key_from_the_menu_and_from_the_strip(qtbot: QtBot, window: Window) -> None:
    page = page_read_as(qtbot, window, "empty-tool-calls", "zcode-3.11")
    page.panes.raw.setFocus()
    for opens in (lambda: type_at(qtbot, window, "i"), page.verdict.repairs.click, lambda: window.run("What if…")):
        opens()
        (found,) = window.findChildren(WhatIfDialog)
        assert found.isVisible()
        found.close()
        qtbot.waitUntil(lambda found=found: not isValid(found))
        window.activateWindow()


def test_it_goes_with_its_tab_while_it_works(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "empty-tool-calls")
    dialog = window.asides.show_what_if()
    assert dialog is not None
    assert dialog.busy
    window.close_page(0)
    qtbot.waitUntil(lambda: not isValid(dialog))


def test_all_that_takes_the_keyboard_has_a_name(dialog: WhatIfDialog) -> None:
    takers = [one for one in dialog.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert len(takers) > len(variations(REPAIR))
    assert [type(one).__name__ for one in takers if one.isVisible() and not one.accessibleName()] == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_a_switch_turns_by_key_and_looks_otherwise(qtbot: QtBot, look: Look, key: Qt.Key) -> None:
    toggle = Toggle(look, "Leave it out")
    qtbot.addWidget(toggle)
    toggle.resize(toggle.sizeHint())
    off = toggle.grab().toImage()
    qtbot.keyClick(toggle, key)
    assert toggle.isChecked()
    assert toggle.grab().toImage() != off
