"""Chapter 5, scaling: one module an exercise, named for it."""
