"""Advice on a difference, by the rule that makes it: a sentence for the client's author, one for the gateway's."""

from __future__ import annotations

from typing import NamedTuple


class Advice(NamedTuple):
    """`rule` is the reading rule that makes the difference, or the finding it acts on; empty where neither is known."""

    rule: str
    client: str
    gateway: str


_DECODE = "Decode events as the WHATWG standard says"
_OPENING = "Send {0} once, whole, in the first fragment of each call, and leave it out of the others."

NO_REASONING = "This client reads no reasoning, whatever field it is sent in."
"""For the gateway, where no field would help."""

BY_RULE: dict[str, tuple[str, str]] = {
    "framing": (
        f"{_DECODE}, or take a library that does.",
        "End lines with LF alone, and each event with one blank line.",
    ),
    "final_cr": (
        "Take a CR at the end of the body for the end of its line.",
        "End lines with LF, never with CR alone.",
    ),
    "space_required": (
        "Take the space after `data:` off where it stands, and do without it where it does not.",
        "Write `data: ` with one space, in every line.",
    ),
    "bom": ("Take a byte-order mark at the start of the body off.", "Send no byte-order mark."),
    "blank_fires": (
        "Fire an event only if it has a data line.",
        "Send no event, id or retry line without a data line, and no second blank line behind an id.",
    ),
    "empty_data": ("Pass over events whose data is empty.", "Send keep-alives as comments, not as empty data."),
    "multi_data": ("Join the data lines of an event with LF.", "Write each payload into one data line."),
    "comment": ("Pass over comment lines; they end nothing.", "Send no comments, or only between events."),
    "dangling": (
        "Read what stands behind the last blank line too, and say that it was not ended.",
        "End the last event with a blank line too.",
    ),
    "unicode_lines": (
        "End lines at CR and LF only; a general line splitter knows more line ends.",
        "Escape U+2028, U+2029 and U+0085 in JSON.",
    ),
    "max_line": ("Read lines of any length, or of a few megabytes.", "Cut long payloads into several deltas."),
    "not_sse": (
        "Look at the content type and the status before the body is read, and show the body when it is no stream.",
        "Answer a request for a stream with a stream, and errors with their status.",
    ),
    "done": (
        "Stop at data that is exactly the end marker.",
        "Send nothing behind the end marker, and none inside a payload.",
    ),
    "end_marker": (
        "Take a finish reason as the end of the answer also where the end marker is missing.",
        "Send the end marker, whatever ended the answer.",
    ),
    "named_event": (
        "Go by the type in the payload; the event line says no more.",
        "Name events as the API of this dialect does: all of them, or none.",
    ),
    "bad_json": (
        "Report a payload that does not parse, and read on.",
        "Send whole JSON in each event; end every event before an error is written.",
    ),
    "object_required": (
        "Go by what a payload has, not by its object.",
        'Send "object": "chat.completion.chunk" in every chunk.',
    ),
    "bare_error_line": (
        "Look at lines outside any field for an error before they are passed over.",
        "Send an error as a data line of an event of its own.",
    ),
    "error_key": (
        "Report an error object with its message, and keep what was read before it.",
        "Send an error in an event of its own, as an object with a message, without choices.",
    ),
    "choice": (
        "Read each choice by its index, into an answer of its own.",
        "Send one choice, with index 0, and its text and calls in it.",
    ),
    "delta_missing": (
        "Read a choice without a delta as one that says nothing more.",
        "Send an empty delta where there is none.",
    ),
    "message": ("Ignore a message beside deltas.", "Send no message that repeats what the deltas said."),
    "legacy_call": (
        "Read function_call as a call, or say that it is not supported.",
        "Send tool_calls in place of function_call.",
    ),
    "reasoning_fields": (
        "Read reasoning_details, reasoning_content, reasoning and reasoning_text, whichever the stream has.",
        "Send reasoning in a field that this client reads, too.",
    ),
    "reasoning_pick": (
        "Read one of the fields that mirror the reasoning.",
        "Send reasoning in one field, or the same in all.",
    ),
    "reasoning_types": (
        "Read the text in reasoning that is an object or a list.",
        "Send reasoning as a string.",
    ),
    "reasoning_join": (
        "Append each piece of an unknown field that is a text; null says nothing.",
        "Send reasoning in one piece, where it must be read by this client: it keeps the last piece alone.",
    ),
    "details_entries": (
        "Read all entries of reasoning_details, in the order of their index.",
        "Send one entry of reasoning_details in each chunk, in order.",
    ),
    "reasoning_end": (
        "End reasoning at content of another kind only: look at the length of tool_calls, not whether it is there.",
        "Leave tool_calls out where there is no call; send no empty list.",
    ),
    "text_end": (
        "Begin a new text block where another block stood in between.",
        "Send all text before or all text behind the calls.",
    ),
    "block_form": (
        "Keep blocks in the order of the stream, several of one kind too.",
        "Send reasoning, then text, then calls, each once.",
    ),
    "text_join": ("Append deltas as they are.", "Send no delta that repeats the one before."),
    "think_tags": (
        "Split think tags across deltas, and hold back what may be the start of one.",
        "Switch on the server's reasoning parser, so that reasoning comes in a field of its own.",
    ),
    "content_types": ("Read content that is a list part by part.", "Send content as a string."),
    "refusal": ("Show a refusal as what it is.", "Send a refusal as text too if clients shall show it."),
    "extras": ("Keep signatures and citations: the next request needs them.", "Say which fields have to come back."),
    "tool_key": (
        "Find the call of a fragment by its id and its index; a new id begins a call.",
        "Give each call an index of its own, 0, 1, 2, and repeat it in every fragment.",
    ),
    "index_missing": (
        "Place a fragment without an index by its id, else by order.",
        "Send the index in every fragment of a call.",
    ),
    "index_not_integer": ("Read an index that is a text or a float as a number.", "Send the index as an integer."),
    "index_as_position": (
        "Take indexes as names, not as places in a list.",
        "Count indexes from 0 without gaps.",
    ),
    "id_policy": (
        "Keep the first id that is not empty; an empty one or null changes nothing.",
        _OPENING.format("the id"),
    ),
    "name_policy": (
        "Keep the name that came; an empty one, null or the same again changes nothing.",
        _OPENING.format("the name"),
    ),
    "missing_id": ("Make an id up where none comes, and mark it.", _OPENING.format("an id")),
    "missing_name": (
        "Wait for the name; a fragment without one opens its call all the same.",
        _OPENING.format("the name"),
    ),
    "args_object": ("Take arguments that are an object as they are.", "Send arguments as a string that holds JSON."),
    "args_parse": (
        "Parse arguments when the call is whole, and run no call whose arguments do not parse.",
        "Send arguments that are one JSON object when joined, and a finish reason that says when they were cut.",
    ),
    "empty_args": ("Take empty arguments for an empty object.", "Send {} for a call without arguments."),
    "finalize": (
        "Close a call at the end of the answer, not before.",
        "Send the fragments of a call in a row, and nothing behind arguments that are whole.",
    ),
    "type_mismatch": ("Report a delta that does not fit its block.", "Send a delta of the kind of its block."),
    "missing_finish": (
        "Show an answer without a finish reason as one that broke off, and keep it.",
        "Send a finish reason, whatever ended the answer.",
    ),
    "missing_role": (
        "Take the role as assistant where none comes.",
        'Send "role": "assistant" in the first delta of each choice.',
    ),
    "finish_default": ("Report no finish reason where none came.", "Send a finish reason, whatever ended the answer."),
    "finish_pick": ("Keep the first finish reason of a choice.", "Send one finish reason for each choice."),
    "finish_rewrite": ("Report the finish reason as it came.", "Send tool_calls as the reason where there are calls."),
    "finish_raises": (
        "Keep the answer beside the reason for which it ended.",
        "Ask for more tokens, or say to the user why it ended.",
    ),
    "usage": ("Take the last usage; reports are totals.", "Send usage once, in the last chunk."),
    "empty_turn": (
        "Say why a turn is empty: what came, and what of it is not read.",
        "Send text or a call in every answer.",
    ),
}
"""Reading rule -> advice for the client's author, advice for the gateway's."""

FOR_CLIENT: dict[str, str] = {
    "body-invalid-utf8": "Put U+FFFD in the place of bytes that are not UTF-8, say so, and read on.",
    "sse-double-wrapped": "Unwrap a data line that holds framed lines, once.",
    "json-multiple-roots": "Read several JSON values in one event one after the other.",
    "tool-id-rotated": "Go by the index while a call has no new name: its id may change.",
    "tool-args-repeated": "Take arguments that repeat what is held for a copy, not for more.",
    "tool-args-second-root": "Take a second JSON value behind whole arguments for another call.",
    "text-cumulative": "Take a delta that begins with all that is held for a snapshot.",
    "text-split-surrogate": "Join halves of a character across deltas.",
    "choice-index-counter": "Take an index that counts chunks for one choice.",
    "anthropic-block-not-started": "Open a block at its first delta where its start is missing.",
    "meta-generation-spliced": "Begin a new answer where a new one starts.",
}
"""Finding -> what a client can do about it, where it is more than to stop raising."""

OTHERWISE = "Report this event, and read on."
BY_VERDICT: dict[str, tuple[str, str]] = {
    "failed": (
        "Keep what was read when an error ends the reading.",
        "Send what this client expects, or name the API and its version.",
    ),
    "lost": ("Read, or at least report, what is passed over here.", "Send this in a form that the client reads."),
    "merged": (
        "Begin a block where the stream begins one.",
        "Label blocks and calls so that they cannot be taken for one.",
    ),
    "fragmented": ("Go on with a block until content of another kind comes.", "Leave out fields that say nothing."),
    "altered": ("Read this as it stands.", "Send this in the form that the API documents."),
}
"""Where no rule alone makes the difference."""
