"""The left column of the start page: what this program is, and the ways to get a recording into it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from inspector_app.ui import fonts
from inspector_app.ui.controls import HOVER, PRESSED, RADIUS, Button, key_width
from inspector_app.ui.icons import SIZE, app_pixmap, dots, draw_icon
from inspector_app.ui.labels import chip_baseline, draw_text, label, rounded
from inspector_app.ui.theme import Look

BIG, PAD, WORDS_AT = 36, 13, 38
CAP = 20
ICON = 56
DROP = 120
COMMANDS = (
    "stream-inspector check run.sse",
    "stream-inspector diff run.sse \\",
    "    --with zcode-3.11",
)
TAKEN = ("SSE body, curl -i output, JSON lines,", "event-stream frames, .rec.jsonl")


class BigButton(Button):
    """A button as wide as its column, with its keys at the right."""

    def __init__(self, look: Look, words: str, icon_name: str, keys: str, primary: bool = False) -> None:
        super().__init__(look, words, icon_name, "primary" if primary else "raised", keys)
        self._primary = primary
        self.setFont(fonts.ui_font(fonts.LARGE, 600 if primary else 500, tabular=False))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleDescription(keys)

    def sizeHint(self) -> QSize:
        return QSize(200, BIG)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            part = PRESSED if self.isDown() else HOVER if self.underMouse() else 0
            ground = theme.mixed("accent" if self._primary else "bg.raised", "ink.1", part)
            rounded(painter, self.rect(), ground, None if self._primary else theme.color("line"), RADIUS)
            ink = theme.color("accent.ink" if self._primary else "ink.1")
            glyph = theme.color("accent.ink" if self._primary else "ink.2")
            draw_icon(painter, PAD, (BIG - SIZE) // 2, self._icon, glyph)
            draw_text(painter, WORDS_AT, fonts.baseline(0, BIG), self.text(), self.font(), ink)
            if not self._keys:
                return
            width = key_width(self._keys)
            cap = QRect(self.width() - 10 - width, (BIG - CAP) // 2, width, CAP)
            rounded(painter, cap, None if self._primary else theme.color("bg.panel"), ink if self._primary else
                    theme.color("line"), 4)  # fmt: skip
            font = fonts.ui_font(fonts.SECONDARY, 500)
            left = cap.left() + (width - fonts.text_width(font, self._keys)) / 2
            draw_text(painter, left, chip_baseline(cap.top(), CAP), self._keys, font, ink if self._primary else glyph)


class DropField(QWidget):
    """Says that files may be dropped; lights up while one hangs over the window. A click opens the dialog instead."""

    clicked = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look, self._over = look, False
        self.setFixedHeight(DROP)
        self.setAccessibleName("Drop a file anywhere in the window")
        look.changed.connect(self.update)

    def show_drag(self, over: bool) -> None:
        """Whether something that can be opened hangs over the window."""
        self._over = over
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            fill, edge = ("sel.soft", "accent") if self._over else ("bg.raised", "line.strong")
            rounded(painter, self.rect(), theme.color(fill), theme.color(edge), 8, 1.5, (6, 3))
            glyph = theme.color("accent" if self._over else "ink.2")
            draw_icon(painter, (self.width() - SIZE) // 2, 20, "drop", glyph)
            head = fonts.ui_font(fonts.BODY, 600)
            small = fonts.ui_font(fonts.SECONDARY, tabular=False)
            lines = [(58, "Drop a file anywhere", head, "ink.1")]
            lines += [(base, words, small, "ink.3") for base, words in zip((78, 94), TAKEN)]
            for base, words, font, ink in lines:
                x = (self.width() - fonts.text_width(font, words)) / 2
                draw_text(painter, x, base, words, font, theme.color(ink))


class _AppIcon(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(ICON, ICON)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, app_pixmap(ICON, dots(painter)))


class Side(QWidget):
    """The column. It asks the window to open, to go live, to paste, or for the proxy."""

    open_asked = Signal()
    live_asked = Signal()
    paste_asked = Signal()
    proxy_asked = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.open_button = BigButton(look, "Open a recording…", "open", "Ctrl O", primary=True)
        self.live_button = BigButton(look, "Go live…", "live", "Ctrl L")
        self.paste_button = BigButton(look, "Paste a stream", "paste", "Ctrl V")
        self.proxy_button = BigButton(look, "Record through a proxy…", "proxy", "")
        self.drop = DropField(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(_AppIcon())
        column.addSpacing(18)
        column.addWidget(label("Stream Inspector", "ink.1", fonts.NAME, 600))
        column.addSpacing(4)
        for words in ("From the bytes on the wire to the", "answer they became."):
            shown = label(words, "ink.2", fonts.LARGE)
            shown.setFixedHeight(20)
            column.addWidget(shown)
        column.addSpacing(20)
        for button in (self.open_button, self.live_button, self.paste_button, self.proxy_button):
            column.addWidget(button)
            column.addSpacing(8)
        column.addSpacing(16)
        column.addWidget(self.drop)
        column.addSpacing(28)
        column.addWidget(label("Without a window", "ink.1", fonts.BODY, 600))
        column.addSpacing(8)
        for words in COMMANDS:
            shown = label(words, "ink.2", fonts.SECONDARY, wire=True)
            shown.setFixedHeight(20)
            column.addWidget(shown)
        column.addStretch(1)
        self.open_button.clicked.connect(self.open_asked)
        self.drop.clicked.connect(self.open_asked)
        self.live_button.clicked.connect(self.live_asked)
        self.paste_button.clicked.connect(self.paste_asked)
        self.proxy_button.clicked.connect(self.proxy_asked)
