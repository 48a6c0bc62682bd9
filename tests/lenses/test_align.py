"""What holds for any two readings, and how the places of text are found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.types import Block
from inspector_app.lenses import VERDICTS
from inspector_app.lenses.align import common_prefix
from tests.lenses.readings import block, compared, text

PIECES = st.lists(
    st.tuples(st.sampled_from(["reasoning", "text", "tool_call"]), st.text("ab{", max_size=4)), max_size=12
)


def built(pieces: list[tuple[str, str]]) -> list[Block]:
    return [block(kind, words, at=at, id=f"c{at}", name="f") for at, (kind, words) in enumerate(pieces) if words]


@given(PIECES)
def test_a_reading_is_the_same_as_itself(pieces: list[tuple[str, str]]) -> None:
    assert compared(built(pieces), built(pieces)).verdict == "same"


@given(PIECES, PIECES)
def test_any_two_readings_compare(left: list[tuple[str, str]], right: list[tuple[str, str]]) -> None:
    difference = compared(built(left), built(right))
    assert difference.verdict in VERDICTS
    assert (difference.verdict == "same") == (difference.first_difference is None) == (difference.headline == "")


@given(PIECES.filter(lambda pieces: any(kind == "text" and words for kind, words in pieces)), st.data())
def test_a_text_block_that_is_gone_is_lost(pieces: list[tuple[str, str]], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from([n for n, (kind, words) in enumerate(pieces) if kind == "text" and words]))
    assert compared(built(pieces), built(pieces[:gone] + pieces[gone + 1 :])).verdict == "lost"


@given(st.lists(st.text("ab", min_size=1, max_size=4), min_size=2, max_size=9))
def test_joining_merges_and_splitting_fragments(words: list[str]) -> None:
    many, one = [text(word, at=n) for n, word in enumerate(words)], [text(*words)]
    assert compared(many, one).verdict == "merged"
    assert compared(one, many).verdict == "fragmented"


@given(st.text("ab"), st.text("ab"))
def test_common_prefix(x: str, y: str) -> None:
    size = common_prefix(x, y)
    assert x[:size] == y[:size]
    assert x[size : size + 1] != y[size : size + 1] or size == len(x) == len(y)
