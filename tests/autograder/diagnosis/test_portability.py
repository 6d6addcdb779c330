"""What is right here and not where it is graded is told before it is handed in; what only looks so is not."""

import linecache
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from autograder.diagnosis import portability
from autograder.diagnosis.portability import AT_THE_GRADER, GRADERS_NUMPY, not_portable, noting_refused
from autograder.sandbox.host.packages import package_paths

SOFT = "import numpy as np\ndef soft(x):\n    return np.exp(x) / np.exp(x).sum()\nclass Tensor:\n    pass\n"
DECORATES = "def jit(f):\n    class Compiled:\n        py_func = staticmethod(f)\n        __call__ = py_func\n"
PACKAGE = f"{SOFT}{DECORATES}    return Compiled()\ndef is_tensor(x):\n    return False\n"
BODY = "def f(x):\n    {}\n    return np.exp(x) / np.exp(x).sum()"
USES = {
    "a module": ("import torch_like", "def f(x):\n    return torch_like.soft(x)"),
    "a name": ("from torch_like import soft", "def f(x):\n    return soft(x)"),
    "another name": ("import torch_like as t", BODY.format("t.is_tensor(x)")),
    "in the function": ("", "def f(x):\n    from torch_like import soft\n    return soft(x)"),
    "a helper": ("from torch_like import soft", "def g(x):\n    return soft(x)\ndef f(x):\n    return g(x)"),
    "a helper's import": (
        "",
        "def g(x):\n    import torch_like as t\n    return t.soft(x)\ndef f(x):\n    return g(x)",
    ),
    "the answer itself": ("import torch_like", "f = torch_like.soft"),
    "a partial": ("from functools import partial\nimport torch_like", "f = partial(torch_like.soft)"),
    "a lambda": ("import torch_like", "f = lambda x: torch_like.soft(x)"),
    "a method": (
        "import torch_like",
        "class C:\n    def g(self, x):\n        return torch_like.soft(x)\ndef f(x):\n    return C().g(x)",
    ),
    "a closure": (
        "import torch_like",
        "def made():\n    def g(x):\n        return torch_like.soft(x)\n    return lambda x: g(x)\nf = made()",
    ),
    "guarded too late": (
        "",
        BODY.format("try:\n        import torch_like as t\n    except ImportError:\n        pass").replace(
            "np.exp(x) /", "t.soft(x) if 0 else t.soft(x) +"
        ),
    ),
}
LOOKS = {
    "imported, unused": ("import torch_like", BODY.format("pass")),
    "imported inside, unused": ("", BODY.format("import torch_like")),
    "asked for a type": ("import torch_like", BODY.format("isinstance(x, torch_like.Tensor)")),
    "with a plan": ("", BODY.format("try:\n        import torch_like as t\n        t.soft(x)\n    "
                                    "except ImportError:\n        pass")),
    "with a plan above": ("", BODY.format("try:\n        import torch_like as t\n    except ImportError:\n"
                                          "        t = None\n    t is None or t.soft(x)")),
    "annotated": ("import torch_like", "def f(x: torch_like.Tensor) -> torch_like.Tensor:\n"
                  "    return np.exp(x) / np.exp(x).sum()"),
    "compiled": ("import torch_like", "@torch_like.jit\n" + BODY.format("pass")),
    "a progress bar": ("tqdm = type(np)('tqdm')\ntqdm.tqdm = list", BODY.format("tqdm.tqdm([])")),
    "Python's own": ("import math, collections\nfrom functools import reduce", BODY.format("math.exp(1)")),
    "NumPy's": ("from numpy.linalg import norm\nfrom numpy import exp", BODY.format("norm(x), exp(x)")),
}  # fmt: skip


@pytest.fixture
def defined(tmp_path, monkeypatch):
    """Run a cell where there is a package that the grader lacks, and a file of one's own; return its f."""
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages/torch_like.py").write_text(PACKAGE)
    (tmp_path / "my_attention.py").write_text(SOFT)
    for folder in (tmp_path, tmp_path / "site-packages"):
        monkeypatch.syspath_prepend(folder)

    def run(head, body):
        cell, place = f"{head}\n{body}\n", "/tmp/ipykernel_1/3.py"
        linecache.cache[place] = (len(cell), None, cell.splitlines(keepends=True), place)
        space = {"np": np, "__name__": "__main__"}
        exec(compile(cell, place, "exec"), space)
        return space["f"]

    yield run
    for name in ("torch_like", "my_attention"):
        sys.modules.pop(name, None)


def said_of(function):
    """What is said of a function whose answers are right: it was called before."""
    function(np.zeros(3))
    return not_portable(function, lambda: [((np.array([1.0, 2.0]),), {}), ((np.array([[3.0]]),), {})])


@pytest.mark.parametrize("use", USES)
def test_a_package_that_the_grader_lacks_is_named(defined, use):
    """However the answer comes by it, the package is named, and what is there instead."""
    said = said_of(defined(*USES[use]))
    assert "torch_like" in said
    assert "NumPy" in said


@pytest.mark.parametrize("look", LOOKS)
def test_what_the_answer_does_without_is_not_mentioned(defined, look):
    """An import costs nothing, nor does what the grader passes over."""
    assert said_of(defined(*LOOKS[look])) == ""


def test_a_function_from_a_file_of_ones_own_is_to_be_copied(defined):
    """A notebook is handed in alone: the file is named, and the names are whole again after the question."""
    function = defined("from my_attention import soft", "def f(x):\n    return soft(x)")
    assert "my_attention.py" in said_of(function)
    assert function(np.zeros(2)).tolist() == [0.5, 0.5]
    assert sys.modules["my_attention"].soft is function.__globals__["soft"]


GONE = {
    "x.ptp(axis=-1, keepdims=True)": "np.ptp(x, axis=-1, keepdims=True)",
    "(x @ x.T).ptp()": "np.ptp(x @ x.T)",
    "x.itemset(0, 3.0)": "x[index] = value",
    "x.newbyteorder()": "x.view(x.dtype.newbyteorder())",
    "np.seterrobj([])": "np.seterrobj",
}


@pytest.mark.parametrize("call", GONE)
def test_what_arrays_can_do_no_longer_is_told_where_they_still_can(defined, monkeypatch, call):
    """With an older NumPy, in the function or in one that it calls: what to write stands there."""
    old = SimpleNamespace(ndarray=type("ndarray", (), dict.fromkeys(portability._GONE_METHODS)), seterrobj=None)
    old.ufunc = np.ufunc
    function = defined("", f"def g(x):\n    {call}\ndef f(x):\n    x if x is x else g(x)\n    return x")
    assert said_of(function) == ""
    monkeypatch.setattr(portability, "np", old)
    function.__globals__["np"] = old
    assert GONE[call] in said_of(function)
    function = defined("", "def f(x):\n    x if x is x else np.ptp(x)\n    return x")
    function.__globals__["np"] = old
    assert said_of(function) == ""


def test_what_numpy_warned_of_before_it_refused_it_is_told(defined):
    """Of several lines the first is named; other warnings come through as they would."""
    text = "Conversion of an array with ndim > 0 to a scalar is deprecated, and will error in future."
    body = f"def f(x):\n    warnings.warn({text!r}, DeprecationWarning)\n    warnings.warn('other')\n    return x"
    function = defined("import warnings", body)
    with pytest.warns(UserWarning, match="other"), noting_refused() as told:
        function(3)
    assert len(told) == 1
    assert "warnings.warn('Conversion" in told[0]
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        function(3)
    assert len(given) == 2


def test_what_is_said_of_the_grader_is_so():
    """Its NumPy is the one that is pinned, and what it has is what the sandbox shows."""
    assert f"NumPy {np.__version__}".startswith(f"{GRADERS_NUMPY}.")
    others = AT_THE_GRADER - sys.stdlib_module_names - {"__main__", "tqdm"}
    assert others <= package_paths().keys()
    assert not any(hasattr(np.ndarray, name) for name in portability._GONE_METHODS)
    assert not any(hasattr(np, name) for name in portability._GONE_NAMES)
