"""The literal reading one click away, and what is drawn where a stream is damaged or mended."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange
from inspector_app.files import read_input
from inspector_app.lenses import LITERAL, REFERENCE
from inspector_app.ui.reports import comparison_report
from inspector_app.ui.session import Session
from inspector_app.ui.settings import Settings
from inspector_app.ui.summary import VerdictStrip
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Timeline
from inspector_app.ui.timeline.bars import mended_mark
from inspector_app.ui.timeline.view import TOP
from inspector_app.ui.timeline_link import TimelineLink
from inspector_app.ui.views.block_bars import mended_chip as bar_chip
from inspector_app.ui.views.card_paint import mended_chip as card_chip
from inspector_app.ui.views.evidence import MUTED, Evidences
from inspector_app.ui.views.findings import FindingsView
from inspector_app.ui.views.row_view import ROW
from inspector_app.ui.window_state import restore_readers
from tests.ui.panes_data import ZCODE, chunk, event, exchange, fragmented, fresh, opened, shipped_lenses, shown

STREAMS = Path(__file__).parents[1] / "findings" / "streams"


def findings_of(qtbot: QtBot, look: Look, session: Session) -> FindingsView:
    """The findings of a session, as tall as all of them."""
    view = FindingsView(session, look)
    qtbot.addWidget(view)
    view.resize(640, 600)
    with qtbot.waitExposed(view):
        view.show()
    return view


def two_calls() -> Exchange:
    """Two calls that use index 0 both."""
    events = [event(chunk({"role": "assistant", "content": ""}))]
    for name in ("find", "read"):
        call = {"index": 0, "id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": ""}}
        events.append(event(chunk({"tool_calls": [call]})))
        events.append(event(chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"a":1}'}}]})))
    return exchange([*events, event(chunk({}, "tool_calls")), event(b"[DONE]")])


def test_the_literal_reading_stands_beside_the_reference(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, two_calls(), *ZCODE[::-1])
    view, strip = findings_of(qtbot, look, session), VerdictStrip(session, look)
    qtbot.addWidget(strip)
    with qtbot.waitSignal(session.compared, check_params_cb=lambda: session.literal is not None):
        view.show_literal()
    assert (session.primary, session.secondary) == (REFERENCE, LITERAL)
    assert strip.words()[0] == LITERAL
    assert strip.words()[1] == "2 tool calls; literally 1"
    assert "without the repair of tool-index-reused" in strip.words()[2]
    first = view.model.rows[0]
    assert (first.title, first.severity, first.icon, first.rule) == ("Literal reading", "info", "wand", None)
    assert LITERAL not in session.differences
    view.show_literal()
    assert (session.primary, session.secondary) == ZCODE[::-1]


def test_where_nothing_is_repaired_it_says_so(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, fragmented(4), lenses=False)
    strip = VerdictStrip(session, look)
    qtbot.addWidget(strip)
    session.show_literal()
    qtbot.waitUntil(lambda: session.literal is not None)
    assert strip.words() == (LITERAL, "Literally the same", "the reference repairs nothing here")
    assert not strip.isHidden()
    assert strip.first.isHidden()


def test_equal_blocks_with_another_finish_are_told_apart(qtbot: QtBot, look: Look) -> None:
    body = exchange([event(chunk({"content": "Yes."})), event(chunk({}, "stop"))[:-1]])
    session = opened(qtbot, body, lenses=False)
    session.show_literal()
    qtbot.waitUntil(lambda: session.literal is not None)
    strip = VerdictStrip(session, look)
    qtbot.addWidget(strip)
    assert strip.words()[1:] == (
        "The same blocks; finish literally none, not stop",
        "without the repair of sse-unterminated-event",
    )


def test_it_is_offered_but_never_chosen_by_itself(qtbot: QtBot) -> None:
    session = opened(qtbot, two_calls())
    assert session.secondary != LITERAL
    assert session.usable_lenses()[0].name == LITERAL
    assert session.short_title_of(LITERAL) == session.title_of(LITERAL) == "Literal"
    assert LITERAL not in shipped_lenses()


def test_it_stays_chosen_for_another_response(qtbot: QtBot) -> None:
    session = opened(qtbot, two_calls(), lenses=False)
    session.exchanges.append(fragmented(3))
    session.show_literal()
    qtbot.waitUntil(lambda: session.literal is not None)
    session.choose_exchange(1)
    assert session.literal is None
    qtbot.waitUntil(lambda: session.literal is not None)
    assert session.right is not None
    assert session.right.exchange is session.exchanges[1]


def test_it_is_remembered_for_a_file(qtbot: QtBot) -> None:
    session, settings = fresh(), Settings()
    settings.opened(str(Path(session.path).absolute()), 1)
    settings.learn(str(Path(session.path).absolute()), readers=[REFERENCE, LITERAL])
    restore_readers(session, settings)
    with qtbot.waitSignal(session.read):
        session.open_exchanges([two_calls()])
    qtbot.waitUntil(lambda: session.idle)
    assert session.secondary == LITERAL
    assert session.right is not None


def test_a_report_of_it_gives_the_command_that_shows_it(qtbot: QtBot) -> None:
    session = opened(qtbot, two_calls())
    session.show_literal()
    qtbot.waitUntil(lambda: session.literal is not None)
    assert "--as reference --with literal" in comparison_report(session)


def test_the_chip_of_a_repair_shows_it(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, two_calls(), "reference", None)
    view = findings_of(qtbot, look, session)
    row = next(n for n, row in enumerate(view.model.rows) if row.title == "tool-index-reused")
    view.rows.scrollTo(view.model.index(row, 0))
    view.rows.viewport().grab()
    assert view.model.rows[row].mended == "repaired"
    (action, area), *_ = view.rows.delegate._areas[row]
    assert action == "literal"
    place = area.center() + view.rows.visualRect(view.model.index(row, 0)).topLeft()
    QTest.mouseClick(view.rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert session.secondary == LITERAL
    qtbot.waitUntil(lambda: session.literal is not None)


def test_the_opened_row_offers_it(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, two_calls(), "reference", None)
    view = findings_of(qtbot, look, session)
    assert view.show_finding("tool-index-reused")
    view.rows.viewport().grab()
    row = view.rows.delegate.opened
    assert [action for action, _ in view.rows.delegate._areas[row]] == ["literal", "literal"]


def snapshots() -> Exchange:
    """A text of which each delta repeats all before it: one block, mended by what was inferred."""
    words = ("The tide ", "turns ", "at ", "four.")
    texts = ["".join(words[: n + 1]) for n in range(len(words))]
    return exchange([*(event(chunk({"content": text})) for text in texts), event(chunk({}, "stop")), event(b"[DONE]")])


@pytest.mark.parametrize("aligned", [True, False])
def test_the_chip_of_a_block_shows_it(qtbot: QtBot, look: Look, aligned: bool) -> None:
    session = opened(qtbot, snapshots(), "reference", None)
    assert session.reference is not None
    assert session.mended(session.reference) == {0: "inferred"}
    panes = shown(qtbot, look, session)
    panes.show_reading_view(not aligned)
    QApplication.processEvents()
    if aligned:
        view = panes.blocks
        (bar,) = view._bars(view.columns()[0], 0, 1, 0)
        place = bar_chip(bar)
    else:
        view = panes.cards
        stack = view.stacks[0]
        place = card_chip(stack.cards[0]).translated(stack.column.left + 12, stack.tops[0])
    assert not place.isEmpty()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
    assert session.secondary == LITERAL
    qtbot.waitUntil(lambda: session.literal is not None)
    assert session.right is not None
    assert session.mended(session.right) == {}


def test_the_wand_of_a_bar_shows_it(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, snapshots(), "reference", None)
    timeline = Timeline(look)
    qtbot.addWidget(timeline)
    timeline.resize(1200, 300)
    TimelineLink(session, timeline).refresh()
    qtbot.waitUntil(lambda: any(lane.lane.key == "text-0-0" for lane in timeline._lanes))
    lane = next(n for n, index in enumerate(timeline._lanes) if index.lane.key == "text-0-0")
    view = timeline._view
    place = mended_mark(timeline._lanes[lane], 0, view, TOP + view.top(lane), view.lane)
    assert not place.isEmpty()
    QTest.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=place.center() + QPoint(100, 0))
    assert session.secondary is None
    QTest.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=place.center())
    assert session.secondary == LITERAL
    qtbot.waitUntil(lambda: session.literal is not None)


def test_the_readers_come_back_after_the_literal_reading(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(3), secondary="zcode-3.11")
    session.choose(secondary="zcode-3.11")
    session.show_literal()
    assert session.secondary == "literal"
    session.show_literal()
    assert (session.primary, session.secondary) == ("reference", "zcode-3.11")


def test_a_click_beside_the_chip_selects(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, snapshots(), "reference", None)
    panes = shown(qtbot, look, session)
    panes.show_reading_view(True)
    QTest.mouseClick(panes.cards.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, 20))
    assert session.secondary is None
    assert session.selection.current is not None


@pytest.mark.parametrize(
    "body, mended",
    [
        (two_calls(), {1: "repaired"}),
        (fragmented(4), {}),
        (exchange([event(chunk({"content": text})) for text in ("<think>", "a", "</think>", "b")]), {0: "inferred"}),
    ],
)
def test_blocks_that_are_not_as_they_came(qtbot: QtBot, body: Exchange, mended: dict[int, str]) -> None:
    session = opened(qtbot, body, lenses=False)
    assert session.reference is not None
    assert session.mended(session.reference) == mended


# what findings draw in the lines


@pytest.mark.parametrize(
    "rule, event_, chips",
    [
        ("file-record-damaged/fires-no-json.rec.jsonl", 1, [("damaged record before this", "error")]),
        ("body-utf8-split-read/fires-measured.rec.jsonl", 1, [("character split by reads", "info")]),
        ("body-utf8-split-read/fires-measured.rec.jsonl", 0, []),
    ],
)
def test_what_has_no_characters_stands_as_a_chip(qtbot: QtBot, rule: str, event_: int, chips: list) -> None:
    (read,) = read_input(str(STREAMS / rule))
    session = opened(qtbot, read, lenses=False)
    evidences = Evidences(session)
    evidences.forget()
    assert evidences.of(event_).chips == chips
    session.mutes.mute(rule.partition("/")[0])
    evidences.forget()
    assert evidences.of(event_).chips == []


def test_the_mark_of_a_muted_rule_is_quiet(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, two_calls(), "reference", None)
    panes = shown(qtbot, look, session)
    (line,) = [line for line, told in panes.raw._evidence(3).told.items() if "tool-index-reused" in told]
    assert panes.raw._evidence(3).marks[line] == ("error", "error")
    session.mutes.mute("tool-index-reused")
    assert panes.raw._evidence(3).marks[line] == ("error", MUTED)
    assert panes.raw._evidence(3).told[line] == ["tool-index-reused (muted)"]


def test_chips_stay_in_view_behind_a_long_line(qtbot: QtBot, look: Look) -> None:
    long = event(chunk({"content": "long " * 400}))[:-1]
    panes = shown(qtbot, look, opened(qtbot, exchange([event(chunk({"content": "a"})), long]), "reference", None))
    QApplication.processEvents()
    image = panes.raw.viewport().grab().toImage()
    fill = look.theme.meaning("warning").fill.rgb()
    row = range(2 * ROW + 4, 3 * ROW - 4)
    right = image.width() - 40
    assert any(image.pixel(x, y) == fill for x in range(right, image.width()) for y in row)
