"""What new kinds of blocks look like: pictures and sound, results and calls of servers, citations, kinds of nobody."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from inspector_app.core.media import Media, media_of
from inspector_app.core.reading import Reading
from inspector_app.core.text import THIN_SPACE
from inspector_app.core.types import Block, Exchange
from inspector_app.ui.block_lanes import block_lanes, lane_order, name_of
from inspector_app.ui.icons import names
from inspector_app.ui.lanes import Clock
from inspector_app.ui.theme import Look
from inspector_app.ui.views import block_bars, card_paint, media_view
from inspector_app.ui.views.block_bars import Bar, paint_bar
from inspector_app.ui.views.block_names import KINDS, icon_of, kind_of_block, server_runs
from inspector_app.ui.views.card_layout import HEAD, LINE, Card, citation_words, lay_out, shortened
from inspector_app.ui.views.card_paint import chip_places
from inspector_app.ui.views.media_view import MediaView, decoded, head_of
from tests.ui.conftest import Canvas
from tests.ui.panes_data import Show, event, exchange, opened, shown

RED = QColor(200, 30, 40)


def encoded(width: int, height: int, form: str = "png") -> bytes:
    """A red picture."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(RED)
    data, buffer = QByteArray(), QBuffer()
    buffer.setBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, form.upper())  # type: ignore[call-overload]
    return bytes(data.data())


def claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is this large."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head)) + bytes(40)


def media_stream(*parts: dict[str, Any], text: str = "Look: ") -> Exchange:
    """A Gemini stream of a text and one part an event."""
    def body(part: dict[str, Any], **more: Any) -> bytes:
        candidate = {"content": {"parts": [part], "role": "model"}, "index": 0} | more
        return event(json.dumps({"candidates": [candidate], "modelVersion": "m", "responseId": "r"}).encode())

    return exchange([body({"text": text}), *map(body, parts), body({"text": "."}, finishReason="STOP")])


def inline(mime: str, data: bytes) -> dict[str, Any]:
    return {"inlineData": {"mimeType": mime, "data": base64.b64encode(data).decode()}}


@pytest.fixture
def show(qtbot: QtBot, look: Look) -> Show:
    return partial(shown, qtbot, look)


def test_a_picture_is_shown_in_its_card(qtbot: QtBot, show: Show) -> None:
    panes = show(opened(qtbot, media_stream(inline("image/png", encoded(60, 40))), "reference", None), height=500)
    panes.show_reading_view(True)
    card = panes.cards.stacks[0].cards[1]
    assert (card.name, card.media is not None and card.media.room) == ("Image 1", QSize(60, 40))
    assert card.meta.startswith(f"png · 60{THIN_SPACE}×{THIN_SPACE}40 · ")
    image = panes.cards.viewport().grab().toImage()
    top = panes.cards.stacks[0].tops[1] + card.media_top
    assert image.pixelColor(12 + 16 + 6 + 30, top + 6 + 20) == RED


def test_rows_say_what_media_hold(qtbot: QtBot, show: Show) -> None:
    sound = inline("audio/L16;codec=pcm;rate=24000", bytes(72000))
    panes = show(opened(qtbot, media_stream(inline("image/png", encoded(6, 4)), sound), "reference", None))
    (column,) = panes.blocks.columns()
    bars = panes.blocks._bars(column, 0, len(panes.blocks.rows()), 0)
    assert [bar.name for bar in bars] == ["Text 1", "Image 1", "Audio 1", "Text 2"]
    assert [bar.note.partition(" · ")[0] for bar in bars] == ["", "png", "pcm", ""]
    assert bars[2].note == f"pcm · 1.50{THIN_SPACE}s · 72.0{THIN_SPACE}kB"


@pytest.mark.parametrize("form", ["png", "jpeg", "webp"])
def test_pictures_of_the_usual_formats_are_decoded_small(form: str, qapp: object) -> None:
    media = Media(form, 1, encoded(640, 320, form))
    assert head_of(media) == (QSize(640, 320), "")
    assert decoded(media, QSize(100, 100)).size() == QSize(100, 50)
    assert decoded(media, QSize(2000, 2000)).size() == QSize(640, 320)


HOSTILE = [
    ("png", claiming(60_000, 60_000), "is too large to be shown"),
    ("png", claiming(0, 0), "cannot be decoded"),
    ("png", claiming(20, 20), ""),
    ("png", encoded(40, 40)[:50], ""),
    ("png", b"\x89PNG\r\n\x1a\n", "cannot be decoded"),
    ("jpeg", encoded(40, 40, "jpeg") + b"\xff\xda" * 300, "has too many scans to be shown"),
    ("jpeg", b"\xff\xd8\xff", "cannot be decoded"),
    ("gif", b"GIF89a" + b"\xff" * 60, ""),
    ("webp", b"RIFF\xff\xff\xff\x7fWEBPVP8X" + bytes(30), ""),
    ("svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', ""),
    ("bmp", encoded(4, 4, "bmp"), ""),
    ("png", b"", "is too large to be shown"),
]


@pytest.mark.parametrize(("form", "data", "why"), HOSTILE)
def test_hostile_pictures_are_no_pictures(form: str, data: bytes, why: str, qapp: object) -> None:
    media = Media(form, max(1, len(data)), data)
    if form != "gif":  # whose head has its size at once
        assert head_of(media)[1] == why
    assert decoded(media, QSize(100, 100)).isNull()


@pytest.mark.parametrize(("form", "data", "why"), HOSTILE[:-1])
def test_hostile_pictures_leave_the_window_alone(
    qtbot: QtBot, show: Show, form: str, data: bytes, why: str
) -> None:
    panes = show(opened(qtbot, media_stream(inline(f"image/{form}", data)), "reference", None), height=500)
    panes.show_reading_view(True)
    assert not panes.cards.viewport().grab().isNull()
    assert panes.cards.stacks[0].cards[1].name == "Image 1"


def test_only_what_is_in_view_is_decoded_and_once(
    qtbot: QtBot, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def counted(media: Media, room: QSize) -> QImage:
        calls.append(room)
        return decoded(media, room)

    monkeypatch.setattr(media_view, "decoded", counted)
    parts = [inline("image/png", encoded(200, 150 + n)) for n in range(12)]
    panes = show(opened(qtbot, media_stream(*parts), "reference", None), height=400)
    panes.show_reading_view(True)
    for _ in range(3):
        panes.cards.viewport().grab()
    assert 1 <= len(calls) < 5
    assert len(set(map(QSize.height, calls))) == len(calls)


def test_pictures_beyond_the_last_ones_are_let_go(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_view, "KEPT", 2)
    parts = [inline("image/png", encoded(4, 3 + n)) for n in range(5)]
    session = opened(qtbot, media_stream(*parts), "reference", None)
    reading, view = session.reference, MediaView()
    assert reading is not None
    blocks = [block for block in reading.blocks if block.kind == "media"]
    assert [view.picture(reading, block).height() for block in blocks] == [3, 4, 5, 6, 7]
    assert len(view._pictures) == 2


def test_nothing_is_fetched(qtbot: QtBot, show: Show) -> None:
    part = {"fileData": {"mimeType": "image/png", "fileUri": "http://127.0.0.1:9/a.png"}}
    panes = show(opened(qtbot, media_stream(part), "reference", None))
    panes.show_reading_view(True)
    card = panes.cards.stacks[0].cards[1]
    assert card.meta == "png · http://127.0.0.1:9/a.png · 1 delta"
    assert card.media is not None
    assert card.media.room.isEmpty()


# kinds


def block(kind: str, **fields: Any) -> Block:
    return Block(0, kind, 0, 0, 1, "complete", fields=fields)


def test_every_kind_has_a_mark_that_exists_and_colours_of_the_theme(look: Look) -> None:
    for kind in [*KINDS, "compaction"]:
        found = kind_of_block(kind)
        assert found.icon in names()
        assert look.theme.meaning(found.meaning).text.isValid()


def test_kinds_that_no_table_knows_have_a_lane_and_a_word() -> None:
    keys = [("zebra", 0), ("tool_call", 1), ("compaction", 0), ("text", 0), ("tool_call", 0), ("other", 0)]
    assert sorted(keys, key=lane_order) == [
        ("text", 0), ("tool_call", 0), ("tool_call", 1), ("other", 0), ("compaction", 0), ("zebra", 0),
    ]  # fmt: skip
    assert name_of(block("turn_summary")) == "Turn summary"
    assert name_of(block("media", media="audio")) == "Audio"
    assert name_of(block("media", media="hologram")) == "Media"


@pytest.mark.parametrize(
    ("kind", "chips"),
    [("server", ["run by the server"]), ("mcp", ["run by the server"]), ("function", ["can be run"])],
)
def test_a_card_says_who_runs_a_call(look: Look, kind: str, chips: list[str]) -> None:
    card = Card(block("tool_call", id="c1", name="search", tool_kind=kind, executable=True), "Tool call 0", 500)
    assert server_runs(card.block) == (kind != "function")
    assert [chip[0] for chip, _ in chip_places(card)] == chips


@pytest.mark.parametrize(
    ("kind", "value", "why", "icon"),
    [
        ("image", {"url": "https://a.example/r.png", "mime_type": "image/png"}, media_view.NOT_FETCHED, "media"),
        ("image", {"url": "https://a.example/r"}, media_view.NOT_FETCHED, "media"),
        ("image", {"data": base64.b64encode(b"BM" + bytes(60)).decode()}, "is in no format that is shown", "media"),
        ("audio", {"data": base64.b64encode(bytes(60)).decode()}, "is not played here", "audio"),
        ("video", {"url": "https://a.example/v.mp4"}, media_view.NOT_FETCHED, "video"),
        ("file", {"data": base64.b64encode(b"%PDF-1.7" + bytes(60)).decode()}, "is not opened here", "document"),
        ("image", {}, "", "media"),
    ],
)  # fmt: skip
def test_media_that_are_not_shown_say_why(
    look: Look, canvas: Canvas, monkeypatch: pytest.MonkeyPatch, kind: str, value: dict[str, str], why: str, icon: str
) -> None:
    monkeypatch.setattr(media_view, "media_in", lambda *_: media_of([value], kind))
    card = Card(block("media", media=kind), "Media 1", 500)
    card.media = MediaView().of(cast(Reading, SimpleNamespace(ended=True)), card.block)
    lay_out(card, {})
    assert (card.media.why, card.media.room.isEmpty(), icon_of(card.block)) == (why, True, icon)
    assert card.height > HEAD + (LINE if why else 0)
    _, painter = canvas(520, 120)
    card_paint.paint_card(painter, look.theme, card, 4, 4, QRect(0, 0, 520, 120), False, -1)
    painter.end()


def test_a_result_names_its_call_and_keeps_long_texts_short(look: Look) -> None:
    held = {"content": [{"title": "News", "opaque": "x" * 5000}]}
    card = Card(block("tool_result", id="c1", name="search", result=held), "Tool result 1", 500)
    lay_out(card, {})
    assert [(entry.name, entry.value) for entry in card.fields] == [("name", "search"), ("id", "c1")]
    assert card.flow is not None
    text = card.flow.text
    assert '"title": "News"' in text
    assert f"… +4{THIN_SPACE}920" in text
    assert "c1" not in text


def test_results_of_any_size_and_depth_are_cut() -> None:
    deep: Any = "end"
    for _ in range(5000):
        deep = [deep]
    assert len(json.dumps(shortened(deep))) < 100
    assert len(json.dumps(shortened({"many": list(range(10_000)), **{f"k{n}": n for n in range(10_000)}}))) < 2000


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"type": "url_citation", "url": "https://a.example", "title": "A"}, "A · https://a.example"),
        ({"web": {"uri": "https://b.example", "title": "B"}}, "B · https://b.example"),
        ({"document_title": "Tides", "cited_text": "14:52", "start_char_index": 3}, "Tides"),
        ("https://c.example", "https://c.example"),
        ({"index": 4}, '{"index": 4}'),
        ({"title": "same", "url": "same"}, "same"),
        (None, "null"),
    ],
)
def test_a_citation_is_told_in_one_line_whatever_its_dialect(value: Any, words: str) -> None:
    assert citation_words(value) == words


@pytest.mark.parametrize(("count", "lines"), [(0, 0), (1, 1), (5, 5), (9, 6)])
def test_a_text_lists_what_it_cites(look: Look, count: int, lines: int) -> None:
    plain, cited = (Card(block("text", citations=held), "Text 1", 500) for held in ([], [{"title": "T"}] * count))
    for card in (plain, cited):
        card.block.fragments.append("Low water.")
        lay_out(card, {})
    assert len(cited.citations) == lines
    assert cited.height - plain.height == (20 * lines + 6 if lines else 0)
    assert not count > 5 or cited.citations[-1] == f"{count - 5} more"


def test_a_call_that_ends_by_itself_says_so_in_words(look: Look) -> None:
    card = Card(block("tool_call", id="c1", name="n"), "Tool call 0", 500)
    card.block.closed_by, card.block.closed_at = "explicit", 6
    lay_out(card, {})
    assert card.foot == "closed by its own end · event 6"


def test_a_note_stands_in_the_row_of_a_block_without_text(look: Look, qtbot: QtBot) -> None:
    def painted(note: str) -> QImage:
        image = QImage(400, 22, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        rect = QRect(0, 0, 400, 22)
        bar = Bar(block("media", media="image"), "Image 1", rect, [], False, True, False, None, {}, 0, 22, note=note)
        paint_bar(painter, look.theme, bar)
        painter.end()
        return image

    assert painted("png · 70 B") != painted("")


def test_a_row_says_that_the_server_runs_a_call(look: Look) -> None:
    def title(kind: str, width: int) -> str:
        call = block("tool_call", id="c1", name="search", tool_kind=kind)
        rect = QRect(0, 0, width, 22)
        return block_bars._title(Bar(call, "Tool call 0", rect, [], False, True, False, None, {}, 0, 22))

    assert title("server", 500) == "Tool call 0 · run by the server"
    assert title("server", 200) == title("function", 500) == "Tool call 0"


def test_a_block_without_words_keeps_its_title_in_the_timeline_when_near(qtbot: QtBot) -> None:
    session = opened(qtbot, media_stream(inline("image/png", encoded(4, 4))), "reference", None)
    assert session.reference is not None
    clock = Clock(session.reference)
    clock.extend()
    bars = {
        bar.title.partition(" · ")[0]: bar.speaks
        for lane in block_lanes(session, clock.positions, True)
        for bar in (lane.bars if lane is not None else ())
    }
    assert bars == {"Text": True, "Image": False}


def test_a_picture_of_another_format_says_why_it_is_not_shown(qtbot: QtBot) -> None:
    parts = [inline("image/svg+xml", b"<svg/>" * 9), inline("audio/wav", bytes(64))]
    session = opened(qtbot, media_stream(*parts), "reference", None)
    assert session.reference is not None
    view = MediaView()
    said = [view.of(session.reference, block).why for block in session.reference.blocks if block.kind == "media"]
    assert said == ["is in no format that is shown", "is not played here"]


@pytest.mark.parametrize(("text", "meta"), [("", ""), ("So", "1 delta · 2 chars")])
def test_reasoning_that_is_only_opaque_counts_no_deltas(look: Look, text: str, meta: str) -> None:
    card = Card(block("reasoning", redacted="x" * 744), "Reasoning 1", 500)
    if text:
        card.block.fragments.append(text)
        card.block.deltas.append(0)
    lay_out(card, {})
    assert card.meta == meta
    assert card.opaque == f"redacted 744{THIN_SPACE}B"


def test_values_that_are_put_into_arguments_stand_in_their_rows(qtbot: QtBot, show: Show) -> None:
    def part(call: dict[str, Any]) -> dict[str, Any]:
        return {"candidates": [{"content": {"role": "model", "parts": [{"functionCall": call}]}, "index": 0}]}

    told = [
        part({"name": "gate", "partialArgs": [{"jsonPath": "$.port", "stringValue": "Bodø"}], "willContinue": True}),
        part({"partialArgs": [{"jsonPath": "$.days", "numberValue": 2}]}),
    ]
    session = opened(qtbot, exchange([event(json.dumps(line).encode()) for line in told]), "reference", None)
    panes = show(session, height=500)
    column = panes.blocks.columns()[0]
    (bar,) = panes.blocks._bars(column, 0, len(panes.blocks.rows()), 0)
    assert [part.text for part in bar.parts if part.text] == ['"Bodø"', "2"]
    assert json.loads(bar.block.text) == {"port": "Bodø", "days": 2}


@pytest.mark.parametrize(("kinds", "icon"), [(["audio"], "audio"), (["image"], "media"), (["image", "audio"], "media")])
def test_the_lane_of_media_has_the_mark_of_what_they_all_are(qtbot: QtBot, kinds: list[str], icon: str) -> None:
    parts = [inline(f"{kind}/{'png' if kind == 'image' else 'wav'}", bytes(64)) for kind in kinds]
    session = opened(qtbot, media_stream(*parts), "reference", None)
    assert session.reference is not None
    clock = Clock(session.reference)
    clock.extend()
    lanes = {lane.title: lane.icon for lane in block_lanes(session, clock.positions, True) if lane is not None}
    assert lanes["Media"] == icon
