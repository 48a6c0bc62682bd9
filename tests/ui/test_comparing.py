"""Comparisons of long readings are made beside the window, and readings that nobody looks at are let go of at once."""

from __future__ import annotations

import gc
import weakref

import pytest

from inspector_app.lenses import compare
from inspector_app.lenses.run import read, read_as
from inspector_app.ui import comparing
from inspector_app.ui.comparing import compared_beside, is_large
from tests.ui.panes_data import chunk, event, exchange, kit, shipped_lenses

STREAM = [
    event(chunk({"reasoning_content" if n % 4 < 2 else "content": f"word {n} ", "tool_calls": []})) for n in range(40)
]


@pytest.mark.parametrize("many", [1, 1_000_000])
def test_a_comparison_is_the_same_however_it_is_made(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "MANY_DELTAS", many)
    reference = read(exchange(STREAM), kit())
    for lens in shipped_lenses().values():
        client = read_as(lens, reference, kit())
        *rests, found = compared_beside(reference, client)
        assert found == compare(reference, client)
        assert not any(rests)
        assert is_large(reference, client) is (many == 1)


def test_what_fails_beside_the_window_is_raised_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no")

    monkeypatch.setattr(comparing, "MANY_DELTAS", 1)
    monkeypatch.setattr(comparing, "compare", fail)
    reference = read(exchange(STREAM), kit())
    with pytest.raises(ValueError, match="no"):
        list(compared_beside(reference, reference))


def test_a_reading_that_is_let_go_of_needs_no_search_for_garbage() -> None:
    reference = read(exchange(STREAM), kit())
    client = read_as(next(iter(shipped_lenses().values())), reference, kit())
    blocks, seen = client.blocks, weakref.ref(client)
    texts = [block.text for block in blocks]
    gc.collect()
    gc.disable()
    try:
        client.let_go()
        del client
        assert seen() is None
    finally:
        gc.enable()
    # Whoever still holds a part of it holds what it was.
    assert [block.text for block in blocks] == texts
