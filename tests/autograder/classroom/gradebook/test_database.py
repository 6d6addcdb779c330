"""The address of a gradebook: how it is read, and what of it may be printed; what is said where a disk refuses."""

import errno
import os
import shutil
import sys

import pytest

from autograder.classroom.gradebook.database import engine_of, full_address, parse_address
from autograder.classroom.gradebook.locks import lock_file
from autograder.classroom.gradebook_url import masked
from autograder.errors import UsageError
from autograder.files import describe_os_error


@pytest.mark.parametrize(
    ("url", "printed"),
    [
        ("postgresql://ana@db/attention", "postgresql://ana@db/attention"),
        ("postgresql://ana:pearl@db:5432/attention", "postgresql://ana:***@db:5432/attention"),
        ("postgresql+psycopg://ana:pe@rl@db/attention", "postgresql+psycopg://ana:***@db/attention"),
        ("postgresql://ana:pe/a:r%40l@db/attention", "postgresql://ana:***@db/attention"),
        ("postgresql://:pearl@db/attention", "postgresql://:***@db/attention"),
        ("postgresql:///attention?user=ana&password=pearl", "postgresql:///attention?user=ana&password=***"),
        ("postgresql:///attention?sslpassword=pearl&user=ana", "postgresql:///attention?sslpassword=***&user=ana"),
        ("postgres//ana:pearl@db", "postgres//ana:***@db"),
        ("sqlite:////home/a:b@c/gradebook.db", "sqlite:////home/a:b@c/gradebook.db"),
    ],
)
def test_a_password_is_never_printed(url, printed):
    """Anywhere in an address, even in a wrong one, stars replace it."""
    assert masked(url) == printed


def test_an_address_gets_driver_and_patience():
    """What nobody named is added, what somebody did is left; the password comes through whole."""
    place = parse_address("postgresql://ana:p%40rl@db/attention?connect_timeout=3")
    assert (place.drivername, place.password, place.query["connect_timeout"]) == ("postgresql+psycopg", "p@rl", "3")
    assert place.query["keepalives_idle"] == "20"
    assert full_address("sqlite:////tmp/gradebook.db") == "sqlite:////tmp/gradebook.db"


@pytest.mark.parametrize(
    "url", ["nonsense", "postgresql://ana:pearl@db:port/attention", "postgresql://ana:pe@rl@db/attention"]
)
def test_a_wrong_address_is_one_line(url):
    """It says what was expected, and not the password."""
    with pytest.raises(UsageError) as error:
        parse_address(url)
    assert not any(part in str(error.value) for part in ("pearl", "pe@", "rl@", "\n"))
    assert "%40" in str(error.value) or "expected one like postgresql://ana@host/attention" in str(error.value)


def test_a_missing_driver_names_the_extra(monkeypatch):
    """One line says what to install; of another database's driver it says no more than its name."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"needs the package psycopg, .*: run `pip install -e '\.\[postgresql\]'`"):
        engine_of("postgresql://ana:pearl@db/attention")
    with pytest.raises(UsageError, match=r"mysql://ana:\*\*\*@db/x needs the package MySQLdb, which is not installed$"):
        engine_of("mysql://ana:pearl@db/x")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EROFS, "/class/.grading.lock: Read-only file system. Make it writable and run the same command again"),
        (errno.ENOSPC, "/class/.grading.lock: No space left on device. Make room and run the same command again"),
        (errno.EACCES, "/class/.grading.lock: Permission denied"),
    ],
)
def test_what_a_disk_refuses_names_the_file_and_the_remedy(number, said):
    """Room helps a full disk, and nothing else."""
    assert describe_os_error(OSError(number, os.strerror(number), "/class/.grading.lock")) == said


def test_what_a_folders_copy_lacks_is_said_once():
    """shutil.copytree collects an error per file; the first says enough."""
    errors = [(name, f"new/{name}", f"[Errno 28] No space left on device: 'new/{name}'") for name in ("a.md", "b.md")]
    said = "a file: No space left on device. Make room and run the same command again"
    assert describe_os_error(shutil.Error(errors)) == said


def test_a_drive_without_locks_is_not_another_run(tmp_path, monkeypatch):
    """Some network drives lock no file: nobody else is at work there, and the message does not say so."""

    def refuse(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("autograder.classroom.gradebook.locks.fcntl.flock", refuse)
    with (
        pytest.raises(UsageError, match=r"\.grading\.lock cannot be locked \(No locks available\), as on some"),
        lock_file(tmp_path / ".grading.lock", "in the class", "autograder grade"),
    ):
        pass
