"""The whole corpus, graded once."""

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook.gradebook import register
from autograder.grading.result import Result
from autograder.pages.feedback import feedback
from autograder.runs.class_run import ClassRun
from autograder.sandbox import Limits
from tests.support.hand_in import CHAPTER
from tests.support.patience import brief, seconds

from .corpus import ALONE, class_of, seating

SEED = 7
SETTINGS = "/proc/sys/kernel/core_pattern", "/proc/sys/vm/overcommit_memory", "/proc/sys/kernel/hostname"


@dataclass
class Held:
    """What came of a class: results and pages by student, the files before and after."""

    room: ClassRoom
    results: dict[str, Result] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    before: list = field(default_factory=list)
    after: list = field(default_factory=list)

    def graded_notebook(self, student):
        """Return the path of what the formgrader shows."""
        return self.room.autograded(student, CHAPTER) / f"{CHAPTER}.ipynb"


def contents(folder):
    """Return name, kind and text of everything below a folder, following no link."""
    found = []
    for path in sorted(Path(folder).rglob("*")):
        facts = path.lstat()
        small = path.is_file() and not path.is_symlink() and facts.st_size < 1 << 20
        found.append((os.fsencode(path), facts.st_mode, facts.st_size, path.read_bytes() if small else b""))
    return found


def host():
    """Return rights and times of what the host lends to every sandbox, and settings that it should keep."""
    devices = [Path("/dev") / name for name in ("null", "zero", "full", "random", "urandom", "tty")]
    facts = [path.stat() for path in devices if path.exists()]
    settings = [path.read_text() for path in map(Path, SETTINGS) if path.exists()]
    return [[fact.st_mode, fact.st_uid, fact.st_ctime_ns] for fact in facts], settings, os.nice(0)


def limits(step_seconds):
    """Return what one of these notebooks may use."""
    bytes_of = {"memory_bytes": 400 << 20, "tmp_bytes": 32 << 20, "output_bytes": 1 << 18}
    return Limits(**seconds(step_seconds), total_seconds=4 * step_seconds, **bytes_of)


def hold(folder, seats, assignment, released, jobs, step_seconds):
    """Hand in, grade and write the pages of one class."""
    held = Held(ClassRoom(folder))
    for student, submission, _ in seats:
        submission.write(held.room.submitted(student, CHAPTER), released)
    (folder / "secret.txt").write_text("CANARY-HOST")
    around = folder / "submitted", assignment.course.root
    held.before = [*map(contents, around), host()]
    run = ClassRun(held.room, [assignment], jobs=jobs, seed=SEED, limits=limits(step_seconds))
    held.results = dict(run)
    held.after = [*map(contents, around), host()]
    for page in feedback(held.room, assignment):
        held.pages[page.parents[1].name] = page.read_text(encoding="utf-8")
    return held


@pytest.fixture(scope="session")
def secret():
    """A secret in the environment of the grader."""
    os.environ["HOSTILE_SECRET"] = "CANARY-ENVIRONMENT"
    yield
    del os.environ["HOSTILE_SECRET"]


@pytest.fixture(scope="session")
def empty_book(assignment, tmp_path_factory):
    """A gradebook that knows the assignment; making one takes nbgrader seconds."""
    room = ClassRoom(tmp_path_factory.mktemp("empty"))
    register(room, assignment)
    return room.root / "gradebook.db"


@pytest.fixture(scope="session")
def side_by_side(secret, empty_book, assignment, released, tmp_path_factory):
    """Most families in two processes, with honest students between the hostile ones."""
    folder = tmp_path_factory.mktemp("side_by_side")
    shutil.copy(empty_book, folder)
    return hold(folder, seating("side_by_side"), assignment, released, jobs=2, step_seconds=10 * brief())


@pytest.fixture(scope="session")
def one_by_one(secret, empty_book, assignment, released, tmp_path_factory):
    """Those that leave something behind, in one process, each followed by an honest student and by the snoop."""
    folder = tmp_path_factory.mktemp("one_by_one")
    shutil.copy(empty_book, folder)
    return hold(folder, seating("one_by_one"), assignment, released, jobs=1, step_seconds=10 * brief())


@pytest.fixture(scope="session")
def endless(secret, empty_book, assignment, released, tmp_path_factory):
    """Those that never end, in two processes; each is charged its time twice, once beside others and once alone."""
    folder = tmp_path_factory.mktemp("endless")
    shutil.copy(empty_book, folder)
    return hold(folder, seating("endless"), assignment, released, jobs=2, step_seconds=brief())


@pytest.fixture
def calm(one_by_one):
    """The results of the honest before anyone hostile came: what their marks and messages must always be."""
    return {name: one_by_one.results[f"000_{number}_{name}"] for number, name in enumerate(ALONE)}


@pytest.fixture
def held(request, family):
    """The class in which this family was graded."""
    return request.getfixturevalue(class_of(family))
