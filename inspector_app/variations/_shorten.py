"""An exchange that stops before its end."""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import Any

from inspector_app.core.types import NO_TIME, Exchange
from inspector_app.variations._change import Edit, changed


def shortened(exchange: Exchange, size: int, how: str, terminator: bool | None, closed_by: str = "server") -> Exchange:
    """The first `size` bytes of the body, and an end in the words of a recording. It ends when its last byte came."""
    made = changed(exchange, [Edit(size, len(exchange.body), b"")] if size < len(exchange.body) else [])
    made = replace(made, notes=[], coded=None) if made is exchange else made
    times = made.read_times
    known = [time for time in times or () if time != NO_TIME]
    return with_end(made, known[-1] if known else exchange.end_time, how, terminator, closed_by)


def with_end(exchange: Exchange, time: int | None, how: str, terminator: bool | None, closed_by: str) -> Exchange:
    """A copy that ends otherwise."""
    end: dict[str, Any] = {
        "how": how, "terminator": terminator, "closed_by": closed_by, "trailers": [], "detail": None,
    }  # fmt: skip
    return replace(exchange, end=end, end_time=time)


def timed(exchange: Exchange, times: list[int]) -> Exchange:
    """A copy whose reads come at these times, one for each."""
    return replace(exchange, timing="measured", read_times=array("q", times))
