"""One recording in the window: strips, timeline, the three panes, findings and detail, and the line below."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from inspector_app.lenses import REFERENCE
from inspector_app.ui.commands import Command
from inspector_app.ui.drawer.part import AlonePart
from inspector_app.ui.find.control import Find
from inspector_app.ui.frames import EmptyPane, Splitter
from inspector_app.ui.history import Facet, History
from inspector_app.ui.lanes import Clock
from inspector_app.ui.notes.part import NotesPart
from inspector_app.ui.page_commands import commands_of
from inspector_app.ui.playback.on_page import Playback
from inspector_app.ui.regions import focus_region
from inspector_app.ui.reports import comparison_report, findings_report
from inspector_app.ui.selection import Selection
from inspector_app.ui.session import Session
from inspector_app.ui.strips import Notice, Status
from inspector_app.ui.summary import Summary, VerdictStrip
from inspector_app.ui.theme import Look
from inspector_app.ui.timeline import Timeline
from inspector_app.ui.timeline_link import TimelineLink
from inspector_app.ui.toolbar import Toolbar
from inspector_app.ui.views.detail import DetailView
from inspector_app.ui.views.finding_rows import stops
from inspector_app.ui.views.findings import FindingsView
from inspector_app.ui.views.panes import RAW, Panes, widths

PANES_SHARE = 0.563
"""Of the height below the timeline."""
MOST_TIMELINE, LEAST_FINDINGS = 0.45, 0.4
"""Of the page's height at most, of its width at least."""
LEAST_PANES, LEAST_ABOVE, LEAST_BELOW, SOME_BELOW = 204, 80, 72, 128
"""Pixels that the panes need to show a few rows above the free ones at the end of a live stream; what the timeline
(overview, ruler and a lane) and the findings (a head and a row, or some) keep when they give way to them.
"""


def heights(timeline: int, rest: int) -> list[int]:
    """Of timeline, panes and findings, from the height that the timeline would like and what is left for the others."""
    panes, whole = round(rest * PANES_SHARE), timeline + rest
    lack = min(LEAST_PANES, whole - LEAST_ABOVE - LEAST_BELOW) - panes
    if lack > 0:
        # The findings give way first, as long as they have some rows; in a small window both do, each by its share.
        given = round(lack * timeline / (whole - panes))
        panes += lack
        if whole - panes - timeline < SOME_BELOW:
            timeline = min(max(timeline - given, LEAST_ABOVE), whole - panes - LEAST_BELOW)
    return [timeline, panes, whole - panes - timeline]


class RecordingPage(QWidget):
    """Everything about one recording. `titled(words, mark)`: what its tab should say."""

    titled = Signal(str, str)
    open_asked = Signal()
    picture_asked = Signal()
    readers_chosen = Signal()
    commands_changed = Signal()
    """Other things can be done on the page now, so other keys are to be bound."""

    def __init__(self, session: Session, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.look = session, look
        self.name = ""
        """What the page is called where that says more than the name of its file."""
        self.history = History(self._facets())
        # Before any view hears of a change, so that the step has what they showed until then.
        session.selection.changed.connect(lambda: self.history.noticed("selection"))
        session.compared.connect(self._comparing)
        self.timeline = Timeline(look)
        self.link = TimelineLink(session, self.timeline)
        self._moved: set[Splitter] = set()
        """Where the user has drawn the line; there it stays."""
        self.summary = Summary(session, look)
        self.verdict = VerdictStrip(session, look)
        self.notice = Notice(look)
        self.panes = Panes(session, look)
        self.find: Find = Find(session, look, self.panes, self.link)  # type: ignore[assignment]
        self.findings = FindingsView(session, look)
        self.detail = DetailView(session, look)
        self.detail.fields.filter_asked.connect(self.find.filter_by)
        self.status = Status(session, look)
        self.toolbar = bar = Toolbar(look)
        self.open_button, self.picture_button, self.response = bar.open, bar.picture, bar.response
        self.read_as, self.swap, self.compare_with = bar.read_as, bar.swap, bar.compare_with
        self.previous_finding, self.next_finding = bar.previous_finding, bar.next_finding
        self.own_commands: Callable[[], list[Command]] = list
        """What whoever made the page offers besides."""
        self.fault = QWidget()
        self._body = self._arranged()
        self._body.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.toolbar, self.find.bar, self.notice, self.summary, self.verdict):
            column.addWidget(widget)
        column.addWidget(self._body, 1)
        column.addWidget(self.status)
        # Before the page itself hears of a failure: then the panes are in their place.
        self.alone = AlonePart(self, self._body, self._arrange)
        self._connect()
        self.playback = Playback(self)
        self.allow_findings()
        self.notes = NotesPart(self)
        self._show_readers()

    @property
    def clock(self) -> Clock | None:
        """Where the events stand on the axis."""
        return self.link.clock

    def commands(self) -> list[Command]:
        """What can be done with this recording, by the page and by its views."""
        return [*self.own_commands(), *commands_of(self)]

    def add_strip(self, strip: QWidget) -> None:
        """Put a strip below the summary."""
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(layout.indexOf(self.verdict), strip)

    def _facets(self) -> dict[str, Facet]:
        """What undo brings back, the readers before what depends on them."""
        session = self.session
        choose, select = self.choose_readers, session.selection.select
        return {
            "readers": Facet(lambda: (session.primary, session.secondary), lambda readers: choose(*readers)),
            "blocks": Facet(lambda: self.panes.reading_view, lambda cards: self.panes.show_reading_view(cards)),
            "notes": Facet(lambda: session.notes.done, session.notes.go_to),
            "order": Facet(lambda: self.findings.order, lambda order: self.findings.set_order(order)),
            "selection": Facet(lambda: session.selection.current, lambda selection: select(selection, self)),
            "alone": Facet(lambda: self.alone.on, lambda on: self.alone.show(on)),
            "view": Facet(lambda: self.timeline.aim, lambda view: self.timeline.show_view(view)),
        }

    # building

    def _arranged(self) -> Splitter:
        self._below = Splitter(self.look, Qt.Orientation.Horizontal)
        self._below.addWidget(self.findings)
        self._below.addWidget(self.detail)
        whole = Splitter(self.look, Qt.Orientation.Vertical)
        for part in (self.timeline, self.panes, self._below):
            whole.addWidget(part)
        # Less than tables and trees ask for of themselves: it is the rows of the panes that must be seen.
        self.timeline.setMinimumHeight(LEAST_ABOVE)
        self._below.setMinimumHeight(LEAST_BELOW)
        for splitter in (self._below, whole):
            splitter.splitterMoved.connect(lambda *_, splitter=splitter: self._moved.add(splitter))
        return whole

    def _arrange(self) -> None:
        """As look.md has it: a timeline as high as its lanes, findings as wide as the raw lines above them."""
        if self.alone.on:
            return
        width, height = self.width(), self._body.height()
        if self._below not in self._moved:
            findings = max(widths(width)[0], min(RAW, round(width * LEAST_FINDINGS)))
            self._below.setSizes([findings, width - self._below.handleWidth() - findings])
        if self._body not in self._moved:
            timeline = min(self.timeline.sizeHint().height(), round(height * MOST_TIMELINE))
            rest = height - timeline - 2 * self._body.handleWidth()
            self._body.setSizes(heights(timeline, rest))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Strips above come and go: what is left for the panes changes without the page.
        if event.type() == QEvent.Type.Resize:
            self._arrange()
        return False

    def _connect(self) -> None:
        session = self.session
        session.read.connect(self._read)
        session.compared.connect(self._compared)
        session.failed.connect(self._failed)
        session.stuck.connect(self.notice.say)
        session.mutes.changed.connect(self._show_title)
        session.progress.connect(self.notice.show_progress)
        self.link.shown.connect(self._arrange)
        self.timeline.leaving.connect(self.history.keep)
        self.link.range_changed.connect(self.detail.timing.show_range)
        self.timeline.range_set.connect(self._range_set)
        self.findings.head.ordered.connect(lambda: self.history.noticed("order"))
        self.panes.reading_view_changed.connect(lambda: self.history.noticed("blocks"))
        self.link.finding_picked.connect(self._finding_picked)
        self.notice.cancel.clicked.connect(self._dismiss)
        self.verdict.first_difference.connect(self.show_first_difference)
        self.verdict.copy_report.connect(self.copy_report)
        self.summary.severity_picked.connect(self.findings.turn_severity)
        self.findings.severity_shown.connect(self.summary.counts.show_chosen)
        self.open_button.clicked.connect(self.open_asked)
        self.picture_button.clicked.connect(self.picture_asked)
        self.toolbar.search.clicked.connect(self.find.start)
        self.findings.model.modelReset.connect(self.allow_findings)
        self.next_finding.clicked.connect(lambda: self.turn_finding(1))
        self.previous_finding.clicked.connect(lambda: self.turn_finding(-1))
        self.read_as.activated.connect(self._choose)
        self.compare_with.activated.connect(self._choose)
        self.swap.clicked.connect(self.swap_readers)
        self.response.activated.connect(self.choose_response)

    # what the session says

    def _read(self) -> None:
        self._show_responses()
        self._show_readers()
        reading = self.session.reference
        self._show_title()
        if self.session.selection.current is None and reading is not None and len(reading.events):
            self.session.selection.select(Selection(0), self)

    def _show_title(self) -> None:
        reading, mutes = self.session.reference, self.session.mutes
        if reading is None or not self.session.complete:
            return
        heard = mutes.heard(reading.findings)
        worst = heard[0].severity if heard else f"{reading.findings[0].severity} muted" if reading.findings else ""
        self.titled.emit(self.title, worst or "document")

    def _comparing(self) -> None:
        self.history.noticed("readers")
        self.history.hold()

    def _compared(self) -> None:
        self._show_readers()
        current = self.session.selection.current
        if self.session.complete and (current is None or current == Selection(0)):
            if self.session.difference is not None:
                self.show_first_difference()
            else:
                self.findings.show_worst()
        if self.session.complete:
            self.history.open()

    def _failed(self, words: str) -> None:
        self.notice.hide()
        self._show_readers()
        self.titled.emit(self.title, "error")
        empty = EmptyPane(self.look, "error", "This file cannot be shown", words, "Open another file…", "error")
        if empty.action is not None:
            empty.action.clicked.connect(self.open_asked)
        self.summary.hide()
        layout = self.layout()
        assert layout is not None
        layout.replaceWidget(self._body, empty)
        self._body.hide()
        empty.show()
        self.fault = empty

    @property
    def title(self) -> str:
        """The name that the page was given, else that of the file, without its folder and the ends that say nothing."""
        if self.name:
            return self.name
        name = self.session.path.replace("\\", "/").rpartition("/")[2] or self.session.path
        return "standard input" if name == "-" else name.removesuffix(".rec.jsonl")

    # readers

    def _show_readers(self) -> None:
        session = self.session
        names = [REFERENCE, *(lens.name for lens in session.usable_lenses())]
        for choice, first, current in (
            (self.read_as, [], session.primary),
            (self.compare_with, [None], session.secondary),
        ):
            choice.blockSignals(True)
            choice.clear()
            for name in [*first, *names]:
                choice.addItem("none" if name is None else session.short_title_of(name), name)
            choice.setCurrentIndex(max(0, choice.findData(current)))
            choice.setEnabled(session.error is None)
            choice.blockSignals(False)
            choice.updateGeometry()
        self.swap.setEnabled(session.secondary is not None)
        self.toolbar.fit()

    def allow_findings(self) -> None:
        """The buttons that lead to findings do what their keys do: in playback there may be one that has not come."""
        some = self.playback.player.active or any(stops(row) for row in self.findings.model.rows)
        for button in (self.previous_finding, self.next_finding):
            button.setEnabled(some)

    def choose_readers(self, primary: str | None = None, secondary: str | None = "") -> None:
        """Read as another client, or compare with another; as `Session.choose` has it."""
        self.session.choose(primary, secondary)
        self.readers_chosen.emit()

    def _choose(self) -> None:
        self.choose_readers(self.read_as.currentData(), self.compare_with.currentData())

    def swap_readers(self) -> None:
        """Read as what it is compared with, and the other way round."""
        session = self.session
        if session.secondary is not None:
            self.choose_readers(session.secondary, session.primary)

    def _show_responses(self) -> None:
        count = len(self.session.exchanges)
        if self.response.count() != count:
            self.response.clear()
            for n in range(count):
                self.response.addItem(f"Response {n + 1} of {count}", n)
        self.response.setVisible(count > 1)
        self.toolbar.fit()

    def choose_response(self, index: int) -> None:
        """Show another response of a file that has several; what was done in the one before cannot be undone."""
        self.history.hold()
        self.history.clear()
        self.response.setCurrentIndex(index)
        self.session.selection.select(None, self)
        self.session.choose_exchange(index)

    def turn_blocks(self) -> None:
        """Show the blocks as flowing text instead of along the rows, or back."""
        self.panes.choose_reading_view(not self.panes.reading_view)

    def turn_finding(self, step: int) -> None:
        """The next finding (1) or the one before (-1): of the list, in playback of all in the order of time."""
        if self.playback.player.active:
            self.playback.next_finding(step)
        elif step > 0:
            self.findings.next_finding()
        else:
            self.findings.previous_finding()

    def take_keyboard(self) -> None:
        """Give the keyboard to the lines, or to the timeline where it stands alone."""
        focus_region(self, "timeline" if self.alone.on else "raw lines")

    def clear_selection(self) -> None:
        """Take the range away, else select nothing; where nothing is selected, give the keyboard to the timeline."""
        if self.timeline.points is not None:
            self.timeline.mark(None)
            return
        if self.session.selection.current is None:
            focus_region(self, "timeline")
        self.session.selection.select(None, self)

    # selection

    def _range_set(self) -> None:
        """Tell the numbers of the range that the hand has let go of."""
        points = self.timeline.points
        if points is not None and points.b is not None:
            self.detail.show_page("Timing")

    def _dismiss(self) -> None:
        if not self.session.complete and not self.session.held:
            self.session.cancel()
            self.findings.refresh()
            self.history.open()
        self.notice.hide()

    def _finding_picked(self, rule: str, event: int) -> None:
        """A mark of the timeline: a note, the comparison, or the place of a rule in that event."""
        if not self.notes.picked(rule) and not self.findings.show_finding(rule, event):
            self.show_first_difference()

    def show_first_difference(self) -> None:
        """Select the event where the two readings part, there the bytes that do it, and the finding that says so."""
        story, reading = self.session.story, self.session.reference
        if story is None or story.first_difference is None or reading is None or not len(reading.events):
            return
        event = min(story.first_difference.event, reading.last_event)
        if not self.findings.show_finding(None, event):
            self.session.selection.select(Selection(event), self)

    def copy_report(self) -> None:
        """A report as Markdown, to the clipboard: of the comparison, without one of the findings."""
        report = comparison_report(self.session)
        if not report:
            self.copy_findings()
            return
        QApplication.clipboard().setText(report)
        self.verdict.copy.setText("Copied")
        QTimer.singleShot(1500, self.verdict.copy, lambda: self.verdict.copy.setText("Copy report"))

    def copy_findings(self) -> None:
        """What was found, whoever reads it, as Markdown, to the clipboard."""
        report = findings_report(self.session)
        if report:
            QApplication.clipboard().setText(report)
