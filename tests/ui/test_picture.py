"""Pictures that are asked for in the window: of what, how large, in which theme, and that the window goes on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from inspector_app import __version__
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.resources import resource
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.ui.controls import rings_in
from inspector_app.ui.dialogs.picture_dialog import PictureDialog
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.picture import CAPTION, caption, picture, vector
from inspector_app.ui.scenes import Scene, pane_of
from inspector_app.ui.selection import Selection
from inspector_app.ui.shot import arranged
from inspector_app.ui.studio import WHATS, Wish
from inspector_app.ui.svg_letters import Letters
from inspector_app.ui.theme import Look
from inspector_app.ui.views.row_view import ROW
from inspector_app.ui.window import Window

LENSES = load_lenses([shipped_folder()])
SIZE = QSize(1280, 800)


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


@pytest.fixture
def window(qtbot: QtBot, look: Look, kit: Kit) -> Iterator[Window]:
    window = Window(kit, LENSES, look)
    qtbot.addWidget(window)
    window.resize(SIZE)
    window.show()
    yield window
    window.close()


@pytest.fixture
def page(qtbot: QtBot, window: Window) -> RecordingPage:
    return opened(qtbot, window, "mixed-spacing")


def opened(qtbot: QtBot, window: Window, name: str) -> RecordingPage:
    page = window.open_path(str(resource("recordings", f"{name}.rec.jsonl")))
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle, timeout=20_000)
    return page


def saved(qtbot: QtBot, window: Window, path: Path, wish: Wish) -> QImage:
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
        window.save_picture(str(path), wish)
    return QImage(str(path))


def dialog_of(window: Window) -> PictureDialog:
    window.run("Save picture…")
    found = window.findChild(PictureDialog)
    assert isinstance(found, PictureDialog)
    return found


def choose(dialog: PictureDialog, **values: object) -> None:
    for name, value in values.items():
        choice = getattr(dialog, name)
        choice.setCurrentIndex(choice.findData(value))


@pytest.mark.parametrize("what", WHATS)
def test_everything_that_is_offered_is_drawn(
    qtbot: QtBot, window: Window, page: RecordingPage, tmp_path: Path, what: str
) -> None:
    size = window.studio.size(page, Wish(what))
    for scale in (1, 2):
        image = saved(qtbot, window, tmp_path / "x.png", Wish(what, scale=scale))
        assert image.size() == size * scale
        colors = {image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 3)}
        assert len(colors) > 20
    saved(qtbot, window, tmp_path / "x.svg", Wish(what))
    assert QSvgRenderer(str(tmp_path / "x.svg")).defaultSize() == size


def test_what_is_in_view_is_drawn_as_it_stands(
    qtbot: QtBot, window: Window, page: RecordingPage, look: Look, tmp_path: Path
) -> None:
    page.panes.raw.verticalScrollBar().setValue(66)
    image = saved(qtbot, window, tmp_path / "x.png", Wish("lines", scale=1))
    page.notice.withdraw()
    QApplication.processEvents()
    pane = pane_of(page.panes, "lines")
    assert image == picture(pane, look, caption(page.session))
    assert image.size() == QSize(pane.width(), pane.height() + CAPTION)


def test_the_timeline_can_be_wider_than_the_screen_and_shows_every_lane(
    qtbot: QtBot, window: Window, page: RecordingPage, tmp_path: Path
) -> None:
    page.timeline.zoom(8)
    image = saved(qtbot, window, tmp_path / "x.png", Wish("timeline", scale=1, wide=4))
    assert image.size() == QSize(4 * SIZE.width(), page.timeline.sizeHint().height() + CAPTION)
    assert page.timeline.width() <= SIZE.width()


@pytest.mark.parametrize("what", ["window", "blocks", "timeline"])
def test_a_picture_has_its_own_theme_and_the_window_keeps_its(
    qtbot: QtBot, window: Window, page: RecordingPage, look: Look, tmp_path: Path, what: str
) -> None:
    light = saved(qtbot, window, tmp_path / "light.png", Wish(what, "light", 1))
    dark = saved(qtbot, window, tmp_path / "dark.png", Wish(what, "dark", 1))
    for image, lightness in ((light, 240), (dark, 30)):
        shown = [image.pixelColor(x, 50).lightness() for x in range(0, image.width(), 5)]
        assert abs(sorted(shown)[len(shown) // 2] - lightness) < 20
    assert (look.choice, look.theme.name) == ("light", "light")
    assert saved(qtbot, window, tmp_path / "again.png", Wish(what, "", 1)) == light


def test_a_picture_is_sharp_at_double_size(qtbot: QtBot, window: Window, page: RecordingPage, look: Look) -> None:
    small, large = (picture(window, look, "", scale) for scale in (1, 2))
    sharp = {"letters": (16, 84, 200, 24), "icons": (14, 46, 120, 24), "ticks": (214, 205, 900, 60)}
    for x, y, width, height in sharp.values():
        grown = small.copy(x, y, width, height).scaled(2 * width, 2 * height)
        drawn = large.copy(2 * x, 2 * y, 2 * width, 2 * height)
        rows = [
            sum(drawn.pixel(column, row) != drawn.pixel(column ^ 1, row) for column in range(2 * width))
            for row in range(2 * height)
        ]
        assert drawn != grown
        assert sum(rows) > 20


def test_the_caption_says_file_readers_and_version(
    window: Window, page: RecordingPage, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[str] = []
    usual = Letters.of
    monkeypatch.setattr(Letters, "of", lambda letters, font, text: texts.append(text) or usual(letters, font, text))
    words = "mixed-spacing.rec.jsonl · read as Reference · compared with Wingmate, build of 29 June 2026"
    assert caption(page.session) == words
    assert f"<title>{words} · Stream Inspector {__version__}</title>" in vector(window, look, caption(page.session))
    assert f"Stream Inspector {__version__}{words}" in "".join(texts)


def test_a_picture_goes_to_the_clipboard_as_dots_and_as_shapes(
    qtbot: QtBot, window: Window, page: RecordingPage
) -> None:
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy):
        window.run("Copy picture")
    data = QApplication.clipboard().mimeData()
    assert data.hasImage()
    assert QApplication.clipboard().image().size() == 2 * QSize(SIZE.width(), SIZE.height() + CAPTION)
    assert QSvgRenderer(data.data("image/svg+xml")).isValid()


def test_the_program_ends_well_with_a_picture_on_the_clipboard() -> None:
    program = """
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget
from inspector_app.ui.studio import Picture
from inspector_app.ui.theme import Look
application = QApplication([])
picture = Picture(QWidget(), Look(application, "light"), "", 1, QSize(200, 100))
application.clipboard().setMimeData(picture.for_clipboard())
assert application.clipboard().mimeData().hasFormat("image/svg+xml")
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode == 0


def test_a_picture_that_cannot_be_written_is_said_in_place(
    qtbot: QtBot, window: Window, page: RecordingPage, tmp_path: Path
) -> None:
    saved(qtbot, window, tmp_path / "no" / "folder" / "x.png", Wish())
    assert page.notice.isVisibleTo(page)
    assert "could not be written: no such file" in page.notice.words.text()


@pytest.mark.parametrize("what", ["window", "timeline"])
def test_a_file_that_cannot_be_read_has_a_picture_of_the_window(
    qtbot: QtBot, window: Window, tmp_path: Path, what: str
) -> None:
    page = window.open_path(str(tmp_path / "nowhere.sse"))
    qtbot.waitUntil(lambda: page.session.error is not None)
    image = saved(qtbot, window, tmp_path / "x.png", Wish(what, scale=1))
    assert image.size() == QSize(SIZE.width(), SIZE.height() + CAPTION)


def test_pictures_come_in_the_order_of_the_wishes(
    qtbot: QtBot, window: Window, page: RecordingPage, tmp_path: Path
) -> None:
    made: list[int] = []
    for number, what in enumerate(("timeline", "window", "comparison")):
        window.studio.make(page, Wish(what), lambda _, number=number: made.append(number))
    qtbot.waitUntil(lambda: len(made) == 3)
    assert made == [0, 1, 2]


@pytest.mark.parametrize("what", ["timeline", "comparison", "window"])
def test_a_tab_may_be_closed_while_its_picture_is_made(
    qtbot: QtBot, window: Window, page: RecordingPage, what: str
) -> None:
    made: list[object] = []
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy):
        window.studio.make(page, Wish(what), made.append)
        window.close_page(0)
        page.deleteLater()
        del page
    assert len(made) <= 1


def test_a_window_is_drawn_with_its_own_page_when_another_tab_came_into_view(
    qtbot: QtBot, window: Window, page: RecordingPage, tmp_path: Path
) -> None:
    shown = saved(qtbot, window, tmp_path / "one.png", Wish(scale=1))
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy):
        window.save_picture(str(tmp_path / "two.png"), Wish(scale=1))
        window.open_path(str(resource("recordings", "think-tags.rec.jsonl")))
    # Below the toolbar: the pointer of an earlier test may still hang over one of its buttons.
    below = QRect(0, 80, SIZE.width(), SIZE.height() - 80)
    assert QImage(str(tmp_path / "two.png")).copy(below) == shown.copy(below)


def test_a_picture_waits_for_the_timeline_of_its_page(
    qtbot: QtBot, window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector_app.ui.timeline_link.STEP_NS", 1)
    page = opened(qtbot, window, "mixed-spacing")
    page.link.refresh()  # as for other readings; by now the first lanes may be there
    assert not page.link.settled
    early = saved(qtbot, window, tmp_path / "early.png", Wish(scale=1))
    assert page.link.settled
    late = saved(qtbot, window, tmp_path / "late.png", Wish(scale=1))
    below = QRect(0, 80, SIZE.width(), SIZE.height() - 80)
    assert early.copy(below) == late.copy(below)


# the dialog


def test_the_dialog_never_holds_the_window(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    dialog = dialog_of(window)
    assert dialog.isVisible()
    assert not dialog.isModal()
    assert QApplication.activeModalWidget() is None
    qtbot.mouseClick(page.next_finding, Qt.MouseButton.LeftButton)
    assert page.session.selection.current is not None


def test_the_dialog_says_how_large_the_picture_gets(window: Window, page: RecordingPage) -> None:
    dialog = dialog_of(window)
    plain = str.maketrans({"\u2009": ""})

    def told() -> str:
        return dialog.remark.text().translate(plain)

    assert told() == "2560 × 1656 pixels"
    choose(dialog, scale=1)
    assert told() == "1280 × 828 pixels"
    choose(dialog, what="timeline", wide=4)
    assert told().startswith("5120 × ")
    choose(dialog, format="svg")
    assert told().startswith("5120 × ")
    assert dialog.wish() == Wish("timeline", "", 1, 4)


def test_only_what_matters_can_be_chosen(window: Window, page: RecordingPage) -> None:
    dialog = dialog_of(window)
    assert (dialog.wide.isEnabled(), dialog.scale.isEnabled()) == (False, True)
    choose(dialog, what="timeline", format="svg")
    assert (dialog.wide.isEnabled(), dialog.scale.isEnabled()) == (True, False)
    choose(dialog, what="lines", wide=8)
    assert dialog.wish().wide == 1


def test_without_a_comparison_none_is_offered(qtbot: QtBot, window: Window) -> None:
    page = opened(qtbot, window, "call-in-three-chunks")
    page.session.choose(secondary=None)
    dialog = dialog_of(window)
    assert dialog.what.findData("comparison") < 0
    assert dialog.what.count() == len(WHATS) - 1


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_dialog_saves_where_the_user_says(
    qtbot: QtBot, window: Window, page: RecordingPage, tmp_path: Path, ending: str
) -> None:
    dialog = dialog_of(window)
    choose(dialog, what="blocks", theme="dark", format=ending)
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    files = dialog.findChild(QFileDialog)
    assert isinstance(files, QFileDialog)
    assert Path(files.selectedFiles()[0]).name == f"mixed-spacing-blocks.{ending}"
    path = tmp_path / f"mine.{ending}"
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy):
        files.fileSelected.emit(str(path))
    assert path.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")
    assert not isValid(dialog)


def test_the_dialog_copies_and_stays(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    dialog = dialog_of(window)
    choose(dialog, what="lines", scale=1)
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy):
        qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
        assert not dialog.save.isEnabled()
    assert dialog.save.isEnabled()
    assert dialog.isVisible()
    assert dialog.remark.text() == "Copied to the clipboard"
    assert page.notice.words.text() == "Picture copied to the clipboard"
    assert QApplication.clipboard().image().size() == window.studio.size(page, Wish("lines"))


def test_the_dialog_goes_with_its_tab(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    for leave in (window.deck.show_start, lambda: window.close_page(0)):
        window.deck.show_page(page)
        dialog = dialog_of(window)
        leave()
        qtbot.waitUntil(lambda dialog=dialog: not isValid(dialog))


def test_the_button_of_a_page_asks_too(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    qtbot.mouseClick(page.picture_button, Qt.MouseButton.LeftButton)
    assert window.findChild(PictureDialog) is not None


def test_a_picture_shows_no_focus_ring_and_the_window_keeps_its(
    qtbot: QtBot, window: Window, page: RecordingPage, look: Look
) -> None:
    with qtbot.waitActive(window):
        window.activateWindow()
    page.open_button.setFocus(Qt.FocusReason.OtherFocusReason)
    plain = picture(window, look, "")
    shown = window.grab().toImage()
    page.open_button.setFocus(Qt.FocusReason.OtherFocusReason)
    page.toolbar.search.setFocus(Qt.FocusReason.TabFocusReason)
    page.open_button.setFocus(Qt.FocusReason.TabFocusReason)
    assert window.grab().toImage() != shown
    assert picture(window, look, "") == plain
    assert [ring.around for ring in rings_in(window)] == [page.open_button]
    page.session.selection.select(Selection(2), None)
    page.panes.raw.setFocus(Qt.FocusReason.OtherFocusReason)
    plain = picture(window, look, "")
    qtbot.keyClick(page.panes.raw, Qt.Key.Key_Shift)
    shown = window.grab().toImage()
    assert picture(window, look, "") == plain
    assert window.grab().toImage() != shown, "until the next key is pressed among the rows"


def test_no_part_shows_in_a_picture_that_it_has_the_keyboard(
    qtbot: QtBot, window: Window, page: RecordingPage, look: Look
) -> None:
    with qtbot.waitActive(window):
        window.activateWindow()
    parts = [
        part for part in page.findChildren(QWidget)
        if part.isVisible() and part.isEnabled() and part.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not isinstance(part, QLineEdit)  # of which Qt draws the caret
    ]  # fmt: skip
    assert "Timeline" in {part.accessibleName() for part in parts}
    # A selection is paler where the keyboard is elsewhere: that is no mark of the keyboard, so there is none.
    page.session.selection.select(None, None)
    page.findings.rows.clearSelection()
    page.open_button.setFocus(Qt.FocusReason.OtherFocusReason)
    plain = picture(window, look, "")
    for part in parts:
        part.setFocus(Qt.FocusReason.TabFocusReason)
        same = picture(window, look, "") == plain
        assert same, f"{type(part).__name__} {part.accessibleName()}"


def test_what_was_saved_is_said_in_place_and_not_in_the_next_picture(
    qtbot: QtBot, window: Window, page: RecordingPage, tmp_path: Path
) -> None:
    path = tmp_path / "one.png"
    for _ in range(2):
        with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy):
            window.save_picture(str(path))
            assert not page.notice.isVisible()
        assert page.notice.isVisible()
        assert page.notice.words.text() == f"Picture saved: {path}"
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy):
        window.save_picture(str(tmp_path / "none" / "one.png"))
    assert page.notice.words.text().endswith("no such file or directory")


def test_the_dialog_can_be_cancelled_and_speaks_in_usual_words(
    qtbot: QtBot, window: Window, page: RecordingPage
) -> None:
    dialog = dialog_of(window)
    words = [dialog.format.itemText(n) for n in range(2)] + [dialog.scale.itemText(1)]
    assert words == ["PNG", "SVG", "1×"]
    qtbot.mouseClick(dialog.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not isValid(dialog))


@pytest.mark.parametrize(
    ("name", "as_text"), [("mixed-spacing", True), ("reasoning-details", True), ("empty-tool-calls", False)]
)
def test_the_comparison_shows_verdict_lines_and_both_readings_and_no_button(
    qtbot: QtBot, window: Window, look: Look, name: str, as_text: bool
) -> None:
    page = opened(qtbot, window, name)
    scene = arranged(Scene(page.session, look, "comparison"), QSize(1280, 1000))
    raw, panes = scene._panes.raw, scene._panes
    shown = panes.cards if as_text else panes.blocks
    assert raw.isVisibleTo(scene)
    assert shown.isVisibleTo(scene)
    first = page.session.difference.first_difference
    assert first is not None
    row = raw.rows().rows_of(first.event)[0] * ROW - raw.verticalScrollBar().value()
    assert 0 <= row <= raw.viewport().height() - ROW
    assert not [button for button in scene.findChildren(QAbstractButton) if button.isVisibleTo(scene)]
    if as_text:
        assert panes.cards.verticalScrollBar().maximum() == 0
        assert raw.viewport().height() % ROW == 0
    scene.close()
