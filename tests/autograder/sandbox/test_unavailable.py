"""What is not here is said, and costs nothing beside it."""

import pytest

from autograder.sandbox import Calls, Cell

from .test_sandbox import ask, error, text

F = "\ndef f(x):\n    return x + 1"
NOTED = {
    "!ls -l": "no shell here: `ls -l` was skipped",
    "files = !ls": "no shell here: `ls` was skipped",
    "%pip install pandas": "no `%pip` here",
    "%nosuch 3": "no `%nosuch` here",
    "import pandas as pd": "`pandas` is not here",
    "import torch\nprint(torch.__version__)": "<torch.__version__, which is missing here>",
    "import sklearn.linear_model, json": "`sklearn` is not here",
    "from torch import nn, Tensor": "`torch` is not here",
    "from seaborn import *": "`seaborn` is not here",
    "from torch import Tensor\ndef g(x: Tensor | None) -> list[Tensor]: pass": "`torch` is not here",
    "import torch\nprint(isinstance(3, torch.Tensor))": "False",
    "%matplotlib notebook": "",
    "%matplotlib widget\nimport matplotlib.pyplot as plt": "",
    "try:\n    import pandas, torch\nfinally:\n    pass": "`torch` is not here",
    "if True:\n    from pandas import DataFrame as D": "`pandas` is not here",
    "help(len)": "Return the number of items",
    "import getpass\nprint(getpass.getuser())": "student",
}
SAID = {
    "import pandas as pd\ndf = pd.DataFrame()": (
        "ModuleNotFoundError",
        "`pandas.DataFrame` is missing here",
    ),
    "from attention import softmax\nsoftmax(3)": ("ModuleNotFoundError", "graded alone"),
    "from torch.nn import Module\nclass Net(Module): pass": (
        "ModuleNotFoundError",
        "`torch.nn.Module` is missing here",
    ),
    "files = !ls\nfirst = files[0].upper()": ("ModuleNotFoundError", "there is no shell"),
    "w = open('weights.txt').read()": ("FileNotFoundError", "weights.txt"),
    "import numpy, numpy.nosuch": ("ModuleNotFoundError", "numpy.nosuch"),
    "%load_ext nosuch": ("ModuleNotFoundError", "nosuch"),
}


@pytest.mark.parametrize("line", NOTED)
def test_a_line_that_asks_for_what_is_not_here_is_passed_over(box, line):
    """It is noted where something is missing, is no error, and the rest of the cell runs."""
    outcome = box.run(Cell(line + F))
    assert error(outcome) == []
    assert NOTED[line] in text(outcome)
    assert ask(box, "f", ((3,), {})).answers[0].value == 4


@pytest.mark.parametrize("line", SAID)
def test_what_uses_it_fails_by_itself(box, line):
    """The error names what is missing, and the cell's other lines run."""
    outcome = box.run(Cell(line + F))
    (found,) = [output for output in outcome.outputs if output["output_type"] == "error"]
    name, words = SAID[line]
    assert found["ename"] == name
    assert words in found["evalue"]
    assert ask(box, "f", ((3,), {})).answers[0].value == 4


def test_cells_of_other_languages_are_passed_over(box):
    """A shell script is not run, and not an error."""
    for magic in ("bash", "sh", "ruby", "nosuch"):
        outcome = box.run(Cell(f"%%{magic}\nls"))
        assert (error(outcome), text(outcome)) == ([], f"(no `%%{magic}` here: its cell was skipped)\n")


@pytest.mark.parametrize(("line", "times"), [("%timeit seen.append(1)", 1), ("%timeit -n 3 -r 2 seen.append(1)", 6)])
def test_timeit_runs_its_line_once_or_as_often_as_it_says(box, line, times):
    """Left to itself, it would repeat the line for seconds, which a time limit would end."""
    outcome = box.run(Cell("seen = []\n" + line + "\ndef f(x):\n    return len(seen)"))
    assert error(outcome) == []
    assert ask(box, "f", ((3,), {})).answers[0].value == times


def test_an_import_that_the_cell_guards_fails_as_ever(box):
    """Code with a plan for a missing package gets to use it; an unused import in a function costs nothing."""
    source = "try:\n    import torch\nexcept ImportError:\n    torch = None\n"
    box.run(Cell(source + "def f(x):\n    import pandas\n    from scipy import special\n    return torch is None"))
    assert ask(box, "f", ((3,), {})).answers[0].value is True


PLANS = {
    "suppress": "with suppress(ImportError): import torch",
    "suppress_by_name": "with contextlib.suppress(ValueError, ModuleNotFoundError):\n    import torch",
    "suppress_all": "with suppress(Exception):\n    from torch import nn as torch",
    "try": "try: import torch\nexcept (AttributeError, ImportError): pass",
    "try_all": "try:\n    if True:\n        import torch\nexcept: pass",
    "try_unknown": "errors = ImportError, OSError\ntry: import torch\nexcept errors: pass",
    "try_inner": "try:\n    try: import torch\n    except ValueError: pass\nexcept ImportError: pass",
}
NO_PLANS = {
    "suppress_other": "with suppress(ValueError): import torch",
    "try_other": "try: import torch\nexcept ValueError: pass",
    "finally": "try: import torch\nfinally: pass",
    "other_with": "with contextlib.nullcontext(): import torch",
    "in_function": "try:\n    def g():\n        global torch\n        import torch\nexcept ImportError: pass\ng()",
    "in_method": "with suppress(ImportError):\n    class A:\n        def g(self):\n            global torch\n"
    "            import torch\nA().g()",
    "in_handler": "try: import torch_nightly\nexcept ImportError: import torch",
}
HAS_TORCH = "import contextlib\nfrom contextlib import suppress\n{}\ndef f(x):\n    return 'torch' in globals()"


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_for_a_missing_package_comes_true(box, plan):
    """What the code itself catches or suppresses is raised, so that nothing is bound, at the top and in a function."""
    assert error(box.run(Cell(HAS_TORCH.format(PLANS[plan])))) == []
    assert ask(box, "f", ((3,), {})).answers[0].value is False
    inside = PLANS[plan].replace("\n", "\n    ")
    box.start().run(
        Cell(f"import contextlib\nfrom contextlib import suppress\ndef f(x):\n    {inside}\n    return torch")
    )
    (answer,) = ask(box, "f", ((3,), {})).answers
    assert answer.error[0] in ("UnboundLocalError", "NameError")


@pytest.mark.parametrize("lines", NO_PLANS)
def test_where_nothing_catches_a_missing_package_a_stand_in_is_bound(box, lines):
    """A try or a with for something else is no plan, nor is one around the definition of a function that runs later."""
    assert error(box.run(Cell(HAS_TORCH.format(NO_PLANS[lines])))) == []
    assert ask(box, "f", ((3,), {})).answers[0].value is True


def test_what_is_used_in_a_call_is_named(box):
    """A function that needs a missing package says which one."""
    box.run(Cell("import torch\ndef f(x):\n    return torch.tensor(x)"))
    (answer,) = ask(box, "f", ((3,), {})).answers
    assert answer.error[0] == "ModuleNotFoundError"
    assert answer.error[1].startswith("`torch.tensor` is missing here")
    assert (answer.place.number, answer.place.text) == (3, "return torch.tensor(x)")


def test_much_output_is_cut_and_the_cell_goes_on(box):
    """What is beyond the budget is left out and counted; a picture too large is left out whole."""
    outcome = box.run(Cell("for i in range(3001): print('grass')" + F))
    assert outcome.completed
    assert text(outcome) == ("grass\n" * 169)[:1009] + f"({3001 * 6 - 1009} more characters were left out)\n"
    assert box.run(Cell("'x' * 2003")).completed
    assert ask(box, "f", ((3,), {})).answers[0].value == 4


def test_numbers_with_more_digits_than_usual_are_numbers(box):
    """NumPy's long doubles come back as doubles."""
    box.run(Cell("import numpy as np\ndef f(x):\n    return np.longdouble(x) / 4, np.ones(3, np.longdouble)"))
    number, ones = ask(box, "f", ((3,), {})).answers[0].value
    assert (number, list(ones), ones.dtype) == (0.75, [1, 1, 1], "float64")


def test_what_numpy_warns_about_is_no_error_in_a_call(box):
    """A cell that has NumPy raise where it would warn changes no answer, as in the self-check."""
    box.run(Cell("import numpy as np\nnp.seterr(all='raise')\ndef f(x):\n    return np.exp(-np.float64(x))"))
    box.run(Cell("", checkpoint=True))
    (answer,) = box.run(Calls("f", [((1009,), {})])).answers
    assert answer.value == 0


WITHOUT = {
    "from numba import njit\n@njit\n{}",
    "from numba import njit\n@njit(parallel=True)\n{}",
    "import torch\n@torch.no_grad()\n{}",
    "from typing import nosuch\n@nosuch\n{}",
    "import torch\nwith torch.no_grad():\n    y = 3\n{}",
    "import torch\ndevice = torch.device('cpu')\ndef f(x, device=device):\n    return x + 1",
    "import torch\ndef f(x, at=torch.ones(3), *, to=torch.device('cpu')):\n    return x + 1",
    "import torch\nclass A:\n    one = 1\n    def f(self, x, y=abs(one)):\n        return x + y\nf = A().f",
    "import torch\ndef f(x):\n    with torch.no_grad(), torch.amp.autocast('cuda') as cast:\n        return x + 1",
    "import numba\ndef f(x):\n    @numba.jit\n    def one(x):\n        return x + 1\n    return one(x)",
    "from functools import lru_cache, nosuch\n@lru_cache\n{}",
    "import torch\nclass A:\n    @torch.no_grad()\n    @staticmethod\n    def f(x):\n        return x + 1\nf = A.f",
}


@pytest.mark.parametrize("source", sorted(WITHOUT))
def test_a_function_is_whole_without_missing_decorators_and_contexts(box, source):
    """They do nothing, and so does a missing name of a module that is here; the function is what is left."""
    assert error(box.run(Cell(source.format(F.strip()), defines="f"))) in ([], ["ModuleNotFoundError"])
    assert ask(box, "f", ((3,), {})).answers[0].value == 4


def test_decorators_and_contexts_that_are_here_do_what_they_do(box):
    """Also where a package is missing beside them."""
    source = "import torch\nfrom contextlib import redirect_stdout, contextmanager\ndef twice(f):\n"
    source += "    return lambda x: 2 * f(x)\n@contextmanager\ndef ten():\n    yield 10\n@twice\ndef f(x):\n"
    box.run(Cell(source + "    with ten() as y:\n        return x + y"))
    assert ask(box, "f", ((3,), {})).answers[0].value == 26


def test_a_name_that_is_bound_stays_what_it_was(box):
    """Where another package's `numpy` is missing, `np` is NumPy."""
    box.run(Cell("import numpy as np\nimport autograd.numpy as np\ndef f(x):\n    return np.add(x, 1)"))
    assert ask(box, "f", ((3,), {})).answers[0].value == 4
