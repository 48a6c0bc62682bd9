"""What a closed tab leaves behind: nothing."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector_app.ui.page import RecordingPage
from inspector_app.ui.pair.page import PairPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.window import Window
from tests.ui.live_data import DONE, LiveStream, said
from tests.ui.pair_data import after, before, compared
from tests.ui.window_data import open_in, window

__all__ = ["window"]

SWEEPS = True


def recording(qtbot: QtBot, window: Window) -> QWidget:
    return open_in(qtbot, window, "mixed-spacing")


def worked_on(qtbot: QtBot, window: Window) -> QWidget:
    """A recording in which much was done before."""
    page = open_in(qtbot, window, "mixed-spacing")
    page.find.start()
    page.alone.turn()
    page.alone.turn()
    page.turn_blocks()
    page.session.selection.select(Selection(2), None)
    page.choose_readers("zcode-3.11")
    dialog = window.asides.show_matrix()
    assert dialog is not None
    qtbot.waitUntil(lambda: page.session.idle)
    return page


def comparison(qtbot: QtBot, window: Window) -> QWidget:
    return compared(qtbot, window, before(), after())


def live(qtbot: QtBot, window: Window) -> QWidget:
    """A stream that goes on when its tab is closed."""
    stream = LiveStream()
    page = window.follow(stream.session, "here", "m")
    stream.hand.head()
    stream.hand.read(said("one"), said("two"), DONE)
    qtbot.waitUntil(lambda: len(stream.session.rows.counts) > 0)
    return page


@pytest.mark.parametrize("opened", [recording, worked_on, comparison, live])
def test_a_closed_tab_gives_everything_back(
    qtbot: QtBot, window: Window, opened: Callable[[QtBot, Window], QWidget]
) -> None:
    page = opened(qtbot, window)
    assert isinstance(page, RecordingPage | PairPage)
    sessions = page.sides if isinstance(page, PairPage) else (page.session,)
    held: list[Any] = [page, *sessions, *(reading for one in sessions for reading in one.readings.values())]
    assert len(held) > 2
    alive = {f"{type(one).__name__} {n}": weakref.ref(one) for n, one in enumerate(held)}
    window.close_page(window.deck.tab_of(page))
    del page, sessions, held

    def given_back() -> None:
        assert [name for name, one in alive.items() if one() is not None] == []

    qtbot.waitUntil(given_back, timeout=10_000)


def test_a_stream_is_still_closed_in_order_when_its_tab_has_gone(qtbot: QtBot, window: Window) -> None:
    stream = LiveStream()
    page = window.follow(stream.session, "here", "m")
    waited: list[float | None] = []
    stream.hand.join = lambda seconds=None: bool(waited.append(seconds))  # type: ignore[method-assign, func-returns-value]
    window.close_page(window.deck.tab_of(page))
    assert stream.hand.cancelled == 1
    window.close()
    assert len(waited) == 1
