"""The command `record`: stream from a provider into recordings without a window, and say how fast it was."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from inspector_app.core.analysis import Analysis
from inspector_app.core.instead import ENOUGH, LONGEST, broke_off_at_once, instead_of_stream, message_in
from inspector_app.core.json_text import parse
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.redact import redact_text
from inspector_app.core.rules import nearest
from inspector_app.core.text import clip, duration, number, size, terminal
from inspector_app.core.timing import ladder
from inspector_app.core.transfer import ENDS, answer_words, is_success, peer
from inspector_app.core.types import Exchange, InputFault
from inspector_app.live.asking import ASKING
from inspector_app.live.capture import Conditions, conditions_of
from inspector_app.live.growth import Growth
from inspector_app.live.keys import find_credentials
from inspector_app.live.providers import Provider, ProviderFault, known_providers, providers_file
from inspector_app.live.recorder import EXTENSION, Recorder, create, free_names, recordings_folder
from inspector_app.live.request import Outgoing, outgoing, prompt_body, without
from inspector_app.live.running import Running
from inspector_app.report.listing import table

TICK_S = 0.2
"""Seconds of waiting after which Ctrl+C is looked for, where a wait cannot be interrupted."""
REPEATED = "the server repeated the key of the request, which is masked in the recording"
CLOSE_S = 5.0
"""Seconds that a recording may take to be closed after Ctrl+C."""


class Run(NamedTuple):
    """What one stream came to. Times in ns, None where there was nothing to measure."""

    path: Path
    status: int | None
    events: int
    bytes: int
    first_token: int | None
    gaps: tuple[int, int, int] | None
    """Between events: the median, the 95th percentile, the longest."""
    lasted: int
    answered: bool
    """Whether there was a stream at all."""
    end: str
    """How it ended, in a few words."""
    trouble: str
    """What is wrong, in one line; empty where nothing is."""
    whole: bool
    """Whether the stream came to the end that its dialect has."""
    stopped: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `record`."""
    parser.add_argument("provider", metavar="PROVIDER", help="a name from providers.toml, or a preset")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--prompt", metavar="TEXT", help="send this as one user message and ask for a stream")
    asked.add_argument("--request", metavar="FILE", help="send the JSON object in this file, - for standard input")
    where = f"the recording, a new file (without it: one in {recordings_folder()})"
    parser.add_argument("--out", metavar="FILE", help=where.replace("%", "%%"))
    parser.add_argument("--count", metavar="N", type=_count, default=1, help="so many runs, one after another")
    said = "set a member of the body: --set temperature=0 --set reasoning.effort=high"
    parser.add_argument("--set", dest="settings", metavar="KEY=VALUE", action="append", default=[], help=said)
    parser.add_argument("--redirects", action="store_true", help="follow redirects")


def record(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status. Raises InputFault for what the user has to mend."""
    ended: list[int] = []

    def end(number: int, frame: object) -> None:
        ended.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        return _record(options)
    except KeyboardInterrupt:
        if ended:
            return 128 + ended[0]
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _record(options: argparse.Namespace) -> int:
    try:
        provider = _provider(options.provider)
        body = prompt_body(provider, options.prompt) if options.prompt is not None else _body(options.request)
        request = outgoing(provider, body, find_credentials(provider), options.settings)
    except ProviderFault as fault:
        raise InputFault(str(fault)) from None
    if options.prompt is not None and _lacks_model(provider, request):
        raise InputFault(
            f"{provider.name}: no model is named; give one with --set model=NAME, or as model in {providers_file()}"
        )
    conditions = conditions_of(provider, redirects=options.redirects)
    names = _names(options, provider)
    kit = load_kit()
    runs: list[Run] = []
    left = 0
    try:
        for _ in range(options.count):
            run = _run(request, conditions, kit, next(names))
            runs.append(run)
            _tell(run)
            if run.status is None:
                left = options.count - len(runs)
                break
    finally:
        if options.count > 1 and runs:
            print("\n" + _table(runs), flush=True)
    if left:
        rest = "the last run was" if left == 1 else f"the other {left} runs were"
        print(f"stream-inspector: no answer came to run {len(runs)}, so {rest} left out", file=sys.stderr, flush=True)
    return 2 if any(not run.answered or run.stopped for run in runs) else 0


def _run(request: Outgoing, conditions: Conditions, kit: Kit, names: Path | Iterator[Path]) -> Run:
    """One stream, from the request to its closed recording. KeyboardInterrupt closes the recording too."""
    try:
        path, file = create(names)
        recorder = Recorder(file, request.record())
    except FileExistsError:
        raise InputFault(f"{names}: the file exists, and no recording is overwritten; choose another name") from None
    except OSError as error:
        raise InputFault(f"{error.filename or names}: cannot be written: {error.strerror or error}") from None
    print(terminal(str(path)), flush=True)
    running = Running(request, kit, conditions, recorder)
    growth = Growth(str(path), request)
    analysis = Analysis(growth.exchange, kit)
    fault: Exception | None = None
    running.start()
    try:
        while not growth.ended:
            running.wait(TICK_S)
            for piece in growth.add(running.take()):
                try:
                    if fault is None:
                        analysis.feed(piece)
                except Exception as error:  # A fault of ours costs the numbers, and never what is still to be recorded.
                    fault = error
    except BaseException:
        running.cancel()
        if running.join(CLOSE_S):
            _complain(path, "cancelled; what had arrived is recorded")
        raise
    running.join()
    if fault is not None:
        raise fault
    return _summary(path, analysis.finish(), growth, request)


def _summary(path: Path, reading: Reading, growth: Growth, request: Outgoing) -> Run:
    exchange = reading.exchange
    first = ladder(reading)
    tokens = [at for name in ("first_reasoning", "first_text", "first_tool") if (at := first[name]) is not None]
    times = [at for n in range(len(reading.events)) if (at := reading.time_of(n)) is not None]
    gaps = sorted(later - earlier for earlier, later in pairwise(times))
    outcome = _outcome(reading)
    repeated = REPEATED if (exchange.end or {}).get("masked") else ""
    return Run(
        path,
        exchange.http.status if exchange.http is not None else None,
        len(reading.events),
        len(exchange.body),
        min(tokens, default=None),
        (percentile(gaps, 50), percentile(gaps, 95), gaps[-1]) if gaps else None,
        exchange.end_time or 0,
        outcome.answered,
        outcome.end,
        _harmless("; ".join(filter(None, [outcome.trouble, repeated])), request),
        outcome.answered and (exchange.end or {}).get("how") == "done",
        growth.stopped,
    )


class _Outcome(NamedTuple):
    answered: bool
    end: str
    trouble: str


def _outcome(reading: Reading) -> _Outcome:
    """Whether a stream came, how it ended, and what is to be said of it."""
    exchange = reading.exchange
    end, http = exchange.end or {}, exchange.http
    how, detail = str(end.get("how") or ""), str(end.get("detail") or "")
    words = ENDS.get(how, how)
    broken = ": ".join(filter(None, [words, detail])) if how not in ("done", "eof") else ""
    if http is None:
        where = peer(exchange.request) if how in ("connect_error", "tls_error") else ""
        return _Outcome(False, words, ": ".join(filter(None, [words, where, detail])) or "no answer came")
    if not is_success(http):
        return _Outcome(False, f"HTTP {http.status}", _refusal(exchange))
    if broken and not len(exchange.body):
        return _Outcome(False, words, f"{broken}; no byte of a stream came")
    if other := instead_of_stream(reading):
        return _Outcome(False, "no stream", "; ".join(filter(None, [f"no stream came but {other}", broken])))
    if any(finding.rule == "end-left-open" for finding in reading.findings):
        return _Outcome(True, "complete, but left open", f"complete, but the connection stayed open: {detail}")
    cut = next((fault.detail for fault in exchange.faults if fault.rule == "frame-cut" and how == "eof"), "")
    errors = [_said(error) for error in reading.errors[:1]]
    torn = broke_off_at_once(reading) and any(finding.rule == "frame-cut" for finding in reading.findings)
    began = "the stream broke off within its first event" if torn else ""
    told = [broken, began, cut and f"the compressed body broke off: {cut}", *errors]
    if began and how == "eof":
        words = "broke off"
    return _Outcome(True, "the compressed body broke off" if cut else words, "; ".join(filter(None, told)))


def _refusal(exchange: Exchange) -> str:
    """What an answer that is no success says, and what can be done about it."""
    assert exchange.http is not None
    http = exchange.http
    said = message_in(exchange.body.slice(0, ENOUGH))
    broken = str((exchange.end or {}).get("detail") or "").partition("; ")[2]
    follow = "give --redirects to follow it" if 300 <= http.status < 400 and http.header("location") else ""
    told = [f"HTTP {http.status}: {answer_words(http)}", follow, said and f"it says: {said}", broken]
    return "; ".join(filter(None, told))


def _said(error: dict[str, Any]) -> str:
    """The words of an error in a stream."""
    words = next((str(error[key]) for key in ("message", "type", "code") if error.get(key)), "")
    return "the stream carries an error" + (f": {clip(words, LONGEST)}" if words else "")


def _harmless(text: str, request: Outgoing) -> str:
    """What a server said, without the key: some say it back to whoever sent a wrong one."""
    return str(without(redact_text(text), request.secrets))


def percentile(ordered: Sequence[int], percent: int) -> int:
    """The smallest value that so many percent of the values do not exceed."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def _tell(run: Run) -> None:
    told = [f"HTTP {run.status}"] if run.status is not None else []
    told += [f"{number(run.events)} {'event' if run.events == 1 else 'events'}", size(run.bytes)]
    told += [f"first token after {duration(run.first_token)}"] if run.first_token is not None else []
    told += [f"over after {duration(run.lasted)}", *([run.end] if run.end not in told else [])]
    print("  " + terminal(" · ".join(told)), flush=True)
    if run.stopped:
        _complain(run.path, f"{run.stopped}; the stream went on without it, free some space")
    if run.trouble:
        _complain(run.path, run.trouble)


def _complain(path: Path, what: str) -> None:
    print(f"stream-inspector: {terminal(' '.join(f'{path}: {what}'.split()))}", file=sys.stderr, flush=True)


_TIMES: dict[str, Callable[[Run], int | None]] = {
    "TTFT": lambda run: run.first_token,
    "GAP P50": lambda run: run.gaps and run.gaps[0],
    "GAP P95": lambda run: run.gaps and run.gaps[1],
    "GAP MAX": lambda run: run.gaps and run.gaps[2],
    "DURATION": lambda run: run.lasted,
}
"""Column -> what it shows of a run, in ns."""
_FOLDS: dict[str, Callable[[list[int]], float]] = {"median": median, "least": min, "most": max}


def _table(runs: Sequence[Run]) -> str:
    rows = [("RUN", *_TIMES, "EVENTS", "END")]
    for n, run in enumerate(runs, 1):
        times = [_time(of(run)) for of in _TIMES.values()]
        rows.append((str(n), *times, number(run.events), run.end))
    good = [run for run in runs if run.answered]
    for name, fold in _FOLDS.items() if len(good) > 1 else ():
        times = [_folded(fold, [at for run in good if (at := of(run)) is not None]) for of in _TIMES.values()]
        rows.append((name, *times, number(round(fold([run.events for run in good]))), ""))
    done = sum(run.whole for run in runs)
    return f"{table(rows)}\n{done} of {len(runs)} complete"


def _folded(fold: Callable[[list[int]], float], times: list[int]) -> str:
    return _time(round(fold(times)) if times else None)


def _time(at: int | None) -> str:
    return "-" if at is None else duration(at)


def _names(options: argparse.Namespace, provider: Provider) -> Iterator[Path | Iterator[Path]]:
    """Where each run goes: the file that was named, numbered when there are several, or a free name in our folder."""
    if options.out is None:
        while True:
            yield free_names(recordings_folder(), provider.name, provider.model)
    out = Path(options.out)
    if options.count == 1:
        yield out
    end = EXTENSION if out.name.endswith(EXTENSION) else out.suffix
    for n in range(1, options.count + 1):
        yield out.with_name(f"{out.name.removesuffix(end)}-{n}{end}")


def _lacks_model(provider: Provider, request: Outgoing) -> bool:
    """Whether a request names no model where its dialect has it in the body, and its path does not name one."""
    body = parse(request.body).values[0]
    named = isinstance(body, dict) and ("model" in body or "agent" in body)
    return ASKING[provider.dialect].model_in_body and "{model}" not in provider.path and not named


def _provider(name: str) -> Provider:
    known = known_providers(providers_file())
    if "://" in name:
        raise InputFault(
            f"give the name of a provider, not an address: put it into {providers_file()} as base_url, with a dialect, "
            "under [providers.NAME], and give that NAME"
        )
    if name not in known:
        raise InputFault(
            f"no provider is named {name!r}, neither in {providers_file()} nor a preset{nearest(name, known)}"
        )
    if not known[name].base_url:
        form = known[name].knows.base_url_form
        raise InputFault(
            f"{name}: no address is known; put it into {providers_file()}, under [providers.NAME]: "
            f'preset = "{name}" and base_url = "{form or "https://…"}", and give that NAME'
        )
    return known[name]


def _body(path: str) -> dict[str, object]:
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise InputFault(f"{path}: cannot be read: {error.strerror or error}") from None
    parsed = parse(data)
    if parsed.fault is not None or len(parsed.values) != 1 or not isinstance(parsed.values[0], dict):
        raise InputFault(f"{path}: {parsed.detail or 'this is no JSON object'}; give the body of a request as one")
    return parsed.values[0]


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of runs from 1 to 10000")
    return int(text)
