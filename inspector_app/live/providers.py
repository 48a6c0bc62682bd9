"""Providers: where to ask, how, and what is known of them (contract.md section 5)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

from inspector_app.core.redact import redact_text
from inspector_app.core.resources import resource
from inspector_app.core.rules import nearest
from inspector_app.live import provider_checks as checks
from inspector_app.live.asking import ASKING

IDLE_S = 120.0
"""Seconds without a byte after which a stream counts as dead, where a provider says nothing else."""


class ProviderFault(ValueError):
    """A provider that cannot be used: one line with the file, the entry, the key, and what to do. Never holds a value
    that may be a secret."""


@dataclass(frozen=True, slots=True)
class Quirk:
    """Something to know when reading this provider's streams; `source` is public, or empty."""

    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Reasoning:
    """How much a provider can be told to think: level -> what is merged into the body, least first."""

    levels: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    note: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a preset knows beyond the address. All of it may be empty: then it is not known, or there is none."""

    reasoning: Reasoning = Reasoning()
    quirks: tuple[Quirk, ...] = ()
    stream_body: Mapping[str, Any] = field(default_factory=dict)
    """Goes into the body beside the members that ask for a stream, such as `stream_options`."""
    models_path: str = ""
    """Path below the base URL where GET lists the models."""
    base_url_form: str = ""
    """What a base URL that only the user knows looks like."""
    docs: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Provider:
    """One place to stream from. Holds no key: `key_env` or `key_keyring` say where it is."""

    name: str
    title: str = ""
    base_url: str = ""
    path: str = ""
    """Below the base URL; empty for the dialect's own."""
    dialect: str = ""
    model: str = ""
    auth: str = ""
    """bearer, x-api-key, api-key, x-goog-api-key or none; empty for the dialect's own."""
    key_env: str = ""
    key_keyring: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    ca_file: str = ""
    proxy: str = ""
    timeout_idle_s: float = IDLE_S
    preset: str = ""
    """The preset that fills in what the entry does not say."""
    knows: Knowledge = Knowledge()

    @property
    def auth_style(self) -> str:
        """How the key is sent."""
        return self.auth or ASKING[self.dialect].auth


EDITABLE = tuple(one.name for one in fields(Provider) if one.name not in ("name", "knows"))
"""The keys of an entry in providers.toml."""

_BASICS = ("base_url", "dialect")


def providers_file() -> Path:
    """Where the user's own providers stand; the file need not exist."""
    return Path(platformdirs.user_config_dir("stream-inspector")) / "providers.toml"


def load_presets(folder: Path | None = None) -> dict[str, Provider]:
    """The shipped presets by name, in the order of their titles. Raises ProviderFault when one is wrong."""
    folder = folder or resource("resources", "providers")
    presets = [_preset(path) for path in sorted(folder.glob("*.toml"))]
    return {preset.name: preset for preset in sorted(presets, key=lambda preset: preset.title.lower())}


def load_providers(path: Path, presets: Mapping[str, Provider] | None = None) -> dict[str, Provider]:
    """The providers of a file by name, in its order; a missing file holds none.

    `presets` are those an entry may name, by default the shipped ones. Raises ProviderFault at the first entry that
    is wrong.
    """
    table = read_toml(path)
    for key in table:
        if key != "providers":
            raise ProviderFault(f"{path}: unknown key {key!r}; every provider is a table [providers.NAME]")
    entries = table.get("providers", {})
    if not isinstance(entries, dict):
        raise ProviderFault(f"{path}: providers must be a table of tables [providers.NAME]")
    known = load_presets() if presets is None else presets
    return {name: provider_of(_where(path, name), name, entry, known) for name, entry in entries.items()}


def known_providers(path: Path) -> dict[str, Provider]:
    """The user's providers and, under names that they do not take, the presets."""
    presets = load_presets()
    own = load_providers(path, presets)
    return own | {name: preset for name, preset in presets.items() if name not in own}


def _where(path: Path, name: str) -> str:
    return f"{path}: [providers.{redact_text(name)}]"


def provider_of(where: str, name: str, entry: Any, presets: Mapping[str, Provider]) -> Provider:
    """The provider that one entry describes. `where` begins each fault. Raises ProviderFault."""
    try:
        checks.name(name)
    except ValueError as error:
        raise ProviderFault(f"{where}: a name {error}") from None
    if not isinstance(entry, dict):
        raise ProviderFault(f"{where} must be a table")
    values = _values(where, entry, EDITABLE)
    base = Provider(name)
    if chosen := values.get("preset"):
        if chosen not in presets:
            raise ProviderFault(f"{where} preset: there is no preset {chosen!r}{nearest(chosen, presets)}")
        base = presets[chosen]
    if "key_env" in values or "key_keyring" in values:
        values = {"key_env": "", "key_keyring": "", **values}
    given = {one.name: getattr(base, one.name) for one in fields(Provider)} | {"name": name, "preset": ""} | values
    provider = Provider(**given)
    for key in _BASICS:
        if not given[key]:
            form = base.knows.base_url_form if key == "base_url" else ""
            raise ProviderFault(f"{where}: {key} is missing{form and f'; it looks like {form}'}")
    return provider


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file; an absent file is empty. Raises ProviderFault, which never quotes the text."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ProviderFault(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ProviderFault(f"{path}: is not UTF-8 at byte {error.start}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ProviderFault(f"{path}: is not TOML: {' '.join(str(error).split())}") from None


def _values(where: str, entry: Mapping[str, Any], allowed: tuple[str, ...]) -> dict[str, Any]:
    values = {}
    for key, value in entry.items():
        if key not in allowed:
            hint = "; a key never stands in this file" if checks.names_a_secret(key) else nearest(key, allowed)
            raise ProviderFault(f"{where}: unknown key {redact_text(key)!r}{hint}")
        try:
            # An empty text says that something of the preset does not hold here.
            values[key] = "" if value == "" else checks.CHECKS[key](value)
        except ValueError as error:
            raise ProviderFault(f"{where} {key}: {error}") from None
    return values


_KNOWS = tuple(one.name for one in fields(Knowledge))


def _preset(path: Path) -> Provider:
    table = read_toml(path)
    about = {key: table.pop(key) for key in _KNOWS if key in table}
    allowed = tuple(key for key in EDITABLE if key != "preset")
    values = _values(str(path), table, allowed)
    for key in ("title", "dialect"):
        if not values.get(key):
            raise ProviderFault(f"{path}: {key} is missing")
    try:
        knows = _knowledge(about)
    except (TypeError, AttributeError) as error:
        raise ProviderFault(f"{path}: {error}") from None
    return Provider(path.stem, **values, knows=knows)


def _knowledge(about: dict[str, Any]) -> Knowledge:
    reasoning = Reasoning(**about.pop("reasoning", {}))
    quirks = tuple(Quirk(**quirk) for quirk in about.pop("quirks", ()))
    return Knowledge(**about, reasoning=reasoning, quirks=quirks)
