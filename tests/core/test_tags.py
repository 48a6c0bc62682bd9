"""Reasoning tags in text: every cut of the text gives the same pieces, and nothing is lost."""

from __future__ import annotations

from itertools import groupby, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector_app.core.tags import TAGS, Piece, TagSplitter, stray_close

Parts = list[tuple[str, str]]


def run(deltas: list[str]) -> tuple[TagSplitter, list[Piece]]:
    splitter = TagSplitter()
    pieces = [piece for n, text in enumerate(deltas) for piece in splitter.feed(n, text)]
    return splitter, pieces + splitter.finish()


def joined(pieces: list[Piece]) -> Parts:
    return [(kind, "".join(piece.text for piece in group)) for kind, group in groupby(pieces, lambda piece: piece.kind)]


@pytest.mark.parametrize("tag, close", TAGS.items())
def test_each_tag_opens_and_closes_reasoning(tag: str, close: str) -> None:
    splitter, pieces = run([f"\n{tag}\nwhy{close}\n\nSeven {tag} birds{close}."])
    assert joined(pieces) == [
        ("tag", f"\n{tag}"),
        ("reasoning", "\nwhy"),
        ("tag", f"{close}\n\n"),
        ("text", f"Seven {tag} birds{close}."),
    ]
    assert (splitter.tag, splitter.opened, splitter.inside, splitter.dormant, splitter.split_over) == (
        tag,
        True,
        False,
        True,
        1,
    )


@pytest.mark.parametrize("tag", TAGS)
def test_no_tag_begins_another(tag: str) -> None:
    # Else the shorter one would be taken before the longer one could come.
    assert [other for other in [*TAGS, *TAGS.values()] if other.startswith(tag)] == [tag]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("plain", [("text", "plain")]),
        ("", []),
        (" \n ", [("text", " \n ")]),
        (" x <think>y</think>", [("text", " x <think>y</think>")]),
        ("```\n<think>\n```", [("text", "```\n<think>\n```")]),
        ("<think>a", [("tag", "<think>"), ("reasoning", "a")]),
        ("<think>a</thi", [("tag", "<think>"), ("reasoning", "a</thi")]),
        ("<think></think>b", [("tag", "<think></think>"), ("text", "b")]),
        (
            "<think>a<think>b</thinking></think>c</think>",
            [("tag", "<think>"), ("reasoning", "a<think>b</thinking>"), ("tag", "</think>"), ("text", "c</think>")],
        ),
        (
            "<think>a</think> <thought>b</thought>c",
            [
                ("tag", "<think>"),
                ("reasoning", "a"),
                ("tag", "</think> <thought>"),
                ("reasoning", "b"),
                ("tag", "</thought>"),
                ("text", "c"),
            ],
        ),
        ("<Think>a", [("text", "<Think>a")]),
        ("<thin", [("text", "<thin")]),
        ("  <thin ice", [("text", "  <thin ice")]),
        ("<|channel|>a", [("text", "<|channel|>a")]),
        ("</think>a", [("text", "</think>a")]),
        ("<think>a<</think>b", [("tag", "<think>"), ("reasoning", "a<"), ("tag", "</think>"), ("text", "b")]),
        ("<think>a</think>  ", [("tag", "<think>"), ("reasoning", "a"), ("tag", "</think>  ")]),
        ("<think>a</think><think", [("tag", "<think>"), ("reasoning", "a"), ("tag", "</think>"), ("text", "<think")]),
    ],
)
def test_what_is_a_tag_where(text: str, expected: Parts) -> None:
    for deltas in ([text], list(text)):
        assert joined(run(deltas)[1]) == expected


TEXTS = st.lists(
    st.sampled_from([*TAGS, *TAGS.values(), "<", "</", "</think", "[", " ", "\n\n", "a", "bc", "`", "◁", "<|"]),
    max_size=8,
).map("".join)


def cut(text: str, places: list[int]) -> list[str]:
    borders = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[start:end] for start, end in pairwise(borders)]


@given(TEXTS, st.lists(st.integers(0, 200), max_size=12))
@example("<think>a</think><think>b", [3, 8, 12, 16, 20])
def test_a_cut_changes_nothing_and_nothing_is_dropped(text: str, places: list[int]) -> None:
    whole, expected = run([text])
    deltas = cut(text, places)
    splitter, pieces = run(deltas)
    assert joined(pieces) == joined(expected)
    assert (splitter.inside, splitter.tag, splitter.opened) == (whole.inside, whole.tag, whole.opened)
    assert [piece.turn for piece in pieces if piece.turn] == [piece.turn for piece in expected if piece.turn]
    reached = [0] * len(deltas)
    for earlier, piece in zip([None, *pieces], pieces):
        assert piece.text == deltas[piece.delta][piece.start : piece.end] != ""
        assert piece.start == reached[piece.delta]
        assert piece.size == len(deltas[piece.delta])
        assert piece.whole == (piece.text == deltas[piece.delta])
        assert earlier is None or earlier.delta <= piece.delta
        reached[piece.delta] = piece.end
    assert reached == [len(delta) for delta in deltas]


def test_only_what_may_become_a_tag_is_held_back() -> None:
    splitter = TagSplitter()
    assert splitter.feed(0, " <th") == []
    assert splitter.feed(1, "ink>count </thi") == [
        Piece("tag", 0, 0, 1, " ", 4),
        Piece("tag", 0, 1, 4, "<th", 4),
        Piece("tag", 1, 0, 4, "ink>", 15, "open"),
        Piece("reasoning", 1, 4, 10, "count ", 15),
    ]
    assert splitter.feed(2, "") == []
    assert splitter.feed(3, "rd </t") == [
        Piece("reasoning", 1, 10, 15, "</thi", 15),
        Piece("reasoning", 3, 0, 3, "rd ", 6),
    ]
    assert splitter.feed(4, "hin") == []
    assert splitter.feed(5, "k> Seven") == [
        Piece("tag", 3, 3, 6, "</t", 6),
        Piece("tag", 4, 0, 3, "hin", 3),
        Piece("tag", 5, 0, 2, "k>", 8, "close"),
        Piece("tag", 5, 2, 3, " ", 8),
        Piece("text", 5, 3, 8, "Seven", 8),
    ]
    assert splitter.split_over == 3
    assert splitter.finish() == splitter.reset() == []
    splitter.feed(6, "<think>")
    assert splitter.split_over == 3


@pytest.mark.parametrize(
    "text, dormant",
    [("a", True), ("<b", True), ("<", False), (" \n", False), ("<think>a", False), ("<think>a</think> ", False)],
)
def test_a_splitter_is_dormant_once_no_tag_can_come(text: str, dormant: bool) -> None:
    splitter = TagSplitter()
    splitter.feed(0, text)
    assert splitter.dormant is dormant


def test_after_another_block_a_tag_may_open_again() -> None:
    splitter = TagSplitter()
    assert joined(splitter.feed(0, "Hello <think>")) == [("text", "Hello <think>")]
    assert splitter.dormant
    assert splitter.reset() == []
    assert joined(splitter.feed(1, "\n<think>x</think>")) == [
        ("tag", "\n<think>"),
        ("reasoning", "x"),
        ("tag", "</think>"),
    ]


def test_reset_releases_what_was_held_and_white_space_before_text_is_text_again() -> None:
    splitter = TagSplitter()
    splitter.feed(0, "<think>x</think>")
    assert splitter.feed(1, "<thi") == []
    assert splitter.reset() == [Piece("text", 1, 0, 4, "<thi", 4)]
    assert joined(splitter.feed(2, "\n\nnk>")) == [("text", "\n\nnk>")]


def test_white_space_that_was_released_still_leads_the_message() -> None:
    splitter = TagSplitter()
    splitter.feed(0, "\n")
    assert joined(splitter.finish()) == [("text", "\n")]
    assert joined(splitter.feed(1, "<think>")) == [("tag", "<think>")]


def test_text_after_a_released_beginning_of_a_tag_is_text() -> None:
    splitter = TagSplitter()
    splitter.feed(0, "<thi")
    splitter.finish()
    assert splitter.dormant
    assert joined(splitter.feed(1, "<think>")) == [("text", "<think>")]


def test_a_call_in_the_midst_of_reasoning_closes_no_tag() -> None:
    splitter = TagSplitter()
    splitter.feed(0, "<think>a</")
    assert joined(splitter.reset()) == [("reasoning", "</")]
    assert splitter.inside
    assert joined(splitter.feed(1, "b</think>c")) == [("reasoning", "b"), ("tag", "</think>"), ("text", "c")]


@pytest.mark.parametrize(
    "marked",
    [
        "thought\n^</think>\nanswer",
        "^</think></think>",
        "<think>^</thinking>",
        "one ` alone ^</think>",
        "``a` ^</think>",
        "a `\n\nb ^</think> `",
        "~~~ text\n`</think>\n```\n~~~~\nx^</think>",
        "```a`b\n^</think>",
        "`<think>` then ^</think>",
        "text ^[/THINK]",
        "a^◁/think▷",
    ],
)
def test_a_close_tag_without_its_open_tag(marked: str) -> None:
    assert stray_close(marked.replace("^", "")) == marked.index("^")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no tag",
        "<think>a</think> use `</think>`",
        "<think>a</think> and </think> too",
        "<think>a</think> and </thought> too",
        "<think> is never closed",
        "close with `</think>` please",
        "close with `` a`</think> `` please",
        "```\n</think>\n```\nrest",
        "```\n</think>",
        "   ```html\n</think>\n   ```\n",
    ],
)
def test_close_tags_that_are_matched_or_code(text: str) -> None:
    assert stray_close(text) is None
