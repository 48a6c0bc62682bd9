"""The timeline alone: how it gets there and back, what the drawer below it tells, and where its rows lead."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.core.ranges import numbers_in_steps
from inspector_app.ui.drawer.drawer import Drawer
from inspector_app.ui.drawer.part import WORDS
from inspector_app.ui.drawer.rows import Item, Line
from inspector_app.ui.lanes import Clock
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.regions import regions_of
from inspector_app.ui.timeline.marked import Marked
from inspector_app.ui.timeline.view import LANE
from inspector_app.ui.views.timing_range import tokens_words
from inspector_app.ui.window import Window
from tests.core.streams import DONE, end, said, sse, thought, tool
from tests.ui.drawer_data import alone, mark, settle
from tests.ui.playback_data import by_hand
from tests.ui.playback_data import settle as stand_still
from tests.ui.test_access import can_focus
from tests.ui.window_data import open_in, window

__all__ = ["window"]

LEFT = Qt.MouseButton.LeftButton
HOSTILE = "<b>find</b>\u202e\u0007" + "x" * 300


def opened(qtbot: QtBot, window: Window, path: Path) -> RecordingPage:
    page = window.open_path(str(path))
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle, timeout=20_000)
    qtbot.waitUntil(lambda: page.link.settled)
    return page


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[..., Path]:
    """Writes a recording of reads, (ms or None, bytes) each, and notes."""

    def write(reads: list[tuple[int | None, bytes]], *notes: dict[str, object]) -> Path:
        timing = "none" if reads[0][0] is None else "measured"
        records: list[dict[str, object]] = [
            {"format": "stream-inspector/recording", "version": 1, "timing": timing, "bytes": "exact"},
        ]
        records += [{"t": None if ms is None else ms * 1_000_000, "text": data.decode()} for ms, data in reads]
        records += [{"t": (reads[-1][0] or 0) * 1_000_000, "end": {"reason": "complete"}}]
        records += [{"note": note} for note in notes]
        path = tmp_path / "x.rec.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return path

    return write


def answer() -> list[tuple[int | None, bytes]]:
    """Two thoughts, a wait of 600 ms, three texts, a call with a foreign name, the end."""
    return [
        (100, sse(thought("ab"))), (130, sse(thought("cde"))), (730, sse(said("one "))), (760, sse(said("two "))),
        (790, sse(said("three"))), (820, sse(tool("{}", id="c", name=HOSTILE))), (850, sse(end("tool_calls"), DONE)),
    ]  # fmt: skip


def spoken(rows: object) -> list[str]:
    return [row.spoken for row in rows.rows]  # type: ignore[attr-defined]


def test_panes_go_and_come_back_as_they_were(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "two-calls-on-one-index")
    body = page._body
    before, view = body.sizes(), page.timeline.view
    page.timeline.setFocus()
    drawer = alone(qtbot, window, page)
    assert body.isHidden()
    assert drawer.isVisible()
    assert page.timeline.isVisible()
    assert page.timeline.hasFocus()
    assert page.timeline.view.lane >= LANE
    assert set(regions_of(page)) == {"toolbar", "timeline", "kinds", "range"}
    window.resize(1500, 900)
    window.resize(1280, 800)
    window.run(WORDS)
    assert not body.isHidden()
    assert not drawer.isVisible()
    assert body.widget(0) is page.timeline
    assert (body.sizes(), page.timeline.view) == (before, view)
    assert page.timeline.hasFocus()


def test_the_line_between_panes_that_was_drawn_stays(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    sizes = page._body.sizes()
    page._body.setSizes([sizes[0] + 30, sizes[1] - 30, sizes[2]])
    page._body.splitterMoved.emit(1, 1)
    drawn = page._body.sizes()
    alone(qtbot, window, page)
    window.run(WORDS)
    assert page._body.sizes() == drawn


def test_the_line_above_the_drawer_that_was_drawn_stays(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    alone(qtbot, window, page)
    whole = page.alone.whole
    assert whole is not None
    above, below = whole.sizes()
    whole.setSizes([above + 40, below - 40])
    whole.splitterMoved.emit(above + 40, 1)
    drawn = whole.sizes()
    assert drawn != [above, below]
    window.run(WORDS)
    window.run(WORDS)
    assert whole.sizes() == drawn


def test_undo_brings_the_panes_back(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    alone(qtbot, window, page)
    window.run("Undo change of view")
    assert not page.alone.on
    window.run("Redo change of view")
    assert page.alone.on


def test_the_button_brings_the_panes_back(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    alone(qtbot, window, page)
    assert page.alone.lone is not None
    page.alone.lone.head.back.click()
    assert page.panes.isVisible()


def test_a_file_that_can_no_longer_be_shown_leaves_nothing_behind(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    drawer = alone(qtbot, window, page)
    page.session.failed.emit("gone")
    assert not drawer.isVisible()
    assert page.fault.isVisible()
    assert not page._body.isVisible()


def test_without_events_it_is_not_offered(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    path = tmp_path / "empty.sse"
    path.write_bytes(b"")
    page = opened(qtbot, window, path)
    window.run(WORDS)
    assert not page.alone.on


def test_a_range_is_told_with_the_whole_beside_it(qtbot: QtBot, window: Window, recorded: Callable[..., Path]) -> None:
    note = {"id": "n1", "event": 2, "text": "it speaks", "until": None}
    page = opened(qtbot, window, recorded(answer(), note))
    drawer = alone(qtbot, window, page)
    assert drawer.title.text() == "Whole recording"
    mark(qtbot, page, drawer, 1, 3)
    assert drawer.title.text() == "Range A – B"
    assert drawer.place.text().startswith("0.130 – 0.760")
    assert spoken(drawer.kinds.rows) == [
        "Reasoning: blocks 1, deltas 1, chars 3, chars/s 4.8, first, s 0.130, last, s 0.130",
        "Text: blocks 1, deltas 2, chars 8, chars/s 13, first, s 0.730, last, s 0.760",
        "Tool calls: blocks 0, deltas 0, chars 0",
        "1 wait from 200 ms: first, s 0.130, last, s 0.730",
        "All: blocks 2, deltas 3, chars 11, chars/s 17, first, s 0.130, last, s 0.760",
    ]
    lines = [line for line in drawer.kinds.rows.rows if isinstance(line, Line)]
    assert lines[0].spans == ((0, 0),)
    assert lines[1].spans == ((600 / 630, 1),)
    assert lines[3].spans == ((0, 600 / 630),)
    assert drawer.figures.accessibleDescription().split("; ")[2:] == [
        "characters 17 /s, whole 24 /s", "median wait 30 ms, whole 30 ms", "longest wait 600 ms, whole 600 ms",
    ]  # fmt: skip
    told = spoken(drawer.happens.rows)
    assert [words for words in told if "event" not in words or "speaks" in words] == [
        "Reasoning 1 ends, 130 ms", "Text 1 starts, 730 ms", "wait of 600 ms, 0.130 – 0.730 s", "it speaks, event 2",
    ]  # fmt: skip
    assert any(drawer.histogram.outlines())
    assert drawer.remark.text().startswith("Tokens about 3 · ")
    page.timeline.mark(None)
    settle(qtbot, drawer)
    assert drawer.title.text() == "Whole recording"
    assert drawer.place.text().startswith("Nothing looks held back: 1.1 events a read, first byte after 100")
    assert not any(drawer.histogram.outlines())


def test_what_is_in_sight_is_told_without_a_range(qtbot: QtBot, window: Window, recorded: Callable[..., Path]) -> None:
    page = opened(qtbot, window, recorded(answer()))
    drawer = alone(qtbot, window, page)
    timeline = page.timeline
    timeline.zoom(3.0, timeline.view.x(timeline.axis.events[3]))
    qtbot.waitUntil(lambda: drawer.title.text() == "In sight")
    settle(qtbot, drawer)
    seen = [at for at in timeline.axis.events if timeline.view.start <= at <= timeline.view.end]
    assert spoken(drawer.kinds.rows)[-1].startswith("All: ")
    assert drawer.figures.figures[0].value == str(len(seen))
    assert drawer.figures.figures[0].whole == "whole 8"


def test_without_times_there_are_dashes_and_the_reason(
    qtbot: QtBot, window: Window, recorded: Callable[..., Path]
) -> None:
    page = opened(qtbot, window, recorded([(None, data) for _, data in answer()]))
    drawer = alone(qtbot, window, page)
    mark(qtbot, page, drawer, 1, 3)
    assert drawer.place.text() == "events 1 – 3 · order only"
    assert spoken(drawer.kinds.rows)[0] == (
        "Reasoning: blocks 1, deltas 1, chars 3, chars/s —, first event 1, last event 1"
    )
    assert spoken(drawer.kinds.rows)[3] == "Waits not measured: "
    assert "No times were measured" in drawer.remark.text()
    assert [(figure.value, figure.whole) for figure in drawer.figures.figures[2:]] == [("—", "order only")] * 3
    assert " ms" not in drawer.text()


def test_a_foreign_name_is_plain_and_clipped(qtbot: QtBot, window: Window, recorded: Callable[..., Path]) -> None:
    page = opened(qtbot, window, recorded(answer()))
    drawer = alone(qtbot, window, page)
    call = next(words for words in spoken(drawer.happens.rows) if words.startswith("Tool call 0"))
    assert "<b>find</b>‹U+202E›␇" in call
    assert "\u202e" not in drawer.text()
    assert len(call) < 160
    index = drawer.happens.rows.index(0, 0)
    assert drawer.happens.rows.data(index, Qt.ItemDataRole.ToolTipRole) is None


def row_of(drawer: Drawer, begin: str) -> int:
    return next(at for at, words in enumerate(spoken(drawer.happens.rows)) if words.startswith(begin))


def test_rows_of_the_list_lead_to_their_places(qtbot: QtBot, window: Window, recorded: Callable[..., Path]) -> None:
    note = {"id": "n1", "event": 3, "text": "it speaks", "until": None}
    page = opened(qtbot, window, recorded(answer(), note))
    drawer = alone(qtbot, window, page)
    table, selection = drawer.happens, page.session.selection
    table.setFocus()
    text = row_of(drawer, "Text 1")
    table.setCurrentIndex(table.rows.index(text, 0))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert selection.current is not None
    assert (selection.current.event, selection.current.block) == (2, 1)
    assert drawer._state_of(table.rows.rows[text], True) == "selected"
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert selection.current.event in (2, 3)
    table.picked.emit(row_of(drawer, "it speaks"))
    assert selection.current.event == 3
    drawer.kinds.picked.emit(0)
    assert selection.current.event == 0


def test_the_list_says_of_how_many_it_shows_the_first(
    qtbot: QtBot, window: Window, recorded: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = [{"id": f"n{n}", "event": 2, "text": "again", "until": None} for n in range(40)]
    page = opened(qtbot, window, recorded(answer(), *notes))
    drawer = alone(qtbot, window, page)
    everything = len(drawer._items)
    assert everything > 40
    monkeypatch.setattr("inspector_app.ui.drawer.drawer.MOST", 10)
    mark(qtbot, page, drawer, 0, len(page.timeline.axis.events) - 1)
    assert len(drawer._items) == 10
    assert drawer._list_title.accessibleName().endswith(f"10 of {everything}")


def test_a_finding_of_the_list_is_shown_by_its_rule(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "two-calls-on-one-index")
    drawer = alone(qtbot, window, page)
    at, item = next(
        (at, item) for at, item in enumerate(drawer.happens.rows.rows) if isinstance(item, Item) and item.rule
    )
    drawer.happens.picked.emit(at)
    current = page.session.selection.current
    assert current is not None
    assert current.finding == item.rule


def test_it_is_copied_as_a_table(qtbot: QtBot, window: Window, recorded: Callable[..., Path]) -> None:
    page = opened(qtbot, window, recorded(answer()))
    drawer = alone(qtbot, window, page)
    mark(qtbot, page, drawer, 1, 3)
    drawer.copy.click()
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert lines[1] == ["kind", "blocks", "deltas", "chars", "chars/s", "first, s", "last, s"]
    assert ["Text", "1", "2", "8", "13", "0.730", "0.760"] in lines
    assert ["longest wait", "600 ms", "whole 600 ms"] in lines
    assert drawer.copy.text() == "Copied"


def test_the_models_keep_the_rules_of_models(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "empty-tool-calls")
    drawer = alone(qtbot, window, page)
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    testers = [QAbstractItemModelTester(table.rows, mode) for table in (drawer.kinds, drawer.happens)]
    for first, last in ((0, 2), (1, 9), (3, 3)):
        mark(qtbot, page, drawer, first, last)
    page.timeline.mark(None)
    settle(qtbot, drawer)
    assert len(testers) == 2


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 800), (1024, 700)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_of_it_has_names_and_fits(qtbot: QtBot, window: Window, size: tuple[int, int], theme: str) -> None:
    window.look.choose(theme)
    window.resize(*size)
    page = open_in(qtbot, window, "two-calls-on-one-index")
    drawer = alone(qtbot, window, page)
    whole = page.alone.whole
    assert whole is not None
    nameless = [
        type(part).__name__ for part in whole.findChildren(QWidget) if can_focus(part) and not part.accessibleName()
    ]
    assert nameless == []
    assert drawer.kinds.verticalScrollBar().maximum() == 0
    head = page.alone.lone.head  # type: ignore[union-attr]
    for button in head.findChildren(QPushButton):
        if button.isVisible():
            at = button.mapTo(head, QPoint(0, 0))
            assert at.x() + button.width() <= head.width()
    assert not window.grab().isNull()


def test_another_clock_does_not_stop_a_count(qtbot: QtBot, window: Window, recorded: Callable[..., Path]) -> None:
    page = opened(qtbot, window, recorded(answer()))
    drawer = alone(qtbot, window, page)
    page.timeline.mark(Marked(130e6, 760e6))
    clock, reading = page.link.clock, page.session.reference
    assert reading is not None
    assert not drawer.settled
    page.link.clock = Clock(reading)
    qtbot.waitUntil(lambda: drawer.settled)
    assert drawer.title.text() == "Range A – B"
    page.link.clock = clock


def test_in_playback_it_tells_what_has_come(qtbot: QtBot, window: Window, recorded: Callable[..., Path]) -> None:
    page = opened(qtbot, window, recorded(answer()))
    drawer = alone(qtbot, window, page)
    player, _ = by_hand(qtbot, page)
    player.enter(0)
    player.seek_event(2)
    stand_still(player)
    drawer._rest_until = 0
    settle(qtbot, drawer)
    assert drawer.place.text().replace("\u2009", " ").endswith("0.000 – 0.730 s · 730 ms")
    assert spoken(drawer.kinds.rows)[-1].startswith("All: blocks 2, deltas 3, chars 9, chars/s 12")
    assert drawer.figures.figures[0].whole == "so far 3"
    player.leave()
    qtbot.waitUntil(lambda: drawer.figures.figures[0].whole == "whole 8")
    assert drawer.figures.figures[0].value == "8"


def test_a_picture_of_it_shows_the_drawer_and_no_key(
    qtbot: QtBot, window: Window, recorded: Callable[..., Path], tmp_path: Path, texts: list[str]
) -> None:
    key = "sk-proj-canary7f3a9d0123456789abcdef"
    reads = [*answer()[:-1], (840, sse(tool("{}", index=1, id="d", name=key))), answer()[-1]]
    page = opened(qtbot, window, recorded(reads))
    drawer = alone(qtbot, window, page)
    mark(qtbot, page, drawer, 1, 7)
    assert key in drawer.text()
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
        window.save_picture(str(tmp_path / "picture.svg"))
    assert "Range A – B" in texts
    assert "Copy as table" in texts
    assert any(words.startswith("Tool call 1") for words in texts)
    assert not any("canary" in words for words in texts)
    assert "canary" not in (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert page.alone.on


def test_a_range_that_lies_in_a_silence_has_its_wait(
    qtbot: QtBot, window: Window, recorded: Callable[..., Path]
) -> None:
    page = opened(qtbot, window, recorded(answer()))
    drawer = alone(qtbot, window, page)
    for first, last, inside, item in (
        (200, 300, 100, "wait of 600 ms, 100 ms here, goes on, 0.130 – 0.730 s"),
        (200, 760, 530, "wait of 600 ms, 530 ms here, 0.130 – 0.730 s"),
    ):
        page.timeline.mark(Marked(first * 1e6, last * 1e6))
        settle(qtbot, drawer)
        assert "1 wait from 200 ms" in spoken(drawer.kinds.rows)[3]
        # What the range does not hold is not said of it.
        assert drawer.figures.accessibleDescription().endswith(f"longest wait {inside} ms, of 600 ms")
        assert item in spoken(drawer.happens.rows)
    page.timeline.mark(Marked(0, 130e6))
    settle(qtbot, drawer)
    assert drawer.figures.accessibleDescription().endswith("longest wait 30 ms, first byte after 100 ms")


def test_all_adds_up_and_the_tokens_are_those_of_the_page_timing(
    qtbot: QtBot, window: Window, recorded: Callable[..., Path]
) -> None:
    counted = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 42, "total_tokens": 47}}
    page = opened(qtbot, window, recorded([*answer(), (860, sse(counted))]))
    drawer = alone(qtbot, window, page)
    lines = [line for line in drawer.kinds.rows.rows if isinstance(line, Line)]
    for column in range(3):
        cells = [int(line.cells[column]) for line in lines if line.cells[column].isdigit()]
        assert sum(cells[:-1]) == cells[-1]
    assert drawer.remark.text().startswith("Tokens 42 · ")
    assert drawer.remark.text().endswith("counted by the usage.")
    mark(qtbot, page, drawer, 1, 3)
    reading, part, tokens = page.session.reference, page.link.part_of(page.timeline.points), page.link.tokens
    assert reading is not None
    assert part is not None
    assert tokens is not None
    *_, numbers = numbers_in_steps(reading, part)
    assert numbers is not None
    assert tokens_words(numbers, tokens)[0] in drawer.remark.text()
    assert drawer.remark.text().startswith("Tokens about ")
