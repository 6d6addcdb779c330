"""Chapter 1, before attention: one module an exercise, named for it."""
