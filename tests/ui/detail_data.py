"""What the tests of the detail pane share: how it is shown, and what stands in it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.detail import DetailView

Show = Callable[[Session], DetailView]
DELTA = "/choices/0/delta"
CTRL, LEFT = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.LeftButton


def shown(qtbot: QtBot, look: Look, session: Session) -> DetailView:
    """The details of a session in a window that has the focus."""
    view = DetailView(session, look)
    qtbot.addWidget(view)
    view.resize(960, 400)
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    view.json.tree.setFocus()
    return view


def body(data: bytes) -> Exchange:
    return Exchange("stream.sse", "sse-body", MemoryBody(data))


def select(session: Session, n: int, pointer: str | None = None) -> None:
    assert session.reference is not None
    start, end = session.reference.place(n, pointer)
    session.selection.select(Selection(n, pointer=pointer, start=start, end=end), None)


def current(session: Session) -> Selection:
    assert session.selection.current is not None
    return session.selection.current


def rows(view: DetailView) -> list[str]:
    """The rows of the tree that are unfolded, as they read."""
    found: list[str] = []

    def walk(parent: QModelIndex) -> None:
        for row in range(view.json.tree.json.rowCount(parent)):
            index = view.json.tree.json.index(row, 0, parent)
            found.append(index.data())
            if view.json.tree.isExpanded(index):
                walk(index)

    walk(QModelIndex())
    return found


def facts(view: DetailView) -> dict[str, str]:
    """The facts of the page in view that are no heads."""
    return {fact.label: fact.value for fact in view._page.sheet.facts}  # type: ignore[union-attr]


def colours(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(image.width()) for y in range(0, image.height(), 2)}


def page(view: DetailView, name: str) -> dict[str, str]:
    view.show_page(name)
    return facts(view)
