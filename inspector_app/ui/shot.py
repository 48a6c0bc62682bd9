"""The command `shot`: a picture of a recording without a screen."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QEvent, QEventLoop, QSize, Qt
from PySide6.QtWidgets import QApplication, QWidget

from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.text import number
from inspector_app.core.types import InputFault
from inspector_app.lenses import Lens
from inspector_app.lenses.run import knows
from inspector_app.ui.garbage import keep_to_this_thread
from inspector_app.ui.masked import masked
from inspector_app.ui.matrix.picture import MATRIX, MatrixScene, matrix_caption, scene_of
from inspector_app.ui.picture import CAPTION, caption, save_picture
from inspector_app.ui.scenes import Scene, show_at_least
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.shot_plan import NO_COMPARISON, Shot
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window

REST_S = 0.05
"""What is still to come when nothing is left to do comes within this time."""


def shoot(path: str, out: str, shot: Shot, kit: Kit, lenses: Mapping[str, Lens], **how: Any) -> None:
    """Write the picture of a recording to `out`.

    Raises InputFault where the recording or the choice cannot be used, OSError where the picture cannot be written;
    each with one line.
    """
    application = QApplication.instance() or QApplication(["stream-inspector"])
    assert isinstance(application, QApplication)
    keep_to_this_thread(application)
    QApplication.setEffectEnabled(Qt.UIEffect.UI_General, False)
    look = Look(application, shot.theme)
    size = QSize(shot.width, shot.height)
    shown: QWidget
    if shot.beside is not None:
        shown, words = _two(path, shot.beside, Window(kit, lenses, look, how), shot)
        save_picture(shown, look, words, out, shot.scale, size)
        _close(shown)
        return
    if shot.pane == "window":
        shown = window = Window(kit, lenses, look, how)
        show_at_least(window, QSize(size.width(), size.height() - CAPTION), window.minimumSize())
        session = window.open_path(path).session
        clean = _read(session, shot)
    else:
        session = Session(path, kit, lenses, **how)
        session.load()
        clean = _read(session, shot)
        shown = arranged(scene_of(session, look, shot.pane), size)
    words = (matrix_caption if shot.pane == MATRIX else caption)(session, clean)
    save_picture(shown, look, words, out, shot.scale, size)
    _close(shown)


def _close(shown: QWidget) -> None:
    shown.close()
    shown.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _two(path: str, beside: str, window: Window, shot: Shot) -> tuple[QWidget, str]:
    """The window that compares two recordings without keys in them, and the caption of its picture."""
    show_at_least(window, QSize(shot.width, shot.height - CAPTION), window.minimumSize())
    page = window.pairs.compare(path, beside)
    while page.busy:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    fault = next((side.error for side in page.sides if side.error is not None), None)
    if fault is not None:
        raise InputFault(fault)
    if page.outcome is None:
        raise InputFault(f"{path}: {page.nothing()[2]}")
    settle()
    if shot.event is not None:
        _check_event(path, shot.event, len(page.sides[0].rows.counts))
        page.sides[0].selection.select(Selection(shot.event), None)
        settle()
    work = window.pairs.clean_of(page, False)
    while True:
        try:
            next(work)
            settle()
        except StopIteration as done:
            clean, words = done.value
            settle()
            return clean or window, words


def arranged(scene: Scene | MatrixScene, size: QSize) -> Scene | MatrixScene:
    """The scene as a picture of `size` shows it."""
    settle()
    scene.show_at(size)
    settle()
    scene.show_around()
    settle()
    return scene


def _read(session: Session, shot: Shot) -> bool:
    """Reads and compares, and selects what was asked for. True where keys in the body were masked."""
    if shot.lens is not None or shot.other is not None:
        session.choose(shot.lens, None if shot.other == NO_COMPARISON else shot.other)
    _wait(session)
    reference = session.reference
    assert reference is not None
    for lens in (session.lenses.get(name or "") for name in (session.primary, session.secondary)):
        if lens is not None and not knows(lens, reference):
            raise InputFault(f"{session.path}: lens {lens.name} does not read {reference.dialect} streams")
    count = len(reference.events)
    if shot.event is not None:
        _check_event(session.path, shot.event, count)
    clean = masked(reference)
    if clean is not None:
        session.selection.select(None, None)
        session.open_exchanges([clean])
        _wait(session)
    current = session.selection.current
    if shot.event is not None:
        session.selection.select(Selection(shot.event), None)
    elif count and (current is None or current == Selection(0)):
        session.selection.select(Selection(_telling(session, reference)), None)
    settle()
    return clean is not None


def _check_event(path: str, event: int, count: int) -> None:
    if not 0 <= event < count:
        raise InputFault(f"{path}: there is no event {event}; it has {number(count)}, counted from 0")


def _telling(session: Session, reference: Reading) -> int:
    """The event that a picture is about: where the readings part, else where the worst finding is."""
    difference = session.difference
    if difference is not None and difference.first_difference is not None:
        return min(difference.first_difference.event, reference.last_event)
    return next((finding.events[0] for finding in reference.findings if len(finding.events)), 0)


def _wait(session: Session) -> None:
    while session.error is None and not (session.complete and session.idle):
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    if session.error is not None:
        raise InputFault(session.error)
    settle()


def settle() -> None:
    """Until the views have done what they put off."""
    dispatcher = QAbstractEventDispatcher.instance()
    for rest in (REST_S, 0):
        while dispatcher.processEvents(QEventLoop.ProcessEventsFlag.AllEvents):
            pass
        time.sleep(rest)
