"""A student's functions are kept in one file: whole sections, with all that they use, or a word about why not."""

import linecache
from itertools import count
from pathlib import Path

import pytest

from autograder.diagnosis import saved_functions
from autograder.diagnosis.compare import ask
from autograder.diagnosis.finding import Finding

NUMBERS = count()
TWO = {"area": (4, 8), "volume": (1, 3)}  # what a function must make of which number


@pytest.fixture(autouse=True)
def chapter(tmp_path, monkeypatch):
    """Work in a chapter's folder, with two exercises."""
    folder = tmp_path / "03_sizes"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(saved_functions, "examples", lambda: TWO)
    monkeypatch.setattr(saved_functions, "finding", found)
    return folder


def found(name, example, function):
    """Say whether a function is right on its one example; without one, that it is."""
    given, wanted = example or (None, None)
    return Finding(name, "right" if example is None or ask(function, (given,), {}).value == wanted else "wrong", "")


def run(*cells):
    """Run cells as a kernel does, which keeps their texts at hand, and return the names that they define."""
    space = {"__name__": "__main__"}
    for cell in cells:
        place = f"/tmp/ipykernel_1/{next(NUMBERS)}.py"
        linecache.cache[place] = (len(cell), None, cell.splitlines(keepends=True), place)
        exec(compile(cell, place, "exec"), space)
    return space


def kept(chapter="03_sizes"):
    """Return the names that the file's text defines when it runs, and the text of a chapter's section."""
    text = Path("../my_attention.py").read_text(encoding="utf-8")
    space = {}
    exec(text, space)
    return space, text.partition(f"# ---- chapter {chapter} ----\n")[2].partition("# ----")[0]


AREA = "import numpy as np\n\nSIDES = 2\n\n\ndef area(a):\n    return half(np.power(a, SIDES))\n"
HALF = "half = lambda x: x / 2  # of a square"


def test_functions_are_kept_with_all_that_they_use(capsys):
    """Imports, constants and helpers come along, a lambda and a decorated function too, and the file runs alone."""
    volume = "import math\nfrom functools import cache\n\n\n@cache\ndef volume(a):\n    return math.pi * a"
    saved_functions.save("03_sizes", run(AREA, HALF, volume))
    space, section = kept()
    assert space["area"](4) == 8
    assert space["volume"](1) == pytest.approx(3.14159, abs=1e-5)
    assert section.count("import numpy as np") == 1
    assert "@cache" in section
    assert capsys.readouterr().out == "03_sizes: saved area, volume in ../my_attention.py. Not right yet: volume.\n"


def test_the_last_definition_is_kept_as_it_was_written():
    """Of two definitions in one cell, the later is in the file, comments and all."""
    saved_functions.save("03_sizes", run("def area(a):\n    return 1\n\n\ndef area(a):\n    return a * a  # by hand\n"))
    space, section = kept()
    assert space["area"](3) == 9
    assert section.count("def area") == 1
    assert "# by hand" in section


@pytest.mark.parametrize(
    ("body", "is_finished"),
    [
        ('    """Say it."""\n    # YOUR CODE HERE\n    raise NotImplementedError()', False),
        ("    half = a / 2\n    raise NotImplementedError", False),
        ("    return a\n    raise NotImplementedError()", True),
        ("    if a < 0:\n        raise NotImplementedError()\n    return a", True),
    ],
)
def test_a_stub_is_left_out_and_named(capsys, body, is_finished):
    """What still ends with the released line is named; a line below the return, or for a special case, is no stub."""
    saved_functions.save("03_sizes", run(f"def area(a):\n{body}\n", "def volume(a):\n    return a"))
    assert ("area" in kept()[0]) is is_finished
    assert ("Not written yet: area" in capsys.readouterr().out.replace("\n", " ")) is not is_finished


def test_where_nothing_is_written_the_file_stays(capsys):
    """An empty notebook takes nothing out of the file."""
    saved_functions.save("03_sizes", run("def area(a):\n    return a"))
    before = Path("../my_attention.py").read_bytes()
    saved_functions.save("03_sizes", run("def area(a):\n    raise NotImplementedError()"))
    assert Path("../my_attention.py").read_bytes() == before
    assert "none of its functions is written yet" in capsys.readouterr().out


def test_examples_of_another_chapter_are_not_taken_for_this_ones(capsys):
    """Of a notebook's own exercises, each is at least there to be written."""
    saved_functions.save("03_sizes", run("def diameter(a):\n    return 2 * a\n"))
    said = "03_sizes is not kept in my_attention.py: this notebook has none of the functions in `examples.json`."
    assert capsys.readouterr().out.replace("\n", " ").startswith(said)
    assert not Path("../my_attention.py").exists()


def test_a_section_is_replaced_and_the_others_stay(monkeypatch):
    """Sections are in the chapters' order; saving twice changes no byte."""
    saved_functions.save("03_sizes", run("def area(a):\n    return a"))
    monkeypatch.setattr(saved_functions, "examples", lambda: {"count": None})
    saved_functions.save("02_counts", run("def count(a):\n    return len(a)"))
    monkeypatch.setattr(saved_functions, "examples", lambda: TWO)
    saved_functions.save("03_sizes", run("def area(a):\n    return 2 * a"))
    text = Path("../my_attention.py").read_text()
    assert text.index("02_counts") < text.index("03_sizes")
    assert "return a" not in text
    assert "return len(a)" in text
    saved_functions.save("03_sizes", run("def area(a):\n    return 2 * a"))
    assert Path("../my_attention.py").read_text() == text


def test_what_the_notebook_was_given_is_left_to_its_own_chapter():
    """A function of another chapter is called by its name, and does not come along."""
    saved_functions.save(
        "03_sizes", run("def half(x):\n    return x / 2", "def area(a):\n    return half(a)"), given=["half"]
    )
    space, section = kept()
    assert "def half" not in section
    assert "half" not in space


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (
            ["import numpy as np\nTABLE = np.eye(3)\ndef area(a):\n    return TABLE @ a"],
            "`area` uses `TABLE`, and a value of",
        ),
        (["import nbformat\ndef area(a):\n    return nbformat.reads(a)"], "not available when a notebook is graded"),
        (
            ["def half(x):\n    return x / 3", "def area(a):\n    return half(a)"],
            "`half` means something else in chapter 02_h",
        ),
    ],
)
def test_what_cannot_be_kept_is_told_and_nothing_is_written(capsys, cells, said, monkeypatch):
    """A value without a text, a package that graders lack, two helpers of one name: one sentence, no half file."""
    monkeypatch.setattr(saved_functions, "examples", lambda: {"half": None})
    saved_functions.save("02_halves", run("def half(x):\n    return x / 2"))
    before = Path("../my_attention.py").read_bytes()
    monkeypatch.setattr(saved_functions, "examples", lambda: TWO)
    saved_functions.save("03_sizes", run(*cells))
    assert Path("../my_attention.py").read_bytes() == before
    told = " ".join(capsys.readouterr().out.split())
    assert "03_sizes is not kept" in told
    assert said.partition(" in the section")[0] in told


def test_one_helper_in_two_chapters_is_no_conflict(monkeypatch):
    """The same helper, laid out in another way, may be in both sections."""
    saved_functions.save("03_sizes", run("def half(x):\n    return x / 2", "def area(a):\n    return half(a)"))
    monkeypatch.setattr(saved_functions, "examples", lambda: {"third": None})
    saved_functions.save("04_thirds", run("def half(x): return x/2", "def third(a):\n    return half(a) / 1.5"))
    assert kept()[0]["third"](3) == 1


def test_where_the_folder_above_cannot_be_written_the_own_one_is_taken(capsys):
    """Whatever keeps the file from its place, the functions are kept, and it is said where."""
    Path("../my_attention.py").mkdir()
    saved_functions.save("03_sizes", run("def area(a):\n    return a"))
    assert "def area" in Path("my_attention.py").read_text()
    assert "in my_attention.py." in capsys.readouterr().out


@pytest.mark.parametrize("by", ["autograde", "validate"])
def test_nbgrader_writes_no_file(monkeypatch, by):
    """Where stock nbgrader runs the notebook, nothing is written and nothing read."""
    monkeypatch.setenv("NBGRADER_EXECUTION", by)
    saved_functions.save("03_sizes", run("def area(a):\n    return a"))
    assert not Path("../my_attention.py").exists()
    Path("../my_attention.py").write_text("raise SystemExit")
    monkeypatch.setattr("builtins.get_ipython", lambda: None, raising=False)
    saved_functions.load()


class Shell:
    """What load asks of Jupyter."""

    def __init__(self):
        self.user_ns, self.put = {}, None

    def set_next_input(self, text, replace):
        """Keep what would take the cell's place."""
        assert replace
        self.put = text


@pytest.mark.parametrize(
    ("text", "put", "said"),
    [
        ("answer = 42", True, "was put into this cell"),
        ("def broken(:", False, "SyntaxError in line 1"),
        ("import missing_package", False, "ModuleNotFoundError"),
        (None, False, "There is no my_attention.py here."),
    ],
)
def test_the_file_comes_into_the_cell_and_runs(monkeypatch, capsys, text, put, said):
    """A good file takes the cell's place and has run; a broken one is named, and one that is missing is no error."""
    shell = Shell()
    monkeypatch.setattr("builtins.get_ipython", lambda: shell, raising=False)
    if text:
        Path("../my_attention.py").write_text(text)
    saved_functions.load()
    assert shell.put == (text if put else None)
    assert shell.user_ns.get("answer") == (42 if put else None)
    assert said in capsys.readouterr().out


def test_plain_python_has_no_cell(monkeypatch, capsys):
    """Outside a notebook, one line says so, and nothing runs."""
    monkeypatch.delattr("builtins.get_ipython", raising=False)
    Path("../my_attention.py").write_text("raise SystemExit")
    saved_functions.load()
    assert capsys.readouterr().out == f"{saved_functions.NO_CELL}\n"
