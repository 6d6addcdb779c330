"""Chapter 10, training: one module an exercise, named for it."""
