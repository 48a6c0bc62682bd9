"""What all tests share: no screen, no settings of the person who runs them, nothing logged in silence."""

from __future__ import annotations

import gc
import itertools
import logging
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from inspector_app.core.qt_libraries import advice, missing_libraries

TESTS = Path(__file__).parent
SHARED = TESTS.parents[1] / "shared"

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if "CI" in os.environ else "here")


def _why_no_window() -> str | None:
    if missing := missing_libraries(os.environ["QT_QPA_PLATFORM"]):
        return advice(missing)
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        return f"PySide6 cannot be loaded: {error}"
    return None


NO_WINDOW = _why_no_window()


class SkippedDirectory(pytest.File):
    """A folder of tests that cannot run here. For pytest a file, since it would import the conftest of a folder."""

    def collect(self) -> Iterator[pytest.Item]:
        pytest.skip(NO_WINDOW, allow_module_level=True)


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if NO_WINDOW and path == TESTS / "ui":
        return SkippedDirectory.from_parent(parent, path=path)
    return None


def pytest_plugin_registered(plugin_name: str, manager: pytest.PytestPluginManager) -> None:
    # pytest-qt refuses to start, and every other test with it, where Qt cannot be loaded.
    if NO_WINDOW and plugin_name == "pytest-qt":
        manager.unregister(name=plugin_name)


def pytest_configure(config: pytest.Config) -> None:
    # Where Python is told to keep nothing compiled, each program that a test starts would compile all of it again.
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        folder = tempfile.TemporaryDirectory(prefix="compiled-", ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        os.environ["PYTHONPYCACHEPREFIX"] = folder.name


def pytest_collection_finish() -> None:
    # Ten thousand tests stay to the end: no search for garbage needs to look through them.
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if NO_WINDOW:
        terminalreporter.write_line(f"WINDOW TESTS SKIPPED: {NO_WINDOW}", red=True, bold=True)


@pytest.fixture
def shared() -> Path:
    """The folder of specifications and cases beside the clone; tests that read it are skipped where it is not."""
    if not SHARED.is_dir():
        pytest.skip("needs the corpus, which is not part of the clone")
    return SHARED


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for each test (made by whoever writes to it): no settings of a person, none of the test before."""
    folder = next(_homes)
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(folder / name.lower()))
    return folder


@pytest.fixture(autouse=True)
def _nothing_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fails a test that leaves a logged warning behind; one that expects it reads it, then calls `caplog.clear()`."""
    yield
    logged = [
        record.getMessage()
        for phase in ("setup", "call")
        for record in caplog.get_records(phase)
        if record.levelno >= logging.WARNING
    ]
    if logged:
        pytest.fail(f"logged: {logged}")
