"""The host's side of the sandbox: it starts, limits and listens. Trusted."""
