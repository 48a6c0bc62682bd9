"""What is installed: the wheel carries its data, and works far from the clone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from inspector_app import __version__

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
DATA = {
    path.relative_to(ROOT).as_posix()
    for folder in ("resources", "recordings")
    for path in (ROOT / folder).rglob("*")
    if path.is_file()
}


def build(kind: str, folder: Path) -> Path:
    """The wheel or sdist of this clone, built in `folder`."""
    program = f"import sys; from hatchling.build import build_{kind}; print(build_{kind}(sys.argv[1]))"
    ran = subprocess.run(
        [sys.executable, "-c", program, str(folder)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return folder / ran.stdout.split()[-1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked as an installer does."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(build("wheel", tmp_path_factory.mktemp("wheel"))) as wheel:
        wheel.extractall(folder)
    return folder


def run_installed(installed: Path, *arguments: str) -> str:
    """What the installed command prints, in a folder that knows nothing of the clone."""
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from inspector_app.cli import main; sys.exit(main())"
    ran = subprocess.run(
        [sys.executable, "-I", "-c", program, str(installed), *arguments],
        cwd=installed.parent, capture_output=True, text=True, encoding="utf-8", env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_the_wheel_carries_resources_and_recordings(installed: Path) -> None:
    for name in DATA - {"resources/screenshot.png"}:
        assert (installed / "inspector_app" / f"_{name}").read_bytes() == (ROOT / name).read_bytes()
    assert len(DATA) > 10


def test_the_wheel_installs_nothing_beside_the_package(installed: Path) -> None:
    assert {path.name for path in installed.iterdir()} == {
        "inspector_app",
        f"stream_inspector-{__version__}.dist-info",
    }


def test_the_source_distribution_carries_what_a_build_and_the_tests_need(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path)) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {*DATA, "pyproject.toml", "README.md", "LICENSE", "inspector_app/cli.py", "tests/conftest.py"} <= names


def test_the_installed_command_reads_with_its_own_lenses(installed: Path) -> None:
    shipped = {path.stem for path in (ROOT / "resources" / "lenses").glob("*.toml")}
    assert all(name in run_installed(installed, "lenses") for name in shipped)
    recording = installed / "inspector_app" / "_recordings" / "empty-tool-calls.rec.jsonl"
    assert run_installed(installed, "check", "--fail-on", "never", "--as", "zcode-3.11", str(recording))


def test_the_command_knows_its_version(installed: Path) -> None:
    assert __version__ in run_installed(installed, "--version")


@pytest.mark.parametrize("version, welcome", [("6.8.1", True), ("6.11.3", True), ("6.10.1", False), ("6.12.0", False)])
def test_versions_of_qt_that_crash_are_not_installed(version: str, welcome: bool) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    [qt] = [wanted for wanted in map(Requirement, project["dependencies"]) if wanted.name == "PySide6-Essentials"]
    assert (version in qt.specifier) is welcome


def test_continuous_integration_runs_the_command_of_the_readme() -> None:
    [command] = re.findall(r"^    (python3 -m venv .* pytest)$", README, re.MULTILINE)
    assert command in map(str.strip, (ROOT / ".ci" / "run").read_text("utf-8").splitlines())


def test_the_first_command_of_the_readme_opens_a_recording_of_the_gallery() -> None:
    [path] = re.findall(r"^    python3 -m venv .* && \.venv/bin/stream-inspector (\S+)$", README, re.MULTILINE)
    assert path in {f"recordings/{file.name}" for file in (ROOT / "recordings").iterdir()}


def test_every_file_that_the_readme_names_is_there() -> None:
    named = {name for name in re.findall(r"\b(?:recordings|resources)/[\w./-]+\.\w+", README) if "NAME" not in name}
    assert named
    assert not [name for name in named if not (ROOT / name).is_file()]
