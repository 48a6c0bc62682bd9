"""Facts about bytes: invalid UTF-8 counted and placed whatever the reads are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.census import KEPT, Census
from inspector_app.core.reading import Reading
from inspector_app.core.rules import ReadingRules
from inspector_app.core.types import Exchange, MemoryBody

PARTS = st.sampled_from(
    [
        b"a",
        "é".encode(),
        "日".encode(),
        "😀".encode(),
        "\ufffd".encode(),
        b"\xff",
        b"\xe2\x82",
        b"\xf0\x9f",
        b"\xc3",
        b"\xed\xa0\x80",
    ]
)


def invalid(body: bytes, size: int) -> tuple[int, list[tuple[int, int]]]:
    reading = Reading(Exchange("x", "sse-body", MemoryBody(body)), ReadingRules(), "reference")
    census = Census(reading)
    for at in range(0, len(body), size):
        census.feed(body[at : at + size])
    census.close()
    return reading.invalid_count, reading.invalid


def strict(body: bytes) -> list[tuple[int, int]]:
    """Each piece that a strict decoder stumbles over."""
    found, at = [], 0
    while True:
        try:
            body[at:].decode()
            return found
        except UnicodeDecodeError as error:
            found.append((at + error.start, at + error.end))
            at += error.end


@given(st.lists(PARTS, max_size=30).map(b"".join), st.sampled_from([1, 2, 3, 7, 1000]), st.booleans())
def test_every_invalid_piece_is_counted_and_the_first_have_a_place(body: bytes, size: int, many: bool) -> None:
    body = b"\xff" * KEPT + body if many else body
    pieces = strict(body)
    assert invalid(body, size) == (len(pieces), pieces[:KEPT])
