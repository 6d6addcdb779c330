"""The gradebook: what nbgrader records about a class."""
