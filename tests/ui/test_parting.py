"""Where one reading parts from another, against looking at every block and every event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from inspector_app.core.reading import Reading
from inspector_app.lenses import Difference, compare
from inspector_app.lenses.run import in_reference, read, read_as
from inspector_app.ui import parting as module
from inspector_app.ui.parting import Partings, parting
from inspector_app.ui.timeline import Axis, Bar, Lane, LaneIndex
from inspector_app.ui.timeline.index import bar_of
from tests.ui.panes_data import chunk, event, exchange, fragmented, kit, lost_call, shipped_lenses

STREAMS = {
    "fragmented": fragmented(),
    "lost call": lost_call(),
    "both in turn": exchange(
        [event(chunk({"reasoning_content" if n % 4 < 2 else "content": f"w{n} ", "tool_calls": []})) for n in range(40)]
    ),
}


def by_hand(reference: Reading, client: Reading, difference: Difference) -> list[int]:
    """The events, worked out with sets."""
    found: set[int | None] = set()
    if difference.verdict == "fragmented":
        closed: list[Counter[tuple[str, int | None]]] = [
            Counter((block.kind, in_reference(reference, one, block.closed_at)) for block in one.blocks)
            for one in (reference, client)
        ]
        found = {at for kind, at in closed[1].keys() - closed[0].keys()}
    elif difference.verdict == "lost":
        found = {in_reference(reference, client, n) for n in client.unread} - set(reference.unread)
    events = sorted(at for at in found if at is not None)
    first = difference.first_difference
    return events or ([min(first.event, reference.last_event)] if first is not None else [])


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("piece", [1, 2000])
def test_readings_part_where_each_block_and_event_says_so(
    name: str, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STEP", piece)
    reference = read(STREAMS[name], kit())
    verdicts = set()
    for lens in shipped_lenses().values():
        client = read_as(lens, reference, kit())
        difference = compare(reference, client)
        *_, found = parting(reference, reference, client, difference)
        assert list(found) == by_hand(reference, client, difference), lens.name
        verdicts.add(difference.verdict)
    assert verdicts & {"fragmented", "lost"}


def test_it_is_worked_out_once_for_each_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = read(STREAMS["fragmented"], kit())
    client = read_as(shipped_lenses()["zcode-3.11"], reference, kit())
    asked: list[Difference] = []

    def told(*given: object) -> Iterator[list[int]]:
        asked.append(given[3])  # type: ignore[arg-type]
        yield [len(asked)]

    monkeypatch.setattr(module, "parting", told)
    partings, one, other = Partings(), compare(reference, client), compare(reference, client)
    found = [partings.of(reference, reference, client, difference) for difference in (one, one, other, other)]
    assert found == [[1], [1], [2], [2]]
    assert asked == [one, other]


@pytest.mark.parametrize("numbers", [[0, 2, 4, 6], [4, 0, 6, 2], [-3, -1], [7]])
def test_the_bar_of_a_block_is_found_in_whatever_order_they_stand(numbers: list[int]) -> None:
    bars = [Bar(at, at, "", "text", block) for at, block in enumerate(numbers)]
    axis = Axis(False, (0, 10), range(10))
    lanes = [LaneIndex(Lane("none", ""), axis), LaneIndex(Lane("some", "", bars=bars), axis)]
    assert [bar_of(lanes, block) for block in numbers] == [(1, at) for at in range(len(numbers))]
    assert [bar_of(lanes, block) for block in (None, 1, 99, -9)] == [None] * 4
