"""Chapter 4, query, key, value: one module an exercise, named for it."""
