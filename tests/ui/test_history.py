"""Undo of changes of the view, step by step, with a clock of its own."""

from __future__ import annotations

from typing import Any

from inspector_app.ui.history import MOST, Facet, History


class Screen:
    """Two things in view; `b` follows `a`, as a timeline follows the selection."""

    def __init__(self) -> None:
        self.at = 0.0
        self.shown: dict[str, Any] = {"view": 0, "selection": None}
        self.written: list[str] = []
        facets = {kind: Facet(lambda kind=kind: self.shown[kind], self._writer(kind)) for kind in self.shown}
        self.history = History(facets, lambda: self.at)

    def _writer(self, kind: str) -> Any:
        def write(value: Any) -> None:
            self.written.append(kind)
            self.shown[kind] = value
            self.history.noticed("selection")

        return write

    def zoom(self, to: int, after: float = 10) -> None:
        self.at += after
        self.history.keep("zoom")
        self.shown["view"] = to

    def select(self, what: str | None, follows: int | None = None, after: float = 10) -> None:
        self.at += after
        self.shown["selection"] = what
        self.history.noticed("selection")
        if follows is not None:
            self.shown["view"] = follows


def opened() -> Screen:
    screen = Screen()
    screen.history.open()
    return screen


def test_back_and_forward_are_exact() -> None:
    screen = opened()
    screen.zoom(1)
    screen.zoom(2)
    for expected in (1, 0, 0):
        screen.history.undo()
        assert screen.shown["view"] == expected
    for expected in (1, 2, 2):
        screen.history.redo()
        assert screen.shown["view"] == expected


def test_fast_steps_of_one_kind_are_one_and_slow_ones_are_not() -> None:
    screen = opened()
    for to in range(1, 6):
        screen.zoom(to, after=0.3)
    screen.zoom(6, after=1.1)
    screen.history.undo()
    assert screen.shown["view"] == 5
    screen.history.undo()
    assert screen.shown["view"] == 0
    assert not screen.history.can_undo


def test_another_kind_in_between_is_a_step_of_its_own() -> None:
    screen = opened()
    screen.zoom(1, after=0.1)
    screen.select("x", after=0.1)
    screen.zoom(2, after=0.1)
    screen.history.undo()
    assert screen.shown == {"view": 1, "selection": "x"}
    screen.history.undo()
    assert screen.shown == {"view": 1, "selection": None}


def test_what_follows_from_a_change_goes_back_with_it() -> None:
    screen = opened()
    screen.select("x", follows=7)
    screen.history.undo()
    assert screen.shown == {"view": 0, "selection": None}
    screen.history.redo()
    assert screen.shown == {"view": 7, "selection": "x"}


def test_nothing_is_kept_of_what_the_program_does() -> None:
    screen = Screen()
    screen.zoom(1)
    screen.select("first")
    screen.history.open()
    assert not screen.history.can_undo
    screen.history.hold()
    screen.select("second")
    screen.history.open()
    screen.select("third")
    screen.history.undo()
    assert screen.shown["selection"] == "second"


def test_a_change_that_moved_nothing_is_no_step() -> None:
    screen = opened()
    screen.zoom(1)
    screen.zoom(1)
    screen.history.undo()
    assert screen.shown["view"] == 0


def test_a_new_change_ends_what_could_be_made_again() -> None:
    screen = opened()
    screen.zoom(1)
    screen.history.undo()
    screen.zoom(2)
    assert not screen.history.can_redo
    screen.history.redo()
    assert screen.shown["view"] == 2


def test_after_an_undo_a_fast_change_is_a_new_step() -> None:
    screen = opened()
    screen.zoom(1)
    screen.zoom(2)
    screen.history.undo()
    screen.zoom(3, after=0)
    screen.history.undo()
    assert screen.shown["view"] == 1


def test_only_what_differs_is_brought_back() -> None:
    screen = opened()
    screen.zoom(1)
    screen.history.undo()
    assert screen.written == ["view"]


def test_steps_have_a_limit_and_can_be_forgotten() -> None:
    screen = opened()
    for to in range(MOST + 5):
        screen.zoom(to + 1)
    for _ in range(MOST + 5):
        screen.history.undo()
    assert screen.shown["view"] == 5
    screen.zoom(99)
    screen.history.clear()
    assert not screen.history.can_undo
