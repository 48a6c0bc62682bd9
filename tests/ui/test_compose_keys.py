"""A key is from where the words say, and stands nowhere else: no file, no repr, no spoken text, no undo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from inspector_app.ui.compose.draft import Ask
from inspector_app.ui.compose.page import ComposePage
from tests.ui.compose_data import page

__all__ = ["page"]

KEY = "canary-0123456789abcdef"
ANOTHER = "sk-canary0123456789abcdefghij"


def type_key(qtbot: QtBot, page: ComposePage, key: str = KEY) -> None:
    qtbot.keyClicks(page.side.key.field, key)
    qtbot.keyClick(page.side.key.field, Qt.Key.Key_Return)


def send(page: ComposePage) -> list[Ask]:
    asked: list[Ask] = []
    page.send_asked.connect(asked.append)
    page.send()
    return asked


def spoken(widget: QWidget) -> Iterator[str]:
    """All that a screen reader can get of a widget and of what is in it."""
    for one in [widget, *widget.findChildren(QWidget)]:
        said = QAccessible.queryAccessibleInterface(one)
        if said is not None:
            kinds = (QAccessible.Text.Name, QAccessible.Text.Value, QAccessible.Text.Description, QAccessible.Text.Help)
            yield from (said.text(kind) for kind in kinds)
        yield one.toolTip()


def held(widget: QWidget) -> Iterator[str]:
    """All that fields and labels of a page hold."""
    for one in widget.findChildren(QWidget):
        for name in ("text", "toPlainText", "currentText", "placeholderText"):
            if hasattr(one, name) and not isinstance(one, QComboBox) and callable(getattr(one, name)):
                try:
                    yield str(getattr(one, name)())
                except TypeError:
                    continue


def written(folder: Path) -> Iterator[bytes]:
    return (path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_typed_key_is_sent_and_seen_nowhere(qtbot: QtBot, page: ComposePage, tmp_path: Path, home: Path) -> None:
    qtbot.keyClicks(page.side.key.field, KEY)
    assert KEY not in "\n".join(spoken(page))
    assert page.side.key.field.echoMode() == QLineEdit.EchoMode.Password
    qtbot.keyClick(page.side.key.field, Qt.Key.Key_Return)
    assert page.side.key.state.text() == "typed for this run"
    page.side.key.field.undo()
    assert page.side.key.field.text() == ""
    [ask] = send(page)
    assert ("authorization", f"Bearer {KEY}") in ask.request.headers
    page.copy_curl()
    qtbot.waitUntil(lambda: page.side.past.rows.rowCount() == 1)
    page.side.ask_edit()
    page.provider_form.keep()
    assert (tmp_path / "requests.jsonl").is_file()
    assert (tmp_path / "settings.json").is_file()
    seen = [*spoken(page), *held(page), repr(ask), str(ask), repr(page.draft), repr(vars(page.catalogue)),
            QApplication.clipboard().text(), repr(page.draft.given), repr(page.side.past.rows.requests)]  # fmt: skip
    assert KEY not in "\n".join(seen)
    for data in [*written(tmp_path), *written(home)]:
        assert KEY.encode() not in data
    page.draft.undo_asked.emit()
    for edit in page.findChildren(QPlainTextEdit):
        while edit.document().isUndoAvailable():
            edit.undo()
            assert KEY not in edit.toPlainText()


def test_a_key_of_the_environment_is_named_and_not_shown(page: ComposePage, monkeypatch: pytest.MonkeyPatch) -> None:
    assert page.side.key.state.text() == "GATEWAY_KEY is not set: type it for this run"
    monkeypatch.setenv("GATEWAY_KEY", KEY)
    page.catalogue.reload()
    assert page.side.key.state.text() == "from GATEWAY_KEY"
    assert not page.side.key.field.isVisible()
    [ask] = send(page)
    assert ("authorization", f"Bearer {KEY}") in ask.request.headers
    assert KEY not in "\n".join([*spoken(page), *held(page), repr(ask)])


def test_a_typed_key_goes_before_that_of_the_environment_until_it_is_forgotten(
    qtbot: QtBot, page: ComposePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATEWAY_KEY", KEY)
    page.catalogue.reload()
    row = page.side.key
    assert row.other.text() == "Type another"
    row.other.click()
    assert row.field.isVisible()
    type_key(qtbot, page, ANOTHER)
    assert ("authorization", f"Bearer {ANOTHER}") in send(page)[0].request.headers
    assert row.other.text() == "Forget it"
    row.other.click()
    assert row.state.text() == "from GATEWAY_KEY"
    assert ("authorization", f"Bearer {KEY}") in send(page)[0].request.headers


def test_without_a_key_none_is_sent(page: ComposePage) -> None:
    assert "authorization" not in dict(send(page)[0].request.headers)


def test_what_cannot_be_a_key_is_said_and_not_quoted(qtbot: QtBot, page: ComposePage) -> None:
    type_key(qtbot, page, "canary with spaces")
    assert "has a space" in page.side.key.said.text
    assert page.side.key.field.text() == ""
    assert "canary" not in "\n".join([*spoken(page), *held(page)])


def test_what_is_typed_and_not_taken_over_is_used_when_it_is_sent(qtbot: QtBot, page: ComposePage) -> None:
    qtbot.keyClicks(page.side.key.field, KEY)
    assert ("authorization", f"Bearer {KEY}") in send(page)[0].request.headers
    page.side.key.other.click()
    qtbot.keyClicks(page.side.key.field, "bad key")
    assert send(page) == []


def test_a_key_belongs_to_one_server(qtbot: QtBot, page: ComposePage) -> None:
    qtbot.keyClicks(page.side.key.field, KEY)
    page.choose(page.catalogue.presets["openrouter"])
    assert page.side.key.field.text() == ""
    assert "authorization" not in dict(send(page)[0].request.headers)
    page.choose(page.catalogue.own["gateway"])
    type_key(qtbot, page)
    page.catalogue.path.write_text(page.catalogue.path.read_text().replace("llm.example.com", "other.example.com"))
    page.catalogue.reload()
    page.choose(page.catalogue.own["gateway"])
    assert "authorization" not in dict(send(page)[0].request.headers)


def test_secrets_of_an_imported_request_are_used_and_not_shown(qtbot: QtBot, page: ComposePage, tmp_path: Path) -> None:
    command = (
        f"curl 'https://llm.example.com/v1/chat/completions?api_key={ANOTHER}' -H 'Authorization: Bearer {KEY}' "
        f'-H \'x-auth-token: {ANOTHER}\' -d \'{{"model":"m","messages":[]}}\''
    )
    page.take_curl(command)
    assert page.draft.provider.name == "gateway"
    assert page.side.key.state.text() == "given with the request, for this run, and 2 more secrets of the request"
    [ask] = send(page)
    assert ("authorization", f"Bearer {KEY}") in ask.request.headers
    assert ("x-auth-token", ANOTHER) in ask.request.headers
    assert ANOTHER in ask.request.url
    qtbot.waitUntil(lambda: page.side.past.rows.rowCount() == 1)
    page.copy_curl()
    seen = "\n".join([*spoken(page), *held(page), repr(ask), QApplication.clipboard().text()])
    assert KEY not in seen
    assert ANOTHER not in seen
    assert not [data for data in written(tmp_path) if KEY.encode() in data or ANOTHER.encode() in data]
    page.side.key.other.click()
    assert "authorization" not in dict(send(page)[-1].request.headers)


def test_a_secret_header_is_hidden_and_sent(qtbot: QtBot, page: ComposePage, tmp_path: Path) -> None:
    headers = page.form.headers
    headers.add.click()
    qtbot.keyClicks(headers.rows[0].name, "x-auth-token")
    qtbot.keyClicks(headers.rows[0].value, KEY)
    assert headers.rows[0].value.echoMode() == QLineEdit.EchoMode.Password
    [ask] = send(page)
    assert ("x-auth-token", KEY) in ask.request.headers
    qtbot.waitUntil(lambda: page.side.past.rows.rowCount() == 1)
    assert KEY not in "\n".join([*spoken(page), repr(ask), repr(ask.provider)])
    assert not [data for data in written(tmp_path) if KEY.encode() in data]


class Ring:
    """A keyring that is a real one, with one entry."""

    priority = 5
    held = {"mine": KEY}  # noqa: RUF012

    def get_keyring(self) -> Ring:
        return self

    def get_password(self, service: str, entry: str) -> str | None:
        return self.held.get(entry)

    def set_password(self, service: str, entry: str, key: str) -> None:
        self.held[entry] = key


def test_a_key_of_the_keyring_is_fetched_when_it_is_sent(
    qtbot: QtBot, page: ComposePage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("inspector_app.live.keys.importlib.import_module", lambda name: Ring())
    text = page.catalogue.path.read_text("utf-8").replace('key_env = "GATEWAY_KEY"', 'key_keyring = "mine"')
    page.catalogue.path.write_text(text, "utf-8")
    page.catalogue.reload()
    page.choose(page.catalogue.own["gateway"])
    assert page.side.key.state.text() == "from the keyring, entry mine"
    asked = send(page)
    qtbot.waitUntil(lambda: bool(asked))
    assert ("authorization", f"Bearer {KEY}") in asked[0].request.headers
    page.side.key.other.click()
    type_key(qtbot, page, ANOTHER)
    assert page.side.key.keep.isVisible()
    page.side.key.keep.click()
    qtbot.waitUntil(lambda: Ring.held["mine"] == ANOTHER and not page.side.key._later.running)
    assert page.side.key.state.text() == "from the keyring, entry mine"
    Ring.held.pop("mine")
    page.send()
    qtbot.waitUntil(lambda: "has no entry" in page.strip.said.text)
    assert len(asked) == 1
    assert not [data for data in written(tmp_path) if KEY.encode() in data or ANOTHER.encode() in data]
