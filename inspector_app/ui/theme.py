"""Every colour of the program: what look.md calls its palette, read from `resources/themes/`.

A view asks for a role ("bg.pane", "ink.2") or a meaning ("reasoning") and knows no value. `Look` says which theme is
on at the moment, follows the system and tells when it changes.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from inspector_app.core.resources import resource
from inspector_app.ui import fonts

MEANINGS = ("reasoning", "text", "tool", "refusal", "error", "warning", "info", "unread")
CHOICES = ("system", "light", "dark")
EDGE_TOWARDS_FILL = 0.35

_REFERENCE = re.compile(r"@([a-z]+(?:\.[a-z0-9]+)*)(?:/(\d+))?")


def known(meaning: str) -> str:
    """The meaning itself; `info` for what has no colours of its own, such as media and citations."""
    return meaning if meaning in MEANINGS else "info"


def channels(color: QColor) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255."""
    return color.red(), color.green(), color.blue()


class Meaning(NamedTuple):
    """The colours of one meaning: `fill` lies under words, `line` is bars and marks, `text` words, `edge` boxes."""

    fill: QColor
    line: QColor
    text: QColor
    edge: QColor


class Theme:
    """One set of colours. The colours it gives out are shared: copy before changing one."""

    def __init__(self, name: str, roles: dict[str, str]) -> None:
        self.name = name
        self.roles = roles
        self._colors: dict[str | tuple[str | float, ...], QColor] = {}
        self._meanings: dict[str, Meaning] = {}

    def color(self, role: str) -> QColor:
        """The colour of a role of look.md, or of a part of a meaning: "ink.2", "error.line"."""
        color = self._colors.get(role)
        if color is None:
            color = self._colors[role] = QColor(self.roles[role])
        return color

    def mixed(self, role: str, towards: str, part: float) -> QColor:
        """`role` with `part` (0 to 1) of the colour `towards` in it; opaque."""
        key = (role, towards, part)
        color = self._colors.get(key)
        if color is None:
            pairs = zip(channels(self.color(role)), channels(self.color(towards)))
            color = self._colors[key] = QColor(*(round(one + (other - one) * part) for one, other in pairs))
        return color

    def veil(self, role: str, part: float) -> QColor:
        """`role` let through at `part` (0 to 1), to lie over whatever is there."""
        key = (role, part)
        color = self._colors.get(key)
        if color is None:
            color = self._colors[key] = QColor(self.color(role))
            color.setAlphaF(part)
        return color

    def meaning(self, name: str) -> Meaning:
        """The colours of a meaning; what has none of its own is drawn as `info`."""
        name = known(name)
        meaning = self._meanings.get(name)
        if meaning is None:
            fill, line, text = (self.color(f"{name}.{part}") for part in ("fill", "line", "text"))
            edge = self.mixed(f"{name}.line", f"{name}.fill", EDGE_TOWARDS_FILL)
            meaning = self._meanings[name] = Meaning(fill, line, text, edge)
        return meaning


@cache
def load_theme(name: str) -> Theme:
    """The theme `name` of `resources/themes/`."""
    data = tomllib.loads(resource("resources", "themes", f"{name}.toml").read_text("utf-8"))
    meanings = {f"{what}.{part}": value for what, parts in data["meanings"].items() for part, value in parts.items()}
    return Theme(data["name"], data["roles"] | meanings)


def stylesheet(theme: Theme) -> str:
    """The style of the plain widgets. In the file `@role` is a colour, `@role/6` the same let through at 6 per cent."""

    def value(found: re.Match[str]) -> str:
        role, percent = found.groups()
        if percent is None:
            return theme.color(role).name()
        red, green, blue = channels(theme.color(role))
        return f"rgba({red}, {green}, {blue}, {int(percent) / 100})"

    return _REFERENCE.sub(value, resource("resources", "themes", "chrome.qss").read_text("utf-8"))


_PALETTE: tuple[tuple[QPalette.ColorRole, str, str], ...] = (
    (QPalette.ColorRole.Window, "bg.panel", "bg.panel"),
    (QPalette.ColorRole.WindowText, "ink.1", "ink.off"),
    (QPalette.ColorRole.Base, "bg.pane", "bg.panel"),
    (QPalette.ColorRole.AlternateBase, "bg.alt", "bg.alt"),
    (QPalette.ColorRole.Text, "ink.1", "ink.off"),
    (QPalette.ColorRole.PlaceholderText, "ink.3", "ink.off"),
    (QPalette.ColorRole.Button, "bg.raised", "bg.panel"),
    (QPalette.ColorRole.ButtonText, "ink.1", "ink.off"),
    (QPalette.ColorRole.BrightText, "error.text", "ink.off"),
    (QPalette.ColorRole.Light, "bg.raised", "bg.raised"),
    (QPalette.ColorRole.Midlight, "line.soft", "line.soft"),
    (QPalette.ColorRole.Mid, "line", "line"),
    (QPalette.ColorRole.Dark, "line.strong", "line.strong"),
    (QPalette.ColorRole.Shadow, "line.strong", "line.strong"),
    (QPalette.ColorRole.Highlight, "sel.fill", "sel.soft"),
    (QPalette.ColorRole.HighlightedText, "ink.1", "ink.off"),
    (QPalette.ColorRole.Accent, "accent", "line.strong"),
    (QPalette.ColorRole.Link, "accent", "ink.off"),
    (QPalette.ColorRole.LinkVisited, "accent", "ink.off"),
    (QPalette.ColorRole.ToolTipBase, "bg.raised", "bg.raised"),
    (QPalette.ColorRole.ToolTipText, "ink.1", "ink.1"),
)


def palette(theme: Theme) -> QPalette:
    """The same colours for what is drawn by the style and not by the style sheet."""
    made = QPalette()
    for role, usual, disabled in _PALETTE:
        made.setColor(role, theme.color(usual))
        made.setColor(QPalette.ColorGroup.Disabled, role, theme.color(disabled))
    return made


class Look(QObject):
    """How the program looks at the moment. Give it to whatever paints; repaint on `changed`."""

    changed = Signal()

    def __init__(self, application: QApplication, choice: str = "system") -> None:
        """Dresses `application`: style, fonts, colours. `choice` is one of `CHOICES`."""
        super().__init__()
        self._application = application
        self._choice = choice
        self.pictured = False
        """While a picture is made: who has the keyboard is of no interest to who sees it."""
        fonts.load()
        # Each of these touches every widget there is.
        if application.style().name() != "fusion":
            application.setStyle("Fusion")
        application.setFont(fonts.ui_font(fonts.BODY, tabular=False))
        self.theme = self._wanted()
        self._dress()
        application.styleHints().colorSchemeChanged.connect(self._follow)

    @property
    def choice(self) -> str:
        """What was chosen: "system", "light" or "dark"."""
        return self._choice

    @property
    def motion(self) -> bool:
        """Whether the system allows movement."""
        return QApplication.isEffectEnabled(Qt.UIEffect.UI_General)

    def focused(self, widget: QWidget) -> bool:
        """Whether a widget is to show that it has the keyboard."""
        return widget.hasFocus() and not self.pictured

    def choose(self, choice: str) -> None:
        """Sets the theme, or lets the system decide ("system")."""
        if choice not in CHOICES:
            raise ValueError(f"no theme {choice!r}; there are {', '.join(CHOICES)}")
        self._choice = choice
        self._follow()

    def _wanted(self) -> Theme:
        if self._choice != "system":
            return load_theme(self._choice)
        dark = self._application.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return load_theme("dark" if dark else "light")

    def _follow(self) -> None:
        theme = self._wanted()
        if theme is not self.theme:
            self.theme = theme
            self._dress()
            self.changed.emit()

    def _dress(self) -> None:
        self._application.setPalette(palette(self.theme))
        if self._application.styleSheet() != stylesheet(self.theme):
            self._application.setStyleSheet(stylesheet(self.theme))
