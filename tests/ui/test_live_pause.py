"""A live stream whose view is paused: nothing of what comes is shown, it is counted, and shown all at once."""

from __future__ import annotations

import gzip
import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Http
from inspector_app.ui.live.strip import shown_state
from inspector_app.ui.selection import Selection
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline.clock import running
from tests.ui.live_data import DONE, HTTP, Live, LiveStream, said

WORDS = [said(f"word {n} ") for n in range(40)]
PAGES = ("JSON and bytes", "Timing", "Fields")


@pytest.fixture
def live(qtbot: QtBot, look: Look) -> Live:
    return Live(qtbot, look)


def streaming(live: LiveStream, *pieces: bytes, http: Http = HTTP) -> None:
    live.hand.head(http)
    live.hand.wait(20)
    live.hand.read(*pieces)
    live.tick(2)


def pictures(live: Live) -> dict[str, QImage]:
    """What shows the stream, part by part; the chip that counts lies over the raw lines and is looked at apart."""
    page = live.page
    live.part.follow.chip.hide()
    parts = {
        "timeline": page.timeline, "summary": page.summary, "status": page.status, "raw": page.panes.raw,
        "deltas": page.panes.deltas, "blocks": page.panes._block_pane, "findings": page.findings,
    }  # fmt: skip
    found = {name: part.grab().toImage() for name, part in parts.items()}
    for name in PAGES:
        page.detail.show_page(name)
        QApplication.processEvents()
        found[name] = page.detail.grab().toImage()
    live.part.follow.chip.show()
    return found


@pytest.mark.parametrize("cards", [False, True])
def test_a_paused_view_stands_still_in_every_part(live: Live, cards: bool) -> None:
    live.page.panes.show_reading_view(cards)
    streaming(live, *WORDS[:4], WORDS[4][:50])
    live.tick(30)
    live.part.pause.click()
    QApplication.processEvents()
    pictures(live)
    before = pictures(live)
    live.hand.read(WORDS[4][50:], *WORDS[5:10])
    live.tick(40)
    live.page.resize(1601, 1000)
    live.page.resize(1600, 1000)
    QApplication.processEvents()
    after = pictures(live)
    assert [name for name in before if before[name] != after[name]] == []
    live.part.pause.click()
    live.page.link._rest_until = 0
    live.tick(2)
    shown = pictures(live)
    changed = {name for name in after if shown[name] != after[name]}
    assert changed >= {"timeline", "summary", "status", "raw", "deltas", "blocks", "Timing"}


def test_what_waits_behind_a_paused_view_is_counted_in_words(live: Live, qtbot: QtBot) -> None:
    streaming(live, *WORDS[:4])
    live.page.panes.raw.setFocus()
    live.part.pause.click()
    assert live.part.pause.text() == "Go on"
    assert live.part.follow.chip.accessibleName() == "View paused · 0 events behind"
    live.hand.read(*WORDS[4:10])
    live.tick(2)
    assert live.session.rows.events == len(live.session.reference.events) == 4
    assert live.part.pause.text() == "Catch up"
    assert live.part.follow.chip.accessibleName() == "View paused · 6 events behind"
    state = shown_state(live.session)
    assert (state.head, state.more) == ("View paused", "6 events behind · the recording goes on")
    live.part.pause.click()
    assert live.session.rows.events == 10
    assert live.part.pause.text() == "Pause view"
    assert live.part.follow.chip.accessibleName() == "Following the tail"
    assert shown_state(live.session).head == "Recording"


def test_the_end_of_the_tail_is_gone_to_out_of_a_paused_view(live: Live, qtbot: QtBot) -> None:
    streaming(live, *WORDS)
    live.session.selection.select(Selection(3), None)
    live.part.pause.click()
    live.hand.read(*WORDS)
    live.tick()
    qtbot.mouseClick(live.part.follow.chip, Qt.MouseButton.LeftButton)
    assert not live.session.paused
    assert live.part.follow.pinned
    assert live.session.rows.events == 80


def test_a_stream_that_ends_behind_a_paused_view_is_shown_when_the_view_goes_on(live: Live) -> None:
    streaming(live, *WORDS[:4])
    live.part.pause.click()
    live.hand.read(*WORDS[4:10], DONE)
    live.hand.end(terminator=True)
    live.tick(2)
    assert live.session.rows.events == 4
    assert shown_state(live.session).more == "8 events behind · the stream has ended meanwhile"
    assert not live.part.stop.isEnabled()
    live.part.pause.click()
    live.finish()
    assert live.session.complete
    assert live.session.rows.events == 12
    assert live.part.pause.isHidden()


def test_time_stands_still_in_a_paused_view_and_not_in_its_strip(live: Live) -> None:
    streaming(live, *WORDS[:4])
    now = live.session.now
    live.part.pause.click()
    live.tick(100)
    assert live.session.now == now
    assert live.session.elapsed > now + 3_000_000_000
    live.part.pause.click()
    assert live.session.now == live.session.elapsed


def test_the_moment_that_is_shown_and_the_time_that_runs_are_told_apart(live: Live) -> None:
    streaming(live, *WORDS[:4])
    flag = live.page.timeline._now.flag
    assert flag.startswith("now · ")
    shown = flag.removeprefix("now · ")
    live.part.pause.click()
    live.tick(100)
    assert live.page.timeline._now.flag == f"paused at {shown}"
    state = shown_state(live.session)
    assert (state.time, state.goes_on) == (f"at {shown}", running(live.session.elapsed))
    assert state.goes_on != shown
    live.hand.end(terminator=True)
    live.tick(2)
    assert shown_state(live.session).goes_on == "", "nothing runs any more"
    live.part.pause.click()


def test_nothing_in_the_toolbar_moves_while_the_view_is_paused(live: Live) -> None:
    bar = live.page.toolbar
    parts = {"open": bar.open, "stop": live.part.stop, "pause": live.part.pause, "read as": bar.read_as}

    def places() -> dict[str, object]:
        QApplication.processEvents()
        return {name: (part.geometry(), part.text() if part is bar.open else "") for name, part in parts.items()}

    for width in (1600, 1280, 1100):
        live.page.resize(width, 1000)
        streaming(live, *WORDS[:4])
        seen, words = [places()], [live.part.pause.text()]
        for data in ((), tuple(WORDS * 40)):
            if not live.session.paused:
                live.part.pause.click()
            live.hand.read(*data)
            live.tick(2)
            seen.append(places())
            words.append(live.part.pause.text())
        assert words == ["Pause view", "Go on", "Catch up"]
        assert seen[1:] == seen[:1] * 2
        live.part.pause.click()
        live.tick(200)


def body(kind: str) -> bytes:
    """Twelve events of a framing."""
    chunks = [json.dumps({"n": n, "message": {"content": f"w{n}"}}) for n in range(12)]
    if kind == "sse":
        return b": hello\n\n" + b"".join(WORDS[:10]) + b"data: [DONE]\n\n"
    if kind == "crlf":
        return b"".join(word.replace(b"\n", b"\r\n") for word in WORDS[:12])
    if kind == "ndjson":
        return "".join(f"{chunk}\n" for chunk in chunks).encode()
    between = ",\n" if kind == "array" else " , "
    return f"[{between.join(chunks)}]".encode()


@pytest.mark.parametrize("kind", ["sse", "crlf", "ndjson", "array", "array in one line"])
def test_events_are_counted_exactly_wherever_the_pause_cuts(qapp: QApplication, kind: str) -> None:
    whole = body(kind)
    for cut in range(0, len(whole) + 1, 7):
        stream = LiveStream()
        stream.begin()
        streaming(stream, *([whole[:cut]] if cut else []))
        stream.session.pause(True)
        shown = len(stream.session.reference.events)
        stream.hand.read(*(whole[at : at + 5] for at in range(cut, len(whole), 5)))
        stream.tick()
        behind = stream.session.behind
        assert behind is not None
        assert shown + behind.events == 12, cut
        stream.session.pause(False)
        stream.tick(2)
        assert stream.session.rows.events == 12


@pytest.mark.parametrize(
    ("http", "whole"),
    [
        (Http(200, [("content-type", "text/event-stream"), ("content-encoding", "gzip")]), gzip.compress(body("sse"))),
        (HTTP, gzip.compress(body("sse"))),
        (HTTP, b'{"error":\n{"message":\n' + b'"x' * 300),
    ],
    ids=["compressed", "compressed and not told", "one JSON body"],
)
def test_where_events_cannot_be_counted_the_bytes_are(qapp: QApplication, http: Http, whole: bytes) -> None:
    stream = LiveStream()
    stream.begin()
    streaming(stream, whole[:60], http=http)
    stream.session.pause(True)
    stream.hand.read(whole[60:])
    stream.tick()
    behind = stream.session.behind
    assert behind is not None
    assert (behind.events, behind.bytes) == (None, len(whole) - 60)
    assert behind.count == f"{len(whole) - 60}\u2009B"


def test_a_head_that_comes_behind_a_paused_view_tells_whether_events_can_be_counted(qapp: QApplication) -> None:
    for coding, events in (("identity-of-mine", None), ("", 40)):
        stream = LiveStream()
        stream.begin()
        stream.session.pause(True)
        stream.hand.head(Http(200, [*HTTP.headers, *([("content-encoding", coding)] if coding else [])]))
        stream.hand.read(*WORDS)
        stream.tick()
        assert stream.session.behind is not None
        assert stream.session.behind.events == events


def test_lanes_of_a_paused_view_show_what_the_lines_show(qtbot: QtBot, live: Live) -> None:
    streaming(live, *WORDS[:4])
    # Lanes rest a while after they were made; what comes meanwhile is in the lines at once.
    live.page.link._rest_until = 1 << 62
    live.hand.read(*WORDS[4:9])
    live.tick(2)
    live.part.pause.click()
    qtbot.waitUntil(lambda: live.page.link.settled)
    (lane,) = [index.lane for index in live.page.timeline._lanes if index.lane.key == "events"]
    assert live.session.rows.events == 9
    assert lane.note == "9"
