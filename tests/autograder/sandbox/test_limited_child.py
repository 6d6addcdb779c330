"""An action on students' files runs in a child with little time and memory."""

import subprocess
import sys

SCRIPT = """
import resource
from autograder.sandbox.host.limited_child import run_limited
for kind, most in ((resource.RLIMIT_AS, 1 << 30), (resource.RLIMIT_CPU, 10)):
    resource.setrlimit(kind, (most, most))
kinds = resource.RLIMIT_AS, resource.RLIMIT_CPU
run_limited(lambda: print(*(resource.getrlimit(kind)[1] for kind in kinds), flush=True))
"""


def test_a_lower_limit_that_holds_already_stays(root):
    """As in a batch system: no process may raise its own limits, and the action runs within the lower ones."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True, check=True)
    assert tuple(map(int, done.stdout.split())) == (1 << 30, 10)
