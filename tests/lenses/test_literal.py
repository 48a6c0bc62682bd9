"""The literal reading: it takes back the repairs that were made, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from inspector_app.core.kit import Kit, load_kit
from inspector_app.core.rule_keys import REPAIRS
from inspector_app.files import read_input
from inspector_app.lenses import LITERAL, Difference, compare, literal, repairs_of
from inspector_app.lenses.run import read, read_as

STREAMS = Path(__file__).parents[1] / "findings" / "streams"
FILES = sorted(path for path in STREAMS.glob("*/*") if path.is_file())


@pytest.fixture(scope="module")
def kit() -> Kit:
    """All rules, framings and dialects."""
    return load_kit()


def compared(path: Path, kit: Kit) -> tuple[list[str], Difference]:
    """The repairs in the first exchange of a file, and how its literal reading differs."""
    reference = read(read_input(str(path))[0], kit)
    return repairs_of(reference), compare(reference, read_as(literal(reference), reference, kit))


@pytest.mark.parametrize(
    "name, headline",
    [
        ("tool-index-reused/fires-parallel-calls.sse", "1 tool call instead of 2"),
        ("think-tag-inline/fires-think.sse", "Reasoning and text in one block"),
        ("json-multiple-roots/fires-one-line.sse", "Text is lost"),
        ("reasoning-double-delivery/fires-two-fields.sse", "Reasoning is 7 characters longer"),
        ("text-cumulative/fires-text.sse", "Text is 17 characters longer"),
        ("tool-args-object/fires-object.sse", "Tool call 0: arguments 15 characters short"),
        ("tool-id-rotated/fires-new-id-per-fragment.sse", "Tool call 0 lost its name"),
        ("tool-args-empty/fires-never.sse", "Tool call 0 cannot be run"),
        ("choice-duplicate-text/fires-message-at-the-end.sse", "Text is 12 characters longer"),
        ("sse-unframed-json/fires-error-in-stream.sse", "1 error block is lost"),
        ("body-nonstream/fires-chat.http", "Text is lost"),
        ("reasoning-order/fires-within-a-delta.sse", "Reasoning reads otherwise"),
        ("sse-unterminated-event/fires-finish.sse", ""),
        ("meta-generation-spliced/fires-retry-in-stream.sse", "1 text block instead of 2"),
    ],
)
def test_a_repair_is_taken_back(kit: Kit, name: str, headline: str) -> None:
    repairs, difference = compared(STREAMS / name, kit)
    assert name.partition("/")[0] in repairs
    assert (difference.b, difference.headline) == (LITERAL, headline)


@pytest.mark.parametrize(
    "name",
    [
        "reasoning-order/fires-between-deltas.sse", "frame-cut/fires-payload.sse",
        "sse-unterminated-event/fires-half-payload.sse", "sse-comment/fires-keep-alive.sse",
    ],
)  # fmt: skip
def test_what_changes_nothing_is_no_repair(kit: Kit, name: str) -> None:
    assert compared(STREAMS / name, kit)[0] == []


def test_where_nothing_is_repaired_it_is_the_reference(kit: Kit) -> None:
    differing, plain = [], 0
    for path in FILES:
        repairs, difference = compared(path, kit)
        plain += not repairs
        if not repairs and difference.verdict != "same":
            differing.append(path)
    assert plain > len(REPAIRS)
    assert not differing
