"""Requests of before come back without their secrets, the oldest are forgotten, and damage costs a line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inspector_app.live import history
from inspector_app.live.history import Past, history_file, recall, remember
from inspector_app.live.keys import typed
from inspector_app.live.providers import Provider
from inspector_app.live.request import outgoing
from inspector_app.live.request_import import from_request

KEY = "canary-0123456789abcdef"
SHAPED = "sk-" + "canary0123456789" * 2
CHAT = Provider("x", base_url="https://llm.example.com/v1", dialect="openai-chat", model="m")
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "below" / "requests.jsonl"


def ask(file: Path, text: str = "hi", key: str = KEY) -> bool:
    return remember(file, "x", outgoing(CHAT, {"text": text}, typed(key)), NOON)


def test_what_was_asked_comes_back_newest_first(file: Path) -> None:
    assert recall(file) == []
    assert ask(file, "one")
    assert ask(file, "two")
    assert [past.request["body"]["text"] for past in recall(file)] == ["two", "one"]
    past = recall(file)[0]
    assert (past.at, past.provider, past.masked) == ("2026-11-29T12:00:00Z", "x", False)
    again = from_request(past.request)
    assert (again.provider.base_url, again.body) == (CHAT.base_url, {"model": "m", "text": "two"})


def test_no_secret_reaches_the_file_not_even_out_of_a_prompt(file: Path) -> None:
    ask(file, f"why does {KEY} not work, nor {SHAPED}?")
    assert "canary" not in file.read_text()
    assert recall(file)[0].masked
    assert file.stat().st_mode & 0o077 == 0


def test_the_oldest_are_forgotten(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST", 4)
    for number in range(11):
        ask(file, str(number))
        assert [past.request["body"]["text"] for past in recall(file)][:1] == [str(number)]
    assert [past.request["body"]["text"] for past in recall(file)] == ["10", "9", "8", "7"]
    assert len(file.read_bytes().splitlines()) <= 5
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_the_file_does_not_grow_beyond_its_limit(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "LARGEST_FILE", 4000)
    for number in range(20):
        ask(file, str(number) * 100)
        assert file.stat().st_size <= 4000
    assert recall(file)[0].request["body"]["text"] == "19" * 100


def test_a_request_that_is_too_large_is_not_kept(file: Path) -> None:
    assert not ask(file, "x" * history.LARGEST)
    assert recall(file) == []


@pytest.mark.parametrize(
    "damage", [b'{"at": "torn', b"\xff\xfe", b"[]", b'{"at": 1, "provider": 2, "request": 3}', b"[" * 100_000]
)
def test_damage_costs_one_line(file: Path, damage: bytes) -> None:
    ask(file, "one")
    with file.open("ab") as out:
        out.write(damage)
    ask(file, "two")
    assert [past.request["body"]["text"] for past in recall(file)] == ["two", "one"]


def test_the_file_stands_in_the_folder_of_the_users_data(home: Path) -> None:
    assert history_file() == home / "data" / "stream-inspector" / "requests.jsonl"


def test_a_mask_in_the_body_is_told() -> None:
    masked = json.loads('{"body": {"a": "<redacted: sha256:0123abcd, 9 chars>"}}')
    assert Past("", "", masked).masked
