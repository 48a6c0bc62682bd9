"""What the window offers to do, whatever page is in view: recordings, pictures, theme, tabs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector_app.ui.commands import Command
from inspector_app.ui.theme import CHOICES

if TYPE_CHECKING:
    from inspector_app.ui.window import Window

NEEDS_PAGE = "needs a recording"


def commands_of(window: Window) -> list[Command]:
    """The commands of a window, in the order of its menu."""
    return [*_recording(window), *_picture(window), *_theme(window), *_leave(window)]


def _recording(window: Window) -> list[Command]:
    group, deck = "Recording", window.deck
    return [
        Command("Open…", group, window.ask_open, ("Ctrl+O",), menu=True),
        Command("Paste a stream", group, window.paste, ("Ctrl+V",), menu=True),
        Command("Start page", group, deck.show_start, ("Ctrl+T",), menu=True),
    ]


def _picture(window: Window) -> list[Command]:
    some = partial(_has_page, window)
    return [
        Command("Save picture…", "Picture", window.ask_picture, ("Ctrl+Shift+S",), some, NEEDS_PAGE, menu=True),
        Command("Copy picture", "Picture", window.copy_picture, ("Ctrl+Shift+C",), some, NEEDS_PAGE, menu=True),
    ]


def _theme(window: Window) -> list[Command]:
    look = window.look

    def command(choice: str) -> Command:
        does = partial(window.choose_theme, choice)
        return Command(f"Theme: {choice}", "Theme", does, menu=True, checked=lambda: look.choice == choice)

    return [command(choice) for choice in CHOICES]


def _leave(window: Window) -> list[Command]:
    close = partial(_close_tab, window)
    return [
        Command("Close tab", "Window", close, ("Ctrl+W", "Ctrl+F4"), menu=True),
        Command("Quit", "Window", window.close, ("Ctrl+Q",), menu=True),
    ]


def _has_page(window: Window) -> bool:
    return window.page() is not None


def _close_tab(window: Window) -> None:
    window.close_page(window.tabs.currentIndex())
