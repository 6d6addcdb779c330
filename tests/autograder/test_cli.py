"""The commands as people type them: results on stdout, words on stderr, one line and exit 2 for an error of use."""

import json
import os
import signal
import subprocess
import sys
import zipfile
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.commands.setting import course_and_class
from autograder.sandbox.host import bubblewrap, syscalls

CHAPTER = "04_query_key_value"


@dataclass
class Done:
    """What a command did."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def autograder(root, monkeypatch, capsys):
    """Run the command line in this process and return what it did."""
    monkeypatch.chdir(root)

    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Done(stop.value.code, printed.out, printed.err)

    return run


def test_the_command_is_installed(root):
    """The console script exists and helps, and an unknown command is one line and exit 2."""
    command = Path(sys.executable).with_name("autograder")
    done = subprocess.run([command, "mark"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "invalid choice: 'mark'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_class_from_sample_to_export(autograder, tmp_path):
    """Sample class, grading as JSON lines, feedback, report and export, on a class of three."""
    assert autograder("sample-class", CHAPTER, "--students", 3, "--root", tmp_path).returncode == 0
    graded = autograder("grade", CHAPTER, "--root", tmp_path, "--jobs", 1, "--json")
    assert graded.returncode == 0
    lines = {line["student"]: line for line in map(json.loads, graded.stdout.splitlines())}
    assert sorted(lines) == [f"student000{n}" for n in range(1, 4)]
    assert (lines["student0001"]["status"], lines["student0001"]["score"]) == ("graded", 20)
    assert "3 submissions" in graded.stderr
    written = autograder("feedback", CHAPTER, "--root", tmp_path)
    assert written.stdout.startswith("3 pages")
    assert (tmp_path / "feedback" / "student0003" / CHAPTER / f"{CHAPTER}.html").exists()
    page = tmp_path / f"report_{CHAPTER}.html"
    assert autograder("report", CHAPTER, "--root", tmp_path).stdout == f"report: {page}\n"
    assert page.exists()
    to = tmp_path / "marks.csv"
    for chapters in ([], [CHAPTER]):  # no chapter is every graded one
        written = autograder("export", "--to", to, "--format", "canvas", "--root", tmp_path, *chapters)
        assert written.stdout == f"3 students, 3 marks: {to}\n"
    assert to.read_text().startswith("Student,ID,SIS User ID,SIS Login ID,Section,")


@pytest.mark.parametrize("sign", ["submitted", "class.toml"])
def test_in_a_class_its_folder_need_not_be_named(root, tmp_path, monkeypatch, sign):
    """Where submitted/ or class.toml is, the commands are about that class; a sample class never goes there."""
    monkeypatch.chdir(tmp_path)
    here = Namespace(root=None, course=None)
    assert [course_and_class(here, new)[1].root for new in (False, True)] == [root, root]
    (tmp_path / sign).mkdir() if sign == "submitted" else (tmp_path / sign).touch()
    assert [course_and_class(here, new)[1].root for new in (False, True)] == [tmp_path, root]
    (tmp_path / "other").mkdir()
    assert course_and_class(Namespace(root=tmp_path / "other", course=None))[1].root == tmp_path / "other"


def test_a_class_from_a_zip_and_back(autograder, tmp_path, root):
    """Collect, grade, feedback, return: results on stdout, what is unclear on stderr, and the roster of class.toml."""
    solved = root / "solutions" / CHAPTER / f"{CHAPTER}.ipynb"
    ada, ben = (f"{name}_assignsubmission_file_" for name in ("Ada Lovelace_5201", "Ben Ten_5208"))
    with zipfile.ZipFile(tmp_path / "moodle.zip", "w") as archive:
        archive.write(solved, f"{ada}/{CHAPTER} (1).ipynb")
        archive.writestr(f"{ben}/report.pdf", b"%PDF-1.7")
    (tmp_path / "class.toml").write_text('[class]\nroster = "who.csv"\n')
    (tmp_path / "who.csv").write_text("login,name\nada,Ada Lovelace\nben,Ben Ten\n")
    arguments = ["collect", tmp_path / "moodle.zip", "--chapter", CHAPTER, "--root", tmp_path]
    assert autograder(*arguments, "--dry-run").stderr.endswith("nothing was written: --dry-run\n")
    done = autograder(*arguments)
    assert (done.returncode, done.stdout) == (
        0,
        f"{CHAPTER}: 2 new, 0 replaced, 0 unchanged: {tmp_path / 'submitted'}\n",
    )
    line, names = done.stderr.splitlines()
    assert "display name" in names
    assert line.startswith(f"ben: moodle.zip/{ben}/report.pdf: a PDF, not a notebook; collected as it is")
    assert autograder("grade", CHAPTER, "--root", tmp_path, "--jobs", 1).returncode == 0
    back, marks = tmp_path / "back.zip", tmp_path / "marks.csv"
    arguments = ["return", CHAPTER, "--as", "moodle", "--to", back, "--root", tmp_path]
    done = autograder(*arguments)
    assert done.stderr.endswith(
        f"no page of {CHAPTER} is there and up to date: run `autograder feedback {CHAPTER}` first\n"
    )
    autograder("feedback", CHAPTER, "--root", tmp_path)
    done = autograder(*arguments, "--marks", marks)
    assert (done.stdout, done.stderr) == (f"2 pages for Moodle: {back}\n2 students, 2 marks: {marks}\n", "")
    assert zipfile.ZipFile(back).namelist() == [f"{ada}/{CHAPTER}.html", f"{ben}/{CHAPTER}.html"]


def test_check_prints_one_notebook(autograder, root):
    """The solved chapter gets full marks, as JSON and in words."""
    path = root / "solutions" / CHAPTER / f"{CHAPTER}.ipynb"
    assert json.loads(autograder("check", path, "--json").stdout)["score"] == 20
    words = autograder("check", path).stdout
    assert words.startswith(f"{CHAPTER}: 20 of 20 points (graded)")
    assert "query_between: 2 of 2, graded. Right." in words


def test_check_finds_the_chapter_of_any_notebook(autograder, root, tmp_path):
    """Whatever its file is called: the exercises in it say."""
    path = tmp_path / "05 Ada (1).ipynb"
    path.write_bytes((root / "solutions" / CHAPTER / f"{CHAPTER}.ipynb").read_bytes())
    assert autograder("check", path).stdout.startswith(f"{CHAPTER}: 20 of 20 points (graded)")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["grade", "12_unknown"], "unknown chapter '12_unknown': expected one of "),
        (["grade", CHAPTER, "--root", "nowhere"], "no folder nowhere: expected one that holds submitted/"),
        (["grade", CHAPTER, "--jobs", "0"], "expected a whole number of at least 1, got '0'"),
        (["grade"], "the following arguments are required: CHAPTER"),
        (["check", "nothing.ipynb"], "no notebook nothing.ipynb"),
        (["check", "pyproject.toml"], "pyproject.toml is not graded: a text file, not a notebook"),
        (["feedback", CHAPTER, "--root", "tests"], "nothing graded below"),
        (["report", CHAPTER, "--root", "tests"], "nothing graded below"),
        (["export", "--to", "marks.csv", "--root", "tests"], "nothing graded below"),
        (["export", "--to", "nowhere/marks.csv", CHAPTER], "no folder nowhere: make it, or name another file"),
        (
            ["export", "--to", "marks.odt", "--format", "odt"],
            "unknown format 'odt': expected one of csv, canvas, moodle",
        ),
        (["export"], "the following arguments are required: --to"),
        (["export", "--to", "marks.xlsx"], ".csv"),
        (["export", "--to", "marks", "--format", "moodle"], ".csv"),
        (["return", CHAPTER, "--as", "moodle", "--to", "x.zip", "--marks", "marks.ods"], ".csv"),
        (["grade", CHAPTER, "--root", "tests"], "no submission of 04_query_key_value in"),
        (["watch"], "the following arguments are required: CHAPTER"),
        (["watch", "12_unknown"], "unknown chapter '12_unknown'"),
        (["release", "../etc"], "unknown chapter '../etc'"),
        (["collect", "nothing.zip"], "no file nothing.zip: expected a notebook, a zip, a folder or Moodle's worksheet"),
        (["collect", "tests", "--chapter", "12_unknown"], "unknown chapter '12_unknown'"),
        (["collect", "tests", "--login", "../x"], "the login '../x' cannot be a folder's name"),
        (["collect", "tests", "--roster", "LICENSE"], "LICENSE, line 1: no column 'login', found"),
        (["collect", "tests", "--root", "nowhere"], "no folder nowhere"),
        (["collect"], "the following arguments are required: FILE"),
        (
            ["return", CHAPTER, "--as", "ilias", "--to", "x.zip"],
            "unknown format 'ilias': expected one of moodle, canvas",
        ),
        (["return", CHAPTER, "--as", "moodle", "--to", "x.zip", "--root", "tests"], "nothing graded below"),
        (["return", CHAPTER, "--to", "x.zip"], "the following arguments are required: --as"),
    ],
)
def test_errors_of_use_are_one_line(autograder, arguments, words):
    """What is wrong and what to do, on one line of stderr, with exit 2 and no traceback."""
    done = autograder(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.strip().splitlines()
    assert words in line


@pytest.mark.parametrize("arguments", [["--help"], ["check", f"solutions/{CHAPTER}/{CHAPTER}.ipynb"]], ids=" ".join)
def test_a_reader_that_leaves_is_no_error(root, arguments):
    """Where nobody reads the pipe any more, as after `| head -1`, the command ends without a word."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "autograder", *arguments]
    env = {**os.environ, "PYTHONUNBUFFERED": ""}
    done = subprocess.run(command, cwd=root, env=env, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")


@pytest.fixture
def no_bubblewrap(monkeypatch):
    """A machine without bwrap."""
    monkeypatch.setenv("PATH", "/nowhere")
    bubblewrap.level.cache_clear()
    yield
    bubblewrap.level.cache_clear()


def test_no_bubblewrap_refuses_to_grade(autograder, no_bubblewrap, root):
    """Without bubblewrap nothing is run; with --unprotected it is, loudly."""
    path = root / "solutions" / CHAPTER / f"{CHAPTER}.ipynb"
    refused = autograder("check", path)
    assert refused.returncode == 2
    assert "bubblewrap is missing, so student code was not run" in refused.stderr
    loud = autograder("check", path, "--unprotected")
    assert loud.returncode == 0
    assert loud.stderr.startswith("UNPROTECTED")


def test_without_libseccomp_grading_needs_a_word(monkeypatch, capsys, root):
    """One line says what is missing and what to do; with --weaker-sandbox it goes on, and the record says so."""
    monkeypatch.setattr(syscalls, "filters", lambda: None)
    notebook = str(root / f"solutions/{CHAPTER}/{CHAPTER}.ipynb")
    with pytest.raises(SystemExit) as ended:
        main(["check", notebook])
    assert ended.value.code == 2
    assert "libseccomp is missing" in capsys.readouterr().err
    bubblewrap.level.cache_clear()
    try:
        with pytest.raises(SystemExit) as ended:
            main(["check", notebook, "--json", "--weaker-sandbox"])
        result = json.loads(capsys.readouterr().out)
        assert "no seccomp (libseccomp is missing)" in bubblewrap.level()  # which run.json records
    finally:
        bubblewrap.level.cache_clear()
    assert (ended.value.code, result["status"]) == (0, "graded")


@pytest.mark.parametrize("module", ["multiprocessing", "numpy"])
def test_no_module_of_the_current_folder_is_loaded(tmp_path, module, root):
    """It may be anybody's: a shared folder, or what a student handed in."""
    (tmp_path / f"{module}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    (tmp_path / "submitted" / "ada" / CHAPTER).mkdir(parents=True)
    (tmp_path / "submitted" / "ada" / CHAPTER / f"{CHAPTER}.ipynb").write_text("{}")
    command = [Path(sys.executable).with_name("autograder"), "grade", CHAPTER, "--jobs", "2"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert not (tmp_path / "ran").exists()
