"""These tests keep sandboxes warm."""

from ..mini_class import warm  # noqa: F401
