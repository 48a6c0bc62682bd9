"""The panels of the proxy and of the replay server, at work."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.files import read_input
from inspector_app.live.proxy_rules import Route
from inspector_app.ui.commands import named
from inspector_app.ui.live.session import LiveSession
from inspector_app.ui.proxy.desk import PORT, STOP_WORDS, UPSTREAM, WORDS
from inspector_app.ui.proxy.panel import EDGE, ProxyPanel
from inspector_app.ui.proxy.rows import NAMES, mark_of
from inspector_app.ui.proxy.table import EDGE as TABLE_EDGE
from inspector_app.ui.replay.desk import PORT as REPLAY_PORT
from inspector_app.ui.replay.desk import WORDS as REPLAY_WORDS
from inspector_app.ui.replay.panel import NOTHING, ReplayPanel
from inspector_app.ui.window import Window
from tests.live.server import ANSWER, CUT, EVENTS, SCRIPTS, WAITING, Server
from tests.live.test_proxy import BODY, asked, body_of, read_until, talk
from tests.ui.window_data import open_in, window

__all__ = ["window"]

WAIT_MS = 20_000


@pytest.fixture
def server() -> Iterator[Server]:
    behaviours = SCRIPTS | WAITING
    with Server(scripts=lambda path: behaviours[path.removeprefix("v1/")].steps) as made:
        yield made


@pytest.fixture
def panel(window: Window, server: Server, tmp_path: Path) -> Iterator[ProxyPanel]:
    """The panel, with a proxy before the server."""
    window.settings.put("recordings", str(tmp_path))
    made = window.proxying.show()
    made.choice.setCurrentIndex(0)
    made.url.setText(f"{server.url}/v1")
    made.start.click()
    assert window.proxying.proxy is not None
    yield made
    window.proxying.stop()
    assert window.proxying.join(20)


def port_of(window: Window) -> int:
    assert window.proxying.proxy is not None
    return window.proxying.proxy.port


def row(panel: ProxyPanel, number: int = 0) -> dict[str, str]:
    return {name: panel.rows.index(number, column).data() for column, name in enumerate(NAMES)}


def ask(window: Window, path: str) -> bytes:
    """A whole exchange, its answer read to the end."""
    wire, _ = talk(port_of(window), asked(path, port_of(window), "Connection: close"))
    return wire


def begin(window: Window, path: str) -> socket.socket:
    """The beginning of one that waits in the middle of its answer."""
    connection = socket.create_connection(("127.0.0.1", port_of(window)), 20)
    connection.sendall(asked(path, port_of(window)))
    read_until(connection, lambda wire: body_of(wire) == CUT)
    return connection


def test_toolbar_and_palette_lead_to_the_panel(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    page.toolbar.proxy.click()
    assert window.proxying.panel is not None
    assert window.proxying.panel.isVisible()
    assert not window.proxying.panel.isModal()
    window.proxying.panel.close()
    window.run(WORDS)
    assert window.proxying.panel.isVisible()
    stop = named(window.commands(), STOP_WORDS)
    assert stop is not None
    assert not stop.enabled()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Choose a provider, or type the URL that requests are to go to"),
        ("api.openai.com/v1", "The upstream must be a whole URL, beginning with https:// or http://"),
        ("https://me:secret@host/v1", "The upstream has a user name or password before the @"),
    ],
)
def test_what_cannot_be_an_upstream_is_said(window: Window, typed: str, said: str) -> None:
    panel = window.proxying.show()
    panel.choice.setCurrentIndex(0)
    panel.url.setText(typed)
    panel.start.click()
    assert panel.said.text.startswith(said)
    assert "secret" not in panel.said.text
    assert window.proxying.proxy is None


def test_a_provider_fills_in_its_address_and_another_url_is_ones_own(qtbot: QtBot, window: Window) -> None:
    panel = window.proxying.show()
    panel.choice.setCurrentIndex(panel.choice.findData("anthropic"))
    panel.choice.activated.emit(panel.choice.currentIndex())
    assert panel.url.text() == "https://api.anthropic.com"
    panel.url.setFocus()
    qtbot.keyClicks(panel.url, "/v1")
    assert panel.choice.currentData() == ""
    assert panel.asked() == "https://api.anthropic.com/v1"


def test_a_port_that_is_taken_is_said(window: Window) -> None:
    panel = window.proxying.show()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert not window.proxying.start(Route("http://127.0.0.1:1"), port)
    assert panel.said.text == f"Port {port} cannot be used (address already in use): choose another one."
    assert not window.proxying.start(Route(f"http://localhost:{port}"), port)
    assert panel.said.text.startswith("The upstream is this proxy itself")


def test_the_address_is_there_to_copy_for_each_client(window: Window, panel: ProxyPanel, server: Server) -> None:
    url = f"http://127.0.0.1:{port_of(window)}"
    assert panel.address.text() == url
    assert panel.setting.line.text() == f'OpenAI(base_url="{url}/v1")'
    panel.setting.choice.setCurrentIndex(panel.setting.choice.findText("@anthropic-ai/sdk"))
    panel.setting.choice.activated.emit(panel.setting.choice.currentIndex())
    panel.setting.copy.click()
    assert QApplication.clipboard().text() == f'new Anthropic({{ baseURL: "{url}" }})'
    assert panel.about.text().startswith(f"All of it goes to {server.url}/v1, and nowhere else.")
    assert window.settings.value(UPSTREAM, "") == f"{server.url}/v1"
    assert window.settings.value(PORT, "-") == ""


def test_exchanges_come_grow_and_end_in_the_list(qtbot: QtBot, window: Window, panel: ProxyPanel) -> None:
    QAbstractItemModelTester(panel.rows, QAbstractItemModelTester.FailureReportingMode.Fatal, panel)
    for path in ("/plain", "/401", "/clean-cut", "/no-last-chunk"):
        ask(window, path)
    with begin(window, "/stall"):
        qtbot.waitUntil(lambda: panel.rows.rowCount() == 5 and panel.rows.live == 1, timeout=WAIT_MS)
        qtbot.waitUntil(lambda: row(panel)["Events"] == str(len(EVENTS) - 2), timeout=WAIT_MS)
        assert row(panel)["State"] == "streaming"
        assert panel.count.text() == "5 exchanges · 1 live"
    qtbot.waitUntil(lambda: panel.rows.live == 0, timeout=WAIT_MS)
    rows = [row(panel, number) for number in range(5)]
    assert [one["Request"] for one in rows[::-1]] == [
        "POST /v1/plain", "POST /v1/401", "POST /v1/clean-cut", "POST /v1/no-last-chunk", "POST /v1/stall",
    ]  # fmt: skip
    assert {one["Model"] for one in rows} == {"some/model"}
    assert [one["Status"] for one in rows[::-1]] == ["200", "401", "200", "200", "200"]
    said = ["complete", "the key was not accepted", "ended without an end marker", "broke off", "the client left"]
    assert [one["State"].partition(" · ")[0] for one in rows[::-1]] == said
    watches = [panel.rows.at(number) for number in range(5)]
    assert [mark_of(watch)[0] for watch in watches[::-1] if watch] == ["check", "error", "warning", "error", "stop"]
    spoken = panel.rows.index(0, 5).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("State: the client left")
    panel.clear.click()
    assert panel.rows.rowCount() == 0


def test_one_that_goes_on_is_followed_in_a_tab_and_to_close_it_ends_nothing(
    qtbot: QtBot, window: Window, panel: ProxyPanel, server: Server
) -> None:
    with begin(window, "/stall") as connection:
        qtbot.waitUntil(lambda: panel.rows.rowCount() == 1, timeout=WAIT_MS)
        panel.table.selectRow(0)
        qtbot.keyClick(panel.table, Qt.Key.Key_Return)
        page = window.page()
        assert page is not None
        session = page.session
        assert isinstance(session, LiveSession)
        qtbot.waitUntil(lambda: session.rows.events == len(EVENTS) - 2, timeout=WAIT_MS)
        assert session.live
        assert page.title.endswith(" · model")
        panel.table.opened.emit(0)
        assert window.deck.pages() == [page]
        window.close_page(window.tabs.currentIndex())
        server.gate.set()
        # The server closes after the gate: had the proxy closed before, there would have been no gate to wait for.
        assert connection.recv(1 << 16) == b""
    qtbot.waitUntil(lambda: panel.rows.live == 0, timeout=WAIT_MS)
    watch = panel.rows.at(0)
    assert watch is not None
    assert watch.how == "truncated"
    assert not server.left.is_set()
    panel.open_button.click()
    page = window.page()
    assert page is not None
    assert page.session.path == str(watch.exchange.path)


def test_one_can_be_ended_from_the_panel(qtbot: QtBot, window: Window, panel: ProxyPanel) -> None:
    with begin(window, "/stall") as connection:
        qtbot.waitUntil(lambda: panel.rows.rowCount() == 1, timeout=WAIT_MS)
        panel.table.selectRow(0)
        panel.end.click()
        assert connection.recv(1 << 16) == b""
    qtbot.waitUntil(lambda: panel.rows.live == 0, timeout=WAIT_MS)
    assert row(panel)["State"].startswith("ended by hand")


def test_what_is_refused_is_told(qtbot: QtBot, window: Window, panel: ProxyPanel) -> None:
    talk(port_of(window), b"GET /<b>x</b> HTTP/1.1\r\nHost: evil.example\r\n\r\n")
    qtbot.waitUntil(lambda: panel.refused.text() != "", timeout=WAIT_MS)
    assert "the Host of the request must be one of 127.0.0.1" in panel.refused.text()
    assert panel.rows.rowCount() == 0


def test_where_nothing_can_be_recorded_that_is_said(
    qtbot: QtBot, window: Window, panel: ProxyPanel, tmp_path: Path
) -> None:
    assert window.proxying.proxy is not None
    (tmp_path / "file").write_text("")
    window.proxying.proxy.folder = tmp_path / "file"
    assert body_of(ask(window, "/plain")) == ANSWER
    qtbot.waitUntil(lambda: panel.said.text != "", timeout=WAIT_MS)
    assert panel.said.text.startswith("No recording can be made in ")
    qtbot.waitUntil(lambda: panel.rows.live == 0, timeout=WAIT_MS)
    assert row(panel)["State"] == "not recorded · complete"
    panel.table.opened.emit(0)
    assert panel.said.text.startswith("There is no recording of it: ")


def test_to_close_the_window_closes_the_recordings(
    qtbot: QtBot, window: Window, panel: ProxyPanel, tmp_path: Path
) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    assert page.toolbar.proxy.accessibleName() == "Proxy is on"
    with begin(window, "/stall"):
        window.close()
        (path,) = tmp_path.glob("*.rec.jsonl")
        (recorded,) = read_input(str(path))
        assert recorded.end is not None
        assert recorded.end["detail"] == "the proxy was stopped"
        assert window.proxying.proxy is None
        assert not panel.isVisible()
    assert BODY not in path.read_bytes()


def nameless(panel: QWidget) -> list[str]:
    takers = [one for one in panel.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert len(takers) > 5
    return [type(one).__name__ for one in takers if not one.accessibleName() and one.focusProxy() is None]


def test_all_that_takes_the_keyboard_has_a_name(window: Window, panel: ProxyPanel) -> None:
    replay = window.replaying.show()
    assert nameless(panel) == nameless(replay) == []
    for one in (panel, replay):
        for button in one.findChildren(QPushButton):
            said = QAccessible.queryAccessibleInterface(button)
            assert said is not None
            assert said.text(QAccessible.Text.Name)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("wide", [780, 960])
def test_the_panel_is_drawn(qtbot: QtBot, window: Window, panel: ProxyPanel, theme: str, wide: int) -> None:
    window.look.choose(theme)
    empty = panel.grab().toImage()
    ask(window, "/401")
    qtbot.waitUntil(lambda: panel.rows.rowCount() == 1 and panel.rows.live == 0, timeout=WAIT_MS)
    panel.resize(wide, 600)
    panel.table.selectRow(0)
    drawn = panel.grab().toImage()
    assert drawn.width() == wide
    assert drawn != empty
    widths = [panel.table.columnWidth(column) for column in range(len(NAMES))]
    assert sum(widths) <= panel.table.viewport().width()


def test_without_an_open_recording_there_is_nothing_to_serve(window: Window) -> None:
    window.run(REPLAY_WORDS)
    panel = window.replaying.panel
    assert panel is not None
    assert panel.said.text == NOTHING
    assert not panel.start.isEnabled()


def listening(qtbot: QtBot, panel: ReplayPanel) -> str:
    qtbot.waitUntil(lambda: panel.address.text() != "" or panel.said.text != "", timeout=WAIT_MS)
    assert panel.said.text == ""
    return panel.address.text()


def post(url: str, path: str) -> bytes:
    port = int(url.split(":")[2].partition("/")[0])
    return talk(port, asked(path, port, "Connection: close"))[0]


def test_the_open_recording_is_served_and_asked(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "mixed-spacing")
    panel = window.replaying.show()
    panel.speed.setCurrentIndex(panel.speed.findData("max"))
    panel.start.click()
    url = listening(qtbot, panel)
    qtbot.waitUntil(lambda: panel.path.count() == 2, timeout=WAIT_MS)
    assert panel.setting.line.text() == f'OpenAI(base_url="{url}/v1", api_key="any")'
    (recorded,) = read_input(str(resource("recordings", "mixed-spacing.rec.jsonl")))
    assert body_of(post(url, "/v1/chat/completions")) == recorded.body.slice(0, 1 << 30)
    qtbot.waitUntil(lambda: "sent whole" in panel.log.toPlainText(), timeout=WAIT_MS)
    panel.stop.click()
    qtbot.waitUntil(lambda: window.replaying.process is None, timeout=WAIT_MS)
    assert (panel.address.text(), panel.said.text) == ("", "")
    assert panel.start.isEnabled()


def test_the_server_starts_and_stops_in_words_at_the_port_that_was_asked_for(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "mixed-spacing")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        panel = window.replaying.show()
        assert (panel.port.text(), panel.address.placeholderText()) == ("", "not listening")
        panel.port.setText(str(port))
        panel.start.click()
        assert panel.address.placeholderText() == "starting…"
        assert not panel.port.isEnabled()
        qtbot.waitUntil(lambda: panel.said.text != "", timeout=WAIT_MS)
        assert panel.said.text == f"Port {port} cannot be used (address already in use): choose another one."
        assert panel.log.toPlainText() == ""
        assert (panel.address.placeholderText(), panel.port.isEnabled()) == ("not listening", True)
    panel.start.click()
    assert listening(qtbot, panel) == f"http://127.0.0.1:{port}"
    assert "stopped" not in panel.log.toPlainText()
    panel.stop.click()
    qtbot.waitUntil(lambda: window.replaying.process is None, timeout=WAIT_MS)
    assert panel.log.toPlainText().splitlines()[-1] == "stopped"
    assert window.settings.value(REPLAY_PORT, "") == str(port)


def test_a_server_that_is_stopped_while_it_starts_has_nothing_to_say(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "mixed-spacing")
    panel = window.replaying.show()
    panel.start.click()
    panel.stop.click()
    qtbot.waitUntil(lambda: window.replaying.process is None, timeout=WAIT_MS)
    assert (panel.said.text, panel.log.toPlainText()) == ("", "")
    assert panel.address.placeholderText() == "not listening"
    assert panel.start.isVisible()


def test_the_words_of_the_first_column_stand_below_those_of_the_form(window: Window, panel: ProxyPanel) -> None:
    head = panel.table.horizontalHeader()
    assert f"padding-left: {EDGE}px" in head.styleSheet()
    assert TABLE_EDGE == EDGE


def test_a_suite_has_a_path_for_each_variation_and_a_score_at_the_end(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "mixed-spacing")
    panel = window.replaying.show()
    panel.what.setCurrentIndex(panel.what.findData("suite"))
    panel.speed.setCurrentIndex(panel.speed.findData("max"))
    assert panel.arguments()[:3] == ["--speed", "max", "--suite"]
    panel.start.click()
    listening(qtbot, panel)
    qtbot.waitUntil(lambda: panel.path.findData("/reset") > 0, timeout=WAIT_MS)
    # Its address alone names no variation.
    assert panel.path.findData("") < 0
    assert panel.address.text().endswith("/as-recorded")
    panel.path.setCurrentIndex(panel.path.findData("/reset"))
    panel.path.activated.emit(panel.path.currentIndex())
    assert panel.address.text().endswith("/reset")
    post(panel.address.text(), "/reset/v1/chat/completions")
    window.replaying.stop()
    qtbot.waitUntil(lambda: window.replaying.process is None, timeout=WAIT_MS)
    assert "WHAT THE CLIENT DID" in panel.log.toPlainText()


def test_the_server_goes_with_the_window(qtbot: QtBot, window: Window) -> None:
    open_in(qtbot, window, "mixed-spacing")
    panel = window.replaying.show()
    panel.start.click()
    url = listening(qtbot, panel)
    window.close()
    assert window.replaying.process is None
    with pytest.raises(ConnectionRefusedError):
        post(url, "/")
