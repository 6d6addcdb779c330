"""The checks of this course: a folder for each chapter, in it a file for each exercise."""
