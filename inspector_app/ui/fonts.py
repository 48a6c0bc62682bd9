"""The two typefaces: Inter for what the program says, JetBrains Mono for what came over the wire.

Sizes are pixels and weights 400, 500 or 600, as in look.md. Both fonts come as packages, so a picture looks alike on
every machine; where they are not loaded the fallbacks of look.md serve.
"""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QLoggingCategory, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QGlyphRun, QPixmapCache, QTextLayout

SMALL, SECONDARY, BODY, LARGE, HEADLINE, FIGURE, NAME = 10, 11, 12, 13, 14, 18, 22
"""Axis ticks, fold chips · secondary, bytes, chips · body, wire · verdict tail · heads · key figures · product name."""

PACKAGES = ("fontpkg_inter", "fontpkg_jetbrains_mono")
CJK = ("Noto Sans CJK SC", "Noto Sans CJK JP")
UI_FAMILIES = ("Inter", "Noto Sans", "Segoe UI", ".AppleSystemUIFont", "DejaVu Sans", *CJK)
WIRE_FAMILIES = (
    "JetBrains Mono", "SF Mono", "Menlo", "Cascadia Mono", "Consolas", "DejaVu Sans Mono",
    "Noto Sans Mono CJK SC", *CJK,
)  # fmt: skip
RUN_LARGE = ("DejaVu", "Verdana")

LIFT = 0 if sys.platform in ("darwin", "win32") else 50
"""FreeType smooths without gamma and draws thinner than the pictures of look.md; so much weight makes up for it."""

_UI_FEATURES = (("tnum", 1), ("calt", 0))
_NAME_FEATURES = (("calt", 0),)
_WIRE_FEATURES = (("calt", 0), ("liga", 0), ("clig", 0))


def load(system: bool = False) -> list[str]:
    """Loads the packaged fonts and gives their families; with `system` the machine's own fonts serve instead."""
    # Bytes of any kind are usual here, and Qt would tell of every family that lacks their script.
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    QPixmapCache.clear()
    for made in (ui_font, wire_font, text_width, shaped, elided, _first_present):
        made.cache_clear()
    if system:
        QFontDatabase.removeAllApplicationFonts()
        return []
    known = set(QFontDatabase.families())
    if {"Inter", "JetBrains Mono"} <= known:
        return ["Inter", "JetBrains Mono"]
    families: list[str] = []
    for package in PACKAGES:
        found = find_spec(package)
        if found is None or found.origin is None:
            continue
        for path in sorted(Path(found.origin).parent.glob("files/*.ttf")):
            number = QFontDatabase.addApplicationFont(str(path))
            families += QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    return sorted(set(families))


@cache
def ui_font(px: int, weight: int = 400, italic: bool = False, tabular: bool = True) -> QFont:
    """The font of the interface, never joining `->` into an arrow. Shared: copy before changing it.

    Digits have one width unless `tabular` is off, as for names: Inter makes hyphens as wide as digits along with them.
    """
    return _font(UI_FAMILIES, _UI_FEATURES if tabular else _NAME_FEATURES, px, weight, italic)


def ui_font_for(text: str, px: int, weight: int = 400) -> QFont:
    """The interface font that suits `text`: tabular digits, but not in a name with a hyphen."""
    return ui_font(px, weight, tabular="-" not in text)


@cache
def wire_font(px: int, weight: int = 400) -> QFont:
    """The font of wire data: fixed pitch, no ligatures. Shared: copy before changing it."""
    font = _font(WIRE_FAMILIES, _WIRE_FEATURES, px, weight, False)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    return font


@lru_cache(maxsize=16384)
def text_width(font: QFont, text: str) -> float:
    """How wide `text` is drawn, in pixels."""
    return QFontMetricsF(font).horizontalAdvance(text)


@lru_cache(maxsize=4096)
def shaped(font: QFont, text: str) -> tuple[float, float, list[QGlyphRun]]:
    """How far below its top the letters of a text stand, how wide it is drawn, both in pixels, and its glyphs."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return line.ascent(), text_width(font, text), layout.glyphRuns()


@lru_cache(maxsize=4096)
def elided(font: QFont, text: str, width: int) -> str:
    """`text`, cut at the right with an ellipsis when it is wider than `width` pixels."""
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width)


def elided_inside(font: QFont, text: str, width: int) -> str:
    """`text`, with an ellipsis in its middle when it is wider than `width` pixels: its end stays."""
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideMiddle, width)


def baseline(y: int, height: int) -> int:
    """Where text stands in a row of `height` pixels that begins at `y`: one line for both families."""
    return y + round(height / 2 + 4.3)


def shown_size(px: int, family: str) -> int:
    """`px`, less where a family runs large."""
    if not family.startswith(RUN_LARGE):
        return px
    return px - (1 if px <= 16 else 2)


def _font(
    families: tuple[str, ...], features: tuple[tuple[str, int], ...], px: int, weight: int, italic: bool
) -> QFont:
    font = QFont()
    font.setFamilies(list(families))
    font.setPixelSize(shown_size(px, _first_present(families)))
    font.setWeight(QFont.Weight(weight))
    # setWeight alone leaves a variable font that was loaded from a file at 400 (Qt 6.11, fontconfig).
    font.setVariableAxis(QFont.Tag("wght"), weight + LIFT)
    font.setItalic(italic)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    for name, value in features:
        font.setFeature(QFont.Tag(name), value)
    return font


@cache
def _first_present(families: tuple[str, ...]) -> str:
    present = set(QFontDatabase.families())
    return next((family for family in families if family in present), "")
