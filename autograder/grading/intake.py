"""Reads the cells of a submission from its bytes, as plain dictionaries with only the fields that matter.

Outputs, attachments and metadata are skipped: whatever a cell has shown, however large or odd, must cost its student
nothing. What is skipped is never decoded and becomes no object; only its brackets are counted.
"""

import errno
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from autograder.course.ledger import CONFLICT
from autograder.errors import IncompleteNotebook, InvalidSubmission, NoNotebook, NotReadable

from .file_kind import kind_of_file

NOTEBOOK_BYTES = 64 << 20  # outputs and pictures and all
CELL_BYTES, CODE_BYTES = 256 << 10, 16 << 20  # of code, in one cell and in all
CELLS = 1000  # of code
OTHERS = 3  # files beside a notebook that are named
INSTEAD = (".ipynb", ".zip", ".pdf", ".html", ".htm", ".docx", ".py")  # what is handed in under another name
MAX_BRACKETS = 2_000_000  # in the whole file; each takes time
MAX_TOKENS = 1_000_000  # in the part that is read; each may become an object of sixty bytes
_BLANK = b" \t\r\n\0"  # a copy that was cut short may hold zeros alone
STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
JSON_TOKEN = re.compile(
    rb'"(?:(?P<cell>outputs|attachments)|(?P<top>metadata))"\s*+:\s*+(?=[\[{])|' + STRING + rb"|[\[\]{},]", re.DOTALL
)
UP_TO_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|' + STRING + rb")*+", re.DOTALL)
# What a submission itself can cause: a link, a file for a folder, a pipe, what nobody else may read, a missing name.
STUDENTS_FAULT = {errno.ELOOP, errno.ENOTDIR, errno.ENXIO, errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENAMETOOLONG}
DEPTHS = {"top": 1, "cell": 3}  # how many brackets are open around the notebook's own keys, and around a cell's
DEEPER = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}


def submission_bytes(path: Path, folders: int) -> bytes:
    """Return a submission's bytes. The last ``folders`` folders of its path are the student's; none may be a link.

    Each folder is opened from within the one above, so none can be exchanged meanwhile.
    Errors: InvalidSubmission, which says what is wrong with the file and what the student can do.
    """
    with ExitStack() as opened:
        here = None
        for place in [path.parents[folders], *(folder.name for folder in reversed(path.parents[:folders]))]:
            here = folder_in(here, place)
            opened.callback(os.close, here)
        return file_bytes(path.name, here)


def submission_hash(path: Path, folders: int) -> str:
    """Return the hash of a submission's bytes, or "" if it cannot be read."""
    try:
        return hashlib.sha256(submission_bytes(path, folders)).hexdigest()
    except InvalidSubmission:
        return ""


def folder_in(here: int | None, name: Any) -> int:
    """Open a folder inside the opened folder ``here``. Links are refused: they could lead to another student's work.

    Errors: InvalidSubmission.
    """
    flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
    try:
        return os.open(name, flags if here is None else flags | os.O_NOFOLLOW, dir_fd=here)
    except OSError as error:
        refuse_our_fault(name, error)
        kind = "a symbolic link" if is_link(name, here) else "no folder"
        raise InvalidSubmission(f"{name} is {kind}: submit an ordinary folder with the notebook in it") from error


def refuse_our_fault(name: Any, error: OSError) -> None:
    """Errors: NotReadable for an error that no file of a student causes."""
    if error.errno not in STUDENTS_FAULT:
        raise NotReadable(f"{name} could not be read ({error.strerror})") from error


def is_link(name: str, here: int | None) -> bool:
    """Say whether a name in an opened folder is a link."""
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=here, follow_symlinks=False).st_mode)
    except OSError:
        return False


def cells_of(data: bytes) -> list[dict[str, Any]]:
    """Return the cells of a notebook's bytes as plain dicts. Errors: InvalidSubmission."""
    if not data.strip(_BLANK):
        what = "holds nothing but zeros" if b"\0" in data else "is empty"
        raise IncompleteNotebook(
            f"not a notebook: the file {what}. Save it again in JupyterLab and submit the new file"
        )
    if kind := kind_of_file(data):
        raise InvalidSubmission(f"{kind}, not a notebook: hand in the notebook itself")
    try:
        data = json.loads(decoded(without_outputs(data)), object_pairs_hook=without_duplicates)
    except InvalidSubmission:
        raise
    except (ValueError, RecursionError) as error:
        kind = IncompleteNotebook if isinstance(error, json.JSONDecodeError) else InvalidSubmission
        raise kind(f"not a notebook: {reason(error)} and submit the new file") from error
    return checked_cells(data)


def reason(error: BaseException) -> str:
    """Name a JSON error in a few words, and what to do."""
    why = "nested too deeply" if isinstance(error, RecursionError) else "a number of thousands of digits"
    if isinstance(error, json.JSONDecodeError):
        if error.doc[error.doc.rfind("\n", 0, error.pos) + 1 :].startswith(CONFLICT):
            return f"a merge conflict of git begins in line {error.lineno}. Resolve it, save it in JupyterLab"
        why = f"broken JSON in line {error.lineno}, {error.msg.lower().removesuffix(' starting at')}"
    return f"{why}. Save it again in JupyterLab"


def file_bytes(name: str, here: int | None) -> bytes:
    """Return the bytes of a file in an opened folder. Links of both kinds, devices and pipes are refused by name."""
    try:
        # O_NONBLOCK: opening a pipe must not wait for somebody to write into it.
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=here)
    except FileNotFoundError as error:
        raise NoNotebook(describe_missing(name, here)) from error
    except OSError as error:
        refuse_our_fault(name, error)
        kind = "a symbolic link" if is_link(name, here) else f"unreadable ({error.strerror})"
        raise InvalidSubmission(f"{name} is {kind}: submit the notebook itself as an ordinary file") from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise InvalidSubmission(f"{name} is not an ordinary file: submit the notebook itself")
        if status.st_nlink > 1:
            raise InvalidSubmission(f"{name} is a hard link to a file elsewhere: submit a copy of the notebook")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(NOTEBOOK_BYTES + 1)
    except OSError as error:
        raise NotReadable(f"{name} could not be read ({error.strerror})") from error
    finally:
        os.close(descriptor)
    if len(data) > NOTEBOOK_BYTES:
        raise InvalidSubmission(
            f"larger than {NOTEBOOK_BYTES >> 20} MB: clear the outputs (Edit, Clear All Outputs) and save it again"
        )
    return data


def describe_missing(name: str, here: int | None) -> str:
    """Say that the notebook is missing, and what is there instead."""
    listed = []
    with suppress(OSError):
        descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=here)
        listed = os.listdir(descriptor)  # noqa: PTH208 - no reliable path leads here
        os.close(descriptor)
    others = sorted(one_line(other) for other in listed if other.lower().endswith(INSTEAD))[:OTHERS]
    found = f", found {', '.join(others)}" if others else ""
    return f"no notebook {name}{found}: submit it under the name it was released with, or run `autograder collect`"


def beside(path: Path) -> list:
    """Return the names of a few other notebooks beside this one, safe to show: they are not graded."""
    listed = []
    with suppress(OSError):
        if not path.parent.is_symlink() and not path.parent.parent.is_symlink():
            listed = os.listdir(path.parent)  # noqa: PTH208 - names alone
    return sorted(one_line(name) for name in listed if name.lower().endswith(".ipynb") and name != path.name)[:OTHERS]


def one_line(text: str) -> str:
    """Return a student's text as one short line, with escapes for unprintable characters."""
    return repr(text[:60])[1:-1][:60]


def decoded(data: bytes) -> str:
    """Return UTF-8 text; other encodings are refused by name."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InvalidSubmission("encoded as UTF-16, expected UTF-8: save it again in JupyterLab")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidSubmission(f"not UTF-8 in line {line}: save it again in JupyterLab") from error


def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object, and refuse duplicate keys: different readers would take different values."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise InvalidSubmission("one JSON object has the same key twice: Jupyter did not write this file")
    return found


def checked_cells(data: Any) -> list[dict[str, Any]]:
    """Return a version-4 notebook's cells, each with a cell_type, a source as one text, and metadata."""
    if not isinstance(data, dict) or "nbformat" not in data:
        raise InvalidSubmission("not a notebook: expected an object with nbformat and cells")
    if data["nbformat"] != 4:
        raise InvalidSubmission(
            f"nbformat {repr(data['nbformat'])[:20]}, expected 4: open it in JupyterLab and save it again"
        )
    cells = data.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise InvalidSubmission("not a notebook: expected a list of cells")
    count = sum(cell.get("cell_type") == "code" for cell in cells)
    if count > CELLS:
        raise InvalidSubmission(f"{count} cells of code, expected at most {CELLS}: delete what you do not need")
    checked = [checked_cell(cell, index) for index, cell in enumerate(cells)]
    code = sum(len(cell["source"]) for cell in checked if cell["cell_type"] == "code")
    if code > CODE_BYTES:
        raise InvalidSubmission(
            f"{code} characters of code, expected at most {CODE_BYTES}: delete what you do not need"
        )
    return checked


def checked_cell(cell: dict[str, Any], index: int) -> dict[str, Any]:
    """Return one cell's type, source and nbgrader metadata; everything else is dropped."""
    source, metadata = cell.get("source", ""), cell.get("metadata", {})
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str) or cell.get("cell_type") not in ("code", "markdown", "raw"):
        raise InvalidSubmission(f"cell {index} is not a cell: expected a cell_type and a source of text")
    if cell["cell_type"] == "code" and len(source) > CELL_BYTES:
        raise InvalidSubmission(f"cell {index} has {len(source)} characters, expected at most {CELL_BYTES}: shorten it")
    metadata = metadata if isinstance(metadata, dict) else {}
    nbgrader, tags = metadata.get("nbgrader", {}), metadata.get("tags", [])
    return {
        "cell_type": cell["cell_type"],
        "source": source.encode("utf-8", "replace").decode(),  # a lone surrogate cannot be written again
        "nbgrader": nbgrader if isinstance(nbgrader, dict) else {},
        "tags": [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else ["something strange"],
    }


def without_outputs(data: bytes) -> bytes:
    """Return a notebook's bytes with outputs, attachments and metadata emptied; lines keep their numbers.

    Errors: InvalidSubmission if the rest is larger than any notebook.
    """
    brackets = data.count(b"[") + data.count(b"{")
    if brackets > MAX_BRACKETS:
        raise InvalidSubmission(
            f"{brackets} brackets, expected at most {MAX_BRACKETS}: "
            "clear the outputs (Edit, Clear All Outputs) and save it"
        )
    kept, start = [], 0
    for _, place, end in skipped_parts(data):
        kept += [data[start:place], emptied_brackets(data, place, end)]
        start = end
    return b"".join([*kept, data[start:]])


def skipped_parts(data: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield what is not read, in order: "top" or "cell", and where its brackets begin and end.

    "top" is the notebook's own metadata, "cell" a cell's outputs or attachments.
    Errors: InvalidSubmission, after these, if the rest is larger than any notebook.
    """
    place, depth = 0, 0
    for _ in range(MAX_TOKENS):
        token = JSON_TOKEN.search(data, place)
        if token is None:
            return
        place = token.end()
        depth += DEEPER.get(token[0], 0)
        if token.lastgroup and depth == DEPTHS[token.lastgroup]:
            end = end_of(data, place)
            yield token.lastgroup, place, end
            place = end
    raise InvalidSubmission(
        f"more lines, commas and brackets outside its outputs than the limit, {MAX_TOKENS}: "
        "move large data out of its cells and save it again"
    )


def end_of(data: bytes, start: int) -> int:
    """Return where the list or object that begins at ``start`` ends, or the end of the data if it never does."""
    depth, place = 0, start
    while (found := UP_TO_BRACKET.match(data, place)) and (place := found.end()) < len(data):
        depth += 1 if data[place] in b"[{" else -1
        place += 1
        if depth == 0:
            return place
    return place


def emptied_brackets(data: bytes, start: int, end: int) -> bytes:
    """Return the brackets of a list or object with only its line ends inside; one that never closes stays broken."""
    closes = end > start + 1 and data[end - 1] in b"]}"
    return data[start : start + 1] + b"\n" * data.count(b"\n", start, end) + (data[end - 1 : end] if closes else b"")
