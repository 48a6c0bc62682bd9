"""One field for each shape of a rule: what it takes, and the value as a lens file gives it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector_app.core.rules import RULES, Key, ReadingRules
from inspector_app.ui.compose.fields import Pairs
from inspector_app.ui.compose.parts import FormChoice, entry
from inspector_app.ui.labels import tip
from inspector_app.ui.theme import Look
from inspector_app.ui.toggle import Toggle

WIDTH = 260
_REFERENCE = ReadingRules()
_FINDING = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")


def reference_value(key: str) -> Any:
    """What the reference does, as a lens file would give it."""
    return plain(getattr(_REFERENCE, key))


def plain(value: Any) -> Any:
    """A value of `ReadingRules` as a lens file would give it."""
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


class RuleField(QWidget):
    """The field of a rule. `edited`: another value was chosen or typed."""

    edited = Signal()

    def __init__(self, look: Look, key: str) -> None:
        super().__init__()
        self.key = key
        self.rule: Key = RULES[key]
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setFixedWidth(WIDTH)
        self._made(look)

    def _made(self, look: Look) -> None:
        match self.rule.shape:
            case "choice":
                self._choice = FormChoice(look, self.key)
                usual = reference_value(self.key)
                for value in self.rule.values:
                    self._choice.addItem(f"{value} · reference" if value == usual else value, value)
                self._choice.activated.connect(lambda _: self.edited.emit())
                self._put(self._choice)
            case "flag":
                self._toggle = Toggle(look, self.key)
                self._toggle.toggled.connect(lambda _: self.edited.emit())
                self._put(self._toggle)
            case "table":
                self._pairs = Pairs(look, "finding", _check_finding)
                self._pairs.edited.connect(lambda _: self.edited.emit())
                self._column.addWidget(self._pairs)
            case _:
                self._entry = entry(self.key, _hint(self.rule))
                self._entry.textEdited.connect(lambda _: self.edited.emit())
                if self.rule.values:
                    tip(self._entry, f"Of: {', '.join(self.rule.values)}")
                self._column.addWidget(self._entry)

    def _put(self, widget: QWidget) -> None:
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(widget)
        row.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._column.addLayout(row)

    @property
    def value(self) -> Any:
        """What is set; a text that is none of the shape's values stands as it is, for the loader to refuse."""
        shape = self.rule.shape
        if shape == "choice":
            return self._choice.currentData()
        if shape == "flag":
            return self._toggle.isChecked()
        if shape == "table":
            return dict(self._pairs.pairs())
        text = self._entry.text().strip()
        if shape == "number":
            return int(text or 0) if not text or (text.isascii() and text.isdigit()) else text
        if shape == "text":
            return text
        if shape == "repairs" and text in ("", "all"):
            return "all"
        if shape == "repairs" and text == "none":
            return []
        return [word for part in text.split(",") if (word := part.strip())]

    def show_value(self, value: Any) -> None:
        """Set it without telling."""
        shape = self.rule.shape
        self.blockSignals(True)
        if shape == "choice":
            self._choice.setCurrentIndex(max(0, self._choice.findData(value)))
        elif shape == "flag":
            self._toggle.setChecked(bool(value))
        elif shape == "table":
            self._pairs.show_pairs(tuple(value.items()))
        else:
            self._entry.setText(_written(self.rule, value))
        self.blockSignals(False)


def _written(rule: Key, value: Any) -> str:
    if rule.shape == "repairs" and not isinstance(value, str):
        return ", ".join(value) if value else "none"
    if isinstance(value, list):
        return ", ".join(value)
    return "" if value in ("", 0) else str(value)


def _hint(rule: Key) -> str:
    return {"number": "no limit", "text": "none", "repairs": "all, none, or names with commas"}.get(
        rule.shape, "none, or words with commas"
    )


def _check_finding(name: str, text: str) -> str:
    """What is wrong with a pair of the two tables, in words."""
    if not _FINDING.fullmatch(name):
        return f"{name}: the name of a finding is wanted, as sse-no-space"
    return ""
