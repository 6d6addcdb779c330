"""The gradebook's database: how to connect, what it holds, and what to do where it refuses.

A ``url`` is an address as text, as a class file or ``--db`` names it; a ``parsed`` one is SQLAlchemy's URL.
SQLAlchemy is imported where it is used: it takes long to load, and much of the grader does without it.
"""

import re
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.classroom.gradebook_url import masked
from autograder.errors import CourseError, ServiceLost, UsageError

if TYPE_CHECKING:
    import psycopg
    from sqlalchemy import URL, Connection, Dialect, Engine, MetaData
    from sqlalchemy.pool import ConnectionPoolEntry

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


def parse_address(url: str) -> "URL":
    """Return a parsed database address, with the default driver and timeouts.

    Errors: UsageError if it is not an address.
    """
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise UsageError(
            f"{masked(url)} is not a gradebook's address: expected one like postgresql://ana@host/attention or "
            "sqlite:////folder/gradebook.db"
        ) from error
    if "@" in (parsed.host or ""):
        raise UsageError(
            f"{masked(url)} has an @ in its password: write %40 for it, or leave the password to ~/.pgpass"
        )
    if parsed.get_backend_name() != "postgresql":
        return parsed
    if "+" not in parsed.drivername:
        parsed = parsed.set(drivername=POSTGRESQL)
    return parsed.update_query_dict({name: value for name, value in TIMEOUTS.items() if name not in parsed.query})


def full_address(url: str) -> str:
    """Return the address for nbgrader, password and driver included: never print it."""
    return parse_address(url).render_as_string(hide_password=False)


def engine_of(url: str, **settings: Any) -> "Engine":
    """Return an engine. Errors: UsageError if the driver is missing."""
    from sqlalchemy import create_engine, event

    parsed = parse_address(url)
    try:
        engine = create_engine(parsed, **settings)
    except ModuleNotFoundError as error:
        extra = ": run `pip install -e '.[postgresql]'` in the course's folder"
        raise UsageError(
            f"the gradebook {masked(url)} needs the package {error.name}, which is not installed"
            + (extra if parsed.drivername == POSTGRESQL else "")
        ) from error
    if parsed.drivername == POSTGRESQL:
        event.listen(engine, "do_connect", connect)
    return engine


def connect(
    dialect: "Dialect", record: "ConnectionPoolEntry", arguments: list[Any], settings: dict[str, Any]
) -> "psycopg.Connection":
    """Connect to a PostgreSQL server that may disappear at any moment, and whose tables grow while we write.

    SQLAlchemy calls this for each new connection. psycopg would cache the plans of the first batches, made for empty
    tables; on full ones they read every row.
    """
    import psycopg

    class Impatient(psycopg.Connection):
        def wait(self, answer: Any, interval: Any = 0.1, timeout: Any = None) -> Any:
            return super().wait(limit_waiting(self, answer), interval, timeout)

    return Impatient.connect(*arguments, prepare_threshold=None, **settings)


def limit_waiting(connection: "psycopg.Connection", answer: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Wrap psycopg's wait for a server's answer. Errors: OperationalError if none comes in time.

    ``answer`` yields what it waits for, gets what is ready, if anything, and returns the answer.
    """
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
    parsed = parse_address(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database and parsed.database != ":memory:":
        return Path(parsed.database).resolve()
    return None


class Contents(Enum):
    """What a database holds; an unfinished gradebook is one whose creation was interrupted."""

    NOTHING, UNFINISHED, GRADEBOOK = range(3)


def contents_of(url: str, metadata: "MetaData") -> Contents:
    """Return what a database holds: nbgrader itself would accept any. ``metadata`` holds nbgrader's tables.

    Errors: CourseError if it is locked, of another revision of nbgrader, or no gradebook; SQLAlchemyError.
    """
    from sqlalchemy import inspect

    path = database_file(url)
    if path is not None and path.parent.is_dir() and not path.exists():  # SQLite would create it
        return Contents.NOTHING
    engine = engine_of(url, connect_args={"timeout": OPEN_SECONDS} if path else {})
    try:
        with refuse_locked(url), engine.connect() as connection:
            tables = inspect(connection).get_table_names()
            if not tables:
                return Contents.NOTHING
            revisions = revisions_in(connection, tables)
            if not revisions and is_unfinished(connection, tables, metadata):
                return Contents.UNFINISHED
    finally:
        engine.dispose()
    if revisions != [head_revision()]:
        raise CourseError(wrong_tables(url, revisions))
    return Contents.GRADEBOOK


@contextmanager
def refuse_locked(url: str) -> Iterator[None]:
    """Raise CourseError if another program locks the database."""
    from sqlalchemy.exc import OperationalError

    try:
        yield
    except OperationalError as error:
        if "locked" not in str(error):
            raise
        raise CourseError(
            f"the gradebook {masked(url)} is locked by another program (waited {OPEN_SECONDS:g} seconds): "
            "close it there, and run the same command again"
        ) from error


def revisions_in(connection: "Connection", tables: list[str]) -> list[str]:
    """Return the revisions of nbgrader that a database is stamped with: one, or none if it is no gradebook."""
    from sqlalchemy import text

    if "alembic_version" not in tables:
        return []
    return [row[0] for row in connection.execute(text("SELECT version_num FROM alembic_version"))]


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


def is_unfinished(connection: "Connection", tables: list[str], metadata: "MetaData") -> bool:
    """Say whether a database without a revision is a gradebook whose creation was interrupted.

    It holds tables of nbgrader's alone, and no row.
    """
    if not {*tables} <= {*metadata.tables, "alembic_version"}:
        return False
    known = (table for name, table in metadata.tables.items() if name in tables)
    return all(connection.execute(table.select().limit(1)).first() is None for table in known)


def wrong_tables(url: str, revisions: list[str]) -> str:
    """Describe a database that is not of this nbgrader's revision."""
    if not revisions:
        return f"{masked(url)} is not an nbgrader gradebook: name another with --db"
    return (
        f"the gradebook {masked(url)} belongs to another version of nbgrader (revision {revisions[0]}, "
        f"expected {head_revision()}): keep a copy of it, then run `nbgrader db upgrade --db {masked(url)}`"
    )


@cache
def head_revision() -> str:
    """Return the revision that nbgrader stamps a new database with: the one that no other follows.

    Asking nbgrader would start a program, which takes two seconds.
    """
    versions = nbgrader_folder() / "alembic" / "versions"
    links = [dict(REVISION.findall(path.read_text(encoding="utf-8"))) for path in versions.glob("*.py")]
    (head,) = {link["revision"] for link in links} - {link.get("down_revision") for link in links}
    return head


def nbgrader_folder() -> Path:
    """Return the folder of nbgrader's code, without loading it. Errors: ModuleNotFoundError."""
    spec = find_spec("nbgrader")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("nbgrader is not installed", name="nbgrader")
    return Path(spec.origin).parent
