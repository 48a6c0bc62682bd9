"""Every client at once: rows, order, what is led to, and what leaves the program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from inspector_app.core.text import number
from inspector_app.lenses.matrix import MATRIX_VERDICTS
from inspector_app.ui.matrix.dialog import MatrixDialog
from inspector_app.ui.matrix.model import BLOCKS, CHARS, CLIENT, EVENT, KNOWN, VERDICT, WHAT, client_of
from inspector_app.ui.matrix.table import LEAST_WHAT, what_width
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.window import Window
from tests.ui.window_data import open_in, window

__all__ = ["window"]


@pytest.fixture
def page(qtbot: QtBot, window: Window) -> RecordingPage:
    return open_in(qtbot, window, "empty-tool-calls")


@pytest.fixture
def dialog(qtbot: QtBot, window: Window, page: RecordingPage) -> Iterator[MatrixDialog]:
    made = window.asides.show_matrix()
    assert made is not None
    qtbot.waitUntil(lambda: not made.busy, timeout=20_000)
    yield made
    if isValid(made):
        made.close()


def names(dialog: MatrixDialog) -> list[str]:
    return [row.lens.name for row in dialog.rows]


def test_every_lens_has_a_row_and_the_worst_is_the_first(dialog: MatrixDialog, page: RecordingPage) -> None:
    assert sorted(names(dialog)) == sorted(page.session.lenses)
    verdicts = [MATRIX_VERDICTS.index(row.verdict) for row in dialog.rows]
    assert verdicts == sorted(verdicts)
    shown = {row.lens.name: row for row in dialog.rows}
    assert shown["zcode-3.11"].verdict == "fragmented"
    assert shown["zcode-fixed"].verdict == "right"
    assert shown["google-genai-3.6"].verdict == "n/a"
    for name, difference in page.session.differences.items():
        assert shown[name].verdict == {"same": "right"}.get(difference.verdict, difference.verdict)


def test_the_head_counts_what_the_rows_say(dialog: MatrixDialog) -> None:
    right = sum(row.verdict == "right" for row in dialog.rows)
    assert dialog.view.head.words.startswith("Reference: 2 blocks, 833 characters. ")
    assert f"{right} right" in dialog.view.head.words


@pytest.mark.parametrize("column", [CLIENT, VERDICT, WHAT, BLOCKS, CHARS, EVENT, KNOWN])
def test_a_column_sorts_both_ways_and_keeps_what_is_chosen(dialog: MatrixDialog, column: int) -> None:
    table, model = dialog.table, dialog.table.matrix
    table.setCurrentIndex(model.index(names(dialog).index("zcode-3.11"), 0))
    before = set(names(dialog))
    for order in (Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder):
        table.sortByColumn(column, order)
        assert table.chosen is not None
        assert table.chosen.lens.name == "zcode-3.11"
        assert set(names(dialog)) == before
    if column == BLOCKS:
        assert names(dialog)[-1] == "zcode-3.11"
    if column == CLIENT:
        titles = [client_of(row)[0].casefold() for row in dialog.rows]
        assert titles == sorted(titles)


def test_the_model_keeps_the_rules_of_models(qtbot: QtBot, dialog: MatrixDialog, page: RecordingPage) -> None:
    model = dialog.table.matrix
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    rows = list(model.rows)
    model.show([])
    for row in rows:
        model.add(row)
    assert [row.lens.name for row in model.rows] == [row.lens.name for row in rows]
    model.sort(BLOCKS, Qt.SortOrder.DescendingOrder)
    said = [model.index(0, column).data() for column in range(model.columnCount())]
    assert said[VERDICT] == "fragmented"
    assert said[BLOCKS] == number(150)
    assert said[WHAT].startswith("149 reasoning blocks instead of 1 — closed by tool_calls: []")


@pytest.mark.parametrize("how", ["enter", "double", "button"])
def test_a_row_leads_to_the_comparison(qtbot: QtBot, dialog: MatrixDialog, page: RecordingPage, how: str) -> None:
    table = dialog.table
    index = table.matrix.index(names(dialog).index("zcode-3.11"), CLIENT)
    table.setCurrentIndex(index)
    if how == "enter":
        qtbot.keyClick(table, Qt.Key.Key_Return)
    elif how == "button":
        dialog.compare.click()
    else:
        place = table.visualRect(index).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert (page.session.primary, page.session.secondary) == ("reference", "zcode-3.11")
    qtbot.waitUntil(lambda: page.session.difference is not None)
    assert page.session.difference.verdict == "fragmented"  # type: ignore[union-attr]


def test_a_client_of_another_api_cannot_be_compared(dialog: MatrixDialog) -> None:
    dialog.table.setCurrentIndex(dialog.table.matrix.index(names(dialog).index("google-genai-3.6"), 0))
    assert not dialog.compare.isEnabled()


def test_a_client_that_reads_otherwise_has_advice_for_both_sides(qtbot: QtBot, dialog: MatrixDialog) -> None:
    for name, some in (("zcode-3.11", True), ("zcode-fixed", False), ("zcode-3.11", True), ("google-genai-3.6", False)):
        dialog.table.setCurrentIndex(dialog.table.matrix.index(names(dialog).index(name), 0))
        qtbot.waitUntil(lambda: not dialog.advising, timeout=20_000)
        assert all(dialog.advice.said) is some
        assert dialog.advice.isVisible() is some


def test_it_is_exported_as_markdown_json_and_picture(qtbot: QtBot, dialog: MatrixDialog, tmp_path: Path) -> None:
    dialog.export(str(tmp_path / "m.md"))
    lines = (tmp_path / "m.md").read_text("utf-8").splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + len(dialog.rows)
    assert all(line.replace("\\|", "").count("|") == 8 for line in table)
    assert any("(`zcode-3.11`) | **fragmented** | 149 reasoning blocks" in line for line in table)
    dialog.copy.click()
    assert QApplication.clipboard().text() == dialog.markdown()
    dialog.export(str(tmp_path / "m.json"))
    told = json.loads((tmp_path / "m.json").read_text("utf-8"))
    assert [row["lens"] for row in told["lenses"]] == names(dialog)
    assert told["schema"] == "stream-inspector/matrix/1"
    for name in ("m.png", "m.svg"):
        dialog.export(str(tmp_path / name))
        qtbot.waitUntil(lambda name=name: (tmp_path / name).exists(), timeout=20_000)
    image = QImage(str(tmp_path / "m.png"))
    assert image.height() > 2 * 30 * len(dialog.rows)
    qtbot.waitUntil(lambda: "Picture saved" in dialog.remark.text())


def test_what_cannot_be_written_is_said_in_place(dialog: MatrixDialog, tmp_path: Path) -> None:
    dialog.export(str(tmp_path / "none" / "m.md"))
    assert "could not be written" in dialog.remark.text()


def test_it_can_be_stopped_and_read_again(qtbot: QtBot, dialog: MatrixDialog) -> None:
    dialog.read()
    assert dialog.busy
    assert dialog.stop.isVisible()
    dialog.stop.click()
    assert not dialog.busy
    assert dialog.again.isVisible()
    assert "Stopped" in dialog.remark.text()
    dialog.again.click()
    qtbot.waitUntil(lambda: not dialog.busy, timeout=20_000)
    assert not dialog.again.isVisible()


def test_there_is_one_of_it_and_it_goes_with_its_tab(qtbot: QtBot, window: Window, dialog: MatrixDialog) -> None:
    assert window.asides.show_matrix() is dialog
    window.close_page(0)
    qtbot.waitUntil(lambda: not isValid(dialog))
    assert window.asides.show_matrix() is None


def test_clients_are_called_as_in_the_window(dialog: MatrixDialog, page: RecordingPage) -> None:
    for row in dialog.rows:
        title, name = client_of(row)
        assert title == page.session.short_title_of(row.lens.name)
        assert name in ("", row.lens.name)
    row = names(dialog).index("openclaw")
    assert dialog.table.matrix.index(row, CLIENT).data() == "OpenClaw (openclaw)"


def test_what_differs_is_shown_whole_where_other_columns_can_give_way(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "reasoning-details")
    made = window.asides.show_matrix()
    assert made is not None
    qtbot.waitUntil(lambda: not made.busy, timeout=20_000)
    row = next(row for row in made.rows if row.lens.name == "cline")
    made.resize(900, 500)
    QApplication.processEvents()
    assert made.table.columnWidth(WHAT) >= what_width(row)
    assert made.table.isColumnHidden(KNOWN)
    made.close()


def test_what_differs_keeps_its_room(dialog: MatrixDialog) -> None:
    for width in (640, 800, 1000):
        dialog.resize(width, 500)
        QApplication.processEvents()
        table = dialog.table
        assert table.columnWidth(WHAT) >= min(LEAST_WHAT, 200)
        shown = [column for column in range(table.matrix.columnCount()) if not table.isColumnHidden(column)]
        assert sum(table.columnWidth(column) for column in shown) <= table.viewport().width()


def test_all_that_takes_the_keyboard_has_a_name(dialog: MatrixDialog) -> None:
    takers = [one for one in dialog.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert [type(one).__name__ for one in takers if one.isVisible() and not one.accessibleName()] == []
