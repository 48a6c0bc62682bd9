"""The findings of a stream that is live: the same as at its end, as far as they do not wait for it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import load_kit
from inspector_app.core.resources import resource
from inspector_app.files import read_input
from inspector_app.lenses.run import analysis_of
from inspector_app.ui.theme import Look
from tests.ui.live_data import DONE, Live, said

GALLERY = sorted(path.name for path in resource("recordings").glob("*.rec.jsonl"))


@pytest.mark.parametrize("name", GALLERY)
def test_what_is_found_on_the_way_stands_at_the_end(name: str) -> None:
    (exchange, *_) = read_input(str(resource("recordings", name)))
    analysis = analysis_of(exchange, load_kit())
    on_the_way: dict[tuple[str, int | None], int] = {}
    for n, piece in enumerate(exchange.chunks(512)):
        analysis.feed(piece)
        if n % 3 == 0:
            for finding in analysis.diagnosis.so_far(analysis.reading):
                key = finding.rule, finding.block
                assert finding.count >= on_the_way.get(key, 0), "nothing is taken back"
                on_the_way[key] = finding.count
    told = {(finding.rule, finding.block): finding for finding in analysis.diagnosis.so_far(analysis.reading)}
    read = analysis.finish()
    if any(finding.rule == "choice-index-counter" for finding in read.findings):
        return  # Only its end shows that it must be read otherwise.
    ended = {(finding.rule, finding.block): finding for finding in analysis.reading.findings}
    for key, finding in told.items():
        rule = load_kit().rules[finding.rule]
        assert key in ended
        assert finding.severity == ended[key].severity
        assert finding.places[:1] == ended[key].places[:1]
        if rule.scope != "line":
            assert finding.count <= ended[key].count


def test_findings_come_while_the_stream_is_live(qtbot: QtBot, look: Look) -> None:
    live = Live(qtbot, look)
    live.hand.head()
    live.hand.read(said("one "), b": a comment\n\n", said("two "))
    live.tick(40)
    rows = live.page.findings.model.rows
    assert [row.rule for row in rows] == ["sse-comment"]
    live.page.link._rest_until = 0
    live.tick()
    (lane,) = [index for index in live.page.timeline._lanes if index.lane.key == "findings"]
    assert [mark.rule for mark in lane.marks] == ["sse-comment"]
    live.hand.read(b": another\n\n")
    live.tick(40)
    assert live.page.findings.model.rows[0].count == 2
    live.hand.read(DONE)
    live.hand.end(terminator=True)
    live.tick()
    live.finish()
    assert live.session.reference is not None
    assert {"sse-comment"} <= {finding.rule for finding in live.session.reference.findings}


def test_before_anything_is_found_it_says_what_waits(qtbot: QtBot, look: Look) -> None:
    live = Live(qtbot, look)
    live.hand.head()
    live.hand.read(said("one "))
    live.tick(3)
    assert live.page.findings.rows.empty[1] == "Nothing found so far"


def test_the_button_of_the_next_finding_can_be_pressed_as_soon_as_there_is_one(qtbot: QtBot, look: Look) -> None:
    live = Live(qtbot, look)
    live.hand.head()
    live.hand.read(said("one "))
    live.tick(2)
    assert not live.page.next_finding.isEnabled()
    live.hand.read(b": a comment\n\n", said("two "))
    live.tick(40)
    assert live.page.next_finding.isEnabled()
    live.page.next_finding.click()
    assert live.session.selection.current is not None
    assert live.session.selection.current.finding == "sse-comment"
