"""A painter that a fault leaves open ends the process, so whoever draws closes it in any case."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

UI = Path(__file__).parents[2] / "inspector_app" / "ui"


def _left_open(source: str) -> list[int]:
    """The lines in which a painter is begun on something outside of a `with`."""
    tree = ast.parse(source)
    held = {
        id(item.context_expr)
        for node in ast.walk(tree)
        if isinstance(node, ast.With)
        for item in node.items
    }
    begun = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    return [
        node.lineno
        for node in begun
        if isinstance(node.func, ast.Name) and node.func.id == "QPainter" and id(node) not in held
    ]


def test_an_open_painter_is_seen() -> None:
    assert _left_open("painter = QPainter(self)\nwith QPainter(self) as other:\n    pass\n") == [1]


@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=lambda path: path.relative_to(UI).as_posix())
def test_every_painter_is_closed_by_its_with(path: Path) -> None:
    assert _left_open(path.read_text("utf-8")) == []
