"""A timeline that has the window for itself: its head with the way back, the crown, and the lanes."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from inspector_app.core.text import number
from inspector_app.ui import fonts
from inspector_app.ui.controls import Button
from inspector_app.ui.labels import label, tip
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline.clock import SECOND
from inspector_app.ui.timeline.commands import KEY_ZOOM
from inspector_app.ui.timeline.crown import DOWN, HEIGHT, Crown
from inspector_app.ui.timeline.crumbs import MORE, NEXT, span_words
from inspector_app.ui.timeline.sight import Sight
from inspector_app.ui.timeline.view import LABELS, LANE, TOP
from inspector_app.ui.timeline.widget import Timeline

HEAD = 36
WHOLE = "Whole recording"
ROOMY = 1180
"""The width from which the scale is told in the head."""
LEAST_LANES = 3
GAP = 16


class Crumbs(QWidget):
    """The wider views that the one in sight was reached through, each a button, and the one in sight behind them."""

    def __init__(self, look: Look, timeline: Timeline) -> None:
        super().__init__()
        self._look, self._timeline = look, timeline
        self._buttons: list[Button] = []
        self._words: list[str] = []
        self._here = Button(look, "", "", "raised")
        self._here.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._here.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("The way to the part in sight")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)
        self._row.addWidget(self._here)
        self._row.addStretch(1)

    def show_trail(self, sight: Sight) -> None:
        """The steps of the trail, as many as there is room for: the first one, and the last ones."""
        words = [WHOLE, *(span_words(sight.axis, view) for view in sight.trail)]
        font, room = fonts.ui_font(fonts.BODY, 500), self.width()
        places = list(range(len(words)))
        while len(places) > 2 and sum(fonts.text_width(font, words[at]) + 40 for at in places) > room:
            places.pop(1)
        said = [f"{MORE} {NEXT} {words[at]}" if at and at - 1 not in places else words[at] for at in places]
        if said == self._words:
            return
        self._words = said
        while len(self._buttons) < len(places) - 1:
            button = Button(self._look, "", "", "link")
            button.clicked.connect(lambda _=False, button=button: self._timeline.go_to_crumb(button.property("place")))
            self._row.insertWidget(len(self._buttons), button)
            self._buttons.append(button)
        for at, button in enumerate(self._buttons):
            button.setVisible(at < len(places) - 1)
            if at < len(places) - 1:
                button.setProperty("place", places[at])
                button.setText(f"{said[at]}  {NEXT}")
                button.setAccessibleName(f"Back to {words[places[at]]}")
                tip(button, f"Back to {words[places[at]]}", "Backspace" if at == len(places) - 2 else "")
                button.updateGeometry()
        self._here.setText(said[-1])
        self._here.setAccessibleName(f"In sight: {words[-1]}")
        self._here.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)


class Head(QWidget):
    """Above the overview: where one is, how large it is, the keys of the timeline as buttons, and the way back to the
    panes.
    """

    left = Signal()

    def __init__(self, look: Look, timeline: Timeline) -> None:
        super().__init__()
        self._timeline = timeline
        self.setProperty("layer", "head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.crumbs = Crumbs(look, timeline)
        self.scale = label("", "ink.2", fonts.SECONDARY)
        self.range = Button(look, "Range A – B", "", "flat", keys="R")
        self.range.setCheckable(True)
        tip(self.range, "Mark the selected block, or take the range away. R sets one point after the other", "")
        self.back = Button(look, "Show panes", "", "raised")
        tip(self.back, "Lines, deltas, blocks and findings again")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 8, 0)
        row.setSpacing(4)
        title = label("Timeline", "ink.1", fonts.LARGE, 600)
        title.setFixedWidth(LABELS - 20)
        row.addWidget(title)
        row.addWidget(self.crumbs, 1)
        row.addWidget(self.scale)
        row.addSpacing(8)
        row.addWidget(self.range)
        steps = {
            "In": ("W", "Zoom in", lambda: timeline.zoom_by(KEY_ZOOM)),
            "Out": ("S", "Zoom out", lambda: timeline.zoom_by(1 / KEY_ZOOM)),
            "Fit": ("F", "Whole recording, or back to the selection", timeline.fit_or_focus),
        }
        for words, (keys, name, does) in steps.items():
            button = Button(look, words, "", "flat", keys=keys)
            button.setAccessibleName(name)
            button.clicked.connect(does)
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self.back)
        self.range.clicked.connect(self._mark)
        self.back.clicked.connect(self.left)

    def show_sight(self, sight: Sight) -> None:
        """What is in sight, and at which scale."""
        unit, name = (SECOND, "second") if sight.axis.measured else (1, "event")
        value = unit / sight.view.per_pixel
        said = number(round(value)) if value >= 10 else f"{value:.2g}"
        self.scale.setText(f"px per {name}  {said}")
        self.scale.setVisible(self.width() >= ROOMY)
        self.range.setChecked(sight.marked is not None and sight.marked.b is not None)
        self.range.setEnabled(bool(sight.lanes) and not sight.axis.empty)
        self.crumbs.show_trail(sight)

    def _mark(self, on: bool) -> None:
        if on:
            self._timeline.mark_selected()
        else:
            self._timeline.mark(None)


class Lone(QWidget):
    """Head, crown and lanes, one above the other. `left`: all panes are asked for."""

    left = Signal()

    def __init__(self, look: Look, timeline: Timeline) -> None:
        super().__init__()
        self._timeline = timeline
        self.head = Head(look, timeline)
        self.head.setParent(self)
        self.crown = Crown(look, timeline, self)
        self.crown.changed.connect(self._show)
        self.head.left.connect(self.left)

    def take(self) -> None:
        """Have the timeline here, until another parent takes it."""
        self._timeline.setParent(self)
        self._timeline.show()
        self._place()

    def _show(self) -> None:
        self.head.show_sight(self._timeline.sight)

    def _place(self) -> None:
        if self._timeline.parentWidget() is self:
            below = HEAD + DOWN
            self._timeline.setGeometry(0, below, self.width(), max(self.height() - below, TOP))
        self.head.setGeometry(0, 0, self.width(), HEAD)
        self.crown.setGeometry(0, HEAD, self.width(), HEIGHT)
        self.crown.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()
        self._show()

    def minimumSizeHint(self) -> QSize:
        return QSize(LABELS, HEAD + HEIGHT + LEAST_LANES * LANE)
