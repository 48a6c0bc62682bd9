"""providers.toml is checked key by key, secrets are refused wherever they stand, and the presets are whole."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from inspector_app.live.asking import ASKING, dialect_of
from inspector_app.live.provider_file import save_providers
from inspector_app.live.providers import (
    IDLE_S,
    Provider,
    ProviderFault,
    Quirk,
    known_providers,
    load_presets,
    load_providers,
    providers_file,
)
from inspector_app.live.request import address

KEY = "sk-" + "canary0123456789" * 2
OPAQUE = "b5e1f0c2d3a4958677aabbccddeeff00"

GATEWAY = """
[providers.my-gateway]
title = "My gateway"
base_url = "https://llm.example.com/v1"
path = "/chat/completions"
dialect = "openai-chat"
model = "glm-5.2"
auth = "bearer"
key_env = "MY_GATEWAY_KEY"
query = { "api-version" = "2026-01-01" }
headers = { "x-team" = "infra" }
extra_body = { "reasoning" = { "effort" = "high" } }
ca_file = "/path/to/ca.pem"
proxy = "http://127.0.0.1:3128"
timeout_idle_s = 30
"""

WANTED = {
    "openai", "openrouter", "deepseek", "zai", "zai-coding", "minimax", "moonshot", "dashscope", "opencode", "mistral",
    "xai", "groq", "azure-openai", "anthropic", "anthropic-compatible", "gemini", "ollama", "lm-studio", "vllm",
    "llama-cpp", "litellm", "custom",
}  # fmt: skip


def entry(**values: str) -> str:
    """A whole entry with some values set as TOML; an empty text takes the key out."""
    whole = {"base_url": '"https://llm.example.com/v1"', "dialect": '"openai-chat"'} | values
    return "[providers.x]\n" + "".join(f"{key} = {value}\n" for key, value in whole.items() if value)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "providers.toml"


def test_an_entry_with_every_key_is_read(file: Path) -> None:
    file.write_text(GATEWAY)
    assert load_providers(file) == {
        "my-gateway": Provider(
            "my-gateway",
            title="My gateway",
            base_url="https://llm.example.com/v1",
            path="/chat/completions",
            dialect="openai-chat",
            model="glm-5.2",
            auth="bearer",
            key_env="MY_GATEWAY_KEY",
            query={"api-version": "2026-01-01"},
            headers={"x-team": "infra"},
            extra_body={"reasoning": {"effort": "high"}},
            ca_file="/path/to/ca.pem",
            proxy="http://127.0.0.1:3128",
            timeout_idle_s=30.0,
        )
    }


def test_a_missing_file_holds_no_providers(file: Path) -> None:
    assert load_providers(file) == {}
    assert known_providers(file) == load_presets()


def test_the_file_stands_in_the_folder_of_the_settings() -> None:
    assert providers_file().name == "providers.toml"
    assert providers_file().parent.name == "stream-inspector"


def test_an_entry_takes_from_its_preset_what_it_does_not_say(file: Path) -> None:
    file.write_text('[providers.mine]\npreset = "openrouter"\nmodel = "qwen/qwen3"\nkey_keyring = "or"\n')
    mine, preset = load_providers(file)["mine"], load_presets()["openrouter"]
    assert (mine.base_url, mine.dialect, mine.knows) == (preset.base_url, preset.dialect, preset.knows)
    assert (mine.name, mine.model, mine.key_env, mine.key_keyring) == ("mine", "qwen/qwen3", "", "or")


def test_a_provider_of_the_user_takes_the_name_of_a_preset(file: Path) -> None:
    file.write_text('[providers.openai]\nbase_url = "http://localhost:9/v1"\ndialect = "openai-chat"\n')
    known = known_providers(file)
    assert known["openai"].base_url == "http://localhost:9/v1"
    assert set(known) == set(load_presets())


@pytest.mark.parametrize(
    "text, said",
    [
        ("x = 1", "unknown key 'x'; every provider is a table [providers.NAME]"),
        ("providers = 1", "providers must be a table of tables"),
        ("[providers]\nx = 1", "[providers.x] must be a table"),
        ('[providers."a b"]', "[providers.a b]: a name must be letters"),
        ("[providers.x", "is not TOML"),
        (entry(base_url=""), "[providers.x]: base_url is missing"),
        (entry(dialect=""), "[providers.x]: dialect is missing"),
        (entry(preset='"azure-openai"', base_url=""), "base_url is missing; it looks like https://YOUR-RESOURCE"),
        (entry(preset='"opnai"'), "preset: there is no preset 'opnai'; did you mean 'openai'?"),
        (entry(base_ulr='"x"'), "unknown key 'base_ulr'; did you mean 'base_url'?"),
        (entry(dialect='"openai"'), "dialect: must be one of openai-chat, "),
        (entry(auth='"basic"'), "auth: must be one of bearer, x-api-key, "),
        (entry(base_url='"llm.example.com"'), "base_url: must be a whole URL"),
        (entry(base_url='"ftp://llm.example.com"'), "base_url: must be a whole URL"),
        (entry(base_url='"https://x:99999/v1"'), "base_url: is not a URL"),
        (entry(base_url='"https://x/v1?api-version=1"'), "base_url: what follows the ? belongs into query"),
        (entry(path='"v1/chat"'), "path: must begin with one /"),
        (entry(path='"//evil.example/x"'), "path: must begin with one /"),
        (entry(model="1"), "model: must be text in quotes"),
        (entry(model='"a\\nb"'), "model: has a control character"),
        (entry(query="1"), "query: must be a table"),
        (entry(query="{ v = 2026-01-01 }"), "query: v must be text in quotes"),
        (entry(headers='{ "a b" = "x" }'), "headers: 'a b' is not a name that a header can have"),
        (entry(headers='{ a = "x\\r\\nb: y" }'), "headers: a has a control character in it"),
        (entry(headers='{ a = "ü" }'), "headers: a may hold ASCII only"),
        (entry(extra_body="{ a = inf }"), "extra_body: JSON has no infinity"),
        (entry(extra_body="{ a = [2026-01-01] }"), "extra_body: JSON has no dates"),
        (entry(timeout_idle_s="0"), "timeout_idle_s: must be a number of seconds above 0"),
        (entry(timeout_idle_s="true"), "timeout_idle_s: must be a number of seconds above 0"),
        (entry(proxy='"socks4://x:1"'), "proxy: must be a whole URL, beginning with http://, https://, socks5:// or socks5h://"),
        (entry(key_env='"MY KEY"'), "key_env: must be the name of an environment variable, never the key itself"),
    ],
)
def test_a_fault_names_file_entry_and_key_in_one_line(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(ProviderFault, match=re.escape(said)) as fault:
        load_providers(file)
    assert str(fault.value).startswith(str(file))
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    "text",
    [
        entry(api_key=f'"{OPAQUE}"'),
        entry(key=f'"{OPAQUE}"'),
        entry(token=f'"{OPAQUE}"'),
        entry(key_env=f'"{OPAQUE}-"'),
        entry(key_env=f'"{KEY}"'),
        entry(auth=f'"Bearer {OPAQUE}"'),
        entry(model=f'"{KEY}"'),
        entry(title=f'"{KEY}"'),
        entry(headers=f'{{ Authorization = "Bearer {OPAQUE}" }}'),
        entry(headers=f'{{ x-api-key = "{OPAQUE}" }}'),
        entry(headers=f'{{ x-mine = "{KEY}" }}'),
        entry(query=f'{{ key = "{OPAQUE}" }}'),
        entry(query=f'{{ mine = "{KEY}" }}'),
        entry(extra_body=f'{{ api_key = "{OPAQUE}" }}'),
        entry(extra_body=f'{{ a = [{{ b = "{KEY}" }}] }}'),
        entry(extra_body=f'{{ "{KEY}" = 1 }}'),
        entry(base_url=f'"https://{OPAQUE}@x/v1"'),
        entry(base_url=f'"https://me:{OPAQUE}@x/v1"'),
        entry(base_url=f'"https://x/v1?key={OPAQUE}"'),
        entry(proxy=f'"http://me:{OPAQUE}@x:1"'),
        f'[providers."{KEY}"]\nbase_url = 1',
    ],
)
def test_a_secret_in_the_file_is_refused_and_not_repeated(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(ProviderFault) as fault:
        load_providers(file)
    assert KEY not in str(fault.value)
    assert OPAQUE not in str(fault.value)


def test_a_header_that_only_looks_like_a_secret_is_taken(file: Path) -> None:
    file.write_text(entry(headers='{ x-max-tokens = "500", x-ratelimit-key = "team" }'))
    assert load_providers(file)["x"].headers == {"x-max-tokens": "500", "x-ratelimit-key": "team"}


def test_saving_changes_one_entry_and_leaves_the_rest_as_it_was_written(file: Path) -> None:
    file.write_text(f"# mine\n{GATEWAY}# the end of it\n\n[providers.or]\npreset = 'openrouter' # cheap\n")
    before = load_providers(file)
    save_providers(file, {"my-gateway": replace(before["my-gateway"], model="", timeout_idle_s=IDLE_S)})
    text = file.read_text()
    assert "model" not in text
    assert "timeout_idle_s" not in text
    assert text.startswith("# mine\n\n[providers.my-gateway]\ntitle")
    assert text.endswith("# the end of it\n\n[providers.or]\npreset = 'openrouter' # cheap\n")
    assert load_providers(file)["or"] == before["or"]


def test_what_is_saved_is_what_is_loaded(file: Path) -> None:
    new = replace(
        load_presets()["openai"], name="new", preset="openai", model="m", key_env="", key_keyring="k",
        extra_body={"a": {"b": [1, {"c": 2.5}]}, "d": "ü\u2028\\"}, headers={"x-a": "b"},
    )  # fmt: skip
    bare = Provider("bare", base_url="http://localhost:1", dialect="ollama-chat")
    save_providers(file, {"new": new, "bare": bare})
    assert load_providers(file) == {"new": new, "bare": bare}
    assert "base_url" not in file.read_text().partition("[providers.bare]")[0], "the preset says it"
    save_providers(file, {"new": None})
    assert load_providers(file) == {"bare": bare}


def test_saving_refuses_what_loading_would_refuse_and_leaves_the_file_alone(file: Path) -> None:
    file.write_text(GATEWAY)
    bad = Provider("x", base_url="https://x/v1", dialect="openai-chat", headers={"x-api-key": KEY})
    with pytest.raises(ProviderFault, match=r"\[providers.x\] headers: x-api-key"):
        save_providers(file, {"x": bad})
    file.write_text("[providers.x")
    with pytest.raises(ProviderFault, match="is not TOML"):
        save_providers(file, {"y": replace(bad, headers={})})
    assert file.read_text() == "[providers.x"
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_file_that_is_a_link_stays_one(tmp_path: Path, file: Path) -> None:
    real = tmp_path / "dotfiles" / "p.toml"
    real.parent.mkdir()
    real.write_text(GATEWAY)
    real.chmod(0o640)
    file.symlink_to(real)
    save_providers(file, {"my-gateway": None})
    assert file.is_symlink()
    assert load_providers(real) == {}
    assert real.stat().st_mode & 0o777 == 0o640


def test_the_wanted_presets_are_shipped() -> None:
    assert set(load_presets()) >= WANTED


@pytest.mark.parametrize("name", sorted(WANTED))
def test_a_preset_is_whole(name: str) -> None:
    preset = load_presets()[name]
    assert preset.title
    assert preset.dialect in ASKING
    assert bool(preset.base_url) != bool(preset.knows.base_url_form), "an address, or what the user's own looks like"
    assert preset.model == "", "which models there are changes too often"
    local = "localhost" in preset.base_url
    assert local or preset.key_env or not preset.base_url
    reasoning = preset.knows.reasoning
    assert bool(reasoning.levels) == bool(reasoning.source)
    for level, body in reasoning.levels.items():
        assert re.fullmatch(r"[a-z]+", level)
        assert isinstance(body, dict)
        assert body
    assert all(isinstance(quirk, Quirk) and quirk.text and "\n" not in quirk.text for quirk in preset.knows.quirks)
    links = [preset.knows.docs, reasoning.source, *(quirk.source for quirk in preset.knows.quirks)]
    assert all(link == "" or link.startswith("https://") for link in links)
    if preset.base_url:
        assert dialect_of(address(preset, "m")) == preset.dialect


@pytest.mark.parametrize(
    "text, said",
    [
        ('dialect = "openai-chat"', "title is missing"),
        ('title = "X"\ndialect = "openai-chat"\nquriks = []', "unknown key 'quriks'"),
        ('title = "X"\ndialect = "openai-chat"\n[reasoning]\nlevel = 1', "unexpected keyword argument 'level'"),
        ('title = "X"\ndialect = "openai-chat"\npreset = "openai"', "unknown key 'preset'"),
    ],
)
def test_a_preset_that_is_wrong_says_so(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(ProviderFault, match=said):
        load_presets(tmp_path)
