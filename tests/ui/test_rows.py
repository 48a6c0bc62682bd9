from __future__ import annotations

import pytest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses.run import analysis_of
from inspector_app.ui.models.rows import RowsModel
from inspector_app.ui.rows import RowMap
from inspector_app.ui.session import Session
from tests.ui.panes_data import chunk, event, exchange, fragmented, fresh, lost_call, opened


def rows_by_event(session: Session) -> list[int]:
    first_and_last = (session.rows.rows_of(n) for n in range(session.rows.events))
    return [last - first for first, last in first_and_last]


def test_an_event_takes_as_many_rows_as_it_has_lines_or_deltas(qtbot: QtBot) -> None:
    both = chunk({"role": "assistant", "reasoning_content": "a", "content": "b", "tool_calls": []})
    body = exchange([event(chunk({"content": "a"})), b": one\n", event(both), b"id: 4\nevent: x\n\n\n"])
    session = opened(qtbot, body)
    assert session.reference is not None
    assert session.reference.deltas_of(1) == (1, 5)
    assert rows_by_event(session) == [2, 4, 4]
    assert len(session.rows) == 10


def test_rows_lead_to_their_event_and_back(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented())
    for n in range(session.rows.events):
        first, last = session.rows.rows_of(n)
        assert [session.rows.at(row) for row in range(first, last)] == [(n, place) for place in range(last - first)]


def test_the_last_event_waits_until_its_blank_lines_are_known() -> None:
    session = fresh(lenses=False)
    analysis = analysis_of(Exchange("x", "sse-body", MemoryBody(b"")), session.kit)
    rows = RowMap()
    analysis.feed(event(chunk({"content": "a"})) + event(chunk({"content": "b"})))
    rows.extend(analysis.reading)
    assert rows.events == 1
    analysis.feed(b"\n")
    analysis.finish()
    rows.extend(analysis.reading)
    assert rows.rows_of(1) == (2, 5)


def model_of(session: Session) -> RowsModel:
    return RowsModel(lambda: session.rows, ("event", "row"), lambda event, row, column: f"{(event, row)[column]}")


@pytest.mark.parametrize("read", [fragmented(), lost_call(), exchange([])], ids=["fragmented", "lost", "empty"])
def test_the_model_keeps_the_rules_of_models(qtbot: QtBot, qtmodeltester: ModelTester, read: Exchange) -> None:
    session = opened(qtbot, read, lenses=False)
    model = model_of(session)
    qtmodeltester.check(model)
    assert model.rowCount() == len(session.rows)


def test_growth_is_announced_once_for_each_tick(qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    session = fresh(lenses=False)
    session.rows = RowMap()
    model = model_of(session)
    qtmodeltester.check(model)
    inserted: list[tuple[int, int]] = []
    model.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    for sizes in ([2, 2, 3], [], [1, 4]):
        session.rows.counts.extend(sizes)
        model.grow()
    assert inserted == [(0, 6), (7, 11)]
    assert model.data(model.index(11, 0)) == "4"
    assert model.data(model.index(11, 1)) == "3"


def test_rows_that_were_not_announced_are_not_there(qtbot: QtBot) -> None:
    session = fresh(lenses=False)
    model = model_of(session)
    session.rows.counts.extend([2, 2])
    assert model.rowCount() == 0
    model.grow()
    assert model.rowCount() == 4


def test_another_map_starts_the_model_anew(qtbot: QtBot) -> None:
    session = opened(qtbot, fragmented(), lenses=False)
    model = model_of(session)
    session.rows = RowMap()
    session.rows.counts.extend([1])
    with qtbot.waitSignal(model.modelReset):
        model.grow()
    assert model.rowCount() == 1
