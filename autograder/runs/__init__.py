"""Runs: many submissions at once, on this machine or a cluster."""
