"""The course: what is taught, released and asked, for students and for stock nbgrader."""
