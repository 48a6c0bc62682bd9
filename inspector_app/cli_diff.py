"""`diff`: two readings of one recording, or two recordings (contract.md sections 1 and 3)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, zip_longest

from inspector_app.cli_inputs import Trouble, complain, inputs, known, lenses_of, reader_of, skip
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.text import terminal
from inspector_app.core.types import Exchange, InputFault
from inspector_app.files import files_below, is_folder
from inspector_app.lenses import LITERAL, Lens, compare
from inspector_app.lenses.advice import advise
from inspector_app.lenses.clients import Asked, ask, told_of
from inspector_app.lenses.run import knows, read, read_as
from inspector_app.lenses.stretches import Told, content_of, told
from inspector_app.report import listing, readings
from inspector_app.report.differences import Difference, differences, finishes, no_stream
from inspector_app.report.moved import by_object, renamed
from inspector_app.report.outline import dumps
from inspector_app.report.pace import Pace, pace, rows_of
from inspector_app.report.survey import Survey

LISTED = 20
"""Places where two texts part that are listed one by one."""
Choose = Callable[[Reading], Lens | None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command that others have not."""
    told = "the reading to compare with; of two recordings the reading of the second, by default as the first"
    parser.add_argument("--with", dest="other", metavar="LENS", help=told)


def diff(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    if len(options.path) > 2 or (len(options.path) == 1 and options.other is None):
        raise Trouble("diff takes two PATHs, or one PATH and two lenses with --as and --with")
    kit = load_kit()
    how = known(options, kit)
    first = reader_of(options.lens, kit)
    second = first if options.other is None else reader_of(options.other, kit)
    return (_readings if len(options.path) == 1 else _recordings)(options, kit, how, first, second)


def _readings(options: argparse.Namespace, kit: Kit, how: dict[str, str | None], first: Choose, second: Choose) -> int:
    failed: list[str] = []
    for exchange in inputs(options.path, failed):
        reference = read(exchange, kit, **how)
        pair = [_read(reference, choose, kit, how) for choose in (first, second)]
        if pair[0] is None or pair[1] is None:
            failed.append(exchange.name)
            continue
        difference = compare(pair[0], pair[1])
        lens = second(reference)
        # What to do is known of a client against the reference.
        found = None
        if pair[0] is reference and lens is not None and lens.name != LITERAL:
            found = advise(lens, reference, difference, kit, **how)
        if options.json:
            more = {"advice": found._asdict()} if found is not None else {}
            print(dumps(difference.to_json() | {"file": exchange.name} | more), flush=True)
        else:
            words = [listing.diff(difference, exchange.name), *([readings.advice(found)] if found is not None else [])]
            print("\n".join(words), flush=True)
    return 2 if failed else 0


def _recordings(
    options: argparse.Namespace, kit: Kit, how: dict[str, str | None], first: Choose, second: Choose
) -> int:
    status = 0
    for pair in _pairs(*options.path):
        failed: list[str] = []
        sides = [list(inputs([path], failed)) for path in pair]
        status = max(2 if failed else 0, status)
        if not failed:
            status = max(_files(sides, options, kit, how, first, second), status)
    return status


def _pairs(one: str, other: str) -> Iterator[tuple[str, str]]:
    """The files to lay side by side: of two folders those that have one name in both. Nothing is read for it."""
    if not is_folder(one) and not is_folder(other):
        yield one, other
        return
    if not (is_folder(one) and is_folder(other)):
        yield _alone(one), _alone(other)
        return
    below = [
        {file.removeprefix(folder).lstrip(os.sep): file for file in files_below(folder, skip)}
        for folder in (one, other)
    ]
    both = [name for name in below[0] if name in below[1]]
    if not both:
        raise Trouble(f"no file of {one} has a name that one of {other} has too; name the two files to compare")
    for ours, theirs, folder in ((below[0], below[1], other), (below[1], below[0], one)):
        for name, file in ours.items():
            if name not in theirs:
                skip(InputFault(f"{file}: there is none of this name in {folder}"))
    yield from ((below[0][name], below[1][name]) for name in both)


def _alone(path: str) -> str:
    """The file, or the only one in the folder, that this path means."""
    if not is_folder(path):
        return path
    files = list(islice(files_below(path, skip), 2))
    if len(files) != 1:
        held = "several files" if files else "no file"
        raise Trouble(
            f"{path}: diff lays one recording beside one, and this folder holds {held}; name the one you mean"
        )
    return files[0]


def _files(
    sides: Sequence[Sequence[Exchange]],
    options: argparse.Namespace,
    kit: Kit,
    how: dict[str, str | None],
    first: Choose,
    second: Choose,
) -> int:
    for exchanges in zip_longest(*sides):
        if None in exchanges:
            lone = next(exchange for exchange in exchanges if exchange is not None)
            complain(f"{_name(lone)}: the other recording has no exchange to lay beside it")
            return 2
        references = [read(exchange, kit, **how) for exchange in exchanges]
        a, b = (_read(reading, choose, kit, how) for reading, choose in zip(references, (first, second)))
        if a is None or b is None:
            return 2
        names = _names(*exchanges)
        surveys = [Survey(reading) for reading in references]
        for survey in surveys:
            for _ in survey.steps():
                pass
        found, said = differences(*surveys), compare(a, b, names)
        texts = told(a, b, content_of(a, b)[0])
        ends = list(finishes(a, b))
        paces = pace(references[0]), pace(references[1])
        clients: list[Difference] = []
        asked = None
        if a is references[0] and b is references[1]:
            asked, clients = _clients(references, kit, how)
        empty = [*filter(None, (no_stream(reading, name) for reading, name in zip(references, names)))]
        if options.json:
            layers = {layer: [row.to_json() for row in found if row.layer == layer] for layer in ("framing", "shape")}
            content = [row._asdict() | {"events": dict(zip("ab", row.events))} for row in texts]
            content += [row.to_json() for row in ends]
            times = {"times": {side: its.to_json() for side, its in zip("ab", paces)}}
            read_otherwise = {} if asked is None else {"clients": [row.to_json() for row in clients]}
            for line in empty:
                complain(line)
            print(dumps(said.to_json() | layers | {"content": content} | times | read_otherwise), flush=True)
        else:
            shown = by_object(found, *surveys)
            instead = renamed(shown, *surveys)
            head, *words = listing.diff(said, "content").split("\n")
            words = [f"  {terminal(instead.words)}", *words] if instead is not None else words
            layers_said = listing.streams([*clients, *shown], names, asked)
            words = [head, *(f"  {terminal(line)}" for line in empty), *words]
            words += [*_texts(texts, ends, names), layers_said, *_times(paces, names)]
            print("\n".join(words), flush=True)
    return 0


def _clients(readings: Sequence[Reading], kit: Kit, how: dict[str, str | None]) -> tuple[int, list[Difference]]:
    """How many clients were asked, and a row for each that reads one of the two right and the other not."""
    # Who broke a lens file of the own hears of it where lenses are listed.
    lenses = lenses_of(kit, lambda fault: None).values()
    *_, asked = ask(readings[0], readings[1], lenses, kit, **how)
    assert isinstance(asked, Asked)
    return asked.clients, [Difference("clients", *row) for row in told_of(asked)]


def _texts(rows: Sequence[Told], ends: Sequence[Difference], names: tuple[str, str]) -> Iterator[str]:
    """Where the texts part, and the finish reasons, as the other layers are listed."""
    listed: list[Told | Difference] = [*rows[:LISTED], *ends]
    for row in listed:
        yield from _row(row, names)
    if len(rows) > LISTED:
        yield f"    and {len(rows) - LISTED} more places; --json has all of them"


def _row(row: Told | Difference, names: tuple[str, str]) -> Iterator[str]:
    yield f"    {row.what}"
    for name, said, event in zip(names, (row.a, row.b), row.events):
        where = "" if event is None else f"  (event {event})"
        yield terminal(f"      {name:<{max(map(len, names))}}  {said}{where}")


def _times(paces: tuple[Pace, Pace], names: tuple[str, str]) -> Iterator[str]:
    """When both came, where one of them has times."""
    rows = rows_of(*paces)
    if rows:
        yield "  times since the request"
    for row in rows:
        yield from _row(row, names)


def _read(reference: Reading, choose: Choose, kit: Kit, how: dict[str, str | None]) -> Reading | None:
    """A stream as the chosen client reads it; None, and a complaint, where the client does not know its dialect."""
    lens = choose(reference)
    if lens is None:
        return reference
    if not knows(lens, reference):
        complain(f"{reference.exchange.name}: lens {lens.name} does not read {reference.dialect} streams")
        return None
    return read_as(lens, reference, kit, **how)


def _names(a: Exchange, b: Exchange) -> tuple[str, str]:
    """The shortest names that tell two recordings apart: those of their files, where these differ."""
    short = tuple(_name(exchange).rpartition("/")[2] for exchange in (a, b))
    return (short[0], short[1]) if short[0] != short[1] else (_name(a), _name(b))


def _name(exchange: Exchange) -> str:
    return exchange.name if exchange.count == 1 else f"{exchange.name} #{exchange.number + 1}"
