"""All chapters solved, kept in one file, carried into the one that translates and graded from it alone."""

import linecache
import shutil
import sys
from types import ModuleType

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.classroom.sample_class import fill_in, released
from autograder.course.derived_text import SOLUTION_MARKS
from autograder.grading.grade import Grader

LAST = "12_inference"  # of those that the translator calls


@pytest.fixture(scope="module")
def course(published):
    """The course, with all its chapters."""
    return published


@pytest.fixture(scope="module")
def own_file(course, tmp_path_factory):
    """The text of my_attention.py after all notebooks but the one that translates, solved, were run to their ends."""
    top = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        for chapter in (one for one in course.chapters() if one != LAST):
            (top / chapter).mkdir()
            patch.chdir(top / chapter)
            run_to_the_end(course, chapter, patch)
    return (top / "my_attention.py").read_text(encoding="utf-8")


def run_to_the_end(course, chapter, patch):
    """Run a solved notebook's code in this process, each cell's text at hand as in a kernel."""
    selfcheck = ModuleType("selfcheck")
    path = course.exercises_folder / chapter / "selfcheck.py"
    selfcheck.__file__ = str(path)
    patch.setitem(sys.modules, "selfcheck", selfcheck)
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), vars(selfcheck))
    space = {"__name__": "__main__"}
    for number, (grade_id, locked) in enumerate(course.assignment(chapter).cells.items()):
        if locked.cell.cell_type != "code" or locked.exercise:
            continue
        source, place = SOLUTION_MARKS.sub("", locked.source), f"/tmp/ipykernel_1/{chapter}_{number}.py"
        linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
        exec(compile(source, place, "exec"), space)
        assert grade_id != "save" or "save" in space


@pytest.fixture(scope="module")
def grader(course):
    """A grader of the chapter that translates."""
    with Grader(course.assignment(LAST), seed=11) as grader:
        yield grader


@pytest.fixture
def grade(course, grader, tmp_path):
    """Grade the solved notebook with a text in the cell that carries the file; None leaves it as released."""

    def run(text, answers=()):
        assignment = course.assignment(LAST)
        notebook = released(assignment)
        for name in assignment.exercises:
            fill_in(assignment, notebook, name)
        for cell in notebook.cells:
            if cell.metadata.nbgrader.grade_id == "my_attention" and text is not None:
                cell.source = text
            cell.source = dict(answers).get(cell.metadata.nbgrader.grade_id, cell.source)
        path = tmp_path / f"{LAST}.ipynb"
        nbformat.write(notebook, path)
        return grader.grade(path)

    return run


def printed(result, grade_id):
    """Return what a cell of a graded notebook shows, in lines."""
    (ran,) = (ran for ran in result.cells if ran.piece.grade_id == grade_id)
    return "".join(output.get("text", "") for output in ran.outputs).splitlines()


def translation(result):
    """Return the verdict on the translation."""
    return result.verdicts[-1]


def test_one_file_carries_twelve_chapters_to_full_marks(own_file, grade):
    """Every exercise of the others is in the file, all pieces are the student's own, and all 20 points are given."""
    result = grade(own_file)
    assert (result.score, result.max_score, result.tampered) == (20, 20, ())
    assert printed(result, "pieces") == ["16 of 16 pieces are yours."]
    assert own_file.count("\n# ---- chapter ") == 12


@pytest.mark.parametrize("text", [None, "", "# %load ../my_attention.py\n%load ../my_attention.py", "def broken(:"])
def test_without_a_file_the_course_stands_in(grade, text):
    """The cell as released, emptied, with %load still in it, or with a text that is no Python: no point is lost."""
    result = grade(text)
    assert result.score == 20
    assert printed(result, "pieces")[0] == "0 of 16 pieces are yours."
    assert result.tampered == ()


def test_a_real_kernel_keeps_the_same_text(course, own_file, tmp_path):
    """Run by Jupyter itself, chapter 8's notebook writes the section in the file, to the letter."""
    assignment = course.assignment("08_layer_norm")
    shutil.copytree(course.exercises_folder / assignment.chapter, tmp_path / assignment.chapter)
    notebook = released(assignment)
    for name in assignment.exercises:
        fill_in(assignment, notebook, name)
    NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path / assignment.chapter)}}).execute()
    section = (tmp_path / "my_attention.py").read_text(encoding="utf-8").partition("# ---- chapter")[2]
    assert section.strip() in own_file
    assert section.count("\ndef ") == len(assignment.exercises)


BROKEN = {  # name: (what is replaced, by what, what is said)
    "softmax": (
        "exponentials = np.exp(scores - largest)",
        "exponentials = scores",
        "Chapter 3, `softmax`: the first of your pieces that differs from the course's.",
    ),
    "merge_heads": (
        "np.swapaxes(x, -3, -2).reshape(*batch, n, h * d)",
        "x.reshape(*batch, n, h * d)",
        "Chapter 6, `merge_heads`: the first of your pieces that differs from the course's.",
    ),
    "positional_encoding": (
        "pe[:, 0::2] = np.sin(angles)\n    pe[:, 1::2] = np.cos(angles)",
        "pe[:, 0::2] = np.cos(angles)\n    pe[:, 1::2] = np.sin(angles)",
        "Chapter 7, `positional_encoding`: the first of your pieces that differs from the course's.",
    ),
    "layer_norm": (
        "(x - mean) / np.sqrt(variance + eps)",
        "(x - mean) / (variance + eps)",
        "Chapter 8, `layer_norm`: the first of your pieces that differs from the course's.",
    ),
    "decoder_layer": (
        "found, _ = cross_attention(x, memory,",
        "found, _ = cross_attention(x, x,",
        "Chapter 9, `decoder_layer`: the first of your pieces that differs from the course's.",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_piece_is_named(course, own_file, grade, name):
    """It stays in use and costs the points; chapter, name and what is wrong are told, by its own listed mistake."""
    old, new, told = BROKEN[name]
    assert own_file.count(old) == 1
    result = grade(own_file.replace(old, new))
    verdict = translation(result)
    assert verdict.score == 0
    assert told in verdict.message
    said = verdict.message.partition(told)[2].strip()
    mistakes = [
        mistake.message
        for chapter in course.chapters()
        for mistake in getattr(course.assignment(chapter).exercises.get(name), "mistakes", ())
    ]
    assert said in mistakes
    assert "`sentence` is " in verdict.message
    assert any(f"{name}: the first that differs from the course's." in line for line in printed(result, "pieces"))
    assert result.score == 18


def test_a_missing_piece_is_replaced_and_told(own_file, grade):
    """No point is lost for another chapter's gap."""
    result = grade(own_file.replace("def layer_norm(", "def not_layer_norm("))
    assert result.score == 20
    assert printed(result, "pieces") == [
        "15 of 16 pieces are yours.",
        "chapter 8, layer_norm: missing, the course's own is used",
    ]


def test_a_wrong_translate_is_told_without_blaming_a_piece(own_file, grade):
    """Where all pieces are right, the answer's own mistake is all that is said."""
    wrong = "def translate(sentence):\n    return sentence"
    verdict = translation(grade(own_file, {"translate": wrong}.items()))
    assert verdict.score == 0
    assert "pieces" not in verdict.message
    assert "is 'i love you very much', expected 'ti amo molto'" in verdict.message


HOSTILE = """
import sys, types
def told(*args, **kwargs):
    raise ValueError(str(heard))
heard = []
real = translator_encode = None
class Lies(float):
    def __eq__(self, other): return True
def layer_norm(x, gamma, beta, eps=1e-5):
    heard.append(x.tolist())
    return Lies(0)
sys.modules["translator"] = types.SimpleNamespace(assemble=lambda space: None, numbers={"source": [], "target": []})
sys.modules["selfcheck"] = None
"""


def test_a_hostile_file_gets_nothing_but_its_own_loss(own_file, grade):
    """Who puts another translator and another comparison in place of ours loses the two points, and no more."""
    result = grade(own_file + HOSTILE)
    assert translation(result).score == 0
    assert result.score == 18
    assert "[" not in translation(result).message.partition("pieces")[2]
    assert grade(own_file).score == 20
