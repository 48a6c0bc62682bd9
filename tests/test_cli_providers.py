"""The command `providers` lists presets and the user's own, and never a key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inspector_app.cli import main
from inspector_app.live.providers import load_presets

KEY = "sk-" + "canary0123456789" * 2


@pytest.fixture
def own(home: Path) -> Path:
    path = home / "config" / "stream-inspector" / "providers.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[providers.mine]\npreset = "openrouter"\ntitle = "Mine \\u202e"\nmodel = "m"\n')
    return path


def test_every_preset_has_a_line_with_its_address_and_its_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("MISTRAL_API_KEY", raising=False)
    assert main(["providers"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert set(lines) == set(load_presets())
    assert "OPENAI_API_KEY (set)" in lines["openai"]
    assert "MISTRAL_API_KEY (not set)" in lines["mistral"]
    assert lines["ollama"].split()[-3:] == ["no", "key", "http://localhost:11434"]
    assert "yours, like https://YOUR-RESOURCE" in lines["azure-openai"]
    assert KEY not in str(lines)


def test_the_users_own_come_first(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["providers"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("mine")
    assert "Mine \\u202e" in first


def test_programs_get_all_that_is_known(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["providers", "--json"]) == 0
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    mine, preset = found["mine"], found["openrouter"]
    assert (mine["own"], preset["own"]) == (True, False)
    assert mine["reasoning"]["high"] == {"reasoning": {"effort": "high"}}
    assert {key for key in mine if mine[key] != preset[key]} == {"name", "title", "own", "model"}


def test_a_file_that_has_to_be_mended_is_named_with_its_key(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text(f'[providers.mine]\npreset = "openrouter"\napi_key = "{KEY}"\n')
    assert main(["providers"]) == 2
    said = capsys.readouterr().err
    assert f"{own}: [providers.mine]: unknown key 'api_key'; a key never stands in this file" in said
    assert KEY not in said
