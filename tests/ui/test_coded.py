"""A line with code in it ends in dots where it is cut, never at the border of the code."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from inspector_app.ui import coded, fonts

TEXT = "no space after `data:` here"


def drawn(monkeypatch: pytest.MonkeyPatch, text: str, room: float) -> str:
    """The words that are painted."""
    found: list[str] = []

    def note(painter: QPainter, at: float, base: int, words: str, font: object, ink: object) -> float:
        found.append(words)
        return float(fonts.text_width(font, words))

    monkeypatch.setattr(coded, "draw_text", note)
    image = QImage(8, 8, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    coded.draw_coded(painter, 0, 8, text, room, QColor("black"))
    painter.end()
    return "".join(found)


def test_a_cut_is_seen_wherever_it_falls(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = TEXT.replace("`", "")
    for room in range(20, 400):
        words = drawn(monkeypatch, TEXT, room)
        assert words == whole or words.endswith("…"), room
    assert drawn(monkeypatch, TEXT, 400) == whole


def test_code_at_the_end_needs_no_room_for_dots(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    before, code = fonts.ui_font(fonts.BODY), fonts.wire_font(fonts.BODY)
    room = fonts.text_width(before, "after ") + fonts.text_width(code, "data:")
    assert drawn(monkeypatch, "after `data:`", room) == "after data:"
