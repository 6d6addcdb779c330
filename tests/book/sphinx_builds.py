"""Sphinx as a command, without loading it anew for each of many small books: every build is a fork of one process."""

import json
import subprocess
import sys

LOADED = """
import json, os, sys
import myst_parser.sphinx_ext.main, sphinx.application, sphinx.builders.html
from sphinx.cmd.build import main
for line in sys.stdin:
    arguments, environment, said = json.loads(line)
    if not (child := os.fork()):
        os.environ.update(environment)
        with open(said, "w", encoding="utf-8") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        code = 70
        try:
            code = main(arguments)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Sphinx:
    """A process that has loaded Sphinx; ``with Sphinx(folder) as build: said, code = build(*arguments)``.

    The folder keeps what the latest build has said.
    """

    def __init__(self, folder):
        self.said = folder / "said.txt"

    def __enter__(self):
        command = [sys.executable, "-c", LOADED]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self.build

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def build(self, *arguments, **environment):
        """Build as ``sphinx-build`` does; return what was said, and the exit code."""
        asked = [list(map(str, arguments)), environment, str(self.said)]
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        code = int(self.process.stdout.readline())
        return self.said.read_text(encoding="utf-8"), code
