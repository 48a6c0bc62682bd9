"""The page Timing while a stream is live: what is known so far, at a rate at which numbers can be read."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.theme import Look
from inspector_app.ui.views.timing_view import CALM_NS, TimingPage
from tests.ui.live_data import DONE, MS, Live, said


def words(page: TimingPage) -> dict[str, str]:
    return {row.words: row.value.replace("\u2009", " ") for row in page.ladder.rows.rows}


def test_what_is_known_so_far_is_shown_while_the_stream_is_live(qtbot: QtBot, look: Look) -> None:
    live = Live(qtbot, look)
    live.page.detail.show_page("Timing")
    timing = live.page.detail.timing
    live.tick(10)
    assert set(words(timing).values()) == {"not yet"}
    live.hand.head()
    live.hand.wait(20)
    live.hand.read(said("hm", "reasoning_content"))
    live.tick(10)
    assert words(timing) == {
        "headers": "330 ms", "byte": "350 ms", "event": "350 ms", "reasoning": "350 ms", "text": "not yet",
        "tool call": "not yet",
    }  # fmt: skip
    live.hand.read(said("a"))
    live.tick(10)
    live.hand.read(said("b"))
    live.tick(10)
    assert words(timing)["text"] == "680 ms"
    assert [row.words for row in timing.longest.rows.rows] == [
        "now, after event 2", "before the first byte", "reasoning to text", "event 1 to 2",
    ]  # fmt: skip
    live.hand.read(DONE)
    live.hand.end()
    live.tick()
    live.finish()
    assert words(timing)["tool call"] == "none"
    assert timing.longest.rows.rows[0].words != "now, after event 2"


def test_the_numbers_of_a_live_stream_stand_still_long_enough_to_be_read(qtbot: QtBot, look: Look) -> None:
    live = Live(qtbot, look)
    assert isinstance(live.session, LiveSession)
    live.page.detail.show_page("Timing")
    live.hand.head()
    shown = []
    for n in range(90):
        live.hand.read(said(f"{n} "))
        live.tick()
        shown.append(live.page.detail.timing._titles["waits"].accessibleName())
    assert 2 < len(set(shown)) <= 90 * 33 * MS // CALM_NS + 2
