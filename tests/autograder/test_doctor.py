"""What `autograder doctor` says of a machine, and of one on which something is missing."""

import json
import platform
import shutil
import sys
from pathlib import Path

import pytest

from autograder import cli, doctor
from autograder.sandbox.host import bubblewrap, control_groups, syscalls


@pytest.fixture
def said(monkeypatch, capsys):
    """Run the command and return its exit code, and its lines by their name."""

    def run():
        bubblewrap.level.cache_clear()
        with pytest.raises(SystemExit) as stop:
            cli.main(["doctor"])
        lines = capsys.readouterr().out.splitlines()
        return stop.value.code, {line[2:17].strip(): (line[0], line[18:]) for line in lines}

    yield run
    monkeypatch.undo()
    bubblewrap.level.cache_clear()


def test_a_machine_that_grades_is_ten_lines(said):
    """Here all that grading needs is there; the exit code says so."""
    code, lines = said()
    assert (code, len(lines)) == (0, 10)
    needed = ["bubblewrap", "namespaces", "seccomp"]
    assert [lines[name][0] for name in needed] == ["✓"] * 3
    assert lines["Python"][1].startswith(platform.python_version())
    assert "user" in lines["namespaces"][1]


def test_without_bubblewrap_it_says_how_to_install_it(said, monkeypatch):
    """Chromium is missing, too, which only tests and the PDF need."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    code, lines = said()
    assert code == 3
    assert lines["bubblewrap"][0] == lines["namespaces"][0] == "✗"
    assert "apt-get install bubblewrap" in lines["bubblewrap"][1]
    assert lines["Chromium"] == ("–", "only `make test` and `make pdf` need it: sudo apt-get install chromium")


def test_a_machine_that_forbids_namespaces(said, monkeypatch, tmp_path):
    """A bubblewrap that fails as it does under Ubuntu's AppArmor: its words, and the setting that allows it."""
    broken = tmp_path / "bwrap"
    broken.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && exec echo "bubblewrap 0.9.0"\n'
        "echo 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n"
    )
    broken.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "executable", lambda: str(broken))
    code, lines = said()
    assert (code, lines["namespaces"][0]) == (3, "✗")
    assert "setting up uid map: Permission denied" in lines["namespaces"][1]
    assert "sysctl kernel.apparmor_restrict_unprivileged_userns=0" in lines["namespaces"][1]


def test_what_only_weakens_or_slows_is_no_failure(said, monkeypatch):
    """Control groups, memory and packages for clusters and servers: each line has a remedy, and grading goes on."""
    monkeypatch.setattr(control_groups, "groups", dict)
    monkeypatch.setattr(control_groups, "available_memory", lambda: 1 << 30)
    monkeypatch.setattr(doctor, "find_spec", lambda module: None)
    code, lines = said()
    assert code == 0
    assert [lines[name][0] for name in ("control groups", "machine", "PostgreSQL", "Dask")] == ["–"] * 4
    assert lines["machine"][1].endswith("1.0 GB of memory free: close other programs, or grade with --jobs 1")


def test_without_libseccomp_it_is_a_failure(said, monkeypatch):
    """System calls are then not refused, so the exit code tells."""
    monkeypatch.setattr(syscalls, "filters", lambda: None)
    code, lines = said()
    assert (code, lines["seccomp"][0]) == (3, "✗")


@pytest.fixture
def course_with(root, tmp_path, monkeypatch):
    """Go to a course whose book loads this text as its list of packages for the browser."""

    def go(text):
        (tmp_path / "solutions").mkdir()
        (tmp_path / "nbgrader_config.py").touch()
        if text is not None:
            (tmp_path / "book/lite").mkdir(parents=True)
            (tmp_path / "book/lite/pyodide-lock.json").write_text(text)
        monkeypatch.chdir(tmp_path)

    return go


@pytest.mark.parametrize(("minor", "state"), [(1, "optional"), (0, "good"), (-1, "good")])
def test_the_python_of_the_browser_is_compared(course_with, minor, state):
    """A newer one there has syntax that cannot be read here; the line names both."""
    newer = f"3.{sys.version_info.minor + minor}"
    course_with(json.dumps({"info": {"python": f"{newer}.2"}}))
    finding = doctor.python()
    assert finding.state == state
    assert (f"make setup PYTHON=python{newer}" in finding.said) == (state == "optional")
    assert platform.python_version() in finding.said


@pytest.mark.parametrize("text", [None, "", "[]", '{"info": null}', '{"info": {"python": "three"}}'])
def test_a_course_without_a_browsers_python_is_no_failure(course_with, text):
    """A course without JupyterLite, or with a damaged list: there is nothing to compare with."""
    course_with(text)
    assert doctor.python_in_browser() == ()
    assert doctor.python().state == "good"


def test_the_version_is_read_from_what_the_book_loads(root, monkeypatch):
    """It is that of Pyodide's own compiled packages, such as NumPy: their file names have it, too."""
    monkeypatch.chdir(root)
    lock = json.loads(Path("book/lite/pyodide-lock.json").read_text())
    major, minor = doctor.python_in_browser()
    assert f"-cp{major}{minor}-" in lock["packages"]["numpy"]["file_name"]
