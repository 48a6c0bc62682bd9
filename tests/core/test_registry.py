"""Modules of a room are found by being there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector_app.core.registry import discover


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Makes a package of the given modules (name -> text) and gives its name."""

    def make(**modules: str) -> str:
        name = f"room_{tmp_path.name.replace('-', '_')}"
        folder = tmp_path / name
        folder.mkdir()
        for module, text in {"__init__": "", **modules}.items():
            (folder / f"{module}.py").write_text(text, "utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        return name

    yield make
    for module in [name for name in sys.modules if name.startswith("room_")]:
        del sys.modules[module]


def test_modules_come_by_name_and_helpers_stay_out(room: Callable[..., str]) -> None:
    name = room(walnut="NAME = 'b'", apple="NAME = 'z'", _knife="NAME = 'b'", quince="")
    assert [module.__name__ for module in discover(name)] == [f"{name}.apple", f"{name}.quince", f"{name}.walnut"]


def test_two_modules_of_one_name_are_an_error(room: Callable[..., str]) -> None:
    with pytest.raises(ValueError, match=r"apple and .*walnut have the same NAME 'b'"):
        discover(room(walnut="NAME = 'b'", apple="NAME = 'b'"))
