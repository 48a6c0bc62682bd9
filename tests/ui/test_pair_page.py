"""Two recordings side by side: what is found, what stands beside what, and where a row leads."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from inspector_app.core.resources import resource
from inspector_app.core.types import Exchange
from inspector_app.ui.commands import named
from inspector_app.ui.pair.dialog import SAME, TURNED
from inspector_app.ui.pair.head import BLOCK, EVENT, TIME
from inspector_app.ui.pair.order import began, names_of
from inspector_app.ui.pair.outcome import CLIENTS, CONTENT, FRAMING, LAYERS, SHAPE
from inspector_app.ui.pair.page import PairPage
from inspector_app.ui.pair.said import markdown_of, remark_of
from inspector_app.ui.selection import Selection
from inspector_app.ui.views.row_view import ROW
from inspector_app.ui.window import Window
from tests.ui.pair_data import WORDS, after, answer, before, chunk, compared
from tests.ui.window_data import open_in, window

__all__ = ["window"]

OTHER_WORDS = ("The ", "boat ", *WORDS[2:])


def rows(page: PairPage) -> list[tuple[str, str]]:
    return [(row.layer, row.what) for row in page.table.differences.rows]


def selected(page: PairPage) -> tuple[int | None, int | None]:
    a, b = (side.selection.current for side in page.sides)
    return a and a.event, b and b.event


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


def test_a_side_that_is_no_stream_is_called_so(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), answer([b"\x00\xff" * 50], "b.dat"))
    assert page.found.accessibleName().endswith("B is no stream: no event was found in its 100 bytes.")
    assert page.outcome is not None
    assert (page.outcome.asked, page.outcome.count(CLIENTS)) == (0, 0)


def test_two_that_are_the_same(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), before())
    assert rows(page) == []
    assert page.found.words()[0] == "same"
    assert "Nothing differs" in [label.text() for label in page._empty.findChildren(type(page.toolbar._words[0]))]
    assert not page.toolbar.next.isEnabled()


@pytest.mark.parametrize("by, beside", [(BLOCK, 3), (EVENT, 1), (TIME, 3)])
def test_what_is_selected_on_one_side_is_on_the_other(qtbot: QtBot, window: Window, by: str, beside: int) -> None:
    # Twice as fast: at the time of the second event of A four of B have come.
    page = compared(qtbot, window, before(), after(gap=10))
    page.choose_alignment(by)
    page.sides[0].selection.select(Selection(1), None)
    assert selected(page) == (1, beside)


def test_a_row_leads_to_its_events_on_both_sides(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), after(OTHER_WORDS))
    at = rows(page).index((CONTENT, "text"))
    page.table.choose(at)
    assert selected(page) == (1, 3)
    # Only B has the field: A shows what stands beside it.
    page.table.choose(rows(page).index((SHAPE, "choices[].delta.reasoning")))
    assert selected(page) == (0, 1)


def test_the_difference_that_the_verdict_speaks_of_is_shown_first(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), after(OTHER_WORDS))
    verdict = page.outcome.verdict if page.outcome is not None else None
    assert verdict is not None
    assert verdict.first_difference is not None
    row = page.table.differences.rows[page.table.chosen]
    assert (row.layer, row.what, row.events[0]) == (CONTENT, "text", verdict.first_difference.event)
    assert selected(page) == row.events
    assert page.table.viewport().rect().contains(page.table.visualRect(page.table.currentIndex()))
    # Rows around it are whole.
    assert page.table.verticalScrollBar().value() % page.table.rowHeight(0) == 0
    assert page.table.verticalScrollBar().value() > 0


@pytest.mark.parametrize("turned", [False, True])
def test_what_lines_are_all_along_is_held_against_the_line_that_is_not(
    qtbot: QtBot, window: Window, turned: bool
) -> None:
    spaced = [b"data: " + chunk({"content": word}) + b"\n\n" for word in WORDS]
    bare = [*spaced[:3], spaced[3].replace(b"data: ", b"data:"), *spaced[4:]]
    made = [answer(spaced, "a.sse"), answer(bare, "b.sse")]
    page = compared(qtbot, window, *made[:: -1 if turned else 1])
    (row,) = (row for row in page.table.differences.rows if row.layer == FRAMING)
    assert (row.what, row.events) == ("space after the colon", (3, 3))
    page.table.choose(rows(page).index((FRAMING, row.what)))
    assert selected(page) == (3, 3)


def test_keys_go_through_the_differences(qtbot: QtBot, window: Window) -> None:
    page = compared(qtbot, window, before(), after())
    count = len(rows(page))
    page.table.choose(0)
    QTest.keyClick(window, Qt.Key.Key_F8)
    assert page.table.chosen == 1
    QTest.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert page.table.chosen == count - 1


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


def test_a_field_that_went_and_whom_that_breaks(qtbot: QtBot, window: Window) -> None:
    old, new = ([{key: word} for word in WORDS] for key in ("reasoning_content", "reasoning_text_2"))
    details = [{"reasoning_details": [{"type": "reasoning.text", "text": word, "index": 0}]} for word in WORDS]
    made = [
        answer([b"data: " + chunk(one) + b"\n\n" for one in [*deltas, {"content": "Yes."}]], f"{n}.sse")
        for n, deltas in enumerate((old, details, new))
    ]
    page = compared(qtbot, window, made[0], made[1])
    assert page.found.words()[1] == "reasoning_content went, reasoning_details came, from event 0"
    assert page.found.words()[2].startswith("breaks OpenClaw")
    assert next((layer, what.split()[0]) for layer, what in rows(page)) == (CLIENTS, "OpenClaw")
    assert (SHAPE, "choices[].delta.reasoning_details[]") in rows(page)
    # The key that came is pointed at, so nothing folds it.
    (field,) = [item for item in page.panes.sides[1].evidences.of(1).ranges if item.what == "warning"]
    reading = page.panes.sides[1].session.reference
    assert reading.body.slice(field.start, field.end).startswith(b'"reasoning_details":[{')
    text = markdown_of(page)
    assert "### Clients that read one of the two right and the other not" in text
    assert "| OpenClaw of April 2026 | right | Reasoning is lost" in text
    assert "`reasoning_content` went, `reasoning_details` came" in text
    window.grab()


def test_whom_b_no_longer_breaks(qtbot: QtBot, window: Window) -> None:
    bare = [b"data:" + chunk({"content": word}) + b"\n\n" for word in WORDS]
    made = [answer(events, f"{n}.sse") for n, events in enumerate((bare, [one[:5] + b" " + one[5:] for one in bare]))]
    page = compared(qtbot, window, *made)
    assert page.found.words()[1:3] == ("The content is the same", "")
    assert page.found.words()[4].startswith("no longer breaks Wingmate")
    assert page.outcome is not None
    assert page.outcome.hurt(1) == []
    assert len(page.outcome.hurt(0)) == page.outcome.count(CLIENTS) > 0
    row = page.outcome.rows[0]
    assert (row.b, row.events) == ("right", (0, None))
    assert compared(qtbot, window, *made[::-1]).found.words()[2].startswith("breaks Wingmate")


def test_an_array_that_is_empty_once_marks_nothing_of_those_that_are_not(qtbot: QtBot, window: Window) -> None:
    last = b'data: {"object":"chat.completion.chunk","model":"tide-1","choices":[],"usage":{"a":1,"b":2}}\n\n'
    events = [b"data: " + chunk({"content": word}) + b"\n\n" for word in WORDS]
    page = compared(qtbot, window, answer([*events, last], "a.sse"), answer(events, "b.sse"))
    assert {(SHAPE, "choices"), (SHAPE, "usage")} <= {*rows(page)}
    evidences = page.panes.sides[0].evidences
    marked = [[one.pointer for one in evidences.of(n).ranges if one.what == "warning"] for n in (1, len(WORDS))]
    assert marked == [[], ["/choices", "/usage"]]


def test_clients_are_asked_of_large_recordings_when_the_user_wants_it(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector_app.ui.pair.outcome.QUICK", 0)
    page = compared(qtbot, window, before(), after())
    assert page.outcome is not None
    assert (page.outcome.asked, page.unasked.isHidden()) == (None, False)
    assert "Clients that read" not in markdown_of(page)
    page.unasked.ask.click()
    qtbot.waitUntil(lambda: page.outcome.asked is not None and not page._background.busy)
    assert (page.unasked.isHidden(), rows(page)[0][0], page.notice.shows_progress) == (True, CLIENTS, False)


def test_clients_that_cannot_be_asked_leave_what_was_found(
    qtbot: QtBot, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector_app.ui.pair.outcome.QUICK", 0)
    page = compared(qtbot, window, before(), after())
    found = rows(page)

    def fails(*args: object, **how: object) -> None:
        raise ValueError("a lens that nobody can read with")

    monkeypatch.setattr("inspector_app.ui.pair.page.ask", fails)
    page.ask_clients()
    qtbot.waitUntil(lambda: not page.busy)
    assert "a lens that nobody can read with" in page.notice.words.text()
    assert (rows(page), page.unasked.isHidden()) == (found, False)


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


def test_of_a_type_that_came_only_its_values_are_marked(qtbot: QtBot, window: Window) -> None:
    def numbered(kinds: str, name: str) -> Exchange:
        deltas = [{"content": "a", "place": n if kind == "n" else str(n)} for n, kind in enumerate(kinds)]
        return answer([b"data: " + chunk(delta) + b"\n\n" for delta in deltas], name)

    page = compared(qtbot, window, numbered("nnnnnn", "a.sse"), numbered("nnnsns", "b.sse"))
    page.table.choose(rows(page).index((SHAPE, "choices[].delta.place")))
    assert selected(page) == (3, 3)
    sides = [side.evidences for side in page.panes.sides]
    marked = [[n for n in range(6) if any("place" in one.pointer for one in its.of(n).ranges)] for its in sides]
    assert marked == [[], [3, 5]]


def test_a_difference_stays_selected_when_the_alignment_changes(qtbot: QtBot, window: Window) -> None:
    # By time all of A has come when B begins.
    page = compared(qtbot, window, before(), after(OTHER_WORDS, gap=300))
    page.table.choose(rows(page).index((CONTENT, "text")))
    assert selected(page) == (1, 3)
    for by in (TIME, EVENT, BLOCK):
        page.choose_alignment(by)
        assert selected(page) == (1, 3)


def test_a_difference_of_one_side_is_held_against_the_same_content_when_aligned_by_time(
    qtbot: QtBot, window: Window
) -> None:
    page = compared(qtbot, window, before(), after(gap=300))
    at = rows(page).index((SHAPE, "service_tier"))
    page.table.choose(at)
    by_block = selected(page)
    page.choose_alignment(TIME)
    assert selected(page) == by_block
    page.table.choose(0)
    page.table.choose(at)
    assert selected(page) == by_block
    # Who selects an event himself sees what there was at its time.
    page.sides[1].selection.select(Selection(4), None)
    assert selected(page) == (len(WORDS), 4)
    page.choose_alignment(EVENT)
    assert selected(page) == (len(WORDS), len(WORDS))


def test_a_difference_has_its_blocks_at_one_height(qtbot: QtBot, window: Window) -> None:
    window.resize(1280, 640)
    thought = [chunk({"reasoning": f"thought{n} "}) for n in range(60)]
    text = [chunk({"content": f"word{n} "}) for n in range(400)]
    call = {"tool_calls": [{"index": 0, "id": "call_1", "function": {"name": "look", "arguments": "{}"}}]}

    def answered(name: str, **more: str) -> Exchange:
        chunks = [*thought, *text, chunk(call, **more), chunk({}, usage={"prompt_tokens": 1})]
        return answer([b"data: " + one + b"\n\n" for one in chunks], name)

    page = compared(qtbot, window, answered("a.sse"), answered("b.sse", tier="default"))
    page.sides[0].selection.select(Selection(0), None)
    page.choose_view(1)
    page.table.choose(rows(page).index((SHAPE, "tier")))
    left, right = (side.cards for side in page.panes.sides)
    left.verticalScrollBar().setValue(0)
    page.panes.hold(True)
    right.verticalScrollBar().setValue(right.verticalScrollBar().maximum())
    page.panes.hold(False)
    page._show_row()
    tops = [cards.stacks[0].tops[2] - cards.verticalScrollBar().value() for cards in (left, right)]
    assert tops[0] == tops[1]
    assert right.verticalScrollBar().value() > 0
    # So they have when the lines give way to the blocks.
    page.choose_view(0)
    page.panes.hold(True)
    left.verticalScrollBar().setValue(0)
    page.panes.hold(False)
    page.choose_view(1)
    tops = [cards.stacks[0].tops[2] - cards.verticalScrollBar().value() for cards in (left, right)]
    assert tops[0] == tops[1]
