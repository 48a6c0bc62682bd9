"""The window remembers: recent files, its place, its panes, the theme, the readers; and takes many files at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QMainWindow, QSplitter, QTabBar
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from inspector_app.core.kit import Kit, load_kit
from inspector_app.lenses import REFERENCE
from inspector_app.ui.intake import MOST, intake
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.settings import Settings
from inspector_app.ui.start.recent import Row
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window
from inspector_app.ui.window_state import restore_window, save_window
from tests.ui.start_data import CHUNK, LENSES, recording, remembered, streams

Make = Callable[..., Window]


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


@pytest.fixture
def make(qtbot: QtBot, look: Look, kit: Kit) -> Iterator[Make]:
    """Makes a window with settings."""
    made: list[Window] = []

    def build(settings: Settings | None = None) -> Window:
        window = Window(kit, LENSES, look, None, settings)
        qtbot.addWidget(window)
        window.show()
        made.append(window)
        return window

    yield build
    for window in made:
        window.close()


def read(qtbot: QtBot, page: RecordingPage | None) -> RecordingPage:
    assert page is not None
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle, timeout=20_000)
    return page


def dropped(window: Window, *paths: str, text: str = "") -> None:
    data = QMimeData()
    if paths:
        data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    if text:
        data.setText(text)
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(10, 10), Qt.DropAction.CopyAction, data, button, keys))


def titles(window: Window) -> list[str]:
    return [window.tabs.tabText(index) for index in range(window.tabs.count())]


# tabs


def test_the_window_begins_with_the_start_page_alone(make: Make) -> None:
    window = make()
    assert titles(window) == ["Start"]
    assert window.tabs.tabButton(0, QTabBar.ButtonPosition.RightSide) is None
    window.close_page(0)
    assert titles(window) == ["Start"]


def test_a_recording_takes_the_place_of_the_start_page(make: Make, tmp_path: Path) -> None:
    window = make()
    one, two = streams(tmp_path, 2)
    window.open_path(one)
    assert titles(window) == ["run-00.sse"]
    window.deck.show_start()
    assert titles(window) == ["Start", "run-00.sse"]
    assert window.page() is None
    window.open_path(two)
    assert titles(window) == ["run-00.sse", "run-01.sse"]
    page = window.page()
    assert page is not None
    assert page.title == "run-01.sse"


def test_the_start_page_stays_while_another_tab_is_in_view(qtbot: QtBot, make: Make, tmp_path: Path) -> None:
    window = make()
    one, two = streams(tmp_path, 2)
    first = window.open_path(one)
    window.deck.show_start()
    window.tabs.setCurrentIndex(1)
    assert window.page() is first
    window.open_path(two)
    assert titles(window) == ["Start", "run-00.sse", "run-01.sse"]
    read(qtbot, window.page())
    window.tabs.setCurrentIndex(0)
    assert window.page() is None
    assert window.windowTitle() == "Stream Inspector"
    window.close_page(0)
    assert titles(window) == ["run-00.sse", "run-01.sse"]
    assert window.page() is first


def test_the_start_page_comes_back_after_the_last_recording(make: Make, tmp_path: Path) -> None:
    window = make()
    for path in streams(tmp_path, 2):
        window.open_path(path)
    window.deck.show_start()
    window.tabs.setCurrentIndex(2)
    window.close_page(2)
    window.close_page(1)
    assert titles(window) == ["Start"]
    assert window.page() is None
    assert window.tabs.tabButton(0, QTabBar.ButtonPosition.RightSide) is None


def test_a_card_goes_to_the_tab_that_has_it_open(make: Make) -> None:
    window = make()
    page = window.open_path(recording("mixed-spacing.rec.jsonl"))
    window.open_path(recording("think-tags.rec.jsonl"))
    window.deck.show_start()
    window.start.opened.emit(recording("mixed-spacing.rec.jsonl"))
    assert window.page() is page
    assert titles(window) == ["mixed-spacing", "think-tags"]


# many files


def test_the_keyboard_comes_back_to_the_recent_recording_it_was_on(
    qtbot: QtBot, make: Make, tmp_path: Path
) -> None:
    window = make(Settings(tmp_path / "settings.json"))
    first, second, third = streams(tmp_path, 3)
    for path in (first, second):
        read(qtbot, window.open_path(path))
    window.deck.show_start()
    row = window.start.recent.row_of(first)
    assert row is not None
    row.setFocus()
    read(qtbot, window.open_path(third))
    window.deck.show_start()
    qtbot.waitUntil(lambda: not isValid(row))
    window.deck.show_page(window.deck.pages()[0])
    window.deck.show_start()
    focused = window.focusWidget()
    assert isinstance(focused, Row)
    assert focused.path == first


def test_a_folder_opens_what_is_in_it(make: Make, tmp_path: Path) -> None:
    streams(tmp_path / "runs" / "deep", 2)
    streams(tmp_path / "runs" / ".hidden", 2)
    (tmp_path / "runs" / "photo.png").write_bytes(b"x")
    (tmp_path / "runs" / ".dot.sse").write_bytes(b"x")
    (tmp_path / "runs" / "log.JSONL").write_bytes(b"{}")
    window = make()
    dropped(window, str(tmp_path / "runs"))
    assert titles(window) == ["log.JSONL", "run-00.sse", "run-01.sse"]


def test_at_most_twelve_open_at_once_and_the_window_says_so(qtbot: QtBot, make: Make, tmp_path: Path) -> None:
    window = make()
    streams(tmp_path, MOST + 3)
    dropped(window, str(tmp_path))
    assert titles(window) == [f"run-{number:02}.sse" for number in range(MOST)]
    page = read(qtbot, window.page())
    assert page.notice.isVisibleTo(page)
    assert page.notice.words.text().startswith(f"{MOST} of {MOST + 3} recordings were opened")


def test_a_folder_without_recordings_is_said(make: Make, tmp_path: Path) -> None:
    window = make()
    dropped(window, str(tmp_path))
    assert titles(window) == ["Start"]
    assert "no recording in this folder" in window.start.fault.text()


def test_what_is_named_is_opened_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "odd.bin2").write_bytes(b"x")
    assert intake([str(tmp_path / "odd.bin2"), "-", "nowhere"]).paths == [str(tmp_path / "odd.bin2"), "-", "nowhere"]


def test_text_can_be_dropped_too(qtbot: QtBot, make: Make) -> None:
    window = make()
    dropped(window, text=CHUNK.decode())
    page = read(qtbot, window.page())
    assert page.title.startswith("pasted ")


def test_the_field_lights_up_while_something_hangs_over_the_window(make: Make, tmp_path: Path) -> None:
    window = make()
    window.resize(1280, 800)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(streams(tmp_path, 1)[0])])
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    before = window.start.side.drop.grab().toImage()
    entered = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, button, keys)
    window.dragEnterEvent(entered)
    assert entered.isAccepted()
    assert window.start.side.drop.grab().toImage() != before
    window.dragLeaveEvent(QDragLeaveEvent())
    assert window.start.side.drop.grab().toImage() == before
    empty = QMimeData()
    nothing = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, empty, button, keys)
    nothing.ignore()
    window.dragEnterEvent(nothing)
    assert not nothing.isAccepted()


def test_the_dialog_opens_all_that_is_chosen(qtbot: QtBot, make: Make, tmp_path: Path) -> None:
    window = make()
    window.start.side.open_button.click()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.filesSelected.emit(streams(tmp_path, 3))
    dialog.reject()
    assert titles(window) == ["run-00.sse", "run-01.sse", "run-02.sse"]


# what is remembered


def test_opened_recordings_are_recent_with_what_their_reading_gave(qtbot: QtBot, make: Make, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.json")
    window = make(settings)
    for path in streams(tmp_path, 2):
        read(qtbot, window.open_path(path))
    again = Settings(tmp_path / "settings.json").recent()
    assert [Path(recent.path).name for recent in again] == ["run-01.sse", "run-00.sse"]
    assert all(recent.digest is not None and recent.stamp is not None for recent in again)
    window.deck.show_start()
    assert [row.title for row in window.start.recent.rows] == ["run-01.sse", "run-00.sse"]
    assert all(row.digest is not None for row in window.start.recent.rows)


def test_what_is_no_file_of_the_user_is_not_remembered(qtbot: QtBot, make: Make, tmp_path: Path) -> None:
    settings = Settings()
    window = make(settings)
    read(qtbot, window.open_path(recording("mixed-spacing.rec.jsonl")))
    page = window.open_path(str(tmp_path / "nowhere.sse"))
    qtbot.waitUntil(lambda: page.session.error is not None)
    dropped(window, text=CHUNK.decode())
    read(qtbot, window.page())
    assert settings.recent() == []


def test_the_readers_of_a_file_are_remembered_once_chosen(qtbot: QtBot, make: Make, tmp_path: Path) -> None:
    path = tmp_path / "copy.rec.jsonl"
    path.write_bytes(Path(recording("empty-tool-calls.rec.jsonl")).read_bytes())
    settings = Settings()
    window = make(settings)
    page = read(qtbot, window.open_path(str(path)))
    assert settings.recent()[0].readers is None
    page.read_as.setCurrentIndex(page.read_as.findData("openclaw"))
    page.read_as.activated.emit(page.read_as.currentIndex())
    page.compare_with.setCurrentIndex(page.compare_with.findData(None))
    page.compare_with.activated.emit(page.compare_with.currentIndex())
    assert settings.recent()[0].readers == ("openclaw", None)
    other = read(qtbot, make(settings).open_path(str(path)))
    assert (other.session.primary, other.session.secondary) == ("openclaw", None)
    named = read(qtbot, make(settings).open_path(str(path), "zcode-3.11"))
    assert named.session.primary == "zcode-3.11"


@pytest.mark.parametrize("readers", [["gone-1.0", None], [REFERENCE, "gone-1.0"], ["", None]])
def test_a_reader_that_is_gone_is_not_chosen(qtbot: QtBot, make: Make, tmp_path: Path, readers: list) -> None:
    [path] = streams(tmp_path, 1)
    settings = remembered(path)
    settings.learn(path, readers=readers)
    page = read(qtbot, make(settings).open_path(path))
    assert page.session.primary == REFERENCE


def splitters(page: RecordingPage) -> list[QSplitter]:
    return page.findChildren(QSplitter)


def test_the_panes_keep_the_sizes_that_were_drawn(qtbot: QtBot, make: Make, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.json")
    window = make(settings)
    window.resize(1600, 1000)
    [path] = streams(tmp_path, 1)
    page = read(qtbot, window.open_path(path))
    below = next(splitter for splitter in splitters(page) if splitter.widget(0) is page.findings)
    usual = below.sizes()
    handle = below.handle(1)
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(1, 20))
    qtbot.mouseMove(handle, QPoint(121, 20))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(121, 20))
    drawn = below.sizes()
    assert drawn[0] > usual[0] + 60
    others = {id(splitter): splitter.sizes() for splitter in splitters(page) if splitter is not below}
    window.close_page(0)
    assert list(settings.value("panes", {})) == ["FindingsView+DetailView"]
    other = make(Settings(tmp_path / "settings.json"))
    other.resize(1600, 1000)
    again = read(qtbot, other.open_path(path))
    found = next(splitter for splitter in splitters(again) if splitter.widget(0) is again.findings)
    assert found.sizes() == drawn
    assert sorted(s.sizes() for s in splitters(again) if s is not found) == sorted(others.values())


@pytest.mark.parametrize("sizes", [[1], ["a", "b"], [-5, 10], [1, 2, 3], None, {"a": 1}])
def test_sizes_that_are_none_are_left_out(qtbot: QtBot, make: Make, tmp_path: Path, sizes: object) -> None:
    settings = Settings()
    settings.put("panes", {"FindingsView+DetailView": sizes})
    page = read(qtbot, make(settings).open_path(streams(tmp_path, 1)[0]))
    assert min(page.findings.width(), page.detail.width()) > 100


def test_the_window_comes_back_where_it_was(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.json")
    # A plain window: ours is never as small as the screen of the tests.
    window, again = QMainWindow(), QMainWindow()
    for each in (window, again):
        qtbot.addWidget(each)
    window.setGeometry(130, 140, 400, 300)
    window.show()
    save_window(window, settings)
    restore_window(again, Settings(tmp_path / "settings.json"))
    again.show()
    assert again.geometry() == window.geometry()


def test_closing_the_window_remembers_its_place(make: Make) -> None:
    settings = Settings()
    make(settings).close()
    assert settings.value("geometry", "")


@pytest.mark.parametrize("geometry", ["", "!!", "AAAA", "ü", 3])
def test_a_place_that_is_none_is_left_out(make: Make, geometry: object) -> None:
    settings = Settings()
    settings.put("geometry", geometry)  # type: ignore[arg-type]
    assert make(settings).width() >= 1024


def test_the_theme_is_remembered(make: Make, look: Look) -> None:
    settings = Settings()
    window = make(settings)
    window.choose_theme("dark")
    assert (look.choice, settings.value("theme", "")) == ("dark", "dark")


def test_a_note_of_the_settings_is_said_on_the_start_page(make: Make, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("broken")
    window = make(Settings(tmp_path / "settings.json"))
    assert window.start.fault.isVisibleTo(window)
    assert "no JSON" in window.start.fault.text()
