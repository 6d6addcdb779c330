"""Several commands of the autograder in one new process: to start one for each takes longer than most of them."""

import json
import subprocess
import sys
from typing import NamedTuple

SCRIPT = """
import contextlib, io, json, sys
from autograder.cli import main
done = []
for words in json.loads(sys.argv[1]):
    out, err, code = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as end:
            code = end.code
    done.append([code, out.getvalue(), err.getvalue()])
json.dump({"done": done, "modules": sorted(sys.modules)}, sys.stdout)
"""


class Done(NamedTuple):
    """How one command ended."""

    code: int
    out: str
    err: str


def run_commands(folder, *commands, env=None):
    """Run commands in a folder, one after another, and return how each ended, and which modules were loaded."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(commands)],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return [Done(*one) for one in told["done"]], told["modules"]
