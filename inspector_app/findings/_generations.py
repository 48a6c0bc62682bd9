"""Several answers in one body: where each begins, and which end markers close a complete one (general rule 5)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from inspector_app.core.identity import answer_id
from inspector_app.core.reading import Reading
from inspector_app.findings._places import TEXT_KINDS, first_position, layouts_where, positions

MARKERS = (b"[DONE]", b'"[DONE]"')


def is_marker(reading: Reading, n: int) -> bool:
    """True for an event that is the end marker in any form: framed, framed twice, dangling, bare, or a payload."""
    if any(kind == "stream.end" for kind, _, _ in reading.layouts[reading.events.layouts[n]].rows):
        return True
    data = (reading.data(n) or b"").strip()
    return data.removeprefix(b"data:").strip() in MARKERS or b"[DONE]" in reading.stray(n)


def markers(reading: Reading) -> list[int]:
    """The events that are end markers, in their order."""
    if reading.marker_event is None:
        return []
    ends = layouts_where(reading, lambda row: row[0] == "stream.end")
    found = {reading.marker_event, *positions(reading, ends)}
    after = reading.bytes_of(reading.marker_event)[1]
    for offset in reading.marker_texts:
        n = reading.event_at(offset) if offset >= after else None
        if n is not None and n not in found and is_marker(reading, n):
            found.add(n)
    return sorted(found)


def closed_by_marker(reading: Reading) -> list[tuple[int, int]]:
    """The complete generations of a body that holds several: (first event, marker event) of each.

    Complete is one that has a finish reason and an end marker; each has an id of its own.
    """
    finished = sorted(entry["event"] for entry in reading.finishes)
    out: list[tuple[int, int]] = []
    first, held = 0, None
    for marker in markers(reading):
        found = _id_between(reading, first, marker)
        if found is not None and found != held and _any_between(finished, first, marker + 1):
            out.append((first, marker))
            held = found
        elif not out:
            return []
        first = marker + 1
    return out


def starts(reading: Reading) -> Iterator[tuple[int, bool]]:
    """Events at which another generation begins, and whether the one before had ended.

    After content the id changes together with a role, where the chunk before has the old id and no role.
    """
    layouts = reading.events.layouts
    announced = layouts_where(reading, lambda row: row[0] == "stream.start")
    if announced:
        yield from _announced(reading, sorted(positions(reading, announced)))
        return
    roles = layouts_where(reading, lambda row: row[0] == "role")
    content = first_position(reading, layouts_where(reading, lambda row: row[0] in TEXT_KINDS))
    held = _id_between(reading, 0, len(layouts))
    if content is None or not roles or held is None or held == _last_id(reading):
        return
    begun = 0
    ends = [entry["event"] for entry in reading.finishes]
    ends += [] if reading.marker_event is None else [reading.marker_event]
    ends.sort()
    for n in sorted(positions(reading, roles, content + 1)):
        before = _chunk_before(reading, n)
        own = response_id(reading, n)
        if own is None or own == held or before is None or layouts[before] in roles:
            continue
        if response_id(reading, before) == held:
            yield n, _any_between(ends, begun, n)
            begun, held = n, own


def _announced(reading: Reading, starts: list[int]) -> Iterator[tuple[int, bool]]:
    """Where answers are announced: a start after an end, or one with another id."""
    ends = sorted(entry["event"] for entry in reading.finishes) + markers(reading)
    begun = starts[0]
    held = response_id(reading, begun)
    for n in starts[1:]:
        own = response_id(reading, n)
        marked = any(begun < end < n for end in (ends if held is None else markers(reading)))
        if marked or (own is not None and own != held):
            yield n, any(begun < end < n for end in ends)
            begun, held = n, own or held


def start_pointer(reading: Reading, n: int) -> str:
    """Where the event that begins another answer says so."""
    rows = reading.layouts[reading.events.layouts[n]].rows
    return next((pointer for kind, _, pointer in rows if kind == "stream.start"), "/id")


def _any_between(events: list[int], first: int, last: int) -> bool:
    """Whether one of the events, in ascending order, is in [first, last)."""
    at = bisect_left(events, first)
    return at < len(events) and events[at] < last


def response_id(reading: Reading, n: int) -> str | None:
    """The non-empty id of the answer that an event belongs to, None where it does not say."""
    return answer_id(reading.payload(n), reading.dialect_module)


def _chunk_before(reading: Reading, n: int) -> int | None:
    """The nearest event before that says something and has an id."""
    layouts = reading.events.layouts
    said = (at for at in range(n - 1, -1, -1) if reading.layouts[layouts[at]].rows)
    return next((at for at in said if response_id(reading, at)), None)


def _last_id(reading: Reading) -> str | None:
    last = _chunk_before(reading, len(reading.events))
    return None if last is None else response_id(reading, last)


def _id_between(reading: Reading, first: int, last: int) -> str | None:
    module = reading.dialect_module
    if not reading.named or (module is not None and "id" not in getattr(module, "META", ())):
        return None  # No answer has one here, so that no event needs to be asked.
    layouts = reading.events.layouts
    return next((found for n in range(first, last) if layouts[n] and (found := response_id(reading, n))), None)
