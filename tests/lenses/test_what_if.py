"""What would repair a stream for one client: alone, together, or nothing at all."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.files import read_input
from inspector_app.lenses.load import Lens, load_lenses, shipped_folder
from inspector_app.lenses.run import read
from inspector_app.lenses.what_if import NEEDS_ARGUMENT, each_alone, least, rank, try_out
from inspector_app.variations import NOTHING, REPAIR, ArgumentFault, variations

KIT = load_kit()
LENSES = load_lenses([shipped_folder()])
GALLERY = Path(__file__).parents[2] / "recordings"


@cache
def reference(name: str) -> Reading:
    return read(read_input(str(GALLERY / f"{name}.rec.jsonl"))[0], KIT)


def answer(reading: Reading, lens: Lens) -> tuple[str, ...]:
    """The names of the repairs that make it work."""
    *_, found = least(reading, list(each_alone(reading, lens, KIT)), lens, KIT)
    assert found is not None
    return tuple(name for name, _ in found)


@pytest.mark.parametrize(
    "name, lens, before, repaired",
    [
        ("empty-tool-calls", "zcode-3.11", "fragmented", ("drop-empty-arrays",)),
        ("framed-twice", "zcode-3.11", "lost", ("unwrap-data",)),
    ],
)
def test_the_repair_that_helps_alone_is_found(name: str, lens: str, before: str, repaired: tuple[str, ...]) -> None:
    reading = reference(name)
    assert try_out(reading, (), LENSES[lens], KIT).verdict == before
    assert answer(reading, LENSES[lens]) == repaired
    after = try_out(reading, [(repaired[0], "")], LENSES[lens], KIT)
    assert after.works
    assert rank(after) == 0
    assert after.difference.blocks[0] == after.difference.blocks[1]


def test_every_repair_tells_what_it_does_alone() -> None:
    found = {one.name: one for one in each_alone(reference("empty-tool-calls"), LENSES["zcode-3.11"], KIT)}
    assert list(found) == list(variations(REPAIR))
    assert found["drop-field"].why == NEEDS_ARGUMENT
    assert found["add-done"].why == NOTHING
    outcome = found["drop-nulls"].outcome
    assert outcome is not None
    assert outcome.verdict == "fragmented"


def test_an_argument_is_tried_as_it_was_given() -> None:
    reading, lens = reference("empty-tool-calls"), LENSES["zcode-3.11"]
    found = {one.name: one for one in each_alone(reading, lens, KIT, {"drop-field": "tool_calls"})}
    outcome = found["drop-field"].outcome
    assert outcome is not None
    assert outcome.works
    with pytest.raises(ArgumentFault):
        list(each_alone(reading, lens, KIT, {"rename-field": "x"}))


@pytest.mark.parametrize("lens", ["openclaw", "cline", "litellm-1.110", "openai-agents", "vscode-copilot-chat", "zed"])
def test_a_list_of_objects_under_the_name_of_a_string_helps_nobody_and_the_text_does(lens: str) -> None:
    reading = reference("reasoning-details")
    field = LENSES[lens].rules.reasoning_fields[0]
    renamed = try_out(reading, [("rename-field", f"reasoning_details={field}")], LENSES[lens], KIT)
    assert not renamed.works
    assert "reasoning_details" not in renamed.difference.cause
    *_, found = least(reading, list(each_alone(reading, LENSES[lens], KIT)), LENSES[lens], KIT)
    assert found == (("details-as-text", field),)


def test_the_name_that_a_client_wants_is_proposed_for_a_string() -> None:
    body = STRICT.replace(b"data:", b"data: ").replace(b',"tool_calls":[]', b"")
    reading = read(Exchange("x", "sse-body", MemoryBody(body)), KIT)
    *_, found = least(reading, list(each_alone(reading, LENSES["cline"], KIT)), LENSES["cline"], KIT)
    assert found == (("rename-field", "reasoning=reasoning_content"),)


def custom(**rules: object) -> Lens:
    return Lens("mine", "Mine", "client", ("openai-chat",), "report", "here", "Mine.", ReadingRules(**rules), Path())  # type: ignore[arg-type]


STRICT = b"".join(
    b"data:" + body + b"\n\n"
    for body in (
        b'{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"reasoning":"a","tool_calls":[]}}]}',
        b'{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"reasoning":"b","tool_calls":[]}}]}',
        b'{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
        b"[DONE]",
    )
)


def test_repairs_that_only_help_together_are_found_and_no_others() -> None:
    reading = read(Exchange("x", "sse-body", MemoryBody(STRICT)), KIT)
    lens = custom(space_required=True, reasoning_end="non-null-tool-calls")
    alone = {one.name: one.outcome for one in each_alone(reading, lens, KIT) if one.outcome is not None}
    assert not any(outcome.works for outcome in alone.values())
    assert answer(reading, lens) == ("space-data", "drop-empty-arrays")


def test_a_recording_of_the_gallery_needs_two_repairs_for_one_client() -> None:
    assert answer(reference("mixed-spacing"), LENSES["wingmate-2026-06"]) == ("space-data", "drop-empty-strings")


def test_where_nothing_helps_that_is_said() -> None:
    reading = read(Exchange("x", "sse-body", MemoryBody(STRICT)), KIT)
    assert answer(reading, custom(reasoning_fields=())) == ()


def test_the_recording_is_not_changed() -> None:
    reading = reference("empty-tool-calls")
    before = reading.body.slice(0, len(reading.body))
    outcome = try_out(reading, [("drop-empty-arrays", "")], None, KIT)
    assert reading.body.slice(0, len(reading.body)) == before != outcome.exchange.body.slice(0, len(before))
    assert outcome.works
