"""The gradebook: what nbgrader's own database keeps about a class."""
