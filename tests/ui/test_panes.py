from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QTableView, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.views.deltas import Deltas
from inspector_app.ui.views.pane_parts import THIN
from inspector_app.ui.views.panes import Panes, widths
from inspector_app.ui.views.raw import MARK, WORDS, RawLines
from inspector_app.ui.views.row_view import ROW
from tests.ui.panes_data import (
    WINGMATE,
    ZCODE,
    Show,
    chunk,
    click,
    event,
    exchange,
    fragmented,
    fresh,
    lost_call,
    opened,
    press,
    selected,
    shown,
)  # fmt: skip


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the panes of a session in a window of a size."""
    return partial(shown, qtbot, look)


def values(panes: Panes) -> set[int]:
    return {view.verticalScrollBar().value() for view in (panes.raw, panes.deltas, panes.blocks)}


def colours(widget: QWidget, x: int, y: int, width: int, height: int) -> set[QColor]:
    image = widget.grab().toImage()
    return {image.pixelColor(x + i, y + j).name() for i in range(width) for j in range(height)}


# rows


def test_every_model_keeps_the_rules_of_models(qtbot: QtBot, qtmodeltester: ModelTester, show: Show) -> None:
    panes = show(opened(qtbot, lost_call(), *WINGMATE))
    for view in (panes.raw, panes.deltas, panes.blocks):
        qtmodeltester.check(view.model())
        assert view.model().rowCount() == 16


def test_what_a_screen_reader_hears(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, lost_call(), *WINGMATE))

    def row(view: QTableView, number: int) -> list[str]:
        model = view.model()
        return [model.data(model.index(number, column)) for column in range(model.columnCount())]

    assert row(panes.raw, 6)[:2] == ["6", "not read by Wingmate 2026-06: no space after the colon, sse-no-space"]
    assert row(panes.raw, 6)[2].startswith("data:{")
    assert row(panes.raw, 7) == ["7", "", "blank line"]
    assert row(panes.deltas, 6) == ["3", "call start, not read", "get_weather", "20"]
    assert row(panes.deltas, 8) == ["4", "id, name", '"", ""', "20"]
    assert row(panes.blocks, 2) == ["Text 1: Let me ", "Text 1: Let me "]
    assert row(panes.blocks, 9) == ['Tool call 0: {"city":', 'Tool call 0: {"city":']
    names = {view.accessibleName() for view in (panes.raw, panes.deltas, panes.blocks, panes.cards)}
    assert names == {"Raw lines", "Deltas", "Blocks", "Blocks, reading view"}


def test_rows_come_while_reading_goes_on(qtbot: QtBot, show: Show) -> None:
    body = b"".join(event(chunk({"content": f"word {n} "})) for n in range(6000))
    session = fresh(lenses=False)
    panes = show(session)
    counts: list[tuple[int, bool]] = []
    session.grown.connect(lambda: counts.append((panes.raw.model().rowCount(), session.complete)))
    with qtbot.waitSignal(session.read, timeout=20_000):
        session.open_exchanges([Exchange("big", "sse-body", MemoryBody(body))])
    assert counts[-1] == (12_000, True)
    assert any(0 < rows < 12_000 for rows, _ in counts)
    assert panes.raw.model().rowCount() == panes.deltas.model().rowCount() == panes.blocks.model().rowCount()


def test_another_exchange_of_the_same_file_starts_anew(qtbot: QtBot, show: Show) -> None:
    session = fresh(lenses=False)
    with qtbot.waitSignal(session.compared):
        session.open_exchanges([fragmented(), lost_call()])
    panes = show(session)
    panes.grab()
    model = panes.raw.model()
    assert (model.rowCount(), model.data(model.index(4, 2))[:9]) == (34, 'data: {"i')
    with qtbot.waitSignal(session.compared):
        session.choose_exchange(1)
        panes.grab()  # painted before anything of it has been read
        assert model.rowCount() == 0
    assert (model.rowCount(), model.data(model.index(6, 2))[:8]) == (16, 'data:{"i')
    panes.grab()
    assert [run.text for _, _, run in panes.raw._places[4] if run.fill] == ['"look."']


# scrolling


def test_the_three_panes_scroll_as_one(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(60)))
    assert len({view.verticalScrollBar().maximum() for view in (panes.raw, panes.deltas, panes.blocks)}) == 1
    for number, view in enumerate((panes.raw, panes.deltas, panes.blocks)):
        view.verticalScrollBar().setValue(100 + 37 * number)
        assert values(panes) == {100 + 37 * number}
    panes._block_bar.setValue(500)
    assert values(panes) == {500}


def test_a_height_that_changes_leaves_no_drift(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(60)))
    panes.deltas.verticalScrollBar().setValue(panes.deltas.verticalScrollBar().maximum())
    for height in (200, 600, 350):
        panes.resize(1600, height)
        qtbot.waitUntil(lambda: panes.raw.viewport().height() == panes.height() - 50 - THIN)
        assert len(values(panes)) == 1


# selection


def test_a_selection_from_elsewhere_is_scrolled_to_and_not_answered(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(60), *ZCODE)
    panes = show(session)
    heard: list[object] = []
    session.selection.changed.connect(lambda _selection, origin: heard.append(origin))
    session.selection.select(Selection(50), None)
    assert heard == [None]
    first, last = session.rows.rows_of(50)
    top, height = panes.raw.verticalScrollBar().value(), panes.raw.viewport().height()
    assert top <= first * ROW
    assert last * ROW <= top + height
    assert values(panes) == {top}
    assert top % ROW == 0
    assert panes.raw.currentIndex().row() == panes.blocks.currentIndex().row() == first


def test_a_click_does_not_scroll(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(60)))
    panes.raw.verticalScrollBar().setValue(205)
    click(panes.raw, 9, 300)
    assert values(panes) == {205}
    assert selected(panes).event == 4


def test_a_click_on_a_value_selects_its_delta(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(), "reference", None)
    panes = show(session)
    panes.grab()
    x = next(left for left, _, run in panes.raw._places[4] if run.fill == "reasoning") + 5
    click(panes.raw, 4, x)
    assert session.reference is not None
    start, end = session.reference.place(2, "/choices/0/delta/reasoning_content")
    wanted = Selection(2, 4, 3, "/choices/0/delta/reasoning_content", None, "reference", start, end)
    assert selected(panes) == wanted


def test_a_click_on_a_delta_selects_its_pointer(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(), "reference", None))
    click(panes.deltas, 5, 200)
    now = selected(panes)
    assert (now.event, now.delta, now.pointer) == (2, 4, "/choices/0/delta/tool_calls")


@pytest.mark.parametrize("x, reader, block", [(60, "zcode-3.11", 1), (500, "reference", 0)])
def test_a_click_on_a_block_selects_it_in_its_reading(
    qtbot: QtBot, show: Show, x: int, reader: str, block: int
) -> None:
    panes = show(opened(qtbot, fragmented(), *ZCODE))
    click(panes.blocks, 4, x)
    now = selected(panes)
    assert (now.event, now.delta, now.block, now.reader) == (2, 3, block, reader)


def test_keys_go_from_event_to_event(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, fragmented(60))
    panes = show(session)
    steps = [
        (Qt.Key.Key_Down, 0), (Qt.Key.Key_Down, 1), (Qt.Key.Key_Down, 2), (Qt.Key.Key_Up, 1), (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_Up, 0), (Qt.Key.Key_PageDown, 6), (Qt.Key.Key_End, 64), (Qt.Key.Key_Down, 64),
        (Qt.Key.Key_PageUp, 58), (Qt.Key.Key_Home, 0),
    ]  # fmt: skip
    for view in (panes.raw, panes.deltas, panes.blocks):
        session.selection.select(None, None)
        found = []
        for key, _ in steps:
            press(view, key)
            found.append(selected(panes).event)
            assert len(values(panes)) == 1
        assert found == [wanted for _, wanted in steps]


def test_left_and_right_go_from_pane_to_pane(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, lost_call(), *WINGMATE))
    panes.activateWindow()
    panes.raw.setFocus()
    seen = [panes.focusWidget()]
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        press(panes.focusWidget(), key)
        seen.append(panes.focusWidget())
    assert panes.reading_view
    assert seen == [panes.raw, panes.raw, panes.deltas, panes.cards, panes.cards, panes.deltas]


def test_other_keys_are_left_to_the_window(qtbot: QtBot, show: Show) -> None:
    heard: list[int] = []

    class Window(QWidget):
        def keyPressEvent(self, event: object) -> None:
            heard.append(event.key())  # type: ignore[attr-defined]

    panes = show(opened(qtbot, fragmented()))
    window = Window()
    qtbot.addWidget(window)
    panes.setParent(window)
    for key in (Qt.Key.Key_W, Qt.Key.Key_F8, Qt.Key.Key_Down):
        press(panes.raw, key)
    assert heard == [Qt.Key.Key_W, Qt.Key.Key_F8]


# folds


def test_a_click_on_a_fold_opens_that_line_and_the_head_opens_all(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented()))

    def folded(row: int) -> bool:
        panes.grab()
        return any(run.kind == "fold" for _, _, run in panes.raw._places[row])

    assert folded(4)
    assert folded(6)
    x = next(left for left, _, run in panes.raw._places[4] if run.kind == "fold") + 6
    click(panes.raw, 4, x)
    assert (folded(4), folded(6)) == (False, True)
    click(panes.raw, 6, WORDS + 1, Qt.KeyboardModifier.AltModifier)
    assert not folded(6)
    panes.show_whole_lines(True)
    assert not folded(8)
    panes.show_whole_lines(False)
    assert folded(4)


# heads and arrangement


@pytest.mark.parametrize(
    "total, wanted",
    [(1600, [640, 336, 616]), (1280, [416, 240, 616]), (1504, [640, 240, 616]), (1700, [690, 336, 666])],
)
def test_deltas_give_way_first(total: int, wanted: list[int]) -> None:
    assert widths(total) == wanted


def test_the_panes_have_their_widths(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented()))
    assert [panes.raw.width(), panes.deltas.width(), panes.blocks.parentWidget().width()] == [640, 336, 616]


def test_in_a_narrow_window_the_blocks_are_a_tab_beside_the_deltas(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented()), 1000)
    assert panes.deltas.isVisible()
    assert not panes.blocks.isVisible()
    panes._delta_tabs.setCurrentIndex(1)
    assert panes.blocks.isVisible()
    assert not panes.deltas.isVisible()
    panes.raw.verticalScrollBar().setValue(44)
    panes._block_tabs.setCurrentIndex(0)
    assert panes.deltas.isVisible()
    assert panes.deltas.verticalScrollBar().value() == 44
    panes.resize(1600, 350)
    assert panes.deltas.isVisible()
    assert panes.blocks.isVisible()


def test_heads_count_and_name_the_reading_that_differs(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(), *ZCODE))
    assert panes._raw_head.remark.text() == "34"
    assert panes._block_head.remark.text() == "two readings"
    assert panes._block_columns.accessibleName() == "ZCode 3.11, 13 blocks, Reference, 2 blocks"
    assert [word.ink for word in panes._block_columns._words] == ["ink.2", "error.text", "ink.2", "ink.2"]


def test_deltas_that_a_reader_misses_are_counted(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, lost_call(), *WINGMATE))
    assert panes._delta_head.remark.text() == "10, 2 not read"


@pytest.mark.parametrize("timed, word", [(True, "+ms"), (False, "order only")])
def test_times_stand_only_where_they_were_measured(qtbot: QtBot, show: Show, timed: bool, word: str) -> None:
    panes = show(opened(qtbot, fragmented(timed=timed)))
    assert panes._delta_columns.accessibleName() == f"event, kind, value, {word}"
    times = [panes.deltas.model().data(panes.deltas.model().index(row, 3)) for row in (0, 2, 4)]
    assert times == (["", "20", "20"] if timed else ["", "", ""])


# what is painted


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_facts_are_painted_in_the_colours_of_the_theme(qtbot: QtBot, show: Show, look: Look, theme: str) -> None:
    session = opened(qtbot, fragmented(), *ZCODE)
    panes = show(session)
    look.choose(theme)
    session.selection.select(Selection(2), panes.raw)

    def has(view: QWidget, role: str, x: int, row: int, width: int, rows: int = 1) -> bool:
        return look.theme.color(role).name() in colours(view, x, row * ROW, width, rows * ROW)

    assert has(panes.raw.viewport(), "error.line", MARK, 6, 16)
    assert has(panes.raw.viewport(), "error.fill", WORDS, 4, 500)
    assert not has(panes.raw.viewport(), "error.fill", WORDS, 6, 500)
    assert has(panes.raw.viewport(), "reasoning.fill", WORDS, 6, 300)
    assert has(panes.raw.viewport(), "accent", 0, 4, 3)
    assert not has(panes.deltas.viewport(), "accent", 0, 4, 3)
    assert has(panes.deltas.viewport(), "sel.fill", 0, 4, 3)
    assert has(panes.blocks.viewport(), "accent", 6, 4, 4)
    assert has(panes.blocks.viewport(), "reasoning.line", 6, 2, 8)
    assert not has(panes.blocks.viewport(), "accent", 350, 4, 20)


def test_a_missing_label_is_a_hatched_gap_along_the_rows(qtbot: QtBot, show: Show, look: Look) -> None:
    panes = show(opened(qtbot, lost_call(), *WINGMATE))
    panes.show_reading_view(False)
    at = colours(panes.blocks.viewport(), 60, 8 * ROW, 120, ROW)
    assert look.theme.color("error.fill").name() in at
    assert look.theme.color("error.fill").name() not in colours(panes.blocks.viewport(), 400, 6 * ROW, 120, ROW)


@pytest.mark.parametrize("kind", [RawLines, Deltas])
def test_the_row_with_the_keyboard_has_a_ring(qtbot: QtBot, show: Show, look: Look, kind: type) -> None:
    panes = show(opened(qtbot, fragmented()))
    view = panes.raw if kind is RawLines else panes.deltas
    panes.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    press(view, Qt.Key.Key_Down)
    right = view.viewport().width() - 4
    focus = look.theme.color("focus").name()
    assert focus in colours(view.viewport(), right, 10, 4, 10)
    click(view, 2, 200)
    assert focus not in colours(view.viewport(), right, 2 * ROW + 10, 4, 10)


def test_a_cut_stream_has_a_torn_edge(qtbot: QtBot, show: Show, look: Look) -> None:
    panes = show(opened(qtbot, exchange([event(chunk({"content": "Go "})), event(chunk({"content": "nor"}))])))
    bottom = 4 * ROW - 10
    assert look.theme.color("error.line").name() in colours(panes.blocks.viewport(), 20, bottom, 200, 10)
    panes.show_reading_view(True)
    assert panes.cards.stacks[0].cards[0].foot_kind == "torn"
