"""What the program says where Qt's system libraries are missing."""

import sys

import pytest

from inspector_app.core.qt_libraries import EVERY_WINDOW, PLATFORM, advice, missing_libraries, screen_platform

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux leaves Qt's libraries to the system")


def machine_without(*absent: str):
    def load(name: str) -> None:
        if name in absent:
            raise OSError(name)

    return load


@linux_only
@pytest.mark.parametrize(
    "platform, absent, missing",
    [
        ("offscreen", [], []),
        ("offscreen", ["libEGL.so.1"], ["libEGL.so.1"]),
        ("offscreen", ["libxcb-cursor.so.0", "libxcb-icccm.so.4"], []),
        ("xcb", ["libxcb-icccm.so.4", "libEGL.so.1"], ["libEGL.so.1", "libxcb-icccm.so.4"]),
        ("xcb:no-glx", ["libxcb-keysyms.so.1"], ["libxcb-keysyms.so.1"]),
        ("wayland;xcb", ["libwayland-cursor.so.0"], []),
        ("wayland;xcb", ["libxkbcommon-x11.so.0"], []),
        ("wayland;xcb", ["libwayland-cursor.so.0", "libxcb-image.so.0", "libxcb-shm.so.0"], ["libwayland-cursor.so.0"]),
    ],
)
def test_missing_libraries_of_a_platform(platform: str, absent: list[str], missing: list[str]) -> None:
    assert missing_libraries(platform, machine_without(*absent)) == missing


@linux_only
def test_a_library_that_nobody_has_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLATFORM, "nowhere", {"libnobody-has-this.so.9": "none"})
    assert missing_libraries("nowhere")[-1:] == ["libnobody-has-this.so.9"]


def test_the_advice_is_one_line_and_names_each_package_once() -> None:
    line = advice(["libEGL.so.1", "libglib-2.0.so.0", "libgthread-2.0.so.0", "libxcb-cursor.so.0"])
    assert line.endswith("apt-get install libegl1 libglib2.0-0 libxcb-cursor0")
    assert "libgthread-2.0.so.0" in line
    assert "\n" not in line


def test_the_advice_knows_every_library_that_can_be_missing() -> None:
    names = [*EVERY_WINDOW, *PLATFORM["xcb"], *PLATFORM["wayland"]]
    assert len(advice(names).partition("apt-get install ")[2].split()) == len(set(names)) - 1  # GLib brings two


@linux_only
@pytest.mark.parametrize(
    "environ, platform",
    [
        ({}, None),
        ({"DISPLAY": ":0"}, "xcb"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "wayland;xcb"),
        ({"QT_QPA_PLATFORM": "offscreen"}, "offscreen"),
        ({"QT_QPA_PLATFORM": "minimal", "DISPLAY": ":0"}, "minimal"),
    ],
)
def test_the_platform_that_qt_would_try(environ: dict[str, str], platform: str | None) -> None:
    assert screen_platform(environ) == platform
