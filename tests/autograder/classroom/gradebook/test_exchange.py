"""nbgrader's own exchange around our grading: what is submitted, collected, graded and released reaches its student."""

import errno
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
import pytest
from nbgrader import api
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.utils import notebook_hash
from traitlets.config.loader import PyFileConfigLoader

from autograder.classroom.arrival import arrival
from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook import exchange
from autograder.classroom.gradebook.database import head_revision
from autograder.classroom.gradebook.exchange import SECRET_FILE, TIMESTAMP, read_stamps
from autograder.course.course import Course
from autograder.errors import CourseError, UsageError
from autograder.grading import intake
from autograder.lms import exchange_arrivals, exchange_collect
from autograder.lms.exchange_arrivals import Inbound
from autograder.lms.watch import ArrivalWatcher
from autograder.pages.feedback import feedback
from autograder.runs.class_run import ClassRun
from tests.support.hand_in import CHAPTER, RIGHT, answer_in, submit_in, write_submission
from tests.support.root import ROOT

pytestmark = pytest.mark.filterwarnings("ignore:Passing unrecognized arguments:DeprecationWarning")  # nbgrader's own
COURSE_ID = Course(ROOT).settings.course_id  # nbgrader reads this course's configuration
SQUARED = "def double(x):\n    return x ** 2"


class Term:
    """A course, its class, an exchange, and homes of students who work with nbgrader's commands."""

    def __init__(self, folder, mini, settings):
        self.folder, self.settings, self.inbound = folder, settings, folder / "exchange" / COURSE_ID / "inbound"
        self.room = ClassRoom(folder / "course")
        if not self.room.root.exists():
            shutil.copytree(mini.root, self.room.root, ignore=shutil.ignore_patterns("__pycache__"))
            (folder / "exchange").mkdir()
            (folder / "exchange").chmod(0o1777)
        self.assignment = Course(self.room.root, mini.exercises_package).assignment(CHAPTER)

    def nbgrader(self, student="", **owner):
        """Return nbgrader's programming interface, as the instructor's or a student's."""
        config = PyFileConfigLoader("nbgrader_config.py", path=str(self.settings)).load_config()
        config.Exchange.root = str(self.folder / "exchange")
        config.CourseDirectory.root = str(self.room.root)
        config.CourseDirectory.source_directory, config.CourseDirectory.release_directory = "solutions", "exercises"
        config.ExchangeCollect.check_owner = owner.get("check_owner", False)  # all of this is one account's
        if student:
            config.Exchange.assignment_dir = str(self.folder / student)
            config.Exchange.cache = str(self.folder / student / ".cache")
            config.CourseDirectory.student_id = student
            config.CourseDirectory.root = str(self.folder / student)
        return NbGraderAPI(config=config)

    def released(self):
        """Release the assignment."""
        assert self.nbgrader().release_assignment(CHAPTER)["success"]
        return self

    def does(self, student, action):
        """Let a student fetch, submit or fetch feedback, as nbgrader's own commands do it."""
        own = self.nbgrader(student)
        own.coursedir.assignment_id = CHAPTER
        getattr(own.exchange, action)(coursedir=own.coursedir, authenticator=own.authenticator, parent=own).start()

    def hands_in(self, student, source):
        """Let a student fetch the assignment, answer it and submit; return the folder that is in the exchange now."""
        before = set(self.inbound.iterdir())
        path = self.folder / student / CHAPTER / f"{CHAPTER}.ipynb"
        if not path.exists():
            self.does(student, "FetchAssignment")
        nbformat.write(answer_in(nbformat.read(path, as_version=4), source), path)
        self.does(student, "Submit")
        (new,) = set(self.inbound.iterdir()) - before
        return new

    def collects(self, **owner):
        """Collect, as the instructor; return what nbgrader logged."""
        said = self.nbgrader(**owner).collect(CHAPTER, update=True)
        assert said["success"], said
        return said["log"]

    def grades(self, **settings):
        """Grade what is collected."""
        return dict(ClassRun(self.room, [self.assignment], **settings))

    def feedback_of(self, student):
        """Write and release everybody's feedback; return what a student can fetch then, ``{time: page}``."""
        feedback(self.room, self.assignment)
        said = self.nbgrader().release_feedback(CHAPTER)
        assert said["success"], said
        self.does(student, "FetchFeedback")
        pages = self.folder.glob(f"{student}/{CHAPTER}/feedback/*/{CHAPTER}.html")
        return {page.parent.name: page.read_text() for page in pages}

    def in_formgrader(self, student):
        """Return what the formgrader's list of submissions says of a student."""
        return next(said for said in self.nbgrader().get_submissions(CHAPTER) if said["student"] == student)


@pytest.fixture(scope="module")
def begun(tmp_path_factory, mini, root):
    """The folder of a term whose assignment is released; nobody changes it."""
    folder = tmp_path_factory.mktemp("begun")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(api, "get_alembic_version", head_revision)  # nbgrader starts a program to ask, for two seconds
        yield Term(folder, mini, root).released().folder


@pytest.fixture
def term(begun, tmp_path, mini, root, monkeypatch):
    """A term whose assignment is released."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    return Term(tmp_path, mini, root)


def stamp(folder, name=TIMESTAMP):
    """Return what is beside a submission."""
    return (folder / name).read_text()


def test_a_term_by_the_exchange(term):
    """Submitted twice, collected, graded, released: the student reads the page of what counted, and it is ours."""
    first, second = term.hands_in("ada", SQUARED), term.hands_in("ada", RIGHT)
    term.collects()
    assert term.in_formgrader("ada")["autograded"] is False
    assert term.grades()["ada"].score == 10
    shown = term.in_formgrader("ada")
    assert (shown["autograded"], shown["score"], shown["needs_manual_grade"]) == (True, 10, False)
    assert shown["timestamp"] == stamp(second).removesuffix(" UTC").replace(" ", "T")
    fetched = term.feedback_of("ada")
    assert fetched == {stamp(second): (term.room.feedback("ada", CHAPTER) / f"{CHAPTER}.html").read_text()}
    assert stamp(first) != stamp(second)


def test_feedback_is_of_what_was_graded(term):
    """What comes after grading is ungraded in the formgrader, and the page still goes to the earlier submission."""
    first = term.hands_in("ada", SQUARED)
    term.collects()
    term.grades()
    second = term.hands_in("ada", RIGHT)
    term.collects()
    assert term.in_formgrader("ada")["autograded"] is False
    assert term.feedback_of("ada").keys() == {stamp(first)}
    assert term.grades()["ada"].score == 10  # it waits for a word from a person
    assert term.in_formgrader("ada")["autograded"] is False
    term.grades(write_changes=True)
    assert (term.in_formgrader("ada")["autograded"], term.in_formgrader("ada")["score"]) == (True, 10)
    assert term.feedback_of("ada").keys() == {stamp(first), stamp(second)}


def test_the_same_notebook_once_more_is_not_graded_again(term):
    """Its mark stays, its time and the way of its page are those of the last submission."""
    term.hands_in("ada", RIGHT)
    term.collects()
    term.grades()
    record = term.room.autograded("ada", CHAPTER) / "run.json"
    graded = record.stat().st_mtime_ns
    again = term.hands_in("ada", RIGHT)
    term.collects()
    term.grades()
    assert record.stat().st_mtime_ns == graded
    assert term.in_formgrader("ada")["autograded"] is True
    assert term.feedback_of("ada").keys() == {stamp(again)}


def test_one_who_did_not_use_the_exchange_stops_nobody(term, released):
    """A notebook that came by mail is graded and released with the rest, where nobody asks for it."""
    by_mail = answer_in(nbformat.from_dict(released))
    submit_in(term.room, "abe", by_mail)
    term.hands_in("ada", RIGHT)
    term.collects()
    term.grades()
    assert len(term.feedback_of("ada")) == 1
    assert term.in_formgrader("abe")["autograded"] is True
    secret = stamp(term.room.feedback("abe", CHAPTER), SECRET_FILE)
    feedback(term.room, term.assignment)
    assert (
        stamp(term.room.feedback("abe", CHAPTER), SECRET_FILE) == secret
    )  # else each release would leave another file
    names = {path.name for path in (term.folder / "exchange" / COURSE_ID / "feedback").iterdir()}
    assert f"{notebook_hash(secret=secret, notebook_id=CHAPTER)}.html" in names


HOSTILE = {
    "empty": "",
    "word": "yesterday",
    "huge": "9" * 20,
    "no_time": "2026-11-22 99:99:99 UTC",
    "NUL": "\x00" * 40,
    "long": "2026-11-22 " * 1000,
}


@pytest.fixture(scope="module")
def stamped(assignment, released, tmp_path_factory):
    """A class of one student a hostile time, graded: ``(classroom, results)``."""
    room = ClassRoom(tmp_path_factory.mktemp("stamped"))
    for name, text in HOSTILE.items():
        submit_in(room, name, answer_in(nbformat.from_dict(released)))
        (room.submitted(name, CHAPTER) / TIMESTAMP).write_text(text)
    return room, dict(ClassRun(room, [assignment]))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_time_that_is_none_is_not_kept(stamped, name):
    """A student may write anything there: the work is graded, and the gradebook holds no time."""
    room, results = stamped
    assert results[name].score == 10
    assert not (room.autograded(name, CHAPTER) / TIMESTAMP).exists()
    with Gradebook(room.database, COURSE_ID) as book:
        assert book.find_submission(CHAPTER, name).timestamp is None


def test_stamps_by_a_link_are_not_read(classroom, submit, answered):
    """What a link leads to is another's, be it a secret or a password."""
    submit("ada", answered())
    (classroom.root / "theirs").write_text("a secret")
    (classroom.submitted("ada", CHAPTER) / SECRET_FILE).symlink_to(classroom.root / "theirs")
    assert read_stamps(classroom.submitted("ada", CHAPTER)) == {}


def test_a_time_that_the_machine_cannot_read_is_not_taken_for_none(classroom, submit, answered, monkeypatch):
    """A lost network drive makes no late submission punctual: both who read the time say so."""
    submit("ada", answered())
    folder = classroom.submitted("ada", CHAPTER)
    (folder / TIMESTAMP).write_text("2026-12-05 09:12:00 UTC")
    real = os.open

    def failing(name, *flags, **where):
        if os.fspath(name) == TIMESTAMP:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(name, *flags, **where)

    monkeypatch.setattr(intake.os, "open", failing)
    for read in (lambda: read_stamps(folder), lambda: arrival(classroom, "ada", CHAPTER)):
        with pytest.raises(CourseError, match=r"ada/.*timestamp.txt could not be read \(Input/output error\). Run the"):
            read()


def forged(term, name, source):
    """Put a folder into the exchange by hand, as every student may."""
    folder = term.inbound / name
    folder.mkdir()
    notebook = nbformat.read(term.room.root / "exercises" / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)
    write_submission(folder / f"{CHAPTER}.ipynb", answer_in(notebook, source))
    (folder / TIMESTAMP).write_text("2999-01-01 00:00:00 UTC")
    (folder / SECRET_FILE).write_text("known to Eve alone")
    return folder


def test_a_link_in_the_exchange_leads_nowhere(term):
    """A link to the solution is not followed, and only the student's own files are collected."""
    folder = forged(term, f"eve+{CHAPTER}+2026-11-22 10:00:00 UTC+x", SQUARED)
    solution = term.assignment.solution_path
    (folder / f"{CHAPTER}.ipynb").unlink()
    (folder / f"{CHAPTER}.ipynb").symlink_to(solution)
    os.mkfifo(folder / "pipe")
    (folder / "feedback").mkdir()
    log = term.collects()
    assert f"{CHAPTER}.ipynb is a symbolic link" in log
    assert "pipe is not an ordinary file" in log
    assert sorted(path.name for path in term.room.submitted("eve", CHAPTER).iterdir()) == [SECRET_FILE, TIMESTAMP]
    assert term.grades()["eve"].status == "no_notebook"


def test_nobody_submits_in_anothers_name(term, monkeypatch):
    """A later folder with Ada's name that belongs to Eve is named and left, and Ada's own is collected."""
    term.hands_in("ada", RIGHT)
    forged(term, f"ada+{CHAPTER}+2999-01-01 00:00:00 UTC+x", SQUARED)
    owners = {"x": "eve"}
    monkeypatch.setattr(
        exchange_collect, "owner_of", lambda path: owners.get(Path(path).name.rpartition("+")[2], "ada")
    )
    log = term.collects(check_owner=True)
    assert f"not collected: ada+{CHAPTER}+2999-01-01 00:00:00 UTC+x belongs to eve" in log
    assert term.grades()["ada"].score == 10


def of_a_stranger(patch, path):
    """Let a path belong to an account that is neither this one nor root."""
    lstat = Path.lstat
    patch.setattr(
        Path, "lstat", lambda one: os.stat_result([*(now := lstat(one))[:4], 54_321 if one == path else 0, *now[5:]])
    )


def swapped_for_a_link(patch, course):
    """Put a student's link in the place of the course's folder."""
    course.rename(course.with_name("moved"))
    course.symlink_to("moved")
    of_a_stranger(patch, course)


REPLACEABLE = {
    "a root without the sticky bit": (lambda patch, course: course.parent.chmod(0o777), "chmod +t"),
    "a course that everybody may write to": (lambda patch, course: course.chmod(0o777), "chmod +t"),
    "a course of another account": (of_a_stranger, "belongs to"),
    "an inbound folder of another": (lambda patch, course: of_a_stranger(patch, course / "inbound"), "belongs to"),
    "a student's link to the course": (swapped_for_a_link, "belongs to"),
}


@pytest.mark.parametrize("way", REPLACEABLE)
def test_an_exchange_that_others_could_replace_is_refused(term, monkeypatch, way):
    """Neither `nbgrader collect` nor `watch --collect` takes anything from it, and both say what to correct."""
    term.hands_in("ada", RIGHT)
    change, words = REPLACEABLE[way]
    change(monkeypatch, term.inbound.parent)
    done = term.nbgrader().collect(CHAPTER, update=True)
    assert not done["success"]
    assert words in done["log"]
    with pytest.raises(UsageError, match=words.replace("+", r"\+")):
        Inbound(term.nbgrader(), CHAPTER)
    assert not list((term.room.root / "submitted").glob("*/*/*.ipynb"))


@pytest.mark.parametrize("is_shared", [True, False])
def test_colleagues_are_trusted_where_the_folders_are_shared(term, monkeypatch, is_shared):
    """With nbgrader's `groupshared`, the members of the course folder's group may own the exchange; without, nobody."""
    of_a_stranger(monkeypatch, term.inbound.parent)
    monkeypatch.setattr(exchange_arrivals, "accounts_in", lambda group: frozenset([54_321]))
    coursedir = term.nbgrader().coursedir
    coursedir.groupshared = is_shared
    assert (exchange_arrivals.why_untrusted(term.inbound, coursedir) == "") == is_shared


@pytest.mark.parametrize("said", ["2020-01-01 00:00:00 UTC", "2020-01-01 01:00:00 CET"])
def test_a_time_that_the_files_belie_is_told(term, said):
    """Files that were put back, or changed later, are newer than their note; of others nothing is said."""
    (term.room.root / "class.toml").write_text('[class]\ntimezone = "Europe/Rome"')
    term.hands_in("ada", RIGHT)
    put_back = forged(term, f"eve+{CHAPTER}+2020-01-01 00:00:00 UTC+x", SQUARED)
    (put_back / TIMESTAMP).write_text(said)
    os.utime(put_back / f"{CHAPTER}.ipynb", (0, 0))  # this time is the student's to set
    (told,) = [line for line in term.collects().splitlines() if "doubtful" in line]
    assert f"doubtful: {put_back.name} says 2020-01-01 00:00 UTC, but its files were last changed at 20" in told


def test_a_later_link_leaves_what_was_collected(term):
    """A folder that cannot be opened, here a link, is no submission: the one before it stays."""
    term.hands_in("ada", RIGHT)
    term.collects()
    elsewhere = forged(term, f"eve+{CHAPTER}+2020-01-01 00:00:00 UTC+x", SQUARED)
    later = term.inbound / f"ada+{CHAPTER}+2999-01-01 00:00:00 UTC+y"
    later.symlink_to(elsewhere)
    assert f"not collected: {later.name} cannot be read" in term.collects()
    assert term.grades()["ada"].score == 10


def test_a_folder_without_a_date_stops_nobody(term):
    """A folder of any name in the exchange keeps nobody from being collected."""
    term.hands_in("ada", RIGHT)
    (term.inbound / f"eve+{CHAPTER}+never+x").mkdir()
    assert f"not collected: eve+{CHAPTER}+never+x" in term.collects()
    assert term.room.notebook("ada", CHAPTER).exists()


def test_what_is_still_being_written_is_left_for_the_next_time(term):
    """`nbgrader submit` writes the secret last: until it is there, the submission before counts."""
    term.hands_in("ada", SQUARED)
    second = term.hands_in("ada", RIGHT)
    secret = (second / SECRET_FILE).read_text()
    (second / SECRET_FILE).write_text("")
    assert f"not yet collected: {second.name} holds no {SECRET_FILE} yet" in term.collects()
    assert term.grades()["ada"].score < 10
    (second / SECRET_FILE).write_text(secret)
    term.collects()
    assert term.grades(write_changes=True)["ada"].score == 10


def watched(term, turns, action=lambda turn: None):
    """Watch the exchange for so many turns, with an action before each; return the lines for the instructor."""
    said, seconds = [], []

    def sleep(length):
        seconds.append(length)
        action(len(seconds))

    times = {"clock": lambda: sum(seconds), "sleep": sleep, "is_over": lambda: len(seconds) >= turns}
    run = ClassRun(term.room, [term.assignment], write_changes=True)
    ArrivalWatcher(
        run, said.append, lambda *result: None, collect=True, nbgrader=lambda room: term.nbgrader(), **times
    )()
    return said


def without_secret(folder):
    """Leave a submission without its secret, as a copy by hand or an interrupted `nbgrader submit` does."""
    (folder / SECRET_FILE).unlink()
    os.utime(folder / f"{CHAPTER}.ipynb", (0, 0))  # this time is the student's to set
    return folder


def test_a_folder_without_a_secret_counts_when_it_no_longer_changes(term, monkeypatch):
    """It is collected once, with a line that its student cannot fetch the page, and graded; others get theirs."""
    folder = without_secret(term.hands_in("ada", RIGHT))
    term.hands_in("ben", RIGHT)
    assert f"not yet collected: {folder.name}" in term.collects()
    assert not term.room.notebook("ada", CHAPTER).exists()
    monkeypatch.setattr(exchange, "APART", timedelta(0))
    assert f"without a secret: {folder.name}" in term.collects()
    assert "without a secret" not in term.collects()
    assert term.grades()["ada"].score == 10
    assert len(term.feedback_of("ben")) == 1


NOT_WHOLE = {
    "none": lambda path: path.unlink(),
    "half": lambda path: path.write_bytes(path.read_bytes()[:500]),
    "a link": lambda path: (path.rename(path.with_name("other")), path.symlink_to("other")),
}


@pytest.mark.parametrize("what", NOT_WHOLE)
def test_a_submission_that_failed_replaces_no_earlier_one(term, monkeypatch, what):
    """Without a secret and without a complete notebook it is named, and what came before counts."""
    term.hands_in("ada", RIGHT)
    folder = without_secret(term.hands_in("ada", SQUARED))
    NOT_WHOLE[what](folder / f"{CHAPTER}.ipynb")
    monkeypatch.setattr(exchange, "APART", timedelta(0))
    assert f"not collected: {folder.name} holds no {SECRET_FILE} and no complete {CHAPTER}.ipynb" in term.collects()
    assert term.grades()["ada"].score == 10


def test_a_watch_collects_what_has_settled_and_names_what_it_leaves(term, monkeypatch):
    """Nothing else arrives that would make it look again; each line comes once."""
    folder = without_secret(term.hands_in("ada", RIGHT))
    broken = without_secret(term.hands_in("ben", RIGHT))
    (broken / f"{CHAPTER}.ipynb").unlink()

    def settle(turn):
        if turn == 3:
            monkeypatch.setattr(exchange, "APART", timedelta(0))

    said = watched(term, 9, settle)
    for line in (f"without a secret: {folder.name}", f"not collected: {broken.name}"):
        assert sum(one.startswith(line) for one in said) == 1
    assert term.in_formgrader("ada")["score"] == 10


@pytest.mark.parametrize("owner", ["root", "nobody", "the account number 4711"])
def test_a_folder_of_another_account_is_named_with_the_setting_that_decides(term, monkeypatch, owner):
    """One account for all, a restored backup, a network drive: `check_owner` and its price are told, once a run."""
    for student in ("ada", "ben"):
        term.hands_in(student, RIGHT)
    monkeypatch.setattr(exchange_collect, "owner_of", lambda path: owner)
    log = term.collects(check_owner=True)
    assert log.count(f"belongs to {owner}") == 2
    assert log.count("check_owner = False") == log.count("any student can hand in for another") == 1
    assert not term.room.notebook("ada", CHAPTER).exists()
    assert "check_owner" not in term.collects(check_owner=False)
    assert term.grades().keys() == {"ada", "ben"}


def test_an_account_without_a_name_is_a_number(monkeypatch, tmp_path):
    """A network drive or a restored backup may show the number of an account that is not here."""
    monkeypatch.setattr(exchange_collect.pwd, "getpwuid", {}.__getitem__)
    assert exchange_collect.owner_of(tmp_path) == f"the account number {os.getuid()}"


def test_collecting_that_was_killed_is_done_again(term):
    """What a killed collection left beside the submissions does not count, and is gone after the next."""
    term.hands_in("ada", RIGHT)
    half = term.room.root / "submitted" / "ada" / f".{CHAPTER}.new"
    half.mkdir(parents=True)
    (half / f"{CHAPTER}.ipynb").write_text("{")
    with pytest.raises(UsageError, match="no submission"):
        term.grades()
    term.collects()
    assert not half.exists()
    assert term.grades()["ada"].score == 10


def test_answers_that_come_back_have_their_first_time(term):
    """A in time, B later, A once more: A's time counts, one line says so, and it is not collected over and over."""
    first = arrival_of(term, "ada", RIGHT)
    second = arrival_of(term, "ada", SQUARED)
    folder = term.hands_in("ada", RIGHT)
    said = term.collects()
    assert first < second
    assert arrival(term.room, "ada", CHAPTER) == first
    assert len([line for line in said.splitlines() if "same answers as on" in line and f"ada {CHAPTER}" in line]) == 1
    assert stamp(folder) != stamp(term.room.submitted("ada", CHAPTER))
    assert "Updating" not in term.collects()
    assert arrival_of(term, "ada", "def double(x):\n    return 2 * x") > second


def test_equal_answers_leave_the_first_submission_in_place(term):
    """A comment more is not collected, and is told once; after other work it is as late as it is."""
    first = arrival_of(term, "ada", RIGHT)
    before = term.room.notebook("ada", CHAPTER).read_bytes()
    term.hands_in("ada", f"# once more\n{RIGHT}\n")
    said = term.collects()
    assert [line for line in said.splitlines() if "kept time" in line and f"ada {CHAPTER}" in line and "stays" in line]
    said = term.collects()
    assert ("Updating" in said, "kept time" in said) == (False, False)
    assert (arrival(term.room, "ada", CHAPTER), term.room.notebook("ada", CHAPTER).read_bytes()) == (first, before)
    second = arrival_of(term, "ada", SQUARED)
    assert arrival_of(term, "ada", f"{RIGHT}  # other") > second


def test_a_class_that_an_older_version_collected_keeps_its_times(term):
    """Nothing is remembered of its answers: those that are there are read before newer ones replace them."""
    first = arrival_of(term, "ada", RIGHT)
    (term.room.root / "collected.json").unlink()
    assert arrival_of(term, "ada", f"{RIGHT}  # again") == first


def arrival_of(term, student, source):
    """Let a student hand in and collect it; return when it arrived, as the class notes it."""
    term.hands_in(student, source)
    term.collects()
    return arrival(term.room, student, CHAPTER)


def test_watching_the_exchange(term):
    """What is submitted is collected once it is complete and graded; what is refused is told once."""
    first = term.hands_in("ada", SQUARED)
    (term.inbound / f"eve+{CHAPTER}+never+x").mkdir()
    (term.inbound / f"eve+{CHAPTER}+never+x" / SECRET_FILE).write_text("known to Eve alone")

    def hand_in_again(turn):
        if turn == 5:
            term.hands_in("ada", RIGHT)

    said = watched(term, 12, hand_in_again)
    assert [line for line in said if line.startswith(("Collecting", "Updating"))] == [
        f"Collecting submission: ada {CHAPTER}",
        f"Updating submission: ada {CHAPTER}",
    ]
    assert sum(f"eve+{CHAPTER}+never+x" in line for line in said) == 1
    assert term.in_formgrader("ada")["score"] == 10
    assert stamp(term.room.autograded("ada", CHAPTER)) > stamp(first)


UNREADABLE = {"a word": "\ufeffyesterday evening", "too long": "2020-01-01 00:00:00 UTC" + " " * 300, "none": None}


@pytest.mark.parametrize("form", UNREADABLE)
def test_a_submission_that_says_no_time_has_that_of_its_name(term, form):
    """nbgrader wrote that one: lateness reads it, one line says so, and the submission is not collected once more."""
    folder = forged(term, f"eve+{CHAPTER}+2026-11-22 10:00:00.123456 UTC+x", SQUARED)
    (folder / TIMESTAMP).unlink()
    if UNREADABLE[form]:
        (folder / TIMESTAMP).write_text(UNREADABLE[form])
    said = term.collects()
    assert arrival(term.room, "eve", CHAPTER) == datetime(2026, 11, 22, 10, 0, 0, 123456, UTC)
    assert len([line for line in said.splitlines() if "no readable time" in line]) == 1
    assert "Updating" not in term.collects()


def test_the_time_in_a_name_is_compared_with_the_files(term):
    """A student may rename their folder: files that are newer than the name are called doubtful as well."""
    folder = forged(term, f"eve+{CHAPTER}+2020-01-01 00:00:00 UTC+x", SQUARED)
    (folder / TIMESTAMP).write_text("soon")
    assert "files were last changed" in term.collects()


def test_a_name_without_a_usable_time_is_told(term):
    """Nobody hands in in the year 9999: the line says that neither the file nor the name gives a time."""
    folder = forged(term, f"eve+{CHAPTER}+9999-01-01 00:00:00 UTC+x", SQUARED)
    (folder / TIMESTAMP).write_text("soon")
    assert "nor in its name" in term.collects()
    assert arrival(term.room, "eve", CHAPTER) is None
