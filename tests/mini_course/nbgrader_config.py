"""Stock nbgrader runs in this folder as it is: generate_assignment, autograde, export and the formgrader."""

c = get_config()

c.CourseDirectory.course_id = "attention-row-by-row"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
c.CourseDirectory.solution_directory = "_build/nbgrader_solution"  # its default is too close to our solutions/
