"""A term of the mini course: it is released, handed in, changed and released again, and graded."""

import copy
import shutil
import sys

import nbformat
from nbgrader.api import Gradebook

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results import graded_notebook, provenance
from autograder.course import course
from autograder.course.course import COURSE_ID, Assignment, Course
from autograder.course.release import release
from autograder.runs.class_run import ClassRun

from .hand_in import CHAPTER, RIGHT, cell_of

TREBLE = {
    "    return 2 * x": "    return 3 * x",
    "def double": "def treble",
    '"double"': '"treble"',
    "=double": "=treble",
}


class Term:
    """A course that can be changed between two hand-ins, and its class."""

    def __init__(self, folder, course):
        """Copy a course, with the class of an earlier term where it has one."""
        self.folder, self.package, self.said = folder, "mini_checks", []
        shutil.copytree(course, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "autumn").mkdir(exist_ok=True)
        self.room = ClassRoom(folder / "autumn")

    @property
    def assignment(self):
        """The assignment as a new process would see it."""
        course.assignment_of.cache_clear()
        provenance.course_provenance.cache_clear()
        graded_notebook.constant_cell.cache_clear()
        graded_notebook.closing.cache_clear()
        return Assignment(Course(self.folder, self.package), CHAPTER)

    @property
    def ledger(self):
        """The chapter's ledger as lines, without its head."""
        lines = self.assignment.ledger_path.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if not line.startswith("#")]

    def release(self):
        """Release, and keep what was said."""
        self.said = []
        release(self.assignment, self.said.append)

    def mend(self, change):
        """Change the solution notebook, and release it."""
        self.edit(change)
        self.release()

    def edit(self, change):
        """Change the solution notebook."""
        path = self.assignment.solution_path
        notebook = nbformat.read(path, as_version=4)
        change(notebook)
        nbformat.write(notebook, path)

    def download(self):
        """Return the notebook that students get now."""
        return nbformat.read(self.assignment.released_path, as_version=4)

    def hand_in(self, *students, notebook=None, answer=RIGHT):
        """Hand a notebook in for these students: the one that is given, or today's, answered."""
        for student in students:
            mine = copy.deepcopy(notebook or self.download())
            if answer:
                cell_of(mine, "double").source = answer
            path = self.room.notebook(student, CHAPTER)
            path.parent.mkdir(parents=True, exist_ok=True)
            nbformat.write(mine, path)

    def grade(self, write_changes=False):
        """Grade, and return the results by student and the changes as they are told."""
        run = ClassRun(self.room, [self.assignment], write_changes=write_changes)
        results = dict(run)
        return results, run.changes

    def marks(self):
        """Return what nbgrader's own gradebook says: ``{student: (score, max_score)}``."""
        with Gradebook(self.room.database, COURSE_ID) as book:
            entries = book.submission_dicts(CHAPTER)
            return {entry["student"]: (entry["score"], entry["max_score"]) for entry in entries}

    def mark_by_hand(self, student, mark, exercise="double"):
        """Give a mark as the formgrader does."""
        with Gradebook(self.room.database, COURSE_ID) as book:
            book.find_grade(f"test_{exercise}", CHAPTER, CHAPTER, student).manual_score = mark
            book.db.commit()

    def comment_by_hand(self, student, text, exercise="double"):
        """Write a comment as the formgrader does."""
        with Gradebook(self.room.database, COURSE_ID) as book:
            book.find_comment(exercise, CHAPTER, CHAPTER, student).manual_comment = text
            book.db.commit()

    def with_treble(self, monkeypatch):
        """Put a second exercise, `treble`, into the course's checks; its cells come by ``add_treble``."""
        self.package = f"checks_of_{abs(hash(self.folder))}"
        package = self.folder / "more" / self.package
        shutil.copytree(self.folder / "mini_checks", package)
        text = (package / "doubling" / "double.py").read_text(encoding="utf-8")
        for old, new in TREBLE.items():
            text = text.replace(old, new)
        (package / "doubling" / "treble.py").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(package.parent)
        sys.modules.pop(self.package, None)


def add_treble(notebook):
    """Add the cells of the second exercise."""
    for grade_id, other in (("treble", "double"), ("test_treble", "test_double")):
        cell = copy.deepcopy(cell_of(notebook, other))
        cell.source = cell.source.replace("double", "treble")
        cell.metadata.nbgrader.grade_id, cell.id = grade_id, grade_id.replace("_", "-")
        if "points" in cell.metadata.nbgrader:
            cell.metadata.nbgrader.points = 7
        notebook.cells.append(cell)


def take_treble_out(notebook):
    """Remove them again."""
    notebook.cells = [cell for cell in notebook.cells if "treble" not in cell.metadata.nbgrader.grade_id]


def points(worth):
    """Return a change of the points of `double`."""
    return lambda notebook: cell_of(notebook, "test_double").metadata.nbgrader.update(points=worth)


def text(grade_id, source):
    """Return a change of a cell's text."""
    return lambda notebook: cell_of(notebook, grade_id).update(source=source)
