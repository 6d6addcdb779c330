"""The locks that admit one writer: on a gradebook's server, or on a file beside a gradebook or in a class's folder."""

import fcntl
import os
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom.gradebook_url import masked
from autograder.errors import ServiceLost, UsageError
from autograder.plain import visible_line

from .database import database_file, engine_of, gone, in_one_line, parse_address

if TYPE_CHECKING:
    from sqlalchemy import Connection

WRITER = 0x726F7773  # the advisory lock's number, "rows" in ASCII; each database has its own locks
GRACE_SECONDS = 5.0  # seconds until the server forgets a killed run
AT_WORK = "another `{command}` is running {where}: wait until it is done, or stop it"
USUAL = "autograder grade"  # the command to name where nothing says which one is running


@contextmanager
def lock_gradebook(url: str, command: str) -> Iterator[Callable[[], None]]:
    """Hold the writer's lock of a database; yields a function that makes sure of it, before each write.

    Errors: UsageError if another run holds it; CourseError if a server does not answer; ServiceLost from the yielded
    function, if the server has forgotten this run or does not answer any more.
    """
    path, parsed = database_file(url), parse_address(url)
    if parsed.get_backend_name() == "postgresql":
        with lock_on_server(url) as confirm_lock:
            yield confirm_lock
    elif path is None or not path.parent.is_dir():
        yield lambda: None
    else:
        with lock_file(path.with_name(f".{path.name}.lock"), f"with {path}", command):
            yield lambda: None


@contextmanager
def lock_on_server(url: str) -> Iterator[Callable[[], None]]:
    """Hold a PostgreSQL database's advisory lock, across machines, in a connection of its own.

    The lock lasts as long as the connection: while that answers, nobody else writes. A machine that vanished is
    forgotten within a minute. An error of what runs under the lock is the caller's own, and is not translated.
    """
    from sqlalchemy import text
    from sqlalchemy.pool import NullPool

    engine = engine_of(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with in_one_line(url):
        connection = engine.connect()
    with closing_quietly(connection):
        with in_one_line(url):
            take_lock(connection, url)

        def confirm_lock() -> None:
            if connection.invalidated:  # SQLAlchemy would open another connection, without the lock
                raise ServiceLost(gone(url, "its server has forgotten this run"))
            with in_one_line(url):
                connection.execute(text("SELECT 1"))

        yield confirm_lock


def take_lock(connection: "Connection", url: str) -> None:
    """Take a database's advisory lock, with some patience. Errors: UsageError if another run holds it."""
    from sqlalchemy import text

    until = time.monotonic() + GRACE_SECONDS
    while not connection.scalar(text(f"SELECT pg_try_advisory_lock({WRITER})")):
        if time.monotonic() > until:
            # The server knows where the other run is, and not which command it is.
            raise UsageError(AT_WORK.format(command=USUAL, where=f"with {masked(url)}{holder(connection)}"))
        time.sleep(0.1)


@contextmanager
def closing_quietly(connection: "Connection") -> Iterator["Connection"]:
    """Close a connection at the end, even if its server has already ended it: that was reported when noticed."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield connection
    finally:
        with suppress(SQLAlchemyError):
            connection.close()


def holder(connection: "Connection") -> str:
    """Describe which run holds the lock, and since when; "" if it has just been released."""
    from sqlalchemy import text

    asked = text(
        "SELECT coalesce(client_addr::text, 'the server itself'), to_char(backend_start, 'YYYY-MM-DD HH24:MI') "
        "FROM pg_stat_activity JOIN pg_locks USING (pid) "
        "WHERE locktype = 'advisory' AND objid = :lock AND granted AND datname = current_database()"
    )
    other = connection.execute(asked, {"lock": WRITER}).first()
    return f" (from {other[0]}, since {other[1]})" if other else ""


@contextmanager
def lock_file(path: Path, where: str, command: str) -> Iterator[None]:
    """Hold the lock that a file represents; its holder is written in it.

    Errors: UsageError, which says who and where, if another run holds it, or that no file can be locked there.
    """
    # Mode "a+" keeps what another holder wrote, until this run has the lock and truncates it.
    with path.open("a+", encoding="utf-8", errors="replace") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            other, _, since = visible_line(file.read(200)).partition("|")
            raise UsageError(AT_WORK.format(command=other or USUAL, where=f"{where}{since}")) from error
        except OSError as error:
            raise UsageError(
                f"{path} cannot be locked ({error.strerror}), as on some network drives: move the class to another "
                "drive"
            ) from error
        file.truncate(0)
        note = f"{command}| (process {os.getpid()} on {platform.node()}, since {datetime.now():%Y-%m-%d %H:%M})"
        with suppress(OSError):  # a full disk; what is written next names its file
            os.write(file.fileno(), note.encode())
        yield
