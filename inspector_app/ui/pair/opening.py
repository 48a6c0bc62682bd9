"""Comparisons of two recordings in a window: asks which, opens their tabs, and draws them without secrets."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from inspector_app.core.redact import redact_text
from inspector_app.core.text import clip, visible
from inspector_app.core.types import Exchange
from inspector_app.ui.commands import Command
from inspector_app.ui.frames import EmptyPane
from inspector_app.ui.masked import Mask
from inspector_app.ui.page import RecordingPage
from inspector_app.ui.pair.dialog import PairDialog
from inspector_app.ui.pair.order import Chosen, names_of, path_of
from inspector_app.ui.pair.page import PairPage
from inspector_app.ui.pair.side import SideSession
from inspector_app.ui.scenes import show_at_least

if TYPE_CHECKING:
    from inspector_app.ui.window import Window

GROUP, KEYS = "Recording", "Ctrl+Shift+D"


class Pairs(QObject):
    """Opens a comparison of its own for each two recordings."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.dialog: PairDialog | None = None
        self._looked: list[RecordingPage] = []
        """The recordings that were looked at, the one in view last."""
        window.deck.shown.connect(self._looks)
        window.deck.closing.connect(self._closing)

    def _looks(self) -> None:
        page = self._window.page()
        if page is not None:
            self._looked = [*(one for one in self._looked if one is not page), page]

    def _closing(self, page: object) -> None:
        """A tab goes whose recording may be waited for."""
        if not isinstance(page, RecordingPage):
            return
        self._looked = [one for one in self._looked if one is not page]
        for sheet in self._window.deck.sheets():
            for side in sheet.sides if isinstance(sheet, PairPage) else ():
                if side.source is page.session:
                    side.forsaken()

    def commands(self) -> list[Command]:
        """What leads to a comparison."""
        return [
            Command("Compare two recordings…", GROUP, self.ask, (KEYS,), menu=True),
            Command("Compare with recording…", GROUP, lambda: self.ask(self._window.page()), (), self._has_page),
        ]

    def _has_page(self) -> bool:
        page = self._window.page()
        return page is not None and page.session.error is None

    def ask(self, first: RecordingPage | None = None) -> PairDialog:
        """Ask which two: `first`, or the one in view, and the one that was looked at before are proposed."""
        window = self._window
        pages = [page for page in window.deck.pages() if page.session.error is None]
        first = first or window.page()
        recent = dict.fromkeys(page for page in (first, *self._looked[::-1], *pages) if page in pages)
        proposed = [page for page in recent if page is not None][1::-1]
        if self.dialog is not None:
            self.dialog.close()
        self.dialog = dialog = PairDialog(window.look, pages, proposed, window)
        dialog.asked.connect(self.compare)
        dialog.destroyed.connect(lambda: self._forget(dialog))
        dialog.show()
        dialog.choices[1].setFocus()
        return dialog

    def _forget(self, dialog: PairDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None

    def compare(self, a: Chosen, b: Chosen) -> PairPage:
        """Show two recordings side by side; each is a tab's, or a file that is read for it."""
        names = names_of(a, b)
        sides = [self._side(one, name) for one, name in zip((a, b), names, strict=True)]
        page = self._add(sides[0], sides[1])
        for side, one in zip(sides, (a, b), strict=True):
            if isinstance(one, str):
                side.load()
            else:
                side.follow(one.session)
        return page

    def compare_exchanges(self, a: tuple[Exchange, str], b: tuple[Exchange, str]) -> PairPage:
        """The same with what is in memory already, under these names."""
        sides = [self._side(exchange.name, name) for exchange, name in (a, b)]
        page = self._add(sides[0], sides[1])
        for side, (exchange, _) in zip(sides, (a, b), strict=True):
            side.open_exchanges([exchange])
        return page

    def close(self) -> None:
        """The window is about to go."""
        for sheet in self._window.deck.sheets():
            if isinstance(sheet, PairPage):
                sheet.close_work()

    def _side(self, one: Chosen, name: str) -> SideSession:
        window = self._window
        return SideSession(path_of(one), name, window.kit, mutes=window.mutes, parent=self, **window.how)

    def _add(self, a: SideSession, b: SideSession) -> PairPage:
        page = PairPage(self._window.look, a, b, self._window.lenses, self._window.how)
        page.picture_asked.connect(self._window.ask_picture)
        page.swapped.connect(lambda: self._swap(page))
        self._window.deck.add(page, "swap")
        return page

    def _swap(self, page: PairPage) -> None:
        """The same the other way round takes its place."""
        deck = self._window.deck
        a, b = (self._side(side.path, side.name) for side in page.sides[::-1])
        made = self._add(a, b)
        made.choose_view(page.toolbar.view.currentIndex())
        made.choose_alignment(page.alignment)
        for side, before in zip((a, b), page.sides[::-1], strict=True):
            side.follow(before)
        deck.close_tab(deck.tab_of(page))
        deck.show_page(made)

    # pictures

    def clean_of(self, page: PairPage, always: bool) -> Generator[bool, None, tuple[QWidget | None, str]]:
        """A window that nobody sees with the same page, its secrets masked; None where it can be drawn as it is."""
        kept: list[Exchange | None] = []
        readings = page.readings
        if readings is None:
            # What is not read to its end may hold keys that nobody has looked for.
            empty = EmptyPane(page.look, *page.nothing()[:2], "A picture can be made when both are read.")
            show_at_least(empty, self._window.size(), self._window.size())
            return empty, caption_of(page, False)
        for reading in readings:
            mask = Mask(reading)
            for _ in mask.steps():
                yield False
            kept.append(mask.exchange())
        masked = any(kept)
        while page.busy:
            yield True
        if not masked and not always:
            return None, caption_of(page, False)
        window = self._window.unseen()
        a, b = (
            (clean or side.exchange, side.name) for clean, side in zip(kept, page.sides, strict=True)
        )  # fmt: skip
        copy = window.pairs.compare_exchanges(a, b)  # type: ignore[arg-type]
        copy.choose_view(page.toolbar.view.currentIndex())
        while copy.busy:
            yield True
        if page.outcome is not None and page.outcome.asked is not None:
            copy.ask_clients()
        while copy.busy:
            yield True
        copy.show_like(page)
        yield True
        return window, caption_of(page, masked)


def caption_of(page: PairPage, masked: bool) -> str:
    """What the picture shows: the two files, how they are aligned, and whether something is masked."""
    words = [f"A {page.sides[0].name}", f"B {page.sides[1].name}", f"aligned by {page.alignment.lower()}"]
    return visible(clip(redact_text(" · ".join([*words, *(["keys masked"] if masked else [])])), 200))
