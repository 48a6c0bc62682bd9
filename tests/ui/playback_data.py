"""Recordings in playback under a clock that a test moves by hand, and readings to compare what is shown with."""

from __future__ import annotations

from typing import Any

from pytestqt.qtbot import QtBot

from inspector_app.core.reading import Reading
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses import LITERAL, REFERENCE, literal
from inspector_app.lenses.run import analysis_of
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.playback.player import Player
from inspector_app.ui.session import Session
from tests.ui.panes_data import kit, shipped_lenses

SECOND = 1_000_000_000
MS = 1_000_000


class HandClock:
    """Stands still until it is moved; each look at it may cost `look` ns."""

    def __init__(self) -> None:
        self.now = 1_000 * SECOND
        self.look = 0

    def __call__(self) -> int:
        self.now += self.look
        return self.now


def by_hand(qtbot: QtBot, page: RecordingPage) -> tuple[Player, HandClock]:
    """The player of a page with a clock of the test's; the test ticks it."""
    player, clock = page.playback.player, HandClock()
    player._clock = clock
    player._timer.timeout.disconnect(player.tick)
    return player, clock


def settle(player: Player) -> None:
    """Tick until what was asked for is shown."""
    for _ in range(100_000):
        player.tick()
        if player._work is None and not player._dirty:
            return
    raise AssertionError("the head is never reached")


def run_for(player: Player, clock: HandClock, ns: int, tick: int = 40 * MS) -> None:
    """Let time go by."""
    until = clock.now + ns
    while clock.now < until and player.active:
        clock.now = min(until, clock.now + tick)
        player.tick()


def prefix_of(whole: Reading, reader: str, size: int, how: dict[str, Any]) -> Reading:
    """The first `size` bytes as a reader has them that is fed them all at once, and not told of an end."""
    exchange = Exchange("prefix", "", MemoryBody(whole.body.slice(0, size)), framing=whole.exchange.framing)
    if reader == REFERENCE:
        analysis = analysis_of(exchange, kit(), **how)
    else:
        lens = literal(whole) if reader == LITERAL else shipped_lenses()[reader]
        analysis = analysis_of(exchange, kit(), lens, whole, **how)
    analysis.feed(exchange.body.slice(0, size))
    return analysis.reading


def facts(reading: Reading) -> tuple[Any, ...]:
    """All that a reading says."""
    events = reading.events
    return (
        reading.framing,
        (list(reading.lines.starts), bytes(reading.lines.eols), reading.lines.size),
        (list(events.first_lines), list(events.flags), dict(events.names), list(events.id_events), events.ids),
        [reading.layouts[number].rows for number in events.layouts],
        [
            (b.n, b.kind, b.choice, b.first_event, b.last_event, b.state, b.closed_at, b.text, list(b.deltas), b.fields)
            for b in reading.blocks
        ],
        list(reading.delta_blocks),
        (reading.finishes, reading.errors, reading.unread, reading.stopped_at, reading.marker, reading.meta),
    )


def shown(session: Session) -> dict[str, tuple[Any, ...]]:
    """What the session shows, by reader."""
    assert session.reference is not None
    sides = [session.reference, session.left, session.right]
    return {side.reader: facts(side) for side in sides if side is not None}


def wanted(whole: Reading, session: Session, size: int) -> dict[str, tuple[Any, ...]]:
    """What it ought to show where so many bytes had come."""
    readers = {REFERENCE, session.primary, session.secondary} - {None}
    return {reader: facts(prefix_of(whole, reader, size, session.how)) for reader in readers if reader is not None}
