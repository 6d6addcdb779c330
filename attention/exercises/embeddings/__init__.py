"""Chapter 2, words become vectors: one module an exercise, named for it."""
