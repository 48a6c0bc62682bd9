"""What holds for every variation: it never raises, gives an exchange that reads again, and touches no recording."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.types import NO_TIME, Exchange
from inspector_app.files import read_input
from inspector_app.lenses.run import read
from inspector_app.variations import REPAIR, TROUBLE, apply, read_changed, unfit, variations, vary

KIT = load_kit()
ROOT = Path(__file__).parents[2]
GALLERY = sorted((ROOT / "recordings").glob("*.rec.jsonl"))
DIALECTS = sorted((ROOT / "tests" / "dialects" / "recordings").glob("*.rec.jsonl"))
ALL = variations()


@cache
def reference(path: Path) -> Reading:
    return read(read_input(str(path))[0], KIT)


def argument_of(module: ModuleType) -> str:
    """One that works, where one is needed."""
    argument = getattr(module, "ARGUMENT", None)
    return argument.example if argument is not None and argument.needed else ""


def blocks(reading: Reading) -> list[Any]:
    """What of the blocks is their meaning."""
    kept = ("id", "name", "signature", "encrypted", "redacted")
    return [
        (block.kind, block.choice, block.text, *(block.fields.get(name) or None for name in kept))
        for block in reading.blocks
    ]


def state_of(exchange: Exchange) -> Any:
    """Everything of a recording that a variation could have changed."""
    http = exchange.http
    return (
        exchange.body.slice(0, len(exchange.body)),
        list(exchange.read_ends or ()),
        list(exchange.read_times or ()),
        None if http is None else list(http.headers),
        list(exchange.faults),
        list(exchange.notes),
        exchange.end,
    )


@pytest.mark.parametrize("module", ALL.values(), ids=list(ALL))
def test_a_variation_says_what_it_is(module: ModuleType) -> None:
    assert module.SORT in (REPAIR, TROUBLE)
    assert module.TITLE[:1].isupper()
    assert not module.TITLE.endswith(".")
    assert isinstance(module.KEEPS_MEANING, bool)


@pytest.mark.parametrize("path", [*GALLERY, *DIALECTS], ids=lambda path: path.name.removesuffix(".rec.jsonl"))
@pytest.mark.parametrize("module", ALL.values(), ids=list(ALL))
def test_a_variation_of_any_recording_can_be_read(module: ModuleType, path: Path) -> None:
    before = reference(path)
    state = state_of(before.exchange)
    made = apply(module, before, argument_of(module))
    assert state_of(before.exchange) == state
    if unfit(module, before):
        assert made is before.exchange
        return
    ends, times = made.read_ends, made.read_times
    if ends is not None:
        assert list(ends) == sorted(ends)
        assert not len(ends) or ends[-1] <= len(made.body)
        assert times is None or len(times) == len(ends)
    after, _ = read_changed(made, before, KIT)
    if module.KEEPS_MEANING:
        assert blocks(after) == blocks(before)
    if module.SORT == REPAIR and times is not None:
        known = set(before.exchange.read_times or ())
        assert set(times) <= known | {NO_TIME}


@pytest.mark.parametrize("module", ALL.values(), ids=list(ALL))
def test_a_repair_once_made_has_nothing_left_to_do(module: ModuleType) -> None:
    if module.SORT != REPAIR:
        pytest.skip("troubles may be made again and again")
    for path in GALLERY:
        once = read(apply(module, reference(path), argument_of(module)), KIT)
        again = apply(module, once, argument_of(module))
        assert state_of(again) == state_of(once.exchange)


def test_all_repairs_at_once_leave_the_gallery_readable() -> None:
    wishes = [(name, argument_of(module)) for name, module in ALL.items() if module.SORT == REPAIR]
    for path in GALLERY:
        made = vary(reference(path), wishes, KIT)
        assert read(made, KIT).ended
