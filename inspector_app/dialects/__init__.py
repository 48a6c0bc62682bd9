"""One event's payload to deltas: one file per API dialect.

A further dialect is one file here and one recording in tests/dialects/recordings; nothing else is touched.

1.  Functions: `evidence(payload, name)` 0, 1 or 2; `decode(payload, name)` to deltas, pure, raising on nothing;
    `provider(payload)`, `reads(path, rules)`; `keys(payload)` where keys stand elsewhere than in the root. Names:
    `NAME` (the contract's) and `TITLE`.
2.  The end: `END_MARKER` (a finding where it never comes), `MARKERS` (raw data like [DONE]), `IGNORED_MARKERS`. An end
    that is a payload is a `stream.end` delta, its name the value. `FINISH`: reason in lower case -> normalized.
3.  Without explicit blocks: `text.delta`, `reasoning.delta`, `tool.start`, `tool.args` without a key; runs, think tags
    and calls are worked out as for Chat. `with_calls` in the extra of a finish: its reason where calls were made;
    `of_step`: it ends a step and no answer where the server runs all of them.
4.  With starts or ends: each delta has `extra["key"]` (any hashable; None for the latest). `*.start` opens, `*.delta`
    and `tool.args` feed, `*.end` closes and may give the whole value; an end that does not tell of what is a
    `noop` with the key. core/keyed.py lists the rest of `extra`. `FAULTS`: faults of core/parts.py -> its rules.
5.  Whole things: `tool.result`, `media.delta`, `state` (`starts`); opaque: `reasoning.signature/.encrypted/.redacted`.
6.  `stream.start` where answers are announced, and their id by META: another one is another generation;
    `answer_id(payload)` where only some events with that key tell of it.
7.  Tables: `META` name -> path, `PLACES` (core/admit.py: where choices stand, for clients that read one), `PADDING`
    root keys, `NAMED_BY` (key that `event:` repeats) or `NAMED_EVENTS`, `COUNTER` and `COUNTER_RULE`,
    `unheeded(payload)`, `CHOICES`, `PROMISES_USAGE`, `SIGNS_REASONING`; usage as in _usage.py.
    `ENDS_WITHOUT_FINISH`: ends that need no reason. `BY_DESIGN`: rules that its own form breaks. `snapshots(request)`.
    `TEXT_EVENTS`: names of events whose data is plain text; `evidence` and `decode` get it as one str.
8.  Unknown keys, parts and events are `unknown` deltas, never dropped. One text per event is read by plan for free,
    also one that is base64 (`encoding` in its extra) or takes the place of others (`mode`).
9.  Rules of this dialect: `RULES` here, or a file in findings/; their streams in tests/findings/streams.
10. Run tests/dialects/test_conformance.py, then score with `--dialect NAME`; what is left goes to tests/test_corpus.py.
11. A module whose payloads hold those of other dialects as base64 is an envelope instead: core/wrapped.py.
12. `whole(reading)`: the answer as this API gives it to a client that asks for no stream (_whole.py), to be served.
"""
