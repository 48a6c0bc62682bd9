"""What `shot` draws: exactly as large as asked for, whatever the recording is, with what was asked for selected."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from inspector_app import __version__
from inspector_app.cli import main
from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.resources import resource
from inspector_app.core.types import InputFault
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.ui.picture import CAPTION
from inspector_app.ui.scenes import Scene
from inspector_app.ui.session import Session
from inspector_app.ui.shot import arranged, settle, shoot
from inspector_app.ui.shot_plan import PANES, Shot
from inspector_app.ui.svg_letters import Letters
from inspector_app.ui.theme import Look

LENSES = load_lenses([shipped_folder()])
OUT = "picture.png"
SHORT = str(resource("recordings", "mixed-spacing.rec.jsonl"))
LONG = str(resource("recordings", "empty-tool-calls.rec.jsonl"))
BODIES = {
    "empty": b"",
    "page": b"<html><body>502 Bad Gateway</body></html>",
    "error": b'{"error":{"message":"no"}}',
    "binary": b"\x00\xff" * 50,
    "comments": b": one\n\n: two\n\n",
    "blank": b"\n\n\n",
    "half a line": b'data: {"choices":[{"delta":{"content":"x',
}


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit()


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is drawn into an SVG, in the order in which it is drawn."""
    drawn: list[str] = []
    usual = Letters.of

    def noted(letters: Letters, font: object, text: str) -> object:
        drawn.append(text)
        return usual(letters, font, text)  # type: ignore[arg-type]

    monkeypatch.setattr(Letters, "of", noted)
    return drawn


def drawn(path: str, out: Path, shot: Shot, kit: Kit) -> QImage:
    shoot(path, str(out), shot, kit, LENSES)
    return QImage(str(out))


@pytest.mark.parametrize("pane", PANES)
@pytest.mark.parametrize("width, height, scale", [(1280, 800, 1), (801, 403, 2), (320, 200, 1), (3000, 333, 1)])
def test_a_picture_is_as_large_as_asked_for(
    qtbot: QtBot, tmp_path: Path, kit: Kit, pane: str, width: int, height: int, scale: int
) -> None:
    image = drawn(LONG, tmp_path / "x.png", Shot(pane, "light", scale, width, height), kit)
    assert (image.width(), image.height()) == (width * scale, height * scale)


@pytest.mark.parametrize("pane", PANES)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_whatever_the_body_is_it_is_drawn(qtbot: QtBot, tmp_path: Path, kit: Kit, pane: str, body: bytes) -> None:
    (tmp_path / "body.sse").write_bytes(body)
    image = drawn(str(tmp_path / "body.sse"), tmp_path / "x.png", Shot(pane, "dark"), kit)
    assert (image.width(), image.height()) == (1280, 800)
    assert len({image.pixel(x, y) for x in range(0, 1280, 7) for y in range(0, 800, 3)}) > 4


@pytest.mark.parametrize(
    "lens, other, words",
    [
        (None, None, "read as Reference · compared with ZCode Desktop 3.11.2 / CLI 0.16.5"),
        (None, "none", "read as Reference"),
        (None, "openclaw", "read as Reference · compared with OpenClaw of April 2026"),
        ("zcode-3.11", None, "read as ZCode Desktop 3.11.2 / CLI 0.16.5"),
        ("zcode-3.11", "reference", "read as ZCode Desktop 3.11.2 / CLI 0.16.5 · compared with Reference"),
        ("reference", "zcode-fixed", "read as Reference · compared with ZCode"),
    ],
)
@pytest.mark.parametrize("pane", ["window", "blocks"])
def test_the_caption_says_file_readers_and_version(
    qtbot: QtBot, tmp_path: Path, kit: Kit, texts: list[str], pane: str, lens: str | None, other: str | None, words: str
) -> None:
    shoot(LONG, str(tmp_path / "x.svg"), Shot(pane, lens=lens, other=other), kit, LENSES)
    # Words are drawn in runs of one script each.
    assert f"Stream Inspector {__version__}empty-tool-calls.rec.jsonl · {words}" in "".join(texts)


def test_the_themes_differ(qtbot: QtBot, tmp_path: Path, kit: Kit) -> None:
    light, dark = (drawn(LONG, tmp_path / f"{theme}.png", Shot(theme=theme), kit) for theme in ("light", "dark"))
    assert light.pixelColor(4, 790).lightness() > 200
    assert dark.pixelColor(4, 790).lightness() < 60


@pytest.mark.parametrize("event", [0, 5, 100, 190])
@pytest.mark.parametrize("pane", ["lines", "deltas", "blocks"])
def test_an_event_that_was_asked_for_is_selected_and_in_view(
    qtbot: QtBot, look: Look, tmp_path: Path, kit: Kit, pane: str, event: int
) -> None:
    image = drawn(LONG, tmp_path / "x.png", Shot(pane, other="none", event=event), kit)
    blue = {look.theme.color(role).rgb() for role in ("sel.fill", "sel.soft")}
    column = (6, 300, 620, 1000, 1266)
    rows = [y for y in range(50, 770) if {image.pixelColor(x, y).rgb() for x in column} & blue]
    assert 20 <= len(rows) <= 50
    middle = sum(rows) / len(rows)
    assert event != 100 or 380 < middle < 440


def test_a_lens_that_does_not_know_the_dialect_is_a_fault(qtbot: QtBot, tmp_path: Path, kit: Kit) -> None:
    body = tmp_path / "body.sse"
    body.write_bytes(b'data: {"nobody":"knows","this":1}\n\n')
    with pytest.raises(InputFault, match=r"lens zcode-3\.11 does not read unknown streams"):
        shoot(str(body), str(tmp_path / "x.png"), Shot(lens="zcode-3.11"), kit, LENSES)


def test_every_lane_is_in_the_picture_however_low_it_is(qtbot: QtBot, look: Look, kit: Kit) -> None:
    session = Session(LONG, kit, LENSES)
    session.load()
    qtbot.waitUntil(lambda: session.complete and session.idle, timeout=20_000)
    scene = Scene(session, look, "timeline")
    qtbot.addWidget(scene)
    settle()
    lanes = scene.own_height() - CAPTION
    assert arranged(scene, QSize(1280, CAPTION + lanes)).size() == QSize(1280, lanes)
    assert arranged(scene, QSize(1280, CAPTION + lanes // 2)).size() == QSize(2560, lanes)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["nowhere.sse", OUT], "nowhere.sse: no such file"),
        ([SHORT, "no/folder/picture.png"], "no/folder/picture.png: the picture could not be written: no such file"),
        ([str(resource("recordings")), OUT], "it is a directory"),
        ([SHORT, OUT, "--diff", "gone.sse"], "gone.sse"),
        ([SHORT, OUT, "--diff", SHORT, "--as", "zed"], "--pane, --as and --with are for one"),
        ([SHORT, OUT, "--diff", SHORT, "--pane", "lines"], "--pane, --as and --with are for one"),
        ([SHORT, OUT, "--diff", SHORT, "--event", "999"], "there is no event 999"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_line(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    arguments: list[str], words: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["shot", *arguments]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err
    assert not (tmp_path / OUT).exists()
