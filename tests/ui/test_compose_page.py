"""A new request: the provider is chosen, edited and tested in place, what was asked comes back, and it is sent."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.files import read_input
from inspector_app.live.history import recall
from inspector_app.ui.compose.draft import Ask
from inspector_app.ui.compose.page import LAST, ComposePage
from inspector_app.ui.compose.past import PastModel
from inspector_app.ui.theme import Look
from tests.live.server import CHUNKED, ERROR, EVENTS, GATE, Server, chunk, head, length
from tests.ui.compose_data import GATEWAY, made_page, page

__all__ = ["page"]

STREAM = (head("200 OK", CHUNKED), chunk(EVENTS[0]), GATE)
SILENT = (head("200 OK", CHUNKED), GATE)
REFUSED = (length(ERROR, None, "401 Unauthorized", kind="application/json"),)
MODELS = (length(b'{"data":[{"id":"a"},{"id":"b"}]}', kind="application/json"),)


@pytest.fixture
def server() -> Iterator[Server]:
    answers = {"stream": STREAM, "silent": SILENT, "401": REFUSED, "models": MODELS}
    with Server(scripts=lambda path: answers[path.split("/")[0]]) as running:
        yield running


def file_of(page: ComposePage) -> dict[str, Any]:
    return tomllib.loads(page.catalogue.path.read_text("utf-8")).get("providers", {})


def choose(page: ComposePage, data: str) -> None:
    """Picks an entry of the choice as a person does."""
    at = page.side.choice.findData(data)
    assert at >= 0, data
    page.side.choice.setCurrentIndex(at)
    page.side.choice.activated.emit(at)


def sent(page: ComposePage) -> list[Ask]:
    asked: list[Ask] = []
    page.send_asked.connect(asked.append)
    page.send()
    return asked


# the provider


def test_own_providers_come_first_and_one_is_chosen(page: ComposePage) -> None:
    choice = page.side.choice
    words = [choice.itemText(at) for at in range(choice.count())]
    assert words[:2] == ["Your providers", "My gateway"]
    assert words.index("Ready to ask") < words.index("OpenRouter") < words.index("Add a provider")
    assert "Azure OpenAI…" in words
    assert words[words.index("Add a provider") + 1] == "Custom base URL…"
    assert "Azure OpenAI" not in words
    assert choice.currentText() == "My gateway"
    assert page.side.where.text() == "https://llm.example.com/v1"
    assert page.side.how.text() == "/chat/completions · openai-chat"
    for at in (0, words.index("Add a provider")):
        assert choice.model().flags(choice.model().index(at, 0)) == Qt.ItemFlag.NoItemFlags


def test_a_preset_can_be_asked_without_being_saved(page: ComposePage) -> None:
    choose(page, "shipped:anthropic")
    assert page.draft.provider.dialect == "anthropic-messages"
    assert page.side.how.text() == "/v1/messages · anthropic-messages"
    assert set(file_of(page)) == {"gateway"}


def test_a_broken_file_is_said_and_left_alone(qtbot: QtBot, look: Look, tmp_path: Path) -> None:
    broken = '[providers.x]\nbase_url = "https://x.example.com"\ndialect = "openai-chat"\nkey = "abc"\n'
    page = made_page(qtbot, look, tmp_path, broken)
    assert "[providers.x]" in page.side.fault.text
    assert "never stands in this file" in page.side.fault.text
    page.edit_provider(page.catalogue.presets["openrouter"], False)
    page.provider_form.keep()
    assert "[providers.x]" in page.provider_form.fault.text
    assert page.catalogue.path.read_text("utf-8") == broken


def test_a_provider_is_added_from_a_preset(qtbot: QtBot, page: ComposePage) -> None:
    choose(page, "add:azure-openai")
    form = page.provider_form
    assert page.edits_provider
    assert not page.toolbar.send.isEnabled()
    assert page.focusWidget() is form.fields["base_url"]
    assert "YOUR-RESOURCE" in form.fields["base_url"].placeholderText()
    assert (form.auth.currentData(), form.key_name.text()) == ("api-key", "AZURE_OPENAI_API_KEY")
    form.keep()
    assert form.faults["base_url"].text == "Base URL is missing"
    qtbot.keyClicks(form.fields["base_url"], "https://mine.openai.azure.com/openai/v1")
    form.fields["name"].selectAll()
    qtbot.keyClicks(form.fields["name"], "mine")
    form.save.click()
    assert not page.edits_provider
    assert file_of(page)["mine"] == {"preset": "azure-openai", "base_url": "https://mine.openai.azure.com/openai/v1"}
    assert page.draft.provider.name == "mine"
    assert page.draft.provider.knows.reasoning.levels
    assert page.catalogue.path.read_text("utf-8").startswith("# mine\n")
    assert "is saved" in page.strip.said.text


def test_any_server_has_no_name_and_no_title_before_they_are_typed(qtbot: QtBot, page: ComposePage) -> None:
    choose(page, "add:custom")
    form = page.provider_form
    assert (form.fields["name"].text(), form.fields["title"].text()) == ("", "")
    for key, words in (("name", "mine"), ("base_url", "https://mine.example.com/v1")):
        qtbot.keyClicks(form.fields[key], words)
    form.save.click()
    assert file_of(page)["mine"] == {"base_url": "https://mine.example.com/v1", "dialect": "openai-chat"}
    assert page.side.choice.currentText() == "mine"


@pytest.mark.parametrize(
    "key, typed, words",
    [
        ("name", "my gateway", "Name must be letters, digits"),
        ("base_url", "llm.example.com", "Base URL must be a whole URL"),
        ("base_url", "https://me:secret@llm.example.com", "Base URL has a user name or password"),
        ("path", "chat", "Path must begin with one /"),
        ("proxy", "ftp://x", "Proxy must be a whole URL"),
        ("timeout_idle_s", "soon", "Idle timeout must be a number of seconds"),
        ("timeout_idle_s", "-1", "Idle timeout must be a number of seconds"),
        ("key", "sk-live key", "Variable must be the name of an environment variable"),
    ],
)
def test_a_fault_is_said_at_its_field(qtbot: QtBot, page: ComposePage, key: str, typed: str, words: str) -> None:
    page.side.ask_edit()
    form = page.provider_form
    before = page.catalogue.path.read_bytes()
    field = form.key_name if key == "key" else form.fields[key]
    field.selectAll()
    qtbot.keyClicks(field, typed)
    assert form.faults[key].text.startswith(words)
    assert typed not in form.faults[key].text or key in ("path", "proxy")
    form.keep()
    assert page.edits_provider
    assert page.catalogue.path.read_bytes() == before


def test_all_fields_of_the_contract_are_written(qtbot: QtBot, page: ComposePage) -> None:
    choose(page, "add:custom")
    form = page.provider_form
    values = {
        "name": "all", "title": "All", "base_url": "https://llm.example.com/v2", "path": "/ask", "model": "m",
        "ca_file": "/x/ca.pem", "proxy": "http://127.0.0.1:3128", "timeout_idle_s": "30",
    }  # fmt: skip
    for key, value in values.items():
        form.fields[key].selectAll()
        qtbot.keyClicks(form.fields[key], value)
    form.dialect.setCurrentIndex(form.dialect.findData("ollama-chat"))
    form.auth.setCurrentIndex(form.auth.findData("x-api-key"))
    form.key_from.setCurrentIndex(form.key_from.findData("key_keyring"))
    qtbot.keyClicks(form.key_name, "entry")
    for pairs, name, value in ((form.query, "api-version", "2026-01-01"), (form.headers, "x-team", "infra")):
        pairs.add.click()
        qtbot.keyClicks(pairs.rows[0].name, name)
        qtbot.keyClicks(pairs.rows[0].value, value)
    form.extra_body.field.insertPlainText('{"reasoning": {"effort": "high"}}')
    form.keep()
    entry = dict(file_of(page)["all"])
    assert entry == {key: value for key, value in {
        **values, "timeout_idle_s": 30, "dialect": "ollama-chat", "auth": "x-api-key", "key_keyring": "entry",
        "query": {"api-version": "2026-01-01"}, "headers": {"x-team": "infra"},
        "extra_body": {"reasoning": {"effort": "high"}},
    }.items() if key != "name"}  # fmt: skip


def test_a_provider_is_renamed_and_no_name_is_taken_twice(qtbot: QtBot, look: Look, tmp_path: Path) -> None:
    second = GATEWAY.replace("gateway]", "second]").replace("My gateway", "Second")
    page = made_page(qtbot, look, tmp_path, GATEWAY + second)
    page.choose(page.catalogue.own["second"])
    page.side.ask_edit()
    name = page.provider_form.fields["name"]
    name.selectAll()
    qtbot.keyClicks(name, "gateway")
    page.provider_form.keep()
    assert "is taken" in page.provider_form.faults["name"].text
    name.selectAll()
    qtbot.keyClicks(name, "third")
    page.provider_form.keep()
    assert set(file_of(page)) == {"gateway", "third"}


def test_a_deleted_provider_comes_back(page: ComposePage) -> None:
    before = file_of(page)
    page.side.ask_edit()
    page.provider_form.delete.click()
    assert file_of(page) == {}
    assert "gateway was deleted" in page.strip.said.text
    assert page.side.choice.findData("own:gateway") < 0
    page.strip.action.click()
    assert file_of(page) == before
    assert page.draft.provider.name == "gateway"
    assert page.strip.isHidden()


# testing the connection


def local(page: ComposePage, server: Server, path: str, more: str = "") -> None:
    """Asks the local server instead."""
    entry = f'[providers.gateway]\nbase_url = "{server.url}"\npath = "/{path}"\ndialect = "openai-chat"\nmodel = "m"\n'
    page.catalogue.path.write_text(entry + more, "utf-8")
    page.catalogue.reload()
    page.choose(page.catalogue.own["gateway"])


@pytest.mark.parametrize(
    "path, words, mark", [("stream", "streams (", "plain"), ("401", "401: a key is wanted", "error")]
)
def test_a_test_says_in_place_what_came(
    qtbot: QtBot, page: ComposePage, server: Server, path: str, words: str, mark: str
) -> None:
    local(page, server, path)
    page.side.test.click()
    assert page.side.test.text() == "Stop the test"
    qtbot.waitUntil(lambda: page.side.test.text() == "Test connection", timeout=20_000)
    assert words in page.side.verdict.text
    assert page.side.verdict._meaning == mark


@pytest.mark.parametrize("preset", ['preset = "openai"\n', ""])
@pytest.mark.parametrize("path, asked", [("stream", True), ("401", False)])
def test_a_test_brings_the_models_of_the_server(
    qtbot: QtBot, page: ComposePage, server: Server, path: str, asked: bool, preset: str
) -> None:
    local(page, server, path, preset + 'auth = "none"\n')
    page.side.test.click()
    qtbot.waitUntil(lambda: page.side.test.text() == "Test connection", timeout=20_000)
    lines = [line for line, _, _ in server.requests]
    assert lines == [f"POST /{path} HTTP/1.1", *(["GET /models HTTP/1.1"] if asked else [])], "nothing else is asked"
    assert page.side.verdict.text.endswith("; 2 models of its list can be chosen") is asked
    assert page.form.choose.isVisible() is asked
    assert page.form.choose.text() == f"Choose of {2 if asked else 0}"


def test_a_test_can_be_stopped(qtbot: QtBot, page: ComposePage, server: Server) -> None:
    local(page, server, "silent")
    page.side.test.click()
    qtbot.waitUntil(lambda: bool(server.requests), timeout=20_000)
    page.side.test.click()
    assert (page.side.test.text(), page.side.verdict.text) == ("Test connection", "")
    assert server.left.wait(20)


# what was asked before, and elsewhere


def test_what_was_sent_is_in_the_history_and_comes_back(qtbot: QtBot, page: ComposePage) -> None:
    qtbot.keyClicks(page.form.messages.rows[0].part.field, "first")
    page.draft.headers = (("x-trace", "1"),)
    [ask] = sent(page)
    assert ask.provider.name == "gateway"
    assert json.loads(ask.request.body)["messages"] == [{"role": "user", "content": "first"}]
    assert ("x-trace", "1") in ask.request.headers
    qtbot.waitUntil(lambda: page.side.past.rows.rowCount() == 1)
    assert page.settings.value(LAST, "") == "gateway"
    page.choose(page.catalogue.presets["anthropic"])
    assert page.draft.provider.name == "anthropic"
    index = page.side.past.rows.index(0, 0)
    assert index.data() == "first"
    assert "glm-5.2" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    page.side.past.setCurrentIndex(index)
    qtbot.keyClick(page.side.past, Qt.Key.Key_Return)
    assert page.draft.provider.name == "gateway"
    assert page.draft.body == json.loads(ask.request.body)
    assert page.draft.headers == (("x-trace", "1"),)


def test_the_rows_of_the_history_are_a_sound_model(qtbot: QtBot, page: ComposePage) -> None:
    model = PastModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for text in ("one", "two\u202e", "三"):
        page.form.messages.set_text(0, text)
        sent(page)
        qtbot.waitUntil(lambda: not page._recall.running)
    past = recall(page._history)
    model.show(past, datetime.now())
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["三", "two‹U+202E›", "one"]
    assert model.rowCount(model.index(0, 0)) == 0
    assert model.data(QModelIndex()) is None
    model.show([], datetime.now())
    assert model.rowCount() == 0
    del tester


def test_a_recording_is_sent_again(page: ComposePage) -> None:
    recording = str(resource("recordings", "empty-tool-calls.rec.jsonl"))
    [exchange] = read_input(recording)
    assert page.take_request(exchange.request)
    assert exchange.request is not None
    assert page.draft.body == exchange.request["body"]
    assert page.draft.provider.name == "zai"
    assert "the key is masked" in page.strip.said.text


def test_what_knows_no_request_is_said(page: ComposePage) -> None:
    before = page.draft.body
    assert not page.take_request(None)
    assert "there is no request in it" in page.strip.said.text
    assert page.draft.body is before


def test_a_request_for_an_unknown_server_can_be_sent_and_added(page: ComposePage) -> None:
    page.take_curl(
        'curl https://new.example.com/v1/chat/completions -H \'x-team: a\' -d \'{"model":"m","messages":[]}\''
    )
    assert page.side.choice.currentText() == "new.example.com, of the request"
    [ask] = sent(page)
    assert ask.request.url == "https://new.example.com/v1/chat/completions"
    assert page.side.edit.text() == "Add to yours"
    page.side.edit.click()
    page.provider_form.keep()
    assert file_of(page)["new.example.com"]["base_url"] == "https://new.example.com/v1"


def test_curl_goes_out_with_a_variable_and_comes_back(qtbot: QtBot, page: ComposePage) -> None:
    qtbot.keyClicks(page.form.messages.rows[0].part.field, "it's 'quoted' $HOME `x`")
    page.draft.headers = (("x-trace", "1"),)
    body = page.draft.body
    page.copy_curl()
    command = QApplication.clipboard().text()
    assert '--header "authorization: Bearer ${GATEWAY_KEY:?}"' in command
    page.choose(page.catalogue.presets["anthropic"])
    page.paste_curl()
    assert page.draft.provider.name == "gateway"
    assert page.draft.body == body
    QApplication.clipboard().setText("data: {}\n\n")
    page.paste_curl()
    assert "no curl command" in page.strip.said.text


def test_headers_of_the_request_are_rows(qtbot: QtBot, page: ComposePage) -> None:
    headers = page.form.headers
    headers.add.click()
    qtbot.keyClicks(headers.rows[0].name, "x trace")
    assert "is not a name that a header can have" in headers.said.text
    assert sent(page) == []
    headers.rows[0].name.selectAll()
    qtbot.keyClicks(headers.rows[0].name, "x-trace")
    qtbot.keyClicks(headers.rows[0].value, "7")
    [ask] = sent(page)
    assert ("x-trace", "7") in ask.request.headers
    headers.rows[0].remove.click()
    [ask] = sent(page)
    assert "x-trace" not in dict(ask.request.headers)


def test_the_body_goes_out_as_the_json_says(page: ComposePage) -> None:
    page.json.field.selectAll()
    page.json.field.insertPlainText('{"n": 1.50, "big": 1E5, "messages": []}')
    [ask] = sent(page)
    assert ask.request.body == b'{"n":1.50,"big":1E5,"messages":[]}'
    assert "asks for no stream" in page.status.lacks.text()
