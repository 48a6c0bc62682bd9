"""The file room: recordings and foreign formats, one file each.

A format is a module with NAME, TITLE, EXTENSIONS, `sniff(head, name)`, `read(source)` and, where it can be
written, `write(exchange, file)`. `sniff` gets the first lines and the name of an input and says how sure it is:

    100 and more   the file says so itself: a status line, a header
    60 to 90       lines or frames of one kind only
    40 to 50       JSON, by its payloads
    1 to 3         a guess from the name, for an empty file; plain text, which anything may be
    0              no

The highest wins. The content decides; a name breaks ties, since people rename files and cut them short.
"""

from __future__ import annotations

import sys
from functools import cache
from types import ModuleType
from typing import BinaryIO, NamedTuple

from inspector_app.core.answers import apart, is_bare
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.registry import discover
from inspector_app.core.types import Exchange
from inspector_app.files._folder import files_below, is_folder
from inspector_app.files._source import open_source

__all__ = ["Format", "files_below", "formats", "is_folder", "read_input"]


class Format(NamedTuple):
    """What is known of a format: extensions with their dot, and what can be done with it."""

    name: str
    title: str
    extensions: tuple[str, ...]
    reads: bool
    writes: bool


def formats() -> list[Format]:
    """All formats, by name."""
    found = [
        Format(module.NAME, module.TITLE, module.EXTENSIONS, hasattr(module, "read"), hasattr(module, "write"))
        for module in _modules()
    ]
    return sorted(found)


def read_input(path: str, stdin: BinaryIO | None = None) -> list[Exchange]:
    """The exchanges in a file, or in standard input for `-`, in the order of the file: one for most files, several for
    those whose format holds several, and for a bare body of several answers one after the other.

    Whatever the bytes are, they give an exchange, faults of the file being part of it. Raises InputFault,
    with one line for the user, where there are no bytes to read or the file is of a newer version.
    """
    if path == "-" and stdin is None and sys.stdin is not None:
        stdin = sys.stdin.buffer
    source = open_source(path, stdin)
    best = max(_modules(), key=lambda module: module.sniff(source.head, source.name))
    exchanges: list[Exchange] = best.read(source)
    if len(exchanges) != 1 or not is_bare(exchanges[0]):
        return exchanges
    return apart(exchanges[0], _kit())


@cache
def _modules() -> list[ModuleType]:
    """The formats, looked for once: a folder may hold thousands of files."""
    return discover(__name__)


@cache
def _kit() -> Kit:
    return load_kit()
