"""Whatever ends a command is one line and an exit code; the traceback of a fault of ours is kept for its report."""

import errno
import re
import stat
import subprocess
import sys

import pytest

from autograder.cli import main
from autograder.commands import doctor
from autograder.error_handler import TRACEBACK

SCRIPT = """
import resource, sys
from pathlib import Path
from autograder import cli, doctor
from autograder.runs import one_notebook
from autograder.grading import grade

in_use = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (in_use + (8 << 20), in_use + (8 << 20)))
cli.main(["check", sys.argv[1], "--unprotected"])
"""


@pytest.fixture
def ended(monkeypatch, capsys, tmp_path):
    """Let the command `doctor` raise an error; return the exit code and the lines on stderr."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def run(error):
        def fails(options):
            raise error

        monkeypatch.setattr(doctor, "run", fails)
        with pytest.raises(SystemExit) as stop:
            main(["doctor"])
        return stop.value.code, capsys.readouterr().err.splitlines()

    return run


def test_a_fault_of_ours_is_one_line_with_its_traceback_in_a_file(ended, tmp_path):
    """Type and message on one line; the file holds the traceback, and nobody else can read it."""
    code, (line,) = ended(KeyError("cells\nTraceback"))
    assert code == 3
    assert "KeyError" in line
    (path,) = tmp_path.iterdir()
    assert str(path) in line
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert re.search(r"^Traceback.*^KeyError: ", path.read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    "error", [RecursionError("deep"), AssertionError("x" * 10**6), ExceptionGroup("", [OSError()])]
)
def test_no_exception_is_too_odd(ended, error):
    """One that has no text, too much of it, or several causes."""
    code, (line,) = ended(error)
    assert code == 3
    assert type(error).__name__ in line
    assert len(line) < 1000


def test_a_traceback_that_is_asked_for_is_printed(ended, monkeypatch, tmp_path):
    """With the environment variable no file is written; a password in an address is masked, as everywhere."""
    monkeypatch.setenv(TRACEBACK, "1")
    _, lines = ended(ValueError("postgresql://ana:s3cret@db/attention"))
    assert lines[0].startswith("Traceback")
    assert "s3cret" not in "".join(lines)
    assert list(tmp_path.iterdir()) == []


def test_without_room_for_the_traceback_the_line_says_how_to_see_it(ended, monkeypatch):
    """A folder for temporary files that cannot be written to costs only the file."""
    monkeypatch.setattr("tempfile.tempdir", "/proc/nowhere")
    code, (line,) = ended(KeyError("cells"))
    assert code == 3
    assert TRACEBACK in line


@pytest.mark.parametrize("error", [MemoryError(), OSError(errno.ENOMEM, "Cannot allocate memory")])
def test_memory_that_runs_out_is_no_fault(ended, error, tmp_path):
    """Python's own error and the kernel's are the same line, without a traceback to report."""
    code, (line,) = ended(error)
    assert code == 3
    assert "memory" in line
    assert list(tmp_path.iterdir()) == []


def test_a_process_with_little_memory_ends_with_one_line(root, tmp_path):
    """A notebook that does not fit into the memory that this process may use."""
    path = tmp_path / "04_query_key_value.ipynb"
    with path.open("wb") as file:
        file.truncate(60 << 20)
    done = subprocess.run([sys.executable, "-c", SCRIPT, path], cwd=root, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if "UNPROTECTED" not in line]
    assert (done.returncode, done.stdout, len(lines)) == (3, "", 1)
    assert "memory" in lines[0]


def test_a_name_with_line_breaks_in_an_argument_writes_no_line(capsys):
    """The parser quotes what it was given; it must not act on the terminal either."""
    with pytest.raises(SystemExit):
        main(["doctor", "--a\nautograder: b\x1b[2J"])
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "\x1b" not in said
