"""The checks of the mini course: one chapter, one exercise."""
