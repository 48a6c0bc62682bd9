"""What a page of two recordings offers to do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from inspector_app.ui.commands import Command
from inspector_app.ui.pair.head import ALIGNMENTS

if TYPE_CHECKING:
    from inspector_app.ui.pair.page import PairPage

NO_DIFFERENCE = "needs two recordings that differ"
NOT_COMPARED = "needs two recordings that are compared"


def commands_of(page: PairPage) -> list[Command]:
    """The commands of a page."""
    group, view = "Two recordings", page.toolbar.view

    def differs() -> bool:
        return bool(page.table.differences.rows)

    def compared() -> bool:
        return page.outcome is not None

    def unasked() -> bool:
        return page.outcome is not None and page.outcome.asked is None

    def align(by: str) -> Command:
        can = partial(page.can_align, by)
        return Command(f"Align by: {by.lower()}", group, partial(page.choose_alignment, by), (), can, "needs times")

    own = {"X", "T", "B"}
    # The axis goes with the alignment here.
    timeline = [command for command in page.timelines.timelines[0].commands() if not own & {*command.keys}]
    return [
        Command("Next difference", group, partial(page.turn, 1), ("F8",), differs, NO_DIFFERENCE),
        Command("Previous difference", group, partial(page.turn, -1), ("Shift+F8",), differs, NO_DIFFERENCE),
        Command("Swap the two recordings", group, page.swap, ("X",)),
        Command("Align by the next of block, event and time", group, page.next_alignment, ("T",)),
        *map(align, ALIGNMENTS),
        Command("Raw lines or blocks", group, lambda: view.setCurrentIndex(1 - view.currentIndex()), ("B",)),
        Command("Which clients read one otherwise?", group, page.ask_clients, (), unasked, "all have read both"),
        Command("Copy the differences as Markdown", group, page.copy_markdown, ("Ctrl+R",), compared, NOT_COMPARED),
        *timeline,
        Command("Next part of the window", "Go to", partial(focus_beside, page, 1), ("F6",)),
        Command("Previous part of the window", "Go to", partial(focus_beside, page, -1), ("Shift+F6",)),
    ]


def focus_beside(page: PairPage, step: int) -> None:
    """Gives the keyboard to the next part (1) or the one before (-1), round and round."""
    panes = [side.shown for side in page.panes.sides]
    parts = [page.toolbar.align, *page.timelines.timelines, page.table, *panes]
    parts = [part for part in parts if part.isVisible()]
    held = page.window().focusWidget()
    here = next((n for n, part in enumerate(parts) if held is part), -1 if step > 0 else 0)
    if parts:
        parts[(here + step) % len(parts)].setFocus(Qt.FocusReason.ShortcutFocusReason)
