"""The blocks of a recording as lanes of the timeline: one lane per kind or call, two where the readings differ."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter

from inspector_app.core.json_text import is_prefix
from inspector_app.core.reading import Reading
from inspector_app.core.text import clip, number, visible
from inspector_app.core.types import Block
from inspector_app.lenses import REFERENCE
from inspector_app.ui.gaps import Gaps
from inspector_app.ui.session import Session
from inspector_app.ui.timeline import Bar, Lane
from inspector_app.ui.views.block_names import KINDS, cannot_run, icon_of, kind_of_block, server_runs, word_of
from inspector_app.ui.views.sides import Side

CALL_LANES = 12
"""Calls beyond share the last lane, and so do choices."""
WORD = 60
STEP, DELTAS = 400, 25
"""Bars after which the caller may rest, and deltas of a bar that take as long as another bar."""
FEW, TOGETHER = 64, 20_000
"""Deltas of a block that need no columns, and those whose places are looked up at once."""
GAPS = 200
"""Blocks that a reader lacks and that are drawn one by one; more of them are no longer told apart."""
BREAKS = str.maketrans({"\n": "↵", "\r": "↵", "\t": " "})
NO_JSON, CANNOT_RUN = "no JSON", "cannot run"
"""What the bar of a call says whose arguments are broken, and of one that cannot be run for another reason."""

Key = tuple[str, int]
_ORDER = list(KINDS)


@dataclass(frozen=True, slots=True)
class _View:
    """A reading on the axis. `side` is 0 for the chosen one and 1 for the one beside it."""

    reading: Reading
    side: int
    title: str
    shown: Callable[[int], int]
    """Its event in the numbers of the reference."""
    positions: Sequence[int]
    mended: Mapping[int, str]
    """The blocks that are not as they came."""
    gaps: Gaps
    """What its calls lack."""
    events: array[int] | None
    """The event of each delta, None while the recording is still being read."""

    def at(self, event: int) -> int:
        """Where one of its events stands."""
        last = len(self.positions) - 1
        return self.positions[min(self.shown(event), last)] if last >= 0 else 0


def block_lanes(session: Session, positions: Sequence[int], whole: bool) -> Iterator[Lane | None]:
    """All lanes of blocks, top down; each None is a rest. `whole` is False while the reference is still being read."""
    left = session.left or session.reference
    assert left is not None
    mine = _view(session, left, 0, positions, whole)
    yield None
    right = session.right
    groups: dict[Key, list[Block]] = {}
    for _ in _group(left, groups):
        yield None
    if right is None:
        several = _of_choices(groups)
        for key, blocks in sorted(groups.items(), key=lambda group: lane_order(group[0])):
            yield from _lane(mine, blocks, key, choice_of(key) if key in several else "")
        return
    theirs = _view(session, right, 1, positions, whole)
    yield None
    others: dict[Key, list[Block]] = {}
    for _ in _group(right, others):
        yield None
    several = _of_choices({*groups, *others})
    for key in sorted({*groups, *others}, key=lane_order):
        own, other = groups.get(key, []), others.get(key, [])
        named = f"{choice_of(key)}, " if key in several else ""
        alike = len(own) == len(other)
        for same in _comparing(own, other) if alike else ():
            alike = alike and same
            yield None
        if alike:
            yield from _lane(mine, own, key, f"{named}both")
            continue
        yield from _lane(mine, own, key, named + mine.title, theirs, other)
        yield from _lane(theirs, other, key, named + theirs.title, mine, own)


def _view(session: Session, reading: Reading, side: int, positions: Sequence[int], whole: bool) -> _View:
    reference = session.reference
    assert reference is not None
    seen = Side(reading, reference)
    events = session.delta_column(reading) if whole else None
    title = session.short_title_of(reading.reader)
    shown = _same if seen.same else seen.shown_event
    return _View(reading, side, title, shown, positions, session.mended(reading), Gaps(reference), events)


def _same(event: int) -> int:
    return event


def lane_order(key: Key) -> tuple[int, str, int]:
    """Where the lane of a kind, or of a call, stands among those of the blocks; kinds that no table knows come last."""
    return _ORDER.index(key[0]) if key[0] in _ORDER else len(_ORDER), key[0], key[1]


def _group(reading: Reading, out: dict[Key, list[Block]]) -> Iterator[None]:
    """Sorts the blocks by lane, one lane per call, and one per kind and choice, with a rest now and then."""
    calls = 0
    for count, block in enumerate([*reading.blocks], 1):
        place = max(0, min(block.choice, CALL_LANES - 1))
        if block.kind == "tool_call":
            place, calls = min(calls, CALL_LANES - 1), calls + 1
        out.setdefault((block.kind, place), []).append(block)
        if count % (STEP * 10) == 0:
            yield
    yield


def _of_choices(keys: Iterable[Key]) -> set[Key]:
    """The lanes whose kind has others for other choices."""
    kinds = Counter(kind for kind, _ in keys if kind != "tool_call")
    return {key for key in keys if kinds[key[0]] > 1}


def choice_of(key: Key) -> str:
    """Which choice, or which choices, have this lane."""
    return f"choice {key[1]}" if key[1] < CALL_LANES - 1 else f"choice {key[1]} and on"


def _comparing(mine: list[Block], theirs: list[Block]) -> Iterator[bool]:
    """Whether so many blocks are the same in two readings, some at a time, up to those that are not."""
    looked = 0
    for a, b in zip(mine, theirs, strict=True):
        same = a.fields.get("id") == b.fields.get("id") and a.fields.get("name") == b.fields.get("name")
        same = same and _same_text(a, b)
        looked += 1 + len(a.fragments)
        if not same or looked >= TOGETHER:
            looked = 0
            yield same
        if not same:
            return


def _same_text(a: Block, b: Block) -> bool:
    """Whether two blocks say the same; mostly piece by piece, which need not be joined to tell."""
    return (a.override is None and b.override is None and a.fragments == b.fragments) or a.text == b.text


def _lane(
    view: _View, blocks: list[Block], key: Key, note: str, beside: _View | None = None, others: Sequence[Block] = ()
) -> Iterator[Lane | None]:
    kind, place = key
    title, meaning, icon = kind_of_block(kind)
    if kind == "tool_call":
        title = f"Tool {place}"
        note = note or next((visible(clip(str(b.fields["name"]), 24)) for b in blocks if b.fields.get("name")), "")
    marks = {icon_of(block) for block in blocks[:STEP]}
    icon = marks.pop() if len(marks) == 1 else icon
    lane = Lane(f"{kind}-{place}-{view.side}", title, note, badge=number(len(blocks)), icon=icon, meaning=meaning)
    held, before, ordered, lacking = 0, 0, True, False
    for block in blocks:
        characters = 0
        for start in range(0, len(block.fragments), TOGETHER):
            characters += sum(map(len, block.fragments[start : start + TOGETHER]))
            if start:
                yield None
        bar = _bar(view, block, meaning, characters)
        for _ in _fill(view, bar, block):
            yield None
        lane.bars.append(bar)
        ordered, before = ordered and bar.start >= before, bar.start
        lacking = lacking or bool(bar.missing)
        held += 1 + len(block.deltas) // DELTAS
        if held >= STEP:
            held = 0
            yield None
    if beside is not None and kind == "tool_call" and blocks and others:
        _reach_back(lane.bars[0], blocks[0], beside, others[0])
    if beside is not None and not blocks:
        lane.bars += [_lost(beside, block, key) for block in others[:GAPS]]
        ordered = False
    if not ordered:
        lane.bars.sort(key=attrgetter("start"))
    if beside is not None and view.reading.reader != REFERENCE:
        wrong = len(blocks) != len(others) or lacking
        lane.badge_meaning = "error" if wrong else "info"
    yield lane


def _reach_back(bar: Bar, block: Block, beside: _View, other: Block) -> None:
    """What a call lacks is drawn from where the other reading got it."""
    if any(other.fields.get(name) for name in bar.missing) and block.first_event > other.first_event:
        event = beside.shown(other.first_event)
        bar.start, bar.gap_event = min(bar.start, beside.at(other.first_event)), event


def _lost(beside: _View, block: Block, key: Key) -> Bar:
    """A block that this reading has nothing of, as large as the other reading shows it."""
    start, end = beside.at(block.first_event), beside.at(block.last_event)
    words = kind_of_block(key[0]).word.lower()
    number_ = -1 - (block.n * 2 + beside.side)
    return Bar(start, end, words, "error", number_, missing=(words,), gap_event=beside.shown(block.first_event))


def _bar(view: _View, block: Block, meaning: str, characters: int) -> Bar:
    start, end = view.at(block.first_event), view.at(block.last_event)
    state = "closed"
    if block.state == "truncated" or _ends_midway(block):
        state = "stopped" if block.fields.get("cancelled") else "truncated"
    elif block.fields.keys() & {"redacted", "encrypted"} and not block.has_text:
        state = "redacted"
    bar = Bar(
        start,
        end,
        title_of(block, characters),
        meaning,
        block.n * 2 + view.side,
        state=state,
        closed_early="closed_on" in block.fields,
        missing=view.gaps.of(view.reading, block),
        repaired=block.n in view.mended,
        icon=icon_of(block),
    )
    if state == "closed" and not bar.missing and cannot_run(block):
        bar.fault = NO_JSON if block.has_text and block.fields.get("arguments_json") is None else CANNOT_RUN
    if bar.closed_early and block.closed_at is not None:
        bar.cut_at = view.at(block.closed_at)
    return bar


def _fill(view: _View, bar: Bar, block: Block) -> Iterator[None]:
    """Put the deltas of a block into its bar, with rests where there are very many."""
    if view.events is None or not len(block.deltas):
        return
    if len(block.deltas) <= FEW:
        bar.events = _events_of(view, block.deltas)
        bar.fragments = _picked(view.positions, bar.events)
    else:
        events, positions = array("I"), array("q")
        for start in range(0, len(block.deltas), TOGETHER):
            some = _events_of(view, block.deltas[start : start + TOGETHER])
            events.extend(array("I", some))
            positions.extend(array("q", _picked(view.positions, some)))
            if start:
                yield
        bar.events, bar.fragments = events, positions
    fragments = block.fragments
    if any(fragments):
        bar.words = lambda i: _word(fragments[i]) if i < len(fragments) else ""
    bar.end = max(bar.end, bar.fragments[-1])


def _word(text: str) -> str:
    """A delta in the words of its bar. No font of ours has the pictures of controls; line breaks are usual."""
    return visible(clip(text, WORD).replace("\r\n", "\n"), keep="\n\r\t").translate(BREAKS)


def _ends_midway(block: Block) -> bool:
    """Whether the arguments of a call end within a value, as where a limit of length ended the answer."""
    unusable = block.fields.get("executable") is False and block.fields.get("arguments_json") is None
    wanted = block.kind == "tool_call" and block.state != "open" and block.fields.get("tool_kind") != "custom"
    if not (wanted and unusable):
        return False
    # What the server runs may be code, and code may look like the beginning of a number or a text.
    return (not server_runs(block) or block.text.lstrip()[:1] in ("{", "[")) and is_prefix(block.text)


def _events_of(view: _View, deltas: Sequence[int]) -> tuple[int, ...]:
    """The event of each of these deltas, in the numbers of the reference."""
    assert view.events is not None
    events = _picked(view.events, deltas)
    if view.shown is not _same:
        events = tuple(map(view.shown, events))
    last = len(view.positions) - 1
    return events if max(events) <= last else tuple(min(event, last) for event in events)


def _picked(column: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """The entries of a column at these places; at the speed of C, since a block may have a million deltas."""
    if len(places) == 1:
        return (column[places[0]],)
    found: tuple[int, ...] = itemgetter(*places)(column)
    return found


def title_of(block: Block, characters: int | None = None) -> str:
    """A block's title: Reasoning · 149 deltas · 707 chars. Calls by their name. `characters` are those of its
    fragments, where they are counted already.
    """
    deltas, chars = len(block.deltas), sum(map(len, block.fragments)) if characters is None else characters
    chars = chars if block.override is None else len(block.override)
    words = f" · {number(chars)} char{'' if chars == 1 else 's'}" if chars else ""
    return f"{name_of(block)} · {number(deltas)} delta{'' if deltas == 1 else 's'}{words}"


def name_of(block: Block) -> str:
    """What a block is called: its kind, a call by its name."""
    if block.kind != "tool_call":
        return word_of(block)
    name = block.fields.get("name")
    return visible(clip(name, 40)) if name else "arguments only" if any(block.fragments) else "call"
