"""A stream that is live, in a tab of its own: a page like that of a recording, which grows."""
