"""Mutated notebooks go through intake: each is rebuilt with the course's cells whole, or refused in one line.

The same 100 by default; ten thousand new ones: `FUZZ=10000 pytest -n 0 tests/autograder/grading/test_intake_fuzz.py`.
"""

import copy
import json
import signal
import unicodedata
from dataclasses import dataclass, field

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from autograder.course.course import Course
from autograder.errors import InvalidSubmission
from autograder.grading import intake
from autograder.grading.rebuild import rebuild
from tests.support.fuzz import UNSAFE, fuzzed
from tests.support.root import ROOT

COURSE = Course(ROOT)
CHAPTER = COURSE.chapters()[0]  # a real one: it has several answers
RELEASED = (COURSE.exercises_folder / CHAPTER / f"{CHAPTER}.ipynb").read_bytes()
CELLS = {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in json.loads(RELEASED)["cells"]}
# As the solution notebook has them: those released may name another address, or the whole course's chapters.
TEXTS = {cell.metadata.nbgrader.grade_id: cell.source for cell in COURSE.assignment(CHAPTER).notebook.cells}
HANG = 60  # seconds after which an input is called a hang; an ordinary one takes milliseconds


@dataclass(frozen=True)
class Raw:
    """JSON text that ``json.dumps`` would not write; it prints as its name."""

    name: str
    text: str = field(repr=False)


@dataclass(frozen=True)
class Submission:
    """The bytes of a submission; a failing test prints how they were made."""

    kind: str
    made: object
    data: bytes = field(repr=False)


def written(value):
    """Write JSON in which Raw is written as it is."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)}: {written(item)}' for key, item in value.items())}}}"
    return f"[{', '.join(map(written, value))}]" if isinstance(value, list) else json.dumps(value)


def in_bytes(value):
    """Write a file; a lone surrogate goes in as it is."""
    return written(value).encode("utf-8", "surrogatepass")


EXTREMES = [
    *(Raw(f"{digits} digits", "9" * digits) for digits in (4300, 4301, 100_000)),
    *(Raw(f"a list {levels} deep", "[" * levels + "]" * levels) for levels in (40, 57, 2000)),
    *(Raw(f"an object {levels} deep", '{"a":' * levels + "0" + "}" * levels) for levels in (40, 57, 2000)),
    *(Raw(f"{size} letters", f'"{"x" * size}"') for size in (intake.CELL_BYTES, intake.CELL_BYTES + 1)),
    *(Raw(text, text) for text in ("NaN", "-Infinity", "1e999", "-0", "01", "4.0", "'4'", "/**/1", "", "]", '"')),
    Raw("a surrogate in UTF-8", '"\ud800"'),
    Raw("a list of 5000 texts", json.dumps(["x"] * 5000)),
]
STRANGE = ["", "\0", "\r\n", "\x1b[31m\x07", "\ud800", "\udfff", "\u202e", "\u2028", "\x85", "4", "x" * 99]
KEYS = ["cell_type", "source", "metadata", "nbgrader", "tags", "grade_id", "points", "locked", "nbformat", "id"]

texts = st.sampled_from(STRANGE) | st.sampled_from(list(CELLS)) | st.text(st.characters(), max_size=8)
keys = st.sampled_from([*KEYS, *STRANGE])
leaves = st.none() | st.booleans() | st.integers() | texts | st.sampled_from([*EXTREMES, *range(40)])
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=9
)


def mostly(expected):
    """Draw what is expected, or now and then anything at all."""
    return st.integers(0, 9).flatmap(lambda chance: values if chance == 9 else expected)


flags = {"grade": mostly(st.booleans()), "locked": mostly(st.booleans()), "points": mostly(st.integers(0, 9))}
nbgrader = st.fixed_dictionaries({"grade_id": mostly(st.sampled_from(list(CELLS)))}, optional=flags)
metadata = st.fixed_dictionaries({"nbgrader": mostly(nbgrader)}, optional={"tags": mostly(st.lists(texts, max_size=4))})
types = st.sampled_from(["code", "markdown", "raw"])
cells = st.fixed_dictionaries(
    {"cell_type": types, "source": texts | st.lists(texts, max_size=4)},
    optional={"metadata": mostly(metadata), "id": values},
)
notebooks = st.fixed_dictionaries(
    {"cells": mostly(st.lists(mostly(cells), max_size=9)), "nbformat": mostly(st.just(4))},
    optional={"metadata": values, "nbformat_minor": values},
)
arbitrary = notebooks.map(lambda notebook: Submission("arbitrary", notebook, in_bytes(notebook)))

BLOBS = [b"\0", b"\0" * 99, b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b'"', b"\\", b"[", b"}", b"\n"]
CODECS = ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "utf-7", "cp037", "latin-1"]
blobs = st.sampled_from(BLOBS) | st.binary(max_size=6)
lengths = st.integers(0, 2000)
BYTE_STEPS = {
    "flip": lambda draw, data, at: data[:at] + bytes([data[at] ^ 1 << draw(st.integers(0, 7))]) + data[at + 1 :],
    "cut off": lambda draw, data, at: data[:at],
    "take out": lambda draw, data, at: data[:at] + data[at + draw(lengths) :],
    "insert": lambda draw, data, at: data[:at] + draw(blobs) + data[at:],
    "in front": lambda draw, data, at: draw(blobs) + data,
    "repeat": lambda draw, data, at: data[: at + draw(lengths)] + data[at:],
    "encode": lambda draw, data, at: data.decode(errors="replace").encode(draw(st.sampled_from(CODECS)), "replace"),
}


@st.composite
def mutated_bytes(draw):
    """Draw the released notebook with some of its bytes changed."""
    data, made = RELEASED, []
    for step in draw(st.lists(st.sampled_from(list(BYTE_STEPS)), min_size=1, max_size=3)):
        if data:
            made.append((step, draw(st.integers(0, len(data) - 1))))
            data = BYTE_STEPS[step](draw, data, made[-1][1])
    return Submission("bytes", made, data)


def places(node):
    """Yield every place in a JSON value as (box, key): ``box[key]`` is what is there."""
    inside = node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in inside:
        yield from places(node[key])
        yield node, key


def any_place(draw, whole):
    """Draw one place, half the time that of a whole cell; None where nothing is left."""
    found = list(places(whole))
    if draw(st.booleans()):
        found = [(box, key) for box, key in found if isinstance(box, list) and isinstance(box[key], dict)] or found
    return found[draw(st.integers(0, len(found) - 1))] if found else None


def put(draw, box, key, value):
    """Put a value beside the place."""
    if isinstance(box, list):
        box.insert(key, value)
    else:
        box[draw(keys)] = value


def disguise(draw, whole, box, key):
    """Give a cell metadata as the course's cells have it."""
    if isinstance(box[key], dict):
        box[key]["metadata"] = draw(metadata)


def replace(draw, whole, box, key):
    """Put anything in the place."""
    box[key] = draw(values)


def delete(draw, whole, box, key):
    """Take the place away."""
    del box[key]


def add(draw, whole, box, key):
    """Put a cell, or anything, beside the place."""
    put(draw, box, key, draw(cells | values))


def move(draw, whole, box, key):
    """Take the place away and put what it held beside another one."""
    value = box.pop(key)
    if there := any_place(draw, whole):
        put(draw, *there, value)


def overwrite(draw, whole, box, key):
    """Put a copy of what another place holds in the place."""
    other, there = any_place(draw, whole)
    box[key] = copy.deepcopy(other[there])


def duplicate(draw, whole, box, key):
    """Give the place twice: a list's item again, or an object's key with a second value."""
    if isinstance(box, list):
        box.insert(key, copy.deepcopy(box[key]))
    else:
        box[key] = Raw("a key twice", f"{written(box[key])}, {json.dumps(key)}: {written(draw(values))}")


def retype(draw, whole, box, key):
    """Give the value in the place another type."""
    old, text = box[key], written(box[key])
    types = [[old], [[old]], {draw(keys): old}, text, Raw("a text", json.dumps(text)), bool(old)]
    types += [list(old)] if isinstance(old, str | dict) else [float(old), str(old)] if isinstance(old, int) else []
    box[key] = types[draw(st.integers(0, len(types) - 1))]


def crowd(draw, whole, box, key):
    """Put a great many of one thing beside the place: a cell, or the value there."""
    one = written(draw(cells) if draw(st.booleans()) else box[key])
    times = min(draw(st.sampled_from([2, 40, 970, 1001])), 1 + 500_000 // (len(one) + 1))
    text = ", ".join([one] * times)
    put(draw, box, key, Raw("a crowd", text if isinstance(box, list) else f"[{text}]"))


STEPS = [disguise, replace, delete, add, move, overwrite, duplicate, retype, crowd]


@st.composite
def mutated_structure(draw):
    """Draw the released notebook with some of its JSON values changed."""
    whole, made = json.loads(RELEASED), []
    for step in draw(st.lists(st.sampled_from(STEPS), min_size=1, max_size=4)):
        if place := any_place(draw, whole):
            step(draw, whole, *place)
            made.append((step.__name__, place[1]))
    return Submission("structure", made, in_bytes(whole))


class Hang(BaseException):
    """An input that never ends; not an Exception, because hypothesis would try again and again to make it smaller."""


@pytest.fixture(scope="module")
def take(tmp_path_factory):
    """Take a file's bytes in, hold the result against what no submission may change, and name the outcome."""
    path = tmp_path_factory.mktemp("fuzz") / f"{CHAPTER}.ipynb"
    assignment = COURSE.assignment(CHAPTER)

    def hangs(number, frame):
        raise Hang(f"no end after {HANG} seconds: {path}")

    before = signal.signal(signal.SIGALRM, hangs)

    def run(data):
        path.write_bytes(data)
        signal.alarm(HANG)
        try:
            submitted = intake.cells_of(intake.submission_bytes(path, folders=0))
            found = rebuild(assignment, submitted)
        except InvalidSubmission as error:
            return hold_line(str(error), 400) or "refused"
        finally:
            signal.alarm(0)
        hold_pieces(assignment, submitted, found.pieces)
        for what in (*found.tampered, *found.harmless):
            hold_line(what, 120)
        return "altered" if found.tampered else "texts altered" if found.harmless else "as released"

    yield run
    signal.signal(signal.SIGALRM, before)


def hold_line(text, longest):
    """Hold a text to one short line that can be printed and written to a file."""
    assert 0 < len(text) <= longest
    assert not UNSAFE & {unicodedata.category(letter) for letter in text}


def hold_pieces(assignment, submitted, pieces):
    """Hold a rebuilt notebook against the released one: only answers and added cells are the student's."""
    assert [piece.grade_id for piece in pieces if piece.kind != "own"] == list(CELLS)
    for piece in pieces:
        piece.source.encode()
        assert piece.cell_type in ("code", "markdown", "raw")
        if piece.kind == "own":
            assert not piece.grade_id
            assert piece.source in [cell["source"] for cell in submitted]
        else:
            hold_course_piece(assignment, submitted, piece)


def hold_course_piece(assignment, submitted, piece):
    """Check one of the course's cells: it is as released, except an answer, which is one that was handed in."""
    right = CELLS[piece.grade_id]
    flags = right["metadata"]["nbgrader"]
    assert piece.cell_type == right["cell_type"]
    if flags["solution"]:
        ids = [cell["nbgrader"].get("grade_id") for cell in submitted]
        mine = [at for at, grade_id in enumerate(ids) if grade_id == piece.grade_id]
        tests = [at for at, grade_id in enumerate(ids) if grade_id == f"test_{piece.grade_id}"]
        above = [at for at in mine if tests and at < tests[-1]]
        wanted = submitted[(above or mine)[-1]]["source"] if mine else ""
        assert (piece.kind, piece.source) == ("answer", wanted)
        return
    exercise = assignment.cells[piece.grade_id].exercise
    wanted = "".join(right["source"]) if piece.cell_type == "code" else TEXTS[piece.grade_id]
    assert (piece.kind, piece.source) == ("test" if flags["grade"] else "course", wanted)
    assert (exercise.points if exercise else None) == flags.get("points")


@fuzzed
@given(submission=mutated_bytes() | mutated_structure() | arbitrary)
def test_whatever_is_handed_in_the_course_stays_whole(take, submission):
    """No bytes bring a traceback, stop the run, change a course cell, or put control characters in a report."""
    event(f"{submission.kind}: {take(submission.data)}")


def released(*more, minor=5, metadata=None):
    """Return the released notebook with cells added, or with another minor version or metadata."""
    return {"cells": [*CELLS.values(), *more], "metadata": metadata or {}, "nbformat": 4, "nbformat_minor": minor}


def cell(source="1", tags=(), **flags):
    """Return a code cell with tags and nbgrader fields."""
    return {"cell_type": "code", "source": source, "metadata": {"nbgrader": flags, "tags": list(tags)}}


HUGE, LONG = Raw("100000 digits", "9" * 100_000), Raw("12 MB", f'"{"x" * (12 << 20)}"')
TEST = next(grade_id for grade_id, locked in CELLS.items() if locked["metadata"]["nbgrader"]["grade"])
FULL = intake.CELLS - sum(cell["cell_type"] == "code" for cell in CELLS.values())
LIMITS = {
    "as it is": (released(), "as released"),
    "an integer of 100000 digits": (released(minor=HUGE), "refused"),
    "points of 100000 digits": (released(cell(grade_id=TEST, points=HUGE)), "refused"),
    "points of 4300 digits": (released(cell(grade_id=TEST, points=10**4299)), "altered"),
    "a text of 12 MB": (released(metadata={"x": LONG}), "as released"),
    "a cell of 12 MB": (released(cell(LONG)), "refused"),
    "an id of 12 MB": (released(cell(grade_id=LONG)), "as released"),
    "tags of 12 MB": (released(cell(tags=[LONG], grade_id=TEST)), "altered"),
    "300000 empty lines": (released(cell([""] * 300_000)), "as released"),
    "48 long cells": (released(*[cell("x" * intake.CELL_BYTES)] * 48), "as released"),
    "as many cells as can be": (released(*[cell()] * FULL), "as released"),
    "one cell too many": (released(*[cell()] * (FULL + 1)), "refused"),
    "many copies of a test": (released(*[cell(grade_id=TEST)] * FULL), "altered"),
    "no cells": ({**released(), "cells": []}, "as released"),
}


@pytest.mark.parametrize("name", LIMITS)
def test_sizes_at_the_limits(take, name):
    """Huge numbers, long texts and many cells are taken or refused in one line, like everything else."""
    notebook, outcome = LIMITS[name]
    assert take(in_bytes(notebook)) == outcome
