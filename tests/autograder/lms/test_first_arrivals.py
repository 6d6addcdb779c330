"""The same answers, handed in again, keep the time at which they first arrived; new work never gets it."""

import json

import pytest

from autograder.errors import CourseError

from .class_of_four import ADA, CHAPTER, CLASS, NAME, notebook, there
from .lms_models import moodle_export, moodle_worksheet

EARLY = "Friday, 20 November 2026, 10:15 PM"
LATE = "Saturday, 21 November 2026, 10:15 PM"
LATER = "Sunday, 22 November 2026, 10:15 PM"
KEPT = "same answers as on 20 November"


def rerun(data, comment="  # again"):
    """Return a notebook whose cells were run again: other outputs, another note, a comment, nothing else."""
    content = json.loads(data)
    for number, cell in enumerate(content["cells"]):
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": f"{number}\n"}]
            cell["execution_count"] = number
        if cell["metadata"]["nbgrader"]["solution"]:
            cell["source"] += comment
    content["cells"].append({"cell_type": "markdown", "id": "note", "metadata": {}, "source": "I ran it again."})
    return json.dumps(content).encode()


def solved(source):
    """Return a notebook whose first answer is some code."""
    content = json.loads(notebook())
    next(cell for cell in content["cells"] if cell["metadata"]["nbgrader"]["solution"])["source"] = source
    return json.dumps(content).encode()


@pytest.fixture
def hand_in(write, collect):
    """Collect one notebook of Ada's from Moodle with a worksheet's time; return what was said and the time noted."""

    def run(data, when, **how):
        zipped = moodle_export({ADA: [(NAME, data)]}, when=(2026, 12, 9, 1, 1, 0))
        paths = write(m_zip=zipped, **({"w_csv": moodle_worksheet(CLASS, {"ada": when})} if when else {}))
        said = collect([path for path in paths if when or path.suffix == ".zip"], **how)
        stamp = collect.room.notebook("ada", CHAPTER).with_name("timestamp.txt")
        return said, stamp.read_text()[:10] if stamp.exists() else ""

    return run


@pytest.mark.parametrize("again", [lambda data: data, rerun])
def test_a_later_worksheet_makes_the_same_answers_no_later(hand_in, again):
    """The same bytes, or the same answers run again: a line says which time counts, every time."""
    assert hand_in(notebook("1"), EARLY)[1] == "2026-11-20"
    for _ in range(2):
        said, noted = hand_in(again(notebook("1")), LATE)
        assert noted == "2026-11-20"
        assert [line for line in said.told if KEPT in line and line.startswith(f"ada {CHAPTER}: ")]


def test_an_answer_that_comes_back_has_its_first_time(hand_in):
    """A in time, B later, A run again: A's; and B's zip, which is older than the last, replaces nothing."""
    assert hand_in(notebook("1"), EARLY)[1] == "2026-11-20"
    assert hand_in(notebook("2"), LATE)[1] == "2026-11-21"
    assert hand_in(rerun(notebook("1"), comment=""), LATER)[1] == "2026-11-20"
    said, noted = hand_in(notebook("2"), LATE)
    assert (len(said.left), noted) == (1, "2026-11-20")


LOADER = "exec(get_ipython().history_manager.input_hist_raw[-1].split('#:')[1])"
EQUAL = {
    "a comment": ("x = 1", "x = 1  #: answer = 42"),
    "blanks": ("x = [1,\n1]", "x = [1," + " " * 42 + "\n1]"),
    "the comment of a magic": ("%env A=1", "%env A=1 # answer = 42"),
}


@pytest.mark.parametrize("what", EQUAL)
def test_what_arrived_first_is_graded_where_only_comments_or_layout_came(hand_in, collect, what):
    """Code can read them, so they may be the answer: the first file stays, and gets no second reading by --yes."""
    early, late = ((f"{LOADER}\n{cell}") for cell in EQUAL[what])
    hand_in(solved(early), EARLY)
    for how in ({}, {"write_changes": True}):
        said, noted = hand_in(solved(late), LATE, **how)
        assert (said.unchanged, said.left, noted) == ({CHAPTER: ["ada"]}, [], "2026-11-20")
        assert there(collect)["ada"] == solved(early)
        assert [line for line in said.told if KEPT in line and "stays" in line]
    assert hand_in(solved(f"{late}\ny = 1"), LATER)[1] == "2026-11-22"
    assert there(collect)["ada"] == solved(f"{late}\ny = 1")


@pytest.mark.parametrize("what", EQUAL)
def test_only_the_same_code_brings_an_older_time_back(hand_in, what):
    """A, B, and A with another comment or other blanks is new work; after that, A itself has its time again."""
    early, late = EQUAL[what]
    hand_in(solved(early), EARLY)
    hand_in(notebook("2"), LATE)
    assert hand_in(solved(late), LATER)[1] == "2026-11-22"
    assert hand_in(solved(early), "Monday, 23 November 2026, 10:15 PM")[1] == "2026-11-20"


def test_an_older_download_gives_its_time_to_nothing_else(hand_in, collect):
    """Late work in the class, then an older zip and worksheet of equal answers: the late file stays late."""
    hand_in(solved("x = 1  #: answer = 42"), LATE)
    assert hand_in(solved("x = 1"), EARLY)[1] == "2026-11-21"
    assert there(collect)["ada"] == solved("x = 1  #: answer = 42")


def test_without_a_worksheet_the_time_beside_an_answer_comes_back_with_it(hand_in, collect):
    """What a person wrote into timestamp.txt is remembered too, and wins over an older note."""
    hand_in(notebook("1"), "")
    stamp = collect.room.notebook("ada", CHAPTER).with_name("timestamp.txt")
    stamp.write_text("2026-11-19 22:15:00 Europe/Rome")
    assert hand_in(notebook("2"), "", write_changes=True)[1] == ""
    said, noted = hand_in(notebook("1"), "", write_changes=True)
    assert noted == "2026-11-19"
    assert [line for line in said.told if "same answers as on 19 November" in line]
    stamp.write_text("2026-11-23 22:15:00 UTC")
    assert hand_in(notebook("1"), LATER)[1] == "2026-11-22"


def test_new_work_is_as_late_as_it_is(hand_in):
    """An empty notebook in time buys no time for a solution, nor does an added cell with one."""
    hand_in(notebook(), EARLY)
    said, noted = hand_in(notebook("solved"), LATE)
    assert noted == "2026-11-21"
    content = json.loads(notebook())
    content["cells"].append(
        {"cell_type": "code", "id": "new", "metadata": {}, "source": "x = 1", "outputs": [], "execution_count": None}
    )
    assert hand_in(json.dumps(content).encode(), LATER)[1] == "2026-11-22"
    assert not [line for line in said.told if "same answers" in line]


def test_a_class_collected_by_an_older_version_goes_on(hand_in, collect):
    """Its memory says nothing of answers: those that are there are read, with the time beside them."""
    hand_in(notebook("1"), EARLY)
    path = collect.room.root / "collected.json"
    memory = json.loads(path.read_text())
    for name in ("answers", "first"):
        del memory[CHAPTER]["ada"][name]
    path.write_text(json.dumps(memory))
    assert hand_in(rerun(notebook("1")), LATE)[1] == "2026-11-20"
    memory[CHAPTER]["ada"]["first"] = {"x": "yesterday"}
    path.write_text(json.dumps(memory))
    with pytest.raises(CourseError, match="cannot read"):
        hand_in(notebook("1"), LATE)


def test_two_notebooks_that_differ_in_outputs_alone_are_one(write, collect):
    """Nobody is asked which of them counts; two different answers are asked about as ever."""
    both = [(NAME, notebook("1")), ("copy.ipynb", rerun(notebook("1")))]
    (line,) = collect(write(m_zip=moodle_export({ADA: [*both, ("other.ipynb", notebook("2"))]}))).left
    assert "2 different notebooks" in line
    said = collect(write(m_zip=moodle_export({ADA: both})))
    assert (said.new, said.left) == ({CHAPTER: ["ada"]}, [])
    assert there(collect)["ada"] in (notebook("1"), rerun(notebook("1")))


def test_a_time_that_is_not_understood_is_quoted_and_named(hand_in, collect):
    """No deadline passes unnoticed: the cell is quoted, and the student is listed as never late."""
    (collect.room.root / "class.toml").write_text(
        f'[class]\ntimezone = "UTC"\n[due]\n{CHAPTER} = 2026-11-20T12:00:00\n'
    )
    said, noted = hand_in(notebook("1"), "4/12/2026, 23:59")
    assert noted == ""
    assert [line for line in said.told if "“4/12/2026, 23:59”" in line and "w.csv" in line]
    assert [line for line in said.told if "has a deadline" in line and "ada" in line]
