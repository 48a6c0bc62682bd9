"""Every glyph is an SVG of our own in the theme's colour, and each one can be told from the others."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from inspector_app.core.resources import resource
from inspector_app.ui.icons import MEANING_ICONS, app_icon, app_pixmap, draw_icon, icon, names
from inspector_app.ui.theme import MEANINGS
from tests.ui.conftest import Canvas

WANTED = {
    "open", "paste", "live", "proxy", "play", "pause", "step-back", "swap", "search", "filter", "scissors", "brackets",
    "hourglass", "rays", "lock", "wand", "unread", "pin", "reasoning", "text", "tool", "tool-result", "refusal",
    "error", "warning", "info", "chevron-down", "chevron-right", "chevron-left", "chevron-up", "check", "copy",
    "export", "picture", "list", "grid", "close", "plus", "return", "flag", "note", "document", "clock", "media",
    "citation", "usage", "unknown", "drop", "stop", "record", "audio", "video",
}  # fmt: skip
RED = QColor("#D13A2E")


def inked(image: QImage) -> set[tuple[int, int]]:
    return {(x, y) for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y).alpha() > 100}


def test_there_is_a_glyph_for_everything() -> None:
    assert set(names()) == WANTED
    assert set(MEANING_ICONS) >= set(MEANINGS)
    assert set(MEANING_ICONS.values()) <= WANTED


@pytest.mark.parametrize("name", sorted(WANTED))
def test_glyphs_keep_to_the_box_and_to_one_colour(name: str, qapp: QApplication) -> None:
    source = resource("resources", "icons", f"{name}.svg").read_text("utf-8")
    root = ElementTree.fromstring(source)
    assert root.get("viewBox") == "0 0 16 16"
    assert (root.get("stroke-width"), root.get("stroke-linecap")) == ("1.4", "round")
    assert "#" not in source
    image = icon(name, RED, 16, 2.0).toImage()
    drawn = inked(image)
    assert len(drawn) > 40
    assert all(0 < x < 31 and 0 < y < 31 for x, y in drawn)
    solid = max((image.pixelColor(x, y) for x, y in drawn), key=QColor.alpha)
    assert abs(solid.red() - RED.red()) <= 2


def test_no_two_glyphs_look_alike(qapp: QApplication) -> None:
    shapes = {frozenset(inked(icon(name, RED, 16).toImage())) for name in WANTED}
    assert len(shapes) == len(WANTED)


def test_small_glyphs_have_the_stronger_stroke(qapp: QApplication) -> None:
    scaled = icon("close", RED, 16, 12 / 16).toImage()
    small = icon("close", RED, 12).toImage()
    weights = [sum(image.pixelColor(x, y).alpha() for x in range(12) for y in range(12)) for image in (scaled, small)]
    assert all(lighter < stronger for lighter, stronger in pairwise(weights))


@pytest.mark.parametrize("dpr", [1.0, 1.5, 2.0])
def test_glyphs_are_drawn_for_the_screen(qapp: QApplication, dpr: float) -> None:
    pixmap = icon("open", RED, 16, dpr)
    assert (pixmap.width(), pixmap.devicePixelRatio()) == (16 * dpr, dpr)


def test_a_glyph_is_drawn_once(qapp: QApplication) -> None:
    assert icon("open", RED, 16).cacheKey() == icon("open", RED, 16).cacheKey()
    assert icon("open", RED, 16).cacheKey() != icon("open", QColor("#0B6580"), 16).cacheKey()


def test_a_glyph_lands_where_it_is_put(canvas: Canvas) -> None:
    image, painter = canvas(40, 40)
    draw_icon(painter, 20, 20, "error", RED)
    painter.end()
    assert image.pixelColor(22, 28) == RED
    assert image.pixelColor(10, 10) != RED


def test_the_program_has_an_icon_for_each_size(qapp: QApplication) -> None:
    assert {size.width() for size in app_icon().availableSizes()} == {16, 20, 24, 32, 48, 64, 128, 256}
    assert app_pixmap(24).toImage() != app_pixmap(32).scaled(24, 24).toImage()
