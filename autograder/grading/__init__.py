"""Grading: from the bytes of one submission to its ``Result``."""
