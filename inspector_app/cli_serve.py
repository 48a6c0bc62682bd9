"""The command `serve`: recordings as a local HTTP endpoint, with their own bytes, times and end."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from inspector_app import cli_numbers
from inspector_app.cli_said import complain, say, tell
from inspector_app.core.kit import load_kit
from inspector_app.core.text import size, terminal
from inspector_app.core.types import Exchange, InputFault
from inspector_app.files import files_below, is_folder, read_input
from inspector_app.files.recording import write
from inspector_app.live.base_urls import settings
from inspector_app.live.fine_loop import new_loop
from inspector_app.live.loopback import Refusal
from inspector_app.live.recorder import EXTENSION
from inspector_app.live.serve import ReplayServer
from inspector_app.live.serve_item import How, Item, dialects_of, item_of, named
from inspector_app.live.serve_plan import AS_RECORDED, ENDS, Ending, recorded_end
from inspector_app.live.serve_score import WAITING, Visit
from inspector_app.live.serve_suite import PAGES, columns, index_page, score_page, suite_of
from inspector_app.variations import NOTHING, ArgumentFault, Wish

NO_DONE = "no-done"
SPLITS = ("original", "event", "line", "utf8")
MOST_NAMED = 3
MANY = 100
"""Files of a folder from which on it takes so long to read them that it is said."""
_STOPS = (signal.SIGINT, signal.SIGTERM)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `serve`."""
    parser.add_argument("path", nargs="+", metavar="PATH", help="a file, a directory (every file below it), or -")
    parser.add_argument("--port", type=cli_numbers.port, default=0, metavar="N", help="without it: any that is free")
    parser.add_argument("--speed", type=_speed, default=1.0, metavar="1|2|max", help="how fast; max: without waiting")
    parser.add_argument(
        "--split", type=_split, default="original", metavar="original|event|line|N|utf8",
        help="what one write holds: a read as recorded, an event, a line, N bytes; utf8: characters are cut in two",
    )  # fmt: skip
    parser.add_argument("--eol", choices=("lf", "crlf", "cr"), help="how lines end")
    parser.add_argument("--space", choices=("yes", "no"), help="a space behind the colon of each field")
    parser.add_argument("--keepalive", type=_seconds, metavar="SECONDS", help="a comment after so long a silence")
    parser.add_argument("--cut", type=_bytes, metavar="BYTES", help="so many bytes of the body")
    parser.add_argument("--end", choices=(*ENDS, NO_DONE), default=AS_RECORDED, help="how the answer ends")
    parser.add_argument("--once", action="store_true", help="stop after the first answer")
    parser.add_argument("--suite", action="store_true", help="each variation under a path of its own, and a score card")
    log = "tell each request on standard error, also where that is no terminal"
    parser.add_argument("--log", action="store_true", help=log)
    out = "write what would be served as recordings into this directory, and serve nothing"
    parser.add_argument("--out", metavar="DIR", help=out)


def serve(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status. Raises InputFault for what the user has to mend."""
    if options.suite and options.once:
        raise InputFault("--once stops after one answer, and --suite has many: leave one of them out")
    items = _items(options)
    for words in _without_effect(items):
        _complain(words)
    if options.out is not None:
        return _write(items, Path(options.out))
    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(_serve(items, options))


def _items(options: argparse.Namespace) -> list[Item]:
    exchanges = _exchanges(options.path)
    kit = load_kit()
    wishes = _wishes(options)
    # A body that was cut short on purpose ends as if it were whole, unless another end is asked for.
    clean = options.end == NO_DONE or (options.cut is not None and options.end == AS_RECORDED)
    end = Ending.CLEAN.value if clean else options.end
    try:
        if options.suite:
            if wishes:
                raise InputFault("--suite makes all variations by itself: leave --split, --eol, --space, --cut… out")
            return _streams(suite_of(exchanges, kit, speed=options.speed, end=end), options.path)
        how = How(options.speed, end, wishes)
        items = [item_of(one, kit, how, recording=name, file=file) for name, file, one in named(exchanges)]
        return _streams(items, options.path)
    except ArgumentFault as fault:
        raise InputFault(str(fault)) from None


def _streams(items: Sequence[Item], named: Sequence[str]) -> list[Item]:
    """Without what only lay in a directory and holds no stream, as notes do: it would be served in its turn."""
    kept = []
    for item in items:
        exchange = item.before.exchange
        if exchange.name in named or exchange.format == "recording" or item.before.framing not in ("text", "none"):
            kept.append(item)
        elif item.variation in ("", AS_RECORDED):
            _complain(f"skipped: {exchange.name}: there is no stream in it")
    if not kept:
        raise InputFault(f"{', '.join(named)}: no file there holds a stream; name a recording")
    return kept


def _exchanges(paths: Sequence[str]) -> list[Exchange]:
    """The exchanges of all inputs; a file in a directory that cannot be read is said and left out."""
    found: list[Exchange] = []
    for path in paths:
        if not is_folder(path):
            found += read_input(path)
            continue
        files = list(files_below(path, _skip))
        if len(files) > MANY:
            tell(terminal(f"reading the {len(files)} files of {path} first"))
        for file in files:
            try:
                found += read_input(file)
            except InputFault as fault:
                _skip(fault)
    if not found:
        raise InputFault(f"{', '.join(paths)}: no file there can be read; name a recording")
    return found


def _wishes(options: argparse.Namespace) -> tuple[Wish, ...]:
    """What the options change, in this order: what a byte count speaks of is the body that goes out."""
    found: list[Wish] = []
    if options.space:
        found.append(("space", options.space))
    if options.eol:
        found.append(("eol", options.eol))
    if options.end == NO_DONE:
        found.append((NO_DONE, ""))
    if options.cut is not None:
        found.append(("cut", str(options.cut)))
    if options.keepalive:
        found.append(("keepalive", f"{options.keepalive:g}"))
    if options.split != "original":
        found.append(("split", options.split))
    return tuple(found)


def _without_effect(items: Sequence[Item]) -> list[str]:
    """The options that change nothing of what is served, one line for each and each reason."""
    found: dict[tuple[Wish, str], list[str]] = {}
    for item in items:
        for idle in item.idle:
            found.setdefault(idle, []).append(item.recording)
    told = []
    for ((name, argument), why), recordings in found.items():
        option = f"--end {NO_DONE}" if name == NO_DONE else f"--{name} {argument}"
        more = f" and {len(recordings) - MOST_NAMED} more" if len(recordings) > MOST_NAMED else ""
        where = "" if len(items) == 1 else f" in {', '.join(recordings[:MOST_NAMED])}{more}"
        told.append(f"{option} changes nothing{where}" + (f": {why}" if why != NOTHING else ""))
    return told


async def _serve(items: list[Item], options: argparse.Namespace) -> int:
    loud = options.log or sys.stderr.isatty()
    server = ReplayServer(
        items,
        pages=PAGES if options.suite else {},
        on_visit=partial(_tell, many=len({item.recording for item in items}) > 1) if loud else _say_nothing,
        on_refused=_tell_refused if loud else _say_nothing,
        once=options.once,
    )
    stopped_by = _listen_to_signals(server.over)
    try:
        await server.start(options.port)
    except OSError as error:
        why = os.strerror(error.errno or 0).lower()
        raise InputFault(f"port {options.port} cannot be used ({why}): choose another one") from None
    say(f"listening on {server.url}")
    say(index_page(server)[0] if options.suite else _usage(server))
    await server.over.wait()
    await server.close()
    if options.suite:
        say(score_page(server)[0].removesuffix("\n"))
    return 128 + stopped_by[0] if stopped_by else 0


def _listen_to_signals(over: asyncio.Event) -> list[int]:
    """Set `over` when the program is told to stop; gives the list that the signal is then in."""
    loop = asyncio.get_running_loop()
    found: list[int] = []

    def stop(number: int) -> None:
        found.append(number)
        over.set()

    for number in _STOPS:
        try:
            loop.add_signal_handler(number, stop, number)
        except NotImplementedError:  # Windows: the handler interrupts the loop between two waits.
            signal.signal(number, lambda number, frame: loop.call_soon_threadsafe(stop, number))
    return found


def _usage(server: ReplayServer) -> str:
    """What is there, and how clients are pointed at it."""
    lines = []
    for item in server.items:
        end = item.plan.ending.value
        about = f"{item.dialect}, {size(item.plan.size)}, takes {item.plan.end_at:.1f} s, ends {end}"
        lines.append((server.score.path(item), about))
    told = [columns(lines), ""]
    if len(lines) > 1:
        told += ["Chosen by path (/NAME/v1/…), by model, else one after another.", ""]
    told += [f"  {one.client}: {one.line}" for one in settings(server.url, dialects_of(server.items))]
    return "\n".join(told)


def _tell(visit: Visit, many: bool) -> None:
    """`many`: there are several recordings, so that it has to be said which one went out."""
    request = visit.request
    what = "asked" if visit.state == WAITING else visit.words()
    answer = "/".join(filter(None, [visit.item.recording if many else "", visit.item.variation]))
    told = [f"{request.method} {request.target}", answer, what]
    tell(terminal(" · ".join(filter(None, told))))


def _tell_refused(refusal: Refusal) -> None:
    _complain(f"refused ({refusal.status}): {refusal.why}")


def _say_nothing(what: Visit | Refusal) -> None:
    """Who reads standard error later, or never, must not hold up the server."""


def _write(items: Sequence[Item], folder: Path) -> int:
    """Export: what is served, as recordings. Nothing is overwritten."""
    for item in items:
        path = folder / f"{'.'.join(filter(None, [item.recording, item.variation]))}{EXTENSION}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                write(replace(item.exchange, end=recorded_end(item.exchange, item.plan)), file)
        except FileExistsError:
            raise InputFault(
                f"{path}: the file exists, and no recording is overwritten; choose another place"
            ) from None
        except OSError as error:
            raise InputFault(f"{path}: cannot be written: {error.strerror or error}") from None
        print(terminal(str(path)), flush=True)
    return 0


def _skip(fault: InputFault) -> None:
    _complain(f"skipped: {fault}")


def _complain(what: str) -> None:
    complain(terminal(" ".join(what.split())))


def _speed(text: str) -> float | None:
    return None if text == "max" else cli_numbers.decimal("speed: 1, 2, 0.5… or max", 0.001, 1000)(text)


def _split(text: str) -> str:
    if text not in SPLITS and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(SPLITS)}, and no number of bytes")
    return text


_bytes = cli_numbers.whole("number of bytes")
_seconds = cli_numbers.decimal("number of seconds from 0.01 to 3600", 0.01, 3600)
