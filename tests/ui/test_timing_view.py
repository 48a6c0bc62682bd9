"""The page Timing: the ladder, the histogram, the waits that lead to their event, and what it says without times."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent, QImage
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange
from inspector_app.live.capture import End, Head, Read
from inspector_app.live.growth import Growth
from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.detail import DetailView
from inspector_app.ui.views.timing_rows import Row, TimingModel, bin_words
from inspector_app.ui.views.timing_view import TimingPage
from tests.core.streams import DONE, end, said, sse, thought, tool
from tests.core.timed import MS, exchange_of, head
from tests.ui.detail_data import shown
from tests.ui.panes_data import fresh, kit, opened

WORD = sse(said("word "))


def timed(**about: Any) -> Exchange:
    """A role, a thought, after 300 ms a text in two reads, a call after 31 s, and the end."""
    reads = [
        (100, sse({"choices": [{"index": 0, "delta": {"role": "assistant"}}]})),
        (150, sse(thought("a"))),
        (450, WORD[:20]),
        (460, WORD[20:]),
        (31_460, sse(tool("{}", id="c", name="f"))),
        (31_470, sse(end("tool_calls"), DONE)),
    ]
    return exchange_of(reads, **({"head_time": 90 * MS, "http": head()} | about))


def page_of(qtbot: QtBot, look: Look, exchange: Exchange) -> tuple[Session, DetailView, TimingPage]:
    session = opened(qtbot, exchange, lenses=False)
    view = shown(qtbot, look, session)
    view.show_page("Timing")
    return session, view, view.timing


def spoken(model: TimingModel) -> list[str]:
    return [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]


def test_the_ladder_and_the_waits_say_what_was_measured(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, timed())
    assert spoken(page.ladder.rows) == [
        "headers: 90 ms",
        "byte: 100 ms",
        "event: 100 ms",
        "reasoning: 150 ms",
        "text: 460 ms",
        "tool call: 31.46 s",
    ]
    assert spoken(page.longest.rows) == [
        "text to tool call: 31.00 s",
        "reasoning to text: 300 ms",
        "before the first byte: 100 ms",
        "event 0 to 1: 50 ms",
        "inside event 2: 10 ms",
        "event 3 to 4: 10 ms",
    ]
    assert [row.alarm for row in page.longest.rows.rows] == [True, False, False, False, False, False]
    assert page.histogram.accessibleDescription() == (
        "2 waits, over 5 ms up to 20 ms; 1 wait, over 20 ms up to 50 ms; 1 wait, over 200 ms up to 500 ms; "
        "1 wait, over 2 s; p50 50 ms   p95 31.00 s   p99 31.00 s"
    )
    assert page.verdict.accessibleName() == (
        "A silence of 31.00 s before event 3, the reads around it one by one: "
        "looks like a pause of the sender, nothing held back"
    )


def test_a_rung_begins_where_the_one_before_it_ends(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, timed())
    rows = page.ladder.rows.rows
    ms = [(row.begin // MS, row.ns // MS if row.ns is not None else None) for row in rows]
    assert ms == [(0, 90), (90, 100), (100, 100), (100, 150), (150, 460), (460, 31_460)]
    assert {row.whole for row in rows} == {31_460 * MS}


def test_what_never_came_and_what_was_not_recorded_say_so(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, exchange_of([(5, WORD), (9, sse(DONE))]))
    assert [row.value for row in page.ladder.rows.rows if row.ns is None] == ["not recorded", "none", "none"]


def test_the_rung_of_the_event_has_the_name_of_opentelemetry(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, timed())
    tips = [page.ladder.rows.index(row, 0).data(Qt.ItemDataRole.ToolTipRole) for row in range(3)]
    assert tips == [None, None, "gen_ai.client.operation.time_to_first_chunk = 0.100 s"]


@pytest.mark.parametrize("way", ["click", "enter", "arrow"])
def test_a_wait_leads_to_its_event(qtbot: QtBot, look: Look, way: str) -> None:
    session, _, page = page_of(qtbot, look, timed())
    table = page.longest
    if way == "click":
        at = table.visualRect(table.rows.index(1, 0)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    else:
        table.setCurrentIndex(table.rows.index(0 if way == "arrow" else 1, 0))
        qtbot.keyClick(table, Qt.Key.Key_Down if way == "arrow" else Qt.Key.Key_Return)
    current = session.selection.current
    assert current is not None
    assert (current.event, current.start) == (2, session.reference.bytes_of(2)[0] if session.reference else None)


def test_a_wait_inside_an_event_leads_to_the_very_byte(qtbot: QtBot, look: Look) -> None:
    session, _, page = page_of(qtbot, look, timed())
    reading = session.reference
    assert reading is not None
    page.longest.picked.emit(4)
    current = session.selection.current
    assert current is not None
    assert (current.event, current.start, current.line) == (2, reading.bytes_of(2)[0] + 20, 4)


def test_rows_of_the_selected_event_are_linked_and_the_picked_one_is_selected(qtbot: QtBot, look: Look) -> None:
    session, _, page = page_of(qtbot, look, timed())
    table = page.longest
    at = table.visualRect(table.rows.index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert [page._state_of(row, n == 1) for n, row in enumerate(table.rows.rows)] == [
        "plain", "selected", "plain", "plain", "linked", "plain",
    ]  # fmt: skip
    assert session.selection.current is not None
    assert page._state_of(page.ladder.rows.rows[4], False) == "linked"


@pytest.mark.parametrize("gone", [{"timing": "none"}, {"read_times": None}])
def test_without_times_the_page_says_why_and_shows_no_number(qtbot: QtBot, look: Look, gone: dict[str, Any]) -> None:
    _, view, page = page_of(qtbot, look, timed(**gone))
    assert page.accessibleDescription() == "order only: this recording has no times"
    assert not page.ladder.isVisible()
    assert not page.longest.rows.rows
    assert not any(action.isEnabled() for action in page.menu().actions())
    assert view.isVisible()


def test_times_that_come_with_another_exchange_are_shown(qtbot: QtBot, look: Look) -> None:
    session = fresh(lenses=False)
    with qtbot.waitSignal(session.compared):
        session.open_exchanges([timed(timing="none"), timed()])
    view = shown(qtbot, look, session)
    view.show_page("Timing")
    assert not view.timing.ladder.isVisible()
    with qtbot.waitSignal(session.compared):
        session.choose_exchange(1)
    assert view.timing.ladder.isVisible()
    assert len(view.timing.longest.rows.rows) == 6


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_silence_stands_out_in_the_histogram(qtbot: QtBot, look: Look, theme: str) -> None:
    look.choose(theme)
    _, _, page = page_of(qtbot, look, timed())
    bars = page.histogram.bars()
    image: QImage = page.histogram.grab().toImage()
    colors = {n: image.pixelColor(bar.center()) for n, bar in enumerate(bars) if bar.height() > 6}
    usual, alarm = look.theme.color("line.strong"), look.theme.color("warning.line")
    assert colors == {2: usual, 3: usual, 6: usual, 9: alarm}


def test_bars_are_as_high_as_their_counts(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, timed())
    heights = [bar.height() for bar in page.histogram.bars()]
    assert heights[2] == 2 * heights[3] == max(heights)
    assert [n for n, height in enumerate(heights) if height] == [2, 3, 6, 9]
    assert len({bar.top() + bar.height() for bar in page.histogram.bars()}) == 1


def test_a_bar_tells_what_it_counts(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, timed())
    histogram = page.histogram
    at = QPoint(histogram.bars()[2].center().x(), 20)
    QApplication.sendEvent(histogram, QHelpEvent(QEvent.Type.ToolTip, at, histogram.mapToGlobal(at)))
    assert "2 waits, over 5" in histogram.toolTip()


@pytest.mark.parametrize(
    "place, count, words",
    [(0, 1, "1 wait, up to 1 ms"), (4, 3, "3 waits, over 50 ms up to 100 ms"), (9, 2, "2 waits, over 2 s")],
)
def test_a_bin_in_words(place: int, count: int, words: str) -> None:
    assert bin_words(place, count) == words


@pytest.mark.parametrize("width, height", [(960, 400), (764, 208), (652, 180)])
def test_all_columns_are_in_view_where_the_pane_is_usual(qtbot: QtBot, look: Look, width: int, height: int) -> None:
    _, view, page = page_of(qtbot, look, timed())
    view.resize(width, height)
    assert page.horizontalScrollBar().maximum() == 0
    assert page.verticalScrollBar().maximum() <= 12
    inside = page.viewport().rect()
    for part in (page.ladder, page.histogram, page.longest):
        assert inside.contains(part.mapTo(page.viewport(), QPoint(part.width() - 1, 4)))
    rows = page.longest.height() / page.longest.verticalHeader().defaultSectionSize()
    assert rows == int(rows) >= 2


def test_in_a_tiny_pane_the_page_scrolls(qtbot: QtBot, look: Look) -> None:
    _, view, page = page_of(qtbot, look, timed())
    view.resize(500, 120)
    assert page.horizontalScrollBar().maximum() > 0
    assert page.verticalScrollBar().maximum() > 0


def test_what_held_the_stream_back_stands_out(qtbot: QtBot, look: Look) -> None:
    burst = exchange_of([(900, WORD * 12 + sse(DONE))], http=head(("Content-Encoding", "gzip")))
    _, _, page = page_of(qtbot, look, burst)
    name = page.verdict.accessibleName()
    assert name.startswith("Looks held back: 12 deltas in 1 read after 900 ms; something between buffered it")
    assert "(headers: content-encoding gzip:" in name
    image = page.verdict.grab().toImage()
    fill = look.theme.color("info.fill")
    assert any(image.pixelColor(x, 13) == fill for x in range(image.width()))


def test_long_reasons_are_wrapped_and_whole_in_the_tip(qtbot: QtBot, look: Look) -> None:
    via = exchange_of([(900, WORD * 12)], http=head(("via", "1.1 " + "gate " * 9), ("content-length", "1600")))
    _, view, page = page_of(qtbot, look, via)
    view.resize(700, 400)
    lines = page.verdict.lines()
    assert 1 < len(lines) <= page.verdict.MOST
    assert page.verdict.height() == len(lines) * page.verdict.LINE + 11
    assert page.verdict.mapTo(page.viewport(), QPoint(0, 0)).y() == 0
    assert "stands on the way" in page.verdict.toolTip()


def test_the_numbers_can_be_copied(qtbot: QtBot, look: Look) -> None:
    _, _, page = page_of(qtbot, look, timed(end_time=31_480 * MS))
    numbers, named = page.menu().actions()
    numbers.trigger()
    lines = QGuiApplication.clipboard().text().split("\n")
    for line in (
        "time to first\ttext\t460 ms",
        "end\t\t31.48 s",
        "waits between reads\t20\t2",
        "wait\tevent 0 to 1\t50 ms",
    ):
        assert line in lines
    assert lines[-1] == "buffering\tno sign of it\t1.2 events a read"
    named.trigger()
    assert QGuiApplication.clipboard().text().split("\n") == [
        "gen_ai.client.operation.time_to_first_chunk\t0.100000\ts",
        "gen_ai.client.operation.time_per_output_chunk\t7.842500\ts",
        "gen_ai.client.operation.duration\t31.480000\ts",
    ]


class Feed:
    """A capture whose items the test hands over."""

    zero = 1

    def __init__(self) -> None:
        self.items: list[Any] = []

    def start(self) -> None: ...

    def take(self, limit: int | None = None) -> list[Any]:
        taken, self.items = self.items, []
        return taken

    def cancel(self) -> None: ...

    def join(self, seconds: float | None = None) -> bool:
        return True


def test_a_live_stream_shows_what_it_waits_for_now(qtbot: QtBot, look: Look) -> None:
    feed, moment = Feed(), [1]
    growth = Growth("live.rec.jsonl", cast(Any, SimpleNamespace(record=dict)))
    session = LiveSession("live.rec.jsonl", feed, growth, kit(), {}, idle_s=30, clock=lambda: moment[0])
    session.begin()
    session._timer.stop()
    view = shown(qtbot, look, session)
    view.show_page("Timing")
    page = view.timing

    def tick(ms: float, *items: Any) -> list[str]:
        moment[0] = 1 + round(ms * MS)
        feed.items += items
        session.tick()
        return spoken(page.longest.rows)

    assert tick(280)[0] == "now, before the first byte: 280 ms"
    assert page.ladder.rows.rows[0].value == "not yet"
    tick(595, Head(90 * MS, head()))
    assert [row.value for row in page.ladder.rows.rows][1:] == ["not yet"] * 5
    waits = tick(1000, Read(200 * MS, WORD), Read(230 * MS, WORD + WORD[:30]))
    assert waits == ["now, inside line 4: 770 ms", "before the first byte: 200 ms", "event 0 to 1: 30 ms"]
    assert page.histogram.accessibleDescription().startswith("1 wait, over 20 ms up to 50 ms; 1 wait, over 500 ms")
    assert tick(1500)[0] == "now, inside line 4: 1.27 s"
    session._timer.start(0)
    with qtbot.waitSignal(session.compared):
        feed.items += [Read(1600 * MS, WORD[30:] + sse(end(), DONE)), End(1610 * MS, "done", True)]
        moment[0] = 2000 * MS
    assert spoken(page.longest.rows)[0] == "inside event 2: 1.37 s"
    assert page.ladder.rows.rows[-1].value == "none"


def test_a_page_out_of_sight_does_no_work(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, timed(), lenses=False)
    view = shown(qtbot, look, session)
    assert view.timing._waits is None
    view.show_page("Timing")
    assert view.timing._waits is not None


def test_the_model_keeps_its_promises(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    model = TimingModel(parent)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    changed: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last, _: changed.append((first.row(), last.row())))
    for values in (("1",), ("1", "2"), ("1", "3"), ("1", "3"), ()):
        model.show([Row("wait", value, 1) for value in values])
        assert model.rowCount() == len(values)
    assert changed == [(0, 1)]
    assert tester is not None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_bars_have_the_colours_of_what_came(qtbot: QtBot, look: Look, theme: str) -> None:
    look.choose(theme)
    _, _, page = page_of(qtbot, look, timed())
    table = page.ladder
    image: QImage = table.viewport().grab().toImage()
    rect = table.visualRect(table.rows.index(5, 0))
    tool_line: QColor = look.theme.color("tool.line")
    row = [image.pixelColor(x, rect.center().y()) for x in range(image.width())]
    assert row.count(tool_line) > 100
