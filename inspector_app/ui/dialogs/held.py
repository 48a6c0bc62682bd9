"""Where the keyboard was before something that lies over the window took it, so that it goes back there as it was."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QWidget
from shiboken6 import isValid

from inspector_app.ui.controls import has_ring


class Held:
    """What has the keyboard in a window now, and whether it shows that."""

    def __init__(self, window: QWidget) -> None:
        held = self._widget = window.focusWidget()
        # Rows show where the keyboard is as soon as a key is pressed among them.
        self._ring = held is not None and (isinstance(held, QAbstractItemView) or has_ring(held))

    def give_back(self, taker: QWidget) -> None:
        """To be called before `taker` is hidden: otherwise the next control of the window gets the keyboard."""
        before = self._widget
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.ShortcutFocusReason if self._ring else Qt.FocusReason.OtherFocusReason)
        else:
            taker.clearFocus()
