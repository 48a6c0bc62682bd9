// Runs one real client for Node over given bodies and says what it made of each: as drive.py does.
//
//     node drive.mjs CLIENT < jobs.jsonl > rows.jsonl     (in a folder that has the packages of package.json)

import net from "node:net";
import readline from "node:readline";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(process.cwd() + "/");
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
const ASK = [{ role: "user", content: "x" }];

function serve(responses) {
  const server = net.createServer((socket) => {
    let got = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      got += bytes.toString("latin1");
      const end = got.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(got)?.[1] ?? 0);
      const chunked = /transfer-encoding: *chunked/i.test(got);
      if (chunked ? !got.endsWith("0\r\n\r\n") : got.length < end + 4 + length) return;
      const name = got.split(" ")[1].split("/")[1];
      socket.end(responses.get(name));
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const shown = (error) => {
  if (typeof error === "string") return "string: " + error;
  const name = error?.constructor?.name ?? typeof error;
  return `${error?.name && error.name !== "Error" ? error.name : name}: ${error?.message ?? JSON.stringify(error)}`.slice(0, 400);
};
const call = (id, name, args) => ({
  kind: "tool_call", id: id ?? null, name: name ?? null,
  arguments: typeof args === "string" ? args : args === undefined ? "" : JSON.stringify(args),
});
const texts = (...pairs) => pairs.filter(([, text]) => text).map(([kind, text]) => ({ kind, text: String(text?.text ?? text) }));

async function openaiHelper(url) {
  const { default: OpenAI } = await load("openai");
  const client = new OpenAI({ baseURL: url, apiKey: "k", maxRetries: 0, timeout: 20000 });
  const row = { blocks: [], finish: null, error: null, order: "none" };
  const stream = client.chat.completions.stream({ model: "m", messages: ASK });
  let last = null;
  stream.on("chunk", (_, snapshot) => { last = snapshot; });
  try {
    last = await stream.finalChatCompletion();
  } catch (error) {
    row.error = shown(error);
    last = stream.currentChatCompletionSnapshot ?? last;
  }
  for (const choice of last?.choices ?? []) {
    if (!choice) continue;
    const message = choice.message ?? {};
    const thought = message.reasoning_content || message.reasoning || message.reasoning_text;
    const found = texts(["reasoning", thought], ["text", message.content], ["refusal", message.refusal]);
    for (const held of message.tool_calls ?? []) {
      if (held) found.push(call(held.id, held.function?.name, held.function?.arguments));
    }
    if (message.function_call) found.push(call(null, message.function_call.name, message.function_call.arguments));
    row.blocks.push(...found.map((block) => ({ ...block, choice: choice.index })));
    if (choice.index === 0) row.finish = choice.finish_reason ?? null;
  }
  return row;
}

async function aiSdk(model) {
  const row = { blocks: [], finish: null, error: null };
  const open = new Map();
  let thrown = false;
  const fail = (error) => { row.error ??= shown(error); };
  const prompt = [{ role: "user", content: [{ type: "text", text: "x" }] }];
  try {
    const { stream } = await model.doStream({ prompt });
    for await (const part of stream) {
      const key = `${part.type.split("-")[0]}:${part.id}`;
      switch (part.type) {
        case "text-start": case "reasoning-start": {
          const block = { kind: part.type === "text-start" ? "text" : "reasoning", text: "" };
          open.set(key, block);
          row.blocks.push(block);
          break;
        }
        case "text-delta": case "reasoning-delta":
          if (open.has(key)) open.get(key).text += part.delta;
          else {
            // Who reads the parts is told, and has the text all the same.
            fail(`${part.type.split("-")[0]} part ${part.id} not found`);
            const block = { kind: part.type.split("-")[0], text: part.delta };
            open.set(key, block);
            row.blocks.push(block);
          }
          break;
        case "tool-input-start": {
          const block = { ...call(part.id, part.toolName, ""), src: "tool-input" };
          open.set("call:" + part.id, block);
          row.blocks.push(block);
          break;
        }
        case "tool-input-delta":
          if (open.has("call:" + part.id)) open.get("call:" + part.id).arguments += part.delta;
          break;
        case "tool-call": {
          const block = open.get("call:" + part.toolCallId);
          const whole = { ...call(part.toolCallId, part.toolName, part.input), src: "tool-call" };
          if (block) Object.assign(block, whole);
          else row.blocks.push(whole);
          break;
        }
        case "error":
          fail(part.error);
          break;
        case "finish":
          row.finish = part.finishReason?.raw ?? null;
          row.reason = part.finishReason?.unified ?? part.finishReason;
          row.usage = part.usage?.outputTokens?.total ?? null;
          break;
      }
    }
  } catch (error) {
    thrown = true;
    fail(error);
  }
  // Where the stream ends in an error, pieces of a call were handed on that never became one.
  row.blocks = row.blocks.filter((block) => (block.kind === "tool_call" ? thrown || block.src === "tool-call" : block.text));
  return row;
}

const compatible = (name) => async (url) => {
  const { createOpenAICompatible } = await load(name);
  return aiSdk(createOpenAICompatible({ baseURL: url, name: "x", apiKey: "k" }).chatModel("m"));
};

async function aiSdkOpenai(url) {
  const { createOpenAI } = await load("@ai-sdk/openai");
  return aiSdk(createOpenAI({ baseURL: url, apiKey: "k" }).chat("m"));
}

async function aiSdkAnthropic(url) {
  const { createAnthropic } = await load("@ai-sdk/anthropic");
  return aiSdk(createAnthropic({ baseURL: url, apiKey: "k" })("m"));
}

async function anthropicHelper(url) {
  const { default: Anthropic } = await load("@anthropic-ai/sdk");
  const client = new Anthropic({ baseURL: url, apiKey: "k", maxRetries: 0, timeout: 20000 });
  const row = { blocks: [], finish: null, error: null };
  const stream = client.messages.stream({ model: "m", max_tokens: 9, messages: ASK });
  let last = null;
  stream.on("streamEvent", (_, snapshot) => { last = snapshot; });
  try {
    last = await stream.finalMessage();
  } catch (error) {
    row.error = shown(error);
    last = stream.currentMessage ?? last;
  }
  for (const part of last?.content ?? []) {
    if (!part) continue;
    if (part.type === "tool_use" || part.type === "server_tool_use") row.blocks.push(call(part.id, part.name, part.input));
    if (part.type === "text") row.blocks.push(...texts(["text", part.text]));
    if (part.type === "thinking") row.blocks.push(...texts(["reasoning", part.thinking]));
  }
  row.finish = last?.stop_reason ?? null;
  return row;
}

async function eventsourceParser(url) {
  const { EventSourceParserStream } = await load("eventsource-parser/stream");
  const row = { payloads: [], error: null };
  try {
    const response = await fetch(url, { method: "POST" });
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const event of events) row.payloads.push([event.event ?? "message", event.data]);
  } catch (error) {
    row.error = shown(error);
  }
  return row;
}

async function eventSource(url) {
  // The implementation in undici stands for browsers: it follows the same standard.
  const { EventSource } = await load("undici");
  const row = { payloads: [], error: null };
  await new Promise((resolve) => {
    const source = new EventSource(url);
    for (const name of ["message", ...NAMES]) {
      source.addEventListener(name, (event) => row.payloads.push([name, event.data]));
    }
    source.onerror = (event) => {
      if (source.readyState === 2 && !row.payloads.length) row.error = event.message || "error event, closed";
      source.close();
      resolve();
    };
  });
  return row;
}
let NAMES = [];

const CLIENTS = {
  "openai-node-helper-6.49": openaiHelper,
  "ai-sdk-openai-compatible-2.0.92": compatible("@ai-sdk/openai-compatible"),
  "ai-sdk-openai-compatible-2.0.41": compatible("ai-sdk-openai-compatible-2-0-41"),
  "ai-sdk-openai-3.0": aiSdkOpenai,
  "ai-sdk-anthropic-3.0": aiSdkAnthropic,
  "anthropic-node-helper-1.14": anthropicHelper,
  "eventsource-parser-3.1": eventsourceParser,
  "browser-eventsource": eventSource,
};

process.on("unhandledRejection", () => {});
const jobs = [];
for await (const line of readline.createInterface({ input: process.stdin })) jobs.push(JSON.parse(line));
const bodies = jobs.map((job) => [job.case, Buffer.from(job.raw, "base64")]);
const named = bodies.flatMap(([, body]) => [...body.toString("latin1").matchAll(/^event: ?(.*?)\r?$/gm)].map((found) => found[1]));
NAMES = [...new Set(named)].filter((name) => name && name !== "message" && name !== "error");
const server = await serve(new Map(bodies));
for (const job of jobs) {
  let row;
  try {
    row = await CLIENTS[process.argv[2]](`http://127.0.0.1:${server.address().port}/${job.case}`);
  } catch (error) {
    row = { blocks: [], finish: null, error: shown(error) };
  }
  process.stdout.write(JSON.stringify({ case: job.case, ...row }) + "\n");
}
server.close();
process.exit(0);
