"""Chapter 1: how wrong a prediction is."""
