"""One event's payload to deltas: one file per API dialect."""
