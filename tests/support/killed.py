"""A run on the mini course in a separate process, to be killed."""

import os
import subprocess
import sys

from tests.support.root import ROOT

RUN = """
import json, sys
from pathlib import Path
mini, room, url, settings = sys.argv[1:]
sys.path.insert(0, sys.argv[1])
from autograder.errors import AutograderError, ServiceLost
from autograder.runs.class_run import ClassRun
from autograder.classroom.classroom import ClassRoom
from autograder.course.course import Course
course = Course(Path(mini), exercises_package="mini_checks")
try:
    list(ClassRun(ClassRoom(Path(room), url), [course.assignment("01_doubling")], seed=7, **json.loads(settings)))
except AutograderError as error:
    print(error, file=sys.stderr)
    sys.exit(3 if isinstance(error, ServiceLost) else 2)
"""


def start(mini, room, settings="{}", mark="", stderr=subprocess.DEVNULL):
    """Start a run; ``mark`` is in the environment of all that comes from it."""
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(mini.root), str(room.root), room.db_url, settings],
        stderr=stderr,
        cwd=ROOT,
        env={**os.environ, "RUN_MARK": mark},
        start_new_session=True,
    )
