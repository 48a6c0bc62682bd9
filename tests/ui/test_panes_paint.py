"""Painting that fails or is pictured: no painter stays open, and no pointer is seen."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF
from PySide6.QtGui import QEnterEvent, QHelpEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.ui.picture import picture
from inspector_app.ui.theme import Look
from inspector_app.ui.views import cards, row_view
from tests.ui.panes_data import WINGMATE, Show, fragmented, lost_call, opened, shown


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    return partial(shown, qtbot, look)


FAULTS = [(row_view, "paint_state", False), (cards, "paint_card", True)]


@pytest.mark.parametrize(("module", "name", "in_cards"), FAULTS)
def test_a_fault_while_painting_leaves_no_painter_open(
    qtbot: QtBot, show: Show, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, in_cards: bool
) -> None:
    panes = show(opened(qtbot, lost_call(), *WINGMATE))
    panes.show_reading_view(in_cards)
    view = panes.cards if in_cards else panes.raw
    painters: list[QPainter] = []

    def fails(painter: QPainter, *rest: Any, **more: Any) -> None:
        painters.append(painter)
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(module, name, fails)
    with pytest.raises((RuntimeError, ZeroDivisionError), match="planted"):
        view.viewport().repaint()
    monkeypatch.undo()
    assert painters
    assert not any(painter.isActive() for painter in painters)
    assert not view.viewport().grab().isNull()


def test_no_pane_takes_the_events_of_its_viewport_by_an_override() -> None:
    assert not {"viewportEvent"} & {*vars(row_view.RowView), *vars(cards.Cards)}


def test_the_row_under_the_pointer_is_lit_until_the_pointer_leaves(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(), "reference", None))
    panes.deltas.select_event(0)
    QTest.mouseMove(panes.raw.viewport(), QPoint(200, 5 * 22 + 8))
    QTest.mouseMove(panes.raw.viewport(), QPoint(201, 5 * 22 + 9))
    assert panes.raw._hovered == panes.raw.rows().at(5)[0]
    QApplication.sendEvent(panes.raw.viewport(), QEvent(QEvent.Type.Leave))
    assert panes.raw._hovered == -1


def test_a_picture_shows_no_pointer(qtbot: QtBot, look: Look, show: Show) -> None:
    panes = show(opened(qtbot, fragmented(), "reference", None))
    panes.deltas.select_event(0)
    QApplication.sendEvent(panes.raw.viewport(), QEvent(QEvent.Type.Leave))
    QApplication.processEvents()  # the bar below long lines takes its room
    panes.grab()
    plain = picture(panes, look, "words")
    at = QPointF(200, 5 * 22 + 8)
    QApplication.sendEvent(panes.raw.viewport(), QEnterEvent(at, at, at))
    QTest.mouseMove(panes.raw.viewport(), at.toPoint())
    QTest.mouseMove(panes.raw.viewport(), at.toPoint() + QPoint(1, 1))
    assert panes.raw._hovered >= 0
    assert panes.grab().toImage() != plain
    assert picture(panes, look, "words") == plain


def test_tips_of_cards_come_by_the_filter(qtbot: QtBot, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    panes = show(opened(qtbot, lost_call(), "reference", None))
    panes.show_reading_view(True)
    told: list[str] = []
    monkeypatch.setattr(cards, "tip", lambda view, words, keys="": told.append(words))
    card = panes.cards.stacks[0].cards[1]
    card.fields[1] = card.fields[1]._replace(value="call_" + "7" * 200)
    at = QPoint(150, panes.cards.stacks[0].tops[1] + 28 + 5 + 30 + 10)
    QApplication.sendEvent(panes.cards.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, at))
    assert told == ["call_" + "7" * 200]
