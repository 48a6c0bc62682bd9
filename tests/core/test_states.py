"""States that grow: snapshots, lists, JSON patches, and what patches may not do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_app.core.states import DEEPEST, WALKS, State, copied

PATCHES: list[tuple[Any, list[Any], Any]] = [
    ({"a": 1}, [{"op": "add", "path": "/b", "value": 2}], {"a": 1, "b": 2}),
    ({"a": [1, 3]}, [{"op": "add", "path": "/a/1", "value": 2}], {"a": [1, 2, 3]}),
    (
        {"a": [1]},
        [{"op": "add", "path": "/a/-", "value": 2}, {"op": "add", "path": "/a/2", "value": 3}],
        {"a": [1, 2, 3]},
    ),
    ({"a": 1}, [{"op": "replace", "path": "/a", "value": [2]}], {"a": [2]}),
    ({"a": 1}, [{"op": "replace", "path": "", "value": 5}], 5),
    ({"a": 1}, [{"op": "replace", "path": "/b", "value": 2}], {"a": 1}),
    ({"a": 1, "b": 2}, [{"op": "remove", "path": "/a"}], {"b": 2}),
    ({"a": [1, 2]}, [{"op": "move", "from": "/a/0", "path": "/b"}], {"a": [2], "b": 1}),
    ({"a": {"x": 1}}, [{"op": "move", "from": "/a", "path": "/a/b"}], {"a": {"x": 1}}),
    (
        {"a": {"x": 1}},
        [{"op": "copy", "from": "/a", "path": "/b"}, {"op": "add", "path": "/b/y", "value": 2}],
        {"a": {"x": 1}, "b": {"x": 1, "y": 2}},
    ),
    ({"a~b": {"c/d": 1}}, [{"op": "replace", "path": "/a~0b/c~1d", "value": 2}], {"a~b": {"c/d": 2}}),
    ({"a": [1]}, [{"op": "add", "path": "/a/7", "value": 2}, {"op": "remove", "path": "/a/-1"}], {"a": [1]}),
    ({"a": 1}, [{"op": "test", "path": "/a", "value": 9}, {"op": "add"}, 7, None, {"op": "add", "path": 3}], {"a": 1}),
    (None, [{"op": "add", "path": "/a", "value": 1}], {"a": 1}),
]


@pytest.mark.parametrize(("before", "patch", "after"), PATCHES)
def test_a_patch_changes_the_state_and_no_payload(before: Any, patch: list[Any], after: Any) -> None:
    given_state, given_patch = json.dumps(before), json.dumps(patch)
    state = State()
    if before is not None:
        state.take(before, "snapshot")
    state.take(patch, "patch")
    assert state.value == after
    assert (json.dumps(before), json.dumps(patch)) == (given_state, given_patch)


def test_a_list_grows() -> None:
    state = State()
    for value in ([1, 2], 3, [4]):
        state.take(value, "append")
    assert state.value == [1, 2, 3, 4]


def test_a_first_value_takes_the_place_of_nothing_only() -> None:
    state = State()
    state.take({"a": 1}, "first")
    state.take({"a": 2}, "first")
    assert state.value == {"a": 1}


def test_copies_of_everything_come_to_an_end() -> None:
    state = State()
    state.take([{"op": "copy", "from": "", "path": f"/{n}"} for n in range(60)], "patch")
    assert len(json.dumps(state.value)) < 20 * WALKS


def test_moves_do_not_dig_deeper_and_deeper() -> None:
    state = State()
    chain = "/a" * 90
    for n in range(1, 90):
        state.take([{"op": "add", "path": "/a" * n, "value": {}}], "patch")
    for _ in range(20):
        ops = [{"op": "move", "from": "/a", "path": "/b"}]
        ops += [{"op": "add", "path": "/a" * n, "value": {}} for n in range(1, 90)]
        state.take([*ops, {"op": "move", "from": "/b", "path": chain}], "patch")
    level, depth = [state.value], 0
    while level:
        level = [member for node in level for member in node.values()]
        depth += 1
    assert 90 < depth <= DEEPEST + 100


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab01-"), inner, max_size=3),
    max_leaves=12,
)
PATHS = st.lists(st.sampled_from(["a", "b", "0", "1", "-", "~0", ""]), max_size=4).map(
    lambda s: "".join("/" + one for one in s)
)
OPERATION = st.fixed_dictionaries(
    {"op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]), "path": PATHS | JSON},
    optional={"value": JSON, "from": PATHS | JSON},
)


@given(JSON, st.lists(OPERATION | JSON, max_size=8))
def test_any_patch_is_taken_without_a_fault(before: Any, patch: list[Any]) -> None:
    state = State()
    state.take(before, "snapshot")
    assert state.value == before == copied(before)
    said = json.dumps([before, patch])
    state.take(patch, "patch")
    json.dumps(state.value)
    assert json.dumps([before, patch]) == said
