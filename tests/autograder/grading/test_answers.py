"""Equal answers: the same code but for comments and layout. Whatever may change a mark makes them differ."""

import copy

import pytest

from autograder.grading.answers import answers_digest, course_cells, sources_digest

CODE = "def double(x):\n    total = [x,\n        x]\n    return sum(total)\n"


def cell(source, cell_type="code", **nbgrader):
    """Return a cell as intake gives it."""
    return {"cell_type": cell_type, "source": source, "nbgrader": nbgrader, "tags": []}


@pytest.fixture(scope="module")
def own(assignment):
    """The mini course's own cells."""
    return course_cells(assignment)


@pytest.fixture(scope="module")
def cells(released):
    """The released notebook's cells with an answer, as intake gives them."""
    plain = [(each.source, each.cell_type, dict(each.metadata.nbgrader)) for each in released.cells]
    found = [{"cell_type": kind, "source": source, "nbgrader": said, "tags": []} for source, kind, said in plain]
    return [{**each, "source": CODE} if each["nbgrader"]["grade_id"] == "double" else each for each in found]


def answered(cells, source):
    """Return the cells with another answer."""
    return [{**each, "source": source} if each["nbgrader"].get("grade_id") == "double" else each for each in cells]


@pytest.mark.parametrize(
    "source",
    [
        "# twice\ndef double(x):  # once more\n\n    total = [x,\n        x]\n\n\n    return sum(total)",
        "def double( x ):\n  total=[x, x]\n  return sum( total )",
        "def double(x):\r\n    total = [x,\r\n        # again\r\n        x]\r\n    return \\\r\n sum(total)\r\n",
    ],
)
def test_comments_and_layout_make_no_difference(cells, own, source):
    """Comments, empty lines, blanks, indentation, continued lines and line ends."""
    assert answers_digest(answered(cells, source), own) == answers_digest(cells, own)


MAGIC = f"%%writefile double.py\n# a comment that code may read\n{CODE}"


@pytest.mark.parametrize(
    ("source", "before"),
    [
        (CODE.replace("[x,", "[x, 0,"), CODE),
        (CODE.replace("    return", "return"), CODE),
        (f'"""Doubles."""\n{CODE}', CODE),
        (f"{CODE}!pip install x", CODE),
        (MAGIC, CODE),
        (MAGIC.replace("comment", "remark"), MAGIC),
        (f"{CODE}y = 'a  b'", f"{CODE}y = 'a b'"),
    ],
)
def test_other_code_is_another_answer(cells, own, source, before):
    """A token more, another block, a text, a magic, blanks inside a text, and a comment that a magic writes down."""
    assert answers_digest(answered(cells, source), own) != answers_digest(answered(cells, before), own)


def test_an_added_code_cell_is_work_and_a_text_is_none(cells, own):
    """A helper counts wherever it stands and whatever it claims to be; notes and empty cells do not."""
    before = answers_digest(cells, own)
    assert answers_digest([*cells, cell("notes", cell_type="markdown"), cell("  \n# todo\n")], own) == before
    helper = "def helper():\n    return 2"
    for claimed in (cell(helper), cell(helper, grade_id="setup_9", locked=True), cell(helper, grade_id="double")):
        assert answers_digest([*cells, claimed], own) != before


def test_the_courses_own_cells_make_no_difference(cells, own):
    """What is restored before grading is no work: a line in a test, or a test that is gone."""
    test = next(each for each in cells if each["nbgrader"].get("grade"))
    altered = [{**each, "source": each["source"] + "\nprint(1)"} if each is test else each for each in cells]
    assert answers_digest(altered, own) == answers_digest(cells, own)
    assert answers_digest([each for each in cells if each is not test], own) == answers_digest(cells, own)


def test_a_notebook_that_lost_its_ids_has_the_same_answers(cells, own):
    """The course's cells are known by their texts then."""
    bare = [{**copy.deepcopy(each), "nbgrader": {}} for each in cells]
    assert answers_digest(bare, own) == answers_digest(cells, own)


def test_hostile_code_is_compared_as_text(cells, own):
    """What is no Python, or too much to split into tokens, is compared line by line, and never runs."""
    for source in ("'" * 3 + "x\n" * 40_000, "def f(:\n  (", "\0", "x = 1\n" * 30_000):
        digest = answers_digest(answered(cells, source), own)
        assert digest == answers_digest(answered(cells, f"\n{source}  \n"), own)
        assert digest != answers_digest(answered(cells, f"{source}\n# y"), own)


@pytest.mark.parametrize("source", [f"{CODE}# x", CODE.replace("\n", "\r\n"), CODE.replace("\n", " \n"), f"{CODE}\n"])
def test_sources_are_the_same_letter_by_letter(cells, own, source):
    """What the run can read tells two notebooks apart, also in a locked cell's copy; notes do not."""
    assert sources_digest(answered(cells, source), own) != sources_digest(cells, own)
    copied = next(each for each in cells if each["nbgrader"].get("grade"))
    assert sources_digest([*cells, {**copied, "source": source}], own) != sources_digest(cells, own)
    assert sources_digest([*cells, cell("notes", cell_type="markdown")], own) == sources_digest(cells, own)
