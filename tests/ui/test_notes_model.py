"""Notes of a session: what is put goes into its recording, what has none is told, and a stream that is live waits."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector_app.core.notes import Note, notes_in
from inspector_app.core.resources import resource
from inspector_app.core.types import Mark
from inspector_app.files import read_input
from inspector_app.live.recorder import NO_FILE as LOST
from inspector_app.live.unfinished import lock
from inspector_app.ui.notes.model import EXAMPLE, NO_FILE, NO_RECORDING
from inspector_app.ui.notes.words import first_words, told
from inspector_app.ui.notes.writer import notes_from
from inspector_app.ui.session import Session
from tests.ui.live_data import DONE, LiveStream, said
from tests.ui.panes_data import kit

NAME = "mixed-spacing"
SOURCE = resource("recordings", f"{NAME}.rec.jsonl")


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A recording of one's own."""
    path = tmp_path / f"{NAME}.rec.jsonl"
    shutil.copy(str(SOURCE), path)
    return path


def opened(path: Path | str, given: Path | str | None = None) -> Session:
    """A session of a file, as far as notes need it, under the path it is said to have."""
    session = Session(str(given if given is not None else path), kit(), {})
    session.exchanges = read_input(str(path))
    session.choose_exchange(0)
    session.cancel()
    return session


def on_disk(path: Path) -> list[Note]:
    return notes_in(read_input(str(path))[0].notes)


def heard(session: Session) -> list[str]:
    """What is said of notes that are not kept."""
    words: list[str] = []
    session.notes.unkept.connect(words.append)
    return words


def until(qtbot: QtBot, holds: Callable[[], bool]) -> None:
    qtbot.waitUntil(holds, timeout=20_000)


def test_what_is_put_changed_and_removed_is_in_the_file(qtbot: QtBot, recording: Path) -> None:
    session = opened(recording)
    notes, words = session.notes, heard(session)
    first, second = Note("n1", 2, "one", 5, (10, 20)), Note("n2", 1)
    for note in (first, second, first._replace(text="two\nlines")):
        notes.put(note)
    notes.remove(second)
    until(qtbot, lambda: not notes.is_loose(first) and not notes.writer.busy)
    assert notes.all == on_disk(recording) == [first._replace(text="two\nlines")]
    assert [notes.covers(event) for event in (1, 2, 5, 6)] == [False, True, True, False]
    assert words == []
    # What was there before is still there, byte by byte.
    assert recording.read_bytes().startswith(Path(str(SOURCE)).read_bytes())


def test_edits_go_back_and_forth_in_the_file_as_well(qtbot: QtBot, recording: Path) -> None:
    session = opened(recording)
    notes = session.notes
    one, two = Note("n1", 1, "one"), Note("n2", 2, "two")
    notes.put(one)
    notes.put(two)
    notes.put(one._replace(text="uno"))
    steps = {3: ["uno", "two"], 1: ["one"], 0: [], 2: ["one", "two"]}
    for done, texts in steps.items():
        notes.go_to(done)
        assert [note.text for note in notes.all] == texts
        until(qtbot, lambda: not notes.writer.busy)
        assert on_disk(recording) == notes.all
    notes.put(Note("n3", 3))
    notes.go_to(99)
    assert notes.done == 3
    assert len(notes.all) == 3


def test_keys_in_a_note_are_masked_at_once(qtbot: QtBot, recording: Path) -> None:
    session = opened(recording)
    session.notes.put(Note("n1", 0, "with sk-canary-0123456789abcdef"))
    until(qtbot, lambda: not session.notes.writer.busy)
    assert "canary" not in session.notes.all[0].text
    assert b"canary" not in recording.read_bytes()


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        (b"data: {}\n\n", "body.sse", NO_RECORDING),
        (None, "nowhere.sse", NO_FILE),
        (None, "-", NO_FILE),
        (None, str(SOURCE), EXAMPLE),
    ],
)
def test_what_has_no_recording_says_so_and_keeps_its_notes(
    tmp_path: Path, content: bytes | None, name: str, why: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    before = Path(str(SOURCE)).read_bytes()
    session = opened(path if content is not None else str(SOURCE), path if name not in ("-", str(SOURCE)) else name)
    words = heard(session)
    session.notes.put(Note("n1", 0, "here"))
    session.notes.close()
    assert words == [why]
    assert [note.text for note in session.notes.all] == ["here"]
    assert session.notes.is_loose(session.notes.all[0])
    assert not session.notes.writer.busy
    assert Path(str(SOURCE)).read_bytes() == before
    assert content is None or path.read_bytes() == content


def test_a_file_that_cannot_be_written_is_told_and_written_when_it_can(qtbot: QtBot, recording: Path) -> None:
    session = opened(recording)
    words = heard(session)
    away = recording.with_name("away")
    recording.rename(away)
    recording.mkdir()
    session.notes._recorded = True
    session.notes.put(Note("n1", 0, "one"))
    until(qtbot, lambda: len(words) == 1)
    assert "cannot be written" in words[0]
    assert session.notes.is_loose(session.notes.all[0])
    recording.rmdir()
    away.rename(recording)
    session.notes.put(Note("n2", 1, "two"))
    until(qtbot, lambda: not session.notes.is_loose(session.notes.all[1]))
    assert [note.text for note in on_disk(recording)] == ["one", "two"]


def test_nobody_writes_beside_whoever_is_recording(qtbot: QtBot, recording: Path) -> None:
    lines = recording.read_bytes().splitlines(keepends=True)
    torn = b"".join(line for line in lines if b'"end"' not in line[:80])
    recording.write_bytes(torn)
    session = opened(recording)
    words = heard(session)
    with recording.open("ab") as other:
        assert lock(other)
        session.notes.put(Note("n1", 0, "one"))
        until(qtbot, lambda: len(words) == 1)
        assert "still being recorded" in words[0]
        assert recording.read_bytes() == torn
    session.notes.close()
    until(qtbot, lambda: not session.notes.is_loose(session.notes.all[0]))
    assert [note.text for note in on_disk(recording)] == ["one"]


@pytest.mark.parametrize("end", ["release", "close"])
def test_notes_on_a_live_stream_wait_until_its_recording_is_closed(qtbot: QtBot, recording: Path, end: str) -> None:
    before = recording.read_bytes()
    stream = LiveStream(recording)
    session, closed = stream.session, []

    def join(seconds: float) -> bool:
        closed.append(recording.read_bytes() == before)
        return True

    session.notes.wait_for(join)
    words = heard(session)
    stream.begin()
    stream.hand.head()
    stream.hand.read(said("one"), said("two"), DONE)
    stream.tick(3)
    session.notes.put(Note("n1", 1, "while it came"))
    assert not session.notes.writer.busy
    assert recording.read_bytes() == before
    if end == "release":
        stream.hand.end()
        stream.tick(2)
    getattr(session.notes, end)()
    until(qtbot, lambda: not session.notes.is_loose(session.notes.all[0]))
    assert closed == [True]
    assert words == []
    assert [note.text for note in on_disk(recording)] == ["while it came"]


def test_another_exchange_has_other_notes(recording: Path) -> None:
    session = opened(recording)
    session.exchanges += read_input(str(SOURCE))
    session.exchanges[1].number = 1
    session.notes._recorded = True
    session.notes.writer.closed = lambda seconds: False
    session.notes.put(Note("n1", 0, "first"))
    session.choose_exchange(1)
    session.cancel()
    assert session.notes.all == []
    assert session.notes.done == 0
    session.choose_exchange(0)
    session.cancel()
    assert [note.text for note in session.notes.all] == ["first"]


@pytest.mark.parametrize(
    ("note", "first", "whole"),
    [
        (Note("a", 3), "Bookmark", "Bookmark"),
        (Note("a", 3, " \n", 9), "Events 3–9", "Events 3–9"),
        (Note("a", 3, "one\ntwo"), "one two", "one\ntwo"),
        (Note("a", 3, "<b>\u202ex\x00"), None, None),
        (Note("a", 3, "思" * 20_000), "思" * 120 + "…", None),
    ],
)
def test_words_of_a_note_are_short_and_harmless(note: Note, first: str | None, whole: str | None) -> None:
    assert first is None or first_words(note) == first
    assert whole is None or told(note) == whole
    for words in (first_words(note), told(note)):
        assert len(words) < 460
        assert "\u202e" not in words
        assert "\x00" not in words


def test_what_another_window_adds_to_the_file_is_taken_over(qtbot: QtBot, recording: Path) -> None:
    one, other = opened(recording), opened(recording)
    mine, theirs = Note("n1", 1, "mine"), Note("n2", 2, "theirs")
    one.notes.put(mine)
    until(qtbot, lambda: other.notes.all == [mine])
    other.notes.put(theirs)
    other.notes.remove(mine)
    until(qtbot, lambda: one.notes.all == [theirs] and not other.notes.writer.busy)
    assert other.notes.all == on_disk(recording) == [theirs]
    # What one wrote oneself is not heard again as if it were news.
    assert len(one.exchange.notes if one.exchange is not None else []) == 3
    one.notes.go_to(0)
    assert [note.id for note in one.notes.all] == ["n2"]


def test_damage_behind_a_recording_is_no_note(tmp_path: Path) -> None:
    path = tmp_path / "added"
    path.write_bytes(
        b'head\n{"note"\n{"t":null,"note":5}\n[]\n{"t":1,"note":{"id":"a","event":1}}\n{"note":{"id":"torn"'
    )
    found, end = notes_from(str(path), 5)
    assert found == [{"id": "a", "event": 1}]
    assert path.read_bytes()[end:] == b'{"note":{"id":"torn"'


@pytest.mark.parametrize("how", ["replaced", "rewritten", "shortened"])
def test_a_note_goes_into_no_other_recording(qtbot: QtBot, recording: Path, how: str) -> None:
    session = opened(recording)
    words = heard(session)
    other = Path(str(resource("recordings", "think-tags.rec.jsonl"))).read_bytes()
    if how == "replaced":
        (recording.parent / "other").write_bytes(other)
        (recording.parent / "other").replace(recording)
    else:
        other = other * 9 if how == "rewritten" else recording.read_bytes()[:-40]
        recording.write_bytes(other)
    session.notes.put(Note("n1", 1, "mine"))
    until(qtbot, lambda: len(words) == 1)
    assert "is another recording by now" in words[0]
    assert recording.read_bytes() == other
    assert [note.text for note in session.notes.all] == ["mine"]
    assert [count for _, count in session.notes.unsaved()] == [1]


def replace(recording: Path) -> None:
    other = recording.parent / "other"
    shutil.copy(str(resource("recordings", "think-tags.rec.jsonl")), other)
    other.replace(recording)


@pytest.mark.parametrize("noted", [True, False])
def test_a_file_that_becomes_another_is_told_where_there_are_notes(qtbot: QtBot, recording: Path, noted: bool) -> None:
    session = opened(recording)
    words = heard(session)
    if noted:
        session.notes.put(Note("n1", 1, "mine"))
        until(qtbot, lambda: not session.notes.writer.busy and not session.notes.is_loose(session.notes.all[0]))
    assert session.notes.is_current()
    replace(recording)
    until(qtbot, lambda: session.notes._lost)
    assert not session.notes.is_current()
    assert [text for text in words if "is another recording by now" in text] == words
    assert len(words) == noted
    assert [count for _, count in session.notes.unsaved()] == [1] * noted
    session.notes.put(Note("n2", 2, "more"))
    assert [count for _, count in session.notes.unsaved()] == [1 + noted]
    assert on_disk(recording) == []


@pytest.mark.parametrize("when", ["before it is closed", "after it was written"])
def test_notes_of_a_stream_go_into_no_other_file(qtbot: QtBot, recording: Path, when: str) -> None:
    session = opened(recording)
    assert session.exchange is not None
    marks: list[Mark] = [session.exchange.mark or LOST]
    session.exchange.mark = None
    words = heard(session)
    notes = session.notes
    notes._watcher, notes._recorded = None, True
    notes.wait_for(lambda seconds: True, lambda: marks[0])
    session.live = True  # type: ignore[attr-defined]
    notes.put(Note("n1", 1, "while it came"))
    if when == "before it is closed":
        replace(recording)
        marks[0] = LOST
    notes.release()
    if when == "after it was written":
        until(qtbot, lambda: not notes.writer.busy and not notes.is_loose(notes.all[0]))
        assert [note.text for note in on_disk(recording)] == ["while it came"]
        replace(recording)
    until(qtbot, lambda: bool(words))
    assert "is another recording by now" in words[0]
    assert on_disk(recording) == []
    assert [count for _, count in notes.unsaved()] == [1]


def test_notes_that_were_added_make_no_other_recording(qtbot: QtBot, recording: Path) -> None:
    one, other = opened(recording), opened(recording)
    for number, session in enumerate((one, other, one, other)):
        session.notes.put(Note(f"n{number}", number, "x"))
        until(qtbot, lambda session=session: not session.notes.writer.busy)  # type: ignore[misc]
    assert len(on_disk(recording)) == 4


def test_a_tab_that_is_closed_at_once_knows_that_its_note_was_not_written(recording: Path) -> None:
    session = opened(recording)
    recording.write_bytes(recording.read_bytes()[:-40])
    session.notes.put(Note("n1", 1, "mine"))
    assert [count for _, count in session.notes.unsaved()] == [1]
