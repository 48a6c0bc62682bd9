"""The providers that can be asked: the user's own, those that are shipped, and the keys typed for this run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from inspector_app.live.keys import NO_CREDENTIALS, Credentials, find_credentials, typed
from inspector_app.live.provider_file import save_providers
from inspector_app.live.providers import Provider, ProviderFault, load_presets, load_providers, providers_file
from inspector_app.live.request import address
from inspector_app.live.request_import import Imported

UNNAMED = "custom"
"""The preset that is none: any server."""


class Catalogue(QObject):
    """`changed`: other providers than before. `fault` says why the user's own cannot be read."""

    changed = Signal()

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path or providers_file()
        self.presets: dict[str, Provider] = {}
        self.own: dict[str, Provider] = {}
        self.fault = ""
        self._typed: dict[tuple[str, str], Credentials] = {}
        self._listed: dict[tuple[str, str], tuple[str, ...]] = {}
        self.reload()

    def reload(self) -> None:
        """Read the file again: it may have been changed by hand."""
        self.presets = load_presets()
        self.fault = ""
        try:
            self.own = load_providers(self.path, self.presets)
        except ProviderFault as fault:
            self.own, self.fault = {}, str(fault)
        self.changed.emit()

    def find(self, name: str) -> Provider | None:
        """The provider of that name, the user's own before a shipped one."""
        return self.own.get(name) or self.presets.get(name)

    def save(self, provider: Provider, instead_of: str = "") -> None:
        """Write a provider, and take the one out that had another name. Raises ProviderFault, also where another entry
        of the file cannot be read: what would be written could not be used.
        """
        if self.fault:
            raise ProviderFault(self.fault)
        changes: dict[str, Provider | None] = {provider.name: provider}
        if instead_of and instead_of != provider.name:
            changes = {instead_of: None, **changes}
        save_providers(self.path, changes, self.presets)
        self.reload()

    def delete(self, name: str) -> None:
        """Take a provider out of the file. Raises ProviderFault."""
        save_providers(self.path, {name: None}, self.presets)
        self.reload()

    def fitting(self, imported: Imported, name: str = "") -> Provider:
        """The known provider that asks the same address in the same dialect, else the one that was imported.

        Of several the one called `name` comes first.
        """
        wanted = imported.provider
        for known in sorted((*self.own.values(), *self.presets.values()), key=lambda one: one.name != name):
            if known.dialect == wanted.dialect and _address(known) == _address(wanted):
                return known
        return wanted

    def first(self, last: str) -> Provider:
        """The provider to begin with: the last one, an own one, one whose key is there, any."""
        if (found := self.find(last)) is not None and found.base_url:
            return found
        ready = [one for one in self.presets.values() if one.base_url]
        with_key = [one for one in ready if one.key_env and os.environ.get(one.key_env)]
        return next(iter([*self.own.values(), *with_key]), self.presets.get("openai") or ready[0])

    # models

    def keep_models(self, provider: Provider, names: tuple[str, ...]) -> None:
        """Keep what a server listed, for this run."""
        self._listed[_place(provider)] = names

    def models(self, provider: Provider) -> tuple[str, ...]:
        """The models that a server listed, in its order; none before it was asked."""
        return self._listed.get(_place(provider), ())

    # keys

    def type_key(self, provider: Provider, key: str) -> None:
        """Keep a key for this run. Raises ProviderFault when it cannot be one."""
        self._typed[_place(provider)] = typed(key)
        self.changed.emit()

    def forget_key(self, provider: Provider) -> None:
        """Keep it no longer."""
        self._typed.pop(_place(provider), None)
        self.changed.emit()

    def typed_key(self, provider: Provider) -> Credentials | None:
        """The key that was typed for a provider."""
        return self._typed.get(_place(provider))

    def credentials(self, provider: Provider, environment: Mapping[str, str] | None = None) -> Credentials:
        """The key to send: the one typed, else from where the provider keeps it; none where it is not there.

        May wait for the keyring of the system. Raises ProviderFault where a key is there and cannot be used.
        """
        if provider.auth_style == "none":
            return NO_CREDENTIALS
        if (given := self._typed.get(_place(provider))) is not None:
            return given
        held = os.environ if environment is None else environment
        if provider.key_env and not held.get(provider.key_env, "").strip():
            return NO_CREDENTIALS
        return find_credentials(provider, held)


def _place(provider: Provider) -> tuple[str, str]:
    """A key typed for one server must not go to another of the same name."""
    return provider.name, provider.base_url


def _address(provider: Provider) -> str:
    try:
        return address(provider, "MODEL").rstrip("/")
    except ProviderFault:
        return provider.name
