"""A recording played again in its page: what was there at a moment, whatever is known of it now."""
