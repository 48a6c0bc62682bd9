"""What Qt owns is destroyed on the thread of the interface, whichever thread makes objects meanwhile."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.ui.garbage import Garbage, keep_to_this_thread, sweep, sweep_soon

SWEEPS = True


class Ring(QObject):
    """Only a search for garbage finds it."""

    def __init__(self) -> None:
        super().__init__()
        self.timer = QTimer(self)
        self.me = self


@pytest.fixture
def collected() -> Iterator[list[threading.Thread]]:
    """The thread of each search for garbage."""
    seen: list[threading.Thread] = []

    def note(phase: str, info: dict[str, int]) -> None:
        seen.append(threading.current_thread())

    gc.callbacks.append(note)
    yield seen
    gc.callbacks.remove(note)


def test_a_busy_thread_leaves_the_garbage_to_the_interface(
    qtbot: QtBot, qapp: QApplication, collected: list[threading.Thread]
) -> None:
    rings = [weakref.ref(Ring()) for _ in range(5)]
    kept: list[list[int]] = []
    thread = threading.Thread(target=lambda: kept.extend([] for _ in range(200_000)))
    thread.start()
    thread.join()
    assert collected == []
    assert all(ring() is not None for ring in rings)
    qtbot.waitUntil(lambda: not any(ring() for ring in rings))
    assert set(collected) == {threading.main_thread()}


def test_what_was_held_for_good_is_given_back_when_a_tab_has_gone(qtbot: QtBot, qapp: QApplication) -> None:
    ring = weakref.ref(Ring())
    gc.freeze()
    gc.collect()
    assert ring() is not None
    sweep_soon()
    qtbot.waitUntil(lambda: ring() is None)
    assert gc.get_freeze_count() > 0


def test_there_is_one_of_it(qapp: QApplication) -> None:
    keep_to_this_thread(qapp)
    assert len(qapp.findChildren(Garbage)) == 1
    sweep()
    assert not gc.isenabled()
