"""The row in which one says what to find, under the toolbar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector_app.core.field_search import FIELDS
from inspector_app.core.pattern import Query
from inspector_app.ui.controls import Button, Choice, SearchField, icon_button
from inspector_app.ui.find.filters import Completion, SavedFilters, filter_menu, offer_menu
from inspector_app.ui.find.words import Offer
from inspector_app.ui.labels import ElidedLabel, label, set_ink, tip
from inspector_app.ui.theme import Look

HEIGHT = 40
EDGE = 16
FIELD, LEAST_FIELD = 320, 160
LONGEST = 1000
KEPT = 20
SCOPES = (
    ("everything", "Everywhere"), ("raw", "Raw lines"), ("deltas", "Deltas"), ("blocks", "Blocks"), (FIELDS, "Fields"),
)  # fmt: skip
HINT, FIELD_HINT = "Find in this recording", "choices[].delta.tool_calls exists and t > 2s"


class FindBar(QWidget):
    """Says `asked` when another query was made, `went(1)` or `went(-1)` for the next or the previous match, `closed`
    when it is to go.
    """

    asked = Signal()
    went = Signal(int)
    closed = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.history: list[str] = []
        """What was looked for before, the last one first."""
        self.saved = SavedFilters()
        self.fields: Callable[[], Iterable[str]] = list
        """The fields of the recording, to complete a field filter with."""
        self._place = -1
        self._typed = ""
        self._other = Query("", scope=FIELDS)
        """What was asked for last of the other kind: a text, or a field filter."""
        self._offers: Sequence[Offer] = ()
        self.setFixedHeight(HEIGHT)
        self.field = SearchField(look, HINT)
        self.field.setMaxLength(LONGEST)
        self.field.setMinimumWidth(LEAST_FIELD)
        self.field.setMaximumWidth(FIELD)
        self.case = self._toggle("Aa", "Match case")
        self.expression = self._toggle(".*", "Regular expression")
        self.presets = icon_button(look, "filter", "Filters to choose from")
        self.scope = Choice(look, "Where to find")
        for name, words in SCOPES:
            self.scope.addItem(words, name)
        self.previous = icon_button(look, "chevron-up", "Previous match", "Shift+F3")
        self.following = icon_button(look, "chevron-down", "Next match", "F3")
        self.count = label("", "ink.1", weight=600)
        self.remark = ElidedLabel("", "ink.3")
        self.meant = Button(look, "Did you mean…", "", "link")
        self.leave = icon_button(look, "close", "Close find", "Esc")
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 0, EDGE - 8, 1)
        row.setSpacing(4)
        row.addWidget(self.field, 3)
        for widget in (self.case, self.expression, self.presets):
            row.addWidget(widget)
        row.addSpacing(4)
        row.addWidget(self.scope)
        row.addSpacing(4)
        row.addWidget(self.previous)
        row.addWidget(self.following)
        row.addSpacing(8)
        row.addWidget(self.count)
        row.addSpacing(4)
        row.addWidget(self.remark, 2)
        row.addWidget(self.meant)
        row.addWidget(self.leave)
        self.field.textEdited.connect(self._edited)
        self.completion = Completion(self.field, lambda: self.fields())
        for toggle in (self.case, self.expression):
            toggle.toggled.connect(lambda _: self.asked.emit())
        self.scope.activated.connect(lambda _: self._turned())
        self.presets.clicked.connect(self._choose_filter)
        self.meant.clicked.connect(self._take_offer)
        self.previous.clicked.connect(lambda: self.went.emit(-1))
        self.following.clicked.connect(lambda: self.went.emit(1))
        self.leave.clicked.connect(self.closed)
        look.changed.connect(self.update)
        self.say("", "")
        self.offer(())
        self._dress()
        self.hide()

    def _turned(self) -> None:
        """Another scope was chosen."""
        self._dress()
        self.asked.emit()

    def _dress(self) -> None:
        """A field filter has other helps than a text."""
        fields = self.scope.currentData() == FIELDS
        for widget in (self.case, self.expression):
            widget.setVisible(not fields)
        self.presets.setVisible(fields)
        self.completion.active = fields
        self.field.setPlaceholderText(FIELD_HINT if fields else HINT)
        self.field.setMaximumWidth(2 * FIELD if fields else FIELD)

    def turn_to(self, fields: bool) -> bool:
        """Makes it a field filter, or a search in text, each with what was asked for last; gives whether it was not."""
        query, other = self.query, self._other
        if (query.scope == FIELDS) == fields:
            return False
        self.ask(other if (other.scope == FIELDS) == fields else Query("", scope=FIELDS if fields else "everything"))
        self._other = query
        return True

    def filter_by(self, text: str) -> None:
        """Asks for the events of which a field filter holds."""
        self.turn_to(True)
        self.show()
        self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.setCursorPosition(len(text))
        self.asked.emit()

    def _choose_filter(self) -> None:
        menu = filter_menu(self, self.saved, self.field.text(), self.filter_by)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.presets.mapToGlobal(QPoint(0, self.presets.height() + 2)))

    def offer(self, offers: Sequence[Offer]) -> None:
        """Shows a button for queries that may have been meant."""
        self._offers = offers
        self.meant.setVisible(bool(offers))
        if offers:
            as_text = len(offers) == 1 and offers[0].query.scope != FIELDS
            self.meant.setText(offers[0].words if as_text else "Did you mean…")
            self.meant.setAccessibleName(self.meant.text())

    def _take_offer(self) -> None:
        if len(self._offers) == 1 and self._offers[0].query.scope != FIELDS:
            self._take(self._offers[0].query)
            return
        menu = offer_menu(self, self._offers, self._take)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.meant.mapToGlobal(QPoint(0, self.meant.height() + 2)))

    def _take(self, query: Query) -> None:
        self.ask(query)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.asked.emit()

    def _toggle(self, words: str, name: str) -> Button:
        made = Button(self._look, words, "", "flat")
        made.setCheckable(True)
        made.setAccessibleName(name)
        tip(made, name)
        return made

    @property
    def query(self) -> Query:
        """What is asked for now."""
        return Query(self.field.text(), self.case.isChecked(), self.expression.isChecked(), self.scope.currentData())

    def ask(self, query: Query) -> None:
        """Shows a query, without saying so."""
        self.field.setText(query.text)
        for toggle, on in ((self.case, query.case), (self.expression, query.expression)):
            toggle.blockSignals(True)
            toggle.setChecked(on)
            toggle.blockSignals(False)
        self.scope.setCurrentIndex(self.scope.findData(query.scope))
        self._dress()

    def begin(self) -> None:
        """Shows the bar with all of the text chosen, ready to be replaced."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def remember(self) -> None:
        """Puts what is asked for on top of the history."""
        text = self.field.text()
        if text:
            self.history = [text, *(known for known in self.history if known != text)][:KEPT]
        self._place = -1

    def say(self, count: str, remark: str, ink: str = "ink.1", some: bool = False) -> None:
        """What was found, as `3 of 149`, and a quiet word about it. `some` says whether there is one to go to."""
        self.count.setText(count)
        self.count.setVisible(bool(count))
        set_ink(self.count, ink)
        self.remark.show_text(remark)
        self.setAccessibleDescription(f"{count} {remark}".strip())
        for button in (self.previous, self.following):
            button.setEnabled(some)

    def _edited(self) -> None:
        self._place = -1
        self.asked.emit()

    def _recall(self, step: int) -> None:
        """Brings back what was looked for before (1), or after that (-1); below the last one is what was typed."""
        if self._place < 0:
            self._typed = self.field.text()
        texts = [text for text in self.history if text != self._typed]
        place = min(max(self._place + step, -1), len(texts) - 1)
        if place != self._place:
            self._place = place
            self.field.setText(self._typed if place < 0 else texts[place])
            self.asked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key == Qt.Key.Key_Escape:
            self.closed.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.field.hasFocus():
            self.went.emit(-1 if shift else 1)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.field.hasFocus():
            self._recall(1 if key == Qt.Key.Key_Up else -1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("bg.panel"))
            painter.fillRect(QRect(0, HEIGHT - 1, self.width(), 1), theme.color("line.soft"))
