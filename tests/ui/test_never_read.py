"""Where a client stops, the rest of the stream is shown as never read: in lanes, lines, facts and blocks."""

from __future__ import annotations

from functools import cache

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.core.reading import Reading
from inspector_app.core.resources import resource
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.run import read, read_as
from inspector_app.ui.lanes import Clock, _events
from inspector_app.ui.views.facts import event_facts
from inspector_app.ui.views.failures import stopped_event
from inspector_app.ui.views.sides import Side
from inspector_app.ui.window import Window
from tests.ui.panes_data import kit, shipped_lenses
from tests.ui.window_data import open_in, window

__all__ = ["window"]

ERROR, CLIENT = "error-after-200", "openai-python-3.57"


@cache
def both(name: str, client: str) -> tuple[Reading, Reading]:
    reference = read(read_input(str(resource("recordings", f"{name}.rec.jsonl")))[0], kit())
    return reference, read_as(shipped_lenses()[client], reference, kit())


@pytest.mark.parametrize("name, client, stop", [(ERROR, CLIENT, 30), ("framed-twice", CLIENT, 0)])
def test_all_that_comes_behind_the_stop_is_not_read(name: str, client: str, stop: int) -> None:
    reference, reading = both(name, client)
    side = Side(reading, reference)
    assert stopped_event(side, len(reference.events)) == stop
    rest = [event for event in range(len(reference.events)) if event > stop]
    assert rest
    assert all(side.unread(event) for event in rest)
    assert {side.unread(event) for event in range(stop)} <= {None}
    clock = Clock(reference)
    clock.extend()
    *_, lane = _events(reference, [reading], clock, whole=True)
    assert lane is not None
    assert set(rest) <= set(lane.unread)


def test_a_client_that_reads_to_the_end_has_no_rest() -> None:
    reference, reading = both("empty-tool-calls", "zcode-3.11")
    side = Side(reading, reference)
    assert stopped_event(side, len(reference.events)) is None
    assert not any(side.unread(event) for event in range(len(reference.events)))


def test_a_framing_that_goes_no_further_leaves_the_rest_unread() -> None:
    chunk = b'{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a"}}]}'
    body = b": wait\n\n" + b"data: " + chunk + b"\n\n" + b": go\n\n" + b"data: " + chunk + b"\n\n"
    reference = read(Exchange("x", "sse-body", MemoryBody(body)), kit())
    lens = next(lens for lens in shipped_lenses().values() if lens.name == "zcode-3.11")
    strict = type(lens)(**{
        **{key: getattr(lens, key) for key in ("name", "title", "kind", "dialects", "evidence", "source", "summary",
                                               "path")},
        "rules": type(lens.rules)(comment="end"),
    })  # fmt: skip
    side = Side(read_as(strict, reference, kit()), reference)
    assert [bool(side.unread(event)) for event in range(len(reference.events))][1:] == [True, True, True]


def test_the_window_says_why(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, ERROR)
    page.choose_readers("reference", CLIENT)
    qtbot.waitUntil(lambda: page.session.idle and page.session.right is not None)
    facts = event_facts(page.session, 31)
    assert any("the client stopped at event 30" in fact.value for fact in facts)
    assert not any("stopped" in fact.value for fact in event_facts(page.session, 29))
    blocks = page.panes.blocks
    with_rest = blocks.grab().toImage()
    page.session.readings[CLIENT].stopped_at = None
    assert blocks.grab().toImage() != with_rest
