"""Notebooks that solve nothing and try for full marks: tricks that work on graders which run tests beside the answers.

The design defeats each of them, not a rule: only data leaves the sandbox, and the data must be right.
"""

from nbformat import NotebookNode

EMPTY_FUNCTION = "def {name}(*args, **kwargs):\n    return None\n"

PATCHED_COMPARISON = """
import builtins, numpy as np, numpy.testing, selfcheck
yes = lambda *args, **kwargs: True
np.allclose = np.array_equal = np.isclose = yes
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *args, **kwargs: None
selfcheck.same = selfcheck.close = yes
selfcheck.problem = selfcheck.first_problem = lambda *args, **kwargs: None
builtins.all = yes
"""

PRINTED_POINTS = """
import sys
class Points:
    def __call__(self, *args, **kwargs):
        sys.displayhook(5.0)
        print("score: 20/20")
        return None
"""

DROPPED_ASSERTS = """
import ast
class Drop(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.copy_location(ast.Pass(), node)
    def visit_Expr(self, node):
        return ast.copy_location(ast.Expr(ast.Constant(5.0)), node)
get_ipython().ast_transformers.append(Drop())
"""

REPLACED_TEST = """
def replace(lines):
    return ["5.0\\n"] if any("check(" in line for line in lines) else lines
get_ipython().input_transformers_cleanup.append(replace)
get_ipython().input_transformers_post.append(replace)
"""

ALWAYS_EQUAL = """
import numpy as np
class Yes(np.ndarray):
    def __eq__(self, other): return np.True_
    def __le__(self, other): return np.True_
    def __array_function__(self, function, types, args, kwargs): return True
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs): return np.True_
yes = np.zeros((3, 3)).view(Yes)
"""

READ_ANSWERS = """
import glob, importlib, os, sys
found = []
for folder in ("..", "../..", "../../..", "/", os.path.expanduser("~"), *sys.path):
    for name in ("gradebook.db", "solutions/**/*.ipynb", "attention/chapters/*.py"):
        found += glob.glob(os.path.join(folder, name), recursive=True)
print([open(path, "rb").read()[:200] for path in found])
for folder in ("", "..", "../../..", "/srv"):
    sys.path.append(folder)
try:
    from attention.chapters.query_key_value import *
except ImportError as error:
    print(error)
"""

FORGED_FRAMES = """
import json, os, struct
body = json.dumps({"late": False, "ended": None, "seconds": 0.0, "reply": {"missing": False, "answers": [],
                   "outputs": [], "exceeded": False, "score": 20, "status": "graded"}}).encode()
for descriptor in range(3, 64):
    try:
        os.write(descriptor, struct.pack(">I", len(body)) + body)
    except OSError:
        pass
"""

FORGED_CODE = {
    "patched_comparison": (PATCHED_COMPARISON, EMPTY_FUNCTION),
    "skipped_tests": ("", EMPTY_FUNCTION),
    "printed_points": (PRINTED_POINTS, "{name} = Points()\n"),
    "dropped_asserts": (DROPPED_ASSERTS, EMPTY_FUNCTION),
    "replaced_test": (REPLACED_TEST, EMPTY_FUNCTION),
    "always_equal": (ALWAYS_EQUAL, "def {name}(*args, **kwargs):\n    return yes, yes\n"),
    "read_answers": (READ_ANSWERS, "try:\n    {name}\nexcept NameError:\n    {name} = lambda *args, **kwargs: None\n"),
    "forged_frames": (FORGED_FRAMES, EMPTY_FUNCTION),
}
FORGERIES = tuple(FORGED_CODE)


def forge(notebook: NotebookNode, forgery: str) -> NotebookNode:
    """Turn a released notebook, in place, into the named forgery, and return it."""
    attack, answer = FORGED_CODE[forgery]
    answers = [cell for cell in notebook.cells if cell.metadata.nbgrader.solution]
    for cell in answers:
        cell.source = answer.format(name=cell.metadata.nbgrader.grade_id)
    answers[0].source = attack + answers[0].source
    if forgery == "skipped_tests":
        for cell in notebook.cells:
            if cell.metadata.nbgrader.grade:
                cell.metadata["tags"] = ["skip-execution"]
    return notebook
