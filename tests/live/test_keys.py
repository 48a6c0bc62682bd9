"""Keys come from the environment, a real keyring, or the user; nothing shows them."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from inspector_app.live.keys import (
    NO_CREDENTIALS,
    Credentials,
    drop_from_keyring,
    find_credentials,
    keep_in_keyring,
    keyring_trouble,
    typed,
)
from inspector_app.live.providers import Provider, ProviderFault

KEY = "canary-0123456789abcdef"
CHAT = Provider("x", base_url="https://x/v1", dialect="openai-chat")
IN_ENVIRONMENT = Provider("x", base_url="https://x/v1", dialect="openai-chat", key_env="X_KEY")
IN_KEYRING = Provider("x", base_url="https://x/v1", dialect="openai-chat", key_keyring="my-x")


class Keyring(ModuleType):
    """A stand-in for the package: one backend with a priority, a store, and a mood."""

    def __init__(
        self, priority: float = 5, module: str = "keyring.backends.SecretService", angry: bool = False
    ) -> None:
        super().__init__("keyring")
        self.stored: dict[tuple[str, str], str] = {}
        self.angry = angry
        self.backend = type("Keyring", (), {"priority": priority, "__module__": module})()

    def get_keyring(self) -> Any:
        return self.backend

    def get_password(self, service: str, entry: str) -> str | None:
        if self.angry:
            raise RuntimeError(f"locked, and here is a secret: {KEY}")
        return self.stored.get((service, entry))

    def set_password(self, service: str, entry: str, key: str) -> None:
        self.stored[service, entry] = key

    def delete_password(self, service: str, entry: str) -> None:
        del self.stored[service, entry]


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Keyring:
    made = Keyring(**getattr(request, "param", {}))
    monkeypatch.setitem(sys.modules, "keyring", made)
    return made


def test_a_key_in_the_environment_is_found() -> None:
    found = find_credentials(IN_ENVIRONMENT, {"X_KEY": f" {KEY}\n"})
    assert (found.key, found.source) == (KEY, "the environment variable X_KEY")


@pytest.mark.parametrize("provider", [CHAT, Provider("x", base_url="http://x", dialect="ollama-chat", key_env="X_KEY")])
def test_a_provider_without_a_place_or_a_need_for_a_key_has_none(provider: Provider) -> None:
    assert find_credentials(provider, {}) == NO_CREDENTIALS


@pytest.mark.parametrize("value", [None, "", "  \n"])
def test_a_variable_that_is_not_set_is_named(value: str | None) -> None:
    with pytest.raises(ProviderFault, match=r"x: the environment variable X_KEY \(key_env\) is not set"):
        find_credentials(IN_ENVIRONMENT, {} if value is None else {"X_KEY": value})


@pytest.mark.parametrize("bad", ["two words", "line\nbreak", "schlüssel", "a\x00b"])
def test_what_cannot_be_a_key_is_refused_and_not_repeated(bad: str) -> None:
    with pytest.raises(ProviderFault, match="has a space, a line break or a letter beyond ASCII") as fault:
        find_credentials(IN_ENVIRONMENT, {"X_KEY": bad})
    assert bad not in str(fault.value)


def test_a_real_keyring_keeps_keys(keyring: Keyring) -> None:
    assert keyring_trouble() == ""
    keep_in_keyring("my-x", KEY)
    assert keyring.stored == {("stream-inspector", "my-x"): KEY}
    assert find_credentials(IN_KEYRING).key == KEY
    drop_from_keyring("my-x")
    with pytest.raises(ProviderFault, match="the keyring has no entry 'my-x'"):
        find_credentials(IN_KEYRING)


@pytest.mark.parametrize(
    "keyring, said",
    [
        ({"priority": 0}, "no keyring that keeps secrets"),
        ({"priority": -1}, "no keyring that keeps secrets"),
        ({"priority": 5, "module": "keyrings.alt.file"}, "no keyring that keeps secrets"),
    ],
    indirect=["keyring"],
)
def test_a_keyring_that_keeps_no_secrets_is_not_used(keyring: Keyring, said: str) -> None:
    assert said in keyring_trouble()
    with pytest.raises(ProviderFault, match="name an environment variable with key_env"):
        keep_in_keyring("my-x", KEY)
    assert keyring.stored == {}


def test_a_keyring_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ProviderFault, match="the package keyring is not installed"):
        find_credentials(IN_KEYRING)


def test_a_keyring_that_breaks_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    broken: Any = SimpleNamespace(get_keyring=lambda: 1 / 0)
    monkeypatch.setitem(sys.modules, "keyring", broken)
    assert keyring_trouble() == "the keyring of this system does not work (ZeroDivisionError)"


@pytest.mark.parametrize("keyring", [{"angry": True}], indirect=True)
def test_what_a_keyring_complains_of_is_not_repeated(keyring: Keyring) -> None:
    with pytest.raises(ProviderFault, match=r"refused \(RuntimeError\)") as fault:
        find_credentials(IN_KEYRING)
    assert KEY not in str(fault.value)
    assert fault.value.__cause__ is None
    assert fault.value.__suppress_context__


def test_credentials_do_not_show_what_they_hold() -> None:
    held = Credentials(KEY, "typed for this run", (("cookie", f"sid={KEY}"),), (("key", f"{KEY}-2"),))
    for shown in (repr(held), str(held), f"{held}", f"{[held]}"):
        assert KEY not in shown
        assert "cookie" in shown
    assert held.secrets == (f"sid={KEY}", f"{KEY}-2", KEY)
    assert typed(f"{KEY} ").key == KEY
