"""`check`: what recordings say and what is wrong with them, for the reference, for a client, or for all of them."""

from __future__ import annotations

import argparse
import os
import sys

from inspector_app.cli_inputs import Trouble, complain, inputs, known, lenses_of, reader_of, skip
from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import InputFault
from inspector_app.lenses import LITERAL, compare
from inspector_app.lenses.advice import advise
from inspector_app.lenses.matrix import MATRIX_VERDICTS, matrix
from inspector_app.lenses.run import knows, read, read_as
from inspector_app.report import listing, readings
from inspector_app.report.outline import dumps, outline

SEVERITIES = ("info", "warning", "error")
ANYTHING = ("text-body", "binary-body")
"""Formats that any file can be read as."""
NAMED = 3
"""Files that are no stream which are named; the others are counted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command that others have not."""
    parser.add_argument("--all-lenses", action="store_true", help="what every client makes of it, one line each")
    parser.add_argument("--events", action="store_true", help="with --json: every event and its deltas")
    parser.add_argument("--fields", action="store_true", help="with --json: every JSON path of the payloads")
    told = "exit status 1 from this severity on (without it: error)"
    parser.add_argument("--fail-on", choices=(*SEVERITIES[::-1], "never"), default="error", help=told)


def check(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    if options.all_lenses and options.lens is not None:
        raise Trouble("--all-lenses reads as every client, --as as one: give one of them")
    kit = load_kit()
    every = lenses_of(kit) if options.all_lenses else {}
    reader = reader_of(options.lens, kit)
    how = known(options, kit)
    color = sys.stdout.isatty() and not options.no_color and not os.environ.get("NO_COLOR")
    failed: list[str] = []
    others: list[str] = []
    worst, seen = -1, False
    between = ""
    for exchange in inputs(options.path, failed):
        reference = read(exchange, kit, **how)
        if exchange.name not in options.path and options.framing is None and _is_no_stream(reference):
            others.append(exchange.name)
            continue
        seen = True
        reading, lens, advice = reference, reader(reference), None
        if lens is not None:
            if not knows(lens, reference):
                failed.append(exchange.name)
                complain(f"{exchange.name}: lens {lens.name} does not read {reference.dialect} streams")
                continue
            reading = read_as(lens, reference, kit, **how)
            if lens.name != LITERAL and not options.json:
                advice = advise(lens, reference, compare(reference, reading), kit, **how)
        worst = max(worst, *(SEVERITIES.index(finding.severity) for finding in reference.findings), -1)
        rows = list(matrix(reference, every.values(), kit, **how))
        if options.json:
            told = outline(reading, reference, events=options.events, fields=options.fields)
            told |= {"lenses": [row.to_json() for row in rows]} if options.all_lenses else {}
            print(dumps(told), flush=True)
        else:
            words = [listing.check(reading, reference, color=color)]
            words += [readings.advice(advice)] if advice is not None else []
            rows.sort(key=lambda row: MATRIX_VERDICTS.index(row.verdict))
            words += [readings.table(rows)] if options.all_lenses else []
            print(between + "\n".join(words), flush=True)
            between = "\n"
    if others:
        named = ", ".join(others[:NAMED]) + (f" and {len(others) - NAMED} more" if len(others) > NAMED else "")
        skip(InputFault(f"{len(others)} file{' that is' if len(others) == 1 else 's that are'} no stream: {named}"))
    if not seen and not others and not failed:
        skip(InputFault(f"{', '.join(options.path)}: no stream is in there"))
    if failed:
        return 2
    return int(options.fail_on != "never" and worst >= SEVERITIES.index(options.fail_on))


def _is_no_stream(reading: Reading) -> bool:
    """Whether a file of a folder is any text or data, such as a program or notes: nobody named it, nothing in it speaks
    for an answer, and nothing is wrong with it but that it may be no text.
    """
    exchange = reading.exchange
    plain = exchange.format in ANYTHING and len(exchange.body) > 0 and exchange.http is None
    return plain and not len(reading.events) and all(found.rule == "body-invalid-utf8" for found in reading.findings)
