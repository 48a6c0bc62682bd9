"""A canary in every place where a secret can stand and be seen: no picture shows one, whatever is in view."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.redact import BODY, HEADERS, QUERY
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.picture import vector
from inspector_app.ui.selection import Selection
from inspector_app.ui.shot import shoot
from inspector_app.ui.shot_plan import PANES, Shot
from inspector_app.ui.studio import WHATS, Wish
from inspector_app.ui.theme import Look
from inspector_app.ui.window import Window

LENSES = load_lenses([shipped_folder()])
CANARY = "canary7f3a9d"
"""In the value of whatever is a secret by its name."""
KEY = f"sk-proj-{CANARY}0123456789abcdef"
"""A secret by its shape."""
PAGES = ("JSON and bytes", "Event", "Read", "HTTP", "Fields")


def named(pattern: str) -> str:
    """A name that a pattern of the redaction list is about."""
    return pattern.replace("*", "x")


def text(t: int, data: str) -> dict[str, Any]:
    return {"t": t, "text": data, "crc": f"{zlib.crc32(data.encode()):08x}"}


def chunk(**delta: Any) -> str:
    return f"data: {json.dumps({'object': 'chat.completion.chunk', 'choices': [{'index': 0, 'delta': delta}]})}\n\n"


def call(piece: str, **first: Any) -> str:
    return chunk(
        tool_calls=[{"index": 0, **first, "function": {"arguments": piece, **({"name": "f"} if first else {})}}]
    )


EVENTS = [
    f": a comment with {KEY}\n\n",
    chunk(content=f"the key is {KEY}, "),
    *(chunk(content=KEY[at : at + 9]) for at in range(0, len(KEY), 9)),
    chunk(content=f" and https://user:{CANARY}@example.com/?api_key={CANARY}&x=1 "),
    call('{"api_key":"', id="c1", type="function"),
    *(call(KEY[at : at + 11]) for at in range(0, len(KEY), 11)),
    call('"}'),
    f'data: {{"unknown":"{KEY}"}}\n\n',
    f'data: {{"error":{{"message":"Incorrect API key provided: {KEY}"}}}}\n\n',
    "data: [DONE]\n\n",
]


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


@pytest.fixture
def recording(tmp_path: Path) -> str:
    """A recording made by hand: nothing in it was masked when it was written."""
    query = "&".join(f"{named(name)}={CANARY}" for name in QUERY)
    headers = [[named(name), f"Bearer {CANARY}"] for name in HEADERS]
    headers += [["x-note", f"uses {KEY}"], ["referer", f"https://{CANARY}@example.com/"]]
    body = {"model": "m", "messages": [{"role": "user", "content": f"my key is {KEY}"}]}
    body |= {named(name): CANARY for name in BODY} | {"nested": [{"api_key": CANARY}]}
    request = {"method": "POST", "url": f"https://u:{CANARY}@example.com/v1?{query}", "headers": headers, "body": body}
    fields = {"version": 1, "created": "2026-11-29T17:18:52.123456Z", "program": "by hand", "source": "live"}
    records: list[dict[str, Any]] = [
        {"format": "stream-inspector/recording", **fields, "timing": "measured", "bytes": "exact", "request": request},
        {"t": 1_000_000, "head": {"status": 200, "http_version": "HTTP/1.1", "headers": [
            ["content-type", "text/event-stream"], *headers,
        ]}},
        *(text(2_000_000 * number, event) for number, event in enumerate(EVENTS, 1)),
        {"t": 99_000_000, "end": {
            "how": "done", "terminator": True, "closed_by": "server", "trailers": headers, "detail": f"lost {KEY}",
        }},
    ]  # fmt: skip
    path = tmp_path / "secrets.rec.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return str(path)


@pytest.fixture
def window(qtbot: QtBot, look: Look, kit: Kit) -> Iterator[Window]:
    window = Window(kit, LENSES, look)
    qtbot.addWidget(window)
    window.resize(QSize(1600, 1400))
    window.show()
    yield window
    window.close()


def opened(qtbot: QtBot, window: Window, path: str) -> RecordingPage:
    page = window.open_path(path)
    qtbot.waitUntil(lambda: page.session.complete and page.session.idle, timeout=20_000)
    return page


def drawn(qtbot: QtBot, window: Window, path: Path, wish: Wish) -> str:
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
        window.save_picture(str(path), wish)
    return path.read_text("utf-8")


def leaks(texts: list[str]) -> list[str]:
    """Texts that tell a part of a secret; it may have been drawn in pieces, or as bytes."""
    hexed = CANARY[:4].encode().hex(" ")
    return [text for text in texts if "canary" in text or "sk-proj" in text or hexed in text]


def test_the_canaries_would_be_seen(qtbot: QtBot, window: Window, recording: str, look: Look, texts: list[str]) -> None:
    """Else the tests below would prove nothing: drawn from the recording itself, the window is full of them."""
    opened(qtbot, window, recording)
    vector(window, look, "")
    assert len(leaks(texts)) > 10


@pytest.mark.parametrize("name", PAGES)
def test_no_page_of_the_detail_pane_shows_a_secret(
    qtbot: QtBot, window: Window, recording: str, texts: list[str], tmp_path: Path, name: str
) -> None:
    page = opened(qtbot, window, recording)
    page.detail.show_page(name)
    for event in (1, len(EVENTS) - 3):
        page.session.selection.select(Selection(event), None)
        drawn(qtbot, window, tmp_path / "x.svg", Wish())
        assert not leaks(texts)
        assert any("*******" in text for text in texts)
    if name == "HTTP":
        masks = [text for text in texts if "<redacted: sha256:" in text]
        assert len(masks) >= len(HEADERS)


@pytest.mark.parametrize("what", WHATS)
def test_no_picture_of_the_window_shows_a_secret(
    qtbot: QtBot, window: Window, recording: str, texts: list[str], tmp_path: Path, what: str
) -> None:
    page = opened(qtbot, window, recording)
    for cards in (False, True):
        page.panes.show_reading_view(cards)
        markup = drawn(qtbot, window, tmp_path / "x.svg", Wish(what, wide=4))
        assert texts
        assert not leaks([*texts, markup])


@pytest.mark.parametrize("pane", PANES)
def test_no_shot_shows_a_secret(
    qtbot: QtBot, recording: str, kit: Kit, texts: list[str], tmp_path: Path, pane: str
) -> None:
    shoot(recording, str(tmp_path / "x.svg"), Shot(pane, height=1600), kit, LENSES)
    assert "keys masked" in "".join(texts)
    assert not leaks(texts)


def test_the_picture_of_the_copy_is_like_the_window(
    qtbot: QtBot, window: Window, recording: str, texts: list[str], tmp_path: Path
) -> None:
    """What was in view is in the picture: the page, the event, the readings, the size."""
    page = opened(qtbot, window, recording)
    page.detail.show_page("Event")
    page.session.choose("wingmate-2026-06", "reference")
    page.session.selection.select(Selection(3), None)
    markup = drawn(qtbot, window, tmp_path / "x.svg", Wish())
    assert 'width="1600" height="1428"' in markup
    words = "".join(texts)
    assert "read as Wingmate, build of 29 June 2026 · compared with Reference · keys masked" in words
    assert "Event 3 of " in words.replace("\u2009", "")
    assert "dispatched" in words
    assert window.deck.pages() == [page]
