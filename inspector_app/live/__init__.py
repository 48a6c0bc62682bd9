"""Live: providers, keys, requests, and streaming from a server. The only room that opens connections; no Qt."""
