"""The pytest fixture `stream_replay`: serves a recording, or a trouble made of it, to the code under test.

    def test_my_client_survives_a_cut(stream_replay):
        replay = stream_replay("answer.rec.jsonl", variation="cut-in-event")
        client = openai.OpenAI(base_url=replay.url + "/v1", api_key="any", max_retries=0)
        with pytest.raises(MyClientNoticed):
            ask(client)
        assert replay.requests[0].json["stream"] is True

pytest finds it by itself where Stream Inspector is installed; it needs neither a screen nor Qt. A test gets its answers
without waiting; `speed=1` keeps the recorded times.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    # Loaded by the first test that asks for the fixture: pytest loads this module for every project.
    from inspector_app.core.kit import Kit
    from inspector_app.core.types import Exchange
    from inspector_app.live.serve import Serving
    from inspector_app.live.serve_score import Visit

__all__ = ["Replay", "ReplayedRequest", "StreamReplay", "stream_replay"]


@dataclass(frozen=True)
class ReplayedRequest:
    """One request of the code under test, and what it did with the answer.

    `did` is `waiting`, `drained` (all was sent, and it had not left) or `left early`; `sent` counts bytes of the body
    that were handed over to it.
    """

    method: str
    path: str
    """With the query."""
    headers: dict[str, str]
    """Names in lower case; of several fields of one name the last."""
    body: bytes
    json: Any
    """The body as JSON, None where it is none."""
    did: str
    sent: int


class Replay:
    """One recording that is served until the test is over."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving

    @property
    def url(self) -> str:
        """Where the API begins, without a slash at the end: `replay.url + "/v1"` for the OpenAI clients."""
        return self._serving.url

    @property
    def requests(self) -> list[ReplayedRequest]:
        """What was asked so far, in order."""
        return [_request(visit) for visit in self._serving.visits]


class StreamReplay:
    """Makes replays; this is what the fixture gives. All of them end with the test."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._kit: Kit | None = None

    def __call__(
        self,
        source: str | os.PathLike[str] | bytes | Exchange,
        *more: str | os.PathLike[str] | bytes | Exchange,
        variation: str = "",
        changes: Sequence[tuple[str, str]] = (),
        speed: float | None = None,
        end: str = "as-recorded",
    ) -> Replay:
        """Serve a recording: a file that `stream-inspector check` reads, or the bytes of a body.

        Several are chosen by path, by model, or in turn. `variation` is a path of `serve --suite` (`one-byte`,
        `no-done`, `stall`…), `changes` are names of variations with their arguments, as ("cut", "200"), one after
        the other; what changes nothing is warned of. `speed` 1 keeps the recorded times, None does not wait. `end` is
        as-recorded, clean, no-terminator or reset. Raises ValueError for a variation that is not known or does not fit,
        InputFault for a file.
        """
        from inspector_app.live.serve import Serving

        items = [self._item(one, variation, changes, speed, end) for one in (source, *more)]
        return Replay(self._stack.enter_context(Serving(items)))

    def variations(self) -> dict[str, str]:
        """All that `variation` takes, and what each does."""
        from inspector_app.live.serve_suite import cases

        return {name: title for name, _, _, title in cases()}

    def _item(
        self, source: Any, variation: str, changes: Sequence[tuple[str, str]], speed: float | None, end: str
    ) -> Any:
        from inspector_app.core.kit import load_kit
        from inspector_app.live.serve_item import How, item_of
        from inspector_app.live.serve_plan import ENDS
        from inspector_app.live.serve_suite import wish_of
        from inspector_app.variations import variations

        if speed is not None and not speed > 0:
            raise ValueError(f"speed is a number above 0, or None for no waiting; this is {speed!r}")
        if end not in ENDS:
            raise ValueError(f"end is one of {', '.join(ENDS)}; this is {end!r}")
        if unknown := next((name for name, _ in changes if name not in variations()), None):
            raise ValueError(f"no variation is named {unknown!r}; known: {', '.join(variations())}")
        self._kit = self._kit or load_kit()
        exchange = _exchange(source)
        wishes = [*([wish_of(variation, exchange, self._kit)] if variation else []), *changes]
        item = item_of(exchange, self._kit, How(speed, end, tuple(wishes)))
        for (name, argument), why in item.idle:
            warnings.warn(f"{name} {argument}".strip() + f" in {exchange.name}: {why}", stacklevel=4)
        return item


@pytest.fixture
def stream_replay() -> Iterator[StreamReplay]:
    """Serve recordings of LLM streams to the code under test: `replay = stream_replay("answer.rec.jsonl")`."""
    with ExitStack() as stack:
        yield StreamReplay(stack)


def _exchange(source: Any) -> Exchange:
    from inspector_app.core.types import Exchange, MemoryBody
    from inspector_app.files import read_input

    if isinstance(source, Exchange):
        return source
    if isinstance(source, bytes):
        return Exchange("body", "sse-body", MemoryBody(source))
    return read_input(os.fspath(source))[0]


def _request(visit: Visit) -> ReplayedRequest:
    from inspector_app.live.serve_choice import body

    asked = visit.request
    return ReplayedRequest(
        asked.method, asked.target, dict(asked.headers), asked.body, body(asked), visit.state, visit.sent
    )
