"""How fast and how large an analysis is, as ratios on this machine: `python -m tests.bench [--quick | --events N]`.

Two streams of Chat chunks are made in a temporary folder, and measured in processes of their own; then a row for each
dialect, on long streams made from its recordings (tests/bench/dialects.py). `--dialects` measures those alone, or with
names only the dialects of these names.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.dialects import Cell, rows
from tests.bench.streams import STREAMS, write_stream

ROOT = Path(__file__).parents[2]
MB = 1_000_000
RATIO, GROWTH, CLIENT = 4.0, 11.0, 12.0
"""The bounds: analysis over limit, ten times the events, the client's time over the analysis's."""

SLOWER, DIALECT_EVENTS = 2.0, 10_000
"""How much slower than Chat another dialect may be an event, and on how many it is measured."""


class Bound(NamedTuple):
    """A figure and how far it may go."""

    title: str
    figure: str
    bound: str
    holds: bool | None


def measure(what: str, *paths: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.measure", what, *map(str, paths)]
    found: dict[str, Any] = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    return found


def bounds_of(name: str, events: int, folder: Path) -> list[Bound]:
    """Make one stream and measure everything on it."""
    whole, tenth = folder / f"{name}.sse", folder / f"{name}-tenth.sse"
    write_stream(name, events, whole)
    write_stream(name, events // 10, tenth)
    size = whole.stat().st_size
    speed, memory, client = measure("speed", whole, tenth), measure("memory", whole), measure("client", tenth)
    most = 1.5 * size + 150 * MB
    print(f"\n{name}: {events:,} events, {size / MB:.1f} MB, {speed['rules']} rules")
    per_event = {what: speed[what] / events * 1e6 for what in ("limit", "analysis")}
    print(f"  lines and orjson alone {per_event['limit']:.2f} us an event, analysis {per_event['analysis']:.2f} us")
    times = client["times"]
    return [
        Bound(
            "analysis over lines and orjson", f"{speed['ratio']:.2f}x", f"at most {RATIO:g}x", speed["ratio"] <= RATIO
        ),
        Bound("ten times the events", f"{speed['growth']:.1f}x", f"at most {GROWTH:g}x", speed["growth"] <= GROWTH),
        Bound("peak memory", f"{memory['peak'] / MB:.0f} MB", f"at most {most / MB:.0f} MB", memory["peak"] <= most),
        Bound("faster than the openai client", f"{times:.1f}x", f"at least {CLIENT:g}x", times >= CLIENT)
        if times is not None
        else Bound("faster than the openai client", "not installed", f"at least {CLIENT:g}x", None),
    ]


def print_row(name: str, cells: list[Cell]) -> None:
    """One dialect, as soon as it is measured."""
    told = [f"{cell.column} {cell.cost:.1f} {cell.times:.2f}x{' with usage' if cell.usage else ''}" for cell in cells]
    slow = any(cell.times > SLOWER for cell in cells)
    word = "OVER" if slow else "ok" if cells else "no recording has such events"
    print(f"  {name:24}{word:6}{', '.join(told)}".rstrip(), flush=True)


def main() -> None:
    """Print the table. The exit status is 0 whatever the figures are: a busy machine is no defect."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--events", type=int, default=300_000, help="chunks in each stream (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="30,000 chunks: rough figures in a few seconds")
    parser.add_argument("--dialects", nargs="*", metavar="NAME", help="the rows per dialect alone, of all or these")
    options = parser.parse_args()
    events = 30_000 if options.quick else options.events
    if events < 1000:
        parser.error("--events must be 1000 or more")
    with tempfile.TemporaryDirectory() as folder:
        for name in STREAMS if options.dialects is None else ():
            for bound in bounds_of(name, events, Path(folder)):
                word = {True: "ok", False: "OVER", None: ""}[bound.holds]
                print(f"  {bound.title:32}{bound.figure:>14}   {bound.bound:18}{word}".rstrip(), flush=True)
    print(f"\ndialects: {min(events, DIALECT_EVENTS):,} events each, processor time")
    print("  each column: microseconds an event, and that over Chat's; where events have usage, over Chat's with usage")
    for name, cells in groupby(rows(min(events, DIALECT_EVENTS), options.dialects or ()), lambda cell: cell.dialect):
        print_row(name, list(cells))


if __name__ == "__main__":
    main()
