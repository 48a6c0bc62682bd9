"""What is worked out once for each lane when its data comes, so that painting needs only bisection."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, zip_longest
from operator import attrgetter
from statistics import median

from inspector_app.core.in_order import AT_ONCE, rising, sorting
from inspector_app.ui.timeline.model import Axis, Bar, Lane
from inspector_app.ui.timeline.view import FAR, NEAR, View

SAMPLE = 512
STEP = 1000
"""Bars after which the caller may rest."""


class LaneIndex:
    """A lane with its bars in columns. `ends` is how far each bar may be drawn, `reaches` how far it came in time;
    neither falls from bar to bar.

    Without `settle` the ends are still to be found, by `in_steps`.
    """

    def __init__(self, lane: Lane, axis: Axis, settle: bool = True) -> None:
        self.lane, self.measured = lane, axis.measured
        self._detail: tuple[View, str] | None = None
        self.ticks: Sequence[int] = lane.ticks if lane.ticks is not None else ()
        self.bars: list[Bar] = []
        self.marks = sorted(lane.marks, key=attrgetter("position"))
        self.gap = 1
        self.starts, self.ends, self.reaches = array("q"), array("q"), array("q")
        self._leads = array("I")
        self.blocks = array("q")
        """`Bar.block` of each bar; `_by_block` are the numbers of the bars in the order of these, where they fall."""
        self._by_block: array[int] | None = None
        self.early, self.unusable = array("q", [0]), array("q", [0])
        self.flaws = array("q")
        self.growing: list[int] = []
        self.mark_positions = array("q", (mark.position for mark in self.marks))
        self.unread = array("q")
        self.heaviest = max(lane.weights, default=0) if lane.heaviest is None else lane.heaviest
        self.cuts = array("q")
        for _ in self.in_steps(axis) if settle else ():
            pass

    def in_steps(self, axis: Axis) -> Iterator[None]:
        """Put the bars into columns, and find their ends, with a rest now and then: a reader may have made a hundred
        thousand.
        """
        yield from self._columns()
        for start in range(0, len(self.lane.unread), AT_ONCE):
            self.unread.extend(array("q", map(self.ticks.__getitem__, self.lane.unread[start : start + AT_ONCE])))
            yield
        self.gap = _usual_gap(self.bars, axis)
        # A delta is a moment. It is drawn up to the next one, as far as the usual distance between two.
        ends, reach = self.ends, 0
        reaches, far, lead, moment = self.reaches, 0, 0, False
        for count, (bar, following) in enumerate(zip_longest(self.bars, islice(self.starts, 1, None)), 1):
            last = bar.fragments[-1] if len(bar.fragments) else bar.start
            end = max(bar.end, min(last + self.gap, _moment_after(last, axis)))
            if bar.torn:
                end = max(bar.end, bar.start + 1)
            end = end if following is None else max(bar.end, min(end, following))
            reach = end if count == 1 else max(reach, end)
            ends.append(reach)
            far = bar.close if count == 1 else max(far, bar.close)
            reaches.append(far if axis.measured else reach)
            before, moment = moment, bar.close == bar.start and not bar.missing and not bar.torn
            if not (before and moment and bar.start == self.starts[count - 2]):
                lead = count - 1
            self._leads.append(lead)
            if count % STEP == 0:
                yield
        cuts = array("q")
        for at in range(0, len(self.bars), STEP):
            cuts.extend(self.cut_of(n) for n, bar in enumerate(self.bars[at : at + STEP], at) if bar.closed_early)
            yield
        for rises in rising(cuts):
            yield
            if not rises:
                cuts = array("q", sorted(cuts))
        self.cuts = cuts

    def _columns(self) -> Iterator[None]:
        bars, starts, early, unusable = self.lane.bars, array("q"), 0, 0
        for at in range(0, len(bars), STEP):
            starts.extend(array("q", [bar.start for bar in bars[at : at + STEP]]))
            yield
        for rises in rising(starts):
            yield
            if not rises:
                bars = sorted(bars, key=attrgetter("start"))
                starts = array("q", [bar.start for bar in bars])
        self.bars, self.starts = [*bars], starts
        for number, bar in enumerate(bars):
            self.blocks.append(bar.block)
            early += bar.closed_early
            self.early.append(early)
            unusable += bool(bar.fault) or bar.state == "truncated"
            self.unusable.append(unusable)
            if bar.missing:
                self.flaws.append(bar.start)
            if bar.state == "growing":
                self.growing.append(number)
            if number % STEP == STEP - 1:
                yield
        for rises in rising(self.blocks):
            yield
            if not rises:
                for found in sorting(self.blocks):
                    self._by_block = found
                    yield

    def number_of(self, block: int) -> int | None:
        """The bar of a block, by `Bar.block`."""
        order, at = self._by_block, bisect_left(self.blocks, block)
        if order is not None:
            at = bisect_left(order, block, key=self.blocks.__getitem__)
            at = order[at] if at < len(order) else len(self.blocks)
        return at if at < len(self.blocks) and self.blocks[at] == block else None

    def cut_of(self, number: int) -> int:
        """Where the mark of a bar stands that was closed too early: where what closed it came."""
        bar = self.bars[number]
        if not self.measured:
            return self.ends[number]
        return bar.close if bar.cut_at is None else bar.cut_at

    def shared(self, number: int) -> tuple[int, int]:
        """The bars that came and went in the same moment as bar `number`: the first, and the one after the last."""
        lead = self._leads[number]
        return lead, bisect_right(self._leads, lead)

    def visible(self, view: View) -> tuple[int, int]:
        """The bars that reach into the view: number of the first, and of the one after the last."""
        first = bisect_left(self.ends, view.start)
        return self._leads[first] if first < len(self._leads) else first, bisect_right(self.starts, view.end)

    def fragmented(self, first: int, last: int) -> int:
        """How many of the bars first to last - 1 were closed too early."""
        return self.early[last] - self.early[first]

    def faulty(self, first: int, last: int) -> bool:
        """Whether one of the bars first to last - 1 breaks off or cannot be used."""
        return self.unusable[last] > self.unusable[first]

    def bar_at(self, position: float) -> int | None:
        """The bar drawn at a position."""
        at = bisect_right(self.starts, position) - 1
        return at if at >= 0 and position <= self.ends[at] else None

    def detail(self, view: View) -> str:
        """How the bars in view are drawn: "far", "confetti" (many small pieces), "middle" or "near"."""
        if self._detail is None or self._detail[0] != view:
            self._detail = (view, self._measure(view))
        return self._detail[1]

    def _measure(self, view: View) -> str:
        first, last = self.visible(view)
        if last <= first:
            return "middle"
        if last - first > view.width / FAR:
            return "far"
        bars = self.bars[first:last]
        low, high = max(view.start, self.starts[first]), min(view.end, self.ends[last - 1])
        covered = sum(
            max(0, min(high, end) - max(low, start))
            for start, end in zip(self.starts[first:last], self.ends[first:last])
        )
        deltas = sum(max(1, bisect_right(bar.fragments, high) - bisect_left(bar.fragments, low)) for bar in bars)
        pixels = covered / view.per_pixel / deltas
        if pixels < FAR:
            return "far"
        if self.fragmented(first, last) and covered / view.per_pixel / len(bars) < NEAR:
            return "confetti"
        return "middle" if pixels < view.near else "near"


def bar_of(lanes: Sequence[LaneIndex], block: int | None) -> tuple[int, int] | None:
    """The lane and the bar of a block, by `Bar.block`."""
    found = ((n, index.number_of(block)) for n, index in enumerate(lanes) if block is not None)
    return next(((n, bar) for n, bar in found if bar is not None), None)


def _moment_after(position: int, axis: Axis) -> int:
    """Where the next event stands, at the latest the end: what a delta says is not drawn beyond."""
    at = bisect_right(axis.events, position)
    end = axis.span[1] if axis.end is None else axis.end
    return axis.events[at] if at < len(axis.events) else max(end, position)


def _usual_gap(bars: Sequence[Bar], axis: Axis) -> int:
    """The usual distance between two deltas: a sample of them, since there may be a million."""
    if not axis.measured:
        return 1
    positions = [position for bar in bars[:SAMPLE] for position in bar.fragments[: max(1, SAMPLE // len(bars))]]
    gaps = [after - before for before, after in pairwise(positions) if after > before]
    return max(1, int(median(gaps))) if gaps else max(1, (axis.span[1] - axis.span[0]) // 100)
