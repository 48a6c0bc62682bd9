"""Each dialect is asked in its own way: the same request typed into the form, as body, head, address and curl command,
sent again from what a recording keeps of it, and shown by the form again.
"""

from __future__ import annotations

import shlex
from typing import Any, NamedTuple

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.live.history import Past
from inspector_app.live.keys import typed
from inspector_app.ui.compose.json_text import parse, pretty
from inspector_app.ui.compose.page import ComposePage
from inspector_app.ui.compose.past import asked_of, model_of
from tests.ui.compose_data import page

__all__ = ["page"]

KEY = "sk-canary-0123456789abcdef"
PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "Name of the city"}},
    "required": ["city"],
}
ABOUT = {"name": "get_weather", "description": "The weather in a city right now"}
FUNCTION = {**ABOUT, "parameters": PARAMETERS}
TOOL = {"type": "function", "function": FUNCTION}
SAID = [{"role": "user", "content": "hi"}]


class Way(NamedTuple):
    """How one preset is asked: the address, the field of the key, fields besides, and the body of the typed request."""

    url: str
    auth: tuple[str, str] | None
    body: dict[str, Any]
    level: str
    fields: dict[str, str] = {}  # noqa: RUF012


BEARER = ("authorization", f"Bearer {KEY}")
WAYS = {
    "openai": Way(
        "https://api.openai.com/v1/chat/completions", BEARER,
        {"model": "m-1", "messages": SAID, "stream": True, "stream_options": {"include_usage": True},
         "tools": [TOOL], "reasoning_effort": "high", "temperature": 0.5, "max_tokens": 99}, "high",
    ),
    "openai-responses": Way(
        "https://api.openai.com/v1/responses", BEARER,
        {"model": "m-1", "input": "hi", "stream": True, "instructions": "be brief",
         "tools": [{"type": "function", **FUNCTION}], "reasoning": {"effort": "high", "summary": "auto"},
         "temperature": 0.5, "max_output_tokens": 99}, "high",
    ),
    "anthropic": Way(
        "https://api.anthropic.com/v1/messages", ("x-api-key", KEY),
        {"model": "m-1", "max_tokens": 99, "messages": SAID, "stream": True, "system": "be brief",
         "tools": [{**ABOUT, "input_schema": PARAMETERS}],
         "thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}, "temperature": 0.5}, "high",
        {"anthropic-version": "2023-06-01"},
    ),
    "gemini": Way(
        "https://generativelanguage.googleapis.com/v1beta/models/m-1:streamGenerateContent?alt=sse",
        ("x-goog-api-key", KEY),
        {"contents": [{"role": "user", "parts": [{"text": "hi"}]}],
         "systemInstruction": {"parts": [{"text": "be brief"}]}, "tools": [{"functionDeclarations": [FUNCTION]}],
         "generationConfig": {"thinkingConfig": {"thinkingLevel": "high", "includeThoughts": True},
                              "temperature": 0.5, "maxOutputTokens": 99}}, "high",
    ),
    "ollama": Way(
        "http://localhost:11434/api/chat", None,
        {"model": "m-1", "messages": SAID, "stream": True, "tools": [TOOL], "think": "high",
         "options": {"temperature": 0.5, "num_predict": 99}}, "high", {"accept": "application/x-ndjson"},
    ),
    "ollama-generate": Way(
        "http://localhost:11434/api/generate", None,
        {"model": "m-1", "prompt": "hi", "stream": True, "system": "be brief", "think": "high",
         "options": {"temperature": 0.5, "num_predict": 99}}, "high", {"accept": "application/x-ndjson"},
    ),
    "cohere": Way(
        "https://api.cohere.com/v2/chat", BEARER,
        {"model": "m-1", "messages": SAID, "stream": True, "tools": [TOOL], "thinking": {"type": "enabled"},
         "temperature": 0.5, "max_tokens": 99}, "on",
    ),
}  # fmt: skip


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, page: ComposePage) -> Way:
    """One way after the other, its preset chosen and the same request typed into the form."""
    found, form = WAYS[request.param], page.form
    page.choose(page.catalogue.presets[request.param])
    page.draft.set_model("m-1", None)
    form.messages.set_text(0, "hi", False)
    if not form._system_row.isHidden():
        form.system.field.edited.emit("be brief")
    if not form.tools.isHidden():
        form.example.click()
    form.reasoning.setCurrentIndex(form.reasoning.findData(found.level))
    form._choose_level(0)
    for words, value in (("Temperature", 0.5), ("Most tokens", 99)):
        form.settings[words].edited.emit(value)
    return found


def test_the_form_makes_the_body_of_the_dialect(page: ComposePage, way: Way) -> None:
    assert parse(page.draft.text) == way.body
    assert parse(page.json.field.text()) == way.body
    assert page.draft.streams


def test_the_key_goes_where_the_dialect_wants_it(page: ComposePage, way: Way) -> None:
    # Without authentication a key is not sent, even if there is one.
    request = page.draft.ask(typed(KEY)).request
    head = dict(request.headers)
    assert request.url == way.url
    assert [pair for pair in request.headers if KEY in pair[1]] == ([way.auth] if way.auth else [])
    assert way.fields.items() <= head.items()
    assert head.get("anthropic-version", "") == way.fields.get("anthropic-version", "")
    assert KEY not in str(request.record())


def test_the_curl_command_asks_the_same_and_names_the_key(page: ComposePage, way: Way) -> None:
    page.copy_curl()
    command = QApplication.clipboard().text()
    words = shlex.split(command)
    assert way.url in words
    variable = page.draft.provider.key_env
    held = [word for word in words if "${" in word]
    assert held == ([f"{way.auth[0]}: {way.auth[1].replace(KEY, f'${{{variable}:?}}')}"] if way.auth else [])
    assert parse(words[words.index("--data-binary") + 1]) == way.body
    assert page.take_curl(command), "and it is read again"
    assert (page.draft.asked().base_url + page.draft.asked().path, page.draft.model, parse(page.draft.text)) == (
        page.draft.provider.base_url, "m-1", way.body
    )  # fmt: skip


@pytest.mark.parametrize("held", [True, False])
def test_what_a_recording_keeps_is_sent_again(
    page: ComposePage, way: Way, held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, variable = page.draft.provider.name, page.draft.provider.key_env
    if variable:
        monkeypatch.setenv(variable, KEY if held else "")
    kept = page.draft.ask(typed(KEY)).request.record()
    past = Past("2026-11-30T10:00:00Z", name, kept)
    assert (model_of(past), asked_of(past)) == ("m-1", "hi")
    page.choose(page.catalogue.own["gateway"])
    assert page.take_request(kept)
    assert (page.draft.provider.name, page.draft.model, parse(page.draft.text)) == (name, "m-1", way.body)
    assert page.draft.ask(typed(KEY)).request.record() == kept
    assert page.form.reasoning.currentData() == way.level
    assert ("the key is masked" in page.strip.said.text) is (bool(variable) and not held), "only who lacks it is told"


def test_the_json_fills_the_form(page: ComposePage, way: Way) -> None:
    form = page.form
    page.json.field.selectAll()
    page.json.field.insertPlainText(pretty(way.body).replace('"hi"', '"ho"').replace("be brief", "be long"))
    assert form.messages.rows[0].part.field.text() == "ho"
    assert form._system_row.isHidden() or form.system.field.text() == "be long"
    assert form.tools.isHidden() or "get_weather" in form.tools.field.text()
    assert form.settings["Most tokens"].field.text() == "99"
    assert form.reasoning.currentData() == way.level
    assert form.model.text() == "m-1"


def test_the_models_that_a_server_listed_can_be_chosen(qtbot: QtBot, page: ComposePage) -> None:
    form, provider = page.form, page.draft.provider
    assert form.choose.isHidden()
    page.catalogue.keep_models(provider, ("glm-5.2", "glm-5.2-air", "evil\u202e"))
    page.side.listed.emit()
    assert form.choose.text() == "Choose of 3"
    form.choose.click()
    popup = form.model.completer().popup()
    assert popup.isVisible()
    model = popup.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["glm-5.2", "glm-5.2-air"]
    form.model.completer().activated.emit("glm-5.2-air")
    popup.hide()
    assert page.draft.model == "glm-5.2-air"
    page.choose(page.catalogue.presets["openai"])
    assert form.choose.isHidden(), "they are of that server"
