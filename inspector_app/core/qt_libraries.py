"""Which system libraries Qt would miss here, told without loading Qt: a missing one ends the process from inside Qt.

The wheels of PySide6 bring Qt itself; what stands below comes from the system. Debian and Ubuntu package names.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterable, Mapping

EVERY_WINDOW = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libzstd.so.1": "libzstd1",
}
"""Library -> package: what QtGui and QtWidgets are linked to, a picture without a screen included."""

PLATFORM = {
    "xcb": {
        "libxcb.so.1": "libxcb1",
        "libX11-xcb.so.1": "libx11-xcb1",
        "libxcb-cursor.so.0": "libxcb-cursor0",
        "libxcb-icccm.so.4": "libxcb-icccm4",
        "libxcb-image.so.0": "libxcb-image0",
        "libxcb-keysyms.so.1": "libxcb-keysyms1",
        "libxcb-randr.so.0": "libxcb-randr0",
        "libxcb-render.so.0": "libxcb-render0",
        "libxcb-render-util.so.0": "libxcb-render-util0",
        "libxcb-shape.so.0": "libxcb-shape0",
        "libxcb-shm.so.0": "libxcb-shm0",
        "libxcb-sync.so.1": "libxcb-sync1",
        "libxcb-util.so.1": "libxcb-util1",
        "libxcb-xfixes.so.0": "libxcb-xfixes0",
        "libxcb-xkb.so.1": "libxcb-xkb1",
        "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    },
    "wayland": {
        "libwayland-client.so.0": "libwayland-client0",
        "libwayland-cursor.so.0": "libwayland-cursor0",
    },
}
"""Library -> package: what one platform plugin of Qt needs on top."""

PACKAGES = EVERY_WINDOW | PLATFORM["xcb"] | PLATFORM["wayland"]


def screen_platform(environ: Mapping[str, str]) -> str | None:
    """The platform plugins that Qt would try, written as in QT_QPA_PLATFORM (`wayland;xcb`); None without a screen."""
    if named := environ.get("QT_QPA_PLATFORM"):
        return named
    if sys.platform != "linux":
        return "native"
    if environ.get("WAYLAND_DISPLAY"):
        return "wayland;xcb"
    return "xcb" if environ.get("DISPLAY") else None


def missing_libraries(platform: str, load: Callable[[str], object] = ctypes.CDLL) -> list[str]:
    """The libraries that keep a window on `platform` (as of QT_QPA_PLATFORM) from opening; empty when it can.

    Of several platforms (`wayland;xcb`) one is enough, so the one that lacks least is named. Other systems than Linux
    have all that Qt needs.
    """
    if sys.platform != "linux":
        return []

    def absent(names: Iterable[str]) -> list[str]:
        return [name for name in names if not _loads(name, load)]

    plugins = [absent(PLATFORM.get(plugin.partition(":")[0], ())) for plugin in platform.split(";")]
    return absent(EVERY_WINDOW) + min(plugins, key=len)


def advice(missing: list[str]) -> str:
    """One line: what is missing and the command that installs it."""
    packages = dict.fromkeys(PACKAGES[name] for name in missing)
    return f"Qt cannot start without {', '.join(missing)}; install it with: apt-get install {' '.join(packages)}"


def _loads(name: str, load: Callable[[str], object]) -> bool:
    try:
        load(name)
    except OSError:
        return False
    return True
