"""What nobody looks at any more goes in pieces, and nothing of it is lost to those who still look."""

from __future__ import annotations

from array import array
from types import SimpleNamespace

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Block
from inspector_app.ui import leaving as module
from inspector_app.ui.leaving import leaving, letting_go
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Timeline
from inspector_app.ui.timeline_link import TimelineLink
from tests.ui.panes_data import fragmented, opened


@pytest.mark.parametrize(("count", "rests"), [(0, 0), (1, 1), (10, 1), (11, 2), (95, 10)])
def test_a_list_is_emptied_with_a_rest_after_each_piece(
    count: int, rests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TOGETHER", 10)
    things = [*range(count)]
    assert len([*leaving(things)]) == rests
    assert things == []


def test_a_reading_gives_back_its_blocks_and_their_fragments_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TOGETHER", 10)
    monkeypatch.setattr(module, "LONG", 40)
    blocks = [Block(n, "text", 0, 0, 0, fragments=["a"] * (5, 100)[n == 3], deltas=array("I")) for n in range(25)]
    gone: list[str] = []
    reading = SimpleNamespace(blocks=blocks, let_go=lambda: gone.append("let go"))
    rests = sum(1 for _ in letting_go(reading))  # type: ignore[arg-type]
    assert (gone, reading.blocks, blocks) == (["let go"], [], [])
    assert rests == 100 / 10 + 3


def test_bars_of_lanes_that_are_made_anew_go_while_nothing_is_made(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, fragmented())
    timeline = Timeline(look)
    qtbot.addWidget(timeline)
    link = TimelineLink(session, timeline)
    link.refresh()
    qtbot.waitUntil(lambda: link.settled)
    first = [bar for index in timeline.lanes for bar in index.bars]
    link.refresh()
    qtbot.waitUntil(lambda: link.settled and not link._leaving)
    assert first
    assert not link._timer.isActive()
    assert [bar.title for index in timeline.lanes for bar in index.bars] == [bar.title for bar in first]
