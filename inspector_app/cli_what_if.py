"""The command `whatif`: which repair of a stream would make one client read it right."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from inspector_app.cli_inputs import complain, known, lenses_of, reader_of
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.text import terminal
from inspector_app.core.types import Exchange, InputFault
from inspector_app.files import read_input
from inspector_app.files.recording import write
from inspector_app.lenses import REFERENCE, Lens
from inspector_app.lenses.clients import worst_of
from inspector_app.lenses.matrix import MATRIX_VERDICTS, matrix
from inspector_app.lenses.run import knows, read
from inspector_app.lenses.what_if import Alone, Outcome, each_alone, least, rank, try_out
from inspector_app.report.listing import table
from inspector_app.report.outline import dumps
from inspector_app.report.what_if import as_copy
from inspector_app.variations import REPAIR, TROUBLE, ArgumentFault, Wish, variations


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that only `whatif` has."""
    worst = "the client that the window compares with; where it has none, the one that reads it worst"
    parser.description = f"{parser.description} Without --as: of {worst}."
    told = "change the stream so; may be given again. Without it each repair is tried alone"
    parser.add_argument("--do", action="append", default=[], metavar="NAME[=ARGUMENT]", help=told)
    parser.add_argument("--out", metavar="FILE", help="write the changed copy as a recording, NAME.rec.jsonl")
    parser.epilog = "\n\n".join(
        f"{title}:\n"
        + "\n".join(f"  {name + _form(module):<36} {module.TITLE}" for name, module in variations(sort).items())
        for sort, title in ((REPAIR, "Repairs"), (TROUBLE, "Troubles that a client should stand"))
    )


def _form(module: Any) -> str:
    argument = getattr(module, "ARGUMENT", None)
    if argument is None:
        return ""
    return f"={argument.form}" if argument.needed else f"[={argument.form}]"


def wishes_of(given: list[str]) -> list[Wish]:
    """What was asked for. Raises InputFault for a name that is not known."""
    known = variations()
    found = []
    for text in given:
        name, _, argument = text.partition("=")
        if name not in known:
            raise InputFault(f"--do {text}: no change is named {name!r}; known: {', '.join(known)}")
        if argument and not hasattr(known[name], "ARGUMENT"):
            raise InputFault(f"--do {text}: {name} takes no argument")
        found.append((name, argument))
    return found


def what_if(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status, which says nothing of what came out."""
    kit = load_kit()
    how = known(options, kit)
    lens_of = _worst(kit) if options.lens is None else reader_of(options.lens, kit)
    exchanges = read_input(options.path)
    wishes = wishes_of(options.do)
    copies = []
    for exchange in exchanges:
        exchange.framing = how["framing"] or exchange.framing
        reference = read(exchange, kit, dialect=how["dialect"])
        lens = lens_of(reference)
        if lens is not None and not knows(lens, reference):
            raise InputFault(f"{exchange.name}: lens {lens.name} does not read {reference.dialect} streams")
        try:
            if wishes:
                outcome = try_out(reference, wishes, lens, kit)
                copies.append(as_copy(exchange, outcome.exchange, wishes))
                print(dumps(_object(outcome)) if options.json else _told(outcome))
                if _is_same(reference.exchange, outcome.exchange):
                    complain(f"{exchange.name}: this changes nothing here")
            else:
                found = list(each_alone(reference, lens, kit))
                *_, together = least(reference, found, lens, kit)
                before = try_out(reference, (), lens, kit)
                print(_list_object(before, found, together) if options.json else _list(before, found, together))
        except ArgumentFault as fault:
            raise InputFault(str(fault)) from None
    if options.out is not None:
        if not wishes:
            raise InputFault("--out needs --do: without it there is no changed copy")
        _write(options.out, copies)
    return 0


def _worst(kit: Kit) -> Callable[[Reading], Lens | None]:
    """The lens that the window would compare with; where it has none the one that reads worst of all, the reference
    where all read right.
    """
    lenses = lenses_of(kit)

    def worst(reference: Reading) -> Lens | None:
        rows = [row for row in matrix(reference, lenses.values(), kit) if row.verdict not in ("right", "n/a")]
        told = worst_of({row.lens.name: row.difference for row in rows if row.difference is not None}, lenses)
        if told is not None:
            return lenses[told]
        row = min(rows, key=lambda row: MATRIX_VERDICTS.index(row.verdict), default=None)
        return None if row is None else row.lens

    return worst


def _write(path: str, copies: list[Exchange]) -> None:
    if len(copies) != 1:
        raise InputFault(f"--out writes one recording, and the file holds {len(copies)} answers")
    target = Path(path)
    if target.exists():
        raise InputFault(f"{path}: is there already; choose another name")
    with target.open("xb") as file:
        write(copies[0], file)
    print(f"{terminal(os.fspath(target))} written", file=sys.stderr)


def _is_same(before: Exchange, after: Exchange) -> bool:
    if after is before:
        return True
    bodies = [exchange.body.slice(0, len(exchange.body)) for exchange in (before, after)]
    return bodies[0] == bodies[1] and [*(before.read_ends or ())] == [*(after.read_ends or ())]


def _told(outcome: Outcome) -> str:
    difference = outcome.difference
    reader = f"{difference.b}: " if difference.b != REFERENCE else ""
    words = f"{reader}{outcome.verdict}"
    if not outcome.works:
        words += f" - {terminal(difference.headline)}; {terminal(difference.cause)}"
    return f"{words}\nblocks: {difference.blocks[1]}, the reference of the recording has {difference.blocks[0]}"


def _list(before: Outcome, found: list[Alone], together: tuple[Wish, ...] | None) -> str:
    rows = [("CHANGE", "ALONE", "WHAT IT DOES")]
    titles = variations()
    for one in sorted(found, key=lambda one: len(MATRIX_VERDICTS) if one.outcome is None else rank(one.outcome)):
        said = terminal(one.why) if one.outcome is None else one.outcome.verdict
        rows.append((_asked(one), said, titles[one.name].TITLE))
    last = "no repair helps by itself; one that takes a name or a value may"
    if together:
        last = "repaired by " + " and ".join("=".join(filter(None, wish)) for wish in together)
    if before.works:
        last = "nothing is to be repaired for this reader"
    return f"{_told(before)}\n\n{table(rows)}\n\n{last}"


def _asked(one: Alone) -> str:
    """A change with its argument, as --do takes it."""
    return terminal("=".join(filter(None, one.outcome.wishes[0]))) if one.outcome is not None else one.name


def _object(outcome: Outcome) -> Mapping[str, Any]:
    return {
        "schema": "stream-inspector/what-if/1",
        "do": [{"name": name, "argument": argument} for name, argument in outcome.wishes],
        "verdict": outcome.verdict,
        "difference": outcome.difference.to_json(),
    }


def _list_object(before: Outcome, found: list[Alone], together: tuple[Wish, ...] | None) -> str:
    alone = {one.name: one.why if one.outcome is None else one.outcome.verdict for one in found}
    least_ = [name for name, _ in together or ()]
    return dumps({**_object(before), "alone": alone, "repaired_by": [] if before.works else least_})
