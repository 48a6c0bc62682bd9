"""The flagship of the look, painted from made-up data in both themes: the facts that must be seen at a glance.

Set TIMELINE_PICTURES to a folder to keep the pictures there, at 1x and 2x, for looking at them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Axis, Bar, Lane, Timeline
from inspector_app.ui.timeline.view import LABELS, LANE, OVERVIEW, TOP
from tests.ui import timeline_data

SHOWN = {"flagship": (37, 37), "missing_tool": (8, None), "untimed": (12, None), "states": (None, None)}
HEIGHT = TOP + 6 * LANE + 1


def painted(shown: Timeline, scale: int = 1) -> QImage:
    image = QImage(shown.width() * scale, shown.height() * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    shown.render(image)
    return image


def open_at(look: Look, qtbot: QtBot, recording: str, width: int = 1600) -> Timeline:
    shown = Timeline(look)
    qtbot.addWidget(shown)
    shown.resize(width, HEIGHT)
    shown.set_data(*getattr(timeline_data, recording)())
    painted(shown)
    shown.set_selection(*SHOWN[recording])
    return shown


def runs(image: QImage, y: int, colors: set[str]) -> int:
    """How many separate stretches of some colours a row of pixels has."""
    line = [image.pixelColor(x, y).name() in colors for x in range(LABELS, image.width())]
    return sum(now and not before for before, now in zip([False, *line], line))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("recording", SHOWN)
def test_pictures_are_made_at_both_sizes(recording: str, theme: str, look: Look, qtbot: QtBot) -> None:
    look.choose(theme)
    shown = open_at(look, qtbot, recording)
    for scale in (1, 2):
        image = painted(shown, scale)
        used = {image.pixelColor(x, y).name() for x in range(0, image.width(), 9) for y in range(image.height())}
        assert {look.theme.color(role).name() for role in ("bg.pane", "bg.panel", "line.soft", "line")} <= used
        if folder := os.environ.get("TIMELINE_PICTURES"):
            image.save(str(Path(folder) / f"{recording}-{theme}@{scale}x.png"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_149_fragments_lie_above_the_one_block_they_should_be(theme: str, look: Look, qtbot: QtBot) -> None:
    look.choose(theme)
    image = painted(open_at(look, qtbot, "flagship"))
    line, low = look.theme.meaning("reasoning").line.name(), look.theme.mixed("bg.pane", "reasoning.text", 0.62).name()
    confetti, ticks, whole = (TOP + 2 * LANE + 9, TOP + 2 * LANE + 21, TOP + 3 * LANE + 5)
    assert 140 <= runs(image, confetti, {line}) + runs(image, confetti, {low}) <= 151
    assert 140 <= runs(image, ticks, {look.theme.color("error.line").name()}) <= 149
    assert runs(image, whole, {look.theme.meaning("reasoning").fill.name()}) == 1


def test_the_end_is_marked_and_nothing_lies_beyond(look: Look, qtbot: QtBot) -> None:
    shown = open_at(look, qtbot, "flagship")
    image, end = painted(shown), shown.view.x(timeline_data.flagship()[0].end)
    assert image.pixelColor(end, TOP + 100) == look.theme.color("line.strong")
    beyond = {image.pixelColor(x, TOP + 4 * LANE + 8).name() for x in range(end + 2, LABELS + shown.view.width)}
    assert look.theme.color("bg.pane").name() in beyond
    assert len(beyond) > 1


def test_a_missing_field_is_a_hatched_box_as_large_as_the_wait_for_it(look: Look, qtbot: QtBot) -> None:
    shown = open_at(look, qtbot, "missing_tool")
    image, times = painted(shown), timeline_data.missing_tool()[0].events
    left, right = shown.view.x(times[8]), shown.view.x(times[9])
    box = [image.pixelColor(x, TOP + 3 * LANE + 6) for x in range(left + 4, right - 4)]
    pale = look.theme.color("error.fill")
    assert all(color.red() >= color.green() for color in box)
    assert box.count(pale) > len(box) // 4
    assert image.pixelColor(right + 8, TOP + 3 * LANE + 6) == look.theme.color("tool.fill")


def test_an_event_that_is_not_read_is_hollow_and_hatched(look: Look, qtbot: QtBot) -> None:
    shown = open_at(look, qtbot, "missing_tool")
    shown.set_selection(None)
    image, times = painted(shown), timeline_data.missing_tool()[0].events
    read, unread = shown.view.x(times[7]), shown.view.x(times[8])
    assert image.pixelColor(read, TOP + LANE + 12) == look.theme.color("ink.3")
    colors = {image.pixelColor(unread, TOP + LANE + y).name() for y in range(4, 20)}
    assert look.theme.color("ink.3").name() not in colors
    assert len(colors) > 2


def test_without_times_events_are_hollow_circles(look: Look, qtbot: QtBot) -> None:
    shown = open_at(look, qtbot, "untimed")
    shown.set_selection(None)
    image = painted(shown)
    for event in range(20):
        x = shown.view.x(event)
        assert image.pixelColor(x, TOP + 12) == look.theme.color("bg.pane")
        assert image.pixelColor(x, TOP + 9) != look.theme.color("bg.pane")


def test_from_far_blocks_are_solid_and_underlined_where_cut(look: Look, qtbot: QtBot) -> None:
    shown = open_at(look, qtbot, "flagship", 480)
    shown.set_selection(None)
    image, x = painted(shown), shown.view.x(timeline_data.flagship()[0].events[20])
    assert image.pixelColor(x, TOP + 2 * LANE + 12) == look.theme.color("reasoning.line")
    assert image.pixelColor(x, TOP + 2 * LANE + 22) == look.theme.color("error.line")
    assert image.pixelColor(x, TOP + 3 * LANE + 22) != look.theme.color("error.line")


def test_from_near_every_word_that_fits_stands_in_its_place(look: Look, qtbot: QtBot) -> None:
    shown = open_at(look, qtbot, "flagship")
    shown.set_selection(None)
    events = timeline_data.flagship()[0].events
    shown.zoom(14, shown.view.x(events[10]))
    image = painted(shown)
    ink, fill = look.theme.color("reasoning.text"), look.theme.color("reasoning.fill")
    for event in range(11, 20):
        left, right = shown.view.x(events[event]) + 5, shown.view.x(events[event + 1]) - 2
        inked = [
            x
            for x in range(left, right)
            if any(
                abs(image.pixelColor(x, TOP + 3 * LANE + y).lightness() - ink.lightness()) < 20 for y in range(6, 18)
            )
        ]
        assert inked
        assert image.pixelColor(left, TOP + 3 * LANE + 8) == fill


class Counted(Sequence[int]):
    """A million times, one each 30 ms, that count how often they are looked at."""

    step, size, last = 30_000_000, 1_000_000, 30_000_000 * 999_999
    looked = 0

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, at):
        found = range(0, self.last + 1, self.step)[at]
        self.looked += len(found) if isinstance(at, slice) else 1
        return found


def test_a_million_events_are_painted_as_columns(look: Look, qtbot: QtBot) -> None:
    events = Counted()
    shown = Timeline(look)
    qtbot.addWidget(shown)
    shown.resize(1600, HEIGHT)
    many = Bar(0, events.last, "Text 1", "text", 0, events, range(len(events)), lambda number: f"word {number}")
    lanes = [Lane("events", "Events", ticks=events), Lane("text", "Text", icon="text", bars=[many])]
    shown.set_data(Axis(True, (0, events.last), events, events.last), lanes)
    shown.set_selection(500_000)
    image = painted(shown)
    assert events.looked < 30_000
    assert runs(image, TOP + LANE - 6, {look.theme.color("ink.3").name()}) > 400
    shown.zoom(1e9)
    close = painted(shown)
    assert close.pixelColor(300, OVERVIEW + 4) == look.theme.color("bg.panel")
    assert shown.view.start < events[500_000] < shown.view.end


def test_a_picture_at_2x_has_twice_the_detail(look: Look, qtbot: QtBot) -> None:
    shown = open_at(look, qtbot, "flagship")
    one, two = painted(shown, 1), painted(shown, 2)
    blown_up = one.scaled(two.size())
    differing = sum(two.pixelColor(x, y) != blown_up.pixelColor(x, y) for x in range(420) for y in range(120, 400))
    assert differing > 2000
