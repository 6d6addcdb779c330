"""Chapter 13, gpt: one module an exercise, named for it."""
