"""Where the text of one reading stands in another, in time linear in the text.

Blocks of one kind and choice form a strand: their texts in a row. Two strands mostly agree but for a stretch in
the middle, so the common beginning and end are matched by position and only the gap between them is searched.
Deltas are no help here: under another framing the same bytes make other events.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain

from inspector_app.core.types import Block

MISSES = 16
"""How many blocks may be searched in vain in one gap; it keeps the search linear in the text."""


class Strand:
    """Some blocks in order, and their texts joined. `starts[i]` is where block i begins, the last entry the end."""

    __slots__ = ("blocks", "starts", "text", "texts")

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.texts = [block.text for block in blocks]
        self.starts = [0, *accumulate(map(len, self.texts))]
        self.text = "".join(self.texts)


@dataclass(slots=True)
class Gap:
    """Where two strands part: [start, a_end) of a against [start, b_end) of b."""

    a: Strand
    b: Strand
    start: int
    a_end: int
    b_end: int
    moved_out: int = 0
    """Characters of this gap of a that stand in the gap of another strand of b."""
    moved_in: int = 0
    """Characters of other strands of a that stand in this gap of b."""
    cursor: int = 0
    misses: int = 0

    @property
    def lacking(self) -> int:
        """How many characters of a have nothing in b that could stand for them."""
        return max(0, (self.a_end - self.start - self.moved_out) - (self.b_end - self.start - self.moved_in))


@dataclass(slots=True)
class Links:
    """Which blocks share content. Keys and entries are block numbers (`Block.n`)."""

    parts: dict[int, list[int]] = field(default_factory=dict)
    """Block of a -> the blocks of b that hold its content, in the order of its text."""
    holders: dict[int, list[int]] = field(default_factory=dict)
    """Block of b -> the blocks of a whose content it holds."""
    gaps: list[Gap] = field(default_factory=list)

    def join(self, a: Block, b: Block) -> None:
        parts = self.parts.setdefault(a.n, [])
        if not parts or parts[-1] != b.n:
            parts.append(b.n)
        holders = self.holders.setdefault(b.n, [])
        if not holders or holders[-1] != a.n:
            holders.append(a.n)


Key = tuple[str, int]
"""Kind and choice."""


def strands(blocks: Iterable[Block], kinds: Sequence[str]) -> dict[Key, Strand]:
    """The blocks of these kinds by kind and choice, in order of first appearance."""
    grouped: dict[Key, list[Block]] = {}
    for block in blocks:
        if block.kind in kinds:
            grouped.setdefault((block.kind, block.choice), []).append(block)
    return {key: Strand(group) for key, group in grouped.items()}


def link(a: Mapping[Key, Strand], b: Mapping[Key, Strand]) -> Links:
    """Which blocks of b hold the text of each block of a: in its own strand, else in what is new in another."""
    links = Links()
    nothing = Strand(())
    for key in dict.fromkeys(chain(a, b)):
        _match_ends(a.get(key, nothing), b.get(key, nothing), links)
    for gap in links.gaps:
        for index in range(bisect_right(gap.a.starts, gap.start - 1), len(gap.a.blocks)):
            if gap.a.starts[index + 1] > gap.a_end:
                break
            if gap.a.texts[index]:
                _search(gap, index, links)
    return links


def common_prefix(x: str, y: str) -> int:
    """How many characters two texts have in common at their beginning."""
    low, high = 0, min(len(x), len(y))
    if x[:high] == y[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if x[low:middle] == y[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _match_ends(a: Strand, b: Strand, links: Links) -> None:
    prefix = common_prefix(a.text, b.text)
    suffix = common_prefix(a.text[prefix:][::-1], b.text[prefix:][::-1])
    a_end, b_end = len(a.text) - suffix, len(b.text) - suffix
    for i, j in chain(_overlaps(a, b, 0, prefix, 0), _overlaps(a, b, a_end, len(a.text), b_end - a_end)):
        links.join(a.blocks[i], b.blocks[j])
    if prefix < max(a_end, b_end):
        links.gaps.append(Gap(a, b, prefix, a_end, b_end, cursor=prefix))


def _overlaps(a: Strand, b: Strand, start: int, end: int, shift: int) -> Iterator[tuple[int, int]]:
    """The pairs of blocks that share a part of a's [start, end), which stands in b at + shift."""
    i = bisect_right(a.starts, start) - 1
    j = bisect_right(b.starts, start + shift) - 1
    while start < end:
        a_end, b_end = a.starts[i + 1], b.starts[j + 1] - shift
        if a_end <= start:
            i += 1
        elif b_end <= start:
            j += 1
        else:
            yield i, j
            start = min(a_end, b_end)


def _search(gap: Gap, index: int, links: Links) -> None:
    """Looks for the whole text of a block of a in the gaps of b, its own first, and links what holds it."""
    text = gap.a.texts[index]
    for target in chain((gap,), (other for other in links.gaps if other is not gap)):
        if target.misses >= MISSES or target.b_end - target.cursor < len(text):
            continue
        at = target.b.text.find(text, target.cursor, target.b_end)
        if at < 0:
            target.misses += 1
            continue
        target.cursor = at + len(text)
        first = bisect_right(target.b.starts, at) - 1
        while target.b.starts[first] < target.cursor:
            if target.b.texts[first]:
                links.join(gap.a.blocks[index], target.b.blocks[first])
            first += 1
        if target is not gap:
            gap.moved_out += len(text)
            target.moved_in += len(text)
        return
