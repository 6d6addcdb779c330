"""The gradebook's database: whether it can be used, and the lock that keeps two runs from writing into it."""

import fcntl
import re
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from autograder.errors import CourseError, UsageError

REVISION = re.compile(r"^(revision|down_revision)\b.*= *['\"](\w+)['\"]", re.MULTILINE)
OPEN_SECONDS = 10.0  # how long to wait for whoever keeps it locked, before anything is graded


def file_of(url):
    """Return the file in which a database lies, or None where it lies in none."""
    from sqlalchemy import make_url

    place = make_url(url)
    is_file = place.get_backend_name() == "sqlite" and place.database not in (None, "", ":memory:")
    return Path(place.database).resolve() if is_file else None


def examine(url):
    """Look at a database before nbgrader does, which would take any for its own; one without tables may become one.

    Errors: CourseError where it is locked, of another revision of nbgrader, or no gradebook; SQLAlchemyError.
    """
    from sqlalchemy import create_engine, inspect, text
    from sqlalchemy.exc import OperationalError

    settings = {"timeout": OPEN_SECONDS} if file_of(url) else {}
    engine = create_engine(url, connect_args=settings)
    try:
        tables = inspect(engine).get_table_names()
        with engine.connect() as connection:
            found = (
                [row[0] for row in connection.execute(text("SELECT version_num FROM alembic_version"))]
                if ("alembic_version" in tables)
                else []
            )
    except OperationalError as error:
        if "locked" not in str(error):
            raise
        raise CourseError(
            f"the gradebook {url} is locked by another program (waited {OPEN_SECONDS:g} seconds): close it there, "
            "and run the same command again"
        ) from error
    finally:
        engine.dispose()
    if tables and found != [head_revision()]:
        raise CourseError(wrong_tables(url, found))


def wrong_tables(url, found):
    """Say what is wrong with a database that is not of this nbgrader's revision."""
    if not found:
        return f"{url} is no gradebook of nbgrader: name another with --db"
    return (
        f"the gradebook {url} is of another nbgrader (revision {found[0]}, expected {head_revision()}): "
        f"keep a copy of it, then run `nbgrader db upgrade --db {url}`"
    )


@cache
def head_revision():
    """Return what nbgrader stamps a new database with: the one of its revisions that no other one follows.

    It would start a program to ask, which takes two seconds.
    """
    (package,) = find_spec("nbgrader").submodule_search_locations
    sources = [path.read_text(encoding="utf-8") for path in Path(package).glob("alembic/versions/*.py")]
    said = [dict(REVISION.findall(source)) for source in sources]
    (head,) = {one["revision"] for one in said} - {one.get("down_revision") for one in said}
    return head


def only_writer(url):
    """Be the only run that writes into a database of a file. Errors: UsageError where another one is going on."""
    path = file_of(url)
    if path is None or not path.parent.is_dir():
        return nullcontext()
    return locked(path.with_name(f".{path.name}.lock"), f"with {path}")


@contextmanager
def locked(path, where, command="autograder grade"):
    """Hold the lock that a file stands for. Errors: UsageError, which says where, if another run holds it."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"another `{command}` is at work {where}: wait until it is done") from error
        yield
