"""Buttons, choices, fields and what else a window is put together from, drawn as look.md says.

Every one that shows an icon alone has a tip and a name for screen readers; all of them follow the theme.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)  # fmt: skip

from inspector_app.ui import fonts, marks
from inspector_app.ui.icons import SIZE, SMALL, draw_icon
from inspector_app.ui.labels import chip_baseline, draw_text, rounded, tip
from inspector_app.ui.theme import Look, Theme

HEIGHT = 28
PAD, FLAT_PAD, ICON_GAP, KEY_GAP = 10, 8, 6, 8
KEY_HEIGHT = 18
RADIUS = 6
HOVER, PRESSED, PALER = 0.06, 0.1, 0.4
ON_ACCENT = {"primary": "accent.ink", "link": "accent", "quiet": "ink.2"}
"""Kind of button -> the colour of its words, where it is not that of all words."""

WORDS = ("error", "warning", "note")

RING = 4
"""How far the focus ring reaches out: 2 px of air and 2 px of ring."""

KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class Ring(QWidget):
    """The focus ring around a control, outside of it; it lives as long as the control has the focus."""

    def __init__(self, look: Look, around: QWidget) -> None:
        super().__init__(around.parentWidget())
        self._look, self.around = look, around
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        around.installEventFilter(self)
        self._place()
        self.show()

    def _place(self) -> None:
        self.setGeometry(self.around.geometry().adjusted(-RING, -RING, RING, RING))
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._place()
        elif event.type() in (QEvent.Type.FocusOut, QEvent.Type.Hide, QEvent.Type.ParentChange):
            watched.removeEventFilter(self)
            self.hide()
            self.deleteLater()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            rounded(painter, self.rect(), None, self._look.theme.color("focus"), RADIUS + RING - 1, 2)


def rings_in(widget: QWidget) -> list[Ring]:
    """The focus rings that are shown in a widget."""
    return [ring for ring in widget.findChildren(Ring) if not ring.isHidden()]


def has_ring(widget: QWidget) -> bool:
    """Whether a control shows that it has the keyboard."""
    parent = widget.parentWidget()
    return parent is not None and any(ring.around is widget for ring in rings_in(parent))


def _ring_for(look: Look, widget: QWidget, event: QFocusEvent) -> None:
    if event.reason() in KEYBOARD and widget.parentWidget() is not None:
        Ring(look, widget)


class Button(QPushButton):
    """A button. `kind` is "raised", "flat", "primary" or "link"; `keys` are shown in a cap behind the words."""

    def __init__(
        self, look: Look, words: str = "", icon_name: str = "", kind: str = "raised", keys: str = "", meaning: str = ""
    ) -> None:
        super().__init__()
        self.setText(words)
        self._size = SIZE
        self._look, self._icon, self._kind, self._keys, self._meaning = look, icon_name, kind, keys, meaning
        self.setFont(fonts.ui_font_for(words, fonts.BODY, 500))
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        look.changed.connect(self.update)

    def keep_room(self, *texts: str) -> None:
        """Be as wide as the widest of what it will say, so that nothing beside it moves when it says another."""
        now = self.text()
        widths = []
        for text in texts:
            self.setText(text)
            widths.append(self.sizeHint().width())
        self.setText(now)
        self.setMinimumWidth(max(widths))

    def show_icon(self, name: str, size: int = SIZE) -> None:
        """Replaces the glyph, as from play to pause."""
        self._icon, self._size = name, size
        self.update()

    def sizeHint(self) -> QSize:
        words = round(fonts.text_width(self.font(), self.text())) if self.text() else 0
        glyph = self._size if self._icon else 0
        if not words:
            return QSize(HEIGHT, HEIGHT)
        cap = KEY_GAP + key_width(self._keys) if self._keys else 0
        return QSize(2 * self._pad() + glyph + (ICON_GAP if glyph else 0) + words + cap, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _pad(self) -> int:
        return PAD if self._kind in ("raised", "primary") else FLAT_PAD

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            paint_ground(painter, theme, self.rect(), self._kind, self, self.isDown() or self.isChecked())
            role = "ink.1" if self.isEnabled() else "ink.off"
            glyph = "ink.2" if self.isEnabled() else "ink.off"
            if self._kind in ON_ACCENT and self.isEnabled():
                role = glyph = ON_ACCENT[self._kind]
            if self._meaning and self.isEnabled():
                glyph = f"{self._meaning}.line"
            middle = (self.height() - self._size) // 2
            x = self._pad() if self.text() else (self.width() - self._size) // 2
            if self._icon:
                draw_icon(painter, x, middle, self._icon, theme.color(glyph), self._size)
                x += self._size + ICON_GAP
            if self.text():
                base = fonts.baseline(0, self.height())
                x += round(draw_text(painter, x, base, self.text(), self.font(), theme.color(role)))
            if self._keys:
                draw_key(painter, theme, self.width() - self._pad() - key_width(self._keys), self.height(), self._keys)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        _ring_for(self._look, self, event)


def icon_button(look: Look, icon_name: str, words: str, keys: str = "", size: int = SIZE) -> Button:
    """A flat button with a glyph alone; `words` are its tip and its name."""
    made = Button(look, "", icon_name, "flat")
    made.show_icon(icon_name, size)
    made.setAccessibleName(words)
    tip(made, words, keys)
    return made


def paint_ground(painter: QPainter, theme: Theme, rect: QRect, kind: str, widget: QWidget, pressed: bool) -> None:
    """What a button's words lie on, by its kind and by what the pointer does to it."""
    part = PRESSED if pressed else HOVER if widget.underMouse() and widget.isEnabled() else 0
    if kind == "primary" and widget.isEnabled():
        rounded(painter, rect, theme.mixed("accent", "ink.1", part), None, RADIUS)
    elif kind == "raised" and widget.isEnabled():
        rounded(painter, rect, theme.mixed("bg.raised", "ink.1", part), theme.color("line"), RADIUS)
    elif part:
        rounded(painter, rect, theme.veil("ink.1", part), None, RADIUS)


def key_width(keys: str) -> int:
    """How wide the cap of some keys is."""
    return max(KEY_HEIGHT, round(fonts.text_width(fonts.ui_font(fonts.SECONDARY), keys)) + 10)


def draw_key(painter: QPainter, theme: Theme, x: int, height: int, keys: str) -> None:
    """The cap of some keys in a row of `height`."""
    width, top = key_width(keys), (height - KEY_HEIGHT) // 2
    rounded(painter, QRect(x, top, width, KEY_HEIGHT), theme.color("bg.panel"), theme.color("line"), 4)
    font = fonts.ui_font(fonts.SECONDARY)
    left = x + (width - fonts.text_width(font, keys)) / 2
    draw_text(painter, left, chip_baseline(top, KEY_HEIGHT), keys, font, theme.color("ink.2"))


class Choice(QComboBox):
    """One of several, such as the reader whose reading is shown. `name` is what a screen reader says.

    It is as wide as its widest words, or `most` pixels; the list is as wide as it must be.
    """

    def __init__(self, look: Look, name: str, kind: str = "raised", most: int = 1 << 14) -> None:
        super().__init__()
        self._look, self._kind, self._most = look, kind, most
        self.setAccessibleName(name)
        self.view().setAccessibleName(name)
        if sys.platform not in ("darwin", "win32"):
            # There a combo box is called by its current words (Qt 6.11).
            self.setAccessibleDescription(name)
        self.setFont(fonts.ui_font(fonts.BODY, 500, tabular=False))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.currentIndexChanged.connect(self.updateGeometry)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(min(self._widest(), self._most), HEIGHT)

    def limit(self, most: int) -> None:
        """Be no wider than that."""
        if most != self._most:
            self._most = most
            self.updateGeometry()

    def _widest(self) -> int:
        widest = max((fonts.text_width(self.font(), self.itemText(at)) for at in range(self.count())), default=0)
        return 2 * PAD + round(widest) + ICON_GAP + SMALL + 2

    def showPopup(self) -> None:
        self.view().setMinimumWidth(self._widest())
        super().showPopup()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            paint_ground(painter, theme, self.rect(), self._kind, self, False)
            room = self.width() - 2 * PAD - SMALL - ICON_GAP
            words = fonts.elided(self.font(), self.currentText(), room + 2)
            ink, glyph = ("ink.1", "ink.2") if self.isEnabled() else ("ink.off", "ink.off")
            draw_text(painter, PAD, fonts.baseline(0, self.height()), words, self.font(), theme.color(ink))
            middle = (self.height() - SMALL) // 2
            draw_icon(painter, self.width() - PAD - SMALL + 1, middle, "chevron-down", theme.color(glyph), SMALL)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        _ring_for(self._look, self, event)


class SearchField(QLineEdit):
    """Where something is searched for; `keys` bring one here."""

    def __init__(self, look: Look, hint: str, keys: str = "") -> None:
        super().__init__()
        self._look, self._keys = look, keys
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        self.setFont(fonts.ui_font(fonts.BODY, tabular=False))
        self.setTextMargins(SIZE + ICON_GAP, 0, key_width(keys) if keys else 0, 0)
        self.setMinimumWidth(160)
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = self._look.theme
        with QPainter(self) as painter:
            draw_icon(painter, PAD - 1, (self.height() - SIZE) // 2, "search", theme.color("ink.2"))
            if self._keys and not self.text():
                draw_key(painter, theme, self.width() - key_width(self._keys) - 6, self.height(), self._keys)


class SeverityCounts(QWidget):
    """How many errors, warnings and notes there are; a click, or arrows and Enter, picks one of them."""

    picked = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._counts = (0, 0, 0)
        self._muted = self._chosen = ""
        self._at = 0
        self._hovered = -1
        self._keys = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.show_counts(0, 0, 0)
        look.changed.connect(self.update)

    def show_counts(self, errors: int, warnings: int, infos: int, muted: int = 0) -> None:
        """Replaces the counts; what is `muted` is in none of them and stands beside them."""
        self._counts = (errors, warnings, infos)
        self._muted = f"{muted} muted" if muted else ""
        if not self._counts[self._at]:
            self._at = next((n for n, count in enumerate(self._counts) if count), 0)
        muted_words = f", {self._muted}" if muted else ""
        counted = zip((errors, warnings, infos), WORDS, strict=True)
        words = ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in counted)
        self.setAccessibleName(words + muted_words)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if any(self._counts) else Qt.FocusPolicy.NoFocus)
        self.updateGeometry()
        self.update()

    def show_chosen(self, severity: str) -> None:
        """Marks the count whose findings are the only ones shown; the empty string for none."""
        self._chosen = severity
        words = dict(zip(marks.SEVERITY_ICONS, WORDS)).get(severity, "")
        self.setAccessibleDescription(f"only {words}s are shown" if words else "")
        self.update()

    def _places(self) -> list[tuple[str, int, int, int]]:
        x, places = 0, []
        for severity, count in zip(marks.SEVERITY_ICONS, self._counts):
            width = marks.severity_badge_width(count)
            places.append((severity, count, x, width))
            x += width + 6
        return places

    def sizeHint(self) -> QSize:
        *_, (_, _, x, width) = self._places()
        muted = 8 + round(fonts.text_width(fonts.ui_font(fonts.SECONDARY), self._muted)) if self._muted else 0
        return QSize(x + width + muted, marks.BADGE_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            for n, (severity, count, x, width) in enumerate(self._places()):
                box = QRect(x, 0, width, marks.BADGE_HEIGHT)
                # What is not shown while another one is chosen steps back; a count of nothing is no button.
                painter.setOpacity(PALER if self._chosen not in ("", severity) else 1)
                marks.severity_badge(painter, theme, x, 0, severity, count)
                painter.setOpacity(1)
                if not count:
                    rounded(painter, box, None, theme.color("bg.pane"), 4)
                if severity == self._chosen:
                    rounded(painter, box, None, theme.color("accent"), 4, 2)
                if n == self._hovered:
                    rounded(painter, box, theme.veil("ink.1", HOVER), None, 4)
                if n == self._at and self._keys and self._look.focused(self):
                    rounded(painter, box, None, theme.color("focus"), 4, 2)
            if self._muted:
                base, font = fonts.baseline(0, marks.BADGE_HEIGHT), fonts.ui_font(fonts.SECONDARY)
                draw_text(painter, x + width + 8, base, self._muted, font, theme.color("ink.3"))

    def _number_at(self, x: int) -> int:
        """The badge at a pixel that has something to pick, -1 for none."""
        places = enumerate(self._places())
        at = next((n for n, (_, _, left, width) in places if left <= x < left + width), -1)
        return at if at >= 0 and (self._counts[at] or self._places()[at][0] == self._chosen) else -1

    def _hover(self, n: int) -> None:
        if n != self._hovered:
            self._hovered = n
            again = n >= 0 and self._places()[n][0] == self._chosen
            words = "Show all findings again" if again else f"Show {WORDS[n]}s alone, and select the first"
            tip(self, words if n >= 0 else "")
            self.setCursor(Qt.CursorShape.PointingHandCursor if n >= 0 else Qt.CursorShape.ArrowCursor)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._number_at(round(event.position().x())))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        n = self._number_at(round(event.position().x()))
        if n >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(self._places()[n][0])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        some = [n for n, count in enumerate(self._counts) if count]
        if step and some:
            self._at = some[min(max(some.index(self._at) + step, 0), len(some) - 1)]
            self.update()
        elif some and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.picked.emit(self._places()[self._at][0])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._keys = event.reason() in KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()
