"""Runs this grader for ``nbgrader autograde``, ``nbgrader generate_feedback`` and the formgrader's buttons.

nbgrader_config.py calls ``configure``, which names the two exporter classes. nbgrader creates its exporter when it
knows what to do and has not yet touched anything. At that moment these classes run our own command in a separate
process and leave nbgrader nothing to do.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.converters.base import NbGraderException

from autograder.commands.exit_codes import EXIT_WAITS
from autograder.course.stock_nbgrader import COURSE_VARIABLE
from autograder.course.which_course import find_course

BAR = re.compile(r"\d+%\|| \[\d+:\d+")  # tqdm's, which are for a terminal


def configure(config: Any, root: Path) -> None:
    """Set nbgrader's configuration for the course in a folder, as its course.toml and _toc.yml have it.

    Errors: CourseError if one of them cannot be used.
    """
    course = find_course(root)
    os.environ[COURSE_VARIABLE] = str(course.root)  # for test cells that stock nbgrader runs, wherever their kernel is
    config.CourseDirectory.course_id = course.settings.course_id
    config.CourseDirectory.source_directory = str(course.sources.relative_to(course.root))
    config.CourseDirectory.release_directory = str(course.exercises_folder.relative_to(course.root))
    config.CourseDirectory.solution_directory = "_build/nbgrader_solution"  # its default is too close to solutions/
    # Stock nbgrader runs student code with your rights; where you want that, for notebooks that you trust:
    #   nbgrader autograde CHAPTER --Autograde.exporter_class=nbconvert.exporters.NotebookExporter
    config.Autograde.exporter_class = "autograder.formgrader.Sandboxed"
    # nbgrader's own feedback pages show hidden tests and students' HTML.
    config.GenerateFeedback.exporter_class = "autograder.formgrader.SafePages"
    # In an exchange everybody may write: collect what is a student's own, and nothing that a link leads to.
    config.ExchangeFactory.collect = "autograder.lms.exchange_collect.Collect"


class Sandboxed(NotebookExporter):
    """Replaces the exporter with which ``nbgrader autograde`` runs student code with your rights."""

    def __init__(self, parent: Any = None, **settings: Any) -> None:
        super().__init__(parent=parent, **settings)
        students = () if parent.coursedir.student_id in ("", "*") else sorted(map(student_of, parent.assignments))
        options = [f"--student={student}" for student in students]
        run_command(parent, "grade", "--exit-code", *options, "--jobs=1" if students else "")


class SafePages(NotebookExporter):
    """Replaces the exporter with which ``nbgrader generate_feedback`` shows hidden tests and students' HTML."""

    def __init__(self, parent: Any = None, **settings: Any) -> None:
        super().__init__(parent=parent, **settings)
        run_command(parent, "feedback")


def student_of(folder: Path) -> str:
    """Return the student whose assignment folder this is."""
    return Path(folder).parent.name


def run_command(converter: Any, command: str, *options: Any) -> None:
    """Run our own command in place of a converter; its output goes to nbgrader's log.

    Errors: NbGraderException, shown by the formgrader with the log, if something needs a person.
    """
    course = converter.coursedir
    places = (f"--root={course.root}", f"--course={course.root}", f"--db={course.db_url}")
    said = subprocess.run(
        [sys.executable, "-P", "-m", "autograder", command, course.assignment_id, *places, *filter(None, options)],
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    waits = said.returncode == EXIT_WAITS  # marks that a person has to check
    failed = said.returncode != 0
    for line in lines(said.stdout + said.stderr):
        (converter.log.error if failed else converter.log.info)(line)
    if failed:
        last = what_to_type(command, course.assignment_id, options, waits)
        converter.log.error(last)  # in a terminal, the error's own message is not shown
        raise NbGraderException(last)
    converter.assignments = {}


def what_to_type(command: str, chapter: str, options: tuple[str, ...], waits: bool) -> str:
    """Return the last line in the formgrader's window: the command that does what the button did not."""
    students = (shlex.quote(option) for option in options if option.startswith("--student="))
    typed = " ".join(("autograder", command, chapter, *students))
    return f"nothing is changed yet; this does it: {typed} --yes" if waits else f"see the log of: {typed}"


def lines(said: str) -> list[str]:
    """Return a command's output as lines, without its progress bar."""
    return [line for line in re.split(r"[\r\n]+", said) if line.strip() and not BAR.search(line)]
