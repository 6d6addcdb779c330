"""Chapter 7, position: one module an exercise, named for it."""
