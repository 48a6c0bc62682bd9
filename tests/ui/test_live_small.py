"""A live stream in a small window: its rows are seen while its end is followed."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.ui.page import LEAST_ABOVE, LEAST_BELOW, LEAST_PANES, heights
from inspector_app.ui.theme import Look
from inspector_app.ui.views.row_view import ROW
from tests.ui.live_data import Live, said

FEW = 3


@pytest.mark.parametrize("choice", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(920, 524), (1024, 664), (1280, 764)])
def test_a_few_rows_are_seen_above_the_free_ones_at_the_end(
    qtbot: QtBot, look: Look, width: int, height: int, choice: str
) -> None:
    look.choose(choice)
    live = Live(qtbot, look)
    # What a window of 920 by 560 and so on leaves below its tabs.
    live.page.resize(width, height)
    live.hand.head()
    for n in range(30):
        live.hand.read(said(f"word {n} "))
        live.hand.wait(20)
        live.tick()
    qtbot.waitUntil(lambda: live.page.link._work is None)
    live.page.link._rest_until = 0
    live.tick(2)
    raw = live.page.panes.raw
    bar = raw.verticalScrollBar()
    assert bar.value() == bar.maximum()
    last = live.session.rows.counts.total * ROW - bar.value()
    assert FEW * ROW <= last <= raw.viewport().height()
    assert live.part.follow.chip.geometry().top() >= last, "the chip lies over no row"


@pytest.mark.parametrize(("timeline", "rest"), [(158, 218), (114, 200), (216, 300), (224, 392), (330, 600), (60, 20)])
def test_timeline_and_findings_give_way_to_the_panes_each_by_its_share(timeline: int, rest: int) -> None:
    above, panes, below = heights(timeline, rest)
    assert above + panes + below == timeline + rest
    if timeline + rest >= LEAST_ABOVE + LEAST_PANES + LEAST_BELOW:
        assert panes >= LEAST_PANES
        assert above >= min(timeline, LEAST_ABOVE)
        assert below >= LEAST_BELOW
    if panes > LEAST_PANES:
        assert above == timeline, "there is room for all"
