"""The replay server as a process of its own: started, listened to, ended. A busy window does not change its rhythm."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

LISTENING = re.compile(r"listening on (http://127\.0\.0\.1:\d+)")
PATH = re.compile(r"(/\S+)(?:\s{2,}.*)?")
"""A line about something that is served: its path first."""
END_MS = 1200
"""Milliseconds that it may take to end, before it is made to."""


class ServeProcess(QObject):
    """`listens(url)`, `serves(path)` for each thing that can be asked, `told(line)` for what it says, `ended(words)`:
    why it is over, nothing where a person wanted it.
    """

    listens = Signal(str)
    serves = Signal(str)
    told = Signal(str)
    ended = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rests = {QProcess.ProcessChannel.StandardOutput: "", QProcess.ProcessChannel.StandardError: ""}
        self._stopping = False
        self._held: list[str] | None = []
        """The lines on standard error, the last of which says why it did not go; None once it listens."""
        self._process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONUNBUFFERED", "1")
        self._process.setProcessEnvironment(environment)
        self._process.readyReadStandardOutput.connect(lambda: self._read(QProcess.ProcessChannel.StandardOutput))
        self._process.readyReadStandardError.connect(lambda: self._read(QProcess.ProcessChannel.StandardError))
        self._process.finished.connect(self._finished)
        self._process.errorOccurred.connect(self._failed)

    def start(self, arguments: Sequence[str]) -> None:
        """Run `serve` with these arguments."""
        self._process.start(sys.executable, ["-m", "inspector_app", "serve", "--log", *arguments])

    def stop(self) -> None:
        """Let it end in order; it may have something to say yet."""
        self._stopping = True
        self._process.terminate()

    def close(self) -> None:
        """End it now: nobody listens any more."""
        self._stopping = True
        self.blockSignals(True)
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.terminate()
            if not self._process.waitForFinished(END_MS):
                self._process.kill()
                self._process.waitForFinished(END_MS)

    def _read(self, channel: QProcess.ProcessChannel) -> None:
        self._process.setReadChannel(channel)
        text = self._rests[channel] + bytes(self._process.readAll().data()).decode("utf-8", "replace")
        *lines, self._rests[channel] = text.replace("\r\n", "\n").split("\n")
        for line in lines:
            if channel == QProcess.ProcessChannel.StandardError:
                line = line.removeprefix("stream-inspector: ")
                if self._held is not None:
                    self._held.append(line)
                    continue
            elif found := LISTENING.fullmatch(line):
                self.listens.emit(found[1])
                self._tell_held()
            elif not self._stopping and (found := PATH.fullmatch(line)):
                self.serves.emit(found[1])
            # How clients are set up stands above the log.
            if line and not line.startswith("  ") and not line.endswith(":"):
                self.told.emit(line)

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.ended.emit(f"The server could not be started: {self._process.errorString()}.")

    def _finished(self, status: int) -> None:
        for channel in self._rests:
            self._read(channel)
        words = self._held.pop() if self._held else f"the server ended with status {status}"
        self._tell_held()
        self.ended.emit("" if self._stopping or not status else f"{words[:1].upper()}{words[1:]}.")

    def _tell_held(self) -> None:
        held, self._held = self._held or [], None
        for line in held:
            self.told.emit(line)
