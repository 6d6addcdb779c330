"""Chapter 9, masks and the decoder layer: one module an exercise, named for it."""
