"""Writes a lens as the TOML file that it would be loaded from, and takes one away again."""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

import tomlkit

from inspector_app.core.rules import differences
from inspector_app.lenses.load import Lens, LensFault, lens_from

_TEXTS = ("name", "title", "kind", "evidence", "source", "summary")


def table_of(lens: Lens) -> dict[str, Any]:
    """A lens as a file gives it: rules only where they differ from the reference."""
    texts = {key: getattr(lens, key) for key in _TEXTS}
    return {**texts, "dialects": list(lens.dialects), "rules": differences(lens.rules)}


def as_toml(table: Mapping[str, Any]) -> str:
    """The text of a lens file."""
    document = tomlkit.document()
    for key, value in table.items():
        if key != "rules":
            document.add(key, tomlkit.item(value))
    rules = tomlkit.table()
    for key, value in table.get("rules", {}).items():
        rules.add(key, tomlkit.item(value))
    document.add(tomlkit.nl())
    document.add("rules", rules)
    return tomlkit.dumps(document)


def save_lens(
    table: dict[str, Any],
    folder: Path,
    taken: Mapping[str, Lens],
    *,
    instead_of: Lens | None = None,
    dialects: Container[str] | None = None,
    findings: Container[str] | None = None,
) -> Lens:
    """Write a lens to its own file in the user's folder; `instead_of` is the user's lens that it was before.

    Raises LensFault where the lens is not right, its name is taken by another one, or the file cannot be written;
    what was there before is still there then.
    """
    name = table.get("name")
    path = folder / f"{name}.toml"
    lens = lens_from(table, path, dialects=dialects, findings=findings)
    other = taken.get(lens.name)
    if other is not None and (instead_of is None or other.name != instead_of.name):
        raise LensFault(f"{path}: name = {lens.name!r} is already taken by {other.path}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(as_toml(table), "utf-8")
        part.replace(path)
        if instead_of is not None and instead_of.path != path:
            instead_of.path.unlink(missing_ok=True)
    except OSError as error:
        raise LensFault(f"{path}: cannot be written: {error.strerror or error}") from None
    return lens


def delete_lens(lens: Lens) -> None:
    """Take the file of a user's lens away. Raises LensFault."""
    try:
        lens.path.unlink(missing_ok=True)
    except OSError as error:
        raise LensFault(f"{lens.path}: cannot be deleted: {error.strerror or error}") from None
