"""Searches for garbage on the thread of the interface alone.

Left to itself, the interpreter does it in whichever thread happens to make an object. What Qt owns lies in cycles, so a
thread that reads a file destroyed timers and watchers under the event loop: that corrupts the heap, and the program
dies later, somewhere else.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QCoreApplication, QObject, QTimer

EACH_MS, REST_MS = 100, 250
"""Between two looks; after a tab has gone, before all is looked through."""


class Garbage(QObject):
    """Does for an application what the interpreter does no longer from here on, by the interpreter's own thresholds."""

    def __init__(self, application: QObject) -> None:
        super().__init__(application)
        gc.disable()
        gc.freeze()  # The modules stay.
        self._looks, self.sweeps = QTimer(self), QTimer(self)
        self._looks.timeout.connect(self._look)
        self._looks.start(EACH_MS)
        self.sweeps.setSingleShot(True)
        self.sweeps.setInterval(REST_MS)
        self.sweeps.timeout.connect(sweep)

    def _look(self) -> None:
        grown = (count > most for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True))
        oldest = max((generation for generation, due in enumerate(grown) if due), default=None)
        if oldest is not None:
            gc.collect(oldest)


def keep_to_this_thread(application: QObject) -> None:
    """Search for garbage on this thread only, as long as the application lives."""
    if application.findChild(Garbage) is None:
        Garbage(application)


def sweep() -> None:
    """Give back what nobody uses any more, also of what was held for good while recordings were read."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def sweep_soon() -> None:
    """The same when what is about to be destroyed is gone."""
    application = QCoreApplication.instance()
    garbage = application.findChild(Garbage) if application is not None else None
    if isinstance(garbage, Garbage):
        garbage.sweeps.start()
