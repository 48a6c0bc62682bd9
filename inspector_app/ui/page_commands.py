"""What a page offers to do with its recording, besides what its views offer themselves."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from inspector_app.core.text import number
from inspector_app.lenses import REFERENCE
from inspector_app.ui.commands import Command, always
from inspector_app.ui.regions import focus_beside, focus_region, regions_of
from inspector_app.ui.selection import Selection
from inspector_app.ui.views.copy_menu import copy_commands

if TYPE_CHECKING:
    from inspector_app.ui.page import RecordingPage

NO_COMPARISON = "needs a comparison"
NOT_READ = "needs a recording that is read to its end"
NOTHING_TO_UNDO = "nothing has been changed"
JUMPS = re.compile(r"(?:(e|event|l|line|b|byte)s?)?\s*:?\s*(\d{1,18})", re.IGNORECASE)
"""What is typed to go to an event, a line or a byte."""


def commands_of(page: RecordingPage) -> list[Command]:
    """The commands of a page; those of its views come between."""
    # While the find bar is open Escape closes it before it clears anything.
    found = [*page.find.commands(), *_findings(page), *page.playback.commands()]
    timeline, copying = page.timeline.commands(), copy_commands(page.session)
    places = [*_regions(page), *page.detail.commands(), *_responses(page)]
    return [*found, *page.notes.commands(), *_readers(page), *_views(page), *timeline, *copying, *places]


def _findings(page: RecordingPage) -> list[Command]:
    """Those of the list; in playback the next finding is the next one in time."""
    turns = {"Next finding": 1, "Previous finding": -1} if page.playback.player.active else {}
    return [
        replace(command, does=partial(page.turn_finding, step), enabled=always)
        if (step := turns.get(command.words)) is not None
        else command
        for command in page.findings.commands()
    ]


def _views(page: RecordingPage) -> list[Command]:
    group, history, panes = "View", page.history, page.panes
    undo, redo = ("Ctrl+Z", "Alt+Left"), ("Ctrl+Shift+Z", "Alt+Right", "Ctrl+Y")
    return [
        Command("Undo change of view", group, history.undo, undo, lambda: history.can_undo, NOTHING_TO_UNDO),
        Command("Redo change of view", group, history.redo, redo, lambda: history.can_redo, NOTHING_TO_UNDO),
        Command("Clear the selection", group, page.clear_selection, ("Esc",), late=True),
        Command("Blocks as text or along the rows", group, page.turn_blocks, ("B",)),
        Command("Fold what raw lines repeat", group, partial(panes.show_whole_lines, False)),
        Command("Show whole raw lines", group, partial(panes.show_whole_lines, True)),
        *page.alone.commands(),
    ]


def _readers(page: RecordingPage) -> list[Command]:
    group, session = "Readers", page.session
    names = [REFERENCE, *(lens.name for lens in session.usable_lenses())]

    def compared() -> bool:
        return session.secondary is not None

    def differs() -> bool:
        story = session.story
        return story is not None and story.first_difference is not None

    def complete() -> bool:
        return session.complete and session.reference is not None

    def read_as(name: str) -> Command:
        does = partial(page.choose_readers, name)
        return Command(f"Read as: {session.short_title_of(name)}", group, does, enabled=lambda: session.primary != name)

    def compare_with(name: str | None) -> Command:
        words = "none" if name is None else session.short_title_of(name)
        does = partial(page.choose_readers, None, name)
        return Command(f"Compare with: {words}", group, does, enabled=lambda: session.secondary != name)

    return [
        Command("Swap the two readings", group, page.swap_readers, ("X",), compared, NO_COMPARISON),
        Command("First difference", group, page.show_first_difference, ("Ctrl+D",), differs, NO_COMPARISON),
        Command("Copy report", group, page.copy_report, ("Ctrl+R",), complete, NOT_READ),
        Command("Copy report of the findings", group, page.copy_findings, (), complete, NOT_READ),
        *map(read_as, names),
        *map(compare_with, [None, *names]),
    ]


def _regions(page: RecordingPage) -> list[Command]:
    group = "Go to"
    cycle = [
        Command("Next part of the window", group, partial(focus_beside, page, 1), ("F6",)),
        Command("Previous part of the window", group, partial(focus_beside, page, -1), ("Shift+F6",)),
    ]
    return [*cycle, *(Command(f"Focus: {name}", group, partial(focus_region, page, name)) for name in regions_of(page))]


def _responses(page: RecordingPage) -> list[Command]:
    count = len(page.session.exchanges)
    if count < 2:
        return []
    choose = page.choose_response
    return [Command(f"Response: {n + 1} of {count}", "Recording", partial(choose, n)) for n in range(count)]


def jumps(page: RecordingPage, typed: str) -> list[Command]:
    """Where a typed number leads, as "120", "line 30" or "byte 4096": places that are there."""
    found = JUMPS.fullmatch(typed.strip())
    reading = page.session.reference
    if found is None or reading is None or not len(reading.events):
        return []
    kind, n = (found[1] or "")[:1].lower(), int(found[2])
    places = {
        "e": ("event", len(reading.events), partial(_go_to_event, page)),
        "l": ("line", len(reading.lines), partial(_go_to_line, page)),
        "b": ("byte", len(reading.body), partial(_go_to_byte, page)),
    }
    asked = [place for key, place in places.items() if kind in ("", key)]
    return [
        Command(f"Go to {word} {number(n)}", "Go to", partial(go, n), remark=f"of {number(count)}, counted from 0")
        for word, count, go in asked
        if n < count
    ]


def _go_to_event(page: RecordingPage, event: int) -> None:
    page.session.selection.select(Selection(event), page)


def _go_to_line(page: RecordingPage, line: int) -> None:
    reading = page.session.reference
    event = reading.event_of_line(line) if reading is not None else None
    if reading is not None and event is not None:
        start = reading.lines.starts[line]
        end = reading.lines.starts[line + 1] if line + 1 < len(reading.lines) else reading.lines.size
        page.session.selection.select(Selection(event, line, start=start, end=end), page)


def _go_to_byte(page: RecordingPage, byte: int) -> None:
    reading = page.session.reference
    event = reading.event_at(byte) if reading is not None else None
    if reading is not None and event is not None:
        line = reading.lines.at(byte)
        page.session.selection.select(Selection(event, line, start=byte, end=byte + 1), page)
