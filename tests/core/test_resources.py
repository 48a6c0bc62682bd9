"""Shipped files are found beside the package in a clone and inside it once installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector_app.core import resources


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "inspector_app"
    package.mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    return package


def test_in_this_installation() -> None:
    assert resources.resource("resources", "lenses").is_dir()


@pytest.mark.parametrize("place", ["resources", "inspector_app/_resources"])
def test_beside_or_inside_the_package(package: Path, place: str) -> None:
    icon = package.parent / place / "icons" / "icon.svg"
    icon.parent.mkdir(parents=True)
    icon.touch()
    assert resources.resource("resources", "icons", "icon.svg") == icon


def test_what_is_in_neither_place_is_named(package: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"^recordings/none\.sse is missing"):
        resources.resource("recordings", "none.sse")
