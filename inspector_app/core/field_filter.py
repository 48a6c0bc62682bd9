"""A condition on events, as a person types it: `choices[0].delta.tool_calls exists and t > 2s`.

A field is a ledger path: `choices[].delta.content`. `[]` is any element, `[0]` the first one, and an index may be left
out. Besides fields there are the names in `NAMES`; a field that is called like one of them is written with a dot in
front. Words between them: `and`, `or`, `not`, brackets. What can be said of each is in `OPERATORS`. How it falls into
words is `field_words`.
"""

from __future__ import annotations

import operator
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import regex

from inspector_app.core.field_words import NAMES, Step, Word, steps_of, words
from inspector_app.core.frame import Frame
from inspector_app.core.pattern import BUDGET_S, PatternFault
from inspector_app.core.payload import read_payload
from inspector_app.core.reading import Reading

TYPES: dict[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "empty": lambda value: value is None or value in ("", [], {}),
}
UNITS = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9}
SIZES = {"b": 1, "kb": 10**3, "mb": 10**6, "kib": 1 << 10, "mib": 1 << 20}
LITERALS: dict[str, Any] = {"true": True, "false": False, "null": None, "[]": [], "{}": {}}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
DEEPEST = 40
"""Brackets inside of each other, and `not` in a row."""

_EXPRESSION = regex.compile(r"/(.+)/")
_NUMBER = regex.compile(r"(?P<number>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?P<unit>[a-zµ]*)", regex.IGNORECASE)


class Row:
    """What conditions ask of one event; each thing is found out when it is asked for first."""

    def __init__(self, reading: Reading, n: int, rules: dict[str, tuple[Sequence[int], str]]) -> None:
        self.reading, self.n, self._rules = reading, n, rules

    @cached_property
    def payloads(self) -> list[Any]:
        """The JSON values of its data."""
        reading, n = self.reading, self.n
        frame = Frame(reading.events.flags[n], reading.events.names.get(n), reading.text(n))
        return read_payload(frame, reading.rules, None, n, reading.markers).values

    def named(self, name: str) -> Iterator[Any]:
        """The values of one of NAMES; none where it is unknown."""
        reading, n = self.reading, self.n
        if name == "event":
            yield n
        elif name == "size":
            start, end = reading.bytes_of(n)
            yield end - start
        elif name == "name":
            if (said := reading.events.names.get(n)) is not None:
                yield said
        elif name in ("t", "gap"):
            time = reading.time_of(n)
            before = None if name == "t" or not n else reading.time_of(n - 1)
            if time is not None and (name == "t" or before is not None):
                yield time - (before or 0)
        elif name in ("kind", "text"):
            for delta in reading.deltas(n):
                if name == "kind":
                    yield delta.kind
                elif isinstance(delta.value, str):
                    yield delta.value
        else:
            for rule, (events, severity) in self._rules.items():
                at = bisect_left(events, n)
                if at < len(events) and events[at] == n:
                    yield rule if name == "rule" else severity


Test = Callable[[Row], bool]


class Filter(NamedTuple):
    """A condition made ready. `paths` are the fields it speaks of, and how they were typed: where it holds, these are
    worth showing. `names` are those of NAMES that it speaks of, `slow` counts the texts that took an expression too
    long.
    """

    test: Test
    paths: dict[tuple[Step, ...], str]
    names: frozenset[str]
    slow: Counter[str]


def parse_filter(text: str) -> Filter:
    """Make a condition ready. Raises PatternFault: what is wrong, and at which character."""
    return _Parser(text).whole()


def rules_of(reading: Reading) -> dict[str, tuple[Sequence[int], str]]:
    """Rule -> the events its finding points at and its severity, for `Row`."""
    return {finding.rule: (finding.events, finding.severity) for finding in reading.findings}


def values_at(value: Any, steps: tuple[Step, ...], at: int = 0) -> Iterator[tuple[str, Any]]:
    """(JSON Pointer, value) of all that a path leads to. A key asked of a list is asked of each of its elements."""
    if at == len(steps):
        yield "", value
        return
    step = steps[at]
    members: Iterable[tuple[str | int, Any]] = ()
    after = at + 1
    if isinstance(value, list):
        if isinstance(step, int):
            members = [(step, value[step])] if step < len(value) else ()
        else:
            members, after = enumerate(value), at + (step is None)
    elif isinstance(value, dict) and isinstance(step, str) and step in value:
        members = [(step, value[step])]
    for key, member in members:
        for pointer, found in values_at(member, steps, after):
            yield f"/{str(key).replace('~', '~0').replace('/', '~1')}{pointer}", found


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = list(words(text))
        if self.tokens and self.tokens[-1].kind == "open":
            raise _misfit(self.tokens[-1])
        self.place = 0
        self.depth = 0
        self.paths: dict[tuple[Step, ...], str] = {}
        self.names: set[str] = set()
        self.slow: Counter[str] = Counter()

    def whole(self) -> Filter:
        test = self._either()
        if (token := self._peek()) is not None:
            raise self._fault(token, "`and` or `or` is expected")
        return Filter(test, self.paths, frozenset(self.names), self.slow)

    def _peek(self) -> Word | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def _next(self, expected: str) -> Word:
        token = self._peek()
        if token is None:
            raise PatternFault(f"{expected} at the end")
        self.place += 1
        return token

    def _fault(self, token: Word, expected: str) -> PatternFault:
        return PatternFault(f"{expected} at character {token.at + 1}, where {token.text!r} stands")

    def _takes(self, *words: str) -> bool:
        token = self._peek()
        found = token is not None and token.kind != "text" and token.text.lower() in words
        self.place += found
        return found

    def _either(self) -> Test:
        tests = [self._both()]
        while self._takes("or", "||"):
            tests.append(self._both())
        return tests[0] if len(tests) == 1 else lambda row: any(test(row) for test in tests)

    def _both(self) -> Test:
        tests = [self._one()]
        while self._takes("and", "&&"):
            tests.append(self._one())
        return tests[0] if len(tests) == 1 else lambda row: all(test(row) for test in tests)

    def _one(self) -> Test:
        self.depth += 1
        if self.depth > DEEPEST:
            raise PatternFault("it is nested too deep")
        try:
            if self._takes("not"):
                inner = self._one()
                return lambda row: not inner(row)
            if self._takes("("):
                inner = self._either()
                if not self._takes(")"):
                    raise PatternFault("a bracket is not closed")
                return inner
            return self._term()
        finally:
            self.depth -= 1

    def _term(self) -> Test:
        token = self._next("a field is expected")
        if token.kind != "word" or token.text.lower() in ("and", "or"):
            raise self._fault(token, "a field is expected")
        name = token.text if token.text in NAMES else None
        values = self._named(name) if name is not None else self._field(token)
        if self._takes("exists"):
            return lambda row: any(True for _ in values(row))
        if self._takes("missing"):
            return lambda row: not any(True for _ in values(row))
        if self._takes("is"):
            return self._typed(values)
        if self._takes("contains"):
            sought = self._value("contains", None)
            return lambda row: any(_holds(value, sought) for value in values(row))
        if self._takes("matches", "~"):
            return self._matching(values)
        sign = self._peek()
        if sign is None or sign.kind != "sign" or sign.text in ("(", ")"):
            return lambda row: any(True for _ in values(row))
        self.place += 1
        return self._compared(sign.text, values, name)

    def _named(self, name: str) -> Callable[[Row], Iterator[Any]]:
        self.names.add(name)
        return lambda row: row.named(name)

    def _field(self, token: Word) -> Callable[[Row], Iterator[Any]]:
        steps = steps_of(token.text)
        if steps is None:
            raise self._fault(token, "a field such as choices[0].delta is expected")
        self.paths.setdefault(steps, token.text)

        def values(row: Row) -> Iterator[Any]:
            for payload in row.payloads:
                for _, value in values_at(payload, steps):
                    yield value

        return values

    def _typed(self, values: Callable[[Row], Iterator[Any]]) -> Test:
        turned = self._takes("not")
        token = self._next("a type is expected")
        has_type = TYPES.get(token.text.lower())
        if has_type is None:
            raise self._fault(token, f"a type ({', '.join(TYPES)}) is expected")
        return lambda row: any(has_type(value) != turned for value in values(row))

    def _matching(self, values: Callable[[Row], Iterator[Any]]) -> Test:
        token = self._next("an expression is expected")
        try:
            expression = regex.compile(_quoted(token))
        except (regex.error, OverflowError, RecursionError) as error:
            raise PatternFault(f"no regular expression: {str(error).split(chr(10))[0]}") from error

        def matches(value: Any) -> bool:
            try:
                return isinstance(value, str) and expression.search(value, timeout=BUDGET_S) is not None
            except (TimeoutError, MemoryError):
                self.slow[token.text] += 1
                return False

        return lambda row: any(matches(value) for value in values(row))

    def _compared(self, sign: str, values: Callable[[Row], Iterator[Any]], name: str | None) -> Test:
        sought = self._value(sign, name)
        if name == "kind" and sign in ("=", "==", "!="):
            equal = sign != "!="
            return lambda row: any((kind == sought or kind.startswith(f"{sought}.")) == equal for kind in values(row))
        if sign in ("=", "=="):
            return lambda row: any(_equal(value, sought) for value in values(row))
        if sign == "!=":
            return lambda row: any(not _equal(value, sought) for value in values(row))
        compare = COMPARISONS[sign]

        def holds(value: Any) -> bool:
            number = TYPES["number"](value) and TYPES["number"](sought)
            return (number or (isinstance(value, str) and isinstance(sought, str))) and compare(value, sought)

        return lambda row: any(holds(value) for value in values(row))

    def _value(self, before: str, name: str | None) -> Any:
        token = self._next(f"after `{before}` a value is expected")
        if token.kind == "text":
            return _quoted(token)
        if token.kind != "word":
            raise self._fault(token, f"after `{before}` a value is expected")
        if before in ("=", "==", "!=") and (inner := _EXPRESSION.fullmatch(token.text)):
            raise self._fault(token, f'`{before}` takes a value, an expression is written ~ "{inner[1]}"')
        if token.text in LITERALS:
            return LITERALS[token.text]
        found = _NUMBER.fullmatch(token.text)
        units = UNITS if name in ("t", "gap") else SIZES if name == "size" else {}
        if found is None:
            if units or name == "event":
                raise self._fault(token, f"after `{before}` a number is expected")
            return token.text
        number, unit = float(found["number"]), found["unit"].lower()
        if not units:
            if unit:
                return token.text
            return int(number) if number.is_integer() and "e" not in found["number"].lower() else number
        if unit and unit not in units:
            raise self._fault(token, f"a unit ({', '.join(units)}) is expected")
        return number * units[unit or ("s" if units is UNITS else "b")]


def _misfit(word: Word) -> PatternFault:
    """What is wrong from the first character on that fits nothing."""
    sign = word.text[0]
    if sign in "\"'":
        return PatternFault(f"the text that begins at character {word.at + 1} has no {sign} at its end")
    if sign == "[":
        return PatternFault(f'[0], [] or ["a key"] is expected at character {word.at + 1}')
    return PatternFault(f"character {word.at + 1}, {sign!r}, fits nothing here")


def _quoted(token: Word) -> str:
    """The text of a value. Only quotes are escaped, so that an expression can be written as it is."""
    return regex.sub(r"\\([\"'])", r"\1", token.text[1:-1]) if token.kind == "text" else token.text


def _equal(value: Any, sought: Any) -> bool:
    if isinstance(value, bool) or isinstance(sought, bool) or value is None or sought is None:
        return value is sought
    return bool(value == sought)


def _holds(value: Any, sought: Any) -> bool:
    if isinstance(value, str):
        return str(sought).lower() in value.lower()
    return isinstance(value, list | dict) and any(_equal(member, sought) for member in value)
