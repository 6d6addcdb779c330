"""Chapter 11, gradients: one module an exercise, named for it."""
