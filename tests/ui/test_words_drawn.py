"""Words that are kept shaped, and labels of lanes that are kept as pictures, look as if drawn anew."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from pytestqt.qtbot import QtBot

from inspector_app.ui import fonts
from inspector_app.ui.labels import draw_text
from inspector_app.ui.theme import Look, Theme
from inspector_app.ui.timeline.model import Lane
from inspector_app.ui.timeline.page import paint_label

TEXTS = (
    '"delta":{"content":"-> != =>"}', "12,345", "AV fi fl", "  a  b ", "tab\there", "x" * 300, "naïve",
    "答えは 42", "😀", "שלום abc", "",
)  # fmt: skip


def blank(ratio: float) -> QImage:
    image = QImage(round(600 * ratio), round(40 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.black)
    return image


@pytest.mark.parametrize("ratio", (1.0, 1.25, 2.0))
@pytest.mark.parametrize("text", TEXTS)
def test_words_look_like_words_that_qt_draws(qtbot: QtBot, text: str, ratio: float) -> None:
    sizes: list[QFont] = [fonts.wire_font(12), fonts.ui_font(11, 600), fonts.ui_font(12, italic=True)]
    for font in sizes:
        ours, theirs = blank(ratio), blank(ratio)
        for _ in range(2):  # the second time from what is kept
            with QPainter(ours) as painter:
                width = draw_text(painter, 8, 24, text, font, QColor("white"))
        with QPainter(theirs) as painter:
            for _ in range(2):
                painter.setFont(font)
                painter.setPen(QColor("white"))
                painter.drawText(QPointF(8, 24), text)
        assert ours == theirs, font.family()
        assert width == fonts.text_width(font, text)


@pytest.mark.parametrize("ratio", (1.0, 2.0))
def test_a_label_that_is_kept_tells_what_the_lane_says_now(look: Look, ratio: float) -> None:
    def drawn(theme: Theme, lane: Lane) -> QImage:
        image = blank(ratio)
        with QPainter(image) as painter:
            paint_label(painter, theme, lane, 3)
        return image

    theme = look.theme
    first = drawn(theme, Lane("events", "Events", note="12"))
    assert first == drawn(theme, Lane("events", "Events", note="12"))
    others = (
        Lane("events", "Events", note="13"), Lane("events", "Event", note="12"),
        Lane("events", "Events", note="12", badge="2"), Lane("events", "Events", note="12", icon="text"),
        Lane("events", "Events", note="12", pinned=True),
    )  # fmt: skip
    for lane in others:
        assert drawn(theme, lane) != first, lane
