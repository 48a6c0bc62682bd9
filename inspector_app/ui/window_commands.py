"""What the window offers to do, whatever page is in view: recordings, pictures, theme, tabs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from inspector_app.ui.commands import Command
from inspector_app.ui.theme import CHOICES

if TYPE_CHECKING:
    from inspector_app.ui.window import Window

NEEDS_PAGE = "needs a recording"
MOST_TABS = 9


def commands_of(window: Window) -> list[Command]:
    """The commands of a window, in the order of its menu."""
    return [
        *_recording(window),
        *window.composing.commands(),
        *window.proxying.commands(),
        *window.replaying.commands(),
        *window.asides.commands(),
        *window.everywhere.commands(),
        *window.pairs.commands(),
        *_picture(window),
        *_theme(window),
        *_help(window),
        *_tabs(window),
        *_known(window),
    ]


def _recording(window: Window) -> list[Command]:
    group, deck = "Recording", window.deck
    return [
        Command("Open…", group, window.ask_open, ("Ctrl+O",), menu=True),
        Command("Paste a stream", group, window.paste, ("Ctrl+V",), menu=True),
        Command("Start page", group, deck.show_start, ("Ctrl+T",), menu=True),
    ]


def _picture(window: Window) -> list[Command]:
    def some() -> bool:
        request = window.composing.page()
        sheet = window.deck.sheet()
        return not request.edits_provider if request is not None else getattr(sheet, "drawable", sheet is not None)

    needs = "needs a recording, a request or a comparison in view"
    return [
        Command("Save picture…", "Picture", window.ask_picture, ("Ctrl+Shift+S",), some, needs, menu=True),
        Command("Copy picture", "Picture", window.copy_picture, ("Ctrl+Shift+C",), some, needs, menu=True),
    ]


def _theme(window: Window) -> list[Command]:
    look = window.look

    def command(choice: str) -> Command:
        does = partial(window.choose_theme, choice)
        return Command(f"Theme: {choice}", "Theme", does, menu=True, checked=lambda: look.choice == choice)

    turn = Command("Turn between light and dark", "Theme", partial(_turn_theme, window), ("Ctrl+Shift+L",))
    return [*map(command, CHOICES), turn]


def _turn_theme(window: Window) -> None:
    window.choose_theme("light" if window.look.theme.name == "dark" else "dark")


def _help(window: Window) -> list[Command]:
    palette, places = window.command_palette.open, partial(window.command_palette.open, True)
    some = partial(_has_page, window)
    return [
        Command("Find a command…", "Go to", palette, ("Ctrl+K", "Ctrl+Shift+P"), menu=True),
        Command("Go to an event, line or byte…", "Go to", places, ("Ctrl+G",), some, NEEDS_PAGE),
        Command("All keys", "Go to", window.key_list.open, ("?", "F1"), menu=True),
    ]


def _tabs(window: Window) -> list[Command]:
    group, tabs, turn = "Window", window.tabs, window.deck.turn
    more = partial(_has_tabs, window)
    return [
        Command("Next tab", group, partial(turn, 1), ("Ctrl+Tab", "Ctrl+PgDown"), more),
        Command("Previous tab", group, partial(turn, -1), ("Ctrl+Shift+Tab", "Ctrl+PgUp"), more),
        *(_tab(window, number) for number in range(MOST_TABS)),
        Command("Close tab", group, lambda: window.close_page(tabs.currentIndex()), ("Ctrl+W", "Ctrl+F4"), menu=True),
        Command("Quit", group, window.close, ("Ctrl+Q",), menu=True),
    ]


def _tab(window: Window, number: int) -> Command:
    tabs = window.tabs
    there = number < tabs.count()
    title = tabs.tabText(number) if there else ""
    go = partial(tabs.setCurrentIndex, number)
    return Command(f"Tab: {number + 1}", "Window", go, (f"Ctrl+{number + 1}",), lambda: there, remark=title)


def _known(window: Window) -> list[Command]:
    """The recordings that can be opened without looking for them."""
    recent = [
        Command(f"Open recent: {Path(entry.path).name}", "Recording", partial(window.show_path, entry.path),
                remark=str(Path(entry.path).parent))
        for entry in window.settings.recent()
    ]  # fmt: skip
    examples = [
        Command(f"Open example: {card.title}", "Recording", partial(window.show_path, card.path))
        for card in window.start.gallery.cards
    ]
    return [*recent, *examples]


def _has_page(window: Window) -> bool:
    return window.page() is not None


def _has_tabs(window: Window) -> bool:
    return window.tabs.count() > 1
