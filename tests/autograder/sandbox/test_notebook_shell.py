"""The shell of a notebook reads cells as Jupyter does."""

import json
import subprocess
import sys
from pathlib import Path

from autograder import sandbox

FORMS = (
    *("%time seen = 1", "seen = %env HOME", "  %time seen = 1", "if True:\n    %time seen = 1", "%%capture\nseen = 1"),
    *("?len", "seen = 1\nlen?", "len??", ",print seen one", ";print seen one", "/print 1", "  /print 1"),
    *("!ls\nseen = 1", "seen = !ls", "seen = 7 % 3 != 1", "seen = 1 # is it?", "def f():\n    return 1\n"),
)
BOTH_READ = """
import json, sys
from IPython.core.inputtransformer2 import TransformerManager
from notebook_shell import Transformers
cells = json.load(sys.stdin)
print(json.dumps([[which().transform_cell(cell) for cell in cells] for which in (Transformers, TransformerManager)]))
"""


def test_every_form_of_ipython_is_read_as_in_jupyter():
    """Magics, shell lines, questions and quoting lines become what IPython itself makes of them."""
    run = subprocess.run(
        [sys.executable, "-c", BOTH_READ],
        cwd=Path(sandbox.__file__).parent / "inside",
        input=json.dumps(FORMS),
        capture_output=True,
        text=True,
        check=True,
    )
    ours, theirs = json.loads(run.stdout)
    assert ours == theirs
    assert "run_line_magic" in ours[0]
