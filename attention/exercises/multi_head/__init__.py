"""Chapter 6, multi-head attention: one module an exercise, named for it."""
