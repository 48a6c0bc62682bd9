"""White space as text between two thoughts."""

from __future__ import annotations

from typing import Any

import pytest

from inspector_app.core.blank_text import between_thoughts
from inspector_app.report import listing
from inspector_app.report.outline import outline
from tests.core.streams import chunk, read, said, sse, thought, tool


def other(payload: dict[str, Any]) -> dict[str, Any]:
    payload["choices"][0]["index"] = 1
    return payload


@pytest.mark.parametrize(
    "payloads, blanks",
    [
        ([thought("a"), said("\n\n"), thought("b"), said("c")], {1}),
        ([thought("a"), said("\n"), said("\n"), thought("b")], {1}),
        ([thought("a"), said("\n\n"), thought("b"), said(" "), thought("c")], {1, 3}),
        ([thought("a"), said("\n\n"), said("c")], set()),
        ([thought("a"), said("\n\n")], set()),
        ([thought("a"), said("\n."), thought("b")], set()),
        ([said("\n\n"), thought("b")], set()),
        ([thought("a"), said("\n"), tool("{}", id="c", name="f"), thought("b")], set()),
        ([thought("a"), tool("{}", id="c", name="f"), said("\n"), thought("b")], set()),
        ([thought("a"), said("\n"), chunk({"refusal": "no"}), thought("b")], set()),
        ([thought("a"), other(thought("x")), said("\n"), other(said("y")), thought("b")], {2}),
        ([thought("a"), other(said("\n")), thought("b")], set()),
    ],
)
def test_white_space_between_two_thoughts_is_known(payloads: list[Any], blanks: set[int]) -> None:
    reading = read(sse(*payloads))
    assert between_thoughts(reading.blocks) == blanks
    shown = outline(reading)["blocks"]
    assert {block["n"] for block in shown if block.get("heuristic")} == blanks
    assert all(block["kind"] == "text" for block in shown if "heuristic" in block)
    assert listing.check(reading, reading).count("white space between two thoughts") == len(blanks)
