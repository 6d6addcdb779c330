"""Runs: many submissions at once."""
