"""Notebooks that are unusual and right: each is the solved chapter with something about it that is no mistake.

An entry changes the solved notebook, or its bytes, and declares the points that it must get. All but a few get all;
those say in ``words`` what the message must name.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

CHAPTER = "04_query_key_value"
FULL = 20.0
PICTURE = "iVBORw0KGgo" + "A" * 300_007  # no picture, but as long as one


@dataclass(frozen=True)
class Odd:
    """One notebook: what is odd about it, what changes the solved one, and what it must get."""

    name: str
    does: str
    change: Callable | None = None
    score: float = FULL
    words: str = ""
    status: str = "graded"
    in_bytes: Callable | None = None

    def write(self, path, solved):
        """Write the notebook to a file; ``solved`` is changed."""
        if self.change:
            self.change(solved)
        data = nbformat.writes(solved, version=nbformat.NO_CONVERT).encode()
        path.write_bytes(self.in_bytes(data) if self.in_bytes else data)


def cell_of(notebook, grade_id):
    """Return the course's cell of this id."""
    return next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def beside(grade_id, *sources, below=False):
    """Return a change that puts cells of one's own above a course cell, or below it."""

    def change(notebook):
        place = notebook.cells.index(cell_of(notebook, grade_id)) + below
        notebook.cells[place:place] = map(new_code_cell, sources)

    return change


def pasted(notebook):
    """Keep what a student wrote, without the course's cells and without metadata."""
    answers = [cell.source for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    notebook.cells = [new_code_cell(source) for source in ("import numpy as np", *answers)]


def at_end(*sources):
    """Return a change that puts cells of one's own at the end."""
    return lambda notebook: notebook.cells.extend(map(new_code_cell, sources))


def inside(source, name="attention", below=False):
    """Return a change that puts lines into an answer's cell, above the answer or below it."""

    def change(notebook):
        cell = cell_of(notebook, name)
        cell.source = f"{cell.source}\n{source}" if below else f"{source}\n{cell.source}"

    return change


def in_setup(line):
    """Return a change that adds a line to the locked cell with the imports."""
    return lambda notebook: cell_of(notebook, "setup").update(source=f"{cell_of(notebook, 'setup').source}\n{line}")


def instead(name, old, new):
    """Return a change of an answer's text."""

    def change(notebook):
        cell = cell_of(notebook, name)
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    return change


def showing(*outputs):
    """Return a change that gives the answer's cell these outputs."""
    return lambda notebook: cell_of(notebook, "attention").update(outputs=list(outputs), execution_count=7)


def copied(name, source, above_test):
    """Return a change that pastes a copy of an answer's cell, which carries its id, with another text."""

    def change(notebook):
        place = notebook.cells.index(cell_of(notebook, name if above_test else f"test_{name}"))
        copy = nbformat.from_dict({**cell_of(notebook, name), "id": "pasted", "source": source})
        notebook.cells.insert(place + (not above_test), copy)

    return change


def texts(notebook):
    """Return the notebook's text cells."""
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def every_answer(change):
    """Return a change of the text of every answer."""

    def change_all(notebook):
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("solution"):
                cell.source = change(cell.source)

    return change_all


def at_top(notebook):
    """Write all answers into one cell at the top, and leave their own cells empty."""
    answers = [cell for cell in notebook.cells if cell.metadata.nbgrader.solution]
    own = new_code_cell("\n\n\n".join(cell.source for cell in answers))
    for cell in answers:
        cell.source = ""
    notebook.cells.insert(2, own)


def move_texts(notebook):
    """Gather all texts at the end."""
    moved = texts(notebook)
    notebook.cells = [cell for cell in notebook.cells if cell not in moved] + moved


def attach(notebook):
    """Attach a picture to a text of one's own."""
    notebook.cells.append(new_markdown_cell("![me](attachment:me.png)", attachments={"me.png": {"image/png": PICTURE}}))


def data_of(cells, **metadata):
    """Return a change of the notebook as plain data: of its cells, and of its metadata."""

    def change(data):
        notebook = json.loads(data)
        for cell in notebook["cells"]:
            cells(cell)
        notebook["metadata"].update(metadata)
        return json.dumps(notebook).encode()

    return change


def shown_json(cell):
    """Give every code cell an output that holds what JSON does not have."""
    if cell["cell_type"] == "code":
        data = {"application/json": {"loss": float("nan"), "best": float("-inf")}, "text/plain": ["nan"]}
        cell["outputs"] = [{"output_type": "display_data", "data": data, "metadata": {}}]


STUB = "def attention(query, key, value):\n    raise NotImplementedError()"
OLD_TRY = "def attention(query, key, value):\n    return query @ key.swapaxes(-1, -2)"
STATE = {"application/vnd.jupyter.widget-state+json": {"state": {"a": {"value": float("nan"), "x": [[1]] * 30_011}}}}
CALLED = (
    "class Attention:\n    def __call__(self, *args):\n        return plain(*args)\nplain = attention\nattention = "
)
LOUD = "def loud(f):\n    def g(*args):\n        print('called', *args)\n        return f(*args)\n    return g\n"
LISTS = "def as_lists(f):\n    return lambda *args: [part.tolist() for part in f(*args)]\n"
LONG_DOUBLE = "def wide(f):\n    return lambda *args: tuple(np.longdouble(part) for part in f(*args))\n"
PLAN_INSIDE = "    try:\n        import torch\n        return torch, torch\n    except ImportError:\n        pass\n"
IN_TRY = "try:\n    def scale():\n        import torch\n        return 1.0\nexcept ImportError:\n    pass"
SUPPRESSED = "found = 0\nwith contextlib.suppress(ImportError):\n    import torch\n    found = 1\nassert not found"
COPIES = """
import os, shutil
with open("notes.txt", "w") as notes:
    notes.write("grass")
shutil.copy2("notes.txt", "copy.txt")
shutil.copytree(".", "/tmp/copies", dirs_exist_ok=True)
os.chmod("copy.txt", 0o444)
assert open("/tmp/copies/copy.txt").read() == "grass"
"""
HEAVY = "import io\nfor number in range(300_007): print(number)\ndef helper(x): return x"
PLOTS = "import matplotlib.pyplot as plt\nfor _ in range(31):\n    plt.plot([1, 2, 3])\n    plt.show()"
PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.title('scores')\nplt.show()"
MODULE = "%%writefile own_helpers.py\ndef same(x): return x"

COMPLEX = "exact = attention\ndef attention(*args):\n    return tuple(one.astype(complex) for one in exact(*args))\n"
FRACTIONS = """
from fractions import Fraction
exact = attention
def attention(*args):
    return tuple(np.vectorize(Fraction, otypes=[object])(one) for one in exact(*args))
"""
DECIMAL = "from decimal import Decimal\nfloating = booster\ndef booster(*args):\n    return Decimal(floating(*args))\n"
FILES = (
    Odd("as_it_is", "the solved notebook"),
    Odd("picture", "a picture of 300 kB in a text", lambda nb: nb.cells.append(new_markdown_cell(f"![]({PICTURE})"))),
    Odd("attachment", "a picture attached to a text", attach),
    Odd("long_output", "18 MB of output", showing(new_output("stream", name="stdout", text="grass\n" * 3_000_017))),
    Odd("nan_output", "NaN and infinity in outputs", in_bytes=data_of(shown_json)),
    Odd("widgets", "the state of widgets, with NaN", in_bytes=data_of(lambda cell: None, widgets=STATE)),
    Odd("bom", "a mark for the order of bytes", in_bytes=lambda data: b"\xef\xbb\xbf" + data),
    Odd("crlf", "line ends of Windows", every_answer(lambda source: source.replace("\n", "\r\n"))),
    Odd("tabs", "tabs for blanks", every_answer(lambda source: source.replace("    ", "\t"))),
    Odd("no_ids", "a notebook of format 4.4", in_bytes=data_of(lambda cell: cell.pop("id"))),
    Odd(
        "no_metadata",
        "nbgrader's metadata dropped",
        lambda notebook: [cell.metadata.clear() for cell in notebook.cells],
    ),
    Odd("pasted", "the answers pasted into a new notebook", pasted),
    Odd("same_ids", "one id on all cells", in_bytes=data_of(lambda cell: cell.update(id="same"))),
    Odd("other_kernel", "a kernel of another name", in_bytes=data_of(lambda cell: None, language_info={"name": "py"})),
    Odd("text_deleted", "a text of the course deleted", lambda nb: nb.cells.remove(cell_of(nb, "about_attention"))),
    Odd("texts_moved", "all texts at the end", move_texts, words="changes no mark"),
    Odd("title_edited", "one's name in the title", lambda nb: nb.cells[0].update(source="# Ada's"), words="title"),
    Odd("many_texts", "a thousand notes", lambda nb: nb.cells.extend(new_markdown_cell("1") for _ in range(1009))),
    Odd("empty_cells", "empty cells between", lambda nb: [nb.cells.insert(3, new_code_cell("")) for _ in range(31)]),
    Odd(
        "collapsed",
        "cells folded away",
        lambda nb: [c.metadata.update(jupyter={"source_hidden": True}) for c in nb.cells],
    ),
)
NOT_HERE = (
    Odd("shell_line", "a shell line above the answer", inside("!ls")),
    Odd("shell_value", "what a shell line says is kept", inside("files = !ls\nprint(len(files))")),
    Odd("pip", "a magic that installs", inside("%pip --version")),
    Odd("bash", "a cell for bash", beside("attention", "%%bash\nls")),
    Odd("matplotlib_notebook", "a window for plots", inside("%matplotlib notebook")),
    Odd("matplotlib_inline", "and a plot", inside("%matplotlib inline\n" + PLOT)),
    Odd("input", "a question at the top of the cell", inside("n = input('how many? ')")),
    Odd("pandas", "an import that nothing uses", inside("import pandas as pd")),
    Odd("pandas_inside", "the same inside the function", instead("attention", '    """', '    import pandas\n    """')),
    Odd("missing", "a package that nobody has", inside("import nosuch_package.part as part")),
    Odd("missing_used", "and a line that uses it", inside("import nosuch_package\nnosuch_package.set_theme()")),
    Odd("annotations", "its types in annotations", instead("attention", "(query,", "(query: 'nosuch.Array',")),
    Odd("guarded", "an import with a plan", inside("try:\n    import torch\nexcept ImportError:\n    torch = None")),
    Odd("suppressed", "the same, suppressed", inside(f"import contextlib\n{SUPPRESSED}")),
    Odd("planned_inside", "a plan inside the function", instead("attention", '    """', PLAN_INSIDE + '    """')),
    Odd("other_plan", "a plan for something else", inside("try:\n    import torch\nexcept OSError:\n    pass")),
    Odd(
        "defined_in_try",
        "a function defined where its import is guarded",
        lambda nb: [inside(IN_TRY)(nb), instead("attention", '    """', '    scale()\n    """')(nb)],
    ),
    Odd("version", "the version of what is not here", inside("import torch\nprint(torch.__version__)")),
    Odd("unknown_magic", "a magic of an extension", inside("%nosuch_magic on")),
    Odd("autoreload", "an extension of IPython's", inside("%load_ext autoreload\n%autoreload 2")),
    Odd("time", "the answer's cell timed", inside("%%time")),
    Odd("timeit", "a line timed", inside("%timeit -n 1 -r 1 sum(range(10))")),
    Odd("help", "help at the top", inside("help(np.dot)\nnp.dot?")),
    Odd("user", "the user's name", inside("import getpass\nprint(getpass.getuser())")),
    Odd("own_file", "a file of one's own", inside("notes = open('my_notes.txt').read()")),
    Odd(
        "own_file_used",
        "and the answer needs it",
        lambda nb: [inside("w = np.load('w.npy')")(nb), instead("attention", '    """', '    w.sum()\n    """')(nb)],
        score=15.0,
        words="a notebook is handed in alone",
        status="error",
    ),
    Odd("written_module", "a module that a cell writes", beside("attention", MODULE, "from own_helpers import same")),
    Odd("folder", "another working folder", inside("%cd /tmp")),
    Odd("environment", "a variable of the environment", inside("import os\nos.environ.setdefault('HOME', '/')")),
)
CELLS = (
    Odd("much_printed", "300,000 lines, then a helper", beside("attention", HEAVY)),
    Odd("copies", "a file and a folder are copied in the answer's cell", inside(COPIES)),
    Odd("printed_in_answer", "the same in the answer's cell", inside(HEAVY)),
    Odd(
        "many_plots",
        "thirty plots",
        beside("attention", PLOTS),
    ),
    Odd("stub_pasted", "the stub pasted below the test", copied("attention", STUB, above_test=False)),
    Odd("old_try_below", "an old try below the test", beside("test_attention", OLD_TRY, below=True)),
    Odd("old_try_above", "an old try above the answer", beside("attention", OLD_TRY)),
    Odd("old_copy_above", "an old copy of the cell above", copied("attention", OLD_TRY, above_test=True)),
    Odd("old_try_in_cell", "an old try in the cell, above", inside(OLD_TRY)),
    Odd("at_top", "all answers in one cell at the top", at_top),
    Odd("test_again", "the check in a cell of one's own", at_end("check('attention', attention)")),
    Odd("error_at_end", "an error at the end", at_end("1 / 0")),
    Odd("syntax_at_end", "a cell that is no Python", at_end("this is a note")),
    Odd("exit_at_end", "the end of Python", at_end("exit()")),
    Odd("name_taken", "np is another thing in the end", at_end("np = None")),
    Odd("sleep", "a rest", beside("attention", "import time\ntime.sleep(0.3)")),
    Odd("async_cell", "await at the top", beside("attention", "import asyncio\nawait asyncio.sleep(0)")),
    Odd("threads", "a thread", inside("import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()")),
    Odd(
        "last_value",
        "the last value, as _ and Out",
        beside("attention", "2 + 3", "assert _ == 5 and 5 in Out.values()"),
    ),
    Odd("setup_edited", "an import in the locked cell", in_setup("import math"), status="tampered"),
    Odd(
        "setup_needed",
        "and the answer needs it",
        lambda nb: [in_setup("import math")(nb), instead("attention", '    """', '    math.pi\n    """')(nb)],
        score=15.0,
        words="`import math` was in the cell `setup`, which is locked and was restored",
        status="tampered",
    ),
    Odd(
        "mended_below",
        "the right answer below the test alone",
        lambda nb: [
            beside("test_attention", cell_of(nb, "attention").source, below=True)(nb),
            cell_of(nb, "attention").update(source=STUB),
        ],
        score=15.0,
        words="There is another definition of `attention` below its test",
        status="graded",
    ),
)
ANSWERS = (
    Odd("long_double", "more digits", inside(f"{LONG_DOUBLE}attention = wide(attention)", below=True)),
    Odd("lists", "lists for arrays", inside(f"{LISTS}attention = as_lists(attention)", below=True)),
    Odd("complex", "complex numbers with no imaginary part", inside(COMPLEX, below=True)),
    Odd("fractions", "fractions", inside(FRACTIONS, below=True)),
    Odd("decimal", "a decimal", inside(DECIMAL, "booster", below=True)),
    Odd("callable", "an object that can be called", inside(f"{CALLED}attention = Attention()", below=True)),
    Odd("lambda", "a lambda", inside("whole = attention\nattention = lambda *args: whole(*args)", below=True)),
    Odd("partial", "a partial", inside("import functools\nattention = functools.partial(attention)", below=True)),
    Odd("loud", "a decorator that prints", inside(f"{LOUD}attention = loud(attention)", below=True)),
    Odd("seterr", "NumPy raises where it would warn", inside("np.seterr(all='raise')", "soft_lookup")),
    Odd("print_options", "numbers printed otherwise", inside("np.set_printoptions(precision=2, suppress=True)")),
    Odd("seed", "a seed", inside("np.random.seed(0)")),
    Odd("star", "all names of NumPy", inside("from numpy import *")),
    Odd("future", "annotations of the future", inside("from __future__ import annotations")),
    Odd("letters", "Greek letters", instead("attention", "    return", "    α = 1\n    return")),
    Odd("counter", "a count of calls", inside("calls = 0\ndef count():\n    global calls\n    calls += 1")),
    Odd("warnings", "warnings are errors", inside("import warnings\nwarnings.simplefilter('error')")),
)
ABOVE = {  # lines that fail here, each above the answer
    "style_gone": "import matplotlib.pyplot as plt\nplt.style.use('seaborn-nosuch')",
    "locale": "import locale\nlocale.setlocale(locale.LC_ALL, 'xx_XX.UTF-8')",
    "device": "import torch\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\nprint(device)",
    "upload": "from google.colab import files\nuploaded = files.upload()\nfor name in uploaded:\n    print(name)",
    "table": "import pandas as pd\ntrain = pd.read_csv('train.csv')\ntrain.head()",
    "installed": "import piplite\nawait piplite.install('einops')",
    "subclass": "from torch import nn\nclass Net(nn.Module):\n    pass\nnet = Net()",
    "slider": "from ipywidgets import IntSlider\ns = IntSlider()\nn = s.value",
    "stopped": "class Stop(Exception):\n    def _render_traceback_(self):\n        return []\nraise Stop",
    "zero": "1 / 0",
    "called_early": "print(attention(np.ones((2, 3)), np.ones((5, 3)), np.ones((5, 2))))",
    "old_print": "print 'scores'",
    "half_line": "weights = softmax(\n",
    "newer_fstring": 'd = {"a": 1}\nprint(f"{d["a"]}")',
    "newer_module": "from itertools import nosuch\npairs = list(nosuch([1, 2], 2))",
    "exit": "exit()",
    "sys_exit": "import sys\nsys.exit(0)",
    "pdb": "import pdb; pdb.set_trace()",
    "number_asked": "n = int(input('how many heads? '))",
    "no_grad": "import torch\nwith torch.no_grad():\n    print(torch.ones(3))",
    "folder_gone": "import os\nos.chdir('/home/ada/attention')",
    "widget_window": "import matplotlib\nmatplotlib.use('TkAgg')",
    "asserted": "assert np.__version__ == '1.23.5'",
    "timed_and_failed": "%%time\nopen('weights.txt')",
}
FIRST_LINE = "    scores = "  # of the answer
INSIDE = {  # lines that do nothing here, each in the answer
    "breakpoint": "breakpoint()",
    "ipdb": "import ipdb; ipdb.set_trace()",
    "embed": "from IPython import embed; embed()",
    "asked_inside": "input('go on? ')",
    "tqdm": "from tqdm import tqdm\n    for _ in tqdm(range(3)): pass",
    "icecream": "from icecream import ic; ic(query)",
    "no_grad_inside": "import torch\n    with torch.no_grad(): pass",
}
PLACES = (
    *(Odd(name, "a line that fails here, above the answer", inside(line)) for name, line in ABOVE.items()),
    *(
        Odd(name, "it does nothing here", instead("attention", FIRST_LINE, f"    {line}\n{FIRST_LINE}"))
        for name, line in INSIDE.items()
    ),
    Odd("njit", "a decorator of a package that is not here", inside("from numba import njit\n@njit")),
    Odd("jaxtyping", "types of one", instead("attention", "(query,", "(query: Float[Array, 'n d'],")),
)
OLD_NUMPY = (
    "    x = np.asfarray(np.cast[np.float_](query))\n    assert np.alltrue(x < np.Inf) and np.product(x.shape)\n"
)
OLD_CALLS = """    query = np.array(query.tolist(), copy=False, dtype=np.float(0).__class__)
    np.percentile(query, 50, interpolation="lower")
    rows = (row.sum() for row in np.reshape(key, newshape=key.shape))
    assert np.isfinite(np.sum(rows) + np.sum(x * x for x in range(3)))
"""
OLD_MODULES = """import numpy.matlib
from numpy.core.umath_tests import inner1d
from numpy.lib.function_base import trapz
np.warnings.filterwarnings("ignore", category=np.VisibleDeprecationWarning)
np.linalg.linalg.norm([3, 4]), np.core.numeric.alltrue([1])"""
OLD_PLOT = """from IPython.display import set_matplotlib_formats
import matplotlib.pyplot as plt
set_matplotlib_formats("png")
plt.style.use("seaborn-whitegrid")
plt.plot([1, 2], color=plt.cm.get_cmap("viridis")(0.5))
plt.grid(b=True)
plt.show()"""
OLD_DISPLAY = "from IPython.core.display import display, HTML\ndisplay(HTML('a'))\nget_ipython().magic('time 1')"
OLDER = (
    Odd("old_numpy", "names of NumPy 1 in the answer", instead("attention", "    scores", OLD_NUMPY + "    scores")),
    Odd("old_calls", "arguments of NumPy 1", instead("attention", "    scores", OLD_CALLS + "    scores")),
    Odd("old_modules", "modules of NumPy 1", inside(OLD_MODULES)),
    Odd("old_plot", "a plot of Matplotlib 3.5", inside(OLD_PLOT)),
    Odd("old_display", "IPython 7", inside(OLD_DISPLAY)),
)
ENTRIES = FILES + NOT_HERE + CELLS + ANSWERS + PLACES + OLDER
