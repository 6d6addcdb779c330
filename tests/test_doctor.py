"""What `autograder doctor` says of a machine, and of one on which something is missing."""

import shutil

import pytest

from autograder import cli, doctor
from autograder.sandbox import bubblewrap, syscalls, tree


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
    needed = ["Python", "bubblewrap", "namespaces", "seccomp"]
    assert [lines[name][0] for name in needed] == ["✓"] * 4
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
    monkeypatch.setattr(tree, "groups", dict)
    monkeypatch.setattr(tree, "available_memory", lambda: 1 << 30)
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
