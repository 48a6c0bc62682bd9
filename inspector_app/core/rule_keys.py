"""The table of reading rules: what each key of `ReadingRules` takes and what it means."""

from __future__ import annotations

from typing import Literal, NamedTuple

REASONING_FIELDS = (
    "reasoning_details", "thinking_blocks", "reasoning_content", "reasoning", "reasoning_text", "thinking",
    "content_parts",
)  # fmt: skip
"""Everything that can carry reasoning in the Chat family, in the order in which the reference looks at it."""

REASONING_STRINGS = ("reasoning_content", "reasoning", "reasoning_text", "thinking")
"""Those of them that should be a string, in the order in which one is taken for the others."""

EXTRAS = ("signature", "opaque", "citations")
"""What a block may keep besides its text."""

REPAIRS = (
    "http-compressed", "body-nonstream", "sse-double-wrapped", "sse-unterminated-event", "json-multiple-roots",
    "sse-unframed-json", "sse-ignored-line", "anthropic-event-name-missing", "tool-index-reused", "tool-index-remapped",
    "tool-id-rotated", "tool-id-missing", "tool-call-without-id", "tool-name-late", "tool-args-object",
    "tool-args-repeated", "tool-args-second-root", "tool-args-empty", "anthropic-start-input-filled",
    "reasoning-double-delivery", "text-cumulative", "text-split-surrogate", "think-tag-inline", "choice-duplicate-text",
    "responses-item-id-changes", "responses-done-without-delta", "responses-snapshot-mismatch",
    "responses-index-unusable", "anthropic-block-not-started", "meta-delta-after-close", "finish-content-after",
    "finish-conflict", "choice-index-counter", "meta-generation-spliced",
)  # fmt: skip
"""The findings whose reading is a repair of the reference (findings.md, general rule 4)."""

LITERAL = "literal"
"""The name of the reading without these repairs, which no lens may have."""

Shape = Literal["choice", "flag", "number", "text", "list", "set", "table", "repairs"]


class Key(NamedTuple):
    """One key of `ReadingRules`.

    `stage` is who obeys it: F framing, A assembler, FA both. `values` are the allowed words (of a list: its
    items); empty means free text or, for a number, any from 0 up. `meaning` is one sentence for people.
    """

    stage: Literal["F", "A", "FA"]
    shape: Shape
    values: tuple[str, ...]
    meaning: str


def _one(stage: Literal["F", "A"], values: str, meaning: str) -> Key:
    return Key(stage, "choice", tuple(values.split()), meaning)


RULES: dict[str, Key] = {
    "framing": _one(
        "F",
        "spec lf-lines slice5 lf-blocks",
        "How the body is cut: as the standard says; lines end at LF alone; five characters are cut off every "
        "line that is no comment; events are what lies between two LF in a row.",
    ),
    "final_cr": _one(
        "F",
        "ends held",
        "Whether a CR that is the last byte of the body ends its line, or is held back for an LF that never comes.",
    ),
    "space_required": Key(
        "F",
        "flag",
        (),
        "Whether a data line without a space after the colon is skipped.",
    ),
    "bom": _one(
        "F",
        "stripped kept",
        "Whether a byte-order mark is taken off; if kept, it spoils the first field name and its line is lost.",
    ),
    "blank_fires": Key(
        "F",
        "set",
        ("event", "id", "retry"),
        "Fields that let a blank line fire an event with empty data although no data line came; after an id, "
        "every blank line fires.",
    ),
    "empty_data": _one(
        "F",
        "skip parse",
        "Whether an event with empty data is nothing, or goes to the JSON parser like any other.",
    ),
    "multi_data": _one(
        "F",
        "join last each",
        "What several data lines of one event are: one text joined with LF, only the last of them, or an event each.",
    ),
    "comment": _one(
        "F",
        "skip drop-event end",
        "What a comment line does: nothing, it takes the event around it away, or it ends the reading.",
    ),
    "dangling": _one(
        "F",
        "shown drop flush",
        "What becomes of a last event without its blank line: read with a finding, lost, or read as if it were whole.",
    ),
    "unicode_lines": Key(
        "F",
        "flag",
        (),
        "Whether U+0085, U+2028, U+2029, VT, FF, FS, GS and RS end a line too.",
    ),
    "max_line": Key(
        "F",
        "number",
        (),
        "Longest line in bytes before the reading ends with an error; 0 is no limit.",
    ),
    "not_sse": _one(
        "F",
        "read nothing error",
        "What a body without SSE framing is where SSE belongs: read all the same, silence, or an error.",
    ),
    "done": _one(
        "F",
        "exact prefix anywhere ignored",
        "How [DONE] is recognised: the whole data, its beginning, any place in it, or not at all (reading "
        "goes on behind it).",
    ),
    "end_marker": _one(
        "A",
        "optional error holds-finish",
        "What a missing end marker means: nothing, an error, or that the finish reason does not count.",
    ),
    "named_event": _one(
        "F",
        "ignore required wrap skip",
        "What an event line means: nothing, events without one are dropped, the payload hides inside a "
        "wrapper, or the event is skipped.",
    ),
    "bad_json": _one(
        "F",
        "show throw skip part",
        "What a payload that does not parse does: it is shown, ends the reading, is skipped, or becomes an error part.",
    ),
    "object_required": Key(
        "F",
        "text",
        (),
        "The `object` that a payload has to name to be read; one that has an error needs none.",
    ),
    "bare_error_line": _one(
        "F",
        "raised ignored",
        "Whether an error written as a bare JSON line or an error field is raised or never seen.",
    ),
    "error_key": _one(
        "A",
        "shown part throw ignored ignored-if-choices part-unless-choices",
        "What an error object does: it is reported beside the rest of its event, replaces that event by an "
        "error part, ends the reading, or goes unseen (always, or beside choices; or it is a part where it is seen).",
    ),
    "choice": _one(
        "A",
        "by-index by-position-0 index-0-only merged",
        "Which choices are read: each for itself, the first of every event, index 0 alone, or all as one.",
    ),
    "delta_missing": _one(
        "A",
        "read skip error error-if-finish",
        "What a choice without a delta does: its other members count, it is ignored, or it ends the reading "
        "(always, or when it brings the finish reason).",
    ),
    "message": _one(
        "A",
        "ignored appended",
        "Whether the text of a message beside the deltas is read once more.",
    ),
    "legacy_call": _one(
        "A",
        "read ignored",
        "Whether the old function_call is read as a tool call.",
    ),
    "reasoning_fields": Key(
        "A",
        "list",
        REASONING_FIELDS,
        "The fields that count as reasoning, in the order in which they are looked at.",
    ),
    "reasoning_pick": _one(
        "A",
        "structured-then-first first all",
        "Which field of a delta counts when several hold reasoning: the structured one, the first that is not "
        "empty, or every one, doubles included.",
    ),
    "reasoning_types": _one(
        "A",
        "any string",
        "What reasoning gives that is an object or a list where a string should be: the text in it, or nothing.",
    ),
    "reasoning_join": _one(
        "A",
        "append last last-or-null",
        "Whether reasoning adds up, or each value that is not null replaces what was held (or null does too).",
    ),
    "details_entries": _one(
        "A",
        "by-index wire-order first",
        "How several reasoning_details of one delta are read: by index, as they stand, or only the first.",
    ),
    "reasoning_end": _one(
        "A",
        "non-empty non-null-tool-calls key-presence",
        "What ends a run of reasoning: real content of another kind, any tool_calls that is not null, or the "
        "mere presence of another key.",
    ),
    "text_end": _one(
        "A",
        "any reasoning never",
        "What ends a run of text: content of any other kind, only reasoning, or nothing before the end.",
    ),
    "block_form": _one(
        "A",
        "runs slots",
        "Whether each run is a block, or a choice has one slot each for reasoning, text and refusal.",
    ),
    "text_join": _one(
        "A",
        "append strip-prefix",
        "Whether deltas are joined as they are, or lose a beginning that equals the delta before.",
    ),
    "think_tags": _one(
        "A",
        "split literal exact-delta",
        "What inline think tags are: the borders of reasoning, plain text, or borders only where a delta is "
        "nothing but the tag.",
    ),
    "content_types": _one(
        "A",
        "any string js-text",
        "What content that is a list gives: its parts, nothing, or the words [object Object].",
    ),
    "refusal": _one(
        "A",
        "block text lost",
        "What a refusal becomes: a block of its own, answer text, or nothing.",
    ),
    "extras": Key(
        "A",
        "set",
        EXTRAS,
        "What a block keeps besides its text.",
    ),
    "tool_key": _one(
        "A",
        "resolve index index-id index-name id id-change latest index-id-first",
        "How a fragment finds its call: by all that the wire says, by index, by index with a new id opening a "
        "call, by index and name, by id, by a change of id, always the latest call, or by index and id the first "
        "call that neither speaks against.",
    ),
    "index_missing": _one(
        "A",
        "resolve zero drop opens",
        "What a fragment without an index is: placed by its id, name or order, taken as index 0, lost, or a call of "
        "its own.",
    ),
    "index_not_integer": _one(
        "A",
        "read part throw",
        'What an index such as "0" or 0.0 does: it is read as a number, makes an error part, or ends the reading.',
    ),
    "index_as_position": _one(
        "A",
        "no error error-at-end drop",
        "Whether indexes are positions in a list, so that one beyond its end ends the reading, raises at the "
        "end, or loses its fragment.",
    ),
    "id_policy": _one(
        "A",
        "first last concat non-null-overwrite any-non-null-starts-new opening",
        "Which id a call has: the first, the last that is not empty, all joined, the last even if empty; or "
        "every id starts a new call; or only that of the fragment that opens the call.",
    ),
    "name_policy": _one(
        "A",
        "append-unless-equal first last concat non-null-overwrite opening",
        "Which name a call has: pieces joined but repeats dropped, the first, the last that is not empty, all "
        "joined, the last even if empty, or only that of the fragment that opens the call.",
    ),
    "missing_id": _one(
        "A",
        "null made-up drop-call ignore-until-id throw",
        "What a call without an id is: kept without one, given one, lost, read only from its id on, or, where it "
        "begins without one, the end of the reading.",
    ),
    "missing_name": _one(
        "A",
        "null skip-empty drop-call throw skip-or-throw",
        "What a call without a name is: kept without one, not opened by a fragment whose name is empty, lost, or, "
        "where it begins without one, the end of the reading (also where an empty one opens nothing).",
    ),
    "args_object": _one(
        "A",
        "dump js-text drop",
        "What arguments that are no string become: their JSON, the words [object Object], or nothing.",
    ),
    "args_parse": _one(
        "A",
        "json partial partial-or-text throw",
        "Whether arguments must be one whole JSON value, or the part that parses is enough (and no part: an error, "
        "or text), or what does not parse raises an error after the last event.",
    ),
    "empty_args": _one(
        "A",
        "object text drop-call",
        "What empty arguments mean: an empty object, text that does not parse, or a call that is lost.",
    ),
    "finalize": _one(
        "A",
        "end finish parsable next",
        "When a call takes no more fragments: never before the end, at the finish reason, once its arguments "
        "parse, or when another call starts.",
    ),
    "type_mismatch": _one(
        "A",
        "drop open-block",
        "What an Anthropic delta that does not fit its block does: it is lost, or opens a block of its own.",
    ),
    "missing_finish": _one(
        "A",
        "shown error",
        "Whether a stream without a finish reason is merely shown as such, or is an error.",
    ),
    "missing_role": _one(
        "A",
        "shown error",
        "Whether an answer in which no delta gives a role is read like any other, or is an error.",
    ),
    "finish_default": Key(
        "A",
        "text",
        (),
        "The finish reason that is reported when there were events but no reason.",
    ),
    "finish_pick": _one(
        "A",
        "first last joined",
        "Which of several finish reasons counts: the first, the last, or all in one text.",
    ),
    "finish_rewrite": _one(
        "A",
        "no tool-calls",
        "Whether a finish reason of stop is turned into tool_calls when there is a call.",
    ),
    "finish_raises": Key(
        "A",
        "set",
        (),
        "Finish reasons that raise an error after the last event.",
    ),
    "usage": _one(
        "A",
        "last sum max none",
        "How several usage reports are taken: the last, their sum, their maximum, or not at all.",
    ),
    "empty_turn": _one(
        "A",
        "ok error error-if-silent",
        "Whether a turn without any block is fine or an error, or only one in which no event was read.",
    ),
    "empty_turn_error": Key(
        "A",
        "text",
        (),
        "The message of that error, in which {payloads} stands for the number of blocks.",
    ),
    "repairs": Key(
        "FA",
        "repairs",
        REPAIRS,
        "Which repairs of the reference this reader makes too, by the name of their finding.",
    ),
    "skips_on": Key(
        "FA",
        "set",
        (),
        "Findings whose event has no effect in this reader.",
    ),
    "parts_on": Key(
        "FA",
        "table",
        (),
        "Findings whose event this reader reports as an error part, with the text it gives; the reading goes on.",
    ),
    "stops_on": Key(
        "FA",
        "table",
        (),
        "Findings whose event ends the reading, with the error that this reader raises.",
    ),
}
"""Key -> what it means and takes, in the order of the fields of `ReadingRules`; the first value is the reference's."""
