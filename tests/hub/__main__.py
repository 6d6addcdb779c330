"""A term on a real JupyterHub, command by command: `make hub` prints it, and fails where something is not as said.

Release, fetch, Validate, submit twice, collect, grade in the sandbox, release feedback, read it in Lab, watch.
It makes three Unix accounts and removes them at the end; pictures of what people saw are left in _build/hub/.
"""

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from playwright.sync_api import sync_playwright

from autograder.classroom.sample_class import fill_in
from autograder.course.course import COURSE_ID
from autograder.course.which_course import find_course

from .hub import ADA, BEN, PROXY, ROOT, TEACHER, Hub
from .people import WAIT, Person

CHAPTER = "04_query_key_value"
PATH = f"{CHAPTER}/{CHAPTER}.ipynb"
PICTURES = ROOT / "_build" / "hub"
MISTAKES = 5


class Term:
    """The walk: who takes part, and what each of them does."""

    def __init__(self, hub, browser):
        self.hub, self.assignment = hub, find_course(ROOT).assignment(CHAPTER)
        self.people = {account: Person(browser, hub, account, PICTURES) for account in (TEACHER, ADA, BEN)}

    def types(self, *command, fails=False):
        """Let the teacher type a command; print it with what came, and return that."""
        print(f"\n{TEACHER}$ {' '.join(command)}", flush=True)
        done = self.hub.run(TEACHER, sys.executable, "-m", *command)
        said = "\n".join(line for line in (done.stdout + done.stderr).splitlines() if "%|" not in line)
        print(said.strip().replace(str(self.hub.folder), "/srv"), flush=True)
        assert bool(done.returncode) == fails, f"exit {done.returncode}"
        return said

    def does(self, account, what):
        """Say what somebody does in the browser, and return who."""
        print(f"\n{account}: {what}", flush=True)
        return self.people[account]

    def answers(self, account, wrong=0):
        """Let a student answer everything, the first few with a listed mistake that the worked examples show."""
        person = self.people[account]
        notebook = nbformat.from_dict(person.notebook(PATH))
        for place, (name, exercise) in enumerate(self.assignment.exercises.items()):
            mistake = next(one for one in exercise.mistakes if not one.edge) if place < wrong else None
            fill_in(self.assignment, notebook, name, mistake)
        person.save(PATH, notebook)

    def submits(self, account, what):
        """Let a student submit."""
        self.does(account, what).assignment("submit", COURSE_ID, CHAPTER)

    def in_formgrader(self):
        """Return what the formgrader lists, as ``{student: (graded, score)}``."""
        rows = self.people[TEACHER].call("GET", f"/formgrader/api/submissions/{CHAPTER}")
        return {row["student"]: (row["autograded"], row["score"]) for row in rows}


def released_and_submitted(term):
    """Release, fetch, Validate with five mistakes and without, submit twice."""
    term.types("nbgrader", "release_assignment", CHAPTER)
    ada = term.does(ADA, "Nbgrader > Assignment List > Fetch")
    ada.chooses("Assignment List")
    ada.page.get_by_role("button", name="Fetch", exact=True).click()
    ada.page.get_by_role("button", name="Submit", exact=True).wait_for()
    ada.picture("1_fetched")
    term.does(BEN, "the same").assignment("fetch", COURSE_ID, CHAPTER)
    term.answers(ADA, wrong=MISTAKES)
    said = term.does(ADA, f"{MISTAKES} mistakes, then Validate").validates(PATH, "2_validate_mistakes")
    print(said)
    assert all(f"{name}: not right yet" in said for name in list(term.assignment.exercises)[:MISTAKES])
    assert "Success" not in said
    term.submits(ADA, "Submit")
    term.answers(ADA)
    said = term.does(ADA, "all right, then Validate").validates(PATH, "3_validate_right")
    print(said)
    assert "Success" in said
    term.submits(ADA, "Submit once more")
    term.answers(BEN, wrong=2)
    term.submits(BEN, "two mistakes, Submit")


def graded_and_read(term):
    """Collect, grade, look at the formgrader, press its button, release feedback, read it in Lab."""
    term.types("nbgrader", "collect", CHAPTER)
    assert {graded for graded, _ in term.in_formgrader().values()} == {False}
    term.types("autograder", "grade", CHAPTER)
    after = term.in_formgrader()
    assert {graded for graded, _ in after.values()} == {True}
    assert after[ADA] == (True, 20)
    teacher = term.does(TEACHER, "Nbgrader > Formgrader, then Manage Submissions on a page of its own")
    teacher.chooses("Formgrader")
    listed = teacher.page.frame_locator("#formgrader-iframe iframe").get_by_text(CHAPTER)
    listed.first.wait_for()  # a hub lets nothing be shown inside Lab, unless the teacher's server says otherwise
    teacher.page.goto(f"{teacher.base}/formgrader/manage_submissions/{CHAPTER}")
    teacher.page.locator("td.autograde a").first.wait_for()
    print("\n".join(f"{name}: graded, {score:g} points" for name, (_, score) in after.items()))
    teacher.picture("4_formgrader")
    term.does(TEACHER, "its autograde button, at Ada's row")
    teacher.page.locator("td.autograde a").first.click()
    teacher.page.locator(".modal-body").first.wait_for()
    print(teacher.page.locator(".modal-body").first.inner_text())
    teacher.picture("5_button")
    assert term.in_formgrader() == after
    term.types("autograder", "feedback", CHAPTER)
    term.types("nbgrader", "release_feedback", CHAPTER)
    ada = term.does(ADA, "Fetch Feedback, and opens the page in Lab")
    ada.assignment("fetch_feedback", COURSE_ID, CHAPTER)
    pages = ada.call("GET", f"/api/contents/{CHAPTER}/feedback")["content"]
    print("\n".join(f"{page['path']}/{CHAPTER}.html" for page in pages))
    assert len(pages) == 1  # of the second submission alone
    ada.opens(f"{pages[0]['path']}/{CHAPTER}.html")
    shown = ada.page.frame_locator(".jp-HTMLViewer iframe").locator("body")
    shown.get_by_text("20 of 20").first.wait_for()
    ada.picture("6_feedback_in_lab")


def watched(term):
    """Watch the exchange while a student submits, and end it."""
    print(f"\n{TEACHER}$ autograder watch {CHAPTER} --collect --yes", flush=True)
    command = [sys.executable, "-m", "autograder", "watch", CHAPTER, "--collect", "--yes"]
    person, env = term.hub.owner(TEACHER), term.hub.environment(TEACHER)
    told = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=term.hub.course, env=env, **person)
    try:
        listen(told, "up to date")
        term.answers(BEN)
        term.submits(BEN, "all right now, Submit")
        came = time.monotonic()
        listen(told, f"{BEN} {CHAPTER}: graded, 20 of 20")
        print(f"({time.monotonic() - came:.1f} s after it was submitted)")
        assert term.types("autograder", "grade", CHAPTER, fails=True)
        told.send_signal(signal.SIGTERM)
        listen(told, "ended")
        assert told.wait(WAIT / 1000) == 0
    finally:
        told.kill()
    assert term.in_formgrader()[BEN] == (True, 20)


def listen(process, words):
    """Print what a command says until it says these words."""
    for line in process.stderr:
        print(line, end="", flush=True)
        if words in line:
            return
    raise AssertionError(f"it ended without saying {words!r}")


def main():
    """Walk."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not PROXY.exists() or not chromium:
        sys.exit("the walk needs chromium and JupyterHub's proxy: `make hub` gets both")
    with (
        tempfile.TemporaryDirectory(prefix="hub-") as folder,
        Hub(Path(folder)) as hub,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        term = Term(hub, browser)
        for part in (released_and_submitted, graded_and_read, watched):
            part(term)
        browser.close()
    print(f"\nthe term went as the book says; what people saw: {PICTURES}/*.png")


if __name__ == "__main__":
    main()
