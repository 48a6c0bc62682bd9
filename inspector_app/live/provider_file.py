"""Writes providers.toml: one entry changed, everything else left as its owner wrote it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from inspector_app.live.providers import EDITABLE, Provider, ProviderFault, load_presets, provider_of, read_toml


def save_providers(
    path: Path, changes: Mapping[str, Provider | None], presets: Mapping[str, Provider] | None = None
) -> None:
    """Writes the providers given, and takes those out that are None; comments, order and the other entries stay.

    Only what differs from the preset is written. The file is replaced in one step. Raises ProviderFault when a
    provider would be refused on loading, a secret in it included, or the file cannot be read or written.
    """
    presets = load_presets() if presets is None else presets
    for name, provider in changes.items():
        if provider is not None:
            provider_of(f"{path}: [providers.{name}]", name, entry_of(provider, presets), presets)
    read_toml(path)
    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8-sig")) if path.exists() else tomlkit.document()
        entries = document.setdefault("providers", tomlkit.table(is_super_table=True))
        for name, provider in changes.items():
            if provider is None:
                entries.pop(name, None)
            else:
                _update(entries, name, entry_of(provider, presets))
        text = tomlkit.dumps(document)
    except (TOMLKitError, AttributeError, TypeError) as error:
        raise ProviderFault(f"{path}: cannot be changed: {type(error).__name__}; mend it by hand") from None
    try:
        _replace(path, text)
    except OSError as error:
        raise ProviderFault(f"{path}: cannot be written: {error.strerror or error}") from None


def entry_of(provider: Provider, presets: Mapping[str, Provider]) -> dict[str, Any]:
    """What an entry has to say: the values that differ from those of the provider's preset."""
    base = presets.get(provider.preset) or Provider("")
    entry: dict[str, Any] = {"preset": provider.preset} if provider.preset else {}
    for key in EDITABLE:
        value = getattr(provider, key)
        if key != "preset" and value != getattr(base, key):
            entry[key] = dict(value) if isinstance(value, Mapping) else value
    return entry


def _update(entries: Any, name: str, entry: Mapping[str, Any]) -> None:
    table = entries.get(name)
    if table is None:
        table = tomlkit.table()
        entries[name] = table
    for key in [key for key in table if key not in entry]:
        del table[key]
    for key, value in entry.items():
        if key not in table or table[key] != value:
            table[key] = tomlkit.item(_inline(value) if isinstance(value, dict) else _number(value))


def _inline(value: dict[str, Any]) -> Any:
    inline = tomlkit.inline_table()
    for key, one in value.items():
        inline[key] = _inline(one) if isinstance(one, dict) else one
    return inline


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _replace(path: Path, text: str) -> None:
    target = path.resolve()  # The file may be a link into somebody's repository of settings.
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".providers-", suffix=".toml")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            Path(name).chmod(target.stat().st_mode & 0o777)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
