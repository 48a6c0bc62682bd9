"""What is remembered comes back, and a file that is not ours never costs the user a start."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.ui.settings import FORMAT, KEPT, SET_ASIDE, Recent, Settings, default_path, stamp_of

OURS = {"format": FORMAT, "version": 1}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.json"


def kept(path: Path, held: Any) -> Settings:
    """Settings of a file that somebody wrote."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(held if isinstance(held, str) else json.dumps(held), "utf-8")
    return Settings(path)


def test_they_lie_in_the_configuration_folder_of_the_user(home: Path) -> None:
    if sys.platform == "linux":
        assert default_path() == home / "config" / "stream-inspector" / "settings.json"


def test_values_and_recordings_come_back(path: Path) -> None:
    first = Settings(path)
    first.put("theme", "dark")
    first.put("panes", {"a": [1, 2]})
    first.opened("/tmp/a.sse", 100)
    first.opened("/tmp/b.sse", 200)
    first.learn("/tmp/a.sse", stamp=[5, 6], digest={"x": 1}, readers=["reference", None])
    second = Settings(path)
    assert (second.note, second.value("theme", ""), second.value("panes", {})) == ("", "dark", {"a": [1, 2]})
    assert second.recent() == [
        Recent("/tmp/b.sse", 200),
        Recent("/tmp/a.sse", 100, (5, 6), {"x": 1}, ("reference", None)),
    ]


def test_a_recording_that_is_opened_again_moves_up_with_all_that_is_known(path: Path) -> None:
    settings = Settings(path)
    for number in range(KEPT + 5):
        settings.opened(f"/r/{number}", number)
    assert [recent.path for recent in settings.recent()[:2]] == [f"/r/{KEPT + 4}", f"/r/{KEPT + 3}"]
    assert len(settings.recent()) == KEPT
    settings.learn("/r/20", digest={"x": 1})
    settings.opened("/r/20", 1000)
    assert settings.recent()[0] == Recent("/r/20", 1000, None, {"x": 1})
    assert len(settings.recent()) == KEPT


def test_forgetting_one_or_all(path: Path) -> None:
    settings = Settings(path)
    for name in "abc":
        settings.opened(name, 1)
    settings.forget("b")
    assert [recent.path for recent in Settings(path).recent()] == ["c", "a"]
    settings.learn("b", digest={})
    settings.forget()
    assert Settings(path).recent() == []


def test_two_windows_do_not_undo_each_other(path: Path) -> None:
    one, other = Settings(path), Settings(path)
    one.put("theme", "dark")
    other.opened("/tmp/a.sse", 1)
    one.opened("/tmp/b.sse", 2)
    last = Settings(path)
    assert last.value("theme", "") == "dark"
    assert [recent.path for recent in last.recent()] == ["/tmp/b.sse", "/tmp/a.sse"]


def test_without_a_path_nothing_is_written(home: Path) -> None:
    settings = Settings()
    settings.opened("/tmp/a.sse", 1)
    assert len(settings.recent()) == 1
    assert not home.exists()


@pytest.mark.parametrize(
    "held, why",
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100_000, ""),
        ("[]", "not of this program"),
        ('{"format": "other"}', "not of this program"),
        ({"theme": "dark"}, "not of this program"),
    ],
)
def test_a_broken_or_foreign_file_is_said_and_kept(path: Path, held: Any, why: str) -> None:
    settings = kept(path, held)
    before = path.read_bytes()
    assert why in settings.note
    assert settings.value("theme", "system") == "system"
    assert path.read_bytes() == before
    settings.put("theme", "dark")
    settings.put("theme", "light")
    assert path.with_name(SET_ASIDE).read_bytes() == before
    assert Settings(path).value("theme", "") == "light"


def test_bytes_that_are_no_text_are_said(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe{}")
    assert "no JSON" in Settings(path).note


@pytest.mark.parametrize("version", [2, 99, "1", None])
def test_settings_of_a_newer_version_are_left_alone(path: Path, version: Any) -> None:
    settings = kept(path, {"format": FORMAT, "version": version, "theme": "dark"})
    before = path.read_bytes()
    assert "newer version" in settings.note
    settings.put("theme", "light")
    assert settings.value("theme", "") == "light"
    assert path.read_bytes() == before


@pytest.mark.parametrize("value", [None, 3, "x", ["a"], {"a": 1}, True])
@pytest.mark.parametrize("default", ["", 0, False, [], {}])
def test_a_value_of_another_type_is_the_default(path: Path, value: Any, default: Any) -> None:
    settings = kept(path, {**OURS, "it": value})
    found = settings.value("it", default)
    assert found == (value if type(value) is type(default) else default)


@pytest.mark.parametrize(
    "entry, recent",
    [
        ({"path": "a", "opened": 5}, Recent("a", 5)),
        ({"path": "a"}, Recent("a", 0)),
        ({"path": "a", "opened": "soon", "stamp": [1], "digest": [], "readers": ["x"]}, Recent("a", 0)),
        ({"path": "a", "opened": -3, "stamp": [1, 2.5], "readers": [1, None]}, Recent("a", 0)),
        ({"path": "a", "opened": 1 << 60, "stamp": [1, 2], "readers": ["x", 1]}, Recent("a", 0, (1, 2))),
        ({"path": ""}, None),
        ({"path": 3}, None),
        ("a", None),
        (None, None),
    ],
)
def test_an_entry_is_taken_as_far_as_it_is_one(path: Path, entry: Any, recent: Recent | None) -> None:
    settings = kept(path, {**OURS, "recent": [entry, {"path": "z", "opened": 1}]})
    assert settings.recent() == [*([recent] if recent else []), Recent("z", 1)]
    settings.opened("a", 9)
    settings.learn("a", stamp=[1, 2])
    settings.forget("z")
    assert [known.path for known in settings.recent()] == ["a"]


@given(held=JSON, recent=JSON)
def test_no_json_stops_the_window(tmp_path_factory: pytest.TempPathFactory, held: Any, recent: Any) -> None:
    path = tmp_path_factory.mktemp("any") / "settings.json"
    for content in (held, {**OURS, "recent": recent}, {**OURS, "recent": [recent, {"path": "a", "stamp": recent}]}):
        settings = kept(path, content)
        settings.recent()
        settings.opened("b", 3)
        assert settings.recent()[0] == Recent("b", 3)


def test_names_that_are_no_utf8_are_remembered(path: Path) -> None:
    name = os.fsdecode(b"/tmp/\xff\xfe.sse")
    Settings(path).opened(name, 1)
    assert [recent.path for recent in Settings(path).recent()] == [name]


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    settings = Settings(tmp_path / "file" / "settings.json")
    settings.put("theme", "dark")
    assert settings.value("theme", "") == "dark"
    assert "settings.json" in settings.note


def test_nothing_is_left_behind_when_the_disk_fails(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(path)
    settings.put("theme", "dark")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    settings.put("theme", "light")
    assert "No space left on device" in settings.note
    assert [file.name for file in path.parent.iterdir()] == ["settings.json"]
    monkeypatch.undo()
    assert Settings(path).value("theme", "") == "dark"


def test_a_stamp_tells_one_content_from_another(tmp_path: Path) -> None:
    file = tmp_path / "a"
    assert stamp_of(str(file)) is None
    assert stamp_of("a\0b") is None
    file.write_bytes(b"abc")
    first = stamp_of(str(file))
    assert first is not None
    assert first[0] == 3
    file.write_bytes(b"abcd")
    assert stamp_of(str(file)) != first
