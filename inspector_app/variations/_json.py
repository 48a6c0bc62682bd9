"""JSON text as a tree that knows where each value stands, so that one can be changed and the rest left as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from inspector_app.core.json_tokens import ARRAY, ARRAY_END, KEY, OBJECT, OBJECT_END, tokens, unquote


@dataclass(slots=True, eq=False)
class Node:
    """A value at [start, end) of its text; as a member it begins with its name, at `name_start`.

    `kind` is a kind of token (core/json_tokens.py). `path` leads to it as people write it, "choices[].delta.content".
    """

    kind: int
    start: int
    end: int
    path: str
    name: str | None = None
    name_start: int = -1
    name_end: int = -1
    children: list[Node] = field(default_factory=list)

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
    open_: list[Node] = []
    name: tuple[str, int, int] | None = None
    for kind, start, end in tokens(data):
        if kind == KEY:
            name = unquote(data[start:end]), start, end
            continue
        if kind in (OBJECT_END, ARRAY_END):
            if not open_:
                break
            open_.pop().end = end
            continue
        parent = open_[-1] if open_ else None
        node = Node(kind, start, end, "" if parent is None else parent.path)
        if parent is None:
            found.append(node)
        else:
            parent.children.append(node)
            if name is not None:
                node.name, node.name_start, node.name_end = name
                node.path = f"{parent.path}.{node.name}" if parent.path else node.name
            else:
                node.path = f"{parent.path}[]"
        name = None
        if kind in (OBJECT, ARRAY):
            open_.append(node)
    return found


def is_at(node: Node, wanted: str) -> bool:
    """Whether a member is the one that a user means by a name, or by the end of a path."""
    return node.name is not None and (node.path == wanted or node.path.endswith(f".{wanted}"))


def removed(root: Node, gone: Callable[[Node], bool]) -> Iterator[tuple[int, int]]:
    """What to cut out of the text so that these values, members with their names, are no longer there.

    What is inside of one that goes is not asked for; a root stays.
    """
    waiting = [root]
    while waiting:
        node = waiting.pop()
        leaves = [gone(child) for child in node.children]
        waiting += [child for child, leaving in zip(node.children, leaves, strict=True) if not leaving]
        kept = False
        for at, (child, leaving) in enumerate(zip(node.children, leaves, strict=True)):
            if not leaving:
                kept = True
            elif kept:
                yield node.children[at - 1].end, child.end
            elif at + 1 < len(node.children):
                yield child.first, node.children[at + 1].first
            else:
                yield child.first, child.end
