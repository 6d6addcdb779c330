"""The self-check as students have it: one file and its examples, in a separate folder."""

import ast
import html
import linecache
import re
import shutil
import subprocess
import sys
from collections import Counter

import nbformat
import numpy as np
import pytest
from nbgrader.validator import Validator

from attention.exercises import CHAPTERS, exercises_of
from autograder.classroom.sample_class import fill_in, released

ALL = [(stem, name, exercise) for stem in CHAPTERS for name, exercise in exercises_of(stem).items()]
EXERCISES = exercises_of("query_key_value")
RNG = np.random.default_rng(7)


@pytest.fixture(scope="module")
def folder(folders):
    """The released folder of chapter 4."""
    return folders["query_key_value"]


@pytest.fixture(scope="module")
def checks(folders):
    """Each chapter's released ``check``, which prints; loaded from its file alone."""
    loaded = {}
    for stem, folder in folders.items():
        namespace = {"__name__": f"selfcheck_{stem}", "__file__": str(folder / "selfcheck.py")}
        sys.modules[namespace["__name__"]] = type(sys)(namespace["__name__"])  # dataclasses look their module up
        exec(compile((folder / "selfcheck.py").read_text(), "selfcheck.py", "exec"), namespace)
        namespace["not_the_students"] = lambda function: ""  # the tests' answers are the course's own
        namespace["not_portable"] = lambda *asked: ""  # and use what no notebook does
        loaded[stem] = namespace["check"]
    yield loaded
    for stem in folders:
        del sys.modules[f"selfcheck_{stem}"]


@pytest.fixture(scope="module")
def check(checks):
    """The released ``check`` of chapter 4."""
    return checks["query_key_value"]


def test_no_two_modules_in_the_one_file_share_a_name(folder):
    """The file is many modules joined; a name that two of them define would be the later one's for both."""
    text = (folder / "selfcheck.py").read_text(encoding="utf-8")
    defined = Counter(re.findall(r"^(?:def |class )?(\w+)(?=\(|:| = )", text, re.MULTILINE))
    assert len(defined) > 200
    assert [name for name, times in defined.items() if times > 1] == []


@pytest.mark.parametrize(("stem", "name", "exercise"), ALL, ids=lambda item: item if isinstance(item, str) else "")
def test_a_right_answer_is_told_so(checks, capsys, stem, name, exercise):
    """The reference is right on every worked example."""
    checks[stem](name, exercise.reference)
    assert f"{name}: right on" in capsys.readouterr().out


@pytest.mark.parametrize(("stem", "name", "exercise"), ALL, ids=lambda item: item if isinstance(item, str) else "")
def test_a_renamed_keyword_is_told(checks, capsys, stem, name, exercise):
    """An optional argument that the grader passes by name, and an answer calls otherwise, is no longer right here."""
    for keyword in {key for case in (*exercise.unseen(RNG), *exercise.edges(RNG)) for key in case.kwargs}:
        checks[stem](name, without(keyword, exercise.reference))
        assert "right on" not in capsys.readouterr().out, keyword


def without(keyword, function):
    """Return a function that refuses one keyword, as Python does."""

    def refuse(*args, **kwargs):
        if keyword in kwargs:
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument {keyword!r}")
        return function(*args, **kwargs)

    return refuse


@pytest.mark.parametrize(("stem", "name", "exercise"), ALL, ids=lambda item: item if isinstance(item, str) else "")
def test_mistakes_are_told_in_the_graders_words(checks, capsys, stem, name, exercise):
    """A mistake that shows on the worked examples gets the grader's own message; the others pass for now."""
    for mistake in exercise.mistakes:
        checks[stem](name, mistake.wrong)
        said = " ".join(capsys.readouterr().out.split())
        assert "right on" in said if mistake.edge else mistake.message in said


@pytest.mark.parametrize(("stem", "name", "exercise"), ALL, ids=lambda item: item if isinstance(item, str) else "")
def test_formulas_are_told_in_the_graders_words(checks, stored, capsys, stem, name, exercise):
    """A formula with one thing wrong that the worked examples can tell from others is named, or a mistake says more."""
    formulas = dict(exercise.wrong_formulas)
    for words in [one["words"] for one in stored[stem][name]["formulas"]]:
        checks[stem](name, formulas[words])
        said = " ".join(capsys.readouterr().out.split())
        assert f" when {words}. " in said or any(mistake.message in said for mistake in exercise.mistakes)


def columns_without_a_maximum(query, key, value):
    """Run softmax down the columns, and let exp overflow."""
    powers = np.exp(query @ np.swapaxes(key, -1, -2))
    weights = powers / powers.sum(axis=-2, keepdims=True)
    return weights @ value, weights


def turned_without_a_maximum(query, key, value):
    """Turn every axis of key round, and let exp overflow."""
    powers = np.exp(query @ key.T)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ value, weights


@pytest.mark.parametrize(
    ("function", "told"),
    [(columns_without_a_maximum, "softmax_over_queries"), (turned_without_a_maximum, "attention_overflow")],
)
def test_of_two_mistakes_the_first_is_told(check, capsys, function, told):
    """What shows on an ordinary example comes before an edge, and one edge before the next."""
    (message,) = [mistake.message for mistake in EXERCISES["attention"].mistakes if mistake.id == told]
    check("attention", function)
    assert message in " ".join(capsys.readouterr().out.split())


def test_the_examples_stay_small(folders):
    """What every student downloads with a chapter is 130 kB at most."""
    assert max((folder / "examples.json").stat().st_size for folder in folders.values()) <= 130_000


def test_a_changed_input_is_noticed(check, capsys):
    """Right numbers from a function that overwrites its argument are not right yet."""

    def overwrites(state, encoder_states):
        result = EXERCISES["luong_context"].reference(state, encoder_states)
        state *= 0
        return result

    check("luong_context", overwrites)
    assert "changes an array that it was given" in capsys.readouterr().out


def test_a_changed_dictionary_is_noticed(checks, capsys):
    """Writing into the given vocabulary is reported, even if all vectors are right."""

    def forgets(tokens, vocab):
        result = exercises_of("embeddings")["one_hot"].reference(tokens, vocab)
        vocab.clear()
        return result

    checks["embeddings"]("one_hot", forgets)
    assert "changes a dictionary that it was given" in capsys.readouterr().out


@pytest.mark.parametrize("empty", [list, dict], ids=lambda kind: kind.__name__)
def test_an_answer_that_contains_itself_is_told_so(checks, capsys, empty):
    """After ``gradients.append(gradients)``, say: no traceback of this file."""

    def itself(*args, **kwargs):
        answer = empty()
        answer.append(answer) if empty is list else answer.update(answer=answer)
        return answer

    checks["before_attention"]("gradient_through_time", itself)
    said = " ".join(capsys.readouterr().out.split())
    assert "not right yet. It returns a list or a dictionary that contains itself" in said
    for stem, name, _ in ALL:
        checks[stem](name, itself)
        assert "not right yet. " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("qury", "NameError: name 'qury' is not defined (in line 2, `return qury`): did you mean `query`?"),
        ("exp(key)", "NameError: name 'exp' is not defined (in line 2, `return exp(key)`): did you mean `np.exp`?"),
        ("kye, key", "NameError: name 'kye' is not defined (in line 2, `return kye, key`)"),
        (
            "np.sotf(key)",
            "module 'numpy' has no attribute 'sotf' (in line 2, `return np.sotf(key)`): did you mean `np.sort`?",
        ),
        ("key.exp()", "has no attribute 'exp' (in line 2, `return key.exp()`): did you mean `np.exp`?"),
        ("key.swapaxis(-1, -2)", "(in line 2, `return key.swapaxis(-1, -2)`): did you mean `.swapaxes`?"),
        ("np.dot(key, key, axis=-1)", "argument 'axis' (in line 2, `return np.dot(key, key, axis=-1)`)"),
        ("key.sum(dim=-1)", "argument 'dim' (in line 2, `return key.sum(dim=-1)`): did you mean `axis=`?"),
        ("np.max(key, keepdim=True)", "(in line 2, `return np.max(key, keepdim=True)`): did you mean `keepdims=`?"),
        ("'a' - 1", "(in line 2, `return 'a' - 1`)"),
        ("numpy.exp(key)", "(in line 2, `return numpy.exp(key)`): did you mean `np`?"),
        ("true", "(in line 2, `return true`): did you mean `True`?"),
        ("int('x' * len(key))", "(in line 2, `return int('x' * len(key))`)"),
    ],
)
def test_an_error_is_told_with_its_line(check, capsys, returned, said):
    """In the notebook, too: the line of the function's cell, and what a name that does not exist may mean."""
    source = f"def attention(query, key, value):\n    return {returned}\n"
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(keepends=True), "<cell>")  # as IPython does
    cell = {"np": np}
    exec(compile(source, "<cell>", "exec"), cell)
    check("attention", cell["attention"])
    told = " ".join(capsys.readouterr().out.split())
    assert f"{said} (example: " in told


def test_an_error_without_words_has_its_line(check, capsys):
    """An assertion says nothing but where it is."""
    source = "def attention(query, key, value):\n    assert query is key\n"
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(keepends=True), "<cell>")
    cell = {}
    exec(compile(source, "<cell>", "exec"), cell)
    check("attention", cell["attention"])
    assert "Raises AssertionError in line 2, `assert query is key` (example: " in " ".join(
        capsys.readouterr().out.split()
    )


def test_a_known_cause_of_an_error_has_its_line_too(check, capsys):
    """A listed mistake that raises says where; one that returns wrong numbers has no line to name."""
    source = "def attention(query, key, value):\n    scores = query @ key\n    return scores, scores\n"
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(keepends=True), "<cell>")
    cell = {}
    exec(compile(source, "<cell>", "exec"), cell)
    check("attention", cell["attention"])
    assert "The error is raised in line 2, `scores = query @ key`." in " ".join(capsys.readouterr().out.split())
    check("attention", columns_without_a_maximum)
    assert "raised" not in capsys.readouterr().out


def test_stub_unknown_name_and_nothing_returned(check, capsys):
    """The first steps of a learner get a plain word each."""

    def stub(*args):
        raise NotImplementedError

    check("booster", stub)
    check("boster", stub)
    check("booster", lambda n, target: None)
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 88
    said = " ".join(printed.split())
    assert "booster: not attempted yet" in said
    assert "boster: `examples.json` does not have it, expected one of soft_lookup, booster" in said
    assert "is a `return` missing?" in said


def test_a_notebook_whose_files_were_left_behind_says_which(folders, tmp_path):
    """Alone, with one of its two files, beside another chapter's, then beside its own: each time it says what to do."""
    ask = "from selfcheck import check\ncheck('booster', lambda n, target: 1 / 0)\n"
    notebook = nbformat.read(folders["query_key_value"] / "04_query_key_value.ipynb", 4)
    setup = next(cell.source for cell in notebook.cells if cell.cell_type == "code")

    def run(code):
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
        return " ".join((done.stdout or done.stderr).split())

    (tmp_path / "setup.py").write_text(setup)
    assert "not found? Put selfcheck.py beside this notebook" in run("import setup")
    shutil.copy(folders["query_key_value"] / "selfcheck.py", tmp_path)
    for code in ask, "from selfcheck import save\nsave('04_query_key_value', globals())":
        assert "expected `examples.json` from this notebook's download beside it, found none" in run(code)
    assert not (tmp_path.parent / "my_attention.py").exists()
    shutil.copy(folders["scaling"] / "examples.json", tmp_path)
    assert "expected one of dot_product_variance, scaling_factor, " in run(ask)
    own = folders["query_key_value"] / "examples.json"
    told = run(f"import shutil\n{ask}shutil.copy({str(own)!r}, '.')\n{ask}")
    assert "booster: `examples.json` does not have it" in told
    assert "division by zero" in told


@pytest.fixture(scope="module")
def validated(published, folder, tmp_path_factory):
    """What nbgrader's validator fails in chapter 4, ``{kind of notebook: {cell: what it shows}}``."""
    assignment = published.assignment("04_query_key_value")
    names, found = list(EXERCISES), {}
    for kind, wrong in {"right": [], "five mistakes": names[:5], "not attempted": None}.items():
        place, notebook = tmp_path_factory.mktemp("validate"), released(assignment)
        for name in names if wrong is not None else []:
            fill_in(assignment, notebook, name, first_slip(name) if name in wrong else None)
        for name in ("selfcheck.py", "examples.json"):
            (place / name).write_bytes((folder / name).read_bytes())
        nbformat.write(notebook, place / "04_query_key_value.ipynb")
        failed = Validator().validate(str(place / "04_query_key_value.ipynb")).get("failed", [])
        found[kind] = {said["source"]: html.unescape(said["error"]) for said in failed}
    return found


def first_slip(name):
    """Return the first listed mistake of an exercise."""
    return EXERCISES[name].mistakes[0]


def cell(name):
    """Return the test cell of an exercise."""
    return f'check("{name}", {name})'


def test_validate_passes_right_answers(validated):
    """A notebook in which all is right is told so: no cell fails."""
    assert validated["right"] == {}


def test_validate_fails_each_of_five_mistakes(validated):
    """Nbgrader's own validator never says *Success!* to them: each cell fails, in our words."""
    for name in list(EXERCISES)[:5]:
        shown = validated["five mistakes"][cell(name)]
        told, _, place = " ".join(shown.split()).partition(" The error is raised ")
        assert told == f"{name}: not right yet. {first_slip(name).message}"
        assert not place or place.startswith("in line ")


def test_validate_fails_what_is_not_attempted(validated):
    """An empty notebook fails in every cell, kindly."""
    assert validated["not attempted"].keys() == {cell(name) for name in EXERCISES}
    assert all(
        said.startswith(f"{said.split(':')[0]}: not attempted yet") for said in validated["not attempted"].values()
    )


def test_it_needs_numpy_alone(folder, tmp_path):
    """Neither the autograder nor anything but NumPy is imported, with the folder copied elsewhere."""
    for name in ("selfcheck.py", "examples.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    script = (
        "import sys; sys.modules['autograder'] = sys.modules['scipy'] = sys.modules['matplotlib'] = None\n"
        "from selfcheck import check\nimport numpy as np\n"
        "check('booster', lambda n, target: np.log((n - 1) * target / (1 - target)))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("booster: right on 2 worked examples")


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (
            "import sys; sys.version_info, sys.version = (3, 9, 18), '3.9.18 (main)'",
            "Python 3.10 or newer.*is Python 3.9.18",
        ),
        ("import numpy; numpy.__version__ = '1.22.4'", "NumPy 1.23 or newer.*is NumPy 1.22.4"),
    ],
)
def test_what_is_too_old_is_refused_in_one_line(folder, before, said):
    """An old Python can parse the file, and its last line or that of an old NumPy says what is needed."""
    ast.parse((folder / "selfcheck.py").read_text(), feature_version=(3, 8))
    command = [sys.executable, "-B", "-c", f"{before}; import selfcheck"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert re.match(f"ImportError: This notebook needs {said}", done.stderr.splitlines()[-1])


def test_no_answer_and_no_hidden_case_is_given_away(folder, stored):
    """The files hold neither the reference's code, nor unseen cases, nor an answer to what is judged by effect."""
    code = (folder / "selfcheck.py").read_text()
    assert "reference" not in code.replace("is_referenced", "")
    assert "np.exp(" not in code.replace("np.exp(scores[[a, b]] - np.logaddexp", "")
    assert all(case["answer"] == {"value": None} for case in stored["query_key_value"]["query_between"]["cases"])
    for stem, name, exercise in ALL:
        assert [case["label"] for case in stored[stem][name]["cases"]] == [case.label for case in exercise.examples]
