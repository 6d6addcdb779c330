"""The course's folder may hold a class: git must not take its people and their marks along."""

import shutil
import subprocess

from autograder.runs.class_run import ClassRun
from tests.support.hand_in import CHAPTER

CLASS_FILE = f"""
[class]
timezone = "Europe/Rome"
roster = "roster.csv"

[late]
percent_per_day = 10

[due]
{CHAPTER} = 2026-12-04T23:59:00
"""


def test_git_ignores_what_a_class_leaves(classroom, submit, answered, assignment, root):
    """After a late submission is graded, `git add -A` would add nothing of the class, its roster or an export."""
    (classroom.root / "class.toml").write_text(CLASS_FILE)
    (classroom.root / "roster.csv").write_text("login,email\nada,ada@example.org\n")
    (classroom.root / "marks.csv").write_text("student\nada\n")
    submit("ada", answered())
    (classroom.submitted("ada", CHAPTER) / "timestamp.txt").write_text("2026-12-05 12:00:00 UTC")
    list(ClassRun(classroom, [assignment], seed=7))
    assert (classroom.root / f".late-{CHAPTER}.json").exists()
    shutil.copy(root / ".gitignore", classroom.root)
    subprocess.run(["git", "init", "--quiet", classroom.root], check=True)
    status = ["git", "-C", classroom.root, "status", "--porcelain", "--untracked-files=all"]
    assert subprocess.run(status, check=True, capture_output=True, text=True).stdout.split() == ["??", ".gitignore"]
