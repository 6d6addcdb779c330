"""A function of the course is no answer in a notebook, under whatever name; a student's own is theirs."""

import importlib
import importlib.util
import linecache
import sys

import numpy as np
import pytest

from attention.exercises import in_notebooks  # noqa: F401 - tells the engine which package is the course's
from autograder.diagnosis.whose_function import not_the_students

DIRECT = {
    "imported": "from attention.chapters.context import softmax",
    "as readers import it": "from attention import softmax",
    "under another name": "from attention.chapters.scaling import softmax_jacobian as softmax",
    "of a module": "import attention.chapters\nsoftmax = attention.chapters.context.softmax",
    "partial": "from functools import partial\nfrom attention.chapters.context import softmax as s\n"
    "softmax = partial(s, axis=-1)",
    "of the checks": "from attention.exercises.given_functions import softmax",
    "from a file that was handed out": "from translator import stand_in as softmax",
    "made by such a file": "from translator import stand_in\nsoftmax = stand_in('softmax', {}, 32, 4)",
}
CALLED = {
    "a module": "from attention.chapters import context\ndef softmax(x):\n    return context.softmax(x)",
    "a function": "from attention.chapters.context import softmax as s\ndef softmax(x):\n    return s(x)",
    "imported inside": "def softmax(x):\n    from attention.chapters.context import softmax as s\n    return s(x)",
    "a helper": "import attention.chapters.context as c\ndef helper(x):\n    return c.softmax(x)\n"
    "def softmax(x):\n    return helper(x)",
    "in a comprehension": "from attention.chapters import context\n"
    "def softmax(x):\n    return [context.softmax(row) for row in x]",
    "the package": "import attention\ndef softmax(x):\n    return attention.softmax(x)",
    "a lambda": "import attention\nsoftmax = lambda x: attention.chapters.context.softmax(x)",
}
OWN = {
    "own": "def softmax(x):\n    return np.exp(x) / np.exp(x).sum()",
    "beside one to compare with": "from attention.chapters.context import softmax as right\n"
    "def softmax(x):\n    return np.exp(x) / np.exp(x).sum()",
    "a name like a package's": "autograder_ = 3\ndef softmax(x):\n    return x * autograder_",
    "NumPy's": "softmax = np.vectorize(abs)",
    "with what the notebook provides": "from translator import stand_in\nmulti = stand_in('layer_norm', {}, 32, 4)\n"
    "def softmax(x):\n    return multi(x)",
    "no function": "softmax = 3",
    "a class": "class softmax:\n    def __init__(self, x):\n        pass",
    "recursive": "def softmax(x):\n    return softmax(x)",
}


@pytest.fixture
def defined(root, monkeypatch):
    """Run a cell beside the released files of chapter 12, and return what it names softmax."""
    folder = root / "exercises/12_inference"
    monkeypatch.syspath_prepend(folder)
    for name in ("translator", "selfcheck"):
        monkeypatch.delitem(sys.modules, name, raising=False)

    def run(cell):
        space, place = {"np": np, "__name__": "__main__"}, "/tmp/ipykernel_1/2.py"
        linecache.cache[place] = (len(cell), None, cell.splitlines(keepends=True), place)
        exec(compile(cell, place, "exec"), space)
        return space["softmax"]

    yield run
    for name in ("translator", "selfcheck"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("way", DIRECT)
def test_the_courses_own_function_is_told_from_its_code(defined, way):
    """Its module or its file says so, whatever its name."""
    assert "the course's own" in not_the_students(defined(DIRECT[way]))


@pytest.mark.parametrize("way", CALLED)
def test_a_function_that_calls_the_courses_own_is_seen(defined, way):
    """Through a module, a name, an import inside, or a function of its own in between; the course's name is told."""
    said = not_the_students(defined(CALLED[way]))
    assert said.startswith("It calls")
    assert "`attention" in said


@pytest.mark.parametrize("way", OWN)
def test_a_students_function_is_theirs(defined, way):
    """Also beside an import that it does not use, and with functions that the notebook provides."""
    assert not_the_students(defined(OWN[way])) == ""


def test_a_students_module_is_theirs(tmp_path):
    """A file that the course has not made is not the course's."""
    path = tmp_path / "helpers.py"
    path.write_text('"""Mine."""\n\ndef softmax(x):\n    return x\n', encoding="utf-8")
    spec = importlib.util.spec_from_file_location("helpers", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not_the_students(module.softmax) == ""


def test_check_does_not_call_it_right(defined, capsys):
    """The released check says whose it is, and does not ask it."""
    function = defined(DIRECT["imported"])
    importlib.import_module("selfcheck").check("translate", function)
    said = capsys.readouterr().out
    assert "right on" not in said
    assert "attention.chapters.context" in said
