"""A recording under every lens: verdict, first differing event, error; each lens by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inspector_app.core.rules import ReadingRules
from inspector_app.lenses import Lens, load_lenses, shipped_folder
from inspector_app.lenses.matrix import MATRIX_VERDICTS, Row, matrix
from tests.core.streams import KIT, end, read, said, sse, stream, thought, tool

SHIPPED = load_lenses([shipped_folder()])


def lens(**rules: object) -> Lens:
    return replace(SHIPPED["zcode-fixed"], name="x", rules=ReadingRules(**rules))  # type: ignore[arg-type]


def row(body: bytes, **rules: object) -> Row:
    return next(matrix(read(body), [lens(**rules)], KIT))


THOUGHTS = stream(*(thought(text, tool_calls=[]) for text in "abc"), said("t"))
CALL = stream(tool("{}", id="c", name="f"), tool(" ", id="", name=""), finish="tool_calls")

SNAPSHOTS = stream(
    tool("", id="c", name="f"), tool('{"q'), tool('{"q":"o'), tool('{"q":"o"}'), finish="tool_calls"
)  # fmt: skip


@pytest.mark.parametrize(
    "body, rules, verdict, event, blocks, error",
    [
        (THOUGHTS, {}, "right", None, 2, None),
        (THOUGHTS, {"reasoning_end": "non-null-tool-calls"}, "fragmented", 0, 4, None),
        (THOUGHTS, {"reasoning_fields": ("reasoning",)}, "lost", 0, 1, None),
        (stream(said("a"), finish=None), {"missing_finish": "error"}, "failed", 1, 1, 1),
        # Where the empty name comes, not where the call begins.
        (CALL, {"name_policy": "non-null-overwrite"}, "lost", 1, 1, None),
        (CALL, {"id_policy": "non-null-overwrite"}, "lost", 1, 1, None),
        # Where the arguments begin again, not where the call begins or where all of them is known.
        (SNAPSHOTS, {"repairs": ()}, "altered", 2, 1, None),
        (stream(said("a"), tool("{}", id="c", name="f"), said("b")), {"text_end": "reasoning"}, "merged", 2, 2, None),
        # A blank line too many is an event for this client: its numbers run ahead of the reference's.
        (b"id: 1\n" + sse(said("a")) + b"\n" + sse("{no", end()),
         {"blank_fires": frozenset({"id"}), "bad_json": "throw"}, "failed", 1, 1, 2),
    ],
)  # fmt: skip
def test_a_row(body: bytes, rules: dict[str, object], verdict: str, event: int, blocks: int, error: int) -> None:
    found = row(body, **rules)
    assert (found.verdict, found.event) == (verdict, event)
    told = found.to_json()
    assert told["blocks"] == blocks
    assert (told["client_error"] and told["client_error"]["event"]) == error
    assert (told["first_difference"] is None) is (verdict == "right")


def test_a_lens_of_another_dialect_is_not_asked() -> None:
    strange = replace(lens(), dialects=("gemini",))
    found = next(matrix(read(THOUGHTS), [strange], KIT))
    assert (found.verdict, found.difference) == ("n/a", None)
    assert found.to_json() == {
        "lens": "x", "verdict": "n/a", "first_difference": None, "blocks": None, "chars": None, "client_error": None
    }  # fmt: skip


def test_lenses_with_the_same_rules_have_rows_of_their_own() -> None:
    pair = [replace(lens(reasoning_end="non-null-tool-calls"), name=name) for name in ("one", "two")]
    rows = list(matrix(read(THOUGHTS), pair, KIT))
    assert [found.lens.name for found in rows] == ["one", "two"]
    assert [found.difference and found.difference.b for found in rows] == ["one", "two"]


def test_every_verdict_has_its_rank() -> None:
    found = {found.verdict for found in matrix(read(THOUGHTS), SHIPPED.values(), KIT)}
    assert found <= set(MATRIX_VERDICTS)
