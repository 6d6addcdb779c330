"""The gradebook's database: how to connect, whether it is usable, and the lock that admits one writer."""

import fcntl
import os
import platform
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from enum import Enum
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine

from autograder.classroom.gradebook_url import masked
from autograder.errors import CourseError, ServiceLost, UsageError
from autograder.plain import visible_line

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, MetaData

REVISION = re.compile(r"^(revision|down_revision)\b.*= *['\"](\w+)['\"]", re.MULTILINE)
OPEN_SECONDS = 10.0  # seconds to wait for a locked database before grading
POSTGRESQL = "postgresql+psycopg"  # what `postgresql://` means here: the driver that the extra installs
# Keepalive: a silent peer is noticed within a minute, not after the default two hours.
KEEPALIVE = {"keepalives_idle": "20", "keepalives_interval": "10", "keepalives_count": "3"}
TIMEOUTS = {
    "connect_timeout": "10",
    **KEEPALIVE,
    "options": " ".join([*(f"-c tcp_{name}={value}" for name, value in KEEPALIVE.items()), "-c lock_timeout=5s"]),
    "tcp_user_timeout": "50000",  # the same for unacknowledged data, in milliseconds
}
ANSWER_SECONDS = 60.0  # seconds for one answer: a server may hang although its machine is up
WRITER = 0x726F7773  # the number of the advisory lock that the one writer holds; locks are each database's own
GRACE_SECONDS = 5.0  # seconds until the server forgets a killed run
AT_WORK = "another `{command}` is running {where}: wait until it is done, or stop it"


def parse_address(url: str) -> "URL":
    """Return a parsed database address, with the default driver and timeouts.

    Errors: UsageError if it is not an address.
    """
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        place = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise UsageError(
            f"{masked(url)} is not a gradebook's address: expected one like postgresql://ana@host/attention or "
            "sqlite:////folder/gradebook.db"
        ) from error
    if "@" in (place.host or ""):
        raise UsageError(
            f"{masked(url)} has an @ in its password: write %40 for it, or leave the password to ~/.pgpass"
        )
    if place.get_backend_name() != "postgresql":
        return place
    if "+" not in place.drivername:
        place = place.set(drivername=POSTGRESQL)
    return place.update_query_dict({name: value for name, value in TIMEOUTS.items() if name not in place.query})


def full_address(url: str) -> str:
    """Return the address for nbgrader, password and driver included: never print it."""
    return parse_address(url).render_as_string(hide_password=False)


def engine_of(url: str, **settings: Any) -> Engine:
    """Return an engine. Errors: UsageError if the driver is missing."""
    from sqlalchemy import create_engine, event

    place = parse_address(url)
    try:
        engine = create_engine(place, **settings)
    except ModuleNotFoundError as error:
        extra = ": run `pip install -e '.[postgresql]'` in the course's folder"
        raise UsageError(
            f"the gradebook {masked(url)} needs the package {error.name}, which is not installed"
            + (extra if place.drivername == POSTGRESQL else "")
        ) from error
    if place.drivername == POSTGRESQL:
        event.listen(engine, "do_connect", connect)
    return engine


def connect(dialect: Any, record: Any, arguments: Any, settings: Any) -> Any:
    """Connect to a PostgreSQL server that may disappear at any moment, and whose tables grow while we write.

    psycopg would cache the plans of the first batches, made for empty tables; on full ones they read every row.
    """
    import psycopg

    class Impatient(psycopg.Connection):
        def wait(self, answer: Any, interval: Any = 0.1, timeout: Any = None) -> Any:
            return super().wait(in_time(self, answer), interval, timeout)

    return Impatient.connect(*arguments, prepare_threshold=None, **settings)


def in_time(connection: Any, answer: Any) -> Any:
    """Wait for a server's answer. Errors: OperationalError if none comes in time."""
    from psycopg import OperationalError

    until, ready = time.monotonic() + ANSWER_SECONDS, None
    while True:
        try:
            ready = yield answer.send(ready)
        except StopIteration as done:
            return done.value
        if ready:
            until = time.monotonic() + ANSWER_SECONDS
        elif time.monotonic() > until:
            connection.pgconn.finish()  # nobody waits for this any more
            raise OperationalError(f"no answer for {ANSWER_SECONDS:g} seconds")


@contextmanager
def in_one_line(url: str) -> Iterator[None]:
    """Turn a database's refusal into one line. Errors: CourseError; ServiceLost if it went away during a run."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except SQLAlchemyError as error:
        if is_lost(error):
            raise ServiceLost(gone(url, reason_of(error))) from error
        raise CourseError(
            f"the gradebook {masked(url)} cannot be used ({reason_of(error)}): {remedy(url, error)}"
        ) from error


def gone(url: str, reason: str) -> str:
    """Return the error for a server that went away during its work."""
    return f"the gradebook {masked(url)} went away ({reason}): check that its server is running"


def reason_of(error: BaseException) -> str:
    """Return a database's own message on one line; after several addresses were tried, the last one's."""
    lines = str(getattr(error, "orig", None) or error).splitlines() or [type(error).__name__]
    return lines[-1].removeprefix("- ") if lines[0].startswith("Multiple connection attempts") else lines[0]


def remedy(url: str, error: BaseException) -> str:
    """Return what to do about a database error."""
    if is_full(error):
        return "make room and run the same command again; saved results stay"
    if parse_address(url).get_backend_name() == "postgresql":
        return (
            "check that the server is running, has this database and admits you (a password belongs in ~/.pgpass or "
            "PGPASSWORD), and run the same command again"
        )
    return "close what else is using it, or name another with --db"


def is_lost(error: BaseException) -> bool:
    """Say whether a server went away during its work."""
    return getattr(error, "connection_invalidated", False)


def is_full(error: BaseException) -> bool:
    """Say whether a database refuses because its disk is full."""
    return "disk is full" in str(error) or sqlstate(error) == "53100"


def is_busy(error: BaseException) -> bool:
    """Say whether a database refuses because another client is writing."""
    return "locked" in str(error) or sqlstate(error) in {"40001", "40P01", "55P03"}


def sqlstate(error: BaseException) -> str | None:
    """Return the SQL standard's error code, which does not depend on the server's language."""
    return getattr(getattr(error, "orig", None), "sqlstate", None)


def database_file(url: str) -> Path | None:
    """Return the file of a database, or None if it is on a server."""
    place = parse_address(url)
    if place.get_backend_name() == "sqlite" and place.database and place.database != ":memory:":
        return Path(place.database).resolve()
    return None


class Contents(Enum):
    """What a database holds; an unfinished gradebook is one whose creation was interrupted."""

    NOTHING, UNFINISHED, GRADEBOOK = range(3)


def contents_of(url: str, metadata: "MetaData") -> Contents:
    """Return what a database holds: nbgrader itself would accept any. ``metadata`` holds nbgrader's tables.

    Errors: CourseError if it is locked, of another revision of nbgrader, or no gradebook; SQLAlchemyError.
    """
    from sqlalchemy import inspect, text
    from sqlalchemy.exc import OperationalError

    path = database_file(url)
    if path is not None and path.parent.is_dir() and not path.exists():  # SQLite would create it
        return Contents.NOTHING
    engine = engine_of(url, connect_args={"timeout": OPEN_SECONDS} if path else {})
    try:
        tables = inspect(engine).get_table_names()
        with engine.connect() as connection:
            asked = text("SELECT version_num FROM alembic_version")
            revisions = [row[0] for row in connection.execute(asked)] if "alembic_version" in tables else []
            is_unfinished = tables and not revisions and is_empty(connection, tables, metadata)
    except OperationalError as error:
        if "locked" not in str(error):
            raise
        raise CourseError(
            f"the gradebook {masked(url)} is locked by another program (waited {OPEN_SECONDS:g} seconds): "
            "close it there, and run the same command again"
        ) from error
    finally:
        engine.dispose()
    if not tables:
        return Contents.NOTHING
    if is_unfinished:
        return Contents.UNFINISHED
    if revisions != [head_revision()]:
        raise CourseError(wrong_tables(url, revisions))
    return Contents.GRADEBOOK


def drop_tables(url: str, metadata: "MetaData") -> None:
    """Drop the tables of a gradebook whose creation was interrupted, so that the next one creates all."""
    from sqlalchemy import text

    engine = engine_of(url)
    try:
        with engine.begin() as connection:
            metadata.drop_all(connection)
            connection.execute(text("DROP TABLE IF EXISTS alembic_version"))
    finally:
        engine.dispose()


def is_empty(connection: "Connection", tables: list[str], metadata: "MetaData") -> bool:
    """Say whether a database holds tables of nbgrader's alone, and no row."""
    if not {*tables} <= {*metadata.tables, "alembic_version"}:
        return False
    known = (table for name, table in metadata.tables.items() if name in tables)
    return all(connection.execute(table.select().limit(1)).first() is None for table in known)


def wrong_tables(url: str, found: list[str]) -> str:
    """Describe a database that is not of this nbgrader's revision."""
    if not found:
        return f"{masked(url)} is not an nbgrader gradebook: name another with --db"
    return (
        f"the gradebook {masked(url)} belongs to another version of nbgrader (revision {found[0]}, "
        f"expected {head_revision()}): keep a copy of it, then run `nbgrader db upgrade --db {masked(url)}`"
    )


@cache
def head_revision() -> str:
    """Return the revision that nbgrader stamps a new database with: the one that no other follows.

    Asking nbgrader would start a program, which takes two seconds.
    """
    (package,) = vars(find_spec("nbgrader"))["submodule_search_locations"]
    sources = [path.read_text(encoding="utf-8") for path in Path(package).glob("alembic/versions/*.py")]
    said = [dict(REVISION.findall(source)) for source in sources]
    (head,) = {one["revision"] for one in said} - {one.get("down_revision") for one in said}
    return head


@contextmanager
def lock_gradebook(url: str, command: str) -> Iterator[Callable[[], None]]:
    """Hold the writer's lock of a database; yields a function that makes sure of it, before each write.

    Errors: UsageError if another run holds it; CourseError if a server does not answer; ServiceLost from the yielded
    function, if the server has forgotten this run.
    """
    path, place = database_file(url), parse_address(url)
    if place.get_backend_name() == "postgresql":
        with lock_on_server(url) as confirm_lock:
            yield confirm_lock
    elif path is None or not path.parent.is_dir():
        yield lambda: None
    else:
        with lock_file(path.with_name(f".{path.name}.lock"), f"with {path}", command):
            yield lambda: None


@contextmanager
def lock_on_server(url: str) -> Iterator[Callable[[], None]]:
    """Hold a PostgreSQL database's advisory lock, across machines, in a session of its own.

    The lock lasts as long as the session: while that answers, nobody else writes. A machine that vanished is forgotten
    within a minute.
    """
    from sqlalchemy import text
    from sqlalchemy.pool import NullPool

    engine = engine_of(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with in_one_line(url), closing_quietly(engine.connect()) as session:
        until = time.monotonic() + GRACE_SECONDS
        while not session.scalar(text(f"SELECT pg_try_advisory_lock({WRITER})")):
            if time.monotonic() > until:
                raise UsageError(
                    AT_WORK.format(command="autograder grade", where=f"with {masked(url)}{holder(session)}")
                )
            time.sleep(0.1)

        def confirm_lock() -> None:
            if session.invalidated:  # SQLAlchemy would open another session, without the lock
                raise ServiceLost(gone(url, "its server has forgotten this run"))
            session.execute(text("SELECT 1"))

        yield confirm_lock


@contextmanager
def closing_quietly(session: "Connection") -> Iterator["Connection"]:
    """Close a session at the end, even if its server has already ended it: that was reported when noticed."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield session
    finally:
        with suppress(SQLAlchemyError):
            session.close()


def holder(session: "Connection") -> str:
    """Describe which run holds the lock, and since when; "" if it has just been released."""
    from sqlalchemy import text

    asked = text(
        "SELECT coalesce(client_addr::text, 'the server itself'), to_char(backend_start, 'YYYY-MM-DD HH24:MI') "
        "FROM pg_stat_activity JOIN pg_locks USING (pid) "
        "WHERE locktype = 'advisory' AND objid = :lock AND granted AND datname = current_database()"
    )
    found = session.execute(asked, {"lock": WRITER}).first()
    return f" (from {found[0]}, since {found[1]})" if found else ""


@contextmanager
def lock_file(path: Path, where: str, command: str) -> Iterator[None]:
    """Hold the lock that a file represents; its holder is written in it.

    Errors: UsageError, which says who and where, if another run holds it, or that no file can be locked there.
    """
    with path.open("a+", encoding="utf-8", errors="replace") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            other, _, since = visible_line(file.read(200)).partition("|")
            raise UsageError(AT_WORK.format(command=other or "autograder grade", where=f"{where}{since}")) from error
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
