"""Every rule a lens can set: its key, what it means, what it may be; what differs from the reference is marked."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector_app.core.rules import RULES
from inspector_app.ui import fonts
from inspector_app.ui.compose.parts import heading, scrolled
from inspector_app.ui.controls import icon_button
from inspector_app.ui.icons import SMALL
from inspector_app.ui.labels import label, set_ink
from inspector_app.ui.lens_editor.fields import RuleField, reference_value
from inspector_app.ui.theme import Look

EDGE = 16
GROUPS = {
    "F": "How bytes become events",
    "A": "How events become blocks",
    "FA": "Repairs, and what findings do to it",
}
"""Stage of a rule -> its head."""


class RuleRow(QWidget):
    """One rule. `edited`: its value is another one."""

    edited = Signal()

    def __init__(self, look: Look, key: str) -> None:
        super().__init__()
        self._look, self.key = look, key
        self.field = RuleField(look, key)
        self._name = label(key, "ink.1", fonts.BODY, 600, wire=True)
        self._meaning = label(RULES[key].meaning, "ink.2", fonts.BODY)
        self._meaning.setWordWrap(True)
        self._meaning.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.reset = icon_button(look, "return", f"{key}: as the reference", size=SMALL)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self._name)
        head.addWidget(self.reset)
        head.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addLayout(head)
        words.addWidget(self._meaning)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 6, EDGE, 8)
        row.setSpacing(16)
        row.addLayout(words, 1)
        row.addWidget(self.field, 0, Qt.AlignmentFlag.AlignTop)
        self.reset.clicked.connect(self._reset)
        self.field.edited.connect(self._edited)
        look.changed.connect(self.update)
        self.show_value(reference_value(key))

    @property
    def value(self) -> Any:
        """What is set."""
        return self.field.value

    @property
    def differs(self) -> bool:
        """Whether it is another value than the reference's."""
        return bool(self.value != reference_value(self.key))

    def show_value(self, value: Any) -> None:
        """Set it without telling."""
        self.field.show_value(value)
        self._mark()

    def _mark(self) -> None:
        differs = self.differs
        self.reset.setVisible(differs)
        set_ink(self._name, "accent" if differs else "ink.1")
        self.update()

    def _edited(self) -> None:
        self._mark()
        self.edited.emit()

    def _reset(self) -> None:
        self.show_value(reference_value(self.key))
        self.edited.emit()

    def matches(self, typed: str) -> bool:
        """Whether words stand in its key, its sentence or its choices."""
        rule = RULES[self.key]
        text = f"{self.key} {rule.meaning} {' '.join(rule.values)}".casefold()
        return all(word in text for word in typed.casefold().split())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._look.theme
        with QPainter(self) as painter:
            if self.differs:
                painter.fillRect(self.rect(), theme.color("sel.soft"))
                painter.fillRect(0, 0, 3, self.height(), theme.color("accent"))
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line.soft"))


class RuleList(QWidget):
    """All rules, under a head for each stage. `edited`: one of them is another."""

    edited = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.rows: dict[str, RuleRow] = {}
        self._heads: dict[str, QWidget] = {}
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for stage, title in GROUPS.items():
            head = heading(title)
            head.setContentsMargins(EDGE, 8, EDGE, 0)
            head.setFixedHeight(36)
            self._heads[stage] = head
            column.addWidget(head)
            for key, rule in RULES.items():
                if rule.stage == stage:
                    row = self.rows[key] = RuleRow(look, key)
                    row.edited.connect(self.edited)
                    column.addWidget(row)
        self.nothing = label("No rule has these words.", "ink.3")
        self.nothing.setContentsMargins(EDGE, 12, EDGE, 12)
        self.nothing.hide()
        column.addWidget(self.nothing)
        column.addStretch(1)
        self.area: QScrollArea = scrolled(content, "pane")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.area)

    @property
    def rules(self) -> dict[str, Any]:
        """What differs from the reference, as a lens file gives it."""
        return {key: row.value for key, row in self.rows.items() if row.differs}

    def show_rules(self, rules: dict[str, Any]) -> None:
        """Set these and everything else as the reference has it."""
        for key, row in self.rows.items():
            row.show_value(rules.get(key, reference_value(key)))

    def filter(self, typed: str, only_changed: bool) -> None:
        """Show the rules that have these words, or those of them that differ."""
        shown = {key: row.matches(typed) and (row.differs or not only_changed) for key, row in self.rows.items()}
        for key, row in self.rows.items():
            row.setVisible(shown[key])
        for stage, head in self._heads.items():
            head.setVisible(any(shown[key] for key, rule in RULES.items() if rule.stage == stage))
        self.nothing.setVisible(not any(shown.values()))
