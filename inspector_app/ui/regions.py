"""The parts of a page that the keyboard goes through: which there are, which has it, how to give it to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from inspector_app.ui.page import RecordingPage

PANES = ("raw lines", "deltas", "blocks")


def regions_of(page: RecordingPage) -> dict[str, tuple[QWidget, QWidget]]:
    """Each part by its name: all of it, and what takes the keyboard in it."""
    toolbar, timeline = (page.toolbar, page.open_button), (page.timeline, page.timeline)
    if page.alone.on:
        return {"toolbar": toolbar, "timeline": timeline, **page.alone.regions()}
    blocks = page.panes.cards if page.panes.reading_view else page.panes.blocks
    return {
        "toolbar": toolbar,
        "timeline": timeline,
        "raw lines": (page.panes.raw, page.panes.raw),
        "deltas": (page.panes.deltas, page.panes.deltas),
        "blocks": (blocks, blocks),
        "findings": (page.findings, page.findings.rows),
        "detail": (page.detail, page.detail.head.tabs),
    }


def focus_region(page: RecordingPage, name: str) -> bool:
    """Gives the keyboard to a part of the page; whether it took it."""
    if name in PANES:
        page.panes.focus_pane(PANES.index(name))
    taker = regions_of(page)[name][1]
    taker.setFocus(Qt.FocusReason.ShortcutFocusReason)
    return taker.isVisible()


def region_in(page: RecordingPage) -> str | None:
    """The part that has the keyboard."""
    held = page.window().focusWidget()
    if held is None:
        return None
    regions = regions_of(page).items()
    return next((name for name, (whole, _) in regions if whole is held or whole.isAncestorOf(held)), None)


def focus_beside(page: RecordingPage, step: int) -> None:
    """Gives the keyboard to the next part (1) or the one before (-1), round and round."""
    names = list(regions_of(page))
    here = region_in(page)
    at = names.index(here) if here is not None else -1 if step > 0 else 0
    for distance in range(1, len(names) + 1):
        if focus_region(page, names[(at + step * distance) % len(names)]):
            return
