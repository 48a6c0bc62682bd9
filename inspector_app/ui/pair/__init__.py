"""Two recordings side by side: how their lines are written, which fields they have and what they say."""
