"""A body that grows: what it gives back does not depend on how it came."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core import store
from inspector_app.core.store import SegmentBody


@given(
    st.lists(st.binary(max_size=40)),
    st.lists(st.tuples(st.integers(0, 600), st.integers(0, 600)), max_size=8),
    st.sampled_from([1, 7, 64, 1 << 16]),
)
def test_slices_of_a_body_in_pieces_are_those_of_the_whole(
    pieces: list[bytes], places: list[tuple[int, int]], whole: int
) -> None:
    kept, store.WHOLE = store.WHOLE, whole
    try:
        body, so_far = SegmentBody(), b""
        for piece in pieces:
            body.append(piece)
            so_far += piece
            assert len(body) == len(so_far)
            for start, end in places:
                assert body.slice(start, end) == so_far[start:end]
        assert body.slice(0, 1 << 62) == so_far
    finally:
        store.WHOLE = kept


def test_small_pieces_are_not_kept_each_for_itself() -> None:
    body = SegmentBody()
    for _ in range(3 * store.WHOLE // 16):
        body.append(b"0123456789abcdef")
    assert len(body._pieces) == len(body._starts) == 3
