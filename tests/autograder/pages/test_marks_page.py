"""marks.html over several chapters: a row a student, a column a chapter, nobody missing, nothing alive."""

import copy
import json
import shutil
import unicodedata

import pytest

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.roster import look_alike_key
from autograder.course.course import Course
from autograder.course.release import release
from autograder.pages.feedback import feedback
from autograder.runs.class_run import ClassRun
from tests.support.every_case import Tables, login_in
from tests.support.hand_in import RIGHT, answer_in, write_submission

from ..classroom.test_names import NAMES

FIRST, SECOND, THIRD = "01_doubling", "02_doubling", "03_doubling"
ROSTER = 'login,name,left\nada,"Lovelace, Ada",\nben,=HYPERLINK("x"),\njos\u00e9,Jos\u00e9,\ncy,Cy Gone,2026-10-01\n'


@pytest.fixture(scope="module")
def long_course(mini, tmp_path_factory):
    """The mini course with its chapter three times, under three numbers; the third is not released to anybody."""
    root = tmp_path_factory.mktemp("long") / "course"
    shutil.copytree(mini.root, root)
    for chapter in (SECOND, THIRD):
        shutil.copytree(root / "solutions" / FIRST, root / "solutions" / chapter)
        (root / "solutions" / chapter / f"{FIRST}.ipynb").rename(root / "solutions" / chapter / f"{chapter}.ipynb")
    course = Course(root, mini.exercises_package)
    for chapter in (SECOND, THIRD):
        release(course.assignment(chapter))
    return course


@pytest.fixture
def rows(long_course, released, classroom):
    """Hand ``{(student, chapter): source}`` in, grade it, and return the rows of marks.html by login."""

    def run(handed_in, graded=(FIRST, SECOND)):
        for (student, chapter), source in handed_in.items():
            folder = classroom.submitted(student, chapter)
            folder.mkdir(parents=True)
            write_submission(folder / f"{chapter}.ipynb", answer_in(copy.deepcopy(released), source))
        chosen = [long_course.assignment(chapter) for chapter in graded]
        list(ClassRun(classroom, chosen, seed=7))
        feedback(ClassRoom(classroom.root), chosen[-1])
        found = Tables((classroom.root / "marks.html").read_text(encoding="utf-8")).rows
        return {login_in(student): cells for student, *cells in found}

    return run


def test_every_chapter_is_a_column(rows, classroom):
    """The sum and the marks of both chapters, and why somebody has none in one or in all; the third has no column."""
    entries = {FIRST: {"cy": {"labels": {}, "undecided": 2}, "ada": {"labels": {}, "undecided": 2}}}
    (classroom.root / "collected.json").write_text(json.dumps(entries))
    (classroom.root / "class.toml").write_text('[class]\nroster = "roster.csv"\n')
    (classroom.root / "roster.csv").write_text(ROSTER)
    found = rows(
        {
            ("ada", FIRST): RIGHT,
            ("ada", SECOND): RIGHT,
            ("ben", SECOND): "def double(x):\n    return x ** 2",
            (unicodedata.normalize("NFD", "jos\u00e9"), FIRST): RIGHT,
            ("zoe", FIRST): RIGHT,
        }
    )
    assert found == {
        "ada": ["20", "10", "10"],
        "ben": ["0", "–|not handed in", "0|no right answer"],
        "jose\u0301": ["10", "10", "–|not handed in"],
        "zoe": ["10", "10", "–|not handed in"],
        "cy": ["0", "–|2 different notebooks, none collected: say which counts", "–|not handed in"],
    }
    text = (classroom.root / "marks.html").read_text(encoding="utf-8")
    assert text.index("Students who have left") < text.index("Cy Gone")
    assert text.count("not in the roster") == 1
    assert "4 students, mean 10.0 of 20 points" in text
    assert text.index("mean 10.0 (3)") < text.index("mean 5.0 (2)")  # of the marks that there are
    assert f'href="feedback/ada/{SECOND}/{SECOND}.html"' in text
    assert f'href="feedback/ada/{FIRST}/' not in text  # of which no page was written yet


def test_what_is_handed_in_and_not_graded_is_said(rows):
    """A chapter that waits has its column, and a dash."""
    found = rows({("ada", FIRST): RIGHT, ("ada", THIRD): RIGHT}, graded=[FIRST])
    assert found == {"ada": ["10", "10", "–|not graded yet"]}


def test_a_notebook_without_ids_stands_out(long_course, classroom, answered):
    """Its mark is as usual; the instructor sees that its cells were recognised by their text."""
    chosen = long_course.assignment(FIRST)
    for student in ("ada", "ben"):
        notebook = answered()
        for cell in notebook.cells if student == "ben" else ():
            cell.metadata = {}
        folder = classroom.submitted(student, FIRST)
        folder.mkdir(parents=True)
        write_submission(folder / f"{FIRST}.ipynb", notebook)
    list(ClassRun(classroom, [chosen], seed=7))
    saved = [json.loads(path.read_text()) for path in sorted(classroom.root.glob("autograded/*/*/result.json"))]
    assert [result.get("without_ids") for result in saved] == [None, True]
    feedback(ClassRoom(classroom.root), chosen)
    text = (classroom.root / "marks.html").read_text(encoding="utf-8")
    assert text.count("cells without their ids") == 1
    assert text.index("cells without their ids") > text.rindex("ben<")


def test_any_name_has_its_row(rows, classroom):
    """Logins and names with joiners, odd blanks, emoji and turned direction each have one row, and none acts."""
    names = sorted({look_alike_key(name.strip()): name.strip() for name in NAMES.values()}.values())
    (classroom.root / "class.toml").write_text('[class]\nroster = "roster.csv"\n')
    lines = [f'"{name}","\u202e{name}\x1b[2J"' for name in names]
    (classroom.root / "roster.csv").write_text("login,name\n" + "\n".join(lines))
    rows({(name, FIRST): RIGHT for name in names[:2]}, graded=[FIRST])
    text = (classroom.root / "marks.html").read_text(encoding="utf-8")
    assert text.count('<th scope="row">') == len(names)
    assert "\u202e" not in text
    assert "\x1b" not in text
