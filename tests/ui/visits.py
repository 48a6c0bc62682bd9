"""What a restless user does in the window: random actions, the same ones in every run."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QComboBox, QMenu, QSplitter, QWidget

from inspector_app.lenses import REFERENCE
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.selection import Selection
from inspector_app.ui.window import Window

SIZES = ((1024, 700), (1280, 800), (1600, 1000), (1920, 1200))
LEAVING = (
    "Quit", "Close", "Open", "Go live…", "Send this again…", "Paste", "Save picture", "Start page", "Theme", "Recent",
    "Gallery", "Tab",
)  # fmt: skip
"""Families of commands that lead away from the page, or take longer than the rest of the visit."""
KEYS = (
    *(Qt.Key(key) for key in range(Qt.Key.Key_A.value, Qt.Key.Key_Z.value + 1)),
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
    Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space, Qt.Key.Key_Tab,
    Qt.Key.Key_Period, Qt.Key.Key_Comma, Qt.Key.Key_Slash, Qt.Key.Key_Question, Qt.Key.Key_F3, Qt.Key.Key_F6,
    Qt.Key.Key_F8, Qt.Key.Key_Backspace, Qt.Key.Key_Delete,
)  # fmt: skip
NONE = Qt.KeyboardModifier.NoModifier
MODIFIERS = (NONE, NONE, NONE, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier)
Action = Callable[[Window, RecordingPage, Random], None]


def _targets(page: RecordingPage) -> list[QWidget]:
    """Everything of the page that can be pointed at; of a scroll area its viewport."""
    shown = [widget for widget in page.findChildren(QWidget) if widget.isVisible()]
    targets = [widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget for widget in shown]
    return [widget for widget in targets if widget.width() > 2 and widget.height() > 2]


def _leads_away(page: RecordingPage, widget: QWidget) -> bool:
    """Whether something of the page closes it: the answer to whether notes are to be kept does."""
    return isinstance(page, RecordingPage) and page.notes.strip.isAncestorOf(widget)


def _place(widget: QWidget, random: Random) -> QPoint:
    return QPoint(random.randrange(widget.width()), random.randrange(widget.height()))


def _mouse(widget: QWidget, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton, held: Qt.KeyboardModifier) -> None:
    down = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    place = QPointF(at)
    event = QMouseEvent(kind, place, QPointF(widget.mapToGlobal(at)), button, down, held)
    QApplication.sendEvent(widget, event)


def click(window: Window, page: RecordingPage, random: Random) -> None:
    """Press somewhere, perhaps draw, and let go; rarely twice."""
    widget, held = random.choice(_targets(page)), random.choice(MODIFIERS)
    if widget in (page.open_button, page.picture_button, page.toolbar.live) or _leads_away(page, widget):
        return
    left, start = Qt.MouseButton.LeftButton, _place(widget, random)
    kind = QEvent.Type.MouseButtonDblClick if random.random() < 0.1 else QEvent.Type.MouseButtonPress
    _mouse(widget, kind, start, left, held)
    end = _place(widget, random) if random.random() < 0.2 else start
    if end != start:
        _mouse(widget, QEvent.Type.MouseMove, end, left, held)
    _mouse(widget, QEvent.Type.MouseButtonRelease, end, left, held)


def hover(window: Window, page: RecordingPage, random: Random) -> None:
    """Move over something."""
    widget = random.choice(_targets(page))
    _mouse(widget, QEvent.Type.MouseMove, _place(widget, random), Qt.MouseButton.NoButton, NONE)


def press(window: Window, page: RecordingPage, random: Random) -> None:
    """Press a key where the keyboard is, or anywhere."""
    widget = window.focusWidget()
    if widget is None or random.random() >= 0.7:
        takers = (child for child in page.findChildren(QWidget) if child.focusPolicy() & Qt.FocusPolicy.TabFocus)
        widget = random.choice(list(takers))
    if _leads_away(page, widget):
        return
    key, held = random.choice(KEYS), random.choice(MODIFIERS)
    letter = chr(key.value).lower() if key.value < 0x7F and held == NONE else ""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, key, held, letter))


def wheel(window: Window, page: RecordingPage, random: Random) -> None:
    """Turn the wheel, with or without Ctrl."""
    widget = random.choice(_targets(page))
    held = random.choice((NONE, NONE, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier))
    at, turn = QPointF(_place(widget, random)), QPoint(0, random.choice((-480, -120, 120, 480)))
    button, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, QPointF(widget.mapToGlobal(at.toPoint())), QPoint(), turn, button, held, phase, False)
    QApplication.sendEvent(widget, event)


def run_command(window: Window, page: RecordingPage, random: Random) -> None:
    """Do anything that is offered."""
    command = random.choice(window.commands())
    if not command.words.startswith(LEAVING):
        command.run()


def select(window: Window, page: RecordingPage, random: Random) -> None:
    """Select any event, or nothing."""
    reading = page.session.reference
    if reading is not None and len(reading.events):
        event = random.randrange(len(reading.events))
        page.session.selection.select(Selection(event) if random.random() < 0.95 else None, window)


def read_otherwise(window: Window, page: RecordingPage, random: Random) -> None:
    """Choose other readers."""
    names = [REFERENCE, *page.session.lenses]
    page.session.choose(random.choice(names), random.choice([None, *names]))


def choose(window: Window, page: RecordingPage, random: Random) -> None:
    """Choose something in a list, without opening it."""
    box = random.choice(page.findChildren(QComboBox))
    if box.count() and box.isEnabled():
        box.setCurrentIndex(random.randrange(box.count()))
        box.activated.emit(box.currentIndex())


def draw_line(window: Window, page: RecordingPage, random: Random) -> None:
    """Move the line between two parts."""
    splitter = random.choice(page.findChildren(QSplitter))
    splitter.setSizes([random.randrange(600) for _ in range(splitter.count())])
    splitter.splitterMoved.emit(splitter.sizes()[0], 1)


def resize(window: Window, page: RecordingPage, random: Random) -> None:
    """Make the window another size."""
    window.resize(*random.choice(SIZES))


def stand_alone(window: Window, page: RecordingPage, random: Random) -> None:
    """Let the timeline stand alone, or bring the panes back."""
    page.alone.turn()


def menu(window: Window, page: RecordingPage, random: Random) -> None:
    """Ask for the context menu of something and choose an entry of it."""
    widget = random.choice(_targets(page))
    at = _place(widget, random)
    QApplication.sendEvent(widget, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at)))
    shown = QApplication.activePopupWidget()
    if isinstance(shown, QMenu):
        entries = [entry for entry in shown.actions() if entry.isEnabled() and not entry.isSeparator()]
        if entries and random.random() < 0.5:
            random.choice(entries).trigger()
        shown.close()


ACTIONS: dict[Action, int] = {
    click: 30, press: 30, hover: 10, wheel: 10, run_command: 8, select: 5, menu: 4, choose: 2, draw_line: 1, resize: 1,
    read_otherwise: 1, stand_alone: 1,
}  # fmt: skip
"""What is done -> how often, of about a hundred times."""


def wander(window: Window, page: RecordingPage, actions: int, seed: str) -> None:
    """Do so many random things with a page."""
    random = Random(seed)
    for action in random.choices(list(ACTIONS), list(ACTIONS.values()), k=actions):
        action(window, page, random)
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
        QApplication.processEvents()
        # A copy that was asked for opens when it is written.
        if window.page() is not page:
            window.deck.show_page(page)
