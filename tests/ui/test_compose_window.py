"""New requests in the window: how one gets there by keys, what is shared with recordings, and what it looks like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.live.providers import Provider
from inspector_app.live.request import Outgoing
from inspector_app.ui.compose.opening import MOST_KEPT
from inspector_app.ui.compose.page import ComposePage
from inspector_app.ui.window import Window
from tests.live.server import Server
from tests.ui.test_access import NO_ROLE, can_focus, round_of_tab
from tests.ui.window_data import open_in, window

__all__ = ["window"]

KEY = "canary-0123456789abcdef"
CONTROL = Qt.KeyboardModifier.ControlModifier
CURL = 'curl https://openrouter.ai/api/v1/chat/completions -d \'{"model":"x","messages":[]}\''


def request_in(window: Window) -> ComposePage:
    page = window.composing.page()
    assert page is not None
    return page


def press(qtbot: QtBot, window: Window, key: Qt.Key, held: Qt.KeyboardModifier = CONTROL) -> None:
    qtbot.keyClick(window.focusWidget() or window, key, held)


def test_ctrl_l_leads_to_a_request_from_everywhere_and_back_to_the_same_one(qtbot: QtBot, window: Window) -> None:
    press(qtbot, window, Qt.Key.Key_L)
    page = request_in(window)
    assert window.windowTitle() == "New request – Stream Inspector"
    assert page.focusWidget() is page.form.messages.rows[0].part.field
    recording = open_in(qtbot, window, "mixed-spacing")
    assert window.composing.page() is None
    press(qtbot, window, Qt.Key.Key_L)
    assert request_in(window) is page
    window.deck.show_page(recording)
    recording.toolbar.live.click()
    assert request_in(window) is page
    assert [window.tabs.tabText(at) for at in range(window.tabs.count())] == ["New request", "mixed-spacing"]


def test_the_start_page_offers_it(window: Window) -> None:
    window.start.side.live_button.click()
    assert window.composing.page() is not None


def test_letters_are_typed_and_ctrl_return_sends(qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[Provider, Outgoing]] = []
    monkeypatch.setattr(window, "go_live", lambda *given: sent.append(given))
    page = window.compose()
    field = page.form.messages.rows[0].part.field
    qtbot.keyClicks(field, "Why? 1/2, b.")
    assert field.text() == "Why? 1/2, b."
    press(qtbot, window, Qt.Key.Key_Return)
    page.json.field.setFocus()
    press(qtbot, window, Qt.Key.Key_Return)
    assert [request.body for _, request in sent] == [page.draft.text.encode()] * 2
    assert sent[0][0].model == page.draft.model


def test_what_is_sent_is_recorded_in_a_tab_of_its_own(qtbot: QtBot, window: Window, home: Path) -> None:
    with Server() as server:
        page = window.compose()
        page.catalogue.path.parent.mkdir(parents=True)
        entry = f'[providers.here]\nbase_url = "{server.url}"\npath = "/plain"\ndialect = "openai-chat"\nmodel = "m"\n'
        page.catalogue.path.write_text(entry)
        page.catalogue.reload()
        page.choose(page.catalogue.own["here"])
        qtbot.keyClicks(page.side.key.field, KEY)
        qtbot.keyClicks(page.form.messages.rows[0].part.field, "hi")
        press(qtbot, window, Qt.Key.Key_Return)
        recording = window.page()
        assert recording is not None
        qtbot.waitUntil(lambda: recording.session.complete, timeout=20_000)
        assert server.requests[0][1]["authorization"] == f"bearer {KEY}"
        assert server.requests[0][2] == page.draft.text.encode()
    [file] = home.rglob("*.rec.jsonl")
    assert KEY not in file.read_text("utf-8")
    window.run("Send this again…")
    again = request_in(window)
    assert again is not page
    assert (again.draft.provider.name, again.draft.body) == ("here", page.draft.body)
    assert again.side.key.state.text() == "typed for this run"


def test_an_unsent_request_comes_back_when_its_tab_was_closed(qtbot: QtBot, window: Window) -> None:
    page = window.compose()
    qtbot.keyClicks(page.form.messages.rows[0].part.field, "half a thought")
    page.json.field.setPlainText('{"model": ')
    page.json.field.edited.emit(page.json.field.toPlainText())
    qtbot.keyClicks(page.side.key.field, KEY)
    window.close_page(0)
    assert window.composing.page() is None
    again = window.compose()
    assert again.json.field.toPlainText() == '{"model": ', "as it was left, also what cannot be read"
    assert again.side.key.field.text() == KEY
    again.json.take_back()
    assert again.form.messages.rows[0].part.field.text() == "half a thought"
    qtbot.waitUntil(lambda: not again._recall.running)
    again.grab()


def test_only_what_was_not_sent_is_kept_and_the_last_one_first(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "go_live", lambda *given: None)
    texts = [f"draft {n}" for n in range(MOST_KEPT + 2)]
    pages = [window.composing._new() for _ in texts]
    for page, text in zip(pages, texts, strict=True):
        window.deck.add(page, "live")
        page.form.messages.set_text(0, text, False)
    sent, *rest = pages
    sent.send()
    for page in pages:
        window.close_page(window.deck.sheets().index(page))
    found = []
    for _ in rest[1:]:
        page = window.compose()
        found.append(page.form.messages.rows[0].part.field.text())
        page.send()
        window.close_page(0)
    assert found == texts[:1:-1]
    assert window.compose().form.messages.rows[0].part.field.text() == ""
    window.close_page(0)
    assert not window.composing._kept, "what nobody has written into is not kept"


def test_a_request_of_a_recording_is_sent_again_in_a_tab_of_its_own(qtbot: QtBot, window: Window) -> None:
    first = window.compose()
    recording = open_in(qtbot, window, "empty-tool-calls")
    window.run("Send this again…")
    page = request_in(window)
    assert page is not first
    assert recording.session.exchange.request is not None  # type: ignore[union-attr]
    assert page.draft.body == recording.session.exchange.request["body"]  # type: ignore[union-attr]


def test_a_curl_command_is_pasted_from_anywhere(qtbot: QtBot, window: Window) -> None:
    QApplication.clipboard().setText(CURL)
    press(qtbot, window, Qt.Key.Key_V)
    page = request_in(window)
    assert page.draft.model == "x"
    page.side.choice.setFocus()
    QApplication.clipboard().setText(CURL.replace('"x"', '"y"'))
    press(qtbot, window, Qt.Key.Key_V)
    assert (request_in(window), page.draft.model) == (page, "y")
    page.side.choice.setFocus()
    QApplication.clipboard().setText("curl --form a=b https://x.example.com")
    press(qtbot, window, Qt.Key.Key_V)
    assert "it sends a form" in page.strip.said.text
    QApplication.clipboard().clear()


def test_what_the_window_has_to_say_stands_on_the_page_in_view(window: Window) -> None:
    page = window.compose()
    window.say("the disk is full")
    assert page.strip.said.text == "the disk is full"


def test_tabs_of_requests_are_closed_and_the_start_page_comes_back(qtbot: QtBot, window: Window) -> None:
    window.compose()
    page = open_in(qtbot, window, "mixed-spacing")
    window.close_page(0)
    assert window.page() is page
    window.compose()
    window.close_page(1)
    window.close_page(0)
    assert window.deck.sheet() is None
    assert window.tabs.tabText(0) == "Start"


def test_the_page_with_a_request_offers_its_commands_and_a_picture(window: Window) -> None:
    window.compose()
    offered = {command.words: command for command in window.commands()}
    assert offered["Send"].enabled()
    assert offered["Save picture…"].enabled()
    assert not offered["Send this again…"].enabled()
    assert len(offered) == len(window.commands())
    keys = [key for command in window.commands() if command.enabled() for key in command.keys]
    assert sorted(keys) == sorted(set(keys))


def shown(window: Window, what: str) -> ComposePage:
    page = window.compose()
    if what == "provider":
        page.edit_provider(page.catalogue.presets["azure-openai"], False)
    page.form.headers.add.click()
    return page


@pytest.mark.parametrize("what", ["request", "provider"])
def test_all_that_takes_the_keyboard_has_a_name(window: Window, what: str) -> None:
    page = shown(window, what)
    takers = [one for one in page.findChildren(QWidget) if can_focus(one) and one.focusProxy() is None]
    ours = [one for one in takers if one.window() is window]
    assert len(ours) > 20
    assert [type(one).__name__ for one in ours if not one.accessibleName()] == []
    for one in ours:
        said = QAccessible.queryAccessibleInterface(one)
        assert said is not None
        assert said.role() not in NO_ROLE or said.text(QAccessible.Text.Name)
    buttons = [one for one in page.findChildren(QAbstractButton) if not one.isHidden()]
    bare = [one for one in buttons if not one.text() and not one.toolTip()]
    assert bare == []


@pytest.mark.parametrize("what", ["request", "provider"])
def test_tab_reaches_every_part_and_comes_round(qtbot: QtBot, window: Window, what: str) -> None:
    page = shown(window, what)
    reached = round_of_tab(qtbot, window, page.toolbar.copy)
    middle: list[Any] = [page.form.model, page.form.messages.rows[0].part.field, page.json.field]
    if what == "provider":
        middle = [page.provider_form.fields["ca_file"], page.provider_form.save]
    for widget in (page.side.choice, page.side.test, *middle, window.tabs):
        assert widget in reached


def test_f6_goes_round_the_parts(qtbot: QtBot, window: Window) -> None:
    page = window.compose()
    order = []
    for _ in range(4):
        press(qtbot, window, Qt.Key.Key_F6, Qt.KeyboardModifier.NoModifier)
        order.append(window.focusWidget())
    assert order == [page.json.field, page.toolbar.send, page.side.choice, page.form.model]


@pytest.mark.parametrize("size", [(1024, 700), (1280, 800), (1920, 1200)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_of_it_has_room_in_every_window(qtbot: QtBot, window: Window, size: tuple[int, int], theme: str) -> None:
    window.choose_theme(theme)
    page = shown(window, "request")
    body = {"model": "模" * 60, "messages": [{"role": "user", "content": "W" * 2000}]}
    page.take_request({"url": "https://llm.example.com/v1/chat/completions", "method": "POST", "body": body})
    window.resize(*size)
    qtbot.waitUntil(lambda: page.width() == window.width())
    assert (window.width(), window.height()) == size
    qtbot.waitUntil(lambda: page.form.area.widget().width() <= page.form.area.viewport().width())
    for one in (page.side.choice, page.side.test, page.form.model, page.json.field, page.toolbar.paste):
        assert page.rect().contains(one.rect().translated(one.mapTo(page, one.rect().topLeft()))), one


def test_the_wheel_changes_no_choice(qtbot: QtBot, window: Window) -> None:
    page = window.compose()
    for choice in page.form.findChildren(QComboBox):
        before = choice.currentText()
        qtbot.mouseMove(choice)
        event = QWheelEvent(
            QPointF(5, 5), QPointF(choice.mapToGlobal(QPoint(5, 5))), QPoint(), QPoint(0, -120),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(choice, event)
        assert choice.currentText() == before
