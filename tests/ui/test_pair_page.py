"""Two recordings side by side: what is found, what stands beside what, and how the page comes about."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.core.types import Exchange
from inspector_app.ui.commands import named
from inspector_app.ui.pair.dialog import SAME, TURNED
from inspector_app.ui.pair.head import BLOCK, EVENT, TIME
from inspector_app.ui.pair.order import began, names_of
from inspector_app.ui.pair.outcome import CONTENT, FRAMING, LAYERS, SHAPE
from inspector_app.ui.pair.page import PairPage
from inspector_app.ui.pair.said import remark_of
from inspector_app.ui.views.row_view import ROW
from inspector_app.ui.window import Window
from tests.ui.pair_data import OTHER_WORDS, WORDS, after, answer, before, chunk, compared, rows
from tests.ui.window_data import open_in, window

__all__ = ["window"]


def test_what_a_provider_changed(qtbot: QtBot, qtmodeltester: ModelTester, window: Window) -> None:
    page = compared(qtbot, window, before(), after(OTHER_WORDS))
    found = rows(page)
    assert {(FRAMING, "space after the colon"), (FRAMING, "comments")} <= {*found}
    assert {(SHAPE, "service_tier"), (SHAPE, "choices[].delta.reasoning")} <= {*found}
    content = [row for row in page.table.differences.rows if row.layer == CONTENT]
    assert [(row.a, row.b) for row in content] == [
        ("not there", "[Hm]"),
        ("The [ferry] leaves at nin…", "The [boat] leaves at nin…"),
    ]
    assert [layer for layer, _ in found] == sorted(
        (layer for layer, _ in found), key=LAYERS.index
    )
    qtmodeltester.check(page.table.differences, force_py=True)


def test_two_that_are_the_same(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), before())
    assert rows(page) == []
    assert page.found.words()[0] == "same"
    assert "Nothing differs" in [label.text() for label in page._empty.findChildren(type(page.toolbar._words[0]))]
    assert not page.toolbar.next.isEnabled()


def test_lines_scroll_in_step(qtbot: QtBot, window: Window) -> None:
    many = [f"word{n} " for n in range(120)]
    page = compared(qtbot, window, before(many), after(many))
    left, right = page.panes.sides
    for side in page.sides:
        side.selection.select(None, page)
    for value in (300, 700, 1500, 2200):
        left.raw.verticalScrollBar().setValue(value)
        y = left.anchor()
        # Two events more on the side of B, before the text.
        assert right.position_at(y) == pytest.approx(max(left.position_at(y) + 2, 0), abs=0.1)
    right.raw.verticalScrollBar().setValue(100 * ROW)
    assert left.position_at(y) == pytest.approx(right.position_at(y) - 2, abs=0.1)


@pytest.mark.parametrize("by", [BLOCK, EVENT, TIME])
def test_timelines_zoom_in_step(qtbot: QtBot, window: Window, by: str) -> None:
    many = [f"word{n} " for n in range(120)]
    page = compared(qtbot, window, before(many), after(many))
    page.choose_alignment(by)
    qtbot.waitUntil(lambda: page.timelines.settled)
    a, b = page.timelines.timelines
    a.zoom(4)
    qtbot.waitUntil(lambda: a.view == a.aim != a.whole)
    shift = 2 if by == BLOCK else 0
    assert (b.view.start, b.view.end) == pytest.approx((a.view.start + shift, a.view.end + shift), rel=0.02)
    b.zoom(2)
    qtbot.waitUntil(lambda: b.view == b.aim)
    assert (a.view.start, a.view.end) == pytest.approx((b.view.start - shift, b.view.end - shift), rel=0.03)
    b.fit()
    qtbot.waitUntil(lambda: (a.view, b.view) == (a.whole, b.whole))


def test_what_differs_is_marked_in_lines_and_blocks(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), after(OTHER_WORDS))
    old, new = page.panes.sides
    line = new.session.reference.lines_of(3)[0]
    told = new.evidences.of(3)
    assert told.told[line] == ["content: other words", "shape: service_tier", "framing: space after the colon"]
    start, end = new.evidences.found.in_event(3)[0]
    assert new.session.reference.body.slice(start, end) == b"boat"
    (field,) = [item for item in told.ranges if item.what == "warning"]
    assert new.session.reference.body.slice(field.start, field.end) == b'"service_tier":"default"'
    assert [item for item in old.evidences.of(2).ranges if item.what == "warning"] == []
    block = next(block for block in new.session.reference.blocks if block.kind == "text")
    assert [found[:2] for found in new.evidences.found.in_fragment("reference", block.n, 1)] == [(0, 4)]
    page.choose_view(1)
    assert new.shown is new.cards
    window.grab()


def test_without_times_there_is_no_alignment_by_time(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(gap=0), after())
    page.choose_alignment(TIME)
    assert (page.alignment, page.toolbar.align.isTabEnabled(2)) == (BLOCK, False)
    page.next_alignment()
    page.next_alignment()
    assert page.alignment == BLOCK


def test_two_dialects_are_said_to_be_two(qtbot: QtBot, window: Window) -> None:
    other = before()
    other.body = type(other.body)(b'event: message_start\ndata: {"type":"message_start","message":{"id":"m"}}\n\n')
    other.read_ends = other.read_times = None
    other.timing = "none"
    page = compared(qtbot, window, before(), other)
    assert remark_of(page).startswith("Two dialects, openai-chat and anthropic-messages")


def test_tabs_are_compared_when_they_are_read(qtbot: QtBot, window: Window) -> None:
    first = open_in(qtbot, window, "mixed-spacing")
    second = window.open_path(str(resource("recordings", "think-tags.rec.jsonl")))
    assert not second.session.complete
    page = window.pairs.compare(first, second)
    assert "still being read" in page.nothing()[1]
    qtbot.waitUntil(lambda: not page.busy, timeout=20_000)
    assert page.sides[0].reference is first.session.reference
    assert rows(page)
    window.deck.close_tab(window.deck.tab_of(first))
    page.turn(1)
    window.grab()


def test_a_tab_that_closes_before_it_is_read_is_not_waited_for(qtbot: QtBot, window: Window) -> None:
    paths = [str(resource("recordings", f"{name}.rec.jsonl")) for name in ("mixed-spacing", "think-tags")]
    first, second = (window.open_path(path) for path in paths)
    page = window.pairs.compare(first, second)
    window.deck.close_tab(window.deck.tab_of(second))
    qtbot.waitUntil(lambda: not page.busy, timeout=20_000)
    assert page.sides[0].reference is first.session.reference
    assert rows(page)


def test_a_file_that_cannot_be_read(qtbot: QtBot, window: Window) -> None:
    first = open_in(qtbot, window, "mixed-spacing")
    page = window.pairs.compare(first, "/nowhere/gone.sse")
    qtbot.waitUntil(lambda: page.sides[1].error is not None)
    assert page.nothing()[:2] == ("error", "gone.sse cannot be read")
    assert not page.busy
    window.grab()


def test_the_same_the_other_way_round(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), after())
    page.choose_alignment(EVENT)
    tabs = window.tabs.count()
    page.swap()
    made = window.deck.sheet()
    assert isinstance(made, PairPage)
    qtbot.waitUntil(lambda: not made.busy)
    assert (made.title, made.alignment, window.tabs.count()) == ("after ⇄ before", EVENT, tabs)
    assert made.readings == page.readings[::-1] if page.readings else True


def test_a_comparison_can_be_stopped_and_made_again(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector_app.ui.pair.page.PATIENCE", 0)
    page = compared(qtbot, window, before(), after())
    page.compare()
    page._got(4)
    assert page.notice.words.text().startswith("4 of ")
    page.notice.cancel.click()
    assert (page.outcome, page.nothing()[3], page.busy) == (None, "Compare again", False)
    page._empty.action.click()
    qtbot.waitUntil(lambda: not page.busy)
    assert rows(page)


def test_the_differences_as_markdown(qtbot: QtBot, window: Window) -> None:
    secret = "sk-proj-canary7f3a9d0123456789abcdef"
    compared(qtbot, window, before(), after((f"The | {secret} ", *WORDS[1:])))
    command = named(window.commands(), "Copy the differences as Markdown")
    assert command is not None
    command.run()
    text = QApplication.clipboard().text()
    assert "| `service_tier` | not there | string, in 8 events | B 1 |" in text
    assert "stream-inspector diff before.sse after.sse" in text
    assert "canary7f3a9d" not in text
    assert all(line.count("|") - line.count("\\|") in (0, 5) for line in text.splitlines())


def test_a_picture_of_it_has_no_keys(qtbot: QtBot, window: Window, texts: list[str], tmp_path: Path) -> None:
    secret = "sk-proj-canary7f3a9d0123456789abcdef"
    page = compared(qtbot, window, before((f"{secret} ", *WORDS[1:])), after())
    page.choose_alignment(EVENT)
    picture = tmp_path / "pair.svg"
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
        window.save_picture(str(picture))
    assert "canary7f3a9d" not in picture.read_text("utf-8")
    assert not any("canary7f3a9d" in text for text in texts)
    assert any("keys masked" in text for text in texts)
    assert any("aligned by event" in text for text in texts)


def test_no_picture_of_what_is_not_read(qtbot: QtBot, window: Window, texts: list[str], tmp_path: Path) -> None:
    secret = "sk-proj-canary7f3a9d0123456789abcdef"
    path = tmp_path / "before.sse"
    exchange = before((f"{secret} ", *WORDS[1:]))
    path.write_bytes(exchange.body.slice(0, len(exchange.body)))
    page = window.pairs.compare(str(path), str(tmp_path / "gone.sse"))
    qtbot.waitUntil(lambda: page.sides[0].complete and page.sides[1].error is not None)
    command = named(window.commands(), "Save picture…")
    assert command is not None
    assert (command.enabled(), page.toolbar.picture.isEnabled()) == (False, False)
    with qtbot.waitSignal(window.studio.busy, check_params_cb=lambda busy: not busy, timeout=20_000):
        window.save_picture(str(tmp_path / "pair.svg"))
    assert "canary7f3a9d" not in (tmp_path / "pair.svg").read_text("utf-8")
    assert any("A picture can be made when both are read." in text for text in texts)
    assert not any("canary7f3a9d" in text for text in texts)


def test_which_two_are_asked_for(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    first, second = open_in(qtbot, window, "mixed-spacing"), open_in(qtbot, window, "think-tags")
    window.run("Compare with recording…")
    dialog = window.pairs.dialog
    assert dialog is not None
    earlier, later = sorted((first, second), key=lambda page: began(page) or 0)
    assert dialog.chosen == [earlier, later]
    # What is B already becomes A, and what was A becomes B.
    dialog.choices[0].activated.emit(dialog.choices[1].currentIndex())
    assert (dialog.chosen, dialog.remark.text()) == ([later, earlier], TURNED)
    dialog.take(1, later.session.path)
    assert (dialog.chosen, dialog.compare.isEnabled()) == ([earlier, later], True)
    path = tmp_path / "held-back-burst.rec.jsonl"
    path.write_bytes(resource("recordings", "held-back-burst.rec.jsonl").read_bytes())
    dialog.take(1, str(path))
    assert dialog.chosen == [earlier, str(path)]
    dialog.compare.click()
    page = window.deck.sheet()
    assert isinstance(page, PairPage)
    assert page.title == f"{earlier.title} ⇄ held-back-burst"
    qtbot.waitUntil(lambda: not page.busy, timeout=20_000)


def test_a_recording_is_not_compared_with_itself(qtbot: QtBot, window: Window) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    dialog = window.pairs.ask()
    assert dialog.chosen == [page]
    dialog.take(1, page.session.path)
    assert (dialog.compare.isEnabled(), dialog.remark.text()) == (False, SAME)


def test_a_file_that_is_older_than_the_tab_becomes_a(qtbot: QtBot, window: Window, tmp_path: Path) -> None:
    page = open_in(qtbot, window, "mixed-spacing")
    path = tmp_path / "old.sse"
    path.write_bytes(b'data: {"object":"chat.completion.chunk","created":1000000000,"choices":[]}\n\n')
    dialog = window.pairs.ask()
    dialog.take(1, str(path))
    assert dialog.chosen == [str(path), page]


def test_of_many_tabs_the_two_that_were_looked_at_last_are_proposed(qtbot: QtBot, window: Window) -> None:
    names = ("mixed-spacing", "think-tags", "held-back-burst")
    pages = [open_in(qtbot, window, name) for name in names]
    window.deck.show_page(pages[0])
    window.deck.show_start()
    assert {*map(id, window.pairs.ask().chosen)} == {id(pages[2]), id(pages[0])}


def test_names_tell_two_files_of_one_name_apart(tmp_path: Path) -> None:
    old, new = str(tmp_path / "old" / "x" / "a.sse"), str(tmp_path / "new" / "x" / "a.sse")
    assert names_of(old, new) == ("a.sse (old)", "a.sse (new)")
    assert names_of(old, str(tmp_path / "b.rec.jsonl")) == ("a.sse", "b")


def test_an_array_that_is_empty_once_marks_nothing_of_those_that_are_not(qtbot: QtBot, window: Window) -> None:
    last = b'data: {"object":"chat.completion.chunk","model":"tide-1","choices":[],"usage":{"a":1,"b":2}}\n\n'
    events = [b"data: " + chunk({"content": word}) + b"\n\n" for word in WORDS]
    page = compared(qtbot, window, answer([*events, last], "a.sse"), answer(events, "b.sse"))
    assert {(SHAPE, "choices"), (SHAPE, "usage")} <= {*rows(page)}
    evidences = page.panes.sides[0].evidences
    marked = [[one.pointer for one in evidences.of(n).ranges if one.what == "warning"] for n in (1, len(WORDS))]
    assert marked == [[], ["/choices", "/usage"]]


@pytest.mark.parametrize("by, words", [(BLOCK, "aligned by block"), (EVENT, "aligned by event")])
def test_timelines_say_why_they_show_an_order(qtbot: QtBot, window: Window, by: str, words: str) -> None:
    page = compared(qtbot, window, before(), after())
    page.choose_alignment(TIME)
    qtbot.waitUntil(lambda: page.timelines.settled)
    assert [line.axis.measured for line in page.timelines.timelines] == [True, True]
    page.choose_alignment(by)
    qtbot.waitUntil(lambda: page.timelines.settled)
    assert [line.axis.order for line in page.timelines.timelines] == [words, words]
    bare = compared(qtbot, window, before(gap=0), after(gap=0))
    assert [line.axis.order for line in bare.timelines.timelines] == ["order only", "order only"]


def test_blocks_scroll_in_step_by_what_they_are(qtbot: QtBot, window: Window) -> None:
    thought, text = [f"thought{n} " for n in range(900)], [f"word{n} " for n in range(900)]

    def answered(*reasoning: str) -> Exchange:
        said = [chunk({"reasoning": word}) for word in reasoning] + [chunk({"content": word}) for word in text]
        return answer([b"data: " + one + b"\n\n" for one in said], "x.sse")

    page = compared(qtbot, window, answered(*thought), answered(*thought, *thought, *thought))
    page.choose_view(1)
    left, right = (side.cards for side in page.panes.sides)
    qtbot.waitUntil(lambda: all(cards.verticalScrollBar().maximum() for cards in (left, right)))
    qtbot.waitUntil(lambda: all(len(cards.stacks[0].tops) == 3 for cards in (left, right)))
    bars = left.verticalScrollBar(), right.verticalScrollBar()
    # The text begins at the upper edge of both, though B has three times as much before it.
    bars[0].setValue(left.stacks[0].tops[1])
    assert bars[1].value() == pytest.approx(right.stacks[0].tops[1], abs=2)
    bars[1].setValue(right.stacks[0].tops[1] + 60)
    assert bars[0].value() == pytest.approx(left.stacks[0].tops[1] + 60, abs=12)
    for bar, other in (bars, bars[::-1]):
        bar.setValue(bar.maximum())
        assert other.value() == other.maximum()
        bar.setValue(0)
        assert other.value() == 0


def test_the_heads_say_when_each_came(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), after(gap=300))
    a, b = page.names.accessibleName().replace("\u2009", " ").split("; ")
    assert "first event 20 ms" in a
    assert "longest wait 20 ms" in a
    assert "first event 300 ms" in b
    assert "longest wait 300 ms" in b
    untimed = compared(qtbot, window, before(gap=0), after(gap=0))
    assert "longest wait" not in untimed.names.accessibleName()
