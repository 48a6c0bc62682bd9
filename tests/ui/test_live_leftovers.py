"""Recordings without an end, offered on the start page."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.live.unfinished import Unfinished
from inspector_app.ui.live.leftovers import MOST, SEEN, Leftovers
from inspector_app.ui.settings import Settings
from inspector_app.ui.theme import Look


@pytest.fixture
def found(tmp_path: Path) -> list[Unfinished]:
    made = []
    for n in range(MOST + 1):
        path = tmp_path / f"{n}.rec.jsonl"
        path.write_bytes(b"{}\n")
        made.append(Unfinished(path, 3, "2026-01-02T03:04:05.000000Z", "live"))
    return made


@pytest.fixture
def strip(qtbot: QtBot, look: Look) -> Leftovers:
    made = Leftovers(look, Settings())
    qtbot.addWidget(made)
    return made


def names(strip: Leftovers) -> list[str]:
    return [row.one.path.name[0] for row in strip.rows]


def test_a_few_are_offered_at_a_time(strip: Leftovers, found: list[Unfinished]) -> None:
    strip.offer(found)
    assert names(strip) == ["0", "1", "2"]
    assert strip.rows[0].words.text() == (
        "0.rec.jsonl was cut off while it was recorded (3\u2009B, begun 2026-01-02 03:04 UTC)"
    )
    strip.rows[1].keep.click()
    assert names(strip) == ["0", "2", "3"]


def test_what_was_decided_about_is_not_offered_again(strip: Leftovers, found: list[Unfinished], qtbot: QtBot) -> None:
    strip.offer(found)
    strip.rows[0].keep.click()
    with qtbot.waitSignal(strip.opened) as opened:
        strip.rows[0].open.click()
    assert opened.args == [str(found[1].path)]
    assert strip._settings.value(SEEN, []) == [str(found[0].path), str(found[1].path)]
    again = Leftovers(strip._look, strip._settings)
    qtbot.addWidget(again)
    again.offer(found)
    assert names(again) == ["2", "3"]
    assert all(one.path.exists() for one in found)


def test_a_file_is_deleted_only_after_a_second_question(strip: Leftovers, found: list[Unfinished]) -> None:
    strip.offer(found[:1])
    (row,) = strip.rows
    row.discard.click()
    assert row.words.text() == "Delete 0.rec.jsonl from the disk? It cannot be brought back."
    assert found[0].path.exists()
    row.keep.click()
    assert row.discard.text() == "Discard…"
    assert strip.rows == [row]
    row.discard.click()
    row.discard.click()
    assert not found[0].path.exists()
    assert strip.isHidden()


def test_a_file_that_cannot_be_deleted_is_told(strip: Leftovers, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "folder").mkdir()
    strip.offer([Unfinished(tmp_path / "folder", 3, "", "live")])
    (row,) = strip.rows
    row.discard.click()
    with qtbot.waitSignal(strip.failed) as failed:
        row.discard.click()
    assert "could not be deleted" in failed.args[0]
    assert strip.rows == [row]


def test_the_folder_is_read_beside_the_interface(strip: Leftovers, found: list[Unfinished], qtbot: QtBot) -> None:
    strip.look_in(found[0].path.parent, lambda folder: found[:2])
    qtbot.waitUntil(lambda: bool(strip.rows))
    assert names(strip) == ["0", "1"]
