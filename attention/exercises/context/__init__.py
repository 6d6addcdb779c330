"""Chapter 3, from static to contextual: one module an exercise, named for it."""
