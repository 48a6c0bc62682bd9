"""The palette keeps what look.md promises, computed from the theme files; the program follows the system's choice."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.ui import fonts
from inspector_app.ui.labels import ElidedLabel, chip_width, draw_chip, label, set_ink, tip
from inspector_app.ui.theme import MEANINGS, Look, Theme, channels, known, load_theme, palette, stylesheet
from tests.ui.conftest import Canvas

THEMES = ("light", "dark")
LAYERS = ("bg.pane", "bg.alt", "bg.panel", "bg.chrome", "bg.raised", "sel.fill", "sel.soft")


def luminance(color: QColor) -> float:
    parts = [part / 255 for part in channels(color)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    """The ratio of WCAG 2, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def pairs(theme: Theme) -> dict[tuple[str, str], float]:
    words = ["ink.1", "ink.2", "ink.3", *(f"{meaning}.text" for meaning in MEANINGS)]
    on_layers = set(itertools.product(words, LAYERS))
    on_fills = {(word, f"{meaning}.fill") for meaning in MEANINGS for word in ("ink.1", "ink.2", f"{meaning}.text")}
    extra = {("ink.1", "find.fill")}
    extra |= {("accent.ink", "accent"), ("accent", "bg.panel"), ("accent", "bg.pane"), ("bg.pane", "error.line")}
    return {
        (word, layer): contrast(theme.color(word), theme.color(layer)) for word, layer in on_layers | on_fills | extra
    }


@pytest.mark.parametrize("name", THEMES)
def test_words_can_be_read_on_every_layer(name: str) -> None:
    ratios = pairs(load_theme(name))
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("name", THEMES)
def test_lines_stand_out_from_the_pane(name: str) -> None:
    theme = load_theme(name)
    ratios = {meaning: contrast(theme.meaning(meaning).line, theme.color("bg.pane")) for meaning in MEANINGS}
    assert {meaning: ratio for meaning, ratio in ratios.items() if ratio < 3} == {}
    assert contrast(theme.color("focus"), theme.color("bg.panel")) >= 3
    # Marks of what was found lie on the trough of a scroll bar and on the overview.
    assert min(contrast(theme.color("find.line"), theme.color(layer)) for layer in ("bg.pane", "bg.sunken")) >= 3
    assert min(contrast(theme.color("accent"), theme.color(layer)) for layer in ("bg.pane", "find.fill")) >= 2.5


def test_contrast_is_computed_as_in_wcag() -> None:
    assert contrast(QColor("#000000"), QColor("#FFFFFF")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("#FFFFFF")) == pytest.approx(4.48, abs=0.01)


def test_both_themes_have_the_same_roles() -> None:
    assert load_theme("light").roles.keys() == load_theme("dark").roles.keys()
    assert {f"{meaning}.{part}" for meaning in MEANINGS for part in ("fill", "line", "text")} <= set(
        load_theme("light").roles
    )


def test_colours_are_made_once_and_mixed_in_parts() -> None:
    theme = Theme("test", {"a": "#000000", "b": "#FFFFFF", "error.fill": "#000000", "error.line": "#646464"})
    assert theme.color("a") is theme.color("a")
    assert theme.mixed("a", "b", 0.2).name() == "#333333"
    assert theme.mixed("a", "b", 0.2) is theme.mixed("a", "b", 0.2)
    assert theme.veil("b", 0.5).alpha() == 128
    assert (known("error"), known("media")) == ("error", "info")


def test_the_edge_of_a_box_is_its_line_towards_its_fill() -> None:
    error = load_theme("light").meaning("error")
    expected = [round(line + (fill - line) * 0.35) for line, fill in zip(channels(error.line), channels(error.fill))]
    assert list(channels(error.edge)) == expected


@pytest.mark.parametrize("name", THEMES)
def test_the_style_sheet_names_only_roles_that_exist(name: str) -> None:
    sheet = stylesheet(load_theme(name))
    assert "@" not in sheet
    assert load_theme(name).color("accent").name() in sheet


@pytest.mark.parametrize("name", THEMES)
def test_plain_widgets_take_the_palette(name: str) -> None:
    theme = load_theme(name)
    made = palette(theme)
    assert made.text().color() == theme.color("ink.1")
    assert made.color(made.ColorGroup.Disabled, made.ColorRole.ButtonText) == theme.color("ink.off")


def test_a_choice_changes_the_look_at_run_time(qtbot: QtBot, look: Look, qapp: QApplication) -> None:
    look.choose("light")
    with qtbot.waitSignal(look.changed):
        look.choose("dark")
    assert look.theme.name == "dark"
    assert qapp.palette().window().color() == load_theme("dark").color("bg.panel")
    assert load_theme("dark").color("bg.chrome").name() in qapp.styleSheet()
    with pytest.raises(ValueError, match="sepia"):
        look.choose("sepia")


@pytest.mark.parametrize(
    "scheme, expected",
    [(Qt.ColorScheme.Dark, "dark"), (Qt.ColorScheme.Light, "light"), (Qt.ColorScheme.Unknown, "light")],
)
def test_the_system_is_followed(
    look: Look, monkeypatch: pytest.MonkeyPatch, qapp: QApplication, scheme: Qt.ColorScheme, expected: str
) -> None:
    look.choose("light")
    monkeypatch.setattr(type(qapp.styleHints()), "colorScheme", lambda _: scheme)
    look.choose("system")
    assert (look.choice, look.theme.name) == ("system", expected)


def test_both_typefaces_come_with_the_program(qapp: QApplication) -> None:
    assert {"Inter", "JetBrains Mono"} <= set(fonts.load())


@pytest.mark.parametrize("made", [fonts.ui_font, fonts.wire_font])
def test_weights_differ_in_what_is_drawn(qapp: QApplication, made: Callable[..., QFont]) -> None:
    fonts.load()
    axes = [made(12, weight).variableAxisValue(QFont.Tag("wght")) for weight in (400, 500, 600)]
    assert axes == [400 + fonts.LIFT, 500 + fonts.LIFT, 600 + fonts.LIFT]


def test_digits_have_one_width_and_wire_data_no_ligatures(qapp: QApplication) -> None:
    fonts.load()
    ui, wire = fonts.ui_font(12), fonts.wire_font(12)
    assert fonts.text_width(ui, "111") == fonts.text_width(ui, "888")
    assert fonts.text_width(wire, "!=") == fonts.text_width(wire, "!") + fonts.text_width(wire, "=")
    assert [wire.featureValue(QFont.Tag(name)) for name in ("calt", "liga")] == [0, 0]
    names = fonts.ui_font_for("glm-5.2", 12)
    assert fonts.text_width(names, "-") < fonts.text_width(ui, "-")


def test_the_last_fallback_writes_chinese(qapp: QApplication) -> None:
    assert fonts.ui_font(12).families()[-1].startswith("Noto Sans CJK")
    assert fonts.wire_font(12).families()[-1].startswith("Noto Sans CJK")


@pytest.mark.parametrize("y, height, line", [(0, 22, 15), (100, 24, 116), (0, 28, 18), (0, 40, 24), (0, 20, 14)])
def test_words_of_both_typefaces_stand_on_one_line(y: int, height: int, line: int) -> None:
    assert fonts.baseline(y, height) == line


@pytest.mark.parametrize(
    "px, family, shown", [(12, "Inter", 12), (12, "DejaVu Sans", 11), (18, "DejaVu Sans", 16), (12, "Verdana", 11)]
)
def test_a_typeface_that_runs_large_is_drawn_smaller(px: int, family: str, shown: int) -> None:
    assert fonts.shown_size(px, family) == shown


def test_the_machines_own_fonts_can_serve(qapp: QApplication) -> None:
    try:
        assert fonts.load(system=True) == []
        assert fonts.ui_font(12).families()[0] == "Inter"
    finally:
        fonts.load()


HOSTILE = "<b>bold</b> <img src='/etc/hostname'> &lt;\nnext"


def test_labels_show_markup_as_it_is(qtbot: QtBot, look: Look) -> None:
    for made in (label(HOSTILE), ElidedLabel(HOSTILE)):
        qtbot.addWidget(made)
        assert isinstance(made, QLabel)
        assert made.textFormat() == Qt.TextFormat.PlainText
        assert made.text() == HOSTILE


def test_tips_escape_markup(qtbot: QtBot, look: Look) -> None:
    made = label("x")
    qtbot.addWidget(made)
    tip(made, HOSTILE, "Ctrl+O")
    shown = made.toolTip()
    assert shown.startswith("<qt>&lt;b&gt;bold")
    assert "<img" not in shown
    assert "(Ctrl+O)" in shown
    tip(made, "")
    assert made.toolTip() == ""


def test_a_label_takes_the_colour_of_its_role(qtbot: QtBot, look: Look) -> None:
    look.choose("light")
    made = label("words", "ink.3")
    qtbot.addWidget(made)
    made.show()
    assert made.palette().windowText().color() == look.theme.color("ink.3")
    set_ink(made, "error.text")
    assert made.palette().windowText().color() == look.theme.color("error.text")
    look.choose("dark")
    assert made.palette().windowText().color() == look.theme.color("error.text")


def test_every_role_that_a_label_may_have_is_in_the_style_sheet() -> None:
    listed = set(re.findall(r'QLabel\[ink="([\w.]+)"\] \{ color: @([\w.]+); \}', stylesheet_source()))
    assert {ink for ink, role in listed if ink == role} >= {"ink.1", "ink.2", "ink.3", "error.text", "accent"}
    assert all(ink == role for ink, role in listed)


def stylesheet_source() -> str:
    return resource("resources", "themes", "chrome.qss").read_text("utf-8")


def test_an_elided_label_gives_way(qtbot: QtBot, look: Look) -> None:
    made = ElidedLabel("a-long name that will not fit")
    qtbot.addWidget(made)
    made.resize(40, 20)
    made.grab()
    assert made.minimumSizeHint().width() == 0
    assert fonts.elided(made.font(), made.text(), 40).endswith("…")
    made.show_text("short")
    assert made.toolTip() == "<qt>short</qt>"


def test_a_chip_is_as_wide_as_it_says(look: Look, canvas: Canvas) -> None:
    image, painter = canvas(200, 30)
    width = draw_chip(painter, look.theme, 10, 5, "empty", "warning", "scissors")
    painter.end()
    assert width == chip_width("empty", "scissors")
    inked = [x for x in range(200) if image.pixelColor(x, 14) != image.pixelColor(0, 14)]
    assert (inked[0], inked[-1]) == (10, 10 + width - 1)
