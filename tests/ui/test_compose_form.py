"""Form and JSON show the same request: what is changed at one side is there at the other, and nothing else changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector_app.ui.compose.folds import LONGEST
from inspector_app.ui.compose.json_text import compact, parse, pretty
from inspector_app.ui.compose.page import ComposePage
from tests.ui.compose_data import page

__all__ = ["page"]

UNKNOWN = '"zeta": 1.50, "big": 12345678901234567890123, "e": 1E5, "nbsp": "a\\u00a0b\\u2028c", "half": "\\ud83d"'
BODY = f'{{{UNKNOWN}, "model": "m", "messages": [{{"role": "user", "content": "hi", "name": "kim", "x": 1.0}}]}}'


def show(page: ComposePage, text: str) -> None:
    """Types a whole body into the JSON."""
    page.json.field.selectAll()
    page.json.field.insertPlainText(text)


def shown(page: ComposePage) -> Any:
    """What the JSON says."""
    return parse(page.json.field.text())


def field(page: ComposePage, at: int = 0) -> Any:
    return page.form.messages.rows[at].part.field


def test_json_fills_the_form(page: ComposePage) -> None:
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "北京\nb"}]
    show(page, pretty({"messages": messages, "model": "a", "temperature": 0.5, "tools": [{"t": 1}], "logit_bias": {}}))
    form = page.form
    assert form.model.text() == "a"
    assert [(row.role.currentText(), row.part.field.text()) for row in form.messages.rows] == [
        ("system", "s"),
        ("user", "北京\nb"),
    ]
    assert form.settings["Temperature"].field.text() == "0.5"
    assert parse(form.tools.field.text()) == [{"t": 1}]
    assert parse(form.others.field.text()) == {"logit_bias": {}}


def test_the_form_changes_the_json_and_nothing_else_of_it(qtbot: QtBot, page: ComposePage) -> None:
    show(page, BODY)
    before = page.json.field.text()
    field(page).setFocus()
    field(page).moveCursor(field(page).textCursor().MoveOperation.End)
    qtbot.keyClicks(field(page), " you")
    assert page.json.field.text() == pretty(parse(before)).replace('"hi"', '"hi you"')
    for literal in ("1.50", "12345678901234567890123", "1E5", "\\u00a0", "\\u2028", "\\ud83d", "1.0"):
        assert literal in page.json.field.text()
    assert page.draft.text == compact(parse(BODY)).replace('"hi"', '"hi you"')


OTHERS = st.dictionaries(
    st.text(max_size=5).filter(lambda key: key not in ("model", "messages", "tools", "seed")),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
        max_leaves=5,
    ),
    max_size=4,
)  # fmt: skip
CHANGES = st.lists(st.sampled_from(["text", "role", "add", "remove", "model", "seed"]), max_size=6)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(OTHERS, OTHERS, CHANGES)
def test_unknown_members_are_kept_whatever_the_form_does(
    page: ComposePage, others: dict[str, Any], inside: dict[str, Any], changes: list[str]
) -> None:
    inside = {key: value for key, value in inside.items() if key not in ("role", "content", "type")}
    others = {key: value for key, value in others.items() if key not in ("reasoning_effort", "thinking")}
    first = {"role": "user", "content": "hi", **inside}
    show(page, pretty({**others, "model": "m", "messages": [first]}))
    form = page.form
    for change in changes:
        if change == "text":
            form.messages.set_text(0, "other")
        elif change == "role":
            form.messages.set_role(0, "assistant")
        elif change == "add":
            form.messages.append()
        elif change == "remove" and len(form.messages.rows) > 1:
            form.messages.remove(len(form.messages.rows) - 1)
        elif change == "model":
            form.draft.set_model("n", form)
        elif change == "seed":
            form.settings["Seed"].edited.emit(7)
    now = shown(page)
    assert {key: value for key, value in now.items() if key not in ("model", "messages", "seed")} == others
    kept = {key: value for key, value in now["messages"][0].items() if key not in ("role", "content")}
    assert kept == inside
    assert parse(page.draft.text) == now
    assert [key for key in now if key in others] == list(others)


def test_json_that_cannot_be_read_says_where_and_the_form_waits(qtbot: QtBot, page: ComposePage) -> None:
    show(page, BODY)
    good = page.draft.text
    show(page, '{\n  "model": "m",\n  "messages": [}\n}')
    assert page.json.said.text.startswith("line 3, column 16: a value belongs before this }")
    assert not field(page).isEnabled()
    assert "waits" in page.form.head.remark.text()
    assert (field(page).text(), page.draft.text) == ("hi", good)
    asked: list[object] = []
    page.send_asked.connect(asked.append)
    page.send()
    assert asked == []
    assert "line 3, column 16" in page.strip.said.text
    qtbot.mouseClick(page.json.mend, Qt.MouseButton.LeftButton)
    assert page.json.field.textCursor().blockNumber() == 2
    qtbot.mouseClick(page.json.back, Qt.MouseButton.LeftButton)
    assert field(page).isEnabled()
    assert page.draft.faults == {}
    assert compact(shown(page)) == good
    page.json.field.undo()
    assert "[}" in page.json.field.text()


def test_one_undo_for_both_sides(qtbot: QtBot, page: ComposePage) -> None:
    show(page, BODY)
    text = page.json.field.text()
    qtbot.keyClicks(field(page), "x")
    page.form.messages.append()
    page.form.messages.remove(0)
    assert len(page.form.messages.rows) == 1
    for _ in range(2):
        qtbot.keyClick(page.form.messages.rows[0].part.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [row.part.field.text() for row in page.form.messages.rows] == ["hix"]
    qtbot.keyClick(field(page), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (field(page).text(), shown(page)) == ("hi", parse(text))
    qtbot.keyClick(field(page), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert field(page).text() == "hix"


def test_messages_are_added_moved_and_removed_by_keys(qtbot: QtBot, page: ComposePage) -> None:
    messages = page.form.messages
    qtbot.keyClicks(field(page), "first")
    messages.append()
    assert [row.role.currentText() for row in messages.rows] == ["user", "assistant"]
    assert page.focusWidget() is field(page, 1)
    qtbot.keyClicks(field(page, 1), "second")
    messages.move_focused(-1)
    assert [one["content"] for one in shown(page)["messages"]] == ["second", "first"]
    assert page.focusWidget() is field(page, 0)
    qtbot.mouseClick(messages.rows[1].remove, Qt.MouseButton.LeftButton)
    assert [one["content"] for one in shown(page)["messages"]] == ["second"]
    assert not messages.rows[0].up.isEnabled()
    assert not messages.rows[0].down.isEnabled()
    messages.rows[0].role.setCurrentText("developer")
    messages.rows[0].role.activated.emit(0)
    assert shown(page)["messages"][0] == {"role": "developer", "content": "second"}


def test_of_many_messages_the_last_are_shown(page: ComposePage) -> None:
    body = {"messages": [{"role": "user", "content": str(n)} for n in range(300)]}
    show(page, pretty(body))
    rows = page.form.messages.rows
    assert [rows[0].part.field.text(), rows[-1].part.field.text()] == ["280", "299"]
    assert page.form.messages.earlier.text() == "Show 20 more of 280 earlier messages"
    page.form.messages.earlier.click()
    assert page.form.messages.rows[0].part.field.text() == "260"
    page.form.messages.set_text(260, "other")
    assert shown(page)["messages"][260]["content"] == "other"


def test_a_message_of_a_megabyte_is_kept_and_does_no_harm(qtbot: QtBot, page: ComposePage) -> None:
    large = "語" * (1 << 20)
    data = QMimeData()
    data.setText(large)
    field(page).insertFromMimeData(data)
    row = page.form.messages.rows[0]
    assert not row.part.field.isVisible()
    assert "too long to be edited here" in row.part.kept.why.text()
    assert len(page.json.field.text()) < 1000
    assert page.draft.body["messages"][0]["content"] == large
    qtbot.keyClicks(page.json.field, " ")
    page.form.draft.set_model("n", page.form)
    assert json.loads(page.draft.text)["messages"][0]["content"] == large
    data.setText(pretty({"messages": [{"role": "user", "content": large + "!"}]}))
    page.json.field.insertFromMimeData(data)
    assert page.draft.body["messages"][0]["content"] == large + "!"
    page.draft.undo_asked.emit()
    assert page.draft.body["messages"][0]["content"] == large


def test_a_changed_stand_in_is_not_sent(page: ComposePage) -> None:
    page.form.messages.set_text(0, "x" * (LONGEST + 1))
    show(page, page.json.field.text().replace("kept text 1", "kept text 9"))
    assert "stands for a long text" in page.json.said.text


@pytest.mark.parametrize("text", ["a\r\nb", "a\u2029b", "a\ud800b"])
def test_text_that_a_field_cannot_hold_is_kept_as_it_is(page: ComposePage, text: str) -> None:
    show(page, pretty({"messages": [{"role": "user", "content": text}]}))
    assert not page.form.messages.rows[0].part.field.isVisible()
    page.form.messages.append()
    assert shown(page)["messages"][0]["content"] == text


def test_a_text_with_a_hard_space_is_edited_and_keeps_it(qtbot: QtBot, page: ComposePage) -> None:
    show(page, pretty({"messages": [{"role": "user", "content": "3\u00a0km\u2028x"}]}))
    field(page).moveCursor(field(page).textCursor().MoveOperation.End)
    qtbot.keyClicks(field(page), "!")
    assert shown(page)["messages"][0]["content"] == "3\u00a0km\u2028x!"


@pytest.mark.parametrize("typed, words", [("0,7", "a number"), ("warm", "a number"), ("true", "a number")])
def test_a_number_that_is_none_is_said_at_its_field(qtbot: QtBot, page: ComposePage, typed: str, words: str) -> None:
    number = page.form.settings["Temperature"]
    qtbot.keyClicks(number.field, typed)
    assert words in number.said.text
    assert "Temperature" in page.draft.faults
    assert shown(page).get("temperature", 0) == 0
    number.field.selectAll()
    qtbot.keyClicks(number.field, "0.70")
    assert (number.said.text, page.draft.faults) == ("", {})
    assert '"temperature": 0.70' in page.json.field.text()
    number.field.selectAll()
    qtbot.keyClick(number.field, Qt.Key.Key_Backspace)
    assert "temperature" not in shown(page)


def test_tools_are_a_list_and_an_example_is_offered(qtbot: QtBot, page: ComposePage) -> None:
    form = page.form
    assert form.example.isVisible()
    form.example.click()
    assert shown(page)["tools"][0]["function"]["name"] == "get_weather"
    assert not form.example.isVisible()
    tools = shown(page)["tools"]
    form.tools.field.selectAll()
    qtbot.keyClicks(form.tools.field, "[1,")
    assert "line 1, column 4" in form.tools.said.text
    assert shown(page)["tools"] == tools
    page.form.draft.set_model("n", page.form)
    assert form.tools.field.text() == "[1,"
    qtbot.keyClicks(form.tools.field, "2]")
    assert shown(page)["tools"] == [1, 2]
    form.tools.field.selectAll()
    qtbot.keyClick(form.tools.field, Qt.Key.Key_Backspace)
    assert "tools" not in shown(page)


def test_what_has_a_place_of_its_own_is_refused_in_the_rest(qtbot: QtBot, page: ComposePage) -> None:
    page.form.others.field.selectAll()
    page.form.others.field.insertPlainText('{"messages": []}')
    assert "a place of its own" in page.form.others.said.text
    assert shown(page)["messages"] != []


def test_levels_of_reasoning(page: ComposePage) -> None:
    page.choose(page.catalogue.presets["deepseek"])
    choice = page.form.reasoning
    assert [choice.itemText(at) for at in range(choice.count())] == ["not set", "off", "low", "high", "max"]
    choice.setCurrentIndex(choice.findData("high"))
    choice.activated.emit(choice.currentIndex())
    assert shown(page)["reasoning_effort"] == "high"
    assert shown(page)["thinking"] == {"type": "enabled"}
    show(page, pretty({**shown(page), "reasoning_effort": "huge"}))
    assert choice.currentText() == "as in the JSON"
    page.choose(page.catalogue.own["gateway"])
    assert (choice.currentText(), choice.isEnabled()) == ("none", False)


def test_another_dialect_asks_in_its_own_way(qtbot: QtBot, page: ComposePage) -> None:
    qtbot.keyClicks(field(page), "hello")
    for name, place in (("gemini", ("contents", 0, "parts", 0, "text")), ("anthropic", ("messages", 0, "content"))):
        page.choose(page.catalogue.presets[name])
        found: Any = shown(page)
        for step in place:
            found = found[step]
        assert found == "hello"
    qtbot.keyClicks(page.form.system.field, "terse")
    assert shown(page)["system"] == "terse"
    page.choose(page.catalogue.presets["gemini"])
    page.form.model.clear()
    qtbot.keyClicks(page.form.model, "gemini-3")
    assert "model" not in shown(page)
    assert page.draft.ask(page.catalogue.credentials(page.draft.provider)).request.url.endswith(
        "/models/gemini-3:streamGenerateContent?alt=sse"
    )


def test_choosing_a_provider_of_the_same_dialect_keeps_the_request(page: ComposePage) -> None:
    show(page, BODY)
    page.choose(page.catalogue.presets["openrouter"])
    assert page.draft.body["zeta"] == 1.5
    assert page.draft.model == "m"
    page.choose(page.catalogue.own["gateway"])
    assert page.draft.model == "glm-5.2"


def test_a_curl_command_pasted_into_the_json_is_imported(page: ComposePage) -> None:
    data = QMimeData()
    data.setText('curl https://openrouter.ai/api/v1/chat/completions -d \'{"model":"x","messages":[],"u":1}\'')
    page.json.field.insertFromMimeData(data)
    assert shown(page) == {"model": "x", "messages": [], "u": 1}
    assert page.draft.provider.name == "openrouter"
    assert QApplication.focusWidget() is not None
