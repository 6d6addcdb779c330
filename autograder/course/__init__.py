"""The course: what is taught, from solution notebook to released exercise."""
