"""What commands have in common: the recordings and lenses that a command line names, and how trouble is told."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence

from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.rules import nearest
from inspector_app.core.text import terminal
from inspector_app.core.types import Exchange, InputFault
from inspector_app.files import files_below, is_folder, read_input
from inspector_app.lenses import LITERAL, REFERENCE, Lens, LensFault, literal, load_lenses, shipped_folder, user_folder


class Trouble(Exception):
    """Something the user has to mend: one line, exit status 2."""


def complain(message: str) -> int:
    print("stream-inspector: " + terminal(" ".join(message.split("\n"))), file=sys.stderr)
    return 2


def lenses_of(kit: Kit, told: Callable[[LensFault], None] | None = None) -> dict[str, Lens]:
    """The lenses of the program and the user's own. A file of the user's that is not right is `told`, on standard error
    if nothing else is given, and is in nobody's way.
    """
    return load_lenses([shipped_folder(), user_folder()], findings=kit.rules, on_fault=told or skip)


def chosen(name: str | None, kit: Kit) -> Lens | None:
    """The lens of that name. The reference needs none, so no lens file is read, and none can be in the way."""
    return None if name is None or name == REFERENCE else lens_of(name, lenses_of(kit))


def reader_of(name: str | None, kit: Kit) -> Callable[[Reading], Lens | None]:
    """The lens of that name for a stream that the reference has read: the literal reading is another for each."""
    if name == LITERAL:
        return literal
    lens = chosen(name, kit)
    return lambda reference: lens


def lens_of(name: str | None, lenses: dict[str, Lens]) -> Lens | None:
    if name is None or name == REFERENCE:
        return None
    if name not in lenses:
        raise Trouble(f"no lens is named {name!r}{_meant(name, [REFERENCE, *lenses])}")
    return lenses[name]


def _meant(name: str, names: list[str]) -> str:
    """The one that was probably meant; every one where that cannot be told."""
    return nearest(name, names) or f"; known: {', '.join(names)}"


def known(options: argparse.Namespace, kit: Kit) -> dict[str, str | None]:
    for option, names in (("dialect", kit.names), ("framing", kit.framings)):
        name = getattr(options, option)
        if name is not None and name not in names:
            raise Trouble(f"no {option} is named {name!r}{_meant(name, sorted(names))}")
    return {"dialect": options.dialect, "framing": options.framing}


def skip(fault: InputFault | LensFault) -> None:
    """Say that something is left out, and why; the rest goes on."""
    print(f"stream-inspector: skipped: {terminal(str(fault))}", file=sys.stderr)


def inputs(paths: Sequence[str], failed: list[str]) -> Iterator[Exchange]:
    """The exchanges of every path. What cannot be read is said on standard error; the rest goes on."""
    for path in paths:
        try:
            if is_folder(path):
                for file in files_below(path, skip):
                    try:
                        yield from read_input(file)
                    except InputFault as fault:
                        skip(fault)
            else:
                yield from read_input(path)
        except InputFault as fault:
            failed.append(path)
            complain(str(fault))
