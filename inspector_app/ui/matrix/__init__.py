"""This recording under every lens: one row for each client, as a table in a window of its own and as a picture."""
