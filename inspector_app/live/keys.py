"""Keys: from an environment variable, the keyring of the system where there is a real one, or typed for this run.

Never from a file, never into one: a key lives in a `Credentials`, whose repr does not show it.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspector_app.live.providers import Provider, ProviderFault

SERVICE = "stream-inspector"
"""Under which name keys stand in the keyring."""


@dataclass(frozen=True, slots=True, repr=False)
class Credentials:
    """What must not be seen of a request: the key, and header fields and query parameters given for this run only.

    `source` says in words where the key is from.
    """

    key: str = ""
    source: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        names = [name for name, _ in (*self.headers, *self.query)]
        return f"Credentials(key={'hidden' if self.key else 'none'}, source={self.source!r}, names={names})"

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every value that must not be seen, the longest first."""
        values = {self.key, *(value for _, value in (*self.headers, *self.query))} - {""}
        return tuple(sorted(values, key=len, reverse=True))


NO_CREDENTIALS = Credentials()


def typed(key: str) -> Credentials:
    """A key that the user gave for this run. Raises ProviderFault when it cannot be a key."""
    return Credentials(_usable(key, "the key"), "typed for this run")


def find_credentials(provider: Provider, environment: Mapping[str, str] | None = None) -> Credentials:
    """The key of a provider, from where its entry says; none where it needs none or names no place.

    Raises ProviderFault when the place is named and holds no key.
    """
    if provider.auth_style == "none":
        return NO_CREDENTIALS
    if variable := provider.key_env:
        key = (os.environ if environment is None else environment).get(variable, "")
        if not key.strip():
            raise ProviderFault(f"{provider.name}: the environment variable {variable} (key_env) is not set: export it")
        return Credentials(_usable(key, f"the key in {variable}"), f"the environment variable {variable}")
    if entry := provider.key_keyring:
        return Credentials(_from_keyring(provider.name, entry), f"the keyring entry {entry}")
    return NO_CREDENTIALS


def keyring_trouble() -> str:
    """Why the keyring of the system cannot keep keys, in words; empty when it can."""
    try:
        keyring: Any = importlib.import_module("keyring")
    except ImportError:
        return "the package keyring is not installed (pip install 'stream-inspector[keyring]')"
    try:
        backend = keyring.get_keyring()
        real = backend.priority > 0 and not type(backend).__module__.startswith("keyrings.alt")
    except Exception as error:  # Backends of other projects fail in their own ways.
        return f"the keyring of this system does not work ({type(error).__name__})"
    return "" if real else "this system has no keyring that keeps secrets"


def keep_in_keyring(entry: str, key: str) -> None:
    """Puts a key into the keyring of the system. Raises ProviderFault when there is none, or it refuses."""
    _keyring_call("set_password", entry, _usable(key, "the key"))


def drop_from_keyring(entry: str) -> None:
    """Takes a key out of the keyring of the system. Raises ProviderFault when that fails."""
    _keyring_call("delete_password", entry)


def _from_keyring(name: str, entry: str) -> str:
    key = _keyring_call("get_password", entry)
    if not isinstance(key, str) or not key.strip():
        raise ProviderFault(f"{name}: the keyring has no entry {entry!r} (key_keyring) of {SERVICE}: put the key there")
    return _usable(key, f"the key in the keyring entry {entry}")


def _keyring_call(function: str, *arguments: str) -> Any:
    if trouble := keyring_trouble():
        raise ProviderFault(f"{trouble}: name an environment variable with key_env, or give the key for this run")
    keyring: Any = importlib.import_module("keyring")
    try:
        return getattr(keyring, function)(SERVICE, *arguments)
    except Exception as error:  # Locked, refused by the user, no session: each backend has its own; none is quoted.
        raise ProviderFault(f"the keyring of this system refused ({type(error).__name__}): unlock it") from None


def _usable(key: str, what: str) -> str:
    key = key.strip()
    if not key:
        raise ProviderFault(f"{what} is empty")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ProviderFault(f"{what} has a space, a line break or a letter beyond ASCII in it: copy it again")
    return key
