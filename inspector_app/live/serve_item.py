"""What a replay server can be asked for: a recording, or one with something changed, ready to be sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any

from inspector_app.core.analysis import Analysis
from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.text import encodable
from inspector_app.core.types import Exchange
from inspector_app.live.asking import model_of
from inspector_app.live.serve_plan import AS_RECORDED, Plan, at_speed, plan_of, whole_plan
from inspector_app.variations import Wish, apply, no_effect, read_changed, variations

PIECE = 1 << 18
"""Bytes of a body that are read at once."""


@dataclass(frozen=True)
class How:
    """How recordings are served. `speed` None: without waiting; `end` is AS_RECORDED or an Ending.

    `wishes` are variations by name, each with its argument, applied one after the other.
    """

    speed: float | None = 1.0
    end: str = AS_RECORDED
    wishes: tuple[Wish, ...] = ()


TRUE = How()


@dataclass(frozen=True)
class Item:
    """One answer that can be asked for.

    `recording` and `variation` (empty for the recording itself) name it in a path; `title` says what it does, and
    `keeps_meaning` whether a correct client must not notice. `plan` is the stream.
    """

    recording: str
    plan: Plan
    exchange: Exchange
    """What is sent."""
    before: Reading
    """The reading of the recording that it was made of."""
    kit: Kit = field(repr=False)
    file: str = ""
    variation: str = ""
    title: str = ""
    keeps_meaning: bool = True
    models: frozenset[str] = field(default_factory=frozenset)
    idle: tuple[tuple[Wish, str], ...] = ()
    """The wishes that changed nothing, and why."""

    @property
    def dialect(self) -> str:
        """The dialect that a client of it speaks."""
        return self.before.dialect

    @cached_property
    def reading(self) -> Reading:
        """The reading of what is sent; its exchange may have other reads. Made when it is first asked for."""
        same = self.exchange.body is self.before.exchange.body
        return self.before if same else read_changed(self.exchange, self.before, self.kit)[0]

    @cached_property
    def names(self) -> frozenset[str]:
        """What a part of a path may say to mean it."""
        return frozenset({self.recording, self.file, self.variation} - {""})

    @cached_property
    def whole(self) -> Plan | None:
        """The answer as one JSON document; None where it is one, where it is none, or nobody knows its form."""
        found = whole_answer(self.reading)
        return None if found is None else whole_plan(_json(found[1]), found[0], self.plan)


def item_of(exchange: Exchange, kit: Kit, how: How = TRUE, *, recording: str = "", file: str = "") -> Item:
    """An exchange as it is to be served. Raises ArgumentFault, KeyError for wishes that cannot be."""
    before = read(at_speed(exchange, how.speed), kit)
    name, own = recording or stem(exchange.name), file or PurePath(exchange.name).name
    made = changed_item(before, kit, how.wishes, how.end, recording=name, file=own)
    if how.speed in (1.0, None) or exchange.read_times is not None:
        return made
    return replace(made, idle=((("speed", f"{how.speed:g}"), "no times are known, so it goes out at once"), *made.idle))


def changed_item(
    before: Reading,
    kit: Kit,
    wishes: Sequence[Wish] = (),
    end: str = AS_RECORDED,
    *,
    recording: str,
    file: str = "",
    variation: str = "",
    title: str = "",
    keeps_meaning: bool = True,
) -> Item:
    """What a reading is of, with variations, as it is to be served. Raises ArgumentFault, KeyError."""
    made, idle = _changed(before, wishes, kit)
    plan = plan_of(made, before.framing, end=end)
    models = frozenset(models_of(before))
    return Item(recording, plan, made, before, kit, file, variation, title, keeps_meaning, models, tuple(idle))


def _changed(before: Reading, wishes: Sequence[Wish], kit: Kit) -> tuple[Exchange, list[tuple[Wish, str]]]:
    """The exchange with all wishes, and those that change nothing, each with the reason.

    What the last one made is not read, as that takes the most time.
    """
    known = variations() if wishes else {}
    reading, made = before, before.exchange
    idle: list[tuple[Wish, str]] = []
    for number, (name, argument) in enumerate(wishes, 1):
        made = apply(known[name], reading, argument)
        if why := no_effect(known[name], reading, made):
            idle.append(((name, argument), why))
        elif number < len(wishes):
            reading, _ = read_changed(made, reading, kit)
    return made, idle


def read(exchange: Exchange, kit: Kit) -> Reading:
    """The reference reading without findings."""
    analysis, body = Analysis(exchange, kit, diagnose=False), exchange.body
    # Not read by read: it is all there, and there may be thousands of recordings.
    for start in range(0, len(body), PIECE):
        analysis.feed(body.slice(start, min(start + PIECE, len(body))))
    return analysis.finish()


def whole_answer(reading: Reading) -> tuple[int, Any] | None:
    """Status and JSON of the answer to a client that asked for no stream, None where the stream has to do."""
    http = reading.exchange.http
    whole = getattr(reading.dialect_module, "whole", None)
    if whole is None or reading.framing == "json" or (http is not None and not 200 <= http.status < 300):
        return None
    if reading.errors:
        said = reading.errors[0]
        code = said.get("code")
        status = code if type(code) is int and 400 <= code <= 599 else 500
        error = reading.payload(said["event"])
        return status, {"error": said} if error is None else error
    return 200, whole(reading)


def models_of(reading: Reading) -> Iterator[str]:
    """The models that a recording tells of: the one asked for, and the one that answered."""
    request = reading.exchange.request or {}
    asked = request.get("body")
    for name in (
        asked.get("model") if isinstance(asked, dict) else None,
        model_of(str(request.get("url") or "").partition("?")[0]),
        reading.meta.get("model"),
    ):
        if isinstance(name, str) and name:
            yield name


def stem(path: str) -> str:
    """The name of a recording in a path: its file's, without what says its format."""
    name = PurePath(path).name
    for suffix in (".rec.jsonl", *PurePath(name).suffixes[-1:]):
        name = name.removesuffix(suffix)
    return name or "recording"


def named(exchanges: Iterable[Exchange]) -> Iterator[tuple[str, str, Exchange]]:
    """Each exchange with the names it is asked by: one of its own, and its file's.

    Two recordings of one name are told apart by a number; a file with several exchanges gives each in turn.
    """
    taken: dict[str, int] = {}
    for exchange in exchanges:
        file = PurePath(exchange.name).name if exchange.name != "-" else ""
        name = stem(exchange.name) if file else "stdin"
        taken[name] = taken.get(name, 0) + 1
        yield name if taken[name] == 1 else f"{name}-{taken[name]}", file, exchange


def dialects_of(items: Sequence[Item]) -> frozenset[str]:
    """The dialects that a client of these items has to speak."""
    return frozenset(item.dialect for item in items)


def _json(value: Any) -> bytes:
    return encodable(json.dumps(value, ensure_ascii=False)).encode()
