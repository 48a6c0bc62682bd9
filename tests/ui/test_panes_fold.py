from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector_app.ui.views.fold import LEAST, common_end, common_start, folds

HEAD = b'{"id":"chatcmpl-1","object":"chunk","delta":{'
TAIL = b'},"logprobs":null,"finish_reason":null}]}'


def line(text: bytes, head: bytes = HEAD, tail: bytes = TAIL) -> bytes:
    return b"data: " + head + text + tail


def shown(text: bytes, before: bytes, kept: list[bytes], start: int = 6, before_start: int = 6) -> bytes:
    """The line with `~` for each fold; `kept` are pieces that somebody points at."""
    ranges = sorted((text.index(piece), text.index(piece) + len(piece)) for piece in kept)
    out, at = b"", 0
    for first, last in folds(text, before, start, before_start, ranges):
        out += text[at:first] + b"~"
        at = last
    return out + text[at:]


def test_what_the_line_before_has_too_is_folded_around_what_is_pointed_at() -> None:
    value = b'"content":"four"'
    assert shown(line(value), line(b'"content":"ends"'), [value]) == b"data: ~" + value + b"~"


def test_nothing_is_folded_that_somebody_points_at() -> None:
    whole = line(b'"content":"x"')
    assert shown(whole, whole, [HEAD, b'"content":"x"', TAIL]) == whole


def test_a_fold_ends_where_a_key_begins() -> None:
    this, before = line(b'"created":17644317,"content":"a"'), line(b'"created":17644318,"content":"a"')
    assert shown(this, before, []) == b'data: ~"created":17644317,"content":"a"~'


def test_a_run_between_two_that_are_pointed_at_is_folded_when_it_is_long() -> None:
    text = b'"id":"","type":"function","function":{"name":"","arguments":"x"'
    kept = [b'"id":""', b'"name":""', b'"arguments":"x"']
    assert shown(line(text), line(text), kept) == b'data: ~"id":""~"name":"","arguments":"x"~'


def test_payloads_may_begin_at_different_places() -> None:
    value = b'"content":"b"'
    assert shown(line(value), b"data:" + line(b'"content":"a"')[6:], [value], 6, 5) == b"data: ~" + value + b"~"


@pytest.mark.parametrize("before", [b"", b"\x00" * 80, line(b"")[: LEAST // 2]], ids=["none", "other", "short"])
def test_a_line_without_a_like_stays_whole(before: bytes) -> None:
    assert shown(line(b'"content":"b"'), before, []) == line(b'"content":"b"')


@given(st.binary(max_size=60), st.binary(max_size=60))
@example(b"", b"")
@example(b"aa", b"aaa")
def test_common_ends(one: bytes, other: bytes) -> None:
    length = common_start(one, other)
    assert one[:length] == other[:length]
    assert one[length : length + 1] != other[length : length + 1] or length == min(len(one), len(other))
    assert common_end(one[::-1], other[::-1]) == length


PIECES = st.sampled_from([b'"k":"value"', b",", b"{", b"}", b'"long key number one":null', b"[0]"])
TEXTS = st.lists(PIECES, max_size=12).map(b"".join)


@given(TEXTS, TEXTS, st.lists(st.integers(0, 120), max_size=6))
def test_folds_are_in_the_line_before_and_never_touch_what_is_kept(one: bytes, other: bytes, edges: list[int]) -> None:
    this, before = line(one), line(other)
    edges = sorted({min(edge, len(this)) for edge in edges})
    kept = list(zip(edges[::2], edges[1::2]))
    at = 0
    for first, last in folds(this, before, 6, 6, kept):
        assert at <= first
        assert last - first >= LEAST
        assert this[first:last] in before
        assert all(last <= start or end <= first for start, end in kept)
        at = last
