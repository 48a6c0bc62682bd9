"""Work beside the window: what it gives comes in order, what was dropped is not heard, a fault is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from pytestqt.qtbot import QtBot

from inspector_app.ui.background import Background


def test_values_come_in_order_and_then_the_end(qtbot: QtBot) -> None:
    background, got = Background(), []
    background.got.connect(got.append)
    with qtbot.waitSignal(background.ended) as ended:
        background.start(lambda: iter([1, 2, 3]))
        assert background.busy
    assert (got, ended.args, background.busy) == ([1, 2, 3], [None], False)


def test_a_fault_is_told_behind_what_came_before(qtbot: QtBot) -> None:
    background, got = Background(), []
    background.got.connect(got.append)

    def work() -> Iterator[int]:
        yield 1
        raise ValueError("no")

    with qtbot.waitSignal(background.ended) as ended:
        background.start(work)
    assert got == [1]
    assert str(ended.args[0]) == "no"


def test_what_was_dropped_is_not_heard_and_stops(qtbot: QtBot) -> None:
    background, got = Background(), []
    background.got.connect(got.append)
    gate, left = threading.Event(), threading.Event()

    def first() -> Iterator[str]:
        try:
            gate.wait(10)
            yield "first"
            yield "more"
        finally:
            left.set()

    background.start(first)
    with qtbot.waitSignal(background.ended):
        background.start(lambda: iter(["second"]))
        gate.set()
    assert left.wait(10)
    assert got == ["second"]
    background.start(first)
    background.cancel()
    assert not background.busy
