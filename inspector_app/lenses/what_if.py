"""Would it work if the stream were another one? Repairs tried on a copy, as one client would read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import NamedTuple

from inspector_app.core.kit import Kit
from inspector_app.core.reading import Reading
from inspector_app.core.rule_keys import LITERAL
from inspector_app.core.types import Exchange
from inspector_app.lenses.compare import Difference, compare
from inspector_app.lenses.literal import literal
from inspector_app.lenses.load import Lens
from inspector_app.lenses.matrix import MATRIX_VERDICTS, MatrixVerdict
from inspector_app.lenses.run import read_as
from inspector_app.variations import NOTHING, REPAIR, How, Wish, apply, read_changed, suggested, unfit, variations, vary


class Outcome(NamedTuple):
    """What a client makes of a stream that was changed, against the reference reading of the one that came.

    `exchange` is the changed copy, the recording's own one where nothing was changed. The cause that `difference` names
    is one in the copy, where it is the same difference from the reference reading of the copy.
    """

    wishes: tuple[Wish, ...]
    exchange: Exchange
    reading: Reading
    difference: Difference

    @property
    def verdict(self) -> MatrixVerdict:
        """In the words of the matrix."""
        found = self.difference.verdict
        return "right" if found == "same" else found

    @property
    def works(self) -> bool:
        """Whether the client reads what was meant."""
        return self.verdict == "right"


class Alone(NamedTuple):
    """What one repair does by itself. `why` says why it does nothing, in words; then there is no outcome."""

    name: str
    outcome: Outcome | None
    why: str = ""


NEEDS_ARGUMENT = "say which"


def try_out(reference: Reading, wishes: Iterable[Wish], lens: Lens | None, kit: Kit) -> Outcome:
    """Reads a recording with these variations as a client; without a lens as the reference.

    `reference` has been read to its end. Raises KeyError for an unknown variation, ArgumentFault for a wrong argument.
    """
    asked = tuple(wishes)
    exchange = vary(reference, asked, kit)
    return _outcome(reference, asked, exchange, lens, kit)


def _outcome(reference: Reading, wishes: tuple[Wish, ...], exchange: Exchange, lens: Lens | None, kit: Kit) -> Outcome:
    changed, how = reference, How(None, None)
    if exchange is not reference.exchange:
        changed, how = read_changed(exchange, reference, kit, diagnose=True)
    if lens is not None and lens.name == LITERAL:
        lens = literal(changed)
    reading = changed if lens is None else read_as(lens, changed, kit, dialect=how.dialect, framing=how.framing)
    names = (reference.reader, reference.reader if lens is None else lens.name)
    difference = compare(reference, reading, names)
    if changed is not reference and difference.verdict != "same":
        # A field that the copy does not have is no cause of what happens to the copy.
        told = compare(changed, reading, names)
        if (told.verdict, told.headline) == (difference.verdict, difference.headline):
            difference = replace(difference, cause=told.cause)
    return Outcome(wishes, exchange, reading, difference)


def each_alone(
    reference: Reading, lens: Lens | None, kit: Kit, arguments: Mapping[str, str] | None = None
) -> Iterator[Alone]:
    """What each repair does alone, one after the other; `arguments` are those that were given, by name."""
    for name, module in variations(REPAIR).items():
        yield alone(reference, module, (arguments or {}).get(name, ""), lens, kit)


def alone(reference: Reading, module: ModuleType, argument: str, lens: Lens | None, kit: Kit) -> Alone:
    """What one variation does alone; without an argument with the one that this client would need.

    Raises ArgumentFault for a wrong argument; a missing one is told.
    """
    name: str = module.NAME
    why = unfit(module, reference)
    if why:
        return Alone(name, None, why)
    if not argument and lens is not None:
        argument = suggested(module, reference, lens.rules)
    if not argument and needs_argument(module):
        return Alone(name, None, NEEDS_ARGUMENT)
    exchange = apply(module, reference, argument)
    if exchange is reference.exchange:
        return Alone(name, None, NOTHING)
    return Alone(name, _outcome(reference, ((name, argument),), exchange, lens, kit))


def needs_argument(module: ModuleType) -> bool:
    """Whether a variation does nothing without an argument."""
    argument = getattr(module, "ARGUMENT", None)
    return argument is not None and bool(argument.needed)


def least(reference: Reading, found: Sequence[Alone], lens: Lens | None, kit: Kit) -> Iterator[tuple[Wish, ...] | None]:
    """The fewest of these repairs that make it work: one alone, else together. Yields None while it looks, the answer
    last, which is empty where even all of them do not help.

    Of several that would do, those that change the size of the stream least are kept.
    """
    size = len(reference.body)
    useful = [one.outcome for one in found if one.outcome is not None]
    useful.sort(key=lambda outcome: abs(len(outcome.exchange.body) - size))
    best = next((outcome for outcome in useful if outcome.works), None)
    if best is not None:
        yield best.wishes
        return
    wishes = tuple(wish for outcome in useful for wish in outcome.wishes)
    yield None
    if len(wishes) < 2 or not try_out(reference, wishes, lens, kit).works:
        yield ()
        return
    for wish in reversed(wishes):
        rest = tuple(other for other in wishes if other != wish)
        yield None
        if rest and try_out(reference, rest, lens, kit).works:
            wishes = rest
    yield wishes


def rank(outcome: Outcome) -> int:
    """How good it is: 0 for right, more for worse."""
    order = ["right", *reversed(MATRIX_VERDICTS[:-2])]
    return order.index(outcome.verdict)
