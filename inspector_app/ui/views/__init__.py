"""The panes of a recording: lines, deltas, blocks, findings, and the details of what is selected."""
