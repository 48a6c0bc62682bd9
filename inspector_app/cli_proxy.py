"""The command `proxy`: stand between clients and an upstream, pass everything on as it comes, and record it."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from inspector_app import cli_numbers
from inspector_app.cli_said import complain, say
from inspector_app.core.kit import load_kit
from inspector_app.core.text import duration, number, size, terminal
from inspector_app.core.types import InputFault
from inspector_app.live.providers import ProviderFault, known_providers, providers_file
from inspector_app.live.proxy import Proxy, Refused
from inspector_app.live.proxy_rules import Route, RouteFault, route_of, settings_of
from inspector_app.live.proxy_watch import Watch
from inspector_app.live.recorder import recordings_folder

TICK_S = 0.2
"""Seconds between two looks at what goes on."""
CLOSE_S = 3.0
"""Seconds that recordings may take to be closed at the end."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `proxy`."""
    to = "the upstream: a URL, or a provider; of several each is NAME=URL, under the path /NAME"
    parser.add_argument("--to", metavar="URL", action="append", required=True, help=to)
    parser.add_argument("--port", type=cli_numbers.port, default=0, metavar="N", help="without it: any that is free")
    folder = str(recordings_folder()).replace("%", "%%")
    parser.add_argument("--out", metavar="DIR", help=f"where the recordings go (without it: {folder})")


def proxy(options: argparse.Namespace) -> int:
    """Run the command until it is interrupted; returns the exit status. Raises InputFault for what is to be mended."""
    folder = Path(options.out) if options.out is not None else recordings_folder()
    kit = load_kit()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        running = Proxy(_routes(options.to), folder, kit, port=options.port, followed=False)
        running.start()
    except RouteFault as fault:
        raise InputFault(f"--to: {fault}") from None
    except OSError as error:
        why = os.strerror(error.errno or 0).lower()
        what = f"{folder}: no recording can be made there" if error.filename else f"port {options.port} cannot be used"
        raise InputFault(f"{what} ({why}): choose another one") from None
    over = threading.Event()
    stopped_by: list[int] = []

    def stop(number: int, frame: object) -> None:
        stopped_by.append(number)
        over.set()

    before = [(one, signal.signal(one, stop)) for one in (signal.SIGINT, signal.SIGTERM)]
    # What is loaded stays: to look through it for garbage would hold up what passes.
    gc.freeze()
    watches: list[Watch] = []
    try:
        say(f"listening on {running.url}")
        say("\n".join(_usage(route, running.url) for route in running.routes))
        while not over.wait(TICK_S):
            # One that comes faster than it can be read holds up neither the others nor the end.
            watches = _look(running, watches, _until(TICK_S, over))
    finally:
        running.stop()
        running.join(CLOSE_S)
        for one, handler in before:
            signal.signal(one, handler)
    for watch in _look(running, watches, _until(CLOSE_S, threading.Event())):
        say(terminal(f"{watch.exchange.asked} · came faster than it could be read here"))
        _tell_path(watch)
    return 128 + stopped_by[0] if stopped_by else 0


def _until(seconds: float, over: threading.Event) -> Callable[[], bool]:
    """What says that the time is up, or that it is over."""
    at = monotonic() + seconds
    return lambda: over.is_set() or monotonic() > at


def _routes(given: list[str]) -> list[Route]:
    known = {}
    if any("://" not in one for one in given):
        try:
            known = known_providers(providers_file())
        except ProviderFault as fault:
            raise InputFault(str(fault)) from None
    return [route_of(one, known) for one in given]


def _usage(route: Route, url: str) -> str:
    """How clients are pointed at a route."""
    lines = [f"{route.prefix or '/'} goes to {route.base}"]
    return "\n".join([*lines, *(f"  {one.client}: {one.line}" for one in settings_of(route, url))])


def _look(running: Proxy, watches: list[Watch], enough: Callable[[], bool]) -> list[Watch]:
    """Say what has ended and what was refused, reading on until it is `enough`; gives what goes on."""
    for news in running.take():
        if isinstance(news, Refused):
            _complain(f"refused ({news.status}): {news.words}{news.asked and f': {news.asked}'}")
        else:
            watches.append(Watch(news, running.kit))
    for watch in watches:
        watch.step(enough)
        if watch.over:
            _tell(watch)
    return [watch for watch in watches if not watch.over]


def _tell(watch: Watch) -> None:
    told = [watch.exchange.asked, watch.exchange.model]
    told += [_status(watch)]
    told += [f"{number(watch.events)} {'event' if watch.events == 1 else 'events'}", size(watch.bytes)]
    told += [f"first token after {duration(watch.first_token)}"] if watch.first_token is not None else []
    told += [f"over after {duration(watch.lasted)}", watch.state]
    say(terminal(" · ".join(filter(None, told))))
    _tell_path(watch)
    if watch.stopped:
        _complain(f"{watch.stopped}; the client got its answer all the same")
    # The rest says all with its state.
    if watch.detail and watch.how not in ("done", "eof", "cancelled") and watch.detail != _status(watch):
        _complain(f"{watch.state}: {watch.detail}")


def _tell_path(watch: Watch) -> None:
    if watch.exchange.path is not None:
        say(f"  {terminal(str(watch.exchange.path))}")


def _status(watch: Watch) -> str:
    return f"HTTP {watch.http.status}" if watch.http is not None else ""


def _complain(what: str) -> None:
    complain(terminal(" ".join(what.split())))
