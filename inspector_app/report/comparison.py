"""A comparison of two readings as Markdown, ready for an issue."""

from __future__ import annotations

import shlex
from typing import Any, Protocol

from inspector_app import __version__
from inspector_app.core.rule_keys import LITERAL


class Compared(Protocol):
    """What this needs of a comparison."""

    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def headline(self) -> str: ...
    @property
    def cause(self) -> str: ...
    @property
    def first_difference(self) -> Any: ...
    @property
    def blocks(self) -> tuple[int, int]: ...
    @property
    def chars(self) -> tuple[int, int]: ...


def as_markdown(difference: Compared, path: str) -> str:
    """The verdict, its cause, the counts, and the command that shows it again. No content of the stream."""
    first = difference.first_difference
    cause = f" ({_plain(difference.cause)})" if difference.cause else ""
    lines = [
        f"**{difference.b}** against **{difference.a}**: {difference.verdict}. {_plain(difference.headline)}{cause}",
        "",
    ]
    if first is not None:
        lines.append(f"- first difference at event {first.event}: {_plain(first.why)}")
    lines.append(f"- blocks: {difference.blocks[0]} and {difference.blocks[1]}")
    lines.append(f"- characters: {difference.chars[0]} and {difference.chars[1]}")
    if LITERAL in (difference.a, difference.b):
        # The window alone shows it: no command does.
        return "\n".join([*lines, "", f"Stream Inspector {__version__}", ""])
    command = f"stream-inspector diff {shlex.quote(path)} --as {difference.a} --with {difference.b}"
    return "\n".join([*lines, "", "```", command, "```", "", f"Stream Inspector {__version__}", ""])


def _plain(words: str) -> str:
    """Words that Markdown leaves alone."""
    return "".join(f"\\{char}" if char in "\\`*_<>[]#|" else char for char in words)
