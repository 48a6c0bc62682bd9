"""The nouns and the machinery. Imports nothing of ours from other rooms."""
