"""The start page as a person meets it: look, point, walk with the arrows, open."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import Kit, load_kit
from inspector_app.ui.settings import Settings, stamp_of
from inspector_app.ui.start import StartPage
from inspector_app.ui.start.digest import Digest, to_json
from inspector_app.ui.start.gallery import FIRST, fitting
from inspector_app.ui.start.recent import FEW, when
from inspector_app.ui.theme import Look
from tests.ui.start_data import CHUNK, GALLERY, LENSES, recording, remembered, streams


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


@pytest.fixture
def settings() -> Settings:
    return Settings()


@pytest.fixture
def page(qtbot: QtBot, look: Look, kit: Kit, settings: Settings) -> Iterator[StartPage]:
    page = StartPage(kit, LENSES, look, settings, [recording(name) for name in GALLERY])
    qtbot.addWidget(page)
    page.resize(1600, 964)
    yield page
    page.shelf.run(False)


def show(qtbot: QtBot, page: StartPage) -> None:
    """Shows the page as the active window, so that it can have the focus."""
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    page.enter()


def settled(qtbot: QtBot, page: StartPage) -> None:
    """Shows the page and waits until every file has been read."""
    show(qtbot, page)
    qtbot.waitUntil(lambda: page.shelf.idle, timeout=30_000)


def press(qtbot: QtBot, page: StartPage, *keys: Qt.Key) -> None:
    for key in keys:
        widget = page.focusWidget()
        assert widget is not None
        qtbot.keyClick(widget, key)


def focused(page: StartPage) -> str:
    tile = page.focusWidget()
    return getattr(tile, "title", "")


# the gallery


def test_the_gallery_shows_every_recording_the_reports_first(qtbot: QtBot, page: StartPage) -> None:
    settled(qtbot, page)
    cards = page.gallery.cards
    assert len(cards) == len(GALLERY)
    assert tuple(Path(card.path).name.removesuffix(".rec.jsonl") for card in cards[:3]) == FIRST
    assert [card.title for card in cards[:2]] == ["149 blocks instead of 1", "A tool call that lost its name"]
    assert all(card.digest is not None and card.story for card in cards)
    assert page.gallery.pills["All"].text() == f"All {len(GALLERY)}"


def test_a_card_says_all_it_shows_to_a_screen_reader(qtbot: QtBot, page: StartPage) -> None:
    settled(qtbot, page)
    card = page.gallery.cards[0]
    assert card.accessibleName().startswith("149 blocks instead of 1. warning tool-calls-empty-array. Breaks ZCode")
    assert card.accessibleDescription().startswith("One thought of 149 pieces")
    interface = QAccessible.queryAccessibleInterface(card)
    assert interface.role() == QAccessible.Role.Button
    for widget in (page.gallery.grid, page.side.drop, page.side.open_button, *page.gallery.pills.values()):
        assert widget.accessibleName()


def test_filters_show_one_family(qtbot: QtBot, page: StartPage) -> None:
    settled(qtbot, page)
    shown = {
        family: {Path(card.path).name for card in page.gallery.cards if card.isVisibleTo(page)}
        for family in ("Timing", "Reasoning", "Endings", "All")
        if not page.gallery.pills[family].click()  # type: ignore[func-returns-value]
    }
    assert shown["Timing"] == {"half-a-minute-of-silence.rec.jsonl", "held-back-burst.rec.jsonl"}
    assert shown["Reasoning"] == {"reasoning-details.rec.jsonl", "think-tags.rec.jsonl"}
    assert len(shown["Endings"]) == 4
    assert shown["All"] == set(GALLERY)
    assert not page.gallery.pills["Other"].isVisibleTo(page)


def test_the_filters_are_one_group_for_the_arrows(qtbot: QtBot, page: StartPage) -> None:
    settled(qtbot, page)
    page.gallery.pills["All"].setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, page, Qt.Key.Key_Right)
    assert page.gallery.pills["Framing"].isChecked()
    assert {card.digest.family for card in page.gallery.roving.tiles} == {"Framing"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "keys, place",
    [
        ([], 0),
        ([Qt.Key.Key_Right], 1),
        ([Qt.Key.Key_Right, Qt.Key.Key_Left], 0),
        ([Qt.Key.Key_Left], 0),
        ([Qt.Key.Key_Up], 0),
        ([Qt.Key.Key_Down], 4),
        ([Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up], 1),
        ([Qt.Key.Key_Right] * 5, 5),
        ([Qt.Key.Key_End], 16),
        ([Qt.Key.Key_End, Qt.Key.Key_Right], 16),
        ([Qt.Key.Key_End, Qt.Key.Key_Down], 16),
        ([Qt.Key.Key_Right, *[Qt.Key.Key_Down] * 4], 16),
        ([Qt.Key.Key_End, Qt.Key.Key_Home], 0),
    ],
)
def test_arrows_walk_over_the_cards(qtbot: QtBot, page: StartPage, keys: list[Qt.Key], place: int) -> None:
    show(qtbot, page)
    press(qtbot, page, *keys)
    assert page.focusWidget() is page.gallery.cards[place]


def test_the_card_with_the_focus_scrolls_into_view(qtbot: QtBot, page: StartPage) -> None:
    page.resize(1024, 640)
    show(qtbot, page)
    press(qtbot, page, Qt.Key.Key_End)
    card = page.gallery.cards[-1]
    top = card.mapTo(page.area, QPoint(0, 0)).y()
    assert top >= 0
    assert top + card.height() <= page.area.height()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_key_opens_the_card(qtbot: QtBot, page: StartPage, key: Qt.Key) -> None:
    show(qtbot, page)
    with qtbot.waitSignal(page.opened) as opened:
        press(qtbot, page, Qt.Key.Key_Right, key)
    assert opened.args == [recording("mixed-spacing.rec.jsonl")]


def test_a_click_opens_the_card(qtbot: QtBot, page: StartPage) -> None:
    show(qtbot, page)
    with qtbot.waitSignal(page.opened) as opened:
        qtbot.mouseClick(page.gallery.cards[2], Qt.MouseButton.LeftButton)
    assert opened.args == [recording("reasoning-details.rec.jsonl")]


def test_the_tab_key_stops_once_for_all_cards(qtbot: QtBot, page: StartPage) -> None:
    show(qtbot, page)
    stops = [card for card in page.gallery.cards if card.focusPolicy() == Qt.FocusPolicy.StrongFocus]
    assert stops == [page.gallery.cards[0]]
    press(qtbot, page, Qt.Key.Key_Down)
    stops = [card for card in page.gallery.cards if card.focusPolicy() == Qt.FocusPolicy.StrongFocus]
    assert stops == [page.gallery.cards[4]]


def test_the_story_of_what_is_pointed_at_stands_below(qtbot: QtBot, page: StartPage) -> None:
    settled(qtbot, page)
    assert page.story.title.text() == "149 blocks instead of 1"
    press(qtbot, page, Qt.Key.Key_Right)
    assert page.story.title.text() == "A tool call that lost its name"
    assert page.story.words.text().startswith("The one line with the call's id and name")
    page.gallery.cards[3].pointed.emit(True)
    assert page.story.title.text() == "Arguments sent again and again"
    page.gallery.cards[3].pointed.emit(False)
    assert page.story.title.text() == "A tool call that lost its name"


@pytest.mark.parametrize(
    "names, room, words",
    [
        ([], 200, ""),
        (["ZCode 3.11"], 200, "ZCode 3.11"),
        (["ZCode 3.11", "OpenClaw"], 200, "ZCode 3.11 · OpenClaw"),
        (["ZCode 3.11", "OpenClaw", "Wingmate 2026-06"], 150, "ZCode 3.11 and 2 more"),
        (["ZCode 3.11", "OpenClaw"], 5, "ZCode 3.11 and 1 more"),
    ],
)
def test_as_many_names_as_fit(look: Look, names: list[str], room: int, words: str) -> None:
    assert fitting(names, room) == words


# recent recordings


def test_without_recent_recordings_the_gallery_stands_alone(page: StartPage) -> None:
    assert not page.recent.isVisibleTo(page)


def test_recent_recordings_tell_what_is_known(
    qtbot: QtBot, page: StartPage, settings: Settings, tmp_path: Path
) -> None:
    [path] = streams(tmp_path, 1)
    settings.opened(path, 1_000_000)
    page.refresh()
    settled(qtbot, page)
    row = page.recent.rows[0]
    assert (row.title, row.story) == ("run-00.sse", path)
    assert row.digest is not None
    assert (row.digest.source, row.digest.dialect, row.digest.size) == ("m-1", "openai-chat", 3 * len(CHUNK))
    assert "m-1, openai-chat" in row.accessibleName()
    [recent] = settings.recent()
    assert (recent.stamp, recent.digest) == (stamp_of(path), to_json(row.digest))


def test_what_is_known_is_not_read_again_until_the_file_changes(
    qtbot: QtBot, page: StartPage, settings: Settings, tmp_path: Path
) -> None:
    [path] = streams(tmp_path, 1)
    settings.opened(path, 1)
    settings.learn(path, stamp=stamp_of(path), digest=to_json(Digest(model="remembered")))
    page.refresh()
    settled(qtbot, page)
    assert page.recent.rows[0].digest == Digest(model="remembered")
    Path(path).write_bytes(CHUNK * 9)
    page.refresh()
    qtbot.waitUntil(lambda: page.shelf.idle, timeout=10_000)
    assert page.recent.rows[0].digest.size == 9 * len(CHUNK)  # type: ignore[union-attr]


def test_a_file_that_is_gone_is_said_in_its_row(
    qtbot: QtBot, page: StartPage, settings: Settings, tmp_path: Path
) -> None:
    settings.opened(str(tmp_path / "gone.sse"), 1)
    page.refresh()
    settled(qtbot, page)
    row = page.recent.rows[0]
    assert "check the path" in row.fault
    assert "cannot be read" in row.accessibleName()
    assert page.story.words.text().endswith("check the path")
    with qtbot.waitSignal(page.opened):
        press(qtbot, page, Qt.Key.Key_Return)


def test_the_last_few_are_shown_and_all_when_asked(page: StartPage, settings: Settings) -> None:
    for number in range(FEW + 3):
        settings.opened(f"/r/{number}.sse", number)
    page.refresh()
    assert [row.isVisibleTo(page.recent) for row in page.recent.rows] == [True] * FEW + [False] * 3
    assert page.recent.more.text() == f"All {FEW + 3} recordings"
    page.recent.more.click()
    assert all(row.isVisibleTo(page.recent) for row in page.recent.rows)
    page.recent.more.click()
    assert not page.recent.rows[-1].isVisibleTo(page.recent)


def test_arrows_go_from_the_list_into_the_gallery_and_back(qtbot: QtBot, page: StartPage, settings: Settings) -> None:
    for name in ("a.sse", "b.sse"):
        settings.opened(f"/r/{name}", 1)
    page.refresh()
    show(qtbot, page)
    assert focused(page) == "b.sse"
    press(qtbot, page, Qt.Key.Key_Up, Qt.Key.Key_Down)
    assert focused(page) == "a.sse"
    press(qtbot, page, Qt.Key.Key_Down)
    assert page.focusWidget() is page.gallery.cards[0]
    press(qtbot, page, Qt.Key.Key_Right, Qt.Key.Key_Up)
    assert focused(page) == "a.sse"


def test_delete_takes_a_recording_out_of_the_list(qtbot: QtBot, page: StartPage, settings: Settings) -> None:
    for name in ("a.sse", "b.sse"):
        settings.opened(f"/r/{name}", 1)
    page.refresh()
    show(qtbot, page)
    press(qtbot, page, Qt.Key.Key_Delete)
    assert [recent.path for recent in settings.recent()] == ["/r/a.sse"]
    assert focused(page) == "a.sse"
    press(qtbot, page, Qt.Key.Key_Delete)
    assert settings.recent() == []
    assert not page.recent.isVisibleTo(page)
    assert page.focusWidget() is page.gallery.cards[0]


@pytest.mark.parametrize(
    "name", ["<b>bold</b><img src=x>.sse", "a\u202egnp.sse", "line\nbreak.sse", "x" * 300 + ".sse"]
)
def test_hostile_names_are_plain_text(qtbot: QtBot, look: Look, kit: Kit, name: str) -> None:
    digest = Digest(model="<h1>m\u202e", provider="<i>", rule="<script>", breaks=("<b>",))
    settings = remembered(f"/r/{name}")
    settings.learn(f"/r/{name}", digest=to_json(digest))
    page = StartPage(kit, LENSES, look, settings, [])
    qtbot.addWidget(page)
    show(qtbot, page)
    row = page.recent.rows[0]
    assert "\u202e" not in row.title + row.accessibleName() + row.story
    assert "\n" not in row.title
    assert len(row.title) < 200
    assert "<b>" not in row.toolTip()
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in page.findChildren(QLabel))
    assert not page.grab().isNull()
    page.shelf.run(False)


NOON = datetime(2026, 11, 29, 12, 0)


@pytest.mark.parametrize(
    "opened, words",
    [
        (datetime(2026, 11, 29, 8, 5), "today 08:05"),
        (datetime(2026, 11, 28, 23, 59), "yesterday"),
        (datetime(2026, 11, 27, 1, 0), "Friday"),
        (datetime(2026, 11, 23, 1, 0), "Monday"),
        (datetime(2026, 11, 22, 23, 0), "22 Nov"),
        (datetime(2025, 3, 1, 0, 0), "1 Mar 2025"),
        (datetime(2026, 11, 30, 0, 0), "30 Nov"),
    ],
)
def test_when_a_recording_was_opened(opened: datetime, words: str) -> None:
    assert when(opened, NOON) == words


# the page


def test_reading_rests_while_another_page_is_in_view(qtbot: QtBot, page: StartPage) -> None:
    made: list[str] = []
    page.shelf.made.connect(lambda path, *_: made.append(path))
    show(qtbot, page)
    qtbot.waitUntil(lambda: len(made) >= 2, timeout=10_000)
    page.hide()
    before = len(made)
    qtbot.wait(60)
    assert len(made) == before
    assert not page.shelf.idle
    page.show()
    qtbot.waitUntil(lambda: page.shelf.idle, timeout=30_000)
    assert sorted(made) == sorted(recording(name) for name in GALLERY)


def test_the_buttons_ask_the_window(qtbot: QtBot, page: StartPage) -> None:
    with qtbot.waitSignals([page.open_asked, page.paste_asked, page.proxy_asked, page.open_asked]):
        page.side.open_button.click()
        page.side.paste_button.click()
        page.side.proxy_button.click()
        qtbot.mouseClick(page.side.drop, Qt.MouseButton.LeftButton)


def test_a_fault_is_said_until_it_is_dismissed(page: StartPage) -> None:
    page.say("settings.json: broken <b>")
    assert page.fault.isVisibleTo(page)
    page.say("")
    assert not page.fault.isVisibleTo(page)


@pytest.mark.parametrize("width, height, columns", [(1024, 664, 2), (1280, 764, 3), (1600, 964, 4), (1920, 1164, 5)])
def test_the_page_fits_every_window(
    qtbot: QtBot, page: StartPage, settings: Settings, width: int, height: int, columns: int
) -> None:
    settings.opened("/r/a.sse", 1)
    page.refresh()
    page.resize(width, height)
    show(qtbot, page)
    qtbot.waitUntil(lambda: len({card.x() for card in page.gallery.cards}) == columns)
    right = page.area.viewport().width()
    for widget in (*page.gallery.cards, *page.recent.rows, *page.gallery.pills.values()):
        if widget.isVisibleTo(page):
            left = widget.mapTo(page.area.viewport(), QPoint(0, 0)).x()
            assert left >= 0
            assert left + widget.width() <= right
    boxes = [card.geometry() for card in page.gallery.cards]
    assert not any(one.intersects(other) for at, one in enumerate(boxes) for other in boxes[at + 1 :])
    bottom = page.side.drop.mapTo(page, QPoint(0, page.side.drop.height())).y()
    assert bottom < page.story.y()
    page.resize(width, 480)
    qtbot.waitUntil(page._side_area.verticalScrollBar().isVisible)
    seen = page._side_area.viewport()
    edge = page.side.drop.mapTo(seen, QPoint(page.side.drop.width(), 0)).x()
    assert edge <= seen.width(), "the bar stands beside what is in the column"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_is_drawn_in_both_themes(qtbot: QtBot, page: StartPage, look: Look, theme: str) -> None:
    look.choose(theme)
    settled(qtbot, page)
    image = QImage(page.size(), QImage.Format.Format_RGB32)
    page.render(image)
    assert image.pixelColor(4, 300) == look.theme.color("bg.panel")
    assert image.pixelColor(70, image.height() - 2) == look.theme.color("bg.chrome")
    card = page.gallery.cards[5]
    place = card.mapTo(page, QPoint(0, 0))
    assert image.pixelColor(place.x() + 5, place.y() + 75) == look.theme.color("bg.raised")
