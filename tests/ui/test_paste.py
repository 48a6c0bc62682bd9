"""Text from the clipboard opens as a recording, or is refused in one line where the user looks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.resources import resource
from inspector_app.core.types import InputFault
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.ui.paste import name_at, pasted
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window

EVENING = datetime(2026, 11, 29, 20, 14)
CHUNK = '{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"hæ"}}]}'
STREAM = f"data: {CHUNK}\n\ndata: [DONE]\n\n"
CURL = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n{STREAM}"
LINES = f"{CHUNK}\n{CHUNK}\n"


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


@pytest.fixture
def window(qtbot: QtBot, look: Look, kit: Kit) -> Iterator[Window]:
    window = Window(kit, load_lenses([shipped_folder()]), look)
    qtbot.addWidget(window)
    window.show()
    yield window
    window.close()
    QApplication.clipboard().clear()


def copy(text: str) -> None:
    QApplication.clipboard().setText(text)


@pytest.mark.parametrize(
    "text, body, framing, status",
    [
        (STREAM, STREAM, None, None),
        (CURL, STREAM, None, 200),
        (LINES, LINES, "ndjson", None),
        ("\n\n" + STREAM, "\n\n" + STREAM, None, None),
    ],
)
def test_what_is_taken(text: str, body: str, framing: str | None, status: int | None) -> None:
    [exchange] = pasted(text, EVENING)
    assert (exchange.name, exchange.format, exchange.framing) == ("pasted 20:14", "paste", framing)
    assert (exchange.http.status if exchange.http else None) == status
    assert exchange.body.slice(0, len(exchange.body)).decode() == body


def test_a_pasted_recording_is_a_recording_still() -> None:
    [exchange] = pasted(resource("recordings", "mixed-spacing.rec.jsonl").read_text("utf-8"), EVENING)
    assert (exchange.name, exchange.format, exchange.timing) == ("pasted 20:14", "recording", "measured")
    assert exchange.about["title"] == "A tool call that lost its name"


@pytest.mark.parametrize("text", ["<!DOCTYPE html><p>Sign in", "  <html>\n<body>502"])
def test_a_web_page_is_worth_a_look(text: str) -> None:
    assert pasted(text, EVENING)[0].format == "paste"


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "no text"),
        (" \n\t", "no text"),
        ("Dear all, the ferry is late.", "no stream"),
        ("https://example.org/data", "no stream"),
        ("ls -l\ntotal 0", "no stream"),
    ],
)
def test_what_is_refused_says_what_to_copy(text: str, why: str) -> None:
    with pytest.raises(InputFault, match=why) as fault:
        pasted(text, EVENING)
    assert "curl -i output" in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_lone_half_of_a_character_does_no_harm() -> None:
    [exchange] = pasted('data: {"a": "\ud83d"}\n\n', EVENING)
    assert exchange.body.slice(0, 99) == 'data: {"a": "\ufffd"}\n\n'.encode()


def test_the_key_opens_a_tab_named_by_the_time(qtbot: QtBot, window: Window) -> None:
    copy(CURL)
    window.start.side.paste_button.click()
    page = window.page()
    assert page is not None
    qtbot.waitUntil(lambda: page.session.complete)
    assert page.title == window.tabs.tabText(0) == page.session.path
    assert re.fullmatch(r"pasted \d\d:\d\d", page.title)
    assert page.session.reference is not None
    assert page.session.reference.blocks[0].text == "hæ"
    assert "paste" in page.status.right_words()


def test_pasting_twice_in_a_minute_gives_two_names(window: Window) -> None:
    names = []
    for _ in range(3):
        page = window.open_exchanges(pasted(STREAM, EVENING), name_at(EVENING))
        names.append(page.title)
    assert names == ["pasted 20:14", "pasted 20:14 (2)", "pasted 20:14 (3)"]


def test_nonsense_is_said_on_the_page_in_view(qtbot: QtBot, window: Window) -> None:
    copy("nothing of the kind")
    window.paste()
    assert window.page() is None
    assert window.start.fault.isVisibleTo(window)
    assert "no stream" in window.start.fault.text()
    page = window.open_path(str(resource("recordings", "mixed-spacing.rec.jsonl")))
    window.paste()
    qtbot.waitUntil(lambda: page.session.complete)
    assert page.notice.isVisibleTo(page)
    assert "no stream" in page.notice.words.text()
    assert window.tabs.count() == 1


def test_copied_files_are_opened(qtbot: QtBot, window: Window) -> None:
    data = QMimeData()
    path = str(resource("recordings", "think-tags.rec.jsonl"))
    data.setUrls([QUrl.fromLocalFile(path)])
    QApplication.clipboard().setMimeData(data)
    window.paste()
    page = window.page()
    assert page is not None
    assert Path(page.session.path) == Path(path)


def test_an_empty_clipboard_is_said(window: Window) -> None:
    QApplication.clipboard().clear()
    window.paste()
    assert "no text" in window.start.fault.text()
