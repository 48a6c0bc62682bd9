"""What is known of a provider beyond its address: how it is told to think, and what is odd about its streams."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from inspector_app.core.text import clip, visible
from inspector_app.live.providers import Provider
from inspector_app.ui import fonts
from inspector_app.ui.compose.parts import emptied, scrolled
from inspector_app.ui.labels import label

LONGEST = 500


class KnowledgePane(QWidget):
    """A quiet column of text, with the public source of each line."""

    def __init__(self) -> None:
        super().__init__()
        content = QWidget()
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(16, 12, 16, 24)
        self._column.setSpacing(4)
        self.area = scrolled(content, "panel")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.area)

    def show_knowledge(self, provider: Provider) -> None:
        """Shows what is known; nothing at all takes the column away."""
        emptied(self._column)
        knows = provider.knows
        reasoning = knows.reasoning
        parts = [
            ("About", [(knows.note, knows.docs)] if knows.note or knows.docs else []),
            ("Reasoning", [(", ".join(reasoning.levels), ""), (reasoning.note, reasoning.source)]),
            ("Known of its streams", [(quirk.text, quirk.source) for quirk in knows.quirks]),
        ]
        some = False
        for head, lines in parts:
            shown = [(words, source) for words, source in lines if words or source]
            if not shown:
                continue
            if some:
                self._column.addSpacing(16)
            some = True
            self._add(head, "ink.1", fonts.BODY, 600)
            for words, source in shown:
                if words:
                    self._add(words, "ink.2", fonts.BODY)
                if source:
                    self._add(source, "ink.3", fonts.SECONDARY)
                    self._column.addSpacing(6)
        self._column.addStretch(1)
        self.setVisible(some)

    def _add(self, words: str, ink: str, px: int, weight: int = 400) -> None:
        shown = label(visible(clip(words, LONGEST)), ink, px, weight)
        shown.setWordWrap(True)
        shown.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        shown.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._column.addWidget(shown)
