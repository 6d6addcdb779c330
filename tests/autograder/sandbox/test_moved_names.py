"""What NumPy 1.23, Matplotlib 3.5 and IPython 7 had under other names works in a notebook, and nowhere else.

``tests/data/numpy_1/lost.json`` was measured, by the script beside it.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from autograder import sandbox
from autograder.sandbox import Cell, Limits, Sandbox
from tests.support.patience import LONG, seconds
from tests.support.root import ROOT

from .test_sandbox import error, text

LOST = json.loads((ROOT / "tests/data/numpy_1/lost.json").read_text())
SETTINGS = "geterrobj seterrobj set_numeric_ops set_string_function set_legacy_print_mode add_newdoc_ufunc use_hugepage"
TESTS = "Tester MachAr raises run_module_suite"
OF_NO_USE = {  # in an answer: NumPy's inner workings, an experiment, and functions for Python 2
    *SETTINGS.split(),
    *TESTS.split(),
    *(
        "array_api",
        "compat",
        "doc",
        "oldnumeric",
        "numarray",
        "kernel_version",
        "implement_array_function",
        "set_array_function_like_doc",
    ),
}
MODULES_OF_NO_USE = (
    "numpy.array_api",
    "numpy.compat",
    "numpy.doc",
    "numpy.dual",
    "numpy.ma.bench",
    "numpy.ma.timer_comparison",
)
RESOLVE = """
import importlib, json, warnings
warnings.simplefilter("ignore")
lost = json.loads({names!r})
print(json.dumps({{name: [key for key in keys.split() if not hasattr(importlib.import_module(name), key)]
                  for name, keys in lost.items()}}))
"""
NUMBERS = {  # what is written for NumPy 1: what it gives there
    "np.Inf > 9e99 and np.isnan(np.NaN) and np.NINF < 0": True,
    "np.float(2.5) + np.int(3)": 5.5,
    "np.zeros(2, np.float_).dtype.name": "float64",
    "np.ones(3, np.bool8).sum()": 3,
    "np.product((2, 3, 5))": 30,
    "np.cumproduct([2, 3, 5]).tolist()": [2, 6, 30],
    "np.trapz([1, 2, 3])": 4.0,
    "np.in1d([[1, 2], [3, 4]], [2, 4]).tolist()": [False, True, False, True],
    "np.in1d([1, 2], [2], invert=True).tolist()": [True, False],
    "np.alltrue([1, 1]) and not np.sometrue([0, 0])": True,
    "np.msort([[3, 1], [2, 5]]).tolist()": [[2, 1], [3, 5]],
    "np.asfarray([1, 2]).dtype.kind + np.asfarray([1], np.float32).dtype.char": "ff",
    "np.cast['f']([1]).dtype.name, np.cast[int](2.9).item()": ["float32", 2],
    "np.row_stack([[1, 2], [3, 4]]).tolist()": [[1, 2], [3, 4]],
    "np.round_(2.567, 1)": 2.6,
    "np.math.factorial(4) + np.math.sqrt(4)": 26.0,
    "np.mat([[1, 2]]) * np.mat([[3], [4]])": [[11]],
    "np.find_common_type([np.float32], [np.int64]).name": "float32",
    "np.find_common_type([np.int8], [np.float64]).name": "float64",
    "np.obj2sctype('f8') is np.float64 and np.issubsctype(np.float32, np.floating)": True,
    "np.maximum_sctype(np.int8).__name__, np.sctype2char(np.float64), np.nbytes[np.int16]": ["int64", "d", 2],
    "np.core.numeric.product([2, 3]) + np.core.umath_tests.inner1d([1, 2], [3, 4])": 17,
    "np.linalg.linalg.norm([3, 4]) + np.lib.function_base.trapz([1, 1])": 6.0,
    "np.fft.helper.fftfreq(2).tolist()": [0.0, -0.5],
    "np.array([1, 2], copy=False).tolist()": [1, 2],
    "same is np.array(same, copy=False) and same is not np.array(same, copy=True)": True,
    "np.array(copy=False, dtype=float, object=[1]).tolist()": [1.0],
    "np.percentile([1, 2, 4, 8], 50, interpolation='lower')": 2,
    "np.nanquantile([1, 2, np.nan], 0.5, interpolation='higher')": 2.0,
    "np.reshape(a=[1, 2], newshape=(2, 1)).tolist()": [[1], [2]],
    "np.linalg.cholesky(a=[[4.0]]).tolist()": [[2.0]],
    "np.corrcoef([1, 2, 3], [2, 4, 6], bias=1)[0, 1].round(3)": 1.0,
    "np.sum(x * x for x in range(4))": 14,
    "np.sum(squares) + sum(x for x in range(3))": 17,
    "np.sum([x for x in (1, 2)], axis=0) + same.sum(axis=0)": 6,
}
LINES = (
    "import numpy.matlib\nnumpy.matlib.product([2])",
    "from numpy.core.umath_tests import inner1d",
    "from numpy.linalg.linalg import *\nnorm([3, 4])",
    "from numpy.lib.stride_tricks import as_strided, broadcast_to",
    "from numpy.core.numeric import asarray, NaN",
    "import numpy.lib.function_base as f\nf.median([1])",
    "np.testing.assert_array_equal(x=[1], y=[1])",
    "import warnings\nwarnings.filterwarnings('ignore', category=np.VisibleDeprecationWarning)",
    "np.warnings.filterwarnings('ignore', category=np.ComplexWarning)",
    "from IPython.core.display import display, HTML, clear_output\ndisplay(3)",
    "from IPython.display import set_matplotlib_formats\nset_matplotlib_formats('svg')",
    "from matplotlib_inline.backend_inline import set_matplotlib_formats\nset_matplotlib_formats('png')",
    "get_ipython().magic('%matplotlib inline')\nget_ipython().magic('time 3')",
    "import matplotlib.pyplot as plt\nfor style in ('seaborn', 'seaborn-whitegrid'):\n    plt.style.use(style)",
    "from matplotlib import cm\nassert cm.get_cmap('viridis', 3).N == 3 and cm.get_cmap().N == 256",
    "import matplotlib.pyplot as plt\nplt.cm.register_cmap('own', plt.cm.get_cmap('hot'))\nplt.get_cmap('own')",
    "import matplotlib.pyplot as plt\nplt.register_cmap('mine', plt.cm.hot)\nplt.grid(b=True)",
    "import matplotlib.pyplot as plt\naxes = plt.gca()\naxes.boxplot([[1, 2]], labels=['a'])\naxes.grid(b=None)",
)


@pytest.fixture(scope="module")
def worker():
    """One warm worker for all notebooks of this module."""
    with Sandbox(Limits(**seconds(LONG))) as worker:
        yield worker


@pytest.fixture
def box(worker):
    """A new notebook in that worker."""
    return worker.start()


def test_every_name_that_was_lost_is_there_or_of_no_use(box):
    """Each resolves, in each module that had it."""
    names = {name: keys for name, keys in LOST["names"].items() if not name.startswith(MODULES_OF_NO_USE)}
    outcome = box.run(Cell(RESOLVE.format(names=json.dumps(names))))
    assert error(outcome) == []
    assert len(names) > 25
    assert {key for keys in json.loads(text(outcome)).values() for key in keys} - OF_NO_USE == set()


def test_old_names_give_the_numbers_that_they_gave(box):
    """Each line of NumPy 1's gives its worked number; none of them fails."""
    lines = [f"said({json.dumps(line)}, lambda: ({line}))" for line in NUMBERS]
    head = "import json\nimport numpy as np\nsame, squares = np.array([1, 2]), (x * x for x in range(4))\n"
    head += "def said(line, give):\n    print(json.dumps([line, give()], default=lambda value: value.tolist()))\n"
    outcome = box.run(Cell(head + "\n".join(lines)))
    assert error(outcome) == [], outcome.outputs[-1]
    given = [json.loads(line) for line in text(outcome).splitlines() if line.startswith("[")]
    assert dict(given) == NUMBERS


def test_old_lines_run(box):
    """Imports, warnings, displays, styles and colour maps as they were written then are no errors."""
    for line in LINES:
        outcome = box.run(Cell(f"import numpy as np\n{line}"))
        assert error(outcome) == [], (line, outcome.outputs)


EXACT = """
import numpy as np, types
class Own:
    def sum(self, values, copy=None):
        return type(values).__name__, copy
def own(a, copy, *, x=1):
    return [a, copy, x]
x = np.ones(3, np.float32)
assert type(np.array) is types.BuiltinFunctionType and np.sum.__name__ == "sum" and "as_before" not in dir()
assert own(a=1, copy=False, x=2) == [1, False, 2]
assert Own().sum((y for y in ()), copy=False) == ("generator", False)
assert x.astype(np.float32, copy=False) is x and x.astype(np.float32, copy=True) is not x
assert np.array(x, copy=None) is x and np.array(x, copy=True) is not x
assert np.percentile(x, 50, method="lower") == 1 and np.corrcoef(x, x).shape == (2, 2)
assert np.reshape(x, (3, 1)).shape == np.reshape(x, shape=(3, 1)).shape == (3, 1)
assert np.sum(x, axis=0, keepdims=True).tolist() == [3] and sum(y for y in x) == 3
assert np.bool is np.bool_ and np.long is not int
"""


def test_what_is_written_for_todays_numpy_does_what_it_did(box):
    """Functions are NumPy's own, and calls of one's own keep their arguments, in a cell whose calls are rewritten."""
    outcome = box.run(Cell(EXACT))
    assert error(outcome) == [], outcome.outputs


INSIDE = Path(sandbox.__file__).parent / "inside"
LEFT = """
import ast, json, sys
import old_calls
cells = json.load(sys.stdin)
same = [ast.dump(old_calls.rewrite(cell, tree := ast.parse(cell))) == ast.dump(ast.parse(cell)) for cell in cells]
print(json.dumps([same, old_calls._ARGUMENTS]))
"""
UNTOUCHED = (
    "y = np.array([[1, 2]], dtype=float)\nz = y.copy()\nw = np.sum(y, axis=-1, keepdims=True)",
    "total = sum(range(3))\nfor x in range(3):\n    total += np.sum(x)",
    "def f(a=3, x=2):\n    copy = a\n    return f(4)",
)


MEASURED = {module.__name__: module for module in (np, np.linalg, np.fft, np.random, np.testing, np.polynomial)}


@pytest.fixture(scope="module")
def old_calls():
    """Which cells stay as they are, and the arguments that the rewritten calls may have, by function."""
    command = [sys.executable, "-c", LEFT]
    done = subprocess.run(command, cwd=INSIDE, input=json.dumps(UNTOUCHED), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_cells_without_an_old_argument_are_not_rewritten(old_calls):
    """A copy, a sum and a loop cost what they cost elsewhere."""
    assert old_calls[0] == [True] * len(UNTOUCHED)


def test_every_argument_that_was_lost_is_taken(old_calls):
    """By the functions of NumPy and its modules; not by types, and not in masked arrays and arrays of text."""
    for path, lost in LOST["arguments"].items():
        module, _, name = path.rpartition(".")
        value = vars(MEASURED[module])[name] if module in MEASURED else None
        if value is not None and not isinstance(value, type):
            assert {*lost.split()} <= {*old_calls[1][f"{value.__module__}.{name}"]}, path


def test_none_of_it_reaches_the_process_that_judges(box):
    """Where answers are compared, NumPy is as it was installed."""
    box.run(Cell("import numpy as np\nnp.Inf"))
    assert not any(hasattr(np, name) for name in ("Inf", "float_", "in1d", "product"))
    assert not {"moved_names", "old_calls", "numpy_1"} & sys.modules.keys()
