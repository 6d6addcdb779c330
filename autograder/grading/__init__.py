"""Grading: the way from a submission's bytes to its ``Result``."""
