"""Chooses a class's gradebook, and refuses to change it silently between commands."""

import json
from pathlib import Path
from typing import Any

from autograder.errors import CourseError, UsageError
from autograder.files import write_whole
from autograder.shape import read_json

from .class_file import CLASS_FILE
from .gradebook_url import is_same, masked, parse_url, resolve, without_password

ADDRESS_FILE = ".gradebook.json"  # in the class's folder: which gradebook it was graded into, and by which course
OWN = "sqlite:///gradebook.db"  # in the class's folder


def which_gradebook(root: Path, given: str = "", named: str = "") -> str:
    """Return a class's gradebook: from --db (``given``), class.toml (``named``), the last run, or the default.

    Errors: UsageError if the one given is not the one that the class has; CourseError.
    """
    kept = remembered_gradebook(root)
    ours = [resolve(url, root) for url in (named, kept) if url]
    if len(ours) == 2 and not is_same(*ours):
        raise UsageError(
            f"{root / CLASS_FILE} names the gradebook {masked(named)}, but the class was graded into {masked(kept)}: "
            f"name that one, or remove {root / ADDRESS_FILE} to start again in the other"
        )
    now = address(given) if given else ""
    if now and ours and not is_same(now, ours[0]):
        who = f"{root / CLASS_FILE} names" if named else "the class was graded into"
        way = f"change {CLASS_FILE}" if named else f"remove {root / ADDRESS_FILE} to start again in the other"
        raise UsageError(f"--db names {masked(given)}, but {who} {masked(named or kept)}: leave --db out, or {way}")
    return now or [*ours, resolve(OWN, root)][0]  # the given address may hold a password, the stored one does not


def address(given: str) -> str:
    """Return the address for --db, relative to the current folder. Errors: UsageError if it is not one."""
    try:
        return resolve(given, Path.cwd())
    except ValueError as error:
        raise UsageError(
            "what --db names is not a database's address: expected one like sqlite:////home/ana/gradebook.db "
            "or postgresql://ana@db/attention"
        ) from error


def remembered_gradebook(root: Path) -> str:
    """Return the address that the class was graded into, or "". Errors: CourseError."""
    return read_address_file(root).get("gradebook", "")


def read_address_file(root: Path) -> dict[str, Any]:
    """Return what a class remembers of its last run: its ``gradebook``, and its ``course``; {} before the first.

    Errors: CourseError.
    """
    path = root / ADDRESS_FILE
    try:
        data = read_json(path)
        parse_url(data["gradebook"])
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise CourseError(
            f'cannot read {path}: expected {{"gradebook": ADDRESS}}; write it so, or name the gradebook in {CLASS_FILE}'
        ) from error
    return data


def remember_gradebook(root: Path, url: str, course: dict[str, str] | None = None) -> None:
    """Store in the class's folder which gradebook it was graded into, without a password, and by which course."""
    place = parse_url(url)
    folder = root.resolve()
    if place.get_backend_name() == "sqlite" and place.database and Path(place.database).is_relative_to(folder):
        # A class's folder can be moved or copied, and its gradebook with it.
        place = place.set(database=str(Path(place.database).relative_to(folder)))
    kept = without_password(place.render_as_string(hide_password=False))
    text = json.dumps({"gradebook": kept} | ({"course": course} if course else {})) + "\n"
    path = root / ADDRESS_FILE
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_whole(path, text)
