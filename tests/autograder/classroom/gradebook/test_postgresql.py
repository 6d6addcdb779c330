"""A class's gradebook on a real PostgreSQL server: the same marks, one writer, and one line for whatever goes wrong.

``KILLS=5 STUDENTS=40 pytest -n 0`` and this file kill more runs, of a larger class.
"""

import os
import random
import shutil
import signal
import socket
import sys
import time
from itertools import count

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook import database, locks
from autograder.classroom.gradebook.database import full_address
from autograder.classroom.gradebook.gradebook import gradebook
from autograder.classroom.gradebook_url import masked
from autograder.classroom.results import batch_writer
from autograder.classroom.results.load import load_results
from autograder.classroom.which_gradebook import ADDRESS_FILE
from autograder.cli import main
from autograder.course.course import COURSE_ID
from autograder.course.which_course import find_course
from autograder.errors import CourseError, ServiceLost, UsageError
from autograder.lms.export import export
from autograder.pages.feedback import feedback
from autograder.pages.report import report
from autograder.runs import class_run
from autograder.runs.class_run import ClassRun
from tests.autograder.runs.test_kill import kill
from tests.support.killed import start

from .postgresql import MISSING, PASSWORD, Server, programs

CHAPTER = "01_doubling"
KILLS, STUDENTS = int(os.environ.get("KILLS", 1)), int(os.environ.get("STUDENTS", 6))
TCP = {"KEEPIDLE": 20, "KEEPINTVL": 10, "KEEPCNT": 3, "USER_TIMEOUT": 50_000}  # seconds, but the last
numbers = count()


@pytest.fixture(scope="module")
def server():
    """One server for this file; where none is installed its tests are left out, and the summary says so aloud."""
    found = programs()
    if not found:
        (pytest.fail if os.environ.get("POSTGRESQL") else pytest.skip)(MISSING)
    server = Server(found)
    yield server
    server.end()


@pytest.fixture
def url(server):
    """The address of a new, empty database."""
    name = f"class_{next(numbers)}"
    server.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    return server.url(name)


@pytest.fixture
def room(url, classroom):
    """A class whose gradebook is there, also where it was another until now."""
    (classroom.root / ADDRESS_FILE).unlink(missing_ok=True)
    return ClassRoom(classroom.root, url)


def marks(room):
    """Return everybody's marks as nbgrader reads them."""
    with Gradebook(full_address(room.database), COURSE_ID) as book:
        return {entry["student"]: entry["score"] for entry in book.submission_dicts(CHAPTER)}


def one_line(error):
    """Return an error's text, which is one line and holds no password."""
    text = str(error.value)
    assert "\n" not in text
    assert not any(part in text for part in PASSWORD.split())
    return text


def test_marks_and_files_are_the_same_as_on_sqlite(graded, room, assignment, tmp_path, tmp_path_factory):
    """From the same record come the same marks, the same table and the same pages, whichever database holds them."""
    in_a_file = ClassRoom(shutil.copytree(room.root, tmp_path_factory.mktemp("sqlite") / "class"))
    list(ClassRun(room, [assignment]))
    assert marks(room) == marks(in_a_file) == {"ada": 10, "ben": 0, "cy": 0, "dee": 10}
    written = []
    for place in (in_a_file, room):
        table = export(place, [assignment], tmp_path / "marks.csv").path.read_bytes()
        pages = [path.read_bytes() for path in feedback(place, assignment)]
        written.append((table, pages, report(place, assignment).read_bytes()))
    assert written[0] == written[1]


def test_a_mark_by_hand_stays_and_wins(graded, room, assignment):
    """What a person gave is in the results, and still there after the same class is graded again from its files."""
    list(ClassRun(room, [assignment]))
    with Gradebook(full_address(room.database), COURSE_ID) as book:
        book.find_grade("test_double", CHAPTER, CHAPTER, "ben").manual_score = 7
        book.db.commit()
    shutil.rmtree(room.autograded("ben", CHAPTER))
    list(ClassRun(room, [assignment], seed=7))
    assert marks(room)["ben"] == 7
    assert load_results(room, assignment)["ben"]["score"] == 7


def test_the_command_line_takes_the_address_and_never_prints_the_password(server, url, tmp_path, capsys):
    """A whole run by commands on a real chapter: what is printed names the gradebook with stars for its password."""
    chapter = find_course().chapters()[0]
    place = [chapter, "--root", str(tmp_path)]
    for command in (
        ["sample-class", *place, "--students", "2"],
        ["grade", *place, "--db", url, "--jobs", "1"],
        ["export", *place, "--db", url, "--to", str(tmp_path / "marks.csv")],
    ):
        with pytest.raises(SystemExit) as ended:
            main(command)
        assert ended.value.code == 0
    said = capsys.readouterr()
    assert f"marks: postgresql://ana:***@127.0.0.1:{server.port}/class_" in said.err
    assert not any(part in said.out + said.err for part in PASSWORD.split())


def test_what_does_not_let_us_in_is_one_line(server, url, classroom, assignment, submit, answered, monkeypatch):
    """Wrong password, no such database, nobody at the port: said before anything is graded."""
    submit("ada", answered())
    closed = url.replace(f":{server.port}/", ":1/")
    for wrong, words in (
        (url.replace(PASSWORD.replace(" ", "%20"), "guessed"), "password authentication failed"),
        (server.url("nowhere"), 'database "nowhere" does not exist'),
        (closed, "Connection refused"),
    ):
        with pytest.raises(CourseError) as error:
            list(ClassRun(ClassRoom(classroom.root, wrong), [assignment]))
        assert words in one_line(error)
        assert "guessed" not in one_line(error)
        assert "PGPASSWORD" in one_line(error)
    assert not (classroom.root / "autograded").exists()


def test_the_password_may_come_from_the_environment(server, url, classroom, assignment, submit, answered, monkeypatch):
    """An address without a password does where the client library finds one, and that is printed nowhere."""
    submit("ada", answered())
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    bare = ClassRoom(classroom.root, url.replace(f":{PASSWORD.replace(' ', '%20')}@", "@"))
    list(ClassRun(bare, [assignment]))
    assert marks(bare) == {"ada": 10}
    assert masked(bare.database) == bare.database


def test_two_runs_from_two_folders_do_not_write_at_once(graded, room, assignment, tmp_path_factory, monkeypatch):
    """The server knows who writes: another machine's run is refused, and told where the first one is, until it ends."""
    list(ClassRun(room, [assignment]))
    other = ClassRoom(tmp_path_factory.mktemp("other"), room.database)
    shutil.copytree(room.root / "submitted", other.root / "submitted")
    first = iter(ClassRun(room, [assignment]))
    next(first)
    monkeypatch.setattr(locks, "GRACE_SECONDS", 0.0)
    with pytest.raises(UsageError) as error:
        list(ClassRun(other, [assignment]))
    assert "another `autograder grade` is running with postgresql://ana:***@" in one_line(error)
    assert "(from 127.0.0.1/32, since 20" in one_line(error)
    first.close()
    monkeypatch.undo()
    list(ClassRun(other, [assignment], write_changes=True))


def test_an_error_of_what_runs_under_the_lock_stays_what_it_is(url):
    """Another database's refusal is not reported as this one's."""
    theirs = IntegrityError("INSERT", {}, Exception("of another database"))
    with pytest.raises(IntegrityError) as error, locks.lock_gradebook(url, "autograder grade"):
        raise theirs
    assert error.value is theirs


def hand_in(submit, answered, students):
    """Hand in right and wrong work in turn."""
    for number in range(students):
        submit(f"student{number:03}", answered(f"def double(x):\n    return x * {2 + number % 2}"))
    return {f"student{number:03}": 10.0 - 10 * (number % 2) for number in range(students)}


def test_a_server_that_restarts_amid_a_run(server, room, assignment, submit, answered, monkeypatch):
    """The run ends with one line that says how far it came; the same command does the rest, and grades nobody twice."""
    monkeypatch.setattr(batch_writer, "BATCH", 2)
    wanted = hand_in(submit, answered, 6)
    run = iter(ClassRun(room, [assignment]))
    done = [next(run)[0], next(run)[0]]
    server.stop()
    server.start()
    with pytest.raises(ServiceLost) as error:
        list(run)
    assert "went away" in one_line(error)
    assert "of 6 are done and saved; run the same command again for the rest" in one_line(error)
    assert marks(room) == {student: wanted[student] for student in done}
    list(ClassRun(room, [assignment]))
    assert marks(room) == wanted


def test_a_server_that_stays_away_is_named_each_time(server, room, assignment, submit, answered, monkeypatch):
    """While it is down every command says so in one line; nothing that was recorded is lost."""
    monkeypatch.setattr(batch_writer, "BATCH", 2)
    wanted = hand_in(submit, answered, 4)
    run = iter(ClassRun(room, [assignment]))
    next(run)
    server.stop()
    try:
        with pytest.raises(ServiceLost, match="went away"):
            list(run)
        for command in (lambda: list(ClassRun(room, [assignment])), lambda: load_results(room, assignment)):
            with pytest.raises(CourseError) as error:
                command()
            assert "Connection refused" in one_line(error)
    finally:
        server.start()
    list(ClassRun(room, [assignment]))
    assert marks(room) == wanted


def test_a_run_whose_lock_is_gone_writes_nothing_more(server, room, assignment, submit, answered, monkeypatch):
    """Where the server has forgotten the session that holds the lock, another run may be at work: this one ends."""
    monkeypatch.setattr(batch_writer, "BATCH", 2)
    hand_in(submit, answered, 6)
    run = iter(ClassRun(room, [assignment]))
    done = {next(run)[0], next(run)[0]}
    server.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
    with pytest.raises(ServiceLost, match="went away"):
        list(run)
    assert marks(room).keys() == done


def test_a_machine_that_vanishes_is_noticed_by_both_sides(room):
    """What is sent and not received, and a silence, end a connection within a minute, here and at the server."""
    with gradebook(room) as book, book.engine.connect() as connection:
        ours = connection.connection.driver_connection.pgconn.socket
        with socket.socket(fileno=os.dup(ours)) as wire:
            tcp = {name: wire.getsockopt(socket.IPPROTO_TCP, getattr(socket, f"TCP_{name}")) for name in TCP}
            assert wire.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        theirs = [connection.scalar(text(f"SHOW tcp_keepalives_{name}")) for name in ("idle", "interval", "count")]
    assert tcp == TCP
    assert theirs == ["20", "10", "3"]
    assert TCP["KEEPIDLE"] + TCP["KEEPINTVL"] * TCP["KEEPCNT"] <= 60
    assert TCP["USER_TIMEOUT"] <= 60_000


def test_a_statement_is_planned_for_the_tables_as_they_are(room):
    """However often one is asked, the server keeps no plan of it: that of an empty table reads all of a full one."""
    with gradebook(room) as book, book.engine.connect() as connection:
        for _ in range(10):
            connection.scalar(text("SELECT count(*) FROM student"))
        assert connection.scalar(text("SELECT count(*) FROM pg_prepared_statements")) == 0


@pytest.mark.parametrize("role", ["gradebook", "lock"])
def test_a_server_that_answers_nothing_any_more(server, room, assignment, submit, answered, monkeypatch, role):
    """Stopped in its tracks, as on a machine that hangs: one line within the limit; the same command does the rest."""
    monkeypatch.setattr(batch_writer, "BATCH", 2)
    wanted = hand_in(submit, answered, 6)
    run = iter(ClassRun(room, [assignment]))
    done = [next(run)[0], next(run)[0]]
    name = room.database.rpartition("/")[2]
    asked = "SELECT a.pid, l.pid IS NOT NULL FROM pg_stat_activity a LEFT JOIN pg_locks l ON l.pid = a.pid AND "
    found = dict(server.execute(f"{asked} locktype = 'advisory' WHERE datname = '{name}'"))
    stopped = [pid for pid, is_lock in found.items() if is_lock == (role == "lock")]
    assert len(stopped) == 1
    monkeypatch.setattr(database, "ANSWER_SECONDS", 1.0)
    os.kill(stopped[0], signal.SIGSTOP)
    try:
        with pytest.raises(ServiceLost) as error:
            list(run)
        assert "went away (no answer for 1 seconds)" in one_line(error)
        assert "2 of 6 are done and saved; run the same command again for the rest" in one_line(error)
    finally:
        os.kill(stopped[0], signal.SIGCONT)
    monkeypatch.undo()
    list(ClassRun(room, [assignment]))
    assert marks(room) == wanted
    assert done == sorted(wanted)[:2]


REFUSE = """
CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN
RAISE EXCEPTION 'could not extend file "base/1": No space left on device' USING ERRCODE = '53100';
END $$ LANGUAGE plpgsql;
CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON grade FOR EACH ROW EXECUTE FUNCTION refuse();
"""


def test_a_full_disk_of_the_server_is_one_line(server, room, assignment, submit, answered):
    """What the server cannot keep is written by the next run, from the files of this one."""
    wanted = hand_in(submit, answered, 3)
    class_run.register(room, assignment)
    name = room.database.rpartition("/")[2]
    server.execute(REFUSE, name)
    with pytest.raises(CourseError) as error:
        list(ClassRun(room, [assignment]))
    assert "No space left on device): make room and run the same command again" in one_line(error)
    server.execute("DROP TRIGGER refuse ON grade", name)
    list(ClassRun(room, [assignment]))
    assert marks(room) == wanted


def test_a_formgrader_that_writes_is_waited_for(server, room, assignment, submit, answered, monkeypatch):
    """A row that somebody else is changing costs nobody a mark: the run comes back until it is free."""
    wanted = hand_in(submit, answered, 2)
    list(ClassRun(room, [assignment]))
    shutil.rmtree(room.root / "autograded")
    import psycopg

    name = room.database.rpartition("/")[2]
    where = {"host": "127.0.0.1", "port": server.port, "user": "ana", "password": PASSWORD, "dbname": name}
    monkeypatch.setitem(database.TIMEOUTS, "options", "-c lock_timeout=50ms")
    waits = []
    with psycopg.connect(**where) as other:
        other.execute("UPDATE grade SET extra_credit = 0")

        def wait(seconds):
            waits.append(seconds)
            other.rollback()

        clock = type("Clock", (), {"monotonic": staticmethod(time.monotonic), "sleep": staticmethod(wait)})
        monkeypatch.setattr("autograder.classroom.gradebook.gradebook.time", clock)
        list(ClassRun(room, [assignment], seed=7))
    assert len(waits) == 1
    assert marks(room) == wanted


def test_a_name_too_long_for_the_server_is_that_students_alone(room, assignment, submit, answered):
    """nbgrader's columns have a width, which PostgreSQL holds one to: the others get their marks."""
    submit("ada", answered())
    submit("b" * 200, answered())
    results = dict(ClassRun(room, [assignment]))
    assert results["b" * 200].status == "infrastructure"
    assert "value too long" in results["b" * 200].message
    assert marks(room) == {"ada": 10}


def test_killed_at_any_moment_nothing_is_lost_or_doubled(mini, room, submit, answered):
    """Killed by the system and started again at once, a run ends with everybody's marks, once."""
    wanted = hand_in(submit, answered, STUDENTS)
    started = time.monotonic()
    assert start(mini, room).wait() == 0
    whole, rng, recorded = time.monotonic() - started, random.Random(20_261_122), []
    for turn in range(KILLS):
        shutil.rmtree(room.root / "autograded")
        with Gradebook(full_address(room.database), COURSE_ID) as book:
            book.remove_assignment(CHAPTER)
        mark = f"killed-postgresql-{os.getpid()}-{turn}"
        run = start(mini, room, mark=mark)
        time.sleep(rng.uniform(0.3, 0.95) * whole)
        at_work = kill(run, mark)
        recorded.append((at_work, len(list(room.root.glob("autograded/*/*/run.json")))))
        assert start(mini, room).wait() == 0
        assert marks(room) == wanted
        with Gradebook(full_address(room.database), COURSE_ID) as book:
            assert len(book.assignment_submissions(CHAPTER)) == len(book.students) == STUDENTS
    print(f"a run of {STUDENTS} takes {whole:.1f} s; killed at work, and recorded by then: {recorded}", file=sys.stderr)
