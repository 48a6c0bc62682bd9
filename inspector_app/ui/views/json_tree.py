"""The JSON tree of the detail pane: which field became what, what it ended, and who does not read it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from inspector_app.ui import fonts
from inspector_app.ui.icons import SMALL, draw_icon
from inspector_app.ui.labels import draw_text, rounded, tip
from inspector_app.ui.marks import cut_box, unread_underline
from inspector_app.ui.theme import Look
from inspector_app.ui.views.empty import paint_empty
from inspector_app.ui.views.field_marks import FieldMarks
from inspector_app.ui.views.json_nodes import JsonModel, Node
from inspector_app.ui.views.payload_map import Payload
from inspector_app.ui.views.row_states import PLAIN, SELECTED, KeyboardRing, paint_focus, paint_state

ROW = 20
WORDS, INDENT = 30, 16
"""Where the words of the top row stand, and how much further right each level is."""
CHEVRON, CHEVRON_SIZE = 17, 12
ICON_RIGHT, REMARK_RIGHT = 24, 33
"""From the right edge to the left side of the mark, and to the right side of the remark."""
VALUE, LEAST_VALUE, LEAST_REMARK = 60, 20, 40
"""Pixels of a value that are kept before a remark and before the key, and below which a remark is left out."""
FEW = 200
"""Payloads with up to so many nodes are shown unfolded."""

Index = QModelIndex | QPersistentModelIndex


class _Height(QStyledItemDelegate):
    """Rows are painted by the view; this only says how tall they are."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> object:
        hint = super().sizeHint(option, index)
        hint.setHeight(ROW)
        return hint


class JsonTree(QTreeView):
    """`picked` carries root and pointer of the value that the user chose, None for the top row."""

    picked = Signal(object)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._ring = KeyboardRing()
        self._hovered = QPersistentModelIndex()
        self._silent = False
        self._cut: dict[QPersistentModelIndex, str] = {}
        """Rows in which there was no room for all, and what they say."""
        self.empty = ("", "", "")
        """What is said while there is no event."""
        self.exact = False
        """Whether the current row is what all views have selected."""
        self.json = JsonModel(self)
        self.setModel(self.json)
        self.setItemDelegate(_Height(self))
        self.setHeaderHidden(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRootIsDecorated(False)
        self.setIndentation(INDENT)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName("JSON of the event")
        self.selectionModel().currentChanged.connect(self._moved)
        look.changed.connect(self.viewport().update)

    def show_payload(self, payload: Payload | None, marks: FieldMarks | None, title: str) -> None:
        """Show another event."""
        self._silent, self.exact = True, False
        self._cut = {}
        self._hovered = QPersistentModelIndex()
        self.json.show(payload, marks, title)
        self._unfold()
        self._silent = False

    def _unfold(self) -> None:
        """Everything where it is little, else the first levels only."""
        waiting = [QModelIndex()]
        made = 0
        while waiting and made < FEW:
            parent = waiting.pop(0)
            for row in range(min(self.json.rowCount(parent), FEW)):
                index = self.json.index(row, 0, parent)
                made += 1
                if self.json.hasChildren(index) and made < FEW:
                    if self.json.canFetchMore(index):
                        self.json.fetchMore(index)
                    self.expand(index)
                    waiting.append(index)

    def show_pointer(self, root: int, pointer: str) -> None:
        """Make the row of a pointer current and bring it into sight, unfolding what hides it."""
        if not self.json.nodes:
            return
        self._silent = True
        index = self.json.reach(root, pointer)
        above = index.parent()
        while above.isValid():
            self.expand(above)
            above = above.parent()
        self.setCurrentIndex(index)
        self.exact = self.json.node(index).pointer == pointer and self.json.node(index).kind == "value"
        self.scrollTo(index)
        self._silent = False
        self.viewport().update()

    def show_top(self) -> None:
        """Nothing finer than the event is selected."""
        self._silent = True
        self.setCurrentIndex(self.json.index(0, 0))
        self.exact = False
        self.scrollToTop()
        self._silent = False
        self.viewport().update()

    @property
    def current(self) -> Node | None:
        """The node of the current row."""
        index = self.currentIndex()
        return self.json.node(index) if index.isValid() else None

    def _moved(self, current: QModelIndex, before: QModelIndex) -> None:
        if self._silent or not current.isValid():
            return
        node = self.json.node(current)
        if node.kind in ("value", "event"):
            self.exact = True
            self.picked.emit(node.place)

    # pointer and keys

    def viewportEvent(self, event: QEvent) -> bool:
        self._ring.see(self, event)
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            self._hover(event.position().toPoint())
        elif event.type() == QEvent.Type.Leave:
            self._hover(QPoint(-1, -1))
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            tip(self.viewport(), self._cut.get(QPersistentModelIndex(self.indexAt(event.pos())), ""))
        return super().viewportEvent(event)

    def _hover(self, at: QPoint) -> None:
        index = self.indexAt(at)
        if index != self._hovered:
            self._hovered = QPersistentModelIndex(index)
            self.viewport().update()

    def event(self, event: QEvent) -> bool:
        self._ring.see(self, event)
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            left = self.json.node(index).depth * INDENT + CHEVRON
            if left - 6 <= event.position().x() < left + CHEVRON_SIZE + 2 and self.json.hasChildren(index):
                self.setExpanded(index, not self.isExpanded(index))
                return
        super().mousePressEvent(event)
        self._open_more(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open_more(self.currentIndex())
        super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the window here."""

    def _open_more(self, index: QModelIndex) -> None:
        if index.isValid() and self.json.node(index).kind == "more":
            parent, row = index.parent(), index.row()
            self.json.more(index)
            self.setCurrentIndex(self.json.index(row, 0, parent))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setColumnWidth(0, self.viewport().width())
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.json.nodes and self.empty[1]:
            with QPainter(self.viewport()) as painter:
                paint_empty(painter, self._look, self.viewport().rect(), *self.empty)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node, theme = self.json.node(index), self._look.theme
        rect = QRect(0, option.rect.top(), self.viewport().width(), ROW)
        current = index == self.currentIndex()
        paint_state(painter, theme, rect, SELECTED if current and self.exact else PLAIN, index == self._hovered)
        at = node.depth * INDENT
        if self.json.hasChildren(index):
            name = "chevron-down" if self.isExpanded(index) else "chevron-right"
            y = rect.top() + (ROW - CHEVRON_SIZE) // 2
            draw_icon(painter, at + CHEVRON - 4, y, name, theme.color("ink.3"), CHEVRON_SIZE)
        right, whole = self._right(painter, rect, node, at + WORDS + self._wanted(node))
        if self._words(painter, rect, node, at + WORDS, right) and whole:
            self._cut.pop(QPersistentModelIndex(index), None)
        else:
            said = (f"{node.label}: {node.shown}" if node.kind == "value" else node.shown, node.mark.remark)
            self._cut[QPersistentModelIndex(index)] = "\n".join(filter(None, said))
        if current and self._ring.shown:
            paint_focus(painter, theme, rect)

    def _wanted(self, node: Node) -> int:
        """Pixels for the key and the beginning of the value: the remark gives way to them."""
        font = fonts.wire_font(fonts.BODY)
        value = 0 if node.is_container else min(VALUE, round(fonts.text_width(font, node.shown)))
        return round(fonts.text_width(font, f"{node.label}: ")) + value + 16

    def _right(self, painter: QPainter, rect: QRect, node: Node, left: int) -> tuple[int, bool]:
        """The mark and the remark, which begins right of `left`; gives where they begin, and if all of it is there."""
        theme, top = self._look.theme, rect.top()
        right = rect.width() - REMARK_RIGHT
        leaf = node.kind == "value" and not node.is_container
        if node.unread or leaf:
            name, ink = ("unread", "unread.line") if node.unread else ("check", "ink.2")
            draw_icon(painter, rect.width() - ICON_RIGHT, top + (ROW - SMALL) // 2, name, theme.color(ink), SMALL)
        remark = node.mark.remark
        if not remark:
            return right, True
        font, ink = fonts.ui_font(fonts.SECONDARY), "error.text" if node.mark.cuts else "ink.2"
        room = right - left - (SMALL + 4 if node.mark.cuts else 0)
        remark = fonts.elided(font, remark, room + 1) if room >= LEAST_REMARK else ""
        left = right - round(fonts.text_width(font, remark))
        draw_text(painter, left, fonts.baseline(top, ROW), remark, font, theme.color(ink))
        if node.mark.cuts:
            left -= SMALL + 4
            draw_icon(painter, left, top + (ROW - SMALL) // 2, "scissors", theme.color("error.line"), SMALL)
        return left - 8, remark == node.mark.remark

    def _words(self, painter: QPainter, rect: QRect, node: Node, at: int, right: int) -> bool:
        """The key and the value, or other words of a row; whether all of them are there."""
        theme, base = self._look.theme, fonts.baseline(rect.top(), ROW)
        if node.kind != "value":
            wire = node.kind == "text"
            italic = node.kind in ("note", "more")
            font = fonts.wire_font(fonts.BODY) if wire else fonts.ui_font(fonts.BODY, italic=italic)
            words = fonts.elided(font, node.shown, right - at)
            draw_text(painter, at, base, words, font, theme.color("ink.1" if wire else "ink.2"))
            return words == node.shown
        font = fonts.wire_font(fonts.BODY)
        # A key is cut only where the row has no room for it alone: two keys that look the same help nobody.
        label = fonts.elided(font, node.label, max(40, rect.width() - REMARK_RIGHT - at - LEAST_VALUE))
        width = round(draw_text(painter, at, base, label, font, theme.color("unread.text" if node.unread else "ink.2")))
        if node.unread:
            unread_underline(painter, theme, at, at + width, base + 2)
        at += width
        at += round(draw_text(painter, at, base, ": ", font, theme.color("ink.3")))
        if node.is_container:
            font = fonts.ui_font(fonts.BODY)
            words = fonts.elided(font, node.shown, right - at)
            draw_text(painter, at, base, words, font, theme.color("ink.2"))
            return label == node.label and words == node.shown
        return self._value(painter, rect, node, at, right) and label == node.label

    def _value(self, painter: QPainter, rect: QRect, node: Node, at: int, right: int) -> bool:
        theme, font = self._look.theme, fonts.wire_font(fonts.BODY)
        words = fonts.elided(font, node.shown, max(LEAST_VALUE, right - at))
        width = round(fonts.text_width(font, words))
        box = QRect(at - 2, rect.top() + 2, width + 4, ROW - 4)
        ink = theme.color("ink.1")
        if node.mark.cuts:
            cut_box(painter, theme, box)
            ink = theme.meaning("error").text
        elif node.mark.meaning and isinstance(node.value, str) and node.value:
            colors = theme.meaning(node.mark.meaning)
            rounded(painter, box, colors.fill, None, 2)
            ink = colors.text
        draw_text(painter, at, fonts.baseline(rect.top(), ROW), words, font, ink)
        return words == node.shown
