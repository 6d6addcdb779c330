"""Delivery: the way in for submissions, the way out for marks."""
