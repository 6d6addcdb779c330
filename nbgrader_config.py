"""nbgrader in this folder: its release, exchange, gradebook and formgrader as they are, its grading by this grader."""

c = get_config()

c.CourseDirectory.course_id = "attention-row-by-row"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
c.CourseDirectory.solution_directory = "_build/nbgrader_solution"  # its default lies too close to our solutions/

# `nbgrader autograde` and the formgrader's button call `autograder grade`, which runs student code in the sandbox.
# Stock nbgrader runs it with your rights; where you want that, for notebooks that you trust:
#   nbgrader autograde CHAPTER --Autograde.exporter_class=nbconvert.exporters.NotebookExporter
c.Autograde.exporter_class = "autograder.formgrader.Sandboxed"
# `nbgrader generate_feedback` and its button write our pages; nbgrader's own show hidden tests and students' HTML.
c.GenerateFeedback.exporter_class = "autograder.formgrader.SafePages"
# In an exchange everybody may write: collect what is a student's own, and nothing that a link leads to.
c.ExchangeFactory.collect = "autograder.delivery.exchange_collect.Collect"
