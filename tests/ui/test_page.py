"""One page as a whole: what opens it, what the keyboard reaches, how its parts are arranged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.summary import grouped, items_of
from inspector_app.ui.theme import Look
from tests.ui.panes_data import kit, shipped_lenses

Open = Callable[..., RecordingPage]


@pytest.fixture
def opened(qtbot: QtBot, look: Look) -> Iterator[Open]:
    """Opens a recording of the gallery, or a file, in a page of a size."""
    pages: list[RecordingPage] = []

    def made(name: str | Path, width: int = 1600, height: int = 964) -> RecordingPage:
        path = name if isinstance(name, Path) else resource("recordings", f"{name}.rec.jsonl")
        page = RecordingPage(Session(str(path), kit(), shipped_lenses()), look)
        qtbot.addWidget(page)
        page.resize(width, height)
        with qtbot.waitExposed(page):
            page.show()
        pages.append(page)
        page.session.load()
        qtbot.waitUntil(lambda: page.session.error is not None or (page.session.complete and page.session.idle))
        return page

    yield made
    for page in pages:
        page.session.cancel()


def current(page: RecordingPage) -> Selection:
    found = page.session.selection.current
    assert found is not None
    return found


def test_the_flagship_opens_at_the_bytes_that_cut_the_reasoning(opened: Open) -> None:
    page = opened("empty-tool-calls")
    body = page.session.reference.body  # type: ignore[union-attr]
    assert (current(page).event, current(page).pointer) == (1, "/choices/0/delta/tool_calls")
    assert body.slice(current(page).start or 0, current(page).end or 0) == b'"tool_calls":[]'
    assert page.detail.json.bytes.selected == (current(page).start, current(page).end)
    assert page.findings._picked == 0


def test_a_recording_that_all_read_alike_opens_at_its_error(opened: Open) -> None:
    page = opened("cut-in-the-middle")
    assert page.session.difference is None
    assert (current(page).finding, page.findings.model.rows[0].rule) == ("frame-cut", "frame-cut")


def test_a_recording_without_errors_opens_at_its_beginning(opened: Open) -> None:
    assert current(opened("held-back-burst")) == Selection(0)


def test_the_next_finding_is_another_one_and_its_places_have_keys_of_their_own(opened: Open) -> None:
    page = opened("empty-tool-calls")
    page.next_finding.click()
    assert (current(page).finding, current(page).event) == ("tool-calls-empty-array", 1)
    page.findings.next_place()
    assert (current(page).finding, current(page).event) == ("tool-calls-empty-array", 2)
    page.next_finding.click()
    assert current(page).finding == "choice-role-repeated"
    page.previous_finding.click()
    assert (current(page).finding, current(page).event) == ("tool-calls-empty-array", 1)
    page.previous_finding.click()
    page.previous_finding.click()
    assert current(page).finding == page.session.reference.findings[-1].rule  # type: ignore[union-attr]


def test_the_tab_key_reaches_all_there_is(qtbot: QtBot, opened: Open) -> None:
    page = opened("mixed-spacing")
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.open_button.setFocus(Qt.FocusReason.TabFocusReason)
    reached: list[QWidget] = []
    while page.focusWidget() not in reached:
        reached.append(page.focusWidget())
        qtbot.keyClick(page.focusWidget(), Qt.Key.Key_Tab)
    wanted = [
        page.open_button, page.playback.bar.play, page.playback.bar.pace, page.read_as, page.swap, page.compare_with,
        page.next_finding, page.summary.counts, page.verdict.first, page.timeline, page.panes.raw, page.panes.deltas,
        page.panes.cards,
        page.findings.head._button, page.findings.rows, page.detail.head.tabs, page.detail.head.copy,
        page.detail.json.tree, page.detail.json.bytes,
    ]  # fmt: skip
    assert [widget for widget in reached if widget in wanted] == wanted
    assert all(widget.accessibleName() for widget in reached)


def test_all_lanes_fit_and_findings_are_as_wide_as_the_raw_lines(opened: Open) -> None:
    page = opened("mixed-spacing")
    assert page.verdict.isVisible()
    assert page.timeline.height() == page.timeline.sizeHint().height()
    assert page.findings.width() == page.panes._splitter.sizes()[0] == 640
    page.resize(1280, 764)
    assert page.timeline.height() == page.timeline.sizeHint().height()


def test_a_line_that_was_drawn_stays_where_it_is(opened: Open) -> None:
    page = opened("mixed-spacing")
    page._body.setSizes([300, 200, 200])
    page._body.splitterMoved.emit(300, 1)
    before = page.timeline.height()
    page.session.choose(secondary="zcode-3.11")
    page.link.refresh()
    assert page.timeline.height() >= before > page.timeline.sizeHint().height()


def test_what_there_is_nothing_of_cannot_be_asked_for(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "empty.sse"
    file.write_bytes(b"")
    page = opened(file)
    assert not page.swap.isEnabled()
    assert not page.next_finding.isEnabled()
    assert page.status.left_words() == [("No events, 0 lines", False)]
    assert page.detail.json.tree.empty[1] == "No bytes"
    assert page.timeline.accessibleDescription().startswith("no events")
    assert [item.value for item in items_of(page.session)] == ["an empty body", "0"]


def test_a_file_that_is_not_there_offers_no_readers(opened: Open, tmp_path: Path) -> None:
    page = opened(tmp_path / "nowhere.sse")
    assert not page.read_as.isEnabled()
    assert page.status.left_words() == [("Not read", False)]


def test_a_body_without_events_shows_its_bytes_and_no_event(opened: Open) -> None:
    page = opened("web-page-instead")
    assert [row.where for row in page.findings.model.rows] == ["line 0", "the whole body"]
    assert page.detail.json.bytes.selected == (0, 15)
    assert page.detail.json.tree.empty[1] == "No JSON"
    assert page.status.left_words()[:2] == [("No events, 18 lines", False), ("line 0", False)]
    assert [item.value for item in items_of(page.session)][:1] == ["a web page"]


def test_the_first_token_is_no_comment(opened: Open) -> None:
    page = opened("reasoning-details")
    (item,) = (item for item in items_of(page.session) if item.label == "TTFT")
    reading = page.session.reference
    assert reading is not None
    assert item.value == "1.29\u2009s"
    assert (reading.time_of(0) or 0) < 500_000_000


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("60000 reasoning blocks instead of 1", "60\u2009000 reasoning blocks instead of 1"),
        ("1 block; Wingmate 2026-06 shows 1500", "1 block; Wingmate 2026-06 shows 1\u2009500"),
        ("149 blocks of gpt-4-1106", "149 blocks of gpt-4-1106"),
    ],
)
def test_the_digits_of_a_headline_are_grouped(words: str, shown: str) -> None:
    assert grouped(words) == shown


@pytest.mark.parametrize("width", [1600, 1024, 920])
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("played", [False, True])
def test_words_of_the_toolbar_give_way_before_anything_is_cut(
    qtbot: QtBot, opened: Open, width: int, several: bool, played: bool
) -> None:
    page = opened("mixed-spacing", width, 664)
    if several:
        page.session.open_exchanges(page.session.exchanges * 2)
        qtbot.waitUntil(page.response.isVisible)
        qtbot.waitUntil(lambda: page.session.complete and page.session.idle)
    page.session.choose("wingmate-2026-06", "zcode-3.11")
    if played:
        page.playback.to_start()
    page.toolbar.fit()
    QApplication.processEvents()
    assert page.width() == width
    shown = [widget for widget in page.toolbar.children() if isinstance(widget, QWidget) and widget.isVisible()]
    assert all(widget.width() >= widget.minimumSizeHint().width() for widget in shown)
    assert max(widget.geometry().right() for widget in shown) < width
    roomy = width == 1600 and not played
    assert page.picture_button.text() == ("Save picture" if roomy else "")
    assert page.picture_button.accessibleName() == "Save picture"
