"""Mutated zips, rosters and worksheets are collected: there are lines and whole files, and no traceback.

The same 100 by default; ten thousand new ones: `FUZZ=10000 pytest -n 0 tests/autograder/lms/test_collect_fuzz.py`.
"""

import io
import json
import shutil
import struct
import tempfile
import unicodedata
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from autograder.classroom.classroom import ClassRoom
from autograder.course.course import Course
from autograder.errors import AutograderError
from autograder.grading.answers import cells_by_chapter
from autograder.grading.which_chapter import chapters_by_cell
from autograder.lms import collect as collecting
from autograder.lms import scan as scanning
from autograder.lms.collect import Collector
from autograder.lms.people import read_people
from autograder.plain import visible
from tests.support.fuzz import UNSAFE, fuzzed
from tests.support.root import ROOT

COURSE = Course(ROOT)
CHAPTER = COURSE.chapters()[0]
RELEASED = (COURSE.exercises_folder / CHAPTER / f"{CHAPTER}.ipynb").read_bytes()
CHAPTERS = scanning.Chapters(chapters_by_cell(COURSE), cells_by_chapter(COURSE))
ROSTER = "login,name,email,lms_id\nada,Ada Lovelace,ada@x.org,17\nben,Benoît d'Arc,ben@x.org,19\nbén,Bén,,\n"
WORKSHEET = (
    "Identifier,Full name,Email address,Grade,Last modified (submission)\n"
    'Participant 5201,Ada Lovelace,ada@x.org,,"Friday, 4 December 2026, 11:59 PM"\n'
)

PIECES = [
    *("ada", "Ada Lovelace_5201_assignsubmission_file_", "lovelaceada_LATE_17_31_", f"{CHAPTER}.ipynb", "x.ipynb"),
    *(
        "..",
        ".",
        "",
        "/",
        "\\",
        "C:",
        "CON",
        "NUL",
        "a\0b",
        "\u202e",
        "\ud800",
        "e\u0301",
        "\u00e9",
        "ADA",
        "bén",
        "be\u0301n",
    ),
    *("x.zip", "_", "__MACOSX", ".ipynb_checkpoints", "n" * 300, "\n", "\x1b[2J", "anon_a_3_", "=1+1", "(1)", "LATE"),
]
names = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), min_size=1, max_size=4).map("/".join)
names = names | st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)
contents = st.sampled_from(
    [RELEASED, RELEASED[:99], RELEASED + b" ", b"", b"{", b"\xff", b"{" + b"0" * 99_999]
) | st.binary(max_size=30)
modes = st.sampled_from([0, 0o100644, 0o120777, 0o010644, 0o040755, 0o060644])
methods = st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])


@pytest.fixture(autouse=True)
def duplicates_are_meant(recwarn):
    """Zips with a name twice are what is tried here."""


@st.composite
def zips(draw, depth=0):
    """Draw a zip, zips in zips among them, and sometimes change its bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in draw(st.lists(names, max_size=5)):
            data = draw(contents if depth > 3 else contents | zips(depth + 1))
            with suppress(ValueError, OverflowError, struct.error):  # what zipfile itself refuses to write
                entry = zipfile.ZipInfo("x" if "\ud800" in name else name)
                entry.create_system, entry.external_attr = draw(st.sampled_from([0, 3])), draw(modes) << 16
                archive.writestr(entry, data, draw(methods))
    return draw(mutated(buffer.getvalue()))


@st.composite
def mutated(draw, data):
    """Draw some bytes with a few of them changed, half of the time."""
    data = bytearray(data)
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2, 5]))):
        if not data:
            break
        at = draw(st.integers(0, len(data) - 1))
        step = draw(st.sampled_from(["set", "cut", "take", "put", "directory"]))
        if step == "directory":  # where most of a zip's facts are
            at = min(len(data) - 1, max(0, data.rfind(b"PK\x01\x02")) + at % 60)
        if step in ("set", "directory"):
            data[at] = draw(st.integers(0, 255))
        elif step == "cut":
            del data[at:]
        elif step == "take":
            del data[at : at + draw(st.integers(1, 50))]
        else:
            data[at:at] = draw(st.binary(max_size=20))
    return bytes(data)


def texts(text):
    """Draw a table with its letters or its bytes changed."""
    cells = st.sampled_from(['"', ",", ";", "\t", "\n", "\r", "\0", "\u202e", "../x", "=1", "9" * 5000, "login", ""])
    lines = st.lists(cells | st.text(max_size=6), max_size=8).map("".join)
    return st.one_of(
        mutated(text.encode()),
        lines.map(lambda more: f"{text}{more}".encode("utf-8", "replace")),
        lines.map(lambda more: more.encode("utf-8", "replace")),
        st.sampled_from(["utf-16", "utf-32", "cp1252", "utf-8-sig"]).map(lambda code: text.encode(code, "replace")),
    )


@pytest.fixture(scope="module")
def take(tmp_path_factory):
    """Collect from bytes and hold what came of it against what must never be; name the outcome.

    What is scanned stays in this process here: a hundred times as many are tried, and a traceback is seen.
    """
    folder = tmp_path_factory.mktemp("fuzz")
    patch = pytest.MonkeyPatch()
    patch.setattr(collecting, "chapters_by_cell", lambda course: CHAPTERS.by_cell)
    patch.setattr(scanning, "run_limited", lambda action, seconds: action())
    patch.setattr(scanning, "renew_limits", lambda seconds: None)

    def run(zipped, roster, sheet, login, has_roster):
        here = Path(tempfile.mkdtemp(dir=folder))
        (here / "class").mkdir()
        for name, data in (("c.zip", zipped), ("roster.csv", roster), ("sheet.csv", sheet)):
            (here / name).write_bytes(data)
        try:
            people = read_people(here / "roster.csv") if has_roster else ()
            collector = Collector(COURSE, ClassRoom(here / "class"), people, login=login)
            said = collector.collect([here / "c.zip", *([here / "sheet.csv"] if sheet else [])])
        except AutograderError as error:
            hold_line(visible(" ".join(str(error).split())))  # as the command line shows it
            return "refused"
        finally:
            hold_class(here)
            shutil.rmtree(here)
        for line in (*said.told, *said.left):
            hold_line(line)
        return "collected" if said.new else "told" if said.left else "nothing"

    yield run
    patch.undo()


def hold_line(text):
    """Hold a text to one line that can be printed."""
    assert 0 < len(text) < 3000
    assert not UNSAFE & {unicodedata.category(letter) for letter in text.replace("\u200c", "").replace("\u200d", "")}


def hold_class(here):
    """Check that the folder holds only whole notebooks, each in its place."""
    assert {path.name for path in here.iterdir()} == {"class", "c.zip", "roster.csv", "sheet.csv"}
    for path in (here / "class").rglob("*"):
        parts = path.relative_to(here / "class").parts
        assert not path.is_symlink()
        if parts in ((".collecting.lock",), ("collected.json",)) or path.is_dir():
            continue
        assert parts[0] == "submitted"
        assert len(parts) == 4
        assert parts[2] == CHAPTER
        assert parts[3] in (f"{CHAPTER}.ipynb", "timestamp.txt")
        if parts[3] != "timestamp.txt":
            entry = json.loads((here / "class" / "collected.json").read_text())[CHAPTER][parts[1]]
            assert (scanning.recognised(path.read_bytes(), CHAPTERS)[0] == CHAPTER) != entry.get("as_it_is", False)


@fuzzed
@given(
    zipped=zips() | mutated(RELEASED),
    roster=st.just(ROSTER.encode()) | texts(ROSTER),
    sheet=st.just(b"") | st.just(WORKSHEET.encode()) | texts(WORKSHEET),
    login=st.sampled_from(["", "", "", "ada", "../x"]),
    has_roster=st.sampled_from([True, True, False]),
)
def test_whatever_is_collected_nothing_breaks(take, zipped, roster, sheet, login, has_roster):
    """No bytes bring a traceback, a file outside its place, half a notebook, or a line that acts on a terminal."""
    event(take(zipped, roster, sheet, login, has_roster))
