"""Notes that are in no file: nothing that goes takes them along without asking."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.notes import notes_in
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.live.recorder import recordings_folder
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.window import Window
from tests.ui.window_data import open_in, window

__all__ = ["window"]

CHUNK = '{"object":"chat.completion.chunk","choices":[{"delta":{"content":"w"}}]}'
BODY = f"data: {CHUNK}\n\n" * 9
HTTP = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


def opened(qtbot: QtBot, window: Window, given: str, folder: Path) -> RecordingPage:
    """A stream that is in no recording: a body, a response, what was pasted."""
    if given == "pasted":
        QApplication.clipboard().setText(BODY)
        window.paste()
        page = window.page()
        assert page is not None
    else:
        path = folder / given
        path.write_text((HTTP if given.endswith(".http") else "") + BODY, newline="")
        page = window.open_path(str(path))
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle and page.link.settled, timeout=20_000)
    return page


def note(page: RecordingPage, event: int, text: str) -> None:
    page.session.selection.select(Selection(event), None)
    page.notes.write_here()
    page.notes.editor.field.setPlainText(text)
    page.notes.editor.take()


def close(window: Window, page: RecordingPage) -> None:
    window.close_page(window.deck.tab_of(page))


def texts(path: Path) -> list[tuple[int, str]]:
    return [(one.event, one.text) for one in notes_in(read_input(str(path))[0].notes)]


@pytest.mark.parametrize("given", ["a.sse", "a.http", "pasted"])
def test_the_first_note_offers_a_recording_and_the_tab_asks_before_it_goes(
    qtbot: QtBot, window: Window, home: Path, tmp_path: Path, given: str
) -> None:
    page = opened(qtbot, window, given, tmp_path)
    strip = page.notes.strip
    note(page, 3, "here")
    assert (strip.isVisible(), strip.leaving, strip.drop.isVisible()) == (True, False, False)
    qtbot.mouseClick(strip.later, Qt.MouseButton.LeftButton)
    assert not strip.isVisible()
    note(page, 4, "")
    close(window, page)
    assert window.page() is page
    assert strip.words.text() == "2 notes are in this window alone and would be lost with the tab."
    assert (strip.isVisible(), strip.drop.isVisible(), window.focusWidget()) == (True, True, strip.save)
    where = page.notes.proposed()
    assert where.parent == (recordings_folder() if given == "pasted" else tmp_path)
    assert ":" not in where.name
    qtbot.mouseClick(strip.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page not in window.deck.pages(), timeout=20_000)
    assert texts(where) == [(3, "here"), (4, "")]
    assert read_input(str(where))[0].body.slice(0, 1 << 20) == BODY.encode()


def test_one_can_stay_or_close_without_them(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    page = opened(qtbot, window, "a.sse", tmp_path)
    note(page, 3, "here")
    close(window, page)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert (window.page(), page.notes.strip.isVisible()) == (page, False)
    close(window, page)
    qtbot.mouseClick(page.notes.strip.drop, Qt.MouseButton.LeftButton)
    assert page not in window.deck.pages()
    assert [path.name for path in tmp_path.iterdir()] == ["a.sse"]


def test_what_stands_on_the_card_is_not_lost_either(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    page = opened(qtbot, window, "a.sse", tmp_path)
    page.session.selection.select(Selection(2), None)
    page.notes.write_here()
    page.notes.editor.field.setPlainText("last words")
    close(window, page)
    assert page.notes.strip.words.text().startswith("1 note is in this window alone")
    assert [one.text for one in page.session.notes.all] == ["last words"]


def test_nothing_is_asked_where_nothing_would_be_lost(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    page = opened(qtbot, window, "a.sse", tmp_path)
    note(page, 3, "here")
    page.notes.remove_here()
    close(window, page)
    assert page not in window.deck.pages()


def test_the_window_asks_tab_by_tab_and_then_goes(qtbot: QtBot, window: Window, home: Path, tmp_path: Path) -> None:
    first, second = opened(qtbot, window, "a.sse", tmp_path), open_in(qtbot, window, "mixed-spacing")
    for page in (first, second):
        note(page, 1, "mine")
    assert not window.close()
    assert (window.isVisible(), window.page()) == (True, first)
    # Who stays is not asked on.
    first.notes.strip.later.click()
    assert window.isVisible()
    assert not window.close()
    first.notes.strip.save.click()
    qtbot.waitUntil(lambda: window.page() is second and second.notes.strip.leaving, timeout=20_000)
    assert texts(tmp_path / "a.rec.jsonl") == [(1, "mine")]
    second.notes.strip.drop.click()
    assert not window.isVisible()


def test_a_copy_that_cannot_be_written_keeps_the_tab(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    (tmp_path / "file").write_text("no folder")
    page.notes.folder = lambda: tmp_path / "file"
    note(page, 1, "mine")
    assert not window.close()
    page.notes.strip.save.click()
    qtbot.waitUntil(lambda: page.notice.isVisible(), timeout=20_000)
    assert "could not be written" in page.notice.words.text()
    assert window.page() is page
    assert page.notes.strip.isVisible()
    assert page.notes.strip.save.isEnabled()


def test_notes_on_every_response_of_a_file_are_saved(qtbot: QtBot, window: Window, home: Path) -> None:
    exchanges = [Exchange("two.har", "har", MemoryBody(BODY.encode()), number=n, count=2) for n in range(2)]
    page = window.open_exchanges(exchanges, "two.har")
    for number in range(2):
        qtbot.waitUntil(lambda: page.session.complete and page.session.idle, timeout=20_000)
        note(page, 0, f"of {number}")
        if not number:
            page.session.choose_exchange(1)
    close(window, page)
    assert page.notes.strip.words.text().startswith("2 notes are")
    page.notes.strip.save.click()
    qtbot.waitUntil(lambda: page not in window.deck.pages(), timeout=20_000)
    assert texts(recordings_folder() / "two.rec.jsonl") == [(0, "of 0")]
    assert texts(recordings_folder() / "two-2.rec.jsonl") == [(0, "of 1")]


def test_a_window_that_is_terminated_writes_what_it_can(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    page = opened(qtbot, window, "a.sse", tmp_path)
    note(page, 1, "mine")
    window.keeping.rescue()
    assert window.close()
    assert texts(tmp_path / "a.rec.jsonl") == [(1, "mine")]
