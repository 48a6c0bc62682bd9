"""The command line (contract.md section 1). Asks the rooms and prints; Qt only when a window is asked for."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from inspector_app import __version__, cli_check, cli_diff, cli_what_if
from inspector_app.cli_inputs import Trouble, chosen, complain, known, lens_of, lenses_of
from inspector_app.core.kit import load_kit
from inspector_app.core.qt_libraries import advice, missing_libraries, screen_platform
from inspector_app.core.types import InputFault
from inspector_app.files import formats
from inspector_app.lenses import (
    LITERAL,
    REFERENCE,
    LensFault,
    user_folder,
)
from inspector_app.lenses.explain import explain, explain_reference, reference_object
from inspector_app.report import listing
from inspector_app.report.outline import dumps
from inspector_app.ui import shot_plan

LOOK_CHANGERS = ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "QT_STYLE_OVERRIDE")
"""What a person sets for their own screen; a picture is the same on every machine."""
USAGE = """stream-inspector [PATH...]                    open the window
       stream-inspector check PATH... [options]      read without a window; findings as a table, or --json
       stream-inspector diff A B                     compare two recordings
       stream-inspector diff PATH --as X --with Y    compare two readings of one recording
       stream-inspector whatif PATH --as X [--do …]  which repair of the stream would help a client
       stream-inspector shot PATH OUT.(png|svg)      picture without a screen
       stream-inspector record PROVIDER [options]    stream live from a provider into a recording
       stream-inspector proxy --to URL [options]     pass requests on to one upstream, and record each exchange
       stream-inspector serve PATH... [options]      serve recordings as an HTTP endpoint with their own timing
       stream-inspector rules | lenses | dialects | formats | providers [--json]
       stream-inspector --version | --help"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Trouble(f"{message}; see {self.prog} --help")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # Closed by whoever started the program: what is said there is lost.
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except (Trouble, LensFault, InputFault) as trouble:
        return complain(str(trouble))
    except BrokenPipeError:
        # Whoever read the output has seen enough; nothing more can be said to them.
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        return complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return 130


def _drop_output() -> None:
    """What waits to be written goes nowhere, also when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _run(arguments: list[str]) -> int:
    name = arguments[0] if arguments else ""
    if name in COMMANDS:
        return COMMANDS[name](_parse(name, arguments[1:]))
    return _window(_parse("", arguments))


def _parse(command: str, arguments: list[str]) -> argparse.Namespace:
    parser = _Parser(
        prog=f"stream-inspector {command}".strip(),
        usage={"": USAGE, "diff": _DIFF}.get(command),
        description=_HELP[command],
        epilog=_BELOW.get(command),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if command == "lenses":
        parser.epilog = f"Your own lenses are TOML files in {user_folder()}"
    if command == "providers":
        parser.epilog = f"Your own providers stand in {Path(user_folder()).parent / 'providers.toml'}"
    if not command:
        parser.add_argument("--version", action="version", version=f"stream-inspector {__version__}")
    if command in ("", "check", "diff", "shot", "whatif"):
        many = {"": "*", "shot": None, "whatif": None}.get(command, "+")
        below = ", a directory (every file below it)" if many == "+" else ""
        parser.add_argument("path", nargs=many, metavar="PATH", help=f"a file{below}, or - for standard input")
        by_default = ", by default the reference" if command == "diff" else ""
        who = f"read as this client{by_default} (see: lenses)" + (", or literal: nothing repaired" if command else "")
        parser.add_argument("--as", dest="lens", metavar="LENS", help=who)
        parser.add_argument("--dialect", metavar="NAME", help="do not recognise the dialect, take this (see: dialects)")
        framings = "do not recognise the framing, take this: sse, ndjson, json-array, aws-eventstream, json, html, text"
        parser.add_argument("--framing", metavar="NAME", help=framings)
    if command == "check":
        cli_check.add_arguments(parser)
    if command == "diff":
        cli_diff.add_arguments(parser)
    if command == "whatif":
        cli_what_if.add_arguments(parser)
    if command == "shot":
        shot_plan.add_arguments(parser)
    if command == "record":
        from inspector_app import cli_record

        cli_record.add_arguments(parser)
    if command == "proxy":
        from inspector_app import cli_proxy

        cli_proxy.add_arguments(parser)
    if command == "serve":
        from inspector_app import cli_serve

        cli_serve.add_arguments(parser)
    if command == "lenses":
        told = "what one lens does, rule by rule; reference: every rule that a lens can set"
        parser.add_argument("--explain", metavar="NAME", help=told)
    if command and command not in ("shot", "record", "serve", "proxy"):
        parser.add_argument("--json", action="store_true", help="JSON for other programs")
        parser.add_argument("--no-color", action="store_true", help="no colours (also: NO_COLOR)")
    return parser.parse_args(arguments)


_HELP = {
    "": "From the bytes of a streamed LLM answer to the blocks it became, and what each client makes of it.",
    "check": "Read recordings and print what they say and what is wrong with them.",
    "diff": "Compare two recordings, or two readings of one, for example --as reference --with zcode-3.11.",
    "whatif": "Which repair of the stream would make a client read it right.",
    "shot": "A picture of a recording, without a screen.",
    "record": "Stream live from a provider into a recording, without a window.",
    "proxy": "Stand between clients and an upstream: pass everything on as it comes, and record it.",
    "serve": "Serve recordings to clients on this machine: their bytes, their times, their end.",
    "rules": "Every finding the program can raise.",
    "lenses": "Every client it can read as.",
    "dialects": "Every API dialect it reads.",
    "providers": "Every place it can stream from: the presets and your own.",
    "formats": "Every file format it reads and writes.",
}
_DIFF = """stream-inspector diff A B [--as LENS] [--with LENS] [options]
       stream-inspector diff PATH [--as LENS] --with LENS [options]"""
_UNUSABLE = "2 where an input or the command line could not be used."
_BELOW = {
    "": "Every command has its own --help.",
    "check": f"Exit status: 0; 1 for findings that count (--fail-on); {_UNUSABLE}",
    "record": "Exit status: 0 where a stream was recorded, however it ended; 2 where none came (no answer, an error,\n"
    "a page, one whole document, not a byte), or the command line or the disk was in the way; 130 interrupted, 143\n"
    "terminated: what had arrived is recorded.",
    "serve": f"Exit status: 0 after --once or --out; {_UNUSABLE[:-1]}; 130 interrupted.",
    "whatif": f"Exit status: 0, whatever comes out; {_UNUSABLE}",
    "diff": f"Exit status: 0, also where the two differ; {_UNUSABLE}",
}


def _check(options: argparse.Namespace) -> int:
    return cli_check.check(options)


def _diff(options: argparse.Namespace) -> int:
    return cli_diff.diff(options)


def _what_if(options: argparse.Namespace) -> int:
    return cli_what_if.what_if(options)


def _shot(options: argparse.Namespace) -> int:
    try:
        shot = shot_plan.shot_of(options)
    except ValueError as error:
        raise Trouble(str(error)) from error
    kit = load_kit()
    lenses = lenses_of(kit)
    for name in (shot.lens, None if shot.other == shot_plan.NO_COMPARISON else shot.other):
        lens_of(None if name == LITERAL else name, lenses)
    how = known(options, kit)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ.setdefault("QT_LOGGING_RULES", "*=false")  # that platform has no screen, and says so
    for name in LOOK_CHANGERS:
        os.environ.pop(name, None)
    missing = missing_libraries("offscreen")
    if missing:
        raise Trouble(advice(missing))
    from inspector_app.ui.shot import shoot

    try:
        shoot(options.path, options.out, shot, kit, lenses, **how)
    except OSError as error:
        raise Trouble(str(error)) from error
    return 0


def _record(options: argparse.Namespace) -> int:
    # What speaks over networks takes as long to load as all the rest, and no other command needs it.
    from inspector_app import cli_record

    return cli_record.record(options)


def _proxy(options: argparse.Namespace) -> int:
    from inspector_app import cli_proxy

    return cli_proxy.proxy(options)


def _serve(options: argparse.Namespace) -> int:
    from inspector_app import cli_serve

    return cli_serve.serve(options)


def _rules(options: argparse.Namespace) -> int:
    rules = load_kit().rules.values()
    if options.json:
        print(dumps([listing.rule_object(rule) for rule in rules]))
    else:
        print(listing.rules(list(rules), color=_color(options)))
    return 0


def _list_lenses(options: argparse.Namespace) -> int:
    if options.explain is not None:
        lens = chosen(options.explain, load_kit())
        if lens is None:
            print(dumps(reference_object()) if options.json else explain_reference())
        else:
            print(dumps(listing.lens_object(lens)) if options.json else explain(lens))
        return 0
    faults: list[LensFault] = []
    lenses = lenses_of(load_kit(), faults.append)
    if options.json:
        print(dumps([listing.lens_object(lens) for lens in lenses.values()]))
    else:
        rows = [("LENS", "KNOWN BY", "WHAT IT DOES"), (REFERENCE, "-", "The most correct reading known.")]
        print(listing.table([*rows, *((lens.name, lens.evidence, lens.summary) for lens in lenses.values())]))
    return max((complain(str(fault)) for fault in faults), default=0)


def _dialects(options: argparse.Namespace) -> int:
    rows = [{"name": name, "title": title} for name, title in load_kit().titles.items()]
    print(dumps(rows) if options.json else listing.table([tuple(row.values()) for row in rows]))
    return 0


def _providers(options: argparse.Namespace) -> int:
    from inspector_app import cli_providers

    return cli_providers.providers(options)


def _formats(options: argparse.Namespace) -> int:
    rows: list[dict[str, Any]] = [found._asdict() for found in formats()]
    if options.json:
        print(dumps(rows))
        return 0
    words = {(True, True): "reads, writes", (True, False): "reads", (False, True): "writes"}
    print(listing.table([(r["name"], words[r["reads"], r["writes"]], r["title"]) for r in rows]))
    return 0


def _color(options: argparse.Namespace) -> bool:
    return sys.stdout.isatty() and not options.no_color and not os.environ.get("NO_COLOR")


def _window(options: argparse.Namespace) -> int:
    kit = load_kit()
    lenses = lenses_of(kit)
    lens = lens_of(options.lens, lenses)
    how = known(options, kit)
    for path in options.path:
        if path != "-" and not Path(path).exists():
            raise Trouble(f"{path}: no such file; commands are {', '.join(COMMANDS)}")
    platform = screen_platform(os.environ)
    if platform is None:
        raise Trouble("no screen to open a window on (DISPLAY and WAYLAND_DISPLAY are not set); `check` needs none")
    missing = missing_libraries(platform)
    if missing:
        raise Trouble(advice(missing))
    # Qt would say for every font of the system that it cannot write a script that came over the wire.
    os.environ.setdefault("QT_LOGGING_RULES", "qt.text.font.db=false")
    from inspector_app.ui.app import open_window

    return open_window(options.path, kit, lenses, lens=lens, **how)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "check": _check,
    "diff": _diff,
    "whatif": _what_if,
    "shot": _shot,
    "record": _record,
    "proxy": _proxy,
    "serve": _serve,
    "rules": _rules,
    "lenses": _list_lenses,
    "dialects": _dialects,
    "providers": _providers,
    "formats": _formats,
}
