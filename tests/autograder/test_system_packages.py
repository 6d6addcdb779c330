"""What a machine lacks is installed or named before any other work, in one place."""

import shutil
import subprocess
import sys

import pytest

from autograder import doctor, system_packages

NEEDED_BY_MAKE = ("bash", "env", "sed")


@pytest.fixture
def bare(root, tmp_path):
    """Run make in a copy of what it reads first, on a machine without the packages, whose apt-get does this."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in NEEDED_BY_MAKE:
        (commands / name).symlink_to(shutil.which(name))
    (tmp_path / "course/autograder").mkdir(parents=True)
    for name in ("Makefile", "_toc.yml", "autograder/system_packages.py"):
        shutil.copy(root / name, tmp_path / "course" / name)

    def run(target, apt_get):
        script = commands / "apt-get"
        script.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/asked\n{apt_get}\n')
        script.chmod(0o755)
        (commands / "sudo").write_text('#!/bin/sh\nshift\nexec "$@"\n')
        (commands / "sudo").chmod(0o755)
        command = [shutil.which("make"), "-C", tmp_path / "course", target, f"PYTHON={sys.executable}"]
        ended = subprocess.run(command, env={"PATH": str(commands)}, capture_output=True, text=True, check=False)
        return ended, (tmp_path / "asked").read_text().splitlines(), (tmp_path / "course/.venv").exists()

    return run


def test_what_is_missing_is_named_in_one_line_before_anything_is_set_up(bare):
    """Where nothing can be installed, make stops at once, with the line that installs all of it."""
    ended, asked, is_set_up = bare("test", "exit 1")
    line, stopped, *rest = ended.stderr.splitlines()
    assert "sudo apt-get install bubblewrap chromium`" in line
    assert "Error 1" in stopped
    assert rest == []
    assert ended.returncode == 2
    assert [words.split()[0] for words in asked] == ["install", "update"]
    assert not is_set_up


def test_what_can_be_installed_is_installed(bare):
    """One call installs everything that a command needs, and nothing that another one needs; then set-up begins."""
    install = "printf '#!/bin/sh\nexit 1\n' >${0%/*}/bwrap; /bin/chmod +x ${0%/*}/bwrap"
    ended, asked, _ = bare("system-course", install)
    assert ended.returncode == 0
    assert asked == ["install bubblewrap -y --no-install-recommends"]


def test_doctor_says_the_same_words(monkeypatch):
    """The line that make prints and the one that doctor prints come from one list."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert doctor.chromium().said.endswith(system_packages.how_to_install("chromium"))


@pytest.mark.parametrize(
    ("there", "line"), [("dnf", "dnf install postgresql-server"), ("apt-get", "apt-get install postgresql")]
)
def test_each_package_manager_has_its_names(monkeypatch, there, line):
    """Fedora and Debian call some packages differently."""
    monkeypatch.setattr(system_packages, "which", lambda name: name if name == there else None)
    assert system_packages.how_to_install("postgresql") == f"sudo {line}"
