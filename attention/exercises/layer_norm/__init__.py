"""Chapter 8, layer_norm: one module an exercise, named for it."""
