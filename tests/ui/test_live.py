"""A live stream in the window, gone through by hand: what is shown while it comes, and what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import load_kit
from inspector_app.core.types import Http
from inspector_app.files import read_input
from inspector_app.lenses.run import read
from inspector_app.live.providers import Provider
from inspector_app.live.recorder import Recorder
from inspector_app.report.outline import outline
from inspector_app.ui.live.lanes import axis_end
from inspector_app.ui.live.rows import LiveRows, open_line
from inspector_app.ui.live.words import ended, state_of
from inspector_app.ui.selection import Selection
from inspector_app.ui.settings import Settings
from inspector_app.ui.theme import Look
from inspector_app.ui.views.block_names import end_words
from inspector_app.ui.window import Window
from tests.live.server import ERROR
from tests.ui.live_data import DONE, HTTP, KEY, REQUEST, SECOND, Live, LiveStream, said

WORDS = [said(f"word {n} ") for n in range(40)]


@pytest.fixture
def live(qtbot: QtBot, look: Look) -> Live:
    return Live(qtbot, look)


def streaming(live: LiveStream, *pieces: bytes) -> None:
    live.hand.head()
    live.hand.wait(20)
    live.hand.read(*pieces)
    live.tick(2)


def test_rows_come_as_the_events_do(live: Live) -> None:
    for view in (live.page.panes.raw, live.page.panes.deltas, live.page.panes.blocks):
        QAbstractItemModelTester(view.model(), QAbstractItemModelTester.FailureReportingMode.Fatal, view)
    seen = []
    live.hand.head()
    for word in WORDS[:5]:
        live.hand.read(word)
        live.tick()
        seen.append((live.session.rows.events, live.page.panes.raw.model().rowCount()))
    assert seen == [(n, 2 * n + 4) for n in range(1, 6)], "the last event at once, and room for what follows"
    live.hand.read(WORDS[5][:40])
    live.tick(10)
    live.hand.read(WORDS[5][40:] + b"\n\n", *WORDS[6:8])
    live.tick()
    assert live.session.rows.events == 8
    assert live.session.rows.rows_of(5) == (10, 14), "blank lines belong to the event before them"


def test_the_last_event_is_whole_wherever_the_reads_are_cut(qapp: QApplication) -> None:
    first, second = said("one") + b"\n", said("two")
    body = first + second + b": three\n"
    for cut in range(len(first) - 1, len(body) + 1):
        stream = LiveStream()
        stream.begin()
        streaming(stream, body[:cut])
        reading = stream.session.reference
        assert reading is not None
        n = 1 if cut >= len(first + second) else 0
        assert stream.session.rows.events == n + 1
        assert [delta.value for delta in reading.deltas(n)] == [("one", "two")[n]]
        assert reading.bytes_of(n)[1] == min(cut, len(first + second) if n else len(first))


def test_half_a_line_is_shown_once_nothing_more_comes(live: Live) -> None:
    streaming(live, *WORDS[:3], WORDS[3][:100])
    raw, deltas = live.page.panes.raw.model(), live.page.panes.deltas.model()
    row = 6
    assert raw.index(row, 1).data() == "", "at first it would only flicker"
    live.tick(8)
    assert raw.index(row, 1).data() == "half a line · 100 bytes · no line end yet"
    assert raw.index(row, 2).data() == 'data: … "index":0'
    assert deltas.index(row, 2).data() == "waits for the end of line 6"
    assert live.page.panes.blocks.model().index(row, 0).data() == "open, next fragment appears here"
    with_half = live.page.panes.raw.grab().toImage()
    live.hand.read(WORDS[3][100:])
    live.tick(2)
    assert raw.index(row, 2).data().startswith("data: {")
    assert raw.index(row + 2, 1).data() == ""
    assert live.page.panes.raw.grab().toImage() != with_half


def test_the_panes_follow_the_tail_until_somebody_looks_elsewhere(live: Live, qtbot: QtBot) -> None:
    follow, bar = live.part.follow, live.page.panes.raw.verticalScrollBar()
    streaming(live, *WORDS)
    assert follow.pinned
    assert bar.value() == bar.maximum() > 0
    bar.setValue(bar.maximum() - 100)
    at = bar.value()
    assert not follow.pinned
    live.hand.read(*WORDS)
    live.tick(2)
    assert bar.value() == at, "what is read stays where it is"
    assert follow.chip.accessibleName() == "Follow the tail · +40"
    qtbot.mouseClick(follow.chip, Qt.MouseButton.LeftButton)
    assert follow.pinned
    assert bar.value() == bar.maximum()
    live.session.selection.select(Selection(3), None)
    assert not follow.pinned
    live.page.panes.raw.setFocus()
    qtbot.keyClick(live.page.panes.raw, Qt.Key.Key_End)
    assert follow.pinned
    assert live.session.selection.current is None


def test_a_click_below_the_last_event_selects_nothing(live: Live, qtbot: QtBot) -> None:
    streaming(live, *WORDS[:2])
    qtbot.mouseClick(live.page.panes.raw.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 4 * 22 + 5))
    assert live.session.selection.current is None


def test_stop_cancels_the_capture_once(live: Live) -> None:
    streaming(live, *WORDS[:4])
    live.part.stop.click()
    assert live.hand.cancelled == 1
    live.hand.end("cancelled", closed_by="client")
    live.tick()
    assert not live.session.live
    assert live.part.stop.isHidden()
    assert state_of(live.session).head == "Stopped by you"
    live.finish()
    page = live.page
    assert [row.rule for row in page.findings.model.rows] == ["end-cancelled"], "no client complains of it either"
    assert page.session.difference is None or page.session.difference.verdict == "same"
    assert page.summary.accessibleName().endswith("end stopped by the user")
    page.link._rest_until = 0
    live.tick()
    axis = page.timeline._axis
    assert (axis.end_words, axis.truncated) == ("stopped by the user", False)
    assert [end_words(block) for block in page.session.reference.blocks] == [("stopped by the user", "info")]


def test_after_the_end_the_page_is_that_of_the_recording(qtbot: QtBot, look: Look, tmp_path: Path) -> None:
    path = tmp_path / "kept.rec.jsonl"
    recorder = Recorder(path.open("xb", buffering=0), REQUEST.record())
    live = Live(qtbot, look, path)
    recorder.head(0, HTTP)
    live.hand.head()
    for n, word in enumerate([*WORDS, DONE]):
        live.hand.wait(20)
        live.hand.read(word)
        recorder.read(live.hand.at - SECOND, word)
        live.tick(n % 2)
    live.hand.end(terminator=True)
    recorder.close(live.hand.items[-1])  # type: ignore[arg-type]
    live.tick()
    live.finish()
    assert live.session.complete
    assert live.session.reference is not None
    (recorded,) = read_input(str(path))
    again = outline(read(recorded, load_kit()), events=True)
    assert outline(live.session.reference, events=True) == again
    assert set(live.session.differences), "every lens has read it"
    assert live.part.strip.isHidden(), "there is nothing to tell of a good end"
    assert live.part.commands() == []
    assert live.page.panes.raw.model().rowCount() == len(live.session.rows)
    assert live.session.selection.current == Selection(41), "who followed to the end stays there"
    assert KEY not in path.read_text()


@pytest.mark.parametrize(
    ("how", "detail", "head", "more"),
    [
        ("connect_error", "nothing listens there", "No connection", "nothing listens there"),
        ("tls_error", "the certificate … expired", "No trusted connection", "expired"),
        ("timeout", "no byte came for 30 s", "Silent too long", "no byte came for 30 s"),
        ("truncated", "the connection ended before the last chunk", "Broke off", "before the last chunk"),
        ("reset", "the connection was reset", "Reset by the other side", ""),
    ],
)
def test_a_bad_end_is_told_in_words(live: Live, how: str, detail: str, head: str, more: str) -> None:
    live.hand.end(how, detail=detail)
    live.tick()
    live.finish()
    state = ended(live.session.growth.exchange)
    assert (state.head, state.meaning) == (head, "error")
    assert more in state.more
    assert live.part.strip.isVisible()
    assert live.part.strip.accessibleName().startswith(head)
    live.page.grab()
    live.part.strip.dismiss.click()
    assert live.part.strip.isHidden()


def test_an_answer_with_an_error_shows_its_body(live: Live) -> None:
    live.hand.head(Http(401, [("content-type", "application/json"), ("retry-after", "20")]))
    live.hand.read(ERROR)
    live.tick()
    live.hand.end("http_error", detail="HTTP 401", terminator=True)
    live.tick()
    live.finish()
    state = state_of(live.session)
    assert state.head == "HTTP 401"
    assert state.more == "the key was not accepted; it asks to wait 20 s; its body is below"
    assert "Invalid key" in live.page.panes.raw.model().index(0, 2).data()


def test_the_strip_tells_what_it_waits_for(live: Live) -> None:
    told = []
    for step in ("nothing", "sent", "head", "read", "silence"):
        if step == "sent":
            live.hand.zero = live.hand.at
        elif step == "head":
            live.hand.head()
        elif step == "read":
            live.hand.read(*WORDS[:30])
        elif step == "silence":
            live.hand.wait(2700)
        live.tick()
        told.append((state_of(live.session).head, state_of(live.session).meaning))
        live.page.grab()
    assert told == [
        ("Connecting", ""), ("Waiting for the answer", ""), ("Recording", ""), ("Recording", ""),
        ("Recording", "warning"),
    ]  # fmt: skip
    now = live.part._now()
    assert (now.kind, now.words) == ("silence", "no byte for 2.7\u2009s")
    assert dict(live.part.strip.rates())["now"] == "0"
    assert float(dict(live.part.strip.rates())["last 5 s"]) > 0


def test_a_disk_that_is_full_is_told_while_the_stream_goes_on(live: Live) -> None:
    streaming(live, *WORDS[:4])
    live.session.growth.stopped = "the recording stopped: No space left on device"
    live.tick()
    assert live.part.strip.accessibleName() == "Not recorded the recording stopped: No space left on device"


def test_the_axis_stands_still_for_a_while_and_always_has_room() -> None:
    ends = [axis_end(ms * 1_000_000) for ms in range(0, 30_000, 33)]
    assert all(end > ms * 1_000_000 for end, ms in zip(ends, range(0, 30_000, 33), strict=True))
    assert ends == sorted(ends)
    assert len(set(ends)) < 20


def test_lanes_grow_without_being_made_anew(qtbot: QtBot, live: Live) -> None:
    streaming(live, said("think ", "reasoning_content"), *WORDS[:3])
    assert "finish" not in live.page.summary.accessibleName(), "nothing is said of what has not come"
    qtbot.waitUntil(lambda: live.page.link.settled)
    live.page.link._rest_until = 0
    live.tick(2)
    qtbot.waitUntil(lambda: live.page.link.settled)
    lanes = {index.lane.key: index for index in live.page.timeline._lanes}
    assert [bar.state for bar in lanes["reasoning-0-0"].bars + lanes["text-0-0"].bars] == ["closed", "growing"]
    bar = lanes["text-0-0"].bars[0]
    live.hand.wait(500)
    live.hand.read(*WORDS[3:6])
    live.page.link._rest_until = 0
    live.tick(2)
    qtbot.waitUntil(lambda: live.page.link.settled)
    again = {index.lane.key: index for index in live.page.timeline._lanes}
    assert again["text-0-0"].bars[0] is bar
    assert bar.title == "Text · 6 deltas · 42 chars"
    words, events = [bar.word(n) for n in range(6)], list(bar.events)
    assert words == [json.loads(word[6:])["choices"][0]["delta"]["content"] for word in WORDS[:6]]
    assert bar.fragments[-1] - bar.fragments[0] >= 500_000_000
    assert len(again["reads"].ticks) == 7
    assert live.page.timeline._axis.end is None
    live.hand.read(DONE)
    live.hand.end()
    live.tick()
    live.finish()
    assert live.page.summary.accessibleName().endswith("finish stop, end [DONE]")
    live.page.link._rest_until = 0
    live.tick(2)
    (whole,) = next(index.bars for index in live.page.timeline._lanes if index.lane.key == "text-0-0")
    assert whole is not bar
    assert ([whole.word(n) for n in range(6)], list(whole.events)) == (words, events), "as they were while it was live"


def test_an_event_is_not_walked_over_again() -> None:
    from inspector_app.core.analysis import Analysis
    from inspector_app.core.types import Exchange, MemoryBody

    body = b"data: a\n\n" + b"data: b\n" * 3
    analysis = Analysis(Exchange("x", "sse-body", MemoryBody(body)), load_kit(), framing="sse")
    analysis.feed(body)
    assert open_line(analysis.reading, (-1, 0)) == (0, 2)
    assert open_line(analysis.reading, (0, 2)) == (0, 2)
    rows = LiveRows()
    assert rows.extend(analysis.reading) == 2 + 3, "without the first line after it all lines would be its own"
    analysis.reading.open_line = 2
    assert rows.extend(analysis.reading) == -3


@pytest.mark.parametrize(
    ("how", "detail", "pieces", "state"),
    [
        ("reset", "the connection was reset", WORDS[:3], ("Reset by the other side", "", "", "error")),
        ("reset", "HTTP/2: code 2", WORDS[:3], ("Reset by the other side", "", "HTTP/2: code 2", "error")),
        ("timeout", "no byte came for 3 s", WORDS[:3], ("Silent too long", "", "no byte came for 3 s", "error")),
        (
            "timeout", "no byte came for 3 s", [*WORDS[:3], DONE],
            ("Answer complete", "", "the server left the connection open: no byte came for 3 s", "warning"),
        ),
    ],
)  # fmt: skip
def test_how_a_stream_ended_is_said_once_and_not_worse_than_it_was(
    live: Live, how: str, detail: str, pieces: list[bytes], state: tuple[str, str, str, str]
) -> None:
    streaming(live, *pieces)
    live.hand.end(how, closed_by="client" if how == "timeout" else "server", detail=detail)
    live.tick()
    live.finish()
    assert state_of(live.session) == (*state, "")
    assert live.part.strip.isVisible()
    rules = {finding.rule for finding in live.session.reference.findings}
    assert ("end-left-open" in rules) == (state[0] == "Answer complete")


def test_a_page_keeps_its_name_when_the_recording_is_closed_and_its_tab_tells_the_file(
    qtbot: QtBot, look: Look, tmp_path: Path
) -> None:
    settings = Settings()
    settings.put("recordings", str(tmp_path))
    window = Window(load_kit(), {}, look, settings=settings)
    qtbot.addWidget(window)
    provider = Provider("slow <b>box", base_url="http://127.0.0.1:1/v1", dialect="openai-chat", model="org/m-drip")
    page = window.go_live(provider, REQUEST)
    assert page is not None
    name = "slow <b>box · m-drip"
    assert (window.tabs.tabText(0), window.tabs.tabData(0), window.windowTitle()) == (
        name, "record", f"{name} – Stream Inspector"
    )  # fmt: skip
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle, timeout=20_000)
    assert (window.tabs.tabText(0), window.tabs.tabData(0)) == (name, "error")
    assert Path(page.session.path).name.removesuffix(".rec.jsonl") in window.tabs.tabToolTip(0)
    assert window.tabs.tabToolTip(0).startswith("<qt>")
    window.close()
