"""What is copied: the bytes and texts themselves, never what is drawn of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.core.types import Block, Exchange
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Timeline
from inspector_app.ui.timeline_link import TimelineLink
from inspector_app.ui.views.copies import NOT_UTF8, WORDS, call_json, copies, path_of
from inspector_app.ui.views.copy_menu import copy_commands, copy_menu
from inspector_app.ui.views.row_view import ROW
from tests.ui.panes_data import Show, chunk, event, exchange, lost_call, opened, shown

CONTENT = "/choices/0/delta/content"
HIDDEN = "a\u202eb\t\u200d\n"


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    """Shows the panes of a session in a window of a size."""
    return partial(shown, qtbot, look)


@pytest.fixture(autouse=True)
def clean_clipboard(qapp: QApplication) -> Iterator[None]:
    """No test sees what another one copied."""
    QGuiApplication.clipboard().clear()
    yield
    QGuiApplication.clipboard().clear()


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def told() -> Exchange:
    """A role, a text with characters that are shown as marks, and a word in bytes that are no UTF-8."""
    made = [event(chunk({"role": "assistant", "content": ""})), event(chunk({"content": HIDDEN}))]
    return exchange([*made, event(chunk({"content": "x"}).replace(b'"x"', b'"\xff"')), event(b"[DONE]")])


def offered(session: Session, selection: Selection) -> dict[str, str]:
    return {entry.words: entry.fault or entry.text() for entry in copies(session, selection)}


def test_of_a_value_everything_is_as_it_came(qtbot: QtBot) -> None:
    session = opened(qtbot, told(), "reference", None)
    line = session.reference.lines[2]
    raw = session.reference.body.slice(line.start, line.end)
    found = offered(session, Selection(1, 2, 1, CONTENT, None, "reference"))
    assert found["Copy this line"] == raw.decode()
    assert found["Copy this event"] == raw.decode() + "\n\n"
    assert found["Copy value"] == HIDDEN
    assert found["Copy value as JSON"] == json.dumps(HIDDEN, ensure_ascii=False)
    assert found["Copy JSON Pointer"] == CONTENT
    assert found["Copy path"] == "choices[0].delta.content"
    assert found["Copy block text"].startswith(HIDDEN)
    assert found["Copy payload as sent"] == raw.decode().removeprefix("data: ")
    assert found["Copy payload as indented JSON"] == json.dumps(
        json.loads(found["Copy payload as sent"]), ensure_ascii=False, indent=2
    )
    assert bytes.fromhex(found["Copy bytes as hex"]).startswith(b'"content"')
    assert list(found) == [words for words in WORDS if words in found]


@pytest.mark.parametrize(
    "selection, absent",
    [
        (
            Selection(3),
            {"Copy value", "Copy value as JSON", "Copy path", "Copy block text", "Copy payload as indented JSON"},
        ),
        (Selection(0), {"Copy block text", "Copy arguments as JSON", "Copy request as curl"}),
        (Selection(1, block=0, reader="reference"), {"Copy arguments as sent"}),
    ],
)
def test_only_what_applies_is_offered(qtbot: QtBot, selection: Selection, absent: set[str]) -> None:
    found = offered(opened(qtbot, told(), "reference", None), selection)
    assert found
    assert not absent & set(found)


def test_bytes_that_are_no_text_are_not_made_into_one(qtbot: QtBot) -> None:
    session = opened(qtbot, told(), "reference", None)
    found = offered(session, Selection(2, 4, 2, CONTENT, None, "reference"))
    texts = ("Copy this line", "Copy this event", "Copy value", "Copy payload as sent")
    assert {found[words] for words in texts} == {NOT_UTF8}
    assert b"\xff" in bytes.fromhex(found["Copy bytes as hex"])
    text = next(entry for entry in copies(session, Selection(2, 4, 2, CONTENT)) if entry.words == "Copy block text")
    assert text.text().endswith("\ufffd")
    assert text.loss


def test_of_a_call(qtbot: QtBot) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    found = offered(session, Selection(4, None, None, None, 1, "reference"))
    assert found["Copy arguments as sent"] == '{"city":"Bergen"}'
    assert found["Copy arguments as JSON"] == '{\n  "city": "Bergen"\n}'
    call = {"id": "call_7Q", "name": "get_weather", "arguments": {"city": "Bergen"}}
    assert json.loads(found["Copy call (id, name, arguments) as JSON"]) == call
    assert found["Copy as a row of a Markdown table"] == (
        '| 4 | tool_call | `{"city":"Bergen"}` | `get_weather` | `call_7Q` |'
    )


@pytest.mark.parametrize(
    "text, arguments",
    [('{"a":1e400}', '{\n    "a": 1e400\n  }'), ('{"a":', '"{\\"a\\":"'), ("", '""'), ("1 2", '"1 2"')],
)
def test_arguments_that_are_no_json_stay_a_text(text: str, arguments: str) -> None:
    block = Block(0, "tool_call", 0, 0, 0, fragments=[text])
    assert call_json(block) == '{\n  "arguments": ' + arguments + "\n}"


@pytest.mark.parametrize(
    "pointer, path",
    [
        ("/choices/0/delta/tool_calls/1/id", "choices[0].delta.tool_calls[1].id"),
        ("/0/a", '["0"].a'),
        ("/x.y/a~1b", '["x.y"]["a/b"]'),
        ("", ""),
    ],
)
def test_paths(pointer: str, path: str) -> None:
    value = {"choices": [{"delta": {"tool_calls": [{}, {"id": "x"}]}}], "0": {"a": 1}, "x.y": {"a/b": 2}}
    assert path_of(pointer, value) == path


def test_a_markdown_row_stays_one_row_of_cells(qtbot: QtBot) -> None:
    made = exchange([event(chunk({"content": "a|b`c``d\n<img>"}))])
    found = offered(opened(qtbot, made, "reference", None), Selection(0, None, 0, CONTENT, None, "reference"))
    assert found["Copy as a row of a Markdown table"] == (
        '| 0 | text.delta | ``` "a\\|b`c``d\\n<img>" ``` | `/choices/0/delta/content` |'
    )


def test_a_request_is_offered_where_it_is_known(qtbot: QtBot) -> None:
    made = told()
    made.request = {
        "method": "POST",
        "url": "https://api.example/v1",
        "headers": [["x-api-key", "hunter2"]],
        "body": {},
    }
    found = offered(opened(qtbot, made, "reference", None), Selection(0))
    assert found["Copy request as curl"].startswith("curl ")
    assert "hunter2" not in found["Copy request as curl"]


# in the views


def press_copy(view: QWidget) -> str:
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    return clipboard()


def test_the_copy_key_gives_each_view_its_own(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    panes = show(session)
    session.selection.select(Selection(1, 2, 1, CONTENT, 0, "reference"), None)
    assert press_copy(panes.raw).startswith("data: {")
    assert press_copy(panes.deltas) == "Let me "
    assert press_copy(panes.blocks) == "Let me look."
    panes._switch.button(1).click()
    assert press_copy(panes.cards) == "Let me look."
    session.selection.select(Selection(4, None, None, None, 1, "reference"), None)
    assert press_copy(panes.cards) == '{\n  "city": "Bergen"\n}'


def test_rows_chosen_together_are_copied_together(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    panes = show(session)
    left, shift = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
    for view, texts in ((panes.raw, None), (panes.deltas, ["Let me ", "look."]), (panes.blocks, ["Let me ", "look."])):
        QTest.mouseClick(view.viewport(), left, pos=QPoint(200, 2 * ROW + 5))
        QTest.mouseClick(view.viewport(), left, shift, QPoint(200, 4 * ROW + 5))
        expected = "".join(texts) if texts else session.reference.body.slice(
            session.reference.lines[2].start, session.reference.lines[5].start).decode()  # fmt: skip
        assert press_copy(view) == expected
        QTest.mouseClick(view.viewport(), left, pos=QPoint(200, 2 * ROW + 5))
        assert len(view._range.rows) == 0


def test_rows_are_chosen_by_dragging_and_with_arrows(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, lost_call(), "reference", None))
    view = panes.raw
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 5))
    QTest.mouseMove(view.viewport(), QPoint(200, 3 * ROW + 5))
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 3 * ROW + 5))
    assert view._range.rows == range(4)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert view._range.rows == range(5)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view._range.rows == range(0)


def open_menu() -> QMenu:
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


@pytest.mark.parametrize("pane", ["raw", "deltas", "blocks", "cards"])
def test_the_menu_by_mouse_and_by_keys(qtbot: QtBot, show: Show, pane: str) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    panes = show(session)
    panes._switch.button(1 if pane == "cards" else 0).click()
    view = getattr(panes, pane)
    at = QPoint(200, 2 * ROW + 12)
    place = view.viewport().mapToGlobal(at)
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, place))
    words = [action.text() for action in open_menu().actions()]
    open_menu().close()
    assert session.selection.current is not None
    assert session.selection.current.event == (2 if pane == "cards" else 1)
    assert "\t" in words[0]
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    assert [action.text() for action in open_menu().actions()] == words
    open_menu().actions()[0].trigger()
    open_menu().close()
    assert clipboard()


def test_what_cannot_be_copied_says_so_instead(qtbot: QtBot, show: Show) -> None:
    session = opened(qtbot, told(), "reference", None)
    panes = show(session)
    session.selection.select(Selection(2, 4), None)
    assert press_copy(panes.raw) == ""
    first, *others = open_menu().actions()
    assert NOT_UTF8 in first.text()
    assert not first.isEnabled()
    assert any(action.isEnabled() and "hex" in action.text() for action in others)
    open_menu().close()


def test_the_timeline_copies_the_block_of_a_bar(qtbot: QtBot, look: Look) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    timeline = Timeline(look)
    qtbot.addWidget(timeline)
    timeline.resize(1200, 300)
    link = TimelineLink(session, timeline)
    with qtbot.waitSignal(link.shown):
        link.refresh()
    with qtbot.waitExposed(timeline):
        timeline.show()
    session.selection.select(Selection(1, None, None, None, 0, "reference"), None)
    assert press_copy(timeline) == "Let me look."
    session.selection.select(Selection(0), None)
    assert press_copy(timeline).startswith("data: {")


def test_every_copy_is_a_command(qtbot: QtBot) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    commands = {command.words: command for command in copy_commands(session)}
    assert set(WORDS) < set(commands)
    assert not any(command.enabled() for command in commands.values())
    session.selection.select(Selection(1, 2, 1, CONTENT, None, "reference"), None)
    commands["Copy value"].run()
    assert clipboard() == "Let me "
    assert not commands["Copy arguments as JSON"].enabled()


def test_the_menu_sets_groups_apart_and_leads_with_what_the_key_copies(qtbot: QtBot) -> None:
    session = opened(qtbot, lost_call(), "reference", None)
    owner = QWidget()
    qtbot.addWidget(owner)
    selection = Selection(4, 8, 4, "/choices/0/delta/tool_calls/0/function/arguments", None, "reference")
    menu = copy_menu(owner, copies(session, selection, ("Copy arguments as sent", "Copy value")))
    shown = ["" if action.isSeparator() else action.text().partition("\t")[0] for action in menu.actions()]
    groups = " ".join(words or "|" for words in shown).split(" | ")
    assert shown[0] == "Copy arguments as sent"
    assert [group.partition(" Copy")[0] for group in groups] == [
        "Copy arguments as sent", "Copy this line", "Copy value", "Copy this event", "Copy bytes as hex"
    ]  # fmt: skip
    menu.close()


def test_a_copy_that_is_possible_needs_nothing(qtbot: QtBot) -> None:
    session = opened(qtbot, told(), "reference", None)
    commands = {command.words: command for command in copy_commands(session)}
    assert {command.remark for command in commands.values()} == {""}
    assert {command.needs for command in commands.values()} == {"needs a selection that has it"}
