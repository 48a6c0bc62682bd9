"""What a call lacks is drawn where a finding misses it, or where a client lost it, and nowhere else."""

from __future__ import annotations

import json
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Block, Exchange, MemoryBody
from inspector_app.ui.gaps import labels_of
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from tests.ui.panes_data import WINGMATE, Show, chunk, event, exchange, lost_call, opened, shown
from tests.ui.test_lanes import timeline


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the panes of a session in a window of a size."""
    return partial(shown, qtbot, look)


def chat(**labels: str) -> Exchange:
    function = {"name": labels.get("name", ""), "arguments": "{}"}
    call = {"index": 0, "type": "function", "function": function} | ({"id": labels["id"]} if "id" in labels else {})
    return exchange([event(chunk({"tool_calls": [call]})), event(chunk({}, "tool_calls")), event(b"[DONE]")])


def ollama() -> Exchange:
    call = {"function": {"name": "tide_table", "arguments": {"port": "Bodø"}}}
    told = [
        {"model": "m", "message": {"role": "assistant", "content": "", "tool_calls": [call]}, "done": False},
        {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"},
    ]
    body = "".join(json.dumps(line) + "\n" for line in told).encode()
    return Exchange("answer.ndjson", "body", MemoryBody(body))


def workers_ai() -> Exchange:
    call = {"name": "tide_table", "arguments": {"port": "Bodø"}}
    told = [{"response": "Let me see.", "p": "ab"}, {"response": "", "tool_calls": [call], "p": "abc"}]
    return exchange([*(event(json.dumps(line).encode()) for line in told), event(b"[DONE]")])


def drawn(session: Session, show: Show) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]], list[list[str | None]]]:
    """The gaps in the lanes and in the rows, and the values of names and ids on the cards."""
    _, lanes = timeline(session)
    panes = show(session)
    panes.show_reading_view(True)
    column = panes.blocks.columns()[0]
    rows = panes.blocks._bars(column, 0, len(session.rows), 0)
    cards = panes.cards.stacks[0].cards
    return (
        [bar.missing for title, index in lanes.items() if title.startswith("Tool") for bar in index.lane.bars],
        [bar.lacks for bar in rows if bar.block.kind == "tool_call"],
        [[entry.value for entry in card.fields] for card in cards if card.block.kind == "tool_call"],
    )


@pytest.mark.parametrize(
    ("read", "gaps", "values"),
    [
        (chat(id="call_1", name="find"), (), ["find", "call_1"]),
        (chat(name="find"), ("id",), ["find", None]),
        (chat(id="call_1"), ("name",), [None, "call_1"]),
        (chat(), ("name", "id"), [None, None]),
        (ollama(), (), ["tide_table", "made-up-0-0"]),
        (workers_ai(), (), ["tide_table", "made-up-0-0"]),
    ],
)
def test_a_gap_follows_the_finding(
    qtbot: QtBot, show: Show, read: Exchange, gaps: tuple[str, ...], values: list[str | None]
) -> None:
    session = opened(qtbot, read, "reference", None, lenses=False)
    assert drawn(session, show) == ([gaps], [gaps], [values])
    assert session.reference is not None
    found = {finding.rule for finding in session.reference.findings}
    assert {f"tool-{name}-missing" for name in gaps} == found & {"tool-id-missing", "tool-name-missing"}


def test_a_client_lacks_what_the_stream_gave(qtbot: QtBot) -> None:
    session = opened(qtbot, lost_call(), *WINGMATE)
    _, lanes = timeline(session)
    assert lanes["Tool 0 Wingmate 2026-06"].bars[0].missing == ("name", "id")
    assert lanes["Tool 0 Reference"].bars[0].missing == ()


@pytest.mark.parametrize(
    ("fields", "lacks", "labels"),
    [
        ({"name": "f", "id": "c"}, (), [("name", "f", False), ("id", "c", False)]),
        ({"name": "f", "id": None}, (), [("name", "f", False)]),
        ({"name": "", "id": ""}, ("name", "id"), [("name", None, False), ("id", None, False)]),
        ({"name": "f", "id": None, "id_made_up": "m"}, (), [("name", "f", False), ("id", "m", True)]),
        ({"name": "f", "id": None, "id_made_up": "m", "tool_kind": "server"}, (), [("name", "f", False)]),
        ({"name": "f", "id": None, "id_made_up": "m"}, ("id",), [("name", "f", False), ("id", None, False)]),
    ],
)
def test_an_id_that_a_reader_made_up_is_told_as_such(
    fields: dict[str, str | None], lacks: tuple[str, ...], labels: list[tuple[str, str | None, bool]]
) -> None:
    assert [*labels_of(Block(0, "tool_call", 0, 0, 0, fields=fields), lacks)] == labels
