"""What the tests of finding share: an answer in a page, and a hand that types into the bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from tests.ui.panes_data import chunk, event, exchange, kit, shipped_lenses

Open = Callable[..., RecordingPage]


@contextmanager
def pages_for(qtbot: QtBot, look: Look) -> Iterator[Open]:
    """Opens an exchange in a page, as often as asked."""
    pages: list[RecordingPage] = []

    def made(read: Exchange, width: int = 1400, height: int = 900) -> RecordingPage:
        page = RecordingPage(Session("stream.sse", kit(), shipped_lenses()), look)
        qtbot.addWidget(page)
        page.resize(width, height)
        with qtbot.waitExposed(page):
            page.show()
        pages.append(page)
        page.session.open_exchanges([read])
        qtbot.waitUntil(lambda: page.session.complete and page.session.idle)
        page.session.selection.select(Selection(0), None)
        return page

    yield made
    for page in pages:
        page.find.close()
        page.session.cancel()


def answer(*parts: str, field: str = "content") -> Exchange:
    events = [event(chunk({"role": "assistant", "content": ""}))]
    events += [event(chunk({field: part})) for part in parts]
    return exchange([*events, event(chunk({}, "stop")), event(b"[DONE]")])


def type_in(qtbot: QtBot, page: RecordingPage, text: str) -> None:
    """Types a text into the bar and waits for all that there is."""
    page.find.start()
    field = page.find.bar.field
    if text.isascii():
        QTest.keyClicks(field, text)
    else:
        field.insert(text)
        field.textEdited.emit(field.text())
    settled(qtbot, page)


def settled(qtbot: QtBot, page: RecordingPage) -> None:
    qtbot.waitUntil(lambda: not page.find.is_searching)


def press(widget: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(widget, key, modifier)


def current(page: RecordingPage) -> Selection:
    found = page.session.selection.current
    assert found is not None
    return found


def chosen(page: RecordingPage) -> bytes:
    place, reading = current(page), page.session.reference
    assert reading is not None
    assert place.start is not None
    assert place.end is not None
    return reading.body.slice(place.start, place.end)


def said(page: RecordingPage) -> tuple[str, str]:
    return page.find.bar.count.text(), page.find.bar.remark.text()
