"""The messages of a request: a role and a text each, to be added, moved and taken out."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from inspector_app.core.text import clip, number, visible
from inspector_app.ui import fonts
from inspector_app.ui.compose.draft import Draft
from inspector_app.ui.compose.editors import TextField
from inspector_app.ui.compose.folds import why_kept
from inspector_app.ui.compose.parts import FormChoice, heading
from inspector_app.ui.compose.places import NOTHING, Path, look, put, without
from inspector_app.ui.compose.shapes import Shape, beside_text, text_path
from inspector_app.ui.controls import Button, icon_button
from inspector_app.ui.icons import SMALL
from inspector_app.ui.labels import ElidedLabel, label
from inspector_app.ui.theme import Look

SHOWN = 20
"""Messages that are shown at a time; a field each is not cheap."""
EXCERPT = 400


class KeptText(QWidget):
    """A text that is sent as it is and not edited here: how it begins, and why."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setProperty("layer", "kept")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._text = ""
        self.begin = ElidedLabel("", "ink.2")
        self.why = ElidedLabel("", "ink.3", fonts.SECONDARY)
        copy = Button(look, "Copy", "copy", "flat")
        copy.clicked.connect(lambda: QApplication.clipboard().setText(self._text))
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self.begin)
        words.addWidget(self.why)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 8, 4, 8)
        row.addLayout(words, 1)
        row.addWidget(copy)
        self._copy = copy

    def show_text(self, text: str | None, why: str) -> None:
        """`text` is None where there is not one text."""
        self._text = text or ""
        self.begin.setVisible(text is not None)
        self.begin.show_text(visible(clip(" ".join(self._text[:EXCERPT].split()), EXCERPT)))
        self.why.show_text(why)
        self._copy.setVisible(text is not None)


class TextPart(QWidget):
    """A text of the body in a field, or kept beside one where a field cannot hold it."""

    def __init__(self, look: Look, draft: Draft, name: str, lines: tuple[int, int]) -> None:
        super().__init__()
        self.field = TextField(look, name, lines)
        self.kept = KeptText(look)
        self.kept.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.field)
        column.addWidget(self.kept)
        self._draft = draft

    def show_text(self, text: str | None, why: str = "") -> None:
        """Shows a text; None and why where there is not one."""
        reason = why if text is None else why_kept(text)
        self.field.setVisible(not reason)
        self.kept.setVisible(bool(reason))
        if reason:
            self.kept.show_text(text, reason)
        else:
            self.field.show_text(text or "")


class _Row(QWidget):
    def __init__(self, owner: Messages, look: Look, at: int) -> None:
        super().__init__()
        self.at = at
        self.role = FormChoice(look, "Role", "flat")
        self.remark = label("", "ink.3", fonts.SECONDARY)
        self.part = TextPart(look, owner.draft, "Text of the message", (2, 14))
        self.up = icon_button(look, "chevron-up", "Move up", "Alt+Up", SMALL)
        self.down = icon_button(look, "chevron-down", "Move down", "Alt+Down", SMALL)
        self.remove = icon_button(look, "close", "Remove this message", size=SMALL)
        head = QHBoxLayout()
        head.setSpacing(2)
        # The words of the choice stand above those of the field.
        head.setContentsMargins(-4, 0, -4, 0)
        head.addWidget(self.role)
        head.addSpacing(4)
        head.addWidget(self.remark, 1)
        for button in (self.up, self.down, self.remove):
            button.setFixedSize(24, 24)
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.part)
        self.role.activated.connect(lambda _: owner.set_role(self.at, self.role.currentText()))
        self.part.field.edited.connect(lambda text: owner.set_text(self.at, text))
        self.part.field.refused.connect(lambda text: owner.set_text(self.at, text, shown=False))
        self.part.field.undo_asked.connect(owner.draft.undo_asked)
        self.part.field.redo_asked.connect(owner.draft.redo_asked)
        self.up.clicked.connect(lambda: owner.move(self.at, -1))
        self.down.clicked.connect(lambda: owner.move(self.at, 1))
        self.remove.clicked.connect(lambda: owner.remove(self.at))

    def show_message(self, shape: Shape, message: Any, count: int) -> None:
        """Shows one of `count` messages."""
        role = message.get("role") if isinstance(message, dict) else None
        shown = visible(clip(role, 40)) if isinstance(role, str) else "none"
        if not isinstance(role, str) and isinstance(message, dict) and isinstance(message.get("type"), str):
            shown = visible(clip(message["type"], 40))
        roles = list(shape.roles)
        choices = roles if shown in roles else [shown, *roles]
        if [self.role.itemText(at) for at in range(self.role.count())] != choices:
            self.role.clear()
            self.role.addItems(choices)
        self.role.setCurrentIndex(choices.index(shown))
        path = text_path(shape, message)
        text = look(message, path) if path is not None else NOTHING
        beside = beside_text(shape, message)
        self.part.show_text(text if isinstance(text, str) else None, "no single text: edit it in the JSON")
        length = f"{number(len(text))} characters" if isinstance(text, str) and len(text) > 200 else ""
        self.remark.setText(" · ".join(filter(None, [length, visible(clip(beside and f"with {beside}", 80))])))
        self.role.setAccessibleName(f"Role of message {self.at + 1} of {count}")
        self.part.field.setAccessibleName(f"Text of message {self.at + 1} of {count}, {shown}")
        self.up.setEnabled(self.at > 0)
        self.down.setEnabled(self.at + 1 < count)
        self.remove.setAccessibleName(f"Remove message {self.at + 1}")


class Messages(QWidget):
    """The messages of a draft. Of many the last ones are shown, and the others on demand."""

    def __init__(self, look: Look, draft: Draft) -> None:
        super().__init__()
        self.look_of, self.draft = look, draft
        self._most = SHOWN
        self.add = Button(look, "Add message", "plus", "flat")
        self.add.setAccessibleDescription("Below the last one")
        self.earlier = Button(look, "", "", "link")
        self.rows: list[_Row] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(heading("Messages", self.add))
        self._column.addWidget(self.earlier, 0, Qt.AlignmentFlag.AlignLeft)
        self.add.clicked.connect(self.append)
        self.earlier.clicked.connect(self._show_earlier)

    # what is shown

    def refresh(self) -> None:
        """Shows the messages of the body as they are now."""
        shape, messages = self.draft.shape, self._messages()
        first = max(0, len(messages) - self._most)
        self.earlier.setVisible(first > 0)
        self.earlier.setText(f"Show {min(first, SHOWN)} more of {number(first)} earlier messages")
        self.earlier.updateGeometry()
        while len(self.rows) > len(messages) - first:
            row = self.rows.pop()
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        while len(self.rows) < len(messages) - first:
            row = _Row(self, self.look_of, len(self.rows))
            self.rows.append(row)
            self._column.addWidget(row)
        single = not self._is_list()
        self.add.setVisible(bool(shape.roles))
        for at, row in enumerate(self.rows):
            row.at = first + at
            row.show_message(shape, messages[row.at], len(messages))
            for button in (row.up, row.down, row.remove, row.role):
                button.setVisible(not single)

    def _show_earlier(self) -> None:
        self._most += SHOWN
        self.refresh()

    def _is_list(self) -> bool:
        return isinstance(look(self.draft.body, self.draft.shape.messages), list)

    def _messages(self) -> list[Any]:
        """The messages; one text in their place, or what cannot be shown, counts as one."""
        held = look(self.draft.body, self.draft.shape.messages)
        return held if isinstance(held, list) else ["" if held is NOTHING else held]

    # what is changed

    def _put(self, path: Path, value: Any) -> None:
        draft = self.draft
        draft.set_body(put(draft.body, (*draft.shape.messages, *path), value), self)

    def set_text(self, at: int, text: str, shown: bool = True) -> None:
        """Another text for a message; `shown` says whether its field has it already."""
        message = self._messages()[at]
        path = text_path(self.draft.shape, message)
        if path is not None:
            self._put((*((at,) if self._is_list() else ()), *path), text)
            if not shown:
                self.refresh()

    def set_role(self, at: int, role: str) -> None:
        """Another role for a message."""
        message = self._messages()[at]
        if self._is_list() and role in self.draft.shape.roles:
            changed = message if isinstance(message, dict) else self.draft.shape.message(role, message)
            self._put((at,), put(changed, ("role",), role))
            self.refresh()

    def append(self) -> None:
        """Add an empty message below, and go there."""
        shape, messages = self.draft.shape, self._messages()
        if not self._is_list():
            messages = [shape.message(shape.roles[-1] if "user" not in shape.roles else "user", text)
                        for text in messages if isinstance(text, str) and text]  # fmt: skip
        last = messages[-1].get("role") if messages and isinstance(messages[-1], dict) else ""
        answer = next((role for role in ("assistant", "model") if role in shape.roles), "user")
        self._put((), [*messages, shape.message(answer if last == "user" else "user")])
        self.refresh()
        self.rows[-1].part.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def move(self, at: int, step: int) -> None:
        """Move a message up (-1) or down (1)."""
        messages, to = list(self._messages()), at + step
        if self._is_list() and 0 <= to < len(messages):
            messages[at], messages[to] = messages[to], messages[at]
            self._put((), messages)
            self.refresh()
            row = next((row for row in self.rows if row.at == to), None)
            if row is not None and not row.part.field.isHidden():
                row.part.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def remove(self, at: int) -> None:
        """Take a message out; undo brings it back."""
        if self._is_list():
            self.draft.set_body(without(self.draft.body, (*self.draft.shape.messages, at)), self)
            self.refresh()
            following = self.rows[min(at - self.rows[0].at, len(self.rows) - 1)].part.field if self.rows else self.add
            following.setFocus(Qt.FocusReason.OtherFocusReason)

    def move_focused(self, step: int) -> None:
        """Move the message that has the keyboard."""
        held = self.window().focusWidget()
        row = next((row for row in self.rows if held is not None and row.isAncestorOf(held)), None)
        if row is not None:
            self.move(row.at, step)
