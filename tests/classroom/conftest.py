"""These tests keep sandboxes warm."""

from ..support.mini_class import warm  # noqa: F401
