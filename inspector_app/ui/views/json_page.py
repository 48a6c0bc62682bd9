"""The first page of the detail pane: the JSON tree of an event beside its bytes, each leading to the other."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSplitter, QSplitterHandle, QWidget

from inspector_app.core.reading import Reading
from inspector_app.core.text import encodable, number
from inspector_app.core.types import MemoryBody
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.theme import Look
from inspector_app.ui.views.byte_view import ByteView, Highlight
from inspector_app.ui.views.copies import path_of
from inspector_app.ui.views.evidence import Evidences
from inspector_app.ui.views.field_marks import FieldMarks
from inspector_app.ui.views.json_tree import JsonTree
from inspector_app.ui.views.payload_map import Payload

SIZES = (456, 502)
NO_EVENT = ("document", "No event is selected", "Select a line, a delta or a block.")
NO_JSON = ("document", "No JSON", "Nothing here is an event; the bytes stand beside.")
NO_BYTES = ("document", "No bytes", "This body is empty.")


class _Handle(QSplitterHandle):
    """A line of 1 px that can be dragged."""

    def __init__(self, look: Look, splitter: QSplitter) -> None:
        super().__init__(splitter.orientation(), splitter)
        self._look = look
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), self._look.theme.color("line"))


class _Splitter(QSplitter):
    def __init__(self, look: Look) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._look = look
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self._look, self)


class JsonPage(QWidget):
    """Shows the event of the selection. What is chosen here is selected for all views, with `origin` as its origin."""

    def __init__(self, session: Session, look: Look, origin: QWidget) -> None:
        super().__init__()
        self._session = session
        self._origin = origin
        self._evidences = Evidences(session)
        self._payload: Payload | None = None
        self._shown: tuple[object, ...] = ()
        self.tree = JsonTree(look)
        self.bytes = ByteView(look)
        self.tree.picked.connect(self._pick_value)
        self.bytes.picked.connect(self._pick_bytes)
        for view in (self.tree, self.bytes):
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(lambda at: self._menu(self.tree.viewport().mapToGlobal(at)))
        self.bytes.customContextMenuRequested.connect(lambda at: self._menu(self.bytes.viewport().mapToGlobal(at)))
        splitter = _Splitter(look)
        for side, size in zip((self.tree, self.bytes), SIZES):
            splitter.addWidget(side)
            side.setMinimumWidth(160)
            splitter.setStretchFactor(splitter.count() - 1, size)
        splitter.setSizes(list(SIZES))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    # showing

    def forget(self) -> None:
        """What was read or chosen has changed: work it out again at the next `show_selection`."""
        self._evidences.forget()
        self._shown = ()

    def show_selection(self, selection: Selection | None) -> None:
        """Show the event of a selection, and in it what is selected."""
        reference = self._session.reference
        event = selection.event if selection is not None else None
        if reference is None or event is None or event >= len(reference.events):
            self._show_body(reference, selection)
            return
        if self._shown != (reference, event, reference.bytes_of(event)):
            self._shown = (reference, event, reference.bytes_of(event))
            payload = self._payload = Payload(reference, event)
            marks = FieldMarks(self._session, self._evidences, event)
            self.tree.show_payload(payload, marks, self._title(event, marks))
            self.bytes.show_bytes(reference.body, payload.start, payload.end, list(self._highlights(payload)))
        assert selection is not None
        self._mark(selection)

    def _show_body(self, reference: Reading | None, selection: Selection | None) -> None:
        """No event to show: the bytes of a body that has none, and why there is no tree."""
        self._payload, self._shown = None, ()
        bare = reference is not None and reference.ended and not len(reference.events)
        self.tree.empty = NO_EVENT
        if bare and reference is not None:
            self.tree.empty = NO_JSON if len(reference.body) else NO_BYTES
        self.tree.show_payload(None, None, "")
        if reference is None or not bare:
            self.bytes.show_bytes(MemoryBody(b""), 0, 0, ())
            return
        marks = [found for found in self._evidences.of_body().ranges if found.what != "info"]
        self.bytes.show_bytes(
            reference.body,
            0,
            len(reference.body),
            [Highlight(found.start, found.end, "finding", found.meaning) for found in marks],
        )
        if selection is not None and selection.start is not None and selection.end is not None:
            self.bytes.select(selection.start, selection.end)
        else:
            self.bytes.select_none()

    def _title(self, event: int, marks: FieldMarks) -> str:
        title = f"event {number(event)}"
        if marks.unread is None:
            return title
        return f"{title}, not read by {' and '.join(marks.clients)}: {marks.unread}"

    def _highlights(self, payload: Payload) -> Iterator[Highlight]:
        """The values that became deltas, what is not read, what findings point at, and over them what ended a block."""
        evidence = self._evidences.of(payload.event)
        body = payload.reading.body
        last = []
        for found in evidence.ranges:
            if found.what == "value":
                text = found.pointer != "" and body.slice(found.start, found.start + 1) == b'"'
                yield Highlight(found.start + text, found.end - text, "value", found.meaning)
            elif found.what == "unread":
                yield Highlight(found.start, found.end, "unread", "unread")
            elif found.what == "cut":
                last.append(Highlight(found.start, found.end, "cut", "error"))
            elif found.what != "key":
                yield Highlight(found.start, found.end, "finding", found.meaning)
        yield from last
        if evidence.no_space:
            yield from self._without_space(payload)

    def _without_space(self, payload: Payload) -> Iterator[Highlight]:
        for line_number in range(*payload.reading.lines_of(payload.event)):
            line = payload.reading.lines[line_number]
            if payload.reading.body.slice(line.start, line.start + 6)[:5] == b"data:":
                yield Highlight(line.start, line.start + 5, "cut", "error")
                yield Highlight(line.start + 5, line.start + 5, "caret", "error")

    def _mark(self, selection: Selection) -> None:
        payload = self._payload
        assert payload is not None
        start, end, pointer = selection.start, selection.end, selection.pointer
        root = 0
        whole = start is None or end is None or (start, end) == (payload.start, payload.end)
        if not whole and pointer is None:
            root, pointer = payload.pointer_at(start or 0) or (0, None)
        if pointer is not None and payload.values:
            self.tree.show_pointer(root, pointer)
            if whole:
                start, end = payload.place(root, pointer)
        else:
            self.tree.show_top()
        if start is not None and end is not None and (start, end) != (payload.start, payload.end):
            self.bytes.select(start, end)
        else:
            self.bytes.select_none()

    # choosing

    def _pick_value(self, place: tuple[int, str] | None) -> None:
        payload = self._payload
        if payload is None:
            return
        if place is None:
            self._session.selection.select(Selection(payload.event), self._origin)
            self.bytes.select_none()
            return
        start, end = payload.place(*place)
        self.bytes.select(start, end)
        pointer = place[1] if place[0] == 0 else None
        self._session.selection.select(Selection(payload.event, pointer=pointer, start=start, end=end), self._origin)

    def _pick_bytes(self, start: int, end: int) -> None:
        payload, reference = self._payload, self._session.reference
        if payload is None:
            if reference is not None and len(reference.lines):
                self._session.selection.select(
                    Selection(0, line=reference.lines.at(start), start=start, end=end), self._origin
                )
            return
        found = payload.pointer_at(start)
        if found is not None:
            self.tree.show_pointer(*found)
        else:
            self.tree.show_top()
        line = payload.reading.lines.at(start)
        pointer = found[1] if found is not None and found[0] == 0 else None
        selection = Selection(payload.event, line=line, pointer=pointer, start=start, end=end)
        self._session.selection.select(selection, self._origin)

    # the clipboard

    def copies(self) -> dict[str, str]:
        """What can be copied of the selection: the words of the action, and the text from the store, never as shown."""
        payload, node = self._payload, self.tree.current
        if payload is None:
            return {}
        found: dict[str, str] = {}
        place = node.place if node is not None else None
        if place is not None:
            value = payload.value(*place)
            text = payload.json(*place).decode("utf-8", "replace")
            found = {"Copy value": value if isinstance(value, str) else text}
            found |= {"Copy value as JSON": text, "Copy JSON Pointer": place[1]}
            if place[1]:
                found["Copy path"] = path_of(place[1], payload.values[place[0]])
        elif payload.data is not None:
            found = {"Copy payload as sent": payload.data.decode("utf-8", "replace")}
        start, end = self.bytes.selected or (payload.start, payload.end)
        found["Copy bytes as hex"] = payload.reading.body.slice(start, end).hex(" ")
        return found

    def copy(self, what: str) -> None:
        """Put one of `copies` on the clipboard."""
        text = self.copies().get(what)
        if text is not None:
            QGuiApplication.clipboard().setText(encodable(text))

    def menu(self) -> QMenu:
        """The actions that copy."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for what in self.copies():
            menu.addAction(what).triggered.connect(lambda _=False, what=what: self.copy(what))
        return menu

    def _menu(self, at: QPoint) -> None:
        if self._payload is not None:
            self.menu().popup(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy("Copy bytes as hex" if self.bytes.hasFocus() else next(iter(self.copies()), ""))
            return
        super().keyPressEvent(event)
