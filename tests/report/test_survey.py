"""What two streams differ in beside what they say: one stream, changed in one way at a time."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from inspector_app.core.kit import load_kit
from inspector_app.core.types import Exchange, Http, MemoryBody
from inspector_app.lenses.run import read
from inspector_app.report.differences import Difference, differences, types_alone
from inspector_app.report.survey import Survey

KIT = load_kit()
WORDS = ("Snow ", "fell ", "on ", "the ", "old ", "mill ", "all ", "night.")


def chunk(number: int, delta: dict[str, object]) -> dict[str, object]:
    return {
        "id": "c-1",
        "object": "chat.completion.chunk",
        "model": "mill-1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": "stop" if number == len(WORDS) else None}],
    }


CHUNKS = [chunk(n, {"content": word}) for n, word in enumerate(WORDS, 1)]


def stream(chunks: list[dict[str, object]], head: str = "data: ", end: str = "\n\n", done: str = "[DONE]") -> bytes:
    lines = [head + json.dumps(chunk) + end for chunk in chunks]
    return "".join([*lines, f"data: {done}\n\n" if done else ""]).encode()


def survey(body: bytes, http: Http | None = None) -> Survey:
    found = Survey(read(Exchange("a.sse", "sse", MemoryBody(body), http=http), KIT))
    for _ in found.steps():
        pass
    return found


def changed(change: Callable[[dict[str, object]], object], every: int = 1) -> bytes:
    chunks = json.loads(json.dumps(CHUNKS))
    for number in range(0, len(chunks), every):
        change(chunks[number])
    return stream(chunks)


USUAL = stream(CHUNKS)
CASES: dict[str, tuple[bytes, list[Difference]]] = {
    "the same": (USUAL, []),
    "another id": (changed(lambda chunk: chunk.update(id="c-2")), []),
    "no space": (
        USUAL.replace(b'data: {"id"', b'data:{"id"', 1),
        [Difference("framing", "space after the colon", "on each", "on some (8 of 9)", (0, 0))],
    ),
    "line ends": (
        USUAL.replace(b"\n", b"\r\n"),
        [Difference("framing", "line ends", "LF 18", "CR LF 18", (0, 0))],
    ),
    "a stray line end": (
        USUAL.replace(b"}\n\n", b"}\r\n\r\n", 3).replace(b"}\r\n\r\n", b"}\n\n", 2),
        [Difference("framing", "line ends", "LF 18", "LF 16, CR LF 2", (0, 2))],
    ),
    "comments": (
        USUAL.replace(b"data: [DONE]", b": still here\n\ndata: [DONE]"),
        [Difference("framing", "comments", "none", "1, the first is ': still here'", (None, 8))],
    ),
    "no end marker": (
        stream(CHUNKS, done=""),
        [Difference("framing", "end marker", "[DONE]", "none")],
    ),
    "event lines": (
        stream(CHUNKS, head="event: chunk\ndata: "),
        [
            Difference("framing", "event lines", "none", "on some (8 of 9)", (None, 0)),
            Difference("framing", "event: chunk", "none", "on some (8 of 9)", (None, 0)),
        ],
    ),
    "a path that came": (
        changed(lambda chunk: chunk.update(tier="low")),
        [Difference("shape", "tier", "not there", "string, in 8 events", (None, 0))],
    ),
    "a type that changed": (
        changed(lambda chunk: chunk.update(model=7)),
        [Difference("shape", "model", "string, in 8 events", "number, in 8 events", (0, 0))],
    ),
    "a path that is not in each event": (
        changed(lambda chunk: chunk.pop("object"), every=2),
        [Difference("shape", "object", "in each event", "in 4 of 8 events", (0, 1))],
    ),
    "one value for another": (
        changed(lambda chunk: chunk.update(model="mill-2")),
        [Difference("shape", "model", "always 'mill-1'", "always 'mill-2'", (0, 0))],
    ),
    "escaped characters in both": (stream([chunk(1, {"content": "雪"}), *CHUNKS[1:]]), []),
    "spaces in the JSON": (
        USUAL.replace(b": ", b":").replace(b", ", b",").replace(b"data:", b"data: "),
        [Difference("framing", "spaces in the JSON", "on each", "none", (0, None))],
    ),
    "another order of keys": (
        changed(lambda chunk: chunk.update(model=chunk.pop("model"))),
        [Difference("shape", "model", "before choices", "after choices", (0, 0))],
    ),
    "a list, empty, that came": (
        changed(lambda chunk: chunk.update(notes=[])),
        [Difference("shape", "notes", "not there", "array, in 8 events", (None, 0))],
    ),
    "other words": (changed(lambda chunk: chunk["choices"][0]["delta"].update(content="Rain ")), []),  # type: ignore[index]
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_differs(case: str) -> None:
    body, expected = CASES[case]
    assert differences(survey(USUAL), survey(body)) == expected


@pytest.mark.parametrize("case", CASES)
def test_it_is_the_same_the_other_way_round(case: str) -> None:
    body, expected = CASES[case]
    back = [row._replace(a=row.b, b=row.a, events=row.events[::-1]) for row in expected]
    found = differences(survey(body), survey(USUAL))
    assert sorted(found) == sorted(back)


def listed(*notes: object) -> Survey:
    """A stream whose events have these `notes`, again and again."""
    return survey(stream([chunk(n, {}) | {"notes": notes[n % len(notes)]} for n in range(6)]))


def called(*pieces: dict[str, object], spare: int = 6) -> Survey:
    """A stream with the pieces of a call, and events of text besides."""
    deltas: list[dict[str, object]] = [{"tool_calls": [{"index": 0, **piece}]} for piece in pieces]
    return survey(stream([chunk(n, delta) for n, delta in enumerate([{"content": "x"}] * spare + deltas, 1)]))


FIRST, EMPTY_ID, BARE = {"id": "call_1", "args": "{"}, {"id": "", "args": "x"}, {"args": "x"}
CALL = "choices[].delta.tool_calls"
PIECES: dict[str, tuple[Survey, Survey, list[tuple[object, ...]]]] = {
    "a field that stays in the first piece alone": (
        called(FIRST, EMPTY_ID, EMPTY_ID, EMPTY_ID), called(FIRST, BARE, BARE, BARE),
        # Both have it first in event 6; they part in event 7.
        [(f"{CALL}[].id", "in 4 of 10 events", "in 1 of 10 events", (7, 7))],
    ),
    "pieces that went are one difference, whatever is in them": (
        called(FIRST, BARE, BARE, BARE), called(FIRST, BARE, BARE, spare=7),
        [
            ("choices[].delta.content", "in 6 of 10 events", "in 7 of 10 events", (6, 6)),
            (CALL, "in 4 of 10 events", "in 3 of 10 events", (6, 6)),
        ],
    ),
    "in another number of events as much of what holds it": (called(*[FIRST] * 4), called(*[FIRST] * 7), []),
    "in another number of events less of what holds it": (
        called(*[EMPTY_ID] * 4), called(FIRST, *[BARE] * 6),
        [(f"{CALL}[].id", "in 4 of 4 events with tool_calls[]", "in 1 of 7 events with tool_calls[]", (6, 6))],
    ),
    "a call in one piece says nothing of each piece": (called(FIRST, spare=8), called(FIRST, *[BARE] * 6), []),
}  # fmt: skip


@pytest.mark.parametrize("case", PIECES)
def test_in_how_many_events_a_field_is(case: str) -> None:
    a, b, expected = PIECES[case]
    assert [row[1:] for row in differences(a, b)] == expected


FULL, EMPTY, NAMES, NULL, OBJECT = [{"a": 1}], [], ["x"], None, {"a": 1}
LISTS: dict[str, tuple[Survey, Survey, list[Difference]]] = {
    "a list that was empty": (
        listed(EMPTY), listed(FULL),
        [
            Difference("shape", "notes", "empty in 6 events", "never empty", (0, None)),
            Difference("shape", "notes[].a", "not there", "number, in 6 events", (None, 0)),
        ],
    ),
    "a list that is empty at times": (
        listed(FULL), listed(FULL, EMPTY),
        [
            Difference("shape", "notes[].a", "in each event", "in 3 of 6 events", (0, 0)),
            Difference("shape", "notes", "never empty", "empty in 3 events", (None, 1)),
        ],
    ),
    "a list that has entries at times": (
        listed(EMPTY), listed(FULL, EMPTY),
        [Difference("shape", "notes[].a", "not there", "number, in 3 events", (None, 0))],
    ),
    "a list where nothing was": (
        listed(NULL), listed(NAMES),
        [
            Difference("shape", "notes", "null, in 6 events", "array, in 6 events", (0, 0)),
            Difference("shape", "notes[]", "not there", "string, in 6 events", (None, 0)),
        ],
    ),
    "entries of another kind": (
        listed(NAMES), listed(FULL),
        [
            Difference("shape", "notes[]", "string, in 6 events", "object, in 6 events", (0, 0)),
            Difference("shape", "notes[].a", "not there", "number, in 6 events", (None, 0)),
        ],
    ),
    "a list that was an object": (
        listed({}), listed(OBJECT, EMPTY),
        [
            Difference("shape", "notes", "object, in 6 events", "array or object, in 6 events", (None, 1)),
            Difference("shape", "notes.a", "not there", "number, in 3 events", (None, 0)),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LISTS)
def test_what_holds_something_is_the_field_too(case: str) -> None:
    a, b, expected = LISTS[case]
    assert differences(a, b) == expected


LINES = b"".join(json.dumps(chunk).encode() + b"\n" for chunk in CHUNKS)


@pytest.mark.parametrize("sides", [(USUAL, LINES), (LINES, USUAL), (b"id: 4\n: hello\n" + USUAL, LINES)])
def test_lines_that_only_one_container_has_are_not_compared(sides: tuple[bytes, bytes]) -> None:
    found = differences(*map(survey, sides))
    assert {row.what for row in found} == {"framing", "end marker"}
    assert {found[0].a, found[0].b} == {"sse", "ndjson"}


def test_the_head_is_part_of_the_framing() -> None:
    plain = Http(200, [("content-type", "text/event-stream")])
    other = Http(200, [("content-type", "text/plain")])
    assert differences(survey(USUAL, plain), survey(USUAL, other)) == [
        Difference("framing", "content type", "text/event-stream", "text/plain")
    ]


def test_a_new_comment_beside_one_that_was_there() -> None:
    before = USUAL.replace(b"data: [DONE]", b": ping 7\n\ndata: [DONE]")
    now = before.replace(b"data: [DONE]", b": ping 12\n\n: still here\n\ndata: [DONE]")
    assert differences(survey(before), survey(now)) == [
        Difference("framing", "comment: still here", "none", "1", (None, 10))
    ]


def test_it_rests_between_pieces() -> None:
    found = Survey(read(Exchange("a.sse", "sse", MemoryBody(stream(CHUNKS * 200))), KIT))
    assert list(found.steps()) == [500, 1000, 1500, 1601]


def test_characters_that_are_escaped_no_more() -> None:
    plain = "data: " + json.dumps(chunk(1, {"content": "雪"}), ensure_ascii=False) + "\n\n"
    escaped = "data: " + json.dumps(chunk(1, {"content": "雪"})) + "\n\n"
    assert differences(survey(escaped.encode()), survey(("data: {}\n\n" + plain).encode()))[0] == Difference(
        "framing", "characters beyond ASCII", "escaped", "as they are", (0, 1)
    )


def test_keys_that_are_values_are_one_difference() -> None:
    bodies = []
    for name in "ab":
        chunks = [chunk(n, {"scores": {f"{name}{n}.{k}": 1 for k in range(9)}}) for n in range(8)]
        bodies.append(survey(stream(chunks)))
    (row,) = [row for row in differences(*bodies) if "scores" in row.what]
    assert row == Difference(
        "shape",
        "choices[].delta.scores",
        '72 keys of its own, such as ["a0.0"]',
        '72 keys of its own, such as ["b0.0"]',
        (0, 0),
    )


def test_a_type_that_is_only_there_is_shown_where_it_comes_first() -> None:
    def numbered(kinds: str) -> Survey:
        # Every event has the key; a letter says of which type its value is.
        values = [{"n": n, "s": str(n), "o": {"a": n}}[kind] for n, kind in enumerate(kinds)]
        return survey(stream([chunk | {"extra": value} for chunk, value in zip(CHUNKS, values, strict=True)]))

    def events(ours: str, theirs: str) -> tuple[int | None, int | None]:
        (row,) = [one for one in differences(numbered(ours), numbered(theirs)) if one.what == "extra"]
        return row.events

    assert events("nnnnnnnn", "nnsnsnnn") == (None, 2)
    assert events("nnsnsnnn", "nnnnnnnn") == (2, None)
    assert events("nnnnnnnn", "ssssssss") == (0, 0)
    assert events("nnnsnnnn", "nnnnnonn") == (3, 5)
    assert types_alone("extra", numbered("nnnsnnnn"), numbered("nnnnnnnn")) == {"string"}
    assert types_alone("extra", numbered("nnnnnnnn"), numbered("nnnsnnnn")) == frozenset()
