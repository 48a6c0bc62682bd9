"""One measurement in a process of its own: prints one JSON object. `python -m tests.bench.measure WHAT PATH [PATH]`."""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.reading import Reading
from inspector_app.files import read_input

ROUNDS = 3


def analyse(path: str, kit: Kit) -> Reading:
    """The whole analysis with all rules."""
    [exchange] = read_input(path)
    analysis = Analysis(exchange, kit)
    for piece in exchange.chunks():
        analysis.feed(piece)
    return analysis.finish()


def limit(data: bytes) -> None:
    """The least that any reader in Python must do: split the lines and parse each payload."""
    loads = orjson.loads
    for line in data.split(b"\n"):
        if line[:6] == b"data: " and line != b"data: [DONE]":
            loads(line[6:])


def seconds(work: Callable[..., object], *arguments: object) -> float:
    gc.collect()
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def speed(path: str, tenth: str) -> dict[str, Any]:
    """Limit, analysis, and analysis of a tenth of the events, in turn, so that a busy machine slows all three."""
    kit = load_kit()
    data = Path(path).read_bytes()
    limits, wholes, ratios, growths = [], [], [], []
    for _ in range(ROUNDS):
        least, part = seconds(limit, data), seconds(analyse, tenth, kit)
        whole = seconds(analyse, path, kit)
        # The same once more: what a machine does to one side of a quotient it shall do to the other.
        part, least = (part + seconds(analyse, tenth, kit)) / 2, (least + seconds(limit, data)) / 2
        limits.append(least)
        wholes.append(whole)
        ratios.append(whole / least)
        growths.append(whole / part)
    return {
        "limit": median(limits),
        "analysis": median(wholes),
        "ratio": median(ratios),
        "growth": median(growths),
        "rules": len(kit.rules),
    }


def memory(path: str) -> dict[str, Any]:
    """Peak of the resident memory in bytes, the mapped file included."""
    reading = analyse(path, load_kit())
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return {"peak": peak, "events": len(reading.events), "findings": sorted(f.rule for f in reading.findings)}


def client(path: str) -> dict[str, Any]:
    """The openai client iterating the same bytes, against the analysis; None where it is not installed."""
    try:
        openai = import_module("openai")
    except ImportError:
        return {"times": None}
    # Its releases build on different HTTP libraries.
    httpx = import_module(openai.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0])
    data = Path(path).read_bytes()
    kit = load_kit()

    def answer(request: object) -> object:
        pieces = (data[at : at + 65_536] for at in range(0, len(data), 65_536))
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=pieces)

    def iterate() -> None:
        transport = httpx.Client(transport=httpx.MockTransport(answer))
        caller = openai.OpenAI(api_key="none", base_url="http://bench.invalid/v1", http_client=transport)
        for _ in caller.chat.completions.create(model="bench", messages=[], stream=True):
            pass

    rounds = [(seconds(iterate), seconds(analyse, path, kit)) for _ in range(ROUNDS)]
    return {"times": median(theirs / ours for theirs, ours in rounds)}


MEASUREMENTS: dict[str, Callable[..., dict[str, Any]]] = {"speed": speed, "memory": memory, "client": client}

if __name__ == "__main__":
    print(json.dumps(MEASUREMENTS[sys.argv[1]](*sys.argv[2:])))
