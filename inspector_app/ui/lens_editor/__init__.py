"""The user's own clients: each rule with its choices and a sentence, saved as TOML, tried on the recording in view."""
