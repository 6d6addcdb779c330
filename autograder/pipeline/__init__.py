"""The pipeline: one verb, one file. Joins checks and sandbox, and writes what nbgrader reads."""
