"""These tests keep sandboxes warm."""

from tests.support.mini_class import warm  # noqa: F401
