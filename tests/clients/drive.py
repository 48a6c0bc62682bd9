"""Runs one real Python client over given bodies and says what it made of each: a program of its own.

    python drive.py CLIENT < jobs.jsonl > rows.jsonl

A job is {"case", "raw"}: a name and a whole HTTP response as base64. A row is {"case", "blocks", "finish", "error"}
with blocks as in a measured row, or with "payloads", the data of each event, where the client builds no blocks.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import socketserver
import sys
import threading
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
ASK: Any = [{"role": "user", "content": "x"}]
IDLE = 20.0


class Server(socketserver.ThreadingTCPServer):
    """Answers every request with the response that its path names, then closes."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, responses: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.responses = responses
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, case: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{case}"


class Answer(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        path = self.rfile.readline().split(b" ")[1].decode()
        length = 0
        while line := self.rfile.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            if name.lower() == b"transfer-encoding":
                raise ValueError("requests are small")
        self.rfile.read(length)
        assert isinstance(self.server, Server)
        with contextlib.suppress(OSError):  # A client may have read enough.
            self.wfile.write(self.server.responses[path.split("/")[1]])


def call(call_id: Any, name: Any, arguments: Any) -> Row:
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments)
    return {"kind": "tool_call", "id": call_id, "name": name, "arguments": arguments}


def texts(*pairs: tuple[str, Any]) -> list[Row]:
    """Blocks of these kinds and texts, without those that say nothing."""
    plain = ((kind, text.get("text") if isinstance(text, dict) else text) for kind, text in pairs)
    return [{"kind": kind, "text": text} for kind, text in plain if text]


def shown(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__name__}: {error}"[:400]


def thought_of(delta: Any) -> str:
    """The first of the fields that the OpenAI SDKs pass through unread."""
    found = (getattr(delta, name, None) for name in ("reasoning_content", "reasoning", "reasoning_text"))
    return next((text for text in found if text), "")


# one function a client: url -> row without "case"


def _openai(url: str) -> Any:
    import openai

    return openai.OpenAI(base_url=url, api_key="k", max_retries=0, timeout=IDLE)


def openai_python(url: str) -> Row:
    payloads: list[str] = []
    row: Row = {"payloads": payloads, "error": None}
    try:
        chunks = _openai(url).chat.completions.create(model="m", messages=ASK, stream=True)
        payloads.extend(json.dumps(chunk.to_dict(mode="json"), ensure_ascii=False) for chunk in chunks)
    except Exception as error:
        row["error"] = shown(error)
    return row


def openai_python_helper(url: str) -> Row:
    state: Any = None
    row: Row = {"blocks": [], "finish": None, "error": None, "order": "none"}
    try:
        with _openai(url).chat.completions.stream(model="m", messages=ASK) as stream:
            state = stream._state
            for _ in stream:
                pass
            stream.get_final_completion()
    except Exception as error:
        row["error"] = shown(error)
    with contextlib.suppress(Exception):
        for choice in state.current_completion_snapshot.choices:
            message = choice.message
            found = texts(("reasoning", thought_of(message)), ("text", message.content), ("refusal", message.refusal))
            for held in message.tool_calls or []:
                found.append(call(held.id, held.function.name, held.function.arguments or ""))
            if message.function_call:
                found.append(call(None, message.function_call.name, message.function_call.arguments or ""))
            row["blocks"] += [block | {"choice": choice.index} for block in found]
            if choice.index == 0:
                row["finish"] = choice.finish_reason
    return row


def pydantic_ai(url: str) -> Row:
    from pydantic_ai.messages import ModelRequest, UserPromptPart
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    async def run() -> Row:
        import openai

        row: Row = {"blocks": [], "finish": None, "error": None}
        client = openai.AsyncOpenAI(base_url=url, api_key="k", max_retries=0, timeout=IDLE)
        model = OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client))
        asked: Any = [ModelRequest(parts=[UserPromptPart("x")])]
        answer: Any = None
        try:
            async with model.request_stream(asked, None, ModelRequestParameters()) as answer:
                async for _ in answer:
                    pass
        except Exception as error:
            row["error"] = shown(error)
        if answer is not None:
            said = answer.get()
            kinds = {"text": "text", "thinking": "reasoning"}
            for part in said.parts:
                if part.part_kind == "tool-call":
                    held = "" if part.args is None else part.args
                    row["blocks"].append(call(part.tool_call_id, part.tool_name, held))
                else:
                    row["blocks"] += texts((kinds.get(part.part_kind, part.part_kind), part.content))
            row["finish"] = (said.provider_details or {}).get("finish_reason")
            row["usage"] = said.usage.output_tokens
        return row

    return asyncio.run(run())


def litellm(url: str) -> Row:
    import litellm as client

    client.suppress_debug_info = True
    row: Row = {"blocks": [], "finish": None, "error": None, "order": "none"}
    chunks: list[Any] = []
    try:
        stream = client.completion(
            model="openai/m", api_base=url, api_key="k", messages=ASK, stream=True, num_retries=0, timeout=IDLE
        )
        chunks.extend(stream)
    except Exception as error:
        row["error"] = shown(error)
    try:
        whole: Any = client.stream_chunk_builder(chunks)
    except Exception as error:
        row["error"] = row["error"] or shown(error)
        whole = None
    if whole is not None:
        choice = whole.choices[0]
        message = choice.message
        row["blocks"] = texts(("reasoning", getattr(message, "reasoning_content", None)), ("text", message.content))
        for held in message.tool_calls or []:
            row["blocks"].append(call(held.id, held.function.name, held.function.arguments or ""))
        if getattr(message, "function_call", None):
            row["blocks"].append(call(None, message.function_call.name, message.function_call.arguments or ""))
        row["finish"] = choice.finish_reason
    return row


def langchain_openai(url: str) -> Row:
    from langchain_openai import ChatOpenAI

    row: Row = {"blocks": [], "finish": None, "error": None, "order": "none"}
    model = ChatOpenAI(base_url=url, api_key="k", model="m", max_retries=0, timeout=IDLE)  # type: ignore[arg-type]
    whole: Any = None
    try:
        for piece in model.stream("x"):
            whole = piece if whole is None else whole + piece
    except Exception as error:
        row["error"] = shown(error)
    if whole is not None:
        content = whole.content
        if not isinstance(content, str):
            content = "".join(part if isinstance(part, str) else str(part.get("text") or "") for part in content)
        row["blocks"] = texts(("text", content))
        for held in (*whole.tool_calls, *whole.invalid_tool_calls):
            row["blocks"].append(call(held["id"], held["name"] or None, held["args"] or {}))
        if legacy := whole.additional_kwargs.get("function_call"):
            row["blocks"].append(call(None, legacy.get("name"), legacy.get("arguments") or ""))
        row["finish"] = whole.response_metadata.get("finish_reason")
        row["usage"] = (whole.usage_metadata or {}).get("output_tokens")
    return row


def openai_agents(url: str) -> Row:
    import agents
    from agents.models.interface import ModelTracing
    from agents.models.openai_chatcompletions import OpenAIChatCompletionsModel

    async def run() -> Row:
        import openai

        row: Row = {"blocks": [], "error": None, "order": "none"}  # it tells no finish reason
        client = openai.AsyncOpenAI(base_url=url, api_key="k", max_retries=0, timeout=IDLE)
        model = OpenAIChatCompletionsModel("m", client)
        so_far: dict[str, str] = {}
        calls: dict[int, Row] = {}
        try:
            async for event in model.stream_response(
                None, "x", agents.ModelSettings(), [], None, [], ModelTracing.DISABLED,
                previous_response_id=None, conversation_id=None, prompt=None,
            ):  # fmt: skip
                kind = {
                    "response.output_text.delta": "text", "response.refusal.delta": "refusal",
                    "response.reasoning_summary_text.delta": "reasoning", "response.reasoning_text.delta": "reasoning",
                }.get(event.type)  # fmt: skip
                if kind is not None:
                    so_far[kind] = so_far.get(kind, "") + event.delta  # type: ignore[union-attr]
                if event.type == "response.output_item.added" and event.item.type == "function_call":
                    calls[event.output_index] = call(event.item.call_id, event.item.name, "")
                if event.type == "response.function_call_arguments.delta":
                    calls[event.output_index]["arguments"] += event.delta
                if event.type == "response.completed":
                    whole = [item for item in event.response.output if item.type == "function_call"]
                    calls = {n: call(item.call_id, item.name, item.arguments) for n, item in enumerate(whole)}
        except Exception as error:
            row["error"] = shown(error)
        row["blocks"] = [*texts(*so_far.items()), *calls.values()]
        return row

    return asyncio.run(run())


def llm(url: str) -> Row:
    from llm.default_plugins.openai_models import Chat

    row: Row = {"blocks": [], "error": None, "order": "none"}  # it tells no finish reason
    said = ""
    calls: dict[Any, Row] = {}
    try:
        response = Chat("m", api_base=url, supports_tools=True).prompt("x", stream=True, key="k")
        for event in response.stream_events():
            if event.type == "text":
                said += event.chunk
            elif event.type == "tool_call_name":
                calls[event.tool_call_id] = call(event.tool_call_id, event.chunk or None, "")
            elif event.type == "tool_call_args":
                more = event.chunk if isinstance(event.chunk, str) else json.dumps(event.chunk)
                calls[event.tool_call_id]["arguments"] += more
        whole = response.tool_calls()
        calls = {n: call(held.tool_call_id, held.name, held.arguments) for n, held in enumerate(whole)}
    except Exception as error:
        row["error"] = shown(error)
    row["blocks"] = [*texts(("text", said)), *calls.values()]
    return row


def _anthropic(url: str) -> Any:
    import anthropic

    return anthropic.Anthropic(base_url=url, api_key="k", max_retries=0, timeout=IDLE)


def anthropic_python(url: str) -> Row:
    payloads: list[str] = []
    row: Row = {"payloads": payloads, "error": None}
    try:
        events = _anthropic(url).messages.create(model="m", max_tokens=9, messages=ASK, stream=True)
        payloads.extend(json.dumps(event.to_dict(mode="json"), ensure_ascii=False) for event in events)
    except Exception as error:
        row["error"] = shown(error)
    return row


def anthropic_python_helper(url: str) -> Row:
    row: Row = {"blocks": [], "finish": None, "error": None}
    stream: Any = None
    try:
        with _anthropic(url).messages.stream(model="m", max_tokens=9, messages=ASK) as stream:
            for _ in stream:
                pass
            stream.get_final_message()
    except Exception as error:
        row["error"] = shown(error)
    with contextlib.suppress(Exception):
        message = stream.current_message_snapshot
        row["finish"] = message.stop_reason
        for part in message.content:
            if part.type in ("tool_use", "server_tool_use"):
                row["blocks"].append(call(part.id, part.name, part.input))
            elif part.type in ("text", "thinking"):
                kind, text = ("text", part.text) if part.type == "text" else ("reasoning", part.thinking)
                row["blocks"] += texts((kind, text))
    return row


def google_genai(url: str) -> Row:
    from google import genai

    row: Row = {"blocks": [], "finish": None, "error": None}
    blocks: list[Row] = row["blocks"]
    client = genai.Client(api_key="k", http_options={"base_url": url, "timeout": int(IDLE * 1000)})  # type: ignore[arg-type]
    try:
        for chunk in client.models.generate_content_stream(model="m", contents="x"):
            for candidate in (chunk.candidates or [])[:1]:
                row["finish"] = candidate.finish_reason.value if candidate.finish_reason else row["finish"]
                for part in (candidate.content and candidate.content.parts) or []:
                    if part.function_call is not None:
                        held = part.function_call
                        blocks.append(call(held.id, held.name, held.args or {}))
                        continue
                    for block in texts(("reasoning" if part.thought else "text", part.text)):
                        if blocks and blocks[-1]["kind"] == block["kind"]:
                            blocks[-1]["text"] += block["text"]
                        else:
                            blocks.append(block)
    except Exception as error:
        row["error"] = shown(error)
    return row


def httpx_sse(url: str) -> Row:
    import httpx
    from httpx_sse import EventSource

    payloads: list[Any] = []
    row: Row = {"payloads": payloads, "error": None}
    try:
        with httpx.stream("POST", url, timeout=IDLE) as response:
            payloads.extend([event.event, event.data] for event in EventSource(response).iter_sse())
    except Exception as error:
        row["error"] = shown(error)
    return row


CLIENTS: dict[str, Callable[[str], Row]] = {
    "openai-python-3.57": openai_python,
    "openai-python-helper-3.57": openai_python_helper,
    "pydantic-ai-2.68": pydantic_ai,
    "litellm-1.110": litellm,
    "langchain-openai-1.7": langchain_openai,
    "openai-agents": openai_agents,
    "llm": llm,
    "anthropic-python-2.14": anthropic_python,
    "anthropic-python-helper-2.14": anthropic_python_helper,
    "google-genai-3.6": google_genai,
    "httpx-sse-0.4": httpx_sse,
}


def main(name: str) -> None:
    os.environ |= {"LITELLM_LOG": "CRITICAL", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    os.environ |= {"OPENAI_AGENTS_DISABLE_TRACING": "1"}
    jobs = [json.loads(line) for line in sys.stdin]
    server = Server({job["case"]: base64.b64decode(job["raw"]) for job in jobs})
    out, sys.stdout = sys.stdout, sys.stderr
    for job in jobs:
        try:
            row = CLIENTS[name](server.url(job["case"]))
        except Exception as error:
            row = {"blocks": [], "finish": None, "error": shown(error)}
        print(json.dumps({"case": job["case"], **row}), file=out, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
