"""A2A: tasks and their states in both versions, artifacts that are replaced or go on, messages, errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from inspector_app.core.reading import Reading
from tests.dialects.events import read_text, rules_of, texts, told

IDS = {"taskId": "t1", "contextId": "c1"}


def rpc(result: dict[str, Any]) -> str:
    return f"data: {json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': result}, ensure_ascii=False)}\n\n"


def message(text: str, name: str = "m1", **more: Any) -> dict[str, Any]:
    return {"messageId": name, "role": "agent", "parts": [{"kind": "text", "text": text}]} | more


class V0:
    """Results of version 0."""

    done = "completed"

    @staticmethod
    def task(state: str = "submitted", **more: Any) -> str:
        return rpc({"kind": "task", "id": "t1", "contextId": "c1", "status": {"state": state}} | more)

    @staticmethod
    def status(state: str, said: dict[str, Any] | None = None, final: bool = False) -> str:
        status = {"state": state} | ({} if said is None else {"message": said})
        return rpc({"kind": "status-update", "status": status, "final": final} | IDS)

    @staticmethod
    def artifact(*parts: Any, name: str = "a1", **more: Any) -> str:
        texts = [{"kind": "text", "text": part} if isinstance(part, str) else part for part in parts]
        return rpc({"kind": "artifact-update", "artifact": {"artifactId": name, "parts": texts}} | IDS | more)

    @staticmethod
    def message(text: str) -> str:
        return rpc(message(text, kind="message"))


class V1:
    """Results of version 1."""

    done = "TASK_STATE_COMPLETED"

    @staticmethod
    def task(state: str = "TASK_STATE_SUBMITTED", **more: Any) -> str:
        return rpc({"task": {"id": "t1", "contextId": "c1", "status": {"state": state}} | more})

    @staticmethod
    def status(state: str, said: dict[str, Any] | None = None) -> str:
        status = {"state": state} | ({} if said is None else {"message": said})
        return rpc({"statusUpdate": {"status": status} | IDS})

    @staticmethod
    def artifact(*parts: Any, name: str = "a1", **more: Any) -> str:
        texts = [{"text": part} if isinstance(part, str) else part for part in parts]
        return rpc({"artifactUpdate": {"artifact": {"artifactId": name, "parts": texts}} | IDS | more})

    @staticmethod
    def message(text: str) -> str:
        return rpc({"message": message(text)})


VERSIONS = pytest.mark.parametrize("of", [V0, V1])


def read(of: Any, *parts: str, size: int = 1 << 20) -> Reading:
    return read_text("".join((of.task(), *parts, of.status(of.done))), size=size)


@VERSIONS
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_an_artifact_goes_on_or_is_replaced(of: Any, size: int) -> None:
    updates = [of.artifact("By boat"), of.artifact(" to", append=True), of.artifact("On ", "foot")]
    updates += [of.artifact(" over", append=True), of.artifact(" the ridge.", append=True, lastChunk=True)]
    reading = read(of, *updates, size=size)
    assert reading.dialect == "a2a"
    assert told(reading) == [("text", "On foot over the ridge.", "complete", "explicit")]
    assert reading.clean
    assert rules_of(reading) == set()


@VERSIONS
def test_a_last_chunk_may_be_replaced_too(of: Any) -> None:
    reading = read(of, of.artifact("a", lastChunk=True), of.artifact("b", lastChunk=True))
    assert told(reading) == [("text", "b", "complete", "explicit")]
    assert rules_of(reading) == set()


@VERSIONS
def test_artifacts_have_names(of: Any) -> None:
    reading = read(of, of.artifact("a"), of.artifact("x", name="a2"), of.artifact("b", append=True))
    assert told(reading) == [("text", "ab", "complete", "finish"), ("text", "x", "complete", "finish")]


@VERSIONS
def test_what_comes_late_is_read_and_reported(of: Any) -> None:
    reading = read(of, of.artifact("a", lastChunk=True), of.artifact("b", append=True))
    assert texts(reading) == [("text", "ab")]
    assert rules_of(reading) == {"meta-delta-after-close"}


@VERSIONS
def test_many_equal_pieces_take_the_short_way(of: Any) -> None:
    pieces = [of.artifact(f"{n} ", append=n > 0) for n in range(9)]
    reading = read(of, *pieces, of.artifact("new"), of.artifact("!", append=True))
    assert texts(reading) == [("text", "new!")]


@VERSIONS
def test_data_and_files(of: Any) -> None:
    file = {"file": {"mimeType": "image/png", "uri": "u"}} if of is V0 else {"url": "u", "mediaType": "image/png"}
    reading = read(of, of.artifact({"data": {"km": 1}}, file), of.artifact({"data": {"km": 2}}))
    assert [(block.kind, block.fields.get("result"), block.fields.get("media")) for block in reading.blocks] == [
        ("state", {"km": 2}, None),
        ("media", None, "image"),
    ]


@VERSIONS
def test_messages_of_a_status(of: Any) -> None:
    working = "working" if of is V0 else "TASK_STATE_WORKING"
    said = [of.status(working, message("One", "m1")), of.status(working, message("Two", "m2"))]
    reading = read(of, *said, of.status(working, message("Three", "m2")))
    assert texts(reading) == [("text", "One"), ("text", "Three")]
    assert rules_of(reading) == set()


@VERSIONS
def test_a_message_is_a_whole_answer(of: Any) -> None:
    reading = read_text(of.message("Ja."))
    assert reading.dialect == "a2a"
    assert texts(reading) == [("text", "Ja.")]
    assert (reading.finishes[0]["raw"], reading.clean) == ("message", True)
    assert rules_of(reading) == set()


@VERSIONS
def test_a_task_that_comes_whole(of: Any) -> None:
    artifacts = [{"artifactId": "a1", "parts": [{"kind": "text", "text": "Ja."}]}]
    reading = read_text(of.task(of.done, artifacts=artifacts))
    assert texts(reading) == [("text", "Ja.")]
    assert reading.clean


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("completed", "stop"),
        ("TASK_STATE_COMPLETED", "stop"),
        ("TASK_STATE_INPUT_REQUIRED", "pause"),
        ("auth-required", "pause"),
        ("canceled", "cancelled"),
        ("TASK_STATE_REJECTED", "error"),
        ("new", None),
    ],
)
def test_states_that_end(state: str, reason: str | None) -> None:
    [finish] = read_text(V0.task() + V0.artifact("a") + V0.status(state)).finishes
    assert (finish["raw"], finish["reason"]) == (state, reason)


@pytest.mark.parametrize("code", [-32603, -32001])
def test_an_error_stays_in_its_stream(code: int) -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "no", "data": []}}
    reading = read_text(V0.task() + V0.artifact("a") + f"data: {json.dumps(error)}\n\n")
    assert reading.dialect == "a2a"
    assert [(one["code"], one["message"]) for one in reading.errors] == [(code, "no")]
    assert rules_of(reading) == {"error-in-stream", "finish-missing"}


def test_the_result_alone_over_http() -> None:
    parts = [V1.task(), V1.artifact("Ja."), V1.status(V1.done)]
    bare = "".join(f"data: {json.dumps(json.loads(part[6:])['result'])}\n\n" for part in parts)
    reading = read_text(bare)
    assert (reading.dialect, texts(reading), reading.clean) == ("a2a", [("text", "Ja.")], True)


@VERSIONS
def test_a_stream_that_breaks_off(of: Any) -> None:
    reading = read_text(of.task() + of.artifact("a"))
    assert told(reading) == [("text", "a", "truncated", "end")]
    assert "end-truncated" in rules_of(reading)


@pytest.mark.parametrize(
    "payload",
    [
        {"task": {"taskId": "1", "status": "working"}},
        {"message": {"role": "assistant", "parts": []}},
        {"message": "no"},
        {"kind": "task", "status": "x"},
        {"task": {"status": {"state": "done"}}},
    ],
)
def test_words_that_anybody_may_use_are_no_evidence(payload: dict[str, Any]) -> None:
    assert read_text(f"data: {json.dumps(payload)}\n\n" * 2).dialect != "a2a"
