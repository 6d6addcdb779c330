"""What several demos use."""
