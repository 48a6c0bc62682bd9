"""The JSON tree of the detail pane as a model: nodes are made when their parent is opened, and only so many."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector_app.core.pointer import escape, flatten, spans
from inspector_app.core.text import clip, encodable, number, visible
from inspector_app.ui.views.field_marks import FieldMarks, Mark, below
from inspector_app.ui.views.payload_map import Payload

DEPTH = 100
CHUNK = 200
"""Children of a node that are made at once."""
NODES = 4000
SHOWN = 200
"""Characters of a value in a row."""
TEXT_ROWS = 50
EXACT = 1 << 18
"""Bytes of JSON up to which numbers are shown by their own digits; in longer text looking for them takes too long."""

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
NO_MARK = Mark()


@dataclass(slots=True)
class Node:
    """A row. `kind` is "event" (the top), "value", "more" (stands for what has not been made), "note" or "text".

    `given` is how many children a value has, `children` those made so far. `place` is None for what is no part of a
    value, else the number of the root and the pointer.
    """

    kind: str
    parent: int
    row: int
    depth: int
    label: str = ""
    shown: str = ""
    value: Any = None
    root: int = 0
    pointer: str = ""
    path: str = ""
    given: int = 0
    children: list[int] = field(default_factory=list)
    mark: Mark = NO_MARK
    unread: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    """Where a container lies in the JSON text, None where that is not worth the search."""

    @property
    def place(self) -> tuple[int, str] | None:
        return (self.root, self.pointer) if self.kind == "value" else None

    @property
    def is_container(self) -> bool:
        return isinstance(self.value, dict | list) and self.given > 0


class JsonModel(QAbstractItemModel):
    """Nodes of one payload. The internal id of an index is the node's number, so nothing is ever pointed at."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.nodes: list[Node] = []
        self._payload: Payload | None = None
        self._marks: FieldMarks | None = None

    def show(self, payload: Payload | None, marks: FieldMarks | None = None, title: str = "") -> None:
        """Replace everything by one event; None shows nothing."""
        self.beginResetModel()
        self._payload, self._marks = payload, marks
        self.nodes = []
        if payload is not None:
            top = Node("event", -1, 0, 0, shown=title)
            self.nodes.append(top)
            several = len(payload.values) > 1
            for node in self._notes(payload):
                self._add(0, node)
            if several or not isinstance(next(iter(payload.values), None), dict | list):
                top.given = len(payload.values)
                top.value = payload.values
            elif payload.values:
                top.value, top.given = payload.values[0], len(payload.values[0])
                top.span = (0, len(payload.text)) if len(payload.text) <= EXACT else None
            if top.given:
                self._make(0, CHUNK)
        self.endResetModel()

    def _notes(self, payload: Payload) -> Iterator[Node]:
        """What is to be said before the values, and the text where there is none."""
        if payload.fault and payload.data is not None and payload.data.strip() != b"[DONE]":
            yield Node("note", 0, 0, 1, shown=visible(payload.fault))
        if payload.values:
            return
        if payload.data is None:
            flags = [flag.replace("-", " ") for flag in payload.reading.event(payload.event).flags if flag != "no-data"]
            yield Node("note", 0, 0, 1, shown=f"no data{': ' + ', '.join(flags) if flags else ''}")
            return
        text = payload.text[: SHOWN * TEXT_ROWS].decode("utf-8", "replace")
        pieces = [line[at : at + SHOWN] for line in text.split("\n") for at in range(0, max(len(line), 1), SHOWN)]
        for piece in pieces[:TEXT_ROWS]:
            yield Node("text", 0, 0, 1, shown=visible(piece))
        if len(payload.data) > SHOWN * TEXT_ROWS or len(pieces) > TEXT_ROWS:
            yield Node("note", 0, 0, 1, shown=f"the beginning of {number(len(payload.data))} bytes")

    # making nodes

    def _add(self, parent: int, node: Node) -> int:
        node.parent, node.row = parent, len(self.nodes[parent].children)
        self.nodes.append(node)
        self.nodes[parent].children.append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def _made(self, n: int) -> int:
        """How many values below a node have been made."""
        return sum(self.nodes[child].kind == "value" for child in self.nodes[n].children)

    def _make(self, n: int, count: int) -> None:
        """Make the next values below a node, and a row for the rest. Rows are announced by the caller."""
        node, made = self.nodes[n], self._made(n)
        if node.children and self.nodes[node.children[-1]].kind == "more":
            node.children.pop()
        count = max(0, min(count, node.given - made, NODES - len(self.nodes)))
        roots = node.kind == "event" and node.given and node.value is self._roots()
        for position, (key, value) in enumerate(islice(_members(node.value), made, made + count), made):
            self._add(n, self._node(node, key, value, position if roots else node.root, bool(roots)))
        rest = node.given - made - count
        if rest > 0:
            full = len(self.nodes) >= NODES
            words = f"{number(rest)} more" + (": see the bytes" if full else f" of {number(node.given)}")
            self._add(n, Node("more", n, 0, node.depth + 1, shown=words))
        self._show_numbers(node, node.children[made:])

    def _roots(self) -> Any:
        return self._payload.values if self._payload is not None else None

    def _node(self, parent: Node, key: str | int, value: Any, root: int, is_root: bool) -> Node:
        pointer = "" if is_root else f"{parent.pointer}/{escape(str(key))}"
        path = "" if is_root else below(parent.path, next(flatten([0] if isinstance(key, int) else {key: 0}))[0])
        marks = self._marks
        mark = marks.by_pointer.get(pointer, NO_MARK) if marks is not None and root == 0 else NO_MARK
        unread = tuple(marks.readers(pointer, path, value)) if marks is not None and not is_root else ()
        given = len(value) if isinstance(value, dict | list) else 0
        if given and parent.depth + 1 >= DEPTH:
            shown, given = f"{_counted(value)}, deeper than {DEPTH}: see the bytes", 0
        else:
            shown = _counted(value) if given else shown_value(value)
        label = f"value {key}" if is_root else clip(visible(str(key)), SHOWN) or '""'
        return Node(
            "value", 0, 0, parent.depth + 1, label, shown, value, root, pointer, path, given, mark=mark, unread=unread
        )

    def _show_numbers(self, node: Node, made: list[int]) -> None:
        """Numbers with a point or an exponent stand as they came: 1.0 and 1e400 are no Python floats."""
        if node.span is None or self._payload is None:
            return
        start, end = node.span
        wanted = (self.nodes[m] for m in made if type(self.nodes[m].value) is float or self.nodes[m].given)
        below = {found.pointer[len(node.pointer) :]: found for found in wanted}
        for pointer, span in spans(self._payload.text[start:end], below).items() if below else ():
            found = below[pointer]
            found.span = (start + span.start, start + span.end)
            if not found.given:
                raw = self._payload.text[found.span[0] : min(found.span[1], found.span[0] + 2 * SHOWN)]
                found.shown = clip(raw.decode("ascii", "replace"), SHOWN)

    def more(self, index: Index, count: int = CHUNK) -> None:
        """Make further values in the place of a row that stands for them."""
        n = self.nodes[index.internalId()].parent
        if len(self.nodes) >= NODES:
            return
        parent = self.index_of(n)
        last = len(self.nodes[n].children) - 1
        self.beginRemoveRows(parent, last, last)
        self.nodes[n].children.pop()
        self.endRemoveRows()
        self._fetch(n, count)

    def reach(self, root: int, pointer: str) -> QModelIndex:
        """The index of a pointer, made on the way if need be; the nearest above it when the limit forbids more."""
        n = self._child_of_top(root)
        for part in pointer.split("/")[1:]:
            child = self._child(n, part.replace("~1", "/").replace("~0", "~"))
            if child is None:
                break
            n = child
        return self.index_of(n)

    def _child_of_top(self, root: int) -> int:
        top = self.nodes[0]
        if top.value is not self._roots():
            return 0
        self._ensure(0, root + 1)
        values = [child for child in top.children if self.nodes[child].kind == "value"]
        return values[root] if root < len(values) else 0

    def _child(self, n: int, key: str) -> int | None:
        node = self.nodes[n]
        if not node.given or node.depth >= DEPTH:
            return None
        position = _position(node.value, key)
        if position is None:
            return None
        self._ensure(n, position + 1)
        values = [child for child in node.children if self.nodes[child].kind == "value"]
        return values[position] if position < len(values) else None

    def _ensure(self, n: int, count: int) -> None:
        """Have at least the first `count` values below a node, if the limit allows."""
        while self._made(n) < min(count, self.nodes[n].given) and len(self.nodes) < NODES:
            children = self.nodes[n].children
            missing = count - self._made(n)
            if children and self.nodes[children[-1]].kind == "more":
                self.more(self.index_of(children[-1]), max(missing, CHUNK))
            else:
                self._fetch(n, max(missing, CHUNK))

    # what Qt asks

    def index_of(self, n: int) -> QModelIndex:
        """The index of node number n."""
        return self.createIndex(self.nodes[n].row, 0, n)

    def node(self, index: Index) -> Node:
        """The node of a valid index."""
        return self.nodes[index.internalId()]

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        if column != 0 or row < 0:
            return NOWHERE
        if not parent.isValid():
            return self.createIndex(0, 0, 0) if row == 0 and self.nodes else NOWHERE
        children = self.node(parent).children
        return self.createIndex(row, 0, children[row]) if row < len(children) else NOWHERE

    def parent(self, index: Index = NOWHERE) -> Any:
        if not index.isValid() or self.node(index).parent < 0:
            return NOWHERE
        return self.index_of(self.node(index).parent)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        if not parent.isValid():
            return 1 if self.nodes else 0
        return len(self.node(parent).children)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 1

    def hasChildren(self, parent: Index = NOWHERE) -> bool:
        if not parent.isValid():
            return bool(self.nodes)
        node = self.node(parent)
        return bool(node.children) or node.is_container

    def canFetchMore(self, parent: Index) -> bool:
        if not parent.isValid():
            return False
        node = self.node(parent)
        return node.is_container and not node.children and len(self.nodes) < NODES

    def fetchMore(self, parent: Index) -> None:
        if parent.isValid():
            self._fetch(parent.internalId(), CHUNK)

    def _fetch(self, n: int, count: int) -> None:
        """Make the next `count` values below a node and announce their rows."""
        node = self.nodes[n]
        first, count = len(node.children), min(count, node.given - self._made(n), NODES - len(self.nodes))
        if count <= 0:
            return
        rest = node.given - self._made(n) - count > 0
        self.beginInsertRows(self.index_of(n), first, first + count + rest - 1)
        self._make(n, count)
        self.endInsertRows()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            node = self.node(index)
            return f"{node.label}: {node.shown}" if node.label else node.shown
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(self.node(index))
        return None


def spoken(node: Node) -> str:
    """A row in words, for screen readers."""
    read = f"not read by {' and '.join(node.unread)}" if node.unread else ""
    parts = [f"{node.label}: {node.shown}" if node.label else node.shown, node.mark.remark, read]
    return ", ".join(part for part in parts if part)


def shown_value(value: Any) -> str:
    """A value as JSON, in one line and clipped."""
    if not isinstance(value, str):
        return clip(json.dumps(value), SHOWN)
    text = visible(json.dumps(encodable(value[:SHOWN]), ensure_ascii=False))
    rest = len(value) - SHOWN
    return text if rest <= 0 else f"{text[:-1]} … +{number(rest)} characters"


def _members(value: Any) -> Iterator[tuple[str | int, Any]]:
    return iter(value.items()) if isinstance(value, dict) else enumerate(value)


def _position(value: Any, key: str) -> int | None:
    if isinstance(value, list):
        return int(key) if key.isdecimal() and int(key) < len(value) else None
    return next((at for at, name in enumerate(value) if name == key), None)


def _counted(value: Any) -> str:
    noun = "key" if isinstance(value, dict) else "item"
    return f"{number(len(value))} {noun}{'' if len(value) == 1 else 's'}"
