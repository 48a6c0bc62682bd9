"""Two recordings side by side: which clients read one of them right and the other not."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.ui.pair.outcome import CLIENTS, SHAPE
from inspector_app.ui.pair.said import markdown_of
from inspector_app.ui.window import Window
from tests.ui.pair_data import WORDS, after, answer, before, chunk, compared, rows
from tests.ui.window_data import window

__all__ = ["window"]


def test_a_side_that_is_no_stream_is_called_so(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), answer([b"\x00\xff" * 50], "b.dat"))
    assert page.found.accessibleName().endswith("B is no stream: no event was found in its 100 bytes.")
    assert page.outcome is not None
    assert (page.outcome.asked, page.outcome.count(CLIENTS)) == (0, 0)


def test_a_field_that_went_and_whom_that_breaks(qtbot: QtBot, window: Window) -> None:
    old, new = ([{key: word} for word in WORDS] for key in ("reasoning_content", "reasoning_text_2"))
    details = [{"reasoning_details": [{"type": "reasoning.text", "text": word, "index": 0}]} for word in WORDS]
    made = [
        answer([b"data: " + chunk(one) + b"\n\n" for one in [*deltas, {"content": "Yes."}]], f"{n}.sse")
        for n, deltas in enumerate((old, details, new))
    ]
    page = compared(qtbot, window, made[0], made[1])
    assert page.found.words()[1] == "reasoning_content went, reasoning_details came, from event 0"
    assert page.found.words()[2].startswith("breaks OpenClaw")
    assert next((layer, what.split()[0]) for layer, what in rows(page)) == (CLIENTS, "OpenClaw")
    assert (SHAPE, "choices[].delta.reasoning_details[]") in rows(page)
    # The key that came is pointed at, so nothing folds it.
    (field,) = [item for item in page.panes.sides[1].evidences.of(1).ranges if item.what == "warning"]
    reading = page.panes.sides[1].session.reference
    assert reading.body.slice(field.start, field.end).startswith(b'"reasoning_details":[{')
    text = markdown_of(page)
    assert "### Clients that read one of the two right and the other not" in text
    assert "| OpenClaw of April 2026 | right | Reasoning is lost" in text
    assert "`reasoning_content` went, `reasoning_details` came" in text
    window.grab()


def test_whom_b_no_longer_breaks(qtbot: QtBot, window: Window) -> None:
    bare = [b"data:" + chunk({"content": word}) + b"\n\n" for word in WORDS]
    made = [answer(events, f"{n}.sse") for n, events in enumerate((bare, [one[:5] + b" " + one[5:] for one in bare]))]
    page = compared(qtbot, window, *made)
    assert page.found.words()[1:3] == ("The content is the same", "")
    assert page.found.words()[4].startswith("no longer breaks Wingmate")
    assert page.outcome is not None
    assert page.outcome.hurt(1) == []
    assert len(page.outcome.hurt(0)) == page.outcome.count(CLIENTS) > 0
    row = page.outcome.rows[0]
    assert (row.b, row.events) == ("right", (0, None))
    assert compared(qtbot, window, *made[::-1]).found.words()[2].startswith("breaks Wingmate")


def test_clients_are_asked_of_large_recordings_when_the_user_wants_it(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector_app.ui.pair.outcome.QUICK", 0)
    page = compared(qtbot, window, before(), after())
    assert page.outcome is not None
    assert (page.outcome.asked, page.unasked.isHidden()) == (None, False)
    assert "Clients that read" not in markdown_of(page)
    page.unasked.ask.click()
    qtbot.waitUntil(lambda: page.outcome.asked is not None and not page._background.busy)
    assert (page.unasked.isHidden(), rows(page)[0][0], page.notice.shows_progress) == (True, CLIENTS, False)


def test_clients_that_cannot_be_asked_leave_what_was_found(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector_app.ui.pair.outcome.QUICK", 0)
    page = compared(qtbot, window, before(), after())
    found = rows(page)

    def fails(*args: object, **how: object) -> None:
        raise ValueError("a lens that nobody can read with")

    monkeypatch.setattr("inspector_app.ui.pair.page.ask", fails)
    page.ask_clients()
    qtbot.waitUntil(lambda: not page.busy)
    assert "a lens that nobody can read with" in page.notice.words.text()
    assert (rows(page), page.unasked.isHidden()) == (found, False)
