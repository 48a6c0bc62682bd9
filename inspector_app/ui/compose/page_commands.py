"""What the page of a request offers to do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector_app.ui.commands import Command
from inspector_app.ui.compose.frame import SEND_KEYS

if TYPE_CHECKING:
    from inspector_app.ui.compose.page import ComposePage

GROUP = "Request"


def commands_of(page: ComposePage) -> list[Command]:
    """The commands of a page, in the order of its menu."""
    json, messages = page.json, page.form.messages

    def editing() -> bool:
        return page.edits_provider

    def asking() -> bool:
        return not page.edits_provider

    return [
        Command(
            "Send", GROUP, page.send, (SEND_KEYS, "Ctrl+Enter"), asking, "the form of a provider is open", menu=True
        ),
        Command("Copy request as curl", GROUP, page.copy_curl, ("Ctrl+Shift+U",), menu=True),
        Command("Import curl command", GROUP, page.paste_curl, ("Ctrl+U",), menu=True),
        Command("Test connection", GROUP, page.side.try_it, ("Ctrl+Shift+T",), asking, menu=True),
        Command("Add message", GROUP, messages.append, ("Ctrl+M",), asking),
        Command("Move message up", GROUP, partial(messages.move_focused, -1), ("Alt+Up",), asking),
        Command("Move message down", GROUP, partial(messages.move_focused, 1), ("Alt+Down",), asking),
        Command("Undo change of the request", GROUP, json.field.undo, ("Ctrl+Z",), asking),
        Command("Redo change of the request", GROUP, json.field.redo, ("Ctrl+Shift+Z", "Ctrl+Y"), asking),
        Command("Edit the provider", GROUP, page.side.ask_edit, ("Ctrl+E",), asking),
        Command("Save the provider", GROUP, lambda: page.provider_form.keep(), ("Ctrl+S",), editing),
        Command("Close the form of the provider", GROUP, page.show_request, ("Esc",), editing, late=True),
        Command("Next part of the window", "Go to", partial(_beside, page, 1), ("F6",)),
        Command("Previous part of the window", "Go to", partial(_beside, page, -1), ("Shift+F6",)),
    ]


def _beside(page: ComposePage, step: int) -> None:
    """Gives the keyboard to the next part, or the one before."""
    middle: list[tuple[QWidget, QWidget]] = [(page.form, page.form.model), (page.json, page.json.field)]
    if page.edits_provider:
        middle = [(page.provider_form, page.provider_form.fields["name"])]
    parts = [(page.toolbar, page.toolbar.send), (page.side, page.side.choice), *middle]
    held = page.window().focusWidget()
    here = next((n for n, (whole, _) in enumerate(parts) if held is not None and whole.isAncestorOf(held)), -1)
    parts[(here + step) % len(parts)][1].setFocus(Qt.FocusReason.ShortcutFocusReason)
