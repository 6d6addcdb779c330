"""Pages: what people read about a graded class."""
