"""Where the bars of a lane are drawn: as long as they lasted, and what makes a moment large enough to be seen.

A block that opened and closed within one read has no length. It is drawn as a stub of so many pixels at most, never
beyond the next one; blocks of one moment lie side by side in the room of the stub, in their order.
"""

from __future__ import annotations

from typing import NamedTuple

from inspector_app.ui.timeline.index import LaneIndex
from inspector_app.ui.timeline.view import View

STUB, CONFETTI = 56, 6
"""The most pixels of what has no length: near enough for a word, and as one of many small pieces."""
PIECE, SEEN = 20, 8
"""The least width of a block that lies beside others of its moment, and of a bar that needs no room to be seen."""


class Box(NamedTuple):
    """A bar from `left` to `right` in pixels. It is time up to `close`, beyond only room; `shared` is how many blocks
    it stands for.
    """

    left: int
    right: int
    close: int
    shared: int = 1


def box_of(index: LaneIndex, number: int, view: View) -> Box:
    """The box of a bar in a view."""
    confetti = index.detail(view) == "confetti"
    first, after = index.shared(number)
    count, left = after - first, view.x(index.starts[number])
    most = CONFETTI if confetti else STUB
    if count == 1:
        return _alone(index, number, view, left, most)
    room = min(view.x(index.ends[after - 1]) - left, most * count)
    if room < count * (2 if confetti else PIECE):
        return Box(left, left + max(min(room, most), 2), left, count)
    at = number - first
    return Box(left + room * at // count, left + room * (at + 1) // count, left + room * at // count)


def _alone(index: LaneIndex, number: int, view: View, left: int, most: int) -> Box:
    bar, end = index.bars[number], view.x(index.ends[number])
    if not index.measured or bar.state in ("open", "growing"):
        return Box(left, max(end, left), max(end, left))
    close = view.x(bar.close)
    last = view.x(bar.fragments[-1]) if len(bar.fragments) else left
    if bar.torn or (bar.missing and not len(bar.fragments) and close - left >= 2):
        return Box(left, max(close, left + 2), max(close, left + 2))
    if close - left >= SEEN and index.detail(view) != "near":
        return Box(left, close, close)  # Large enough, and no word wants room.
    return Box(left, max(close, min(end, last + most)), close)


def piece_at(index: LaneIndex, number: int, view: View, x: int) -> int | None:
    """Which of the bars that share the moment of bar `number` is drawn at a pixel, the first where they are one."""
    first, after = index.shared(number)
    box, last = box_of(index, first, view), box_of(index, after - 1, view)
    if not box.left - 1 <= x <= max(last.right, last.left + 2) + 1:
        return None
    if box.shared > 1 or after - first == 1:
        return first
    at = (x - box.left) * (after - first) // max(last.right - box.left, 1)
    return first + min(max(at, 0), after - first - 1)
