"""The command `providers`: where can be streamed from, and whether the key is there."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any

from inspector_app.core.text import clip, terminal
from inspector_app.core.types import InputFault
from inspector_app.live.providers import Provider, ProviderFault, known_providers, load_presets, providers_file
from inspector_app.report import listing
from inspector_app.report.outline import dumps


def providers(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status. Raises InputFault where providers.toml has to be mended."""
    try:
        known = known_providers(providers_file())
    except ProviderFault as fault:
        raise InputFault(str(fault)) from None
    presets = load_presets()
    if options.json:
        print(dumps([provider_object(one, one != presets.get(name)) for name, one in known.items()]))
        return 0
    rows = [(one.name, clip(one.title, 40), one.dialect, _key(one), _address(one)) for one in known.values()]
    print(listing.table([tuple(map(terminal, row)) for row in rows]))
    return 0


def provider_object(provider: Provider, own: bool) -> dict[str, Any]:
    """What is known of a provider, for programs. `own`: it stands in the user's file."""
    knows = provider.knows
    return {
        "name": provider.name,
        "title": provider.title,
        "own": own,
        "base_url": provider.base_url or None,
        "base_url_form": knows.base_url_form or None,
        "dialect": provider.dialect,
        "model": provider.model or None,
        "auth": provider.auth_style,
        "key_env": provider.key_env or None,
        "key_keyring": provider.key_keyring or None,
        "reasoning": {level: _plain(body) for level, body in knows.reasoning.levels.items()},
        "reasoning_note": knows.reasoning.note or None,
        "quirks": [{"text": quirk.text, "source": quirk.source or None} for quirk in knows.quirks],
        "note": knows.note or None,
        "docs": knows.docs or None,
    }


def _plain(value: Any) -> Any:
    return {key: _plain(one) for key, one in value.items()} if isinstance(value, Mapping) else value


def _key(provider: Provider) -> str:
    if provider.auth_style == "none":
        return "no key"
    if name := provider.key_env:
        return f"{name} ({'set' if os.environ.get(name, '').strip() else 'not set'})"
    return f"keyring: {provider.key_keyring}" if provider.key_keyring else "no key named"


def _address(provider: Provider) -> str:
    return provider.base_url or f"yours, like {provider.knows.base_url_form}"
