"""The first byte may come late: a client that soon gives up, or tries again, meets busy servers badly."""

from __future__ import annotations

from array import array
from dataclasses import replace

from inspector_app.core.reading import Reading
from inspector_app.core.types import NO_TIME, Exchange
from inspector_app.variations._change import TROUBLE, Argument, seconds_of

NAME = "slow-first-byte"
TITLE = "Let the first byte wait for some seconds more"
SORT = TROUBLE
KEEPS_MEANING = True
ARGUMENT = Argument("SECONDS", "how long it waits", "3", "3 seconds")
CASES = {NAME: ("", "Let the first byte wait for 3 seconds more")}


def apply(reading: Reading, argument: str = "") -> Exchange:
    exchange, wait = reading.exchange, round(seconds_of(NAME, ARGUMENT, argument) * 1e9)
    if not len(exchange.body):
        return exchange
    ends = exchange.read_ends or array("q", [len(exchange.body)])
    times = exchange.read_times or array("q", bytes(8 * len(ends)))
    return replace(
        exchange,
        timing="measured",
        read_ends=ends,
        read_times=array("q", [time if time == NO_TIME else time + wait for time in times]),
        end_time=None if exchange.end_time is None else exchange.end_time + wait,
        notes=[],
    )
