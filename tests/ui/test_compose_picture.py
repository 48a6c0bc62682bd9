"""A picture of a request: the window as it stands, or, where a secret is in it, a copy with masks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.ui.compose.page import ComposePage
from inspector_app.ui.dialogs.picture_dialog import PictureDialog
from inspector_app.ui.studio import WINDOW
from inspector_app.ui.window import Window
from tests.ui.window_data import window

__all__ = ["window"]

CANARY = "canary7f3a9d"
KEY = f"sk-proj-{CANARY}0123456789abcdef"


def picture_of(qtbot: QtBot, window: Window, path: Path) -> str:
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
        window.save_picture(str(path))
    return path.read_text("utf-8")


def text_with_a_key(page: ComposePage) -> None:
    page.form.messages.set_text(0, f"is {KEY} any good?", False)


def member_by_name(page: ComposePage) -> None:
    page.form.others.edited.emit({"stream": True, "metadata": {"client_secret": CANARY}})


def header(page: ComposePage) -> None:
    page.draft.headers = (("x-gateway-token", CANARY), ("x-note", f"for {KEY}"))
    page.form.refresh()


def address_in_a_text(page: ComposePage) -> None:
    page.form.messages.set_text(0, f"fetch https://me:{CANARY}@example.com/?api_key={CANARY}", False)


def unreadable(page: ComposePage) -> None:
    page.json.field.selectAll()
    page.json.field.insertPlainText(f'{{"api_key": "{CANARY}"')


def typed_key_in_a_text(page: ComposePage) -> None:
    page.catalogue.type_key(page.draft.provider, CANARY)
    page.form.messages.set_text(0, f"my key is {CANARY}", False)


def model(page: ComposePage) -> None:
    page.draft.set_model(KEY, None)


def in_the_form_of_a_provider(page: ComposePage) -> None:
    page.edit_provider(page.draft.provider, False)
    page.provider_form.fields["base_url"].setText(f"https://me:{CANARY}@example.com")


def test_a_request_is_drawn_as_it_stands(
    qtbot: QtBot, window: Window, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = window.compose()
    page.form.messages.set_text(0, "Why is the sky blue?", False)
    page.say("something to mend")
    copies: list[object] = []
    monkeypatch.setattr("inspector_app.ui.window.fill_without_secrets", lambda *given: copies.append(given))
    markup = picture_of(qtbot, window, tmp_path / "x.svg")
    words = "".join(texts)
    assert "Why is the sky blue?" in words
    assert "something to mend" in words
    assert "New request · OpenAI" in markup
    assert not copies
    assert page.strip.said.text == "something to mend" or "Picture saved: " in page.strip.said.text


@pytest.mark.parametrize("place", [
    text_with_a_key, member_by_name, header, address_in_a_text, unreadable, typed_key_in_a_text, model,
    in_the_form_of_a_provider,
])  # fmt: skip
def test_no_picture_of_a_request_shows_a_secret(
    qtbot: QtBot, window: Window, texts: list[str], tmp_path: Path, place: Callable[[ComposePage], None]
) -> None:
    page = window.compose()
    place(page)
    before = page.draft.text, page.draft.headers, page.json.field.text()
    markup = picture_of(qtbot, window, tmp_path / "x.svg")
    assert not [text for text in [*texts, markup] if "canary" in text or "sk-proj" in text]
    assert "keys masked" in markup
    assert (page.draft.text, page.draft.headers, page.json.field.text()) == before
    assert window.deck.sheets() == [page]
    assert page.notice.said.text == f"Picture saved: {tmp_path / 'x.svg'}"


def test_the_dialog_offers_the_window_alone_and_waits_for_the_request(qtbot: QtBot, window: Window) -> None:
    page = window.compose()
    window.run("Save picture…")
    dialog = window.findChild(PictureDialog)
    assert isinstance(dialog, PictureDialog)
    assert [dialog.what.itemData(at) for at in range(dialog.what.count())] == [WINDOW]
    assert dialog.remark.text() == "2\u2009560 × 1\u2009656 pixels"
    dialog.close()
    page.edit_provider(page.draft.provider, False)
    assert not next(one for one in window.commands() if one.words == "Save picture…").enabled()


def test_a_tab_that_came_into_view_is_not_what_is_drawn(
    qtbot: QtBot, window: Window, texts: list[str], tmp_path: Path
) -> None:
    page = window.compose()
    page.form.messages.set_text(0, "mine", False)
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
        window.save_picture(str(tmp_path / "x.svg"))
        window.deck.show_start()
    assert json.dumps("mine")[1:-1] in "".join(texts)
