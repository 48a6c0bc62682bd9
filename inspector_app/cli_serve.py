"""The command `serve`: recordings as a local HTTP endpoint, with their own bytes, times and end."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from inspector_app.core.kit import load_kit
from inspector_app.core.text import size, terminal
from inspector_app.core.types import Exchange, InputFault
from inspector_app.files import files_below, is_folder, read_input
from inspector_app.files.recording import write
from inspector_app.live.base_urls import settings
from inspector_app.live.fine_loop import new_loop
from inspector_app.live.recorder import EXTENSION
from inspector_app.live.serve import ReplayServer
from inspector_app.live.serve_item import How, Item, dialects_of, item_of, named
from inspector_app.live.serve_plan import AS_RECORDED, Ending, recorded_end
from inspector_app.live.serve_score import WAITING, Visit
from inspector_app.live.serve_suite import PAGES, columns, index_page, score_page, suite_of
from inspector_app.variations import ArgumentFault, Wish

NO_DONE = "no-done"
ENDS = (AS_RECORDED, *(end.value for end in Ending if end is not Ending.STALL), NO_DONE)
SPLITS = ("original", "event", "line", "utf8")
_STOPS = (signal.SIGINT, signal.SIGTERM)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `serve`."""
    parser.add_argument("path", nargs="+", metavar="PATH", help="a file, a directory (every file below it), or -")
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="without it: any that is free")
    parser.add_argument("--speed", type=_speed, default=1.0, metavar="1|2|max", help="how fast; max: without waiting")
    parser.add_argument(
        "--split", type=_split, default="original", metavar="original|event|line|N|utf8",
        help="what one write holds: a read as recorded, an event, a line, N bytes; utf8: characters are cut in two",
    )  # fmt: skip
    parser.add_argument("--eol", choices=("lf", "crlf", "cr"), help="how lines end")
    parser.add_argument("--space", choices=("yes", "no"), help="a space behind the colon of each field")
    parser.add_argument("--keepalive", type=_seconds, metavar="SECONDS", help="a comment after so long a silence")
    parser.add_argument("--cut", type=_bytes, metavar="BYTES", help="so many bytes of the body")
    parser.add_argument("--end", choices=ENDS, default=AS_RECORDED, help="how the answer ends")
    parser.add_argument("--once", action="store_true", help="stop after the first answer")
    parser.add_argument("--suite", action="store_true", help="each variation under a path of its own, and a score card")
    log = "tell each request on standard error, also where that is no terminal"
    parser.add_argument("--log", action="store_true", help=log)
    out = "write what would be served as recordings into this directory, and serve nothing"
    parser.add_argument("--out", metavar="DIR", help=out)


def serve(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status. Raises InputFault for what the user has to mend."""
    items = _items(options)
    if options.out is not None:
        return _write(items, Path(options.out))
    try:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(_serve(items, options))
    except OSError as error:
        raise InputFault(f"port {options.port}: {error.strerror or error}; choose another one") from None


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
            return suite_of(exchanges, kit, speed=options.speed, end=end)
        how = How(options.speed, end, wishes)
        return [item_of(one, kit, how, recording=name, file=file) for name, file, one in named(exchanges)]
    except ArgumentFault as fault:
        raise InputFault(str(fault)) from None


def _exchanges(paths: Sequence[str]) -> list[Exchange]:
    """The exchanges of all inputs; a file in a directory that cannot be read is said and left out."""
    found: list[Exchange] = []
    for path in paths:
        if not is_folder(path):
            found += read_input(path)
            continue
        for file in files_below(path, _complain):
            try:
                found += read_input(file)
            except InputFault as fault:
                _complain(fault)
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
        found.append(("keepalive", str(options.keepalive)))
    if options.split != "original":
        found.append(("split", options.split))
    return tuple(found)


async def _serve(items: list[Item], options: argparse.Namespace) -> int:
    told = _tell if options.log or sys.stderr.isatty() else _say_nothing
    server = ReplayServer(items, pages=PAGES if options.suite else {}, on_visit=told, once=options.once)
    stopped_by = _listen_to_signals(server.over)
    await server.start(options.port)
    print(f"listening on {server.url}", flush=True)
    print(index_page(server)[0] if options.suite else _usage(server), flush=True)
    await server.over.wait()
    await server.close()
    if options.suite:
        print(score_page(server)[0], end="", flush=True)
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


def _tell(visit: Visit) -> None:
    request = visit.request
    what = "asked" if visit.state == WAITING else visit.words()
    answer = "/".join(filter(None, [visit.item.recording, visit.item.variation]))
    print(terminal(f"{request.method} {request.target} · {answer} · {what}"), file=sys.stderr, flush=True)


def _say_nothing(visit: Visit) -> None:
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


def _complain(fault: InputFault) -> None:
    print(f"stream-inspector: skipped: {terminal(str(fault))}", file=sys.stderr)


def _speed(text: str) -> float | None:
    if text == "max":
        return None
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.001 <= speed <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is no speed: 1, 2, 0.5… or max")
    return speed


def _split(text: str) -> str:
    if text not in SPLITS and not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(SPLITS)}, and no number of bytes")
    return text


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port from 0 to 65535")
    return int(text)


def _bytes(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of bytes")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.01 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from 0.01 to 3600")
    return seconds
