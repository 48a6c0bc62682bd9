"""The keys of a live stream in the window: there from the moment at which it is sent, and gone with its end."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.ui.controls import rings_in
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.window import Window
from tests.ui.live_data import DONE, HTTP, LiveStream, said
from tests.ui.window_data import window

__all__ = ["window"]

CONTROL = Qt.KeyboardModifier.ControlModifier
WORDS = [said(f"word {n} ") for n in range(40)]


@pytest.fixture
def stream(qapp: QApplication) -> LiveStream:
    return LiveStream()


@pytest.fixture
def page(window: Window, stream: LiveStream, monkeypatch: pytest.MonkeyPatch) -> RecordingPage:
    """The page of a stream that was just sent with Ctrl+Return, its capture in the hands of the test."""
    monkeypatch.setattr(window, "go_live", lambda *given, **how: window.follow(stream.session, "here", "m"))
    request = window.compose()
    field = request.form.messages.rows[0].part.field
    QTest.keyClicks(field, "hi")
    QTest.keyClick(field, Qt.Key.Key_Return, CONTROL)
    stream.session._timer.stop()
    stream.hand.head(HTTP)
    stream.hand.read(*WORDS)
    stream.tick(2)
    page = window.page()
    assert page is not None
    assert page.session is stream.session
    return page


def press(window: Window, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(window.focusWidget() or window, key, held)


def end(stream: LiveStream) -> None:
    stream.hand.end(terminator=True)
    stream.tick(2)
    stream.finish()


def test_the_keys_of_a_stream_are_there_as_soon_as_it_is_sent(
    window: Window, page: RecordingPage, stream: LiveStream
) -> None:
    press(window, Qt.Key.Key_P)
    assert stream.session.paused
    stream.session._timer.stop()
    press(window, Qt.Key.Key_P)
    assert not stream.session.paused
    stream.session._timer.stop()
    bar = page.panes.raw.verticalScrollBar()
    stream.tick(2)
    bar.setValue(0)
    press(window, Qt.Key.Key_End)
    assert bar.value() == bar.maximum() > 0
    press(window, Qt.Key.Key_Period, CONTROL)
    assert stream.hand.cancelled == 1
    end(stream)


def test_the_keys_of_a_stream_go_with_its_end(window: Window, page: RecordingPage, stream: LiveStream) -> None:
    keys = {key for _, bound in window.bindings.actions for key in bound}
    assert {"P", "End", "Ctrl+."} <= keys
    stream.hand.read(DONE)
    end(stream)
    keys = {key for _, bound in window.bindings.actions for key in bound}
    assert not {"End", "Ctrl+."} & keys, "a list has its own End again"


def test_no_ring_lies_around_what_the_end_of_a_stream_leaves(
    window: Window, page: RecordingPage, stream: LiveStream
) -> None:
    stop = window.findChildren(type(page.toolbar.open))
    (button,) = [one for one in stop if one.text() == "Stop" and one.isVisible()]
    button.setFocus(Qt.FocusReason.MouseFocusReason)
    stream.hand.read(DONE)
    end(stream)
    assert window.focusWidget() is page.panes.raw
    assert rings_in(window) == []


def test_after_the_palette_the_keyboard_is_where_it_was_and_no_ring_appears(
    qtbot: QtBot, window: Window, page: RecordingPage, stream: LiveStream, tmp_path: Path
) -> None:
    for before in (page.toolbar.open, None):
        if before is None:
            window.focusWidget().clearFocus()
        else:
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        for keys in (Qt.Key.Key_K, Qt.Key.Key_F1):
            press(window, keys, CONTROL if keys == Qt.Key.Key_K else Qt.KeyboardModifier.NoModifier)
            assert window.focusWidget() is not before
            press(window, Qt.Key.Key_Escape)
            assert window.focusWidget() is before
            assert rings_in(window) == []
    page.toolbar.open.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(2):
        press(window, Qt.Key.Key_K, CONTROL)
    assert [ring.around for ring in rings_in(window)] == [page.toolbar.open], "who goes by keys has the ring again"
    end(stream)
