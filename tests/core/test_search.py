"""Find in a recording: what counts as one match, where it lies, and that any cut into steps finds the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count, pairwise
from typing import NamedTuple

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector_app.core import pattern, search
from inspector_app.core.kit import load_kit
from inspector_app.core.pattern import PatternFault, Query, fold
from inspector_app.core.reading import Reading
from inspector_app.core.search import Search
from inspector_app.core.types import Exchange, MemoryBody
from inspector_app.lenses import load_lenses, shipped_folder
from inspector_app.lenses.run import analysis_of, run

Finder = Callable[[str], Iterator[tuple[int, int]]]
kit = cache(load_kit)


def read(body: bytes, lens: str | None = None, reference: Reading | None = None) -> Reading:
    exchange = reference.exchange if reference is not None else Exchange("stream.sse", "sse-body", MemoryBody(body))
    chosen = load_lenses([shipped_folder()])[lens] if lens else None
    analysis = analysis_of(exchange, kit(), chosen, reference)
    for _ in run(analysis, 1 << 16):
        pass
    return analysis.reading


def event(delta: dict[str, object], ascii_: bool = False) -> bytes:
    chunk = {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}
    return b"data: " + json.dumps(chunk, ensure_ascii=ascii_).encode("utf-8", "surrogatepass") + b"\n\n"


def texts(*parts: str, field: str = "content", ascii_: bool = False) -> bytes:
    return b"".join(event({field: part}, ascii_) for part in parts) + b"data: [DONE]\n\n"


def find(body: bytes, text: str, **how: object) -> Search:
    reading = read(body)
    made = Search(Query(text, **how), reading, [reading])  # type: ignore[arg-type]
    for _ in made.steps():
        pass
    return made


def shown(made: Search) -> list[bytes]:
    """The bytes of each match, from its first to its last."""
    return [made._reference.body.slice(*key[:2]) for key in made.order]


@pytest.mark.parametrize(
    "parts, ascii_, query, expected",
    [
        (["say hello", "no"], False, Query("hello"), [b"hello"]),
        (["say HELLO", "Hello"], False, Query("hello"), [b"HELLO", b"Hello"]),
        (["say HELLO", "hello"], False, Query("hello", case=True), [b"hello"]),
        (["你好吗"], True, Query("你好"), [b"\\u4f60\\u597d"]),
        (["你好吗"], False, Query("你好"), ["你好".encode()]),
        (["ÜMLÄUT"], True, Query("ümläut"), [b"\\u00dcML\\u00c4UT"]),
        (["ÜMLÄUT"], False, Query("ümläut"), ["ÜMLÄUT".encode()]),
        (["ΟΔΟΣ"], False, Query("οδος"), ["ΟΔΟΣ".encode()]),
        (["a😀b"], True, Query("😀"), [b"\\ud83d\\ude00"]),
        (["one\ntwo"], False, Query("e\\nt", expression=True), [b"e\\nt"]),
        (['say "hi"'], False, Query('say "hi"'), [b'say \\"hi\\"']),
        (["aaaa"], False, Query("aa", scope="deltas"), [b"aa", b"aa"]),
        (["x1 y22"], False, Query(r"[xy]\d+", expression=True, scope="blocks"), [b"x1", b"y22"]),
        (["abc"], False, Query("^", expression=True), []),
        (["abc"], False, Query("", expression=True), []),
        (["İstanbul"], False, Query("stanbul"), [b"stanbul"]),
        (["é1 é2"], False, Query(r"(?r)\d", expression=True, scope="deltas"), [b"1", b"2"]),
    ],
)
def test_one_delta(parts: list[str], ascii_: bool, query: Query, expected: list[bytes]) -> None:
    reading = read(texts(*parts, ascii_=ascii_))
    made = Search(query, reading, [reading])
    for _ in made.steps():
        pass
    assert shown(made) == expected
    assert made.part == (1.0 if query.text else 0.0)


def test_what_stands_in_a_line_and_in_its_delta_and_block_is_one_match() -> None:
    made = find(texts("hello"), "hello")
    [match] = made.matches.values()
    assert (match.event, match.delta, match.block, match.reader) == (0, 0, 0, "reference")
    assert len(made.ranges) == 1
    assert [(a, b) for a, b, _ in made.deltas[0]] == [(0, 5)]
    assert [(a, b) for a, b, _ in made.fragments["reference", 0][0]] == [(0, 5)]


def test_a_name_is_found_in_the_line_alone() -> None:
    made = find(texts("hello"), "content")
    [match] = made.matches.values()
    assert (match.delta, match.block) == (-1, -1)


def test_a_match_over_several_deltas_reaches_from_the_first_to_the_last() -> None:
    body = texts("hel", "l", "o world")
    made = find(body, "hello")
    [key] = made.order
    assert (body[key[0] :][:3], body[: key[1]][-1:]) == (b"hel", b"o")
    assert [body[a:b] for a, b, _ in sorted(made.ranges)] == [b"hel", b"l", b"o"]
    assert sorted(made.deltas) == [0, 1, 2]
    assert made.matches[key].event == 0


def test_halves_of_a_character_that_meet_are_that_character() -> None:
    body = texts("a\ud83d", "\ude00b", ascii_=True)
    made = find(body, "😀b")
    assert [body[a:b] for a, b, _ in sorted(made.ranges)] == [b"\\ud83d", b"\\ude00b"]


@pytest.mark.parametrize("scope, count", [("everything", 5), ("raw", 4), ("deltas", 1), ("blocks", 2)])
def test_scopes(scope: str, count: int) -> None:
    # In three lines as a name, in one of them and in its delta as a text, and once over two deltas.
    assert len(find(texts("object", "ob", "ject"), "object", scope=scope).matches) == count


def test_matches_are_in_the_order_of_the_stream() -> None:
    made = find(texts("one", "t", "wo", "two"), "two")
    assert made.order == sorted(made.order)
    assert [made.matches[key].event for key in made.order] == [1, 3]


def test_blocks_of_another_reader_are_found_by_the_same_bytes() -> None:
    body = b"".join(
        event({"reasoning_content": part, "content": "", "tool_calls": []}) for part in ("see ", "the ", "sea ")
    )
    reference = read(body)
    other = read(body, "zcode-3.11", reference)
    assert len(other.blocks) == 3
    made = Search(Query("see the"), reference, [reference, other])
    for _ in made.steps():
        pass
    [match] = made.matches.values()
    assert (match.reader, match.block) == ("reference", 0)
    made = Search(Query("sea"), reference, [reference, other])
    for _ in made.steps():
        pass
    assert len(made.matches) == 1
    assert set(made.fragments) == {("reference", 0), ("zcode-3.11", 2)}


def test_a_payload_on_two_lines_is_found_too() -> None:
    body = b'data: {"choices":[{"index":0,\ndata: "delta":{"content":"say \\u4f60"}}]}\n\n'
    made = find(body, "你")
    [match] = made.matches.values()
    assert (match.start, match.end, match.delta) == (0, len(body), 0)


def test_a_body_without_events_is_searched_line_by_line() -> None:
    made = find(b"<html>\n<body>Bad Gateway</body>\n</html>\n", "gateway")
    assert shown(made) == [b"Gateway"]


# against a naive reader


class Piece(NamedTuple):
    """A delta as it is written, with the bytes of each of its characters."""

    line: bytes
    text: str
    places: list[tuple[int, int]]


ALPHABET = "abAB 你好😀é\n\"\\ß"
NEEDLES = st.text("abAB 你好😀é", min_size=1, max_size=4)
PARTS = st.lists(st.tuples(st.text(ALPHABET, max_size=6), st.booleans()), min_size=1, max_size=8)
EXPRESSIONS = st.sampled_from(["a+", "[^a]b", r"\w+", "你?好", "(a|b)*", r"b\b", "^d", r"\n.", ".a.", "(?<=a)b", "A|é"])


def written(parts: Sequence[tuple[str, bool]]) -> list[Piece]:
    """Events of which every byte is known."""
    at = 0
    out = []
    for text, ascii_ in parts:
        head = b'data: {"choices":[{"index":0,"delta":{"content":"'
        line, places = head, []
        for character in text:
            letters = json.dumps(character, ensure_ascii=ascii_)[1:-1].encode()
            places.append((at + len(line), at + len(line) + len(letters)))
            line += letters
        line += b'"}}]}'
        out.append(Piece(line, text, places))
        at += len(line) + 2
    return out


def expected(pieces: list[Piece], finder: Finder) -> set[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    at = 0
    for piece in pieces:
        text = piece.line.decode()
        found |= {(at + len(text[:start].encode()), at + len(text[:end].encode())) for start, end in finder(text)}
        found |= {(piece.places[start][0], piece.places[end - 1][1]) for start, end in finder(piece.text)}
        at += len(piece.line) + 2
    places = [place for piece in pieces for place in piece.places]
    whole = "".join(piece.text for piece in pieces)
    return found | {(places[start][0], places[end - 1][1]) for start, end in finder(whole)}


def literal(needle: str, case: bool) -> Finder:
    def found(text: str) -> Iterator[tuple[int, int]]:
        at = 0
        while at + len(needle) <= len(text):
            piece = text[at : at + len(needle)]
            if piece == needle or (not case and [*map(fold, piece)] == [*map(fold, needle)]):
                yield at, at + len(needle)
                at += len(needle)
            else:
                at += 1

    return found


def expression(source: str, case: bool) -> Finder:
    made = regex.compile(source, 0 if case else regex.IGNORECASE)
    return lambda text: (match.span() for match in made.finditer(text) if match.end() > match.start())


def searched(pieces: list[Piece], query: Query, slice_: int, window: int) -> set[tuple[int, int]]:
    reading = read(b"".join(piece.line + b"\n\n" for piece in pieces))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "SLICE", slice_)
        patch.setattr(pattern, "WINDOW", window)
        patch.setattr(pattern, "BUDGET_S", 60)
        made = Search(query, reading, [reading])
        for _ in made.steps():
            pass
    assert made.given_up == 0
    return {key[:2] for key in made.matches}


@settings(max_examples=150, deadline=None)
@given(PARTS, NEEDLES, st.booleans(), st.sampled_from([64, 100, 1 << 16]), st.sampled_from([8, 50, 1 << 14]))
def test_characters_are_found_where_a_naive_reader_finds_them(
    parts: list[tuple[str, bool]], needle: str, case: bool, slice_: int, window: int
) -> None:
    pieces = written(parts)
    assert searched(pieces, Query(needle, case), slice_, window) == expected(pieces, literal(
        needle if case else fold(needle), case
    ))


@settings(max_examples=100, deadline=None)
@given(PARTS, EXPRESSIONS, st.booleans())
def test_expressions_are_found_where_a_naive_reader_finds_them(
    parts: list[tuple[str, bool]], source: str, case: bool
) -> None:
    pieces = written(parts)
    query = Query(source, case, True)
    assert searched(pieces, query, 1 << 16, 1 << 14) == expected(pieces, expression(source, case))


# expressions


@pytest.mark.parametrize(
    "source, why",
    [
        ("(a", "missing ) at character 3"),
        ("*a", "nothing to repeat at character 1"),
        ("[z-a]", "bad character range at character 5"),
        ("\\", "bad escape (end of pattern) at character 2"),
    ],
)
def test_what_is_no_expression_says_why(source: str, why: str) -> None:
    with pytest.raises(PatternFault) as caught:
        Search(Query(source, expression=True), read(b""), [])
    assert str(caught.value) == why


@pytest.mark.parametrize("source", [r"(a+)(a+)(a+)(a+)\1\2y", r"(?:(a+)(a+))+\2{3}y"])
def test_an_expression_that_never_ends_is_given_up(source: str) -> None:
    made = find(texts("a" * 3000 + "!y"), source, expression=True)
    # In the line, in the delta and in the block.
    assert (made.given_up, made.stopped, made.matches) == (3, "", {})


def test_it_rests_after_each_text_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = read(texts(*["ab"] * 20))
    steps = []
    for tick in (0.0, 1.0):
        clock = count(0.0, tick)
        monkeypatch.setattr(search, "perf_counter", lambda clock=clock: next(clock))
        made = Search(Query("[0-9]x", expression=True), reading, [reading])
        steps.append(sum(1 for _ in made.steps()))
    # Twenty lines and the marker, the blank ones between them, and twenty deltas.
    assert steps[1] >= steps[0] + 60


def test_a_search_that_is_given_up_everywhere_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_GIVEN_UP", 3)
    made = find(texts(*["a" * 2000 + "!"] * 20), r"(.*)(.*)(.*)(.*)(.*)x\1", expression=True, scope="raw")
    assert (made.stopped, made.given_up) == ("slow", 3)


def test_too_many_matches_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST", 100)
    made = find(texts(*["eeee"] * 200), "e")
    assert made.stopped == "many"
    assert 100 <= len(made.matches) <= 100 + search.PLACES


@pytest.mark.parametrize("window", [400, 600, 5000])
def test_long_texts_are_searched_in_windows_without_a_difference(
    monkeypatch: pytest.MonkeyPatch, window: int
) -> None:
    text = "the cat sat on the mat; " * 40
    monkeypatch.setattr(pattern, "WINDOW", window)
    monkeypatch.setattr(pattern, "BUDGET_S", 60)
    for source in (r"\bcat\b.{3}", "t.*?;", "[a-z]at", "the", "(?s).+"):
        made = pattern.Pattern(Query(source, expression=True))
        found = [span for spans in made.pieces(text) for span in spans]
        assert found == [match.span() for match in regex.finditer(source, text)], source


# steps


@pytest.fixture(scope="module")
def long_reading() -> Reading:
    words = ["alpha "] * 96 + ["beta ", "gam", "ma ", "再試行 "]
    lines = [event({"content": word}, n % 2 == 0) for n, word in enumerate(words)]
    reading = read(b"".join(lines) * 1000)
    reading.settle_rows()
    return reading


@pytest.mark.parametrize(
    "query, count",
    [
        (Query("no such word"), 0),
        (Query("gamma"), 1000),
        (Query("再試行"), 1000),
        (Query("zeta|theta", expression=True), 0),
    ],
)
def test_a_hundred_thousand_events_are_searched_in_small_steps(
    long_reading: Reading, monkeypatch: pytest.MonkeyPatch, query: Query, count: int
) -> None:
    decoded: list[int] = []
    sliced = [0]
    decode, cut = long_reading.decode, long_reading.body.slice

    def counted(n: int) -> list[object]:
        decoded.append(n)
        return decode(n)  # type: ignore[return-value]

    def measured(start: int, end: int) -> bytes:
        sliced[0] += end - start
        return cut(start, end)

    monkeypatch.setattr(long_reading, "decode", counted)
    monkeypatch.setattr(long_reading.body, "slice", measured)
    assert len(long_reading.events) == 100_000
    made = Search(query, long_reading, [long_reading])
    work = [(len(decoded), sliced[0]) for _ in made.steps()]
    assert len(made.matches) == count
    assert max(after - before for (before, _), (after, _) in pairwise(work)) <= search.EVENTS + 2
    assert max(after - before for (_, before), (_, after) in pairwise(work)) <= 3 * search.SLICE


def test_a_line_of_a_megabyte_is_searched_in_slices() -> None:
    body = texts("é" * 300_000 + "needle" + "é" * 300_000 + "needle")
    made = find(body, "needle")
    assert shown(made) == [b"needle", b"needle"]
    assert [made.matches[key].delta for key in made.order] == [0, 0]


@pytest.mark.parametrize("torn", ['{"choices":[{"delta":{"content":"ünfound', "found it in no JSON", '{"found":"found'])
def test_what_stands_in_a_payload_that_is_no_json_counts_once(torn: str) -> None:
    body = texts("found") + f"data: {torn}".encode()
    made = find(body, "found", scope="everything")
    assert len(made.matches) == body.count(b"found")
    assert set(shown(made)) == {b"found"}
