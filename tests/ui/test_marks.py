"""Each fact has a shape of its own: read back from pixels, since a shape is what it promises."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter

from inspector_app.ui import marks
from inspector_app.ui.theme import Look, Theme
from tests.ui.conftest import Canvas

BOX = QRect(10, 10, 100, 20)
Draw = Callable[[QPainter, Theme], object]


def drawn(canvas: Canvas, look: Look, draw: Draw, width: int = 130) -> QImage:
    image, painter = canvas(width, 40)
    draw(painter, look.theme)
    painter.end()
    return image


def row(image: QImage, y: int) -> list[str]:
    return [image.pixelColor(x, y).name() for x in range(image.width())]


def count(image: QImage, color: QColor) -> int:
    return sum(name == color.name() for y in range(image.height()) for name in row(image, y))


FACTS: dict[str, tuple[Draw, str]] = {
    "missing": (lambda p, t: marks.missing_box(p, t, BOX, "id"), "error.fill"),
    "unread underline": (lambda p, t: marks.hatch(p, BOX, t.color("unread.line"), 4, 2), "unread.line"),
    "empty": (lambda p, t: marks.underline(p, t, 10, 60, 20, "warning"), "warning.line"),
    "cut": (lambda p, t: marks.underline(p, t, 10, 60, 20, "error"), "error.line"),
    "cut box": (lambda p, t: marks.cut_box(p, t, BOX), "error.fill"),
    "struck": (lambda p, t: marks.struck(p, t, 10, 60, 20), "error.line"),
    "bar": (lambda p, t: marks.plain_bar(p, t, BOX, "reasoning"), "reasoning.fill"),
    "unread bar": (lambda p, t: marks.plain_bar(p, t, BOX, "unread"), "unread.fill"),
    "other bar": (lambda p, t: marks.plain_bar(p, t, BOX, "media"), "info.fill"),
    "far": (lambda p, t: marks.solid_bar(p, t, BOX, "text"), "text.line"),
    "far unread": (lambda p, t: marks.solid_bar(p, t, BOX, "unread"), "unread.fill"),
    "fragment": (lambda p, t: marks.confetti(p, t, "tool", 10, 8, 10, False), "tool.line"),
    "cut tick": (lambda p, t: marks.cut_tick(p, t, 10, 10), "error.line"),
    "unread tick": (lambda p, t: marks.unread_tick(p, t, 20, 10, 16), "unread.line"),
    "silence": (lambda p, t: marks.silence(p, t, BOX, "31 s", t.color("bg.pane")), "warning.line"),
    "wait": (lambda p, t: marks.wait(p, t, 10, 120, 20, "waiting 618 ms"), "line.strong"),
    "open": (lambda p, t: marks.open_tail(p, t, BOX, "text"), "text.line"),
    "burst": (lambda p, t: marks.burst(p, t, 160, 164, 10, "14 in 1 read"), "info.fill"),
    "fold": (lambda p, t: marks.fold_chip(p, t, 10, 10, 22, 127), "ink.3"),
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_is_drawn_in_its_colour(fact: str, theme: str, look: Look, canvas: Canvas) -> None:
    look.choose(theme)
    draw, role = FACTS[fact]
    assert count(drawn(canvas, look, draw), look.theme.color(role)) >= 3


def test_straight_edges_are_not_smoothed(look: Look, canvas: Canvas) -> None:
    image = drawn(canvas, look, lambda p, t: marks.plain_bar(p, t, BOX, "reasoning"))
    reasoning, pane = look.theme.meaning("reasoning"), look.theme.color("bg.pane").name()
    middle = row(image, 20)
    assert middle[9:15] == [pane, *[reasoning.line.name()] * 3, *[reasoning.fill.name()] * 2]
    assert middle[108:111] == [reasoning.fill.name(), reasoning.edge.name(), pane]


def test_a_bar_cut_by_the_view_has_dashes_for_its_edge(look: Look, canvas: Canvas) -> None:
    def draw(painter: QPainter, theme: Theme) -> None:
        marks.plain_bar(painter, theme, BOX, "text", from_before=True, goes_on=True)

    image, line = drawn(canvas, look, draw), look.theme.color("text.line").name()
    for x in (10, 107):
        column = [image.pixelColor(x, y).name() == line for y in range(10, 30)]
        assert column[:6] == [True] * 3 + [False] * 3


def test_a_repaired_bar_has_dots_for_its_edge(look: Look, canvas: Canvas) -> None:
    whole = drawn(canvas, look, lambda p, t: marks.plain_bar(p, t, BOX, "tool"))
    dotted = drawn(canvas, look, lambda p, t: marks.plain_bar(p, t, BOX, "tool", repaired=True))
    assert len(set(row(whole, 10)[20:100])) == 1
    assert len(set(row(dotted, 10)[20:100])) > 1


def test_every_second_fragment_lies_lower_and_is_paler(look: Look, canvas: Canvas) -> None:
    def draw(painter: QPainter, theme: Theme) -> None:
        marks.confetti(painter, theme, "reasoning", 10, 8, 10, False)
        marks.confetti(painter, theme, "reasoning", 20, 8, 10, True)

    image, pane = drawn(canvas, look, draw), look.theme.color("bg.pane").name()
    tops = [min(y for y in range(40) if image.pixelColor(x, y).name() != pane) for x in (14, 24)]
    assert tops == [10, 13]
    assert image.pixelColor(24, 18) == look.theme.mixed("bg.pane", "reasoning.text", 0.62)


def test_words_of_a_missing_field_stand_on_a_plain_patch(look: Look, canvas: Canvas) -> None:
    width = marks.missing_width("id, name")
    image = drawn(canvas, look, lambda p, t: marks.missing_box(p, t, QRect(10, 10, width + 40, 20), "id, name"), 200)
    fill = look.theme.color("error.fill").name()
    assert set(row(image, 13)[20:60]) == {fill}
    assert set(row(image, 13)[width + 10 : width + 40]) != {fill}


@pytest.mark.parametrize("width", [3, 12, 24, 50])
def test_a_missing_field_stays_in_its_box(width: int, look: Look, canvas: Canvas) -> None:
    image = drawn(canvas, look, lambda p, t: marks.missing_box(p, t, QRect(10, 10, width, 20), "name"))
    pane = look.theme.color("bg.pane").name()
    inked = [x for x in range(130) if any(image.pixelColor(x, y).name() != pane for y in range(40))]
    assert (inked[0], inked[-1]) == (10, 10 + width - 1)


def test_a_torn_edge_shows_what_lies_behind(look: Look, canvas: Canvas) -> None:
    def draw(painter: QPainter, theme: Theme) -> None:
        marks.plain_bar(painter, theme, BOX, "text")
        marks.torn_edge(painter, theme, 110, 10, 20, theme.color("bg.pane"))

    image = drawn(canvas, look, draw)
    edges = {
        max(x for x in range(130) if image.pixelColor(x, y) == look.theme.color("text.fill")) for y in range(12, 28)
    }
    assert len(edges) > 3


def test_redaction_shows_no_words(look: Look, canvas: Canvas) -> None:
    def draw(painter: QPainter, theme: Theme) -> None:
        marks.plain_bar(painter, theme, BOX, "reasoning")
        marks.redacted(painter, theme, BOX, "reasoning")

    image = drawn(canvas, look, draw)
    strokes = [
        y for y in range(12, 28) if len(set(row(image, y)[40:60])) == 1 and row(image, y)[50] != row(image, 12)[50]
    ]
    assert len(strokes) == 6


@pytest.mark.parametrize(
    "severity, found, inked", [("error", 0, "ink.off"), ("error", 2, "error.line"), ("info", 3, "info.line")]
)
def test_a_badge_is_grey_when_there_is_nothing(
    severity: str, found: int, inked: str, look: Look, canvas: Canvas
) -> None:
    image = drawn(canvas, look, lambda p, t: marks.severity_badge(p, t, 10, 5, severity, found))
    assert count(image, look.theme.color(inked)) > 5
    pane = look.theme.color("bg.pane").name()
    used = [x for x in range(130) if row(image, 16)[x] != pane]
    assert used[-1] - used[0] + 1 == marks.severity_badge_width(found)


def test_circles_are_hollow_and_in_their_places(look: Look, canvas: Canvas) -> None:
    image = drawn(canvas, look, lambda p, t: marks.circles(p, t, [20, 60], 20))
    pane = look.theme.color("bg.pane").name()
    for x in (20, 60):
        assert image.pixelColor(x, 20).name() == pane
        assert image.pixelColor(x, 17).name() != pane
    assert set(row(image, 20)[30:50]) == {pane}


def test_a_short_wait_is_left_without_words(look: Look, canvas: Canvas) -> None:
    image = drawn(canvas, look, lambda p, t: marks.wait(p, t, 10, 40, 20, "waiting 618 ms"))
    pane = look.theme.color("bg.pane").name()
    assert {y for y in range(40) if set(row(image, y)) != {pane}} == {20}


def test_a_fold_chip_counts_what_it_hides(look: Look, canvas: Canvas) -> None:
    widths: list[int] = []
    drawn(canvas, look, lambda p, t: widths.extend(marks.fold_chip(p, t, 10, 10, 22, n) for n in (7, 127, 10_000)))
    assert widths == [marks.fold_width(n) for n in (7, 127, 10_000)]
    assert widths == sorted(set(widths))
