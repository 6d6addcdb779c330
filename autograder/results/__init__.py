"""Results: what grading found, on disk."""
