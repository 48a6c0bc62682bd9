"""Loads lenses: TOML files that say how a client reads (contract.md, section 3)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from inspector_app.core.resources import resource
from inspector_app.core.rule_keys import LITERAL
from inspector_app.core.rules import ReadingRules, from_mapping, nearest

REFERENCE = "reference"
"""The name of the reference reading, which no lens may have."""

KINDS = ("client", "sdk", "decoder")
EVIDENCE = ("measured", "source", "report")
_TEXTS = ("name", "title", "kind", "evidence", "source", "summary")
_KEYS = (*_TEXTS, "dialects", "rules")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


class LensFault(ValueError):
    """A lens file that cannot be used: one line with the file, the key and what is allowed."""


@dataclass(frozen=True, slots=True)
class Lens:
    """One client's way of reading.

    `kind` is client, sdk or decoder; `evidence` is measured, source or report (how sure it is), `source`
    names the public place where the behaviour was seen. The lens speaks about `dialects` only.
    """

    name: str
    title: str
    kind: str
    dialects: tuple[str, ...]
    evidence: str
    source: str
    summary: str
    rules: ReadingRules
    path: Path


def shipped_folder() -> Path:
    """The folder of the lenses that come with the program."""
    return resource("resources", "lenses")


def user_folder() -> Path:
    """The folder of the user's own lenses; it need not exist."""
    return Path(platformdirs.user_config_dir("stream-inspector")) / "lenses"


def load_lenses(
    folders: Iterable[Path],
    *,
    dialects: Container[str] | None = None,
    findings: Container[str] | None = None,
    on_fault: Callable[[LensFault], None] | None = None,
) -> dict[str, Lens]:
    """All lenses of the folders by name, in the order of folders and names; a missing folder holds none.

    With `dialects` and `findings`, the names known to the program, a lens that names another one is refused. A file
    that is not right is told to `on_fault` and left out; without that LensFault is raised at the first.
    """
    lenses: dict[str, Lens] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.toml"), key=lambda path: path.stem) if folder.is_dir() else ():
            try:
                lens = _lens(path)
                if lens.name in lenses:
                    raise LensFault(f"{path}: name = {lens.name!r} is already taken by {lenses[lens.name].path}")
                _check_known(lens, dialects, findings)
            except LensFault as fault:
                if on_fault is None:
                    raise
                on_fault(fault)
            else:
                lenses[lens.name] = lens
    return lenses


def lens_from(
    table: dict[str, Any],
    path: Path,
    *,
    dialects: Container[str] | None = None,
    findings: Container[str] | None = None,
) -> Lens:
    """The lens that a table says, as a file at that path would hold it. Raises LensFault."""
    try:
        lens = _checked(path, table)
    except ValueError as error:
        raise LensFault(str(error)) from None
    _check_known(lens, dialects, findings)
    return lens


def _lens(path: Path) -> Lens:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise LensFault(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise LensFault(f"{path}: is not UTF-8 at byte {error.start}") from None
    except tomllib.TOMLDecodeError as error:
        raise LensFault(f"{path}: is not TOML: {' '.join(str(error).split())}") from None
    try:
        return _checked(path, table)
    except ValueError as error:
        raise LensFault(str(error)) from None


def _checked(path: Path, table: dict[str, Any]) -> Lens:
    for key in table:
        if key not in _KEYS:
            raise ValueError(f"{path}: unknown key {key!r}{nearest(key, _KEYS)}")
    texts = {key: _text(path, table, key) for key in _TEXTS}
    for key, allowed in (("kind", KINDS), ("evidence", EVIDENCE)):
        if texts[key] not in allowed:
            raise ValueError(f"{path}: {key} = {texts[key]!r}: not allowed; allowed: {', '.join(map(repr, allowed))}")
    name = texts["name"]
    if name in (REFERENCE, LITERAL):
        raise ValueError(f"{path}: name = {name!r} is reserved for the {name} reading")
    if not _NAME.fullmatch(name):
        raise ValueError(f"{path}: name = {name!r}: only a-z, 0-9, dot, hyphen and underscore, a letter or digit first")
    dialects = table.get("dialects")
    if not isinstance(dialects, list) or not dialects or not all(isinstance(one, str) and one for one in dialects):
        raise ValueError(f"{path}: dialects must be a list of one or more dialect names")
    rules = table.get("rules", {})
    if not isinstance(rules, dict):
        raise ValueError(f"{path}: rules must be a table")
    return Lens(**texts, dialects=tuple(dialects), rules=from_mapping(rules, f"{path}: [rules]"), path=path)


def _text(path: Path, table: dict[str, Any], key: str) -> str:
    if key not in table:
        raise ValueError(f"{path}: {key} is missing")
    value = table[key]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{path}: {key} must be a text that is not empty")
    return value


def _check_known(lens: Lens, dialects: Container[str] | None, findings: Container[str] | None) -> None:
    rules = lens.rules
    for key, known, names in (
        ("dialects", dialects, lens.dialects),
        ("skips_on", findings, sorted(rules.skips_on)),
        ("parts_on", findings, rules.parts_on),
        ("stops_on", findings, rules.stops_on),
    ):
        for name in names:
            if known is not None and name not in known:
                raise LensFault(f"{lens.path}: {key}: {name!r} is not known")
