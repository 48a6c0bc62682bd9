"""Notes in the window: written with keys at the event, seen in lane, rows and list, found again, taken back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.notes import LONGEST, Note, notes_in
from inspector_app.core.resources import resource
from inspector_app.files import read_input
from inspector_app.live.recorder import recordings_folder
from inspector_app.ui.notes.editor import FULL, HINT
from inspector_app.ui.notes.part import BEGUN, NotesPart
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.reports import findings_report
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline.flags import NOTES, tags
from inspector_app.ui.timeline.marked import marked
from inspector_app.ui.timeline.view import TOP
from inspector_app.ui.views.row_view import ROW
from inspector_app.ui.window import Window
from tests.ui.live_data import LiveStream, said
from tests.ui.window_data import open_in, window

__all__ = ["window"]

Key, Held = Qt.Key, Qt.KeyboardModifier
NONE, SHIFT, CONTROL = Held.NoModifier, Held.ShiftModifier, Held.ControlModifier
HOSTILE = "<img src=x onerror=1> \u202eevil\x00 思考 " + "w" * 3000


def settle(qtbot: QtBot, page: RecordingPage) -> None:
    """Until everything is read, drawn and written."""
    session = page.session
    qtbot.waitUntil(lambda: session.complete and session.idle and page.link.settled, timeout=30_000)
    qtbot.waitUntil(lambda: not session.notes.writer.busy, timeout=30_000)
    QApplication.processEvents()


@pytest.fixture
def page(qtbot: QtBot, window: Window, tmp_path: Path) -> RecordingPage:
    """A recording of one's own in the window."""
    path = tmp_path / "own.rec.jsonl"
    shutil.copy(str(resource("recordings", "mixed-spacing.rec.jsonl")), path)
    made = window.open_path(str(path))
    settle(qtbot, made)
    return made


def press(qtbot: QtBot, window: Window, key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
    qtbot.keyClick(window.focusWidget() or window, key, held)


def select(page: RecordingPage, event: int) -> None:
    page.session.selection.select(Selection(event), None)


def event_of(page: RecordingPage) -> int:
    current = page.session.selection.current
    assert current is not None
    return current.event


def on_disk(page: RecordingPage) -> list[Note]:
    return notes_in(read_input(page.session.path)[0].notes)


def write(qtbot: QtBot, window: Window, page: RecordingPage, event: int, text: str) -> None:
    select(page, event)
    press(qtbot, window, Key.Key_N)
    page.notes.editor.field.setPlainText(text)
    press(qtbot, window, Key.Key_Return)


def test_n_writes_a_note_where_the_keyboard_is_and_gives_it_back(
    qtbot: QtBot, window: Window, page: RecordingPage
) -> None:
    page.panes.raw.setFocus()
    editor = page.notes.editor
    select(page, 3)
    press(qtbot, window, Key.Key_N)
    assert editor.isVisible()
    assert window.focusWidget() is editor.field
    assert page.rect().contains(editor.geometry())
    rows = page.panes.raw.place_of(3)
    assert editor.y() >= page.panes.raw.viewport().mapTo(page, rows.bottomLeft()).y()
    # Letters that are keys of the window are text here; Shift with Enter is a new line.
    for letter in "bwn":
        qtbot.keyClicks(editor.field, letter)
    qtbot.keyClick(editor.field, Key.Key_Return, SHIFT)
    qtbot.keyClicks(editor.field, "x")
    press(qtbot, window, Key.Key_Return)
    assert not editor.isVisible()
    assert window.focusWidget() is page.panes.raw
    settle(qtbot, page)
    (note,) = on_disk(page)
    assert (note.event, note.text, note.until) == (3, "bwn\nx", None)
    aim = page.timeline.aim
    assert note.view == (round(aim.start), round(aim.end))
    press(qtbot, window, Key.Key_N)
    assert editor.field.toPlainText() == "bwn\nx"
    qtbot.keyClicks(editor.field, "other")
    press(qtbot, window, Key.Key_Escape)
    assert not editor.isVisible()
    assert page.session.notes.all == [note]
    page.history.undo()
    settle(qtbot, page)
    assert on_disk(page) == []
    page.history.redo()
    settle(qtbot, page)
    assert on_disk(page) == [note]


def test_bookmarks_turn_and_f2_goes_round(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    for event in (2, 5, 9):
        select(page, event)
        press(qtbot, window, Key.Key_B, CONTROL)
    write(qtbot, window, page, 5, "also here")
    assert [(note.event, note.text) for note in page.session.notes.all] == [(2, ""), (5, "also here"), (9, "")]
    select(page, 0)
    seen = []
    for _ in range(4):
        press(qtbot, window, Key.Key_F2)
        seen.append(event_of(page))
    assert seen == [2, 5, 9, 2]
    press(qtbot, window, Key.Key_F2, SHIFT)
    assert event_of(page) == 9
    press(qtbot, window, Key.Key_B, CONTROL)
    assert [note.event for note in page.session.notes.all] == [2, 5]
    window.run("Remove the note")
    assert [note.event for note in page.session.notes.all] == [2, 5]
    select(page, 2)
    window.run("Remove the note")
    assert [(note.event, note.text) for note in page.session.notes.all] == [(5, "also here")]


def test_a_range_is_written_from_one_event_to_another_or_on_chosen_rows(
    qtbot: QtBot, window: Window, page: RecordingPage
) -> None:
    notes = page.session.notes
    select(page, 6)
    press(qtbot, window, Key.Key_N, SHIFT)
    assert page.notice.words.text() == BEGUN.format(6)
    select(page, 2)
    press(qtbot, window, Key.Key_N, SHIFT)
    assert page.notes.editor.head.text() == "Note on events 2–6"
    press(qtbot, window, Key.Key_Return)
    assert [(note.event, note.until) for note in notes.all] == [(2, 6)]
    # The same event twice gives it up.
    press(qtbot, window, Key.Key_N, SHIFT)
    press(qtbot, window, Key.Key_N, SHIFT)
    assert page.notes.editor.note is None
    raw = page.panes.raw
    select(page, 8)
    raw.setFocus()
    for _ in range(3):
        qtbot.keyClick(raw, Key.Key_Down, SHIFT)
    span = raw.chosen_events()
    assert span is not None
    assert span[0] == 8 < span[1]
    press(qtbot, window, Key.Key_N, SHIFT)
    press(qtbot, window, Key.Key_Return)
    assert [(note.event, note.until) for note in notes.all] == [(2, 6), span]
    # A range of the timeline counts where no rows are chosen.
    select(page, 0)
    axis = page.timeline.axis
    page.timeline.mark(marked(axis.position(9), axis.position(12)))
    press(qtbot, window, Key.Key_N, SHIFT)
    note = page.notes.editor.note
    assert note is not None
    assert axis.position(note.event) == axis.position(9)
    assert axis.position(note.last) == axis.position(12)


def test_the_lane_shows_notes_and_a_click_brings_back_what_was_in_sight(
    qtbot: QtBot, window: Window, page: RecordingPage
) -> None:
    timeline = page.timeline
    select(page, 8)
    timeline.zoom(3.0)
    close = timeline.aim
    write(qtbot, window, page, 8, HOSTILE)
    settle(qtbot, page)
    number = next(n for n, index in enumerate(timeline.lanes) if index.lane.key == NOTES)
    assert number == len(timeline.lanes) - 1
    timeline.fit()
    select(page, 0)
    view = timeline.aim
    (tag,) = tags(timeline.lanes[number], view)
    assert tag.words.startswith("<img")
    assert "\u202e" not in tag.words
    assert "\x00" not in tag.words
    assert tag.right <= timeline.width()
    top = TOP + view.top(number) - timeline._scroll.value()
    assert timeline.pick_at(QPoint(tag.right - 4, top + 8))
    assert event_of(page) == 8
    assert timeline.aim.per_pixel == pytest.approx(close.per_pixel, rel=0.01)
    assert timeline.aim.start == pytest.approx(close.start, abs=close.per_pixel * 2)
    page.history.undo()
    assert event_of(page) == 0
    assert timeline.aim == view


def test_rows_list_and_report_tell_of_notes(qtbot: QtBot, window: Window, page: RecordingPage, look: Look) -> None:
    select(page, 4)
    raw = page.panes.raw
    raw.setFocus()
    before = raw.grab().toImage()
    write(qtbot, window, page, 4, HOSTILE)
    settle(qtbot, page)
    after = raw.grab().toImage()
    rows = raw.place_of(4)
    assert after.pixelColor(0, rows.top() + ROW // 2) == look.theme.color("ink.3")
    assert after.pixelColor(0, rows.top() - ROW // 2) == before.pixelColor(0, rows.top() - ROW // 2)
    row = page.session.rows.rows_of(4)[0]
    assert "Event 4: <img" in raw.words_at(row, 10)
    assert "Event 4: <img" in raw.cell(4, 0, 1)
    assert "Event 4" not in raw.cell(4, 1, 1)
    listed = page.detail.notes
    window.run("List of notes")
    (fact,) = listed.sheet.facts
    assert fact.label == "event 4"
    assert "\u202e" not in fact.value
    assert fact.note.endswith("ms")
    select(page, 0)
    listed.setCurrentIndex(listed.sheet.index(0, 0))
    qtbot.keyClick(listed, Key.Key_Return)
    assert event_of(page) == 4
    report = findings_report(page.session)
    assert "### Notes" in report
    assert r"- event 4: \<img" in report
    qtbot.keyClick(listed, Key.Key_Delete)
    assert page.session.notes.all == []
    assert listed.sheet.facts == []
    assert "### Notes" not in findings_report(page.session)


def test_an_example_asks_for_a_copy_which_opens_with_the_note(qtbot: QtBot, window: Window, home: Path) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    page.choose_readers("wingmate-2026-06", None)
    write(qtbot, window, page, 7, "look")
    strip = page.notes.strip
    assert strip.isVisible()
    assert strip.save.text() == "Save as mixed-spacing.rec.jsonl"
    window.run("List of notes")
    assert "not in the file" in page.detail.notes.sheet.facts[0].note
    qtbot.mouseClick(strip.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.page() is not page, timeout=30_000)
    copy = window.page()
    assert copy is not None
    settle(qtbot, copy)
    path = recordings_folder() / "mixed-spacing.rec.jsonl"
    assert Path(copy.session.path) == path
    assert home in path.parents
    assert [(note.event, note.text) for note in on_disk(copy)] == [(7, "look")]
    assert copy.session.notes.all == on_disk(copy)
    assert (event_of(copy), copy.session.primary) == (7, "wingmate-2026-06")
    assert not strip.isVisible()
    assert not page.session.notes.is_loose(page.session.notes.all[0])
    # The next copy takes no name that is taken.
    assert page.notes.proposed() == path.with_name("mixed-spacing-2.rec.jsonl")
    write(qtbot, window, copy, 1, "and here")
    settle(qtbot, copy)
    assert len(on_disk(copy)) == 2


def test_a_copy_that_cannot_be_written_is_told_and_asked_for_again(
    qtbot: QtBot, window: Window, tmp_path: Path
) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    (tmp_path / "file").write_text("no folder")
    page.notes.folder = lambda: tmp_path / "file"
    write(qtbot, window, page, 7, "look")
    page.notes.strip.save.click()
    qtbot.waitUntil(lambda: page.notice.isVisible(), timeout=30_000)
    assert "could not be written" in page.notice.words.text()
    assert window.page() is page
    assert page.notes.strip.isVisible()
    assert page.notes.strip.save.isEnabled()


def test_what_is_on_the_card_is_kept_when_the_tab_is_closed(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    path, notes = page.session.path, page.session.notes
    select(page, 2)
    press(qtbot, window, Key.Key_N)
    qtbot.keyClicks(page.notes.editor.field, "last words")
    window.close_page(window.tabs.currentIndex())
    qtbot.waitUntil(lambda: not notes.writer.busy, timeout=30_000)
    assert [note.text for note in notes_in(read_input(path)[0].notes)] == ["last words"]


def test_without_a_selected_event_nothing_is_written(qtbot: QtBot, window: Window, page: RecordingPage) -> None:
    page.session.selection.select(None, None)
    for key, held in ((Key.Key_N, NONE), (Key.Key_N, SHIFT), (Key.Key_B, CONTROL), (Key.Key_F2, NONE)):
        press(qtbot, window, key, held)
    assert page.session.notes.all == []
    assert page.notes.editor.note is None
    assert isinstance(page.notes, NotesPart)


@pytest.mark.parametrize("size", [(1024, 700), (1280, 800)])
def test_the_card_stays_inside_the_page(
    qtbot: QtBot, window: Window, page: RecordingPage, size: tuple[int, int]
) -> None:
    window.resize(*size)
    for event in (0, 8, 14):
        select(page, event)
        page.panes.raw.verticalScrollBar().setValue(0)
        QApplication.processEvents()
        page.notes.write_here()
        assert page.rect().contains(page.notes.editor.geometry())
        window.resize(1024, 700)
        assert page.rect().contains(page.notes.editor.geometry())
        page.notes.editor.leave()


def test_closing_the_window_writes_the_notes_of_a_live_stream(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    path = tmp_path / "live.rec.jsonl"
    shutil.copy(str(resource("recordings", "mixed-spacing.rec.jsonl")), path)
    stream = LiveStream(path)
    live = window.follow(stream.session, "provider", "model")
    stream.session._timer.stop()
    stream.hand.head()
    stream.hand.read(said("one"), said("two"))
    stream.tick(3)
    select(live, 1)
    press(qtbot, window, Key.Key_B, CONTROL)
    press(qtbot, window, Key.Key_N)
    qtbot.keyClicks(live.notes.editor.field, "half a word")
    assert notes_in(read_input(str(path))[0].notes) == []
    window.close()
    assert stream.hand.cancelled
    assert [(note.event, note.text) for note in notes_in(read_input(str(path))[0].notes)] == [(1, "half a word")]


WIDE = "\U0001f600"


@pytest.mark.parametrize(
    ("before", "pasted", "kept", "cut"),
    [
        ("", "a" * 200_000, "a" * LONGEST, True),
        ("", WIDE * LONGEST, WIDE * (LONGEST // 2), True),
        ("b", WIDE * LONGEST, "b" + WIDE * (LONGEST // 2 - 1), True),
        ("b" * LONGEST, "a", "b" * LONGEST, True),
        ("b" * 9, "a" * (LONGEST - 9), "b" * 9 + "a" * (LONGEST - 9), False),
    ],
)
def test_what_is_too_long_for_a_note_is_said_where_it_is_written(
    window: Window, page: RecordingPage, before: str, pasted: str, kept: str, cut: bool
) -> None:
    select(page, 3)
    page.notes.write_here()
    editor = page.notes.editor
    editor.field.setPlainText(before)
    editor.field.moveCursor(QTextCursor.MoveOperation.End)
    QApplication.clipboard().setText(pasted)
    editor.field.paste()
    assert editor.field.toPlainText() == kept
    assert editor.hint.text() == (FULL if cut else HINT)


def test_a_letter_more_than_a_note_has_is_not_taken_and_one_less_is_no_matter(
    qtbot: QtBot, window: Window, page: RecordingPage
) -> None:
    select(page, 3)
    page.notes.write_here()
    editor = page.notes.editor
    editor.field.setPlainText("a" * LONGEST)
    editor.field.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClicks(editor.field, "b")
    assert (editor.field.toPlainText(), editor.hint.text()) == ("a" * LONGEST, FULL)
    press(qtbot, window, Key.Key_Backspace)
    assert (len(editor.field.toPlainText()), editor.hint.text()) == (LONGEST - 1, HINT)
