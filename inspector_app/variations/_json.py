"""JSON text as a tree that knows where each value stands, so that one can be changed and the rest left as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from inspector_app.core.json_tokens import ARRAY, OBJECT, STRING, WORD, unquote

_NUMBERED = re.compile(r"\[(\d+)\]")

_TOKEN = re.compile(rb'("[^"\\]*+(?:\\.[^"\\]*+)*+")(\s*+:)?+|[{}\[\]]|[^\s,:{}\[\]"]++', re.DOTALL)
"""One token of text that is known to be JSON; a second group behind a string says that it is a name."""


@dataclass(slots=True, eq=False)
class Node:
    """A value at [start, end) of its text; as a member it begins with its name, at `name_start`.

    `kind` is a kind of token (core/json_tokens.py).
    """

    kind: int
    start: int
    end: int
    parent: Node | None = None
    name: str | None = None
    name_start: int = -1
    name_end: int = -1
    children: list[Node] = field(default_factory=list)

    @property
    def path(self) -> str:
        """How it is reached, as people write it: "choices[].delta.content"."""
        if self.parent is None:
            return ""
        before = self.parent.path
        return f"{before}[]" if self.name is None else f"{before}.{self.name}" if before else self.name

    @property
    def numbered_path(self) -> str:
        """The same with the places in lists: "choices[0].delta.content"."""
        if self.parent is None:
            return ""
        before = self.parent.numbered_path
        if self.name is None:
            return f"{before}[{next(n for n, child in enumerate(self.parent.children) if child is self)}]"
        return f"{before}.{self.name}" if before else self.name

    @property
    def first(self) -> int:
        """Where the member, or the value that is none, begins."""
        return self.start if self.name is None else self.name_start

    def walk(self) -> Iterator[Node]:
        """This value and all in it, from the outside in."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def member(self, name: str) -> Node | None:
        """The last member of that name, as readers take it."""
        return next((child for child in reversed(self.children) if child.name == name), None)

    def at(self, pointer: str) -> Node | None:
        """The value at a JSON Pointer."""
        node: Node | None = self
        for step in pointer.split("/")[1:]:
            if node is None:
                return None
            if node.kind == ARRAY:
                node = node.children[int(step)] if step.isdigit() and int(step) < len(node.children) else None
            else:
                node = node.member(step.replace("~1", "/").replace("~0", "~"))
        return node


def roots(data: bytes) -> list[Node]:
    """The values of well-formed JSON text; there may be several, one behind the other."""
    found: list[Node] = []
    parent: Node | None = None
    name, name_start, name_end = None, -1, -1
    for token in _TOKEN.finditer(data):
        start, end = token.span()
        kind = data[start]
        if kind == STRING:
            if token.end(2) >= 0:
                name_start, name_end = token.span(1)
                name = unquote(data[name_start:name_end])
                continue
        elif kind in b"}]":
            if parent is None:
                break
            parent.end = end
            parent = parent.parent
            continue
        elif kind not in (OBJECT, ARRAY):
            kind = WORD
        node = Node(kind, start, end, parent, name, name_start, name_end)
        if parent is None:
            found.append(node)
        else:
            parent.children.append(node)
        name, name_start, name_end = None, -1, -1
        if kind in (OBJECT, ARRAY):
            parent = node
    return found


def is_at(node: Node, wanted: str) -> bool:
    """Whether a member is the one that a user means by a name, or by the end of a path; [] is any place of a list."""
    if node.name is None or not wanted.endswith(node.name):
        return False
    if not _NUMBERED.search(wanted):
        return node.path == wanted or node.path.endswith(f".{wanted}")
    any_place = re.escape(wanted).replace(r"\[\]", r"\[\d+\]")
    return re.search(rf"(?:^|\.){any_place}$", node.numbered_path) is not None


def index_of(data: bytes, entry: Node) -> int | None:
    """The `index` of an entry of a list, None where it has none that is a whole number."""
    held = entry.member("index")
    if held is None or held.kind != WORD:
        return None
    value = json.loads(data[held.start : held.end])
    return value if type(value) is int else None


def removed(root: Node, gone: Callable[[Node], bool]) -> Iterator[tuple[int, int]]:
    """What to cut out of the text so that these values, members with their names, are no longer there.

    What is inside of one that goes is not asked for; a root stays.
    """
    waiting = [root]
    while waiting:
        node = waiting.pop()
        leaves = [gone(child) for child in node.children]
        if not any(leaves):
            waiting += [child for child in node.children if child.children]
            continue
        kept = False
        for at, (child, leaving) in enumerate(zip(node.children, leaves, strict=True)):
            if not leaving:
                kept = True
                waiting.append(child)
            elif kept:
                yield node.children[at - 1].end, child.end
            elif at + 1 < len(node.children):
                yield child.first, node.children[at + 1].first
            else:
                yield child.first, child.end
