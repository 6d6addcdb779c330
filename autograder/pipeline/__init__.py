"""From submissions to marks: release, intake, grade, record, gradebook, each in a file of its name."""
