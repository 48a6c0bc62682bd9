"""What the command `shot` is asked for (contract.md, section 1). Loads without Qt, for the command line."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import dataclass

PANES = ("window", "lines", "deltas", "blocks", "timeline", "comparison", "matrix")
NO_COMPARISON = "none"
LEAST, MOST = (320, 200), (16_000, 16_000)
DOTS = 200_000_000
"""A picture of more dots takes more than 800 MB of memory."""


@dataclass(frozen=True)
class Shot:
    """A picture: names as on the command line, sizes in pixels, `other` as `--with`."""

    pane: str = "window"
    theme: str = "light"
    scale: int = 1
    width: int = 1280
    height: int = 800
    lens: str | None = None
    other: str | None = None
    """The lens to compare with: None for the one that reads worst, "none" for no comparison."""
    event: int | None = None
    beside: str | None = None
    """The recording to compare with: then it shows both, as the window compares two."""


def add_arguments(parser: ArgumentParser) -> None:
    """The options that only `shot` has."""
    usual = Shot()
    size = f"{usual.width}x{usual.height}"
    parser.add_argument("out", metavar="OUT", type=_out, help="where the picture goes: NAME.png or NAME.svg")
    parser.add_argument("--pane", choices=PANES, default=usual.pane, help=f"what it shows (without it: {usual.pane})")
    parser.add_argument("--theme", choices=("light", "dark"), default=usual.theme, help=f"{usual.theme} unless told")
    parser.add_argument("--scale", type=int, choices=(1, 2), default=usual.scale, help="dots to a pixel of a PNG")
    parser.add_argument("--size", metavar="WxH", type=size_of, default=size, help=f"in pixels (without it: {size})")
    worst = (
        f"compare with it; {NO_COMPARISON}: with nothing (without it: of your own lenses and the clients of which a "
        "report tells the one that reads worst; after --as nothing)"
    )
    parser.add_argument("--with", dest="other", metavar="LENS", help=worst)
    both = "compare with this recording: both side by side, and what they differ in, as `diff` tells it"
    parser.add_argument("--diff", dest="beside", metavar="PATH", help=both)
    parser.add_argument("--event", metavar="N", type=int, help="select this event; the first one is 0")


def shot_of(options: Namespace) -> Shot:
    """The picture that was asked for. Raises ValueError with one line where it cannot be made."""
    width, height = options.size
    dots = width * height * options.scale**2
    if dots > DOTS:
        raise ValueError(
            f"a picture of {dots // 1_000_000} million dots is too large; {DOTS // 1_000_000} are possible"
        )
    beside = options.beside
    if beside is not None and (options.pane != Shot.pane or options.lens is not None or options.other is not None):
        raise ValueError("--diff shows two recordings as the reference reads them; --pane, --as and --with are for one")
    if beside is not None and beside == options.path == "-":
        raise ValueError("standard input can be one of the two recordings, not both")
    return Shot(
        options.pane, options.theme, options.scale, width, height, options.lens, options.other, options.event, beside
    )


def size_of(words: str) -> tuple[int, int]:
    """Both sides of a picture. Raises ArgumentTypeError."""
    sides = words.lower().split("x")
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() and len(side) < 9 for side in sides):
        raise ArgumentTypeError(f"{words!r} is no size such as 1280x800")
    width, height = map(int, sides)
    if not (LEAST[0] <= width <= MOST[0] and LEAST[1] <= height <= MOST[1]):
        least, most = (f"{size[0]}x{size[1]}" for size in (LEAST, MOST))
        raise ArgumentTypeError(f"{words!r} is out of range: {least} to {most}")
    return width, height


def _out(path: str) -> str:
    if not path.lower().endswith((".png", ".svg")):
        raise ArgumentTypeError(f"{path!r} ends neither in .png nor in .svg")
    return path
