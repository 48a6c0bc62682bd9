"""Compares two readings of one stream, or of two: the verdict of `diff` (contract.md, section 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple

from inspector_app.core.types import Block
from inspector_app.lenses.calls import CALL, compare_calls
from inspector_app.lenses.changes import (
    LABELS,
    VERDICTS,
    Change,
    Comparable,
    Side,
    Verdict,
    altered,
    blocks_of,
    lost,
)
from inspector_app.lenses.texts import TEXT_KINDS, compare_texts

VISIBLE = (*TEXT_KINDS, CALL)
"""The kinds whose text counts as visible; a call's text is its arguments."""


LONGEST_HEADLINE = 8
"""Words that the verdict strip has room for."""


class FirstDifference(NamedTuple):
    """The event at which two readings part, and one sentence why. An event of a where a has it, else of b."""

    event: int
    why: str


@dataclass(frozen=True, slots=True)
class Difference:
    """How reading b differs from reading a.

    The verdict is the first that holds: failed (b ends in an error that a does not end in), lost (b lacks
    text, a call, or a call's id or name that a has, and has nothing in its place), merged (content of two blocks
    of a is in one of b), fragmented (one block of a is several in b), altered (anything else), same.
    `headline` and `cause` are for the verdict strip; both are empty when the readings are the same. `lacks` is what b
    lacks, in words; `error` is the event and the message, in the client's own words, of the error that b ends in.
    """

    a: str
    b: str
    verdict: Verdict
    first_difference: FirstDifference | None
    blocks: tuple[int, int]
    chars: tuple[int, int]
    headline: str
    cause: str
    lacks: str = ""
    error: tuple[int, str] | None = None

    def to_json(self) -> dict[str, Any]:
        """The object that `diff --json` prints."""
        first = self.first_difference
        return {
            "schema": "stream-inspector/diff/1",
            "a": self.a,
            "b": self.b,
            "verdict": self.verdict,
            "first_difference": first._asdict() if first else None,
            "blocks": dict(zip("ab", self.blocks)),
            "chars": dict(zip("ab", self.chars)),
        }


def compare(a: Comparable, b: Comparable, names: tuple[str, str] | None = None) -> Difference:
    """What reading b makes otherwise than reading a; of several differences the worst, then the earliest.

    `names` stand for the readings where their readers' names will not do, as for two files.
    """
    return _compare(*map(Side, names or (a.reader, b.reader), (a, b)))


def _compare(a: Side, b: Side) -> Difference:
    changes = _with_all_losses(a, b, [*compare_texts(a, b), *compare_calls(a, b), *_compare_others(a, b)])
    changes += _errors(a, b, changes)
    worst = min(changes, key=_rank, default=None)
    return Difference(
        a.name,
        b.name,
        worst.verdict if worst else "same",
        FirstDifference(worst.event, worst.why) if worst else None,
        (len(a.blocks), len(b.blocks)),
        (_visible(a), _visible(b)),
        worst.headline if worst else "",
        worst.cause if worst else "",
        worst.lacks if worst else "",
        _raised(b),
    )


def _with_all_losses(a: Side, b: Side, changes: list[Change]) -> list[Change]:
    """The same changes, where the first loss, which is the one that is told, says what else is lacking."""
    losses = sorted((change for change in changes if change.verdict == "lost"), key=_rank)
    if len(losses) < 2:
        return changes
    first = losses[0]
    lacks = f"{', '.join(loss.lacks for loss in losses[:-1])} and {losses[-1].lacks}"
    headline, why = first.headline, first.why
    if not b.blocks:
        headline, why = f"All {len(a.blocks)} blocks are lost", f"{b.name} lacks {lacks}: {first.cause}"
    whole = first._replace(lacks=lacks, headline=headline, why=why)
    return [whole if change is first else change for change in changes]


def _errors(a: Side, b: Side, changes: list[Change]) -> Iterator[Change]:
    """What the errors of the readings add: b fails, or only a does.

    An error that was reported as a part and did not end the reading (`part` is true) does not fail it, and
    what both readings end in is no difference between them.
    """
    mine, theirs = _raised(a), _raised(b)
    if theirs == mine:
        return
    if mine is not None and theirs is None:
        yield altered(a, b, "no error", "No error ends this reading", mine[0])
    if theirs is None:
        return
    at, message = theirs
    said = f"it raises: {message}"
    first = min(changes, key=lambda change: change.event, default=None)
    why = f"{b.name} ends in an error at event {at}; {said}"
    if first is not None and first.event < at:
        why = f"{first.why}; it ends in an error at event {at} ({said})"
    loss = next((change for change in sorted(changes, key=_rank) if change.event <= at and change.reason), None)
    cause = said
    if loss is not None:
        empty = "" if b.blocks else ", so the turn is empty"
        cause = f"{loss.reason}{empty}; {said} (event {at})"
    headline = _then_an_error(len(a.blocks), len(b.blocks), bool(changes))
    if loss is not None and len(f"{loss.headline} then an error".split()) <= LONGEST_HEADLINE:
        headline = f"{loss.headline}, then an error"
    event = at if first is None else min(at, first.event)
    yield Change("failed", event, why, headline, cause, loss.lacks if loss is not None else "")


def _then_an_error(ours: int, theirs: int, changed: bool) -> str:
    if ours != theirs:
        return f"{theirs} block{'' if theirs == 1 else 's'} instead of {ours}, then an error"
    return f"The {'' if changed else 'same '}reading ends in an error"


def _rank(change: Change) -> tuple[int, int]:
    return VERDICTS.index(change.verdict), change.event


def _raised(side: Side) -> tuple[int, str] | None:
    """Event and message of the error that a reading ends in."""
    error = side.reading.client_error
    return None if error is None or error.get("part") else (int(error["event"]), str(error["message"]))


def _compare_others(a: Side, b: Side) -> Iterator[Change]:
    """Media, results, errors, state: compared block by block, at most one difference for a kind and choice."""
    mine, theirs = _by_kind(a), _by_kind(b)
    for key in dict.fromkeys((*mine, *theirs)):
        own, others = mine.get(key, []), theirs.get(key, [])
        for held, got in zip_longest(own, others):
            if held is not None and got is not None and held.text == got.text:
                continue
            label, less = LABELS[key[0]], len(own) - len(others)
            if less > 0 and held is not None:
                headline = f"{blocks_of(less, key[0])} {'is' if less == 1 else 'are'} lost"
                yield lost(a, b, blocks_of(less, key[0]), headline, own, held.first_event)
            else:
                where = (held or got or own[0]).first_event
                headline = f"{blocks_of(len(others), key[0])} instead of {len(own)}" if less else f"Other {label}"
                yield altered(a, b, f"other {label}", headline, where)
            break


def _by_kind(side: Side) -> dict[tuple[str, int], list[Block]]:
    grouped: dict[tuple[str, int], list[Block]] = {}
    for block in side.blocks:
        if block.kind not in VISIBLE:
            grouped.setdefault((block.kind, block.choice), []).append(block)
    return grouped


def _visible(side: Side) -> int:
    return sum(len(block.text) for block in side.blocks if block.kind in VISIBLE)
