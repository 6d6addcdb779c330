"""What is written about a graded class: each student's page, the report on the class, the page of all marks."""
