"""Chapter 1 of the mini course: one exercise."""
