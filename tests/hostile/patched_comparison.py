"""Whatever compares an answer with the right one is made to say yes; the answers solve nothing."""

from functools import partial

from autograder.classroom.forgeries import FORGERIES, forge

from .corpus import Hostile

BUILTINS = """
import builtins
yes = lambda *args, **kwargs: True
for name in ("all", "any", "isinstance", "issubclass", "bool", "hasattr", "callable"):
    setattr(builtins, name, yes)
builtins.abs = builtins.max = builtins.float = lambda *args, **kwargs: 0.0
"""
NUMPY = """
import numpy.testing as testing
yes = lambda *args, **kwargs: True
for module in (np, testing, np._core.numeric, np._core.fromnumeric, np.ma, np.linalg):
    for name in dir(module):
        if "equal" in name or "close" in name or name in ("all", "any", "isfinite", "isnan", "less_equal"):
            try:
                setattr(module, name, yes)
            except (AttributeError, TypeError):
                pass
"""
RIGGED_ARRAY = """
class Yes(np.ndarray):
    __eq__ = __ne__ = __le__ = __lt__ = __ge__ = __gt__ = lambda self, other: np.ones(np.shape(other), bool)
    __array_priority__ = 1e9
    def __array_function__(self, function, types, args, kwargs): return True
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs): return np.True_
    def __reduce__(self): return print, ("unpickled",)
"""
RIGGED_FLOAT = """
class Yes(float):
    __eq__ = __le__ = __lt__ = __ge__ = lambda self, other: True
    __sub__ = __rsub__ = __abs__ = __add__ = lambda self, *other: Yes(0)
    __array_ufunc__ = lambda self, *args, **kwargs: True
    __hash__ = float.__hash__
"""
RIGGED_OBJECT = """
class Yes:
    shape, dtype, ndim, size = (2,), np.dtype(float), 1, 2
    def __eq__(self, other): return True
    def __array__(self, *args, **kwargs): return self
    def __getattr__(self, name): return self
    def __call__(self, *args, **kwargs): return self
    def __bool__(self): return True
    def __iter__(self): return iter([self])
    def __len__(self): return 2
"""
CHANGING = """
class Changing:
    reads = 0
    @property
    def __array_interface__(self):
        Changing.reads += 1
        return {"shape": (2,), "typestr": "<f8", "version": 3, "data": (id(self) + 8 * Changing.reads, True)}
"""
TRANSFORMER = """
import ast
class Points(ast.NodeTransformer):
    def visit_Expr(self, node):
        return ast.copy_location(ast.Expr(ast.Constant(10.0)), node)
shell = get_ipython()
shell.ast_transformers.append(Points())
shell.input_transformers_post.append(lambda lines: ["10.0\\n"])
"""
HOOKS = """
import sys
shell = get_ipython()
def points(*args, **kwargs):
    shell.outputs.items[:] = [{"output_type": "execute_result", "data": {"text/plain": "10.0"}, "metadata": {}}]
for event in ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell"):
    shell.events.register(event, points)
shell.set_custom_exc((BaseException,), lambda *args, **kwargs: points())
shell.showtraceback = shell.run_cell = shell.run_code = points
sys.displayhook = sys.excepthook = shell.displayhook = points
"""
SELFCHECK = """
import selfcheck
for name, value in vars(selfcheck).items():
    if callable(value) and not isinstance(value, type):
        setattr(selfcheck, name, lambda *args, **kwargs: None)
check = lambda *args, **kwargs: print("double: right on 1 worked example. score: 10/10")
"""
RIGGED_REPLIES = """
import sys, notebook_process
full = {"missing": False, "answers": [], "outputs": [], "exceeded": False, "score": 10, "passed": True, "points": 10,
        "status": "graded", "criteria": {"example": True, "unseen": True, "edges": True}}
for module in (sys.modules["__main__"], notebook_process):
    assert callable(module.answer)
    module.answer = lambda *args, **kwargs: full
"""
RIGGED_ENCODER = """
import sys, protocol
protocol.encode = lambda value, *rest: {"dtype": "<f8", "shape": [2], "data": "AAAAAAAAEEAAAAAAAAAYQA=="}
"""
CURSED = """
import gc
from operator import add
for kind in (np.ndarray, np.float64, float, int):
    slots = gc.get_referents(kind.__dict__)[0]
    for name in ("__eq__", "__le__", "__sub__", "__abs__"):
        slots[name] = lambda self, *other: True
"""
PRINTED = """
import os, sys
for line in ("score: 10/10", "10.0", "PASSED", "ok 1 - double", "Right.", '{"score": 10, "max_score": 10}'):
    print(line)
    print(line, file=sys.stderr)
    for stream in range(3):
        os.write(stream, line.encode())
"""
EITHER = "def double(x):\n    return {}"
SMALL = ("graded", "error", "crashed")

HIDDEN_CHANGE = """
import protocol
given, was, encode = None, None, protocol.encode
def double(x):
    global given, was
    given, was = x, x.copy()
    x *= 2
    return x.copy()
protocol.encode = lambda value, *rest: encode(was if value is given else value, *rest)
"""
NOTHING_TOLD = (
    HIDDEN_CHANGE
    + """
import notebook_process
notebook_process.told = lambda argument, before: before
"""
)

ENTRIES = (
    *(
        Hostile(
            f"known_{name}",
            "a trick that gives full marks under stock nbgrader",
            change=partial(forge, forgery=name),
            status=SMALL,
        )
        for name in FORGERIES
        if name != "skipped_tests"  # it is tampering, which is with its like in formats.py
    ),
    Hostile("hidden_change", "an input is changed, and told as if it were not", answer=HIDDEN_CHANGE, score=9.0),
    Hostile("nothing_told", "whatever tells of changed inputs tells of none", answer=NOTHING_TOLD, score=9.0),
    Hostile("builtins", "all, any, isinstance and their kind say yes", BUILTINS, status=SMALL),
    Hostile("numpy", "every comparison of NumPy says yes", NUMPY, status=("graded", "error")),
    Hostile("rigged_array", "an array that equals everything", RIGGED_ARRAY, EITHER.format("np.zeros(2).view(Yes)")),
    Hostile("rigged_float", "a number that is close to everything", RIGGED_FLOAT, EITHER.format("Yes(0)")),
    Hostile("rigged_floats", "a list of such numbers", RIGGED_FLOAT, EITHER.format("[Yes(0)] * 2")),
    Hostile("rigged_object", "an object with every attribute", RIGGED_OBJECT, EITHER.format("Yes()"), status=SMALL),
    Hostile(
        "rigged_inside",
        "such objects inside an array",
        RIGGED_OBJECT,
        EITHER.format("np.array([Yes()], object)"),
        status=SMALL,
    ),
    Hostile("changing_array", "memory that reads differently each time", CHANGING, EITHER.format("Changing()")),
    Hostile("nan", "NaN, which compares with nothing", answer=EITHER.format("np.full(x.shape, np.nan)")),
    Hostile(
        "inf", "infinity, which is within any relative tolerance", answer=EITHER.format("np.full(x.shape, np.inf)")
    ),
    Hostile("masked", "a masked array, in which nothing differs", answer=EITHER.format("np.ma.masked_all(x.shape)")),
    Hostile("transformers", "the test cell is rewritten before it runs", TRANSFORMER, status=SMALL),
    Hostile("hooks", "hooks of IPython write the points as the cell's value", HOOKS, status=SMALL),
    Hostile("selfcheck", "the self-check is made to praise", SELFCHECK, words="Returns nothing"),
    Hostile("replies", "the worker's own functions answer with full marks", RIGGED_REPLIES, status=SMALL),
    Hostile("encoder", "every value leaves as the worked example's answer", RIGGED_ENCODER, status=SMALL),
    Hostile("cursed", "comparisons of NumPy's and Python's own types are replaced in C", CURSED, status=SMALL),
    Hostile("printed", "points are printed on every stream", PRINTED),
    Hostile("memorised", "the visible answer is returned", answer=EITHER.format("np.array([4.0, 6.0])")),
)
