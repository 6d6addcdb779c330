"""The self-check as students have it: one file and its examples, in a folder of their own."""

import json
import subprocess
import sys

import pytest

from autograder.checks import exercises_of

CHAPTER = "04_query_key_value"
EXERCISES = exercises_of("query_key_value")


@pytest.fixture(scope="module")
def folder(root):
    """The released folder of chapter 4."""
    return root / "exercises" / CHAPTER


@pytest.fixture(scope="module")
def check(folder):
    """The released ``check``, which prints; loaded from its file alone."""
    namespace = {"__name__": "selfcheck", "__file__": str(folder / "selfcheck.py")}
    sys.modules["selfcheck"] = type(sys)("selfcheck")  # dataclasses look their module up
    exec(compile((folder / "selfcheck.py").read_text(), "selfcheck.py", "exec"), namespace)
    yield namespace["check"]
    del sys.modules["selfcheck"]


@pytest.mark.parametrize("name", EXERCISES)
def test_a_right_answer_is_told_so(check, capsys, name):
    """The reference is right on every worked example."""
    check(name, EXERCISES[name].reference)
    assert f"{name}: right on" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "mistake"),
    [(name, mistake) for name, exercise in EXERCISES.items() for mistake in exercise.mistakes],
    ids=lambda item: getattr(item, "id", ""),
)
def test_mistakes_are_told_in_the_graders_words(check, capsys, folder, name, mistake):
    """A mistake that shows on the worked examples gets the grader's own message; the others pass for now."""
    listed = {entry["id"] for entry in json.loads((folder / "examples.json").read_text())[name]["mistakes"]}
    check(name, mistake.wrong)
    said = " ".join(capsys.readouterr().out.split())
    assert mistake.message in said if mistake.id in listed else "right on" in said


def test_only_edge_mistakes_are_left_to_the_grader(folder):
    """All mistakes but those that need large scores or a batch show on the worked examples."""
    stored = json.loads((folder / "examples.json").read_text())
    listed = {entry["id"] for exercise in stored.values() for entry in exercise["mistakes"]}
    everything = {mistake.id for exercise in EXERCISES.values() for mistake in exercise.mistakes}
    assert everything - listed == {
        "lookup_overflow",
        "attention_overflow",
        "context_overflow",
        "all_axes_reversed",
        "axis_one",
    }


def test_a_changed_input_is_noticed(check, capsys):
    """Right numbers from a function that overwrites its argument are not right yet."""

    def overwrites(state, encoder_states):
        result = EXERCISES["luong_context"].reference(state, encoder_states)
        state *= 0
        return result

    check("luong_context", overwrites)
    assert "changes an array that it was given" in capsys.readouterr().out


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
    assert "boster: no such exercise here, expected one of soft_lookup, booster" in said
    assert "is a `return` missing?" in said


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


def test_no_answer_and_no_hidden_case_is_given_away(folder):
    """The files hold neither the reference's code, nor unseen cases, nor an answer to what is judged by effect."""
    code, stored = (folder / "selfcheck.py").read_text(), json.loads((folder / "examples.json").read_text())
    assert "reference" not in code
    assert "np.exp(" not in code.replace("np.exp(scores[[a, b]] - np.logaddexp", "")
    assert all(case["answer"] == {"value": None} for case in stored["query_between"]["cases"])
    for name, exercise in EXERCISES.items():
        assert [case["label"] for case in stored[name]["cases"]] == [case.label for case in exercise.examples]
