"""What Moodle, Canvas and folders export ends in its student's folder, or in a line that says why and what to do."""

import errno
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from datetime import date

import pytest
from nbgrader.utils import parse_utc

from autograder.classroom.undecided import undecided
from autograder.errors import CourseError, UsageError
from autograder.lms import scan

from .class_of_four import (
    ADA,
    BEN,
    CANVAS,
    CHAPTER,
    CLASS,
    COURSE,
    MINE,
    NAME,
    NEXT,
    OTHER,
    ROSTER,
    SAM,
    notebook,
    there,
)
from .lms_models import canvas_export, moodle_export, moodle_worksheet, zip_of

FORMS = {
    "a notebook": (NAME, MINE),
    "a browser's copy": (f"{CHAPTER} (1).ipynb", MINE),
    "Canvas's copy": (f"{CHAPTER}-1.ipynb", MINE),
    "another name": ("answers.txt", MINE),
    "a zip": ("answers.zip", zip_of([(NAME, MINE)])),
    "a zip in a zip": ("a.zip", zip_of([("b.zip", zip_of([(f"x/{NAME}", MINE)]))])),
    "with macOS's shadows": ("a.zip", zip_of([(NAME, MINE), (f"__MACOSX/._{NAME}", b"\0\5\x16\7")])),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("lms", ["moodle", "moodle before 4.1", "moodle without folders", "canvas", "folders"])
def test_a_notebook_is_found_however_it_was_handed_in(write, collect, form, lms):
    """By its grade ids, in every layout: it is in its student's folder, byte for byte."""
    files = {ADA: [FORMS[form]], BEN: [(NAME, notebook("ben"))]}
    if lms == "canvas":
        given = canvas_export({who: [(7, *file) for file in held] for who, held in files.items()})
    elif lms == "folders":
        given = zip_of([(f"week 4/{who.login}/{name}", data) for who, held in files.items() for name, data in held])
    else:
        given = moodle_export(files, "without" not in lms, "_" * ("before" in lms))
    said = collect(write(class_zip=given))
    assert there(collect) == {"ada": MINE, "ben": notebook("ben")}
    assert (said.new, said.left) == ({CHAPTER: ["ada", "ben"]}, [])
    assert said.told[0] == "nothing collected yet from 2 of 4: sam1, sam2"
    assert len(said.told) == 1 + (lms != "folders")  # and that names alone say whose it is


def test_who_has_left_is_neither_missed_nor_counted(write, collect):
    """Of a class of four, one of whom has left, three are there."""
    students = (*ROSTER[:3], replace(ROSTER[3], left=date(2026, 11, 10)))
    said = collect(write(class_zip=moodle_export({ADA: [(NAME, MINE)]})), students)
    assert said.told[0] == "nothing collected yet from 2 of 3: ben, sam1"


def test_work_without_a_time_is_named_where_there_is_a_deadline(write, collect):
    """A download alone does not say when work came, and such work is never late; with the worksheet nothing is said."""
    (collect.room.root / "class.toml").write_text(
        f'[class]\ntimezone = "UTC"\n[due]\n{CHAPTER} = 2026-11-20T12:00:00\n'
    )
    export = moodle_export({ADA: [(NAME, MINE)], BEN: [(NAME, MINE)]})
    assert collect(write(m_zip=export)).told[-1] == (
        f"{CHAPTER} has a deadline, but nothing says when the work of ada, ben arrived: it is never late. "
        "Add Moodle's worksheet, or write the time into timestamp.txt beside the notebook"
    )
    said = collect(write(m_zip=export, w_csv=moodle_worksheet(CLASS, {"ada": WHEN[0], "ben": WHEN[1]})))
    assert not [line for line in said.told if "deadline" in line]


def test_again_changes_nothing(write, collect):
    """The same files a second time leave every file as it is."""
    paths = write(m_zip=moodle_export({ADA: [(NAME, MINE)]}), w_csv=moodle_worksheet(CLASS, {"ada": WHEN[0]}))
    collect(paths)
    before = {path: path.stat().st_mtime_ns for path in collect.room.root.rglob("*") if path.is_file()}
    before.pop(collect.room.root / ".collecting.lock")
    assert collect(paths).unchanged == {CHAPTER: ["ada"]}
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_dry_run_writes_nothing(write, collect):
    """What would be done is said."""
    said = collect(write(m_zip=moodle_export({ADA: [(NAME, MINE)]})), dry=True)
    assert said.new == {CHAPTER: ["ada"]}
    assert [path.name for path in collect.room.root.iterdir()] == [".collecting.lock"]


def test_a_notebook_that_lost_its_ids_has_its_chapter(write, collect):
    """An editor that drops nbgrader's metadata costs no hand-in: the texts of the tests tell the chapter."""
    data = json.loads(MINE)
    for cell in data["cells"]:
        cell["metadata"] = {}
    bare = json.dumps(data).encode()
    assert collect(write(m_zip=moodle_export({ADA: [("untitled.ipynb", bare)]}))).new == {CHAPTER: ["ada"]}
    assert there(collect) == {"ada": bare}


def test_what_a_killed_collect_unpacked_is_removed(write, collect):
    """Students' work that a killed run left unpacked is in the class's folder, and gone after the next one."""
    left = collect.room.root / ".collecting-abc"
    (left / "0").mkdir(parents=True)
    (left / "0" / "1").write_bytes(MINE)
    collect(write(m_zip=moodle_export({ADA: [(NAME, MINE)]})))
    assert not list(collect.room.root.glob(".collecting-*"))


def test_hand_ins_are_unpacked_in_the_class_folder(write, collect, monkeypatch):
    """While it works, nothing is written elsewhere: a killed run leaves no student's work behind in a shared place."""
    seen = []
    monkeypatch.setattr("autograder.lms.collect.scan", lambda path, staging, chapters: seen.append(staging) or [])
    collect(write(m_zip=moodle_export({ADA: [(NAME, MINE)]})))
    assert [staging.parents[1] for staging in seen] == [collect.room.root]


WHEN = ["Friday, 4 December 2026, 11:59 PM", "Saturday, 5 December 2026, 8:15 AM"]


def test_when_it_came_is_written_as_nbgrader_reads_it(write, collect):
    """The worksheet's time is beside the notebook; later work of unknown time gets that time."""
    collect(write(m_zip=moodle_export({ADA: [(NAME, MINE)]}), w_csv=moodle_worksheet(CLASS, {"ada": WHEN[0]})))
    stamp = collect.room.notebook("ada", CHAPTER).with_name("timestamp.txt")
    assert str(parse_utc(stamp.read_text())) == "2026-12-04 23:59:00"
    collect(write(m_zip=moodle_export({ADA: [(NAME, notebook("2"))]}), w_csv=moodle_worksheet(CLASS, {"ada": WHEN[1]})))
    assert str(parse_utc(stamp.read_text())) == "2026-12-05 08:15:00"
    paths = write(m_zip=moodle_export({ADA: [(NAME, notebook("3"))]}, when=(2026, 12, 9, 1, 1, 0)))
    assert collect([path for path in paths if path.suffix == ".zip"]).replaced == {CHAPTER: ["ada"]}
    assert not stamp.exists()


def test_of_several_the_latest_counts_by_canvas_own_order(write, collect):
    """The file that was uploaded last, whatever its name; the other is named."""
    held = {ADA: [(907, NAME, notebook("new")), (311, f"{CHAPTER}-1.ipynb", notebook("old"))]}
    said = collect(write(c_zip=canvas_export(held, late=["ada"])), CANVAS)
    assert there(collect) == {"ada": notebook("new")}
    assert said.told[:2] == [
        f"ada: c.zip/lovelaceada_LATE_90017_907_{NAME} counts, the latest; "
        f"left aside: c.zip/lovelaceada_LATE_90017_311_{CHAPTER}-1.ipynb",
        "ada: late according to Canvas, which does not say when it arrived",
    ]


def test_work_that_is_there_gives_way_to_later_work_alone(write, collect):
    """An earlier download, and a file that somebody changed, wait for --yes."""
    early, late = (2026, 12, 5, 9, 0, 0), (2026, 12, 6, 9, 0, 0)
    collect(write(m_zip=moodle_export({ADA: [(NAME, notebook("1"))]}, when=early)))
    assert collect(write(m_zip=moodle_export({ADA: [(NAME, notebook("2"))]}, when=late))).replaced == {CHAPTER: ["ada"]}
    older = write(m_zip=moodle_export({ADA: [(NAME, notebook("1"))]}, when=early))
    (line,) = collect(older).left
    assert "and nothing says that it is later. To replace that, add --yes" in line
    assert there(collect) == {"ada": notebook("2")}
    collect.room.notebook("ada", CHAPTER).write_bytes(notebook("by hand"))
    latest = write(m_zip=moodle_export({ADA: [(NAME, notebook("3"))]}, when=(2026, 12, 7, 9, 0, 0)))
    assert len(collect(latest).left) == 1
    assert collect(latest, write_changes=True).replaced == {CHAPTER: ["ada"]}
    assert there(collect) == {"ada": notebook("3")}


def test_two_people_of_one_name_are_not_guessed(write, collect):
    """Both are named, with what helps; with Moodle's worksheet each gets their own."""
    data = moodle_export({SAM: [(NAME, notebook("1"))], OTHER: [(NAME, notebook("2"))]})
    said = collect(write(m_zip=data))
    assert there(collect) == {}
    assert said.left[0] == (
        "Sam Lee_5215_assignsubmission_file: sam1 and sam2 both have that name in the roster. Add Moodle's grading "
        "worksheet to the command, or unpack it and give the folder with --login LOGIN"
    )
    assert len(said.left) == 2
    collect(write(w_csv=moodle_worksheet(CLASS, {})))
    assert there(collect) == {"sam1": notebook("1"), "sam2": notebook("2")}


def test_canvas_tells_two_people_of_one_name_apart(write, collect):
    """By the number in the roster; without it, the line says where to write it."""
    data = canvas_export({SAM: [(1, NAME, notebook("1"))], OTHER: [(2, NAME, notebook("2"))]})
    line = collect(write(c_zip=data)).left[0]
    assert line.startswith(f"leesam_90079_1_{NAME}: sam1 and sam2 both have that name in the roster. Put lms_id 90079")
    collect(write(c_zip=data), CANVAS)
    assert there(collect) == {"sam1": notebook("1"), "sam2": notebook("2")}


def test_two_different_notebooks_wait_for_a_word(write, collect, tmp_path):
    """Neither is taken; the one that is given alone is, and stays when all is collected again."""
    held = {ADA: [(NAME, notebook("1")), ("old.ipynb", notebook("2"))], BEN: [(NAME, MINE), ("same.ipynb", MINE)]}
    paths = write(m_zip=moodle_export(held))
    (line,) = collect(paths).left
    assert line.startswith(f"ada: 2 different notebooks of {CHAPTER}: m.zip/Ada Lovelace_5201_assignsubmission_file/")
    assert line.endswith("Unpack the one that counts, and give it alone with --login ada")
    assert (there(collect), undecided(collect.room, CHAPTER)) == ({"ben": MINE}, {"ada": 2})
    (tmp_path / "old.ipynb").write_bytes(notebook("2"))
    collect([tmp_path / "old.ipynb"], login="ada")
    said = collect(paths)
    assert (there(collect)["ada"], said.left, undecided(collect.room, CHAPTER)) == (notebook("2"), [], {})
    assert (
        json.loads((collect.room.root / "collected.json").read_text())[CHAPTER]["ada"]["labels"]["moodle"]["id"]
        == "5201"
    )


def test_another_chapters_notebook_is_that_chapters(write, collect):
    """It is collected as what it is; where one chapter alone is wanted, it is all that there is, and is named."""
    paths = write(m_zip=moodle_export({ADA: [(NAME, notebook("", NEXT))], BEN: [(NAME, MINE)]}))
    assert collect(paths).new == {CHAPTER: ["ben"], NEXT: ["ada"]}
    assert there(collect, NEXT) == {"ada": notebook("", NEXT)}
    said = collect(paths, chapter=CHAPTER)
    assert said.new == {CHAPTER: ["ada"]}
    assert f"{NAME}: the notebook of {NEXT}; collected as it is" in said.told[0]


def test_what_is_no_notebook_is_named(write, collect):
    """A picture, an unknown notebook, a broken one, and an encrypted zip: each has its student and a reason."""
    foreign = json.dumps({"cells": [], "nbformat": 4}).encode()
    both = json.loads(notebook())
    answers = [cell for cell in json.loads(notebook("", NEXT))["cells"] if cell["metadata"]["nbgrader"].get("solution")]
    both["cells"] = [cell for cell in both["cells"] if cell["metadata"]["nbgrader"].get("solution")][:1] + answers[:1]
    held = {
        ADA: [("a.pdf", b"%PDF-1.7")],
        BEN: [("x.ipynb", foreign)],
        SAM: [("x.zip", zip_of([(NAME, MINE)])[:-9])],
        OTHER: [("x.ipynb", json.dumps(both).encode())],
    }
    paths = write(m_zip=moodle_export(held), w_csv=moodle_worksheet(CLASS, {}))
    assert collect(paths).left == [
        "ada: no notebook, only a.pdf (a PDF). Ask for the notebook itself, or collect it as it is with --chapter",
        "ben: m.zip/Benoît dArc_5208_assignsubmission_file/x.ipynb: a notebook without a cell of this course's "
        "exercises: ask for the released one, filled in",
        "sam1: m.zip/Sam Lee_5215_assignsubmission_file/x.zip: not a complete zip file: download it again, or "
        "ask for a new copy",
        f"sam2: m.zip/Sam Lee_5222_assignsubmission_file/x.ipynb: as many exercises of {CHAPTER} as of {NEXT}: "
        "ask for one notebook for each chapter",
    ]
    assert there(collect) == {}


def test_a_broken_notebook_of_a_known_chapter_goes_to_the_grader(write, collect):
    """With --chapter it is collected as it is: its page will say what is wrong. A whole one beside it wins."""
    paths = write(m_zip=moodle_export({ADA: [(NAME, MINE[:999])], BEN: [(NAME, MINE[:999]), ("b.ipynb", MINE)]}))
    said = collect(paths, chapter=CHAPTER)
    assert there(collect) == {"ada": MINE[:999], "ben": MINE}
    assert said.told[0].startswith(f"ada: m.zip/Ada Lovelace_5201_assignsubmission_file/{CHAPTER}.ipynb: not a")


def test_nobody_can_hand_in_for_another(write, collect):
    """The contents of a folder or zip don't say whose it is, even if they are named like Ada's."""
    ada = f"Ada Lovelace_5201_assignsubmission_file_/{NAME}"
    held = {BEN: [("x.zip", zip_of([(f"../{ada}", MINE), (f"../../ada/{NAME}", MINE)])), (ada, MINE)]}
    collect(write(m_zip=moodle_export(held)))
    assert there(collect) == {"ben": MINE}
    assert sorted(path.name for path in collect.room.root.iterdir()) == [
        ".collecting.lock",
        "collected.json",
        "submitted",
    ]


def test_without_a_roster_folders_are_logins(write, collect, tmp_path):
    """Folders and zips named by logins are; loose files, and one lone folder that may be anything, are not."""
    entries = [(f"week 4/ada/{NAME}", MINE), ("week 4/ben.zip", zip_of([(NAME, MINE)])), (f"week 4/{NAME}", MINE)]
    said = collect(write(f_zip=zip_of(entries)), ())
    assert there(collect) == {"ada": MINE, "ben": MINE}
    assert said.left == [
        f"{NAME}: no folder name says whose it is. Name a roster with --roster, "
        "or give the file alone with --login LOGIN"
    ]
    (tmp_path / "lone" / "answers").mkdir(parents=True)
    (tmp_path / "lone" / "answers" / NAME).write_bytes(MINE)
    assert len(collect([tmp_path / "lone"], ()).left) == 1
    with pytest.raises(
        UsageError, match=r"Ada Lovelace_5201_.* is what Moodle calls it; .*name a roster with --roster"
    ):
        collect(write(f_zip=moodle_export({ADA: [(NAME, MINE)]})), ())


def test_a_lone_folder_that_holds_chapters_is_a_students(collect, tmp_path):
    """A class of one is laid out like that, and needs no roster."""
    lone = tmp_path / "lone"
    (lone / "dora" / CHAPTER).mkdir(parents=True)
    (lone / "dora" / CHAPTER / NAME).write_bytes(MINE)
    said = collect([lone], students=())
    assert (there(collect), said.left) == ({"dora": MINE}, [])


def test_loose_files_are_their_students(write, collect):
    """A name in a file's name is enough, where one person is called that."""
    paths = write(**{f"{CHAPTER}_Ada Lovelace (1)_ipynb": MINE, "ben_ipynb": notebook("b"), "Sam Lee_ipynb": MINE})
    said = collect(paths)
    assert there(collect) == {"ada": MINE, "ben": notebook("b")}
    assert said.left[0].startswith("Sam Lee.ipynb: sam1 and sam2 both have that name")


def test_a_class_is_collected_in_its_own_place(collect):
    """Notebooks of other names in submitted/ get the right one, and all others stay."""
    for login, name in (("ada", f"{CHAPTER} (1).ipynb"), ("ben", NAME)):
        folder = collect.room.submitted(login, CHAPTER)
        folder.mkdir(parents=True)
        (folder / name).write_bytes(MINE)
    said = collect([collect.room.root / "submitted"])
    assert (said.new, said.unchanged) == ({CHAPTER: ["ada"]}, {CHAPTER: ["ben"]})
    assert there(collect) == {"ada": MINE, "ben": MINE}


def test_links_in_the_class_are_not_written_through(write, collect, tmp_path):
    """Where a student's folder leads elsewhere, nothing is written there."""
    (tmp_path / "elsewhere").mkdir()
    (collect.room.root / "submitted").mkdir()
    (collect.room.root / "submitted" / "ada").symlink_to(tmp_path / "elsewhere")
    (line,) = collect(write(m_zip=moodle_export({ADA: [(NAME, MINE)]}))).left
    assert line.endswith("is a symbolic link: replace it by an ordinary folder")
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("login", ["../ada", ".", "", "a/b", "ada\n", "x" * 300])
def test_no_login_leads_out_of_the_class(write, collect, login):
    """A login that cannot be a folder is refused; an empty one is none."""
    paths = write(a_ipynb=MINE)
    if login:
        with pytest.raises(UsageError, match="the login "):
            collect(paths, login=login)
    assert len(collect(paths, login="").left) == 1
    assert not (collect.room.root / "submitted").exists()


def test_what_cannot_be_used_is_one_line(write, collect, tmp_path):
    """A worksheet alone, a file that is not there, a memory that is damaged."""
    with pytest.raises(UsageError, match=r"s.csv: expected the zip"):
        collect([path for path in write(s_csv=moodle_worksheet(CLASS, {})) if path.suffix == ".csv"])
    (tmp_path / "downloads" / "s.csv").unlink()
    expected = "expected a notebook, a zip, a folder or Moodle's worksheet"
    with pytest.raises(UsageError, match=rf"no file .*nothing.zip: {expected}"):
        collect([tmp_path / "nothing.zip"])
    no_order = '{"a": {"b": {"labels": {}, "sha256": "x", "came": "", "order": 7}}}'
    for text in ("{", "[]", "[" * 10**5, '{"a": {"b": 7}}', '{"a": {"b": {"labels": {"x": {"x": 1}}}}}', no_order):
        (collect.room.root / "collected.json").write_text(text)
        with pytest.raises(
            CourseError, match=r"cannot read .*collected.json .*: remove it, and collect the same files"
        ):
            collect(write(a_ipynb=MINE))


def test_what_holds_nothing_is_named(write, collect):
    """An empty zip, a folder of somebody who is not in the roster; a readme beside the folders is left alone."""
    assert collect(write(e_zip=zip_of([]))).left == ["e.zip: nothing in it. Export it again"]
    entries = [("readme.txt", b"hello"), ("ada/a.pdf", b"%PDF-1.7"), ("cy/a.pdf", b"%PDF-1.7")]
    assert collect(write(e_zip=zip_of(entries))).left == [
        "cy: nobody in the roster has that name. Correct the roster, or give the file alone with --login LOGIN",
        "ada: no notebook, only a.pdf (a PDF). Ask for the notebook itself, or collect it as it is with --chapter",
    ]


KILLED = """
import os, sys
from pathlib import Path
from autograder.lms import collected
count, whole = [0], collected.write_whole
def write_whole(path, data):
    count[0] += 1
    if count[0] == int(sys.argv[1]):
        path.with_name(f".{path.name}.new").write_bytes(b"half")
        os.kill(os.getpid(), 9)
    return whole(path, data)
collected.write_whole = write_whole
from autograder.lms import scan
from autograder.lms.collect import Collector
from autograder.classroom.classroom import ClassRoom
from autograder.course.course import Course
from autograder.classroom.roster import read_roster
room = ClassRoom(Path(sys.argv[2]))
Collector(Course(Path(sys.argv[3])), room, read_roster(Path(sys.argv[4])).students).collect([Path(sys.argv[5])])
"""


@pytest.mark.parametrize("at", [1, 2, 3])
def test_killed_anywhere_nothing_is_half_there(write, collect, tmp_path, at):
    """Before each write in turn: every file is whole, and the same command does the rest."""
    (tmp_path / "roster.csv").write_text("login,name\nada,Ada Lovelace\nben,Benoît d'Arc\n")
    (path,) = write(m_zip=moodle_export({ADA: [(NAME, MINE)], BEN: [(NAME, MINE)]}))
    arguments = [at, collect.room.root, COURSE.root, tmp_path / "roster.csv", path]
    done = subprocess.run([sys.executable, "-c", KILLED, *map(str, arguments)], cwd=COURSE.root, check=False)
    assert done.returncode == -9
    assert set(there(collect).values()) <= {MINE}
    collect([path])
    assert there(collect) == {"ada": MINE, "ben": MINE}
    assert sorted(json.loads((collect.room.root / "collected.json").read_text())[CHAPTER]) == ["ada", "ben"]


def test_a_file_that_is_broken_is_named_alone(write, collect):
    """A download that was cut short is nobody's fault, and asked for again."""
    paths = write(m_zip=moodle_export({ADA: [(NAME, MINE)]})[:-40])
    assert collect(paths).left == ["m.zip: not a complete zip file: download it again, or ask for a new copy"]


def spin():
    """Never end."""
    while True:
        pass


@pytest.mark.parametrize(
    ("form", "how"),
    [
        ("a zip", spin),
        ("a folder", lambda: bytearray(40 << 30)),
        ("flat files", lambda: os.kill(os.getpid(), 9)),
    ],
)
def test_what_takes_too_much_costs_nobody_else(write, collect, monkeypatch, tmp_path, form, how):
    """Too much time, too much memory or a crash ends one hand-in, which is named; those before and after are read."""
    read = scan.items_of

    def hungry(hand_in, *rest):
        if "Benoît" in hand_in.parts[-1]:
            how()
        return read(hand_in, *rest)

    monkeypatch.setattr(scan, "items_of", hungry)
    monkeypatch.setattr(scan, "HAND_IN_SECONDS", 1)
    held = {who: [(NAME, notebook(who.login))] for who in (ADA, BEN, SAM)}
    path = write(m_zip=moodle_export(held, form != "flat files"))[0]
    if form == "a folder":
        shutil.unpack_archive(path, tmp_path / "unpacked")
        path = tmp_path / "unpacked"
    said = collect([path], ROSTER[:3])
    assert set(there(collect)) == {"ada", "sam1"}
    (line,) = said.left
    assert line.startswith("ben: ")
    assert "exceeds its time or memory" in line


@pytest.mark.parametrize("at", ["the first", "a later one", "every later one"])
def test_a_failure_between_hand_ins_skips_one(write, collect, monkeypatch, at):
    """It is named in the zip's own name, and collecting counts as cut short; if the next fails too, that ends it."""
    listed = scan.hand_ins

    def failing(path):
        for number, hand_in in enumerate(listed(path)):
            if (
                (number == 0 and at == "the first")
                or (at == "a later one" and number == 1)
                or (number and at[0] == "e")
            ):
                raise RecursionError("deep")
            yield hand_in

    def skipping(path):
        seen = failing(path) if not skipped.exists() or at != "a later one" else listed(path)
        skipped.touch()
        return seen

    skipped = collect.room.root / "skipped"
    monkeypatch.setattr(scan, "hand_ins", skipping)
    said = collect(
        write(m_zip=moodle_export({who: [(NAME, notebook(who.login))] for who in (ADA, BEN, SAM)})), ROSTER[:3]
    )
    assert set(there(collect)) == {"the first": set(), "a later one": {"ada", "sam1"}}.get(at, {"ada"})
    assert said.is_cut_short
    assert all(line.startswith("m.zip: ") for line in said.left)


GARBAGE = [(f"{number}.ipynb", b"{" + str(number).encode() * 50_000) for number in range(8)]
LARGE = {
    "a zip": [("all.zip", zip_of([*GARBAGE, (NAME, notebook("ben"))]))],
    "several files": [*GARBAGE, (NAME, notebook("ben"))],
    "copies of one": [(f"{number}.ipynb", notebook("b" * 30_000)) for number in range(9)],
    "a chapter's": [(f"{number}.ipynb", notebook(f"{number}" * 30_000)) for number in range(9)],
}


def staged_in(monkeypatch, limit=10**9):
    """Return a list that a test's own process fills with the copies in it, in a disk of this many bytes."""
    copies = []

    def write(data, path):
        if len(data) + sum(len(each) for each, _ in copies) > limit:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        copies.append((data, path))
        path.write_bytes(data)

    monkeypatch.setattr(scan, "run_limited", lambda action, _: action())
    monkeypatch.setattr(scan, "renew_limits", lambda _: None)
    monkeypatch.setattr(scan, "write_copy", write)
    return copies


@pytest.mark.parametrize("form", LARGE)
@pytest.mark.parametrize("lms", ["moodle", "canvas"])
def test_no_student_fills_the_disk(write, collect, monkeypatch, form, lms):
    """However a student packs too much, its copies stay within their budget, and the next student's is collected."""
    copies = staged_in(monkeypatch)
    monkeypatch.setattr(scan, "CHAPTER_BYTES", 150_000)
    held = {BEN: LARGE[form], SAM: [(NAME, notebook("sam"))]}
    if lms == "canvas":
        held = {who: [(number, *file) for number, file in enumerate(files, 100)] for who, files in held.items()}
    collect(write(c_zip=canvas_export(held) if lms == "canvas" else moodle_export(held)), ROSTER[:3])
    assert sum(len(data) for data, _ in copies) < 2 * 150_000 + len(notebook("sam"))
    assert there(collect)["sam1"] == notebook("sam")


@pytest.mark.parametrize("room", ["for no large one", "for the large one alone"])
def test_what_does_not_fit_is_left_out_by_name(write, collect, monkeypatch, room):
    """A large hand-in gives way to the ordinary ones after it, before it fills the disk or when it does."""
    copies = staged_in(monkeypatch, 100_000 if room == "for no large one" else 10**9)
    monkeypatch.setattr(scan, "ORDINARY_BYTES", 60_000)
    monkeypatch.setattr(scan, "SPARE_BYTES", 0 if room == "for no large one" else 10**18)
    held = {BEN: LARGE["a zip"], SAM: [(NAME, notebook("sam"))]}
    drop = scan.Copies.drop
    monkeypatch.setattr(scan.Copies, "drop", lambda own: (drop(own), copies.clear()))
    said = collect(write(m_zip=moodle_export(held)), ROSTER[:3])
    assert there(collect) == {"sam1": notebook("sam")}
    (line,) = said.left
    assert line.startswith("ben: ")
    assert "do not fit on the disk" in line


def test_the_damaged_notebooks_of_one_hand_in_are_staged_in_part(write, collect, monkeypatch):
    """Eight copies are enough to say that there are too many; the course's own notebook is one more."""
    copies = staged_in(monkeypatch)
    broken = zip_of([*((f"{number}.ipynb", b"{" + b" " * number) for number in range(99)), (NAME, MINE)])
    collect(write(d_zip=moodle_export({ADA: [("all.zip", broken)]})))
    assert len(copies) == 9
    assert there(collect) == {"ada": MINE}


def test_a_full_disk_is_not_blamed_on_a_file(write, collect, monkeypatch):
    """Unpacking needs room in the class's folder: without it nothing is collected, and one line says what to do."""

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a copy")

    monkeypatch.setattr(scan, "write_copy", full)
    with pytest.raises(CourseError, match=r"^a copy: No space left on device. Make room and run the same command"):
        collect(write(m_zip=moodle_export({ADA: [(NAME, MINE)]})))
    assert there(collect) == {}


def test_a_thousand_folders_and_broken_notebooks_are_a_few_lines(write, collect):
    """However deep a file is and however much is broken, the report is brief."""
    deep = "a/" * 200
    inner = zip_of([(f"{deep}b.zip", zip_of([(f"{deep}x.ipynb", MINE)]))])
    said = collect(write(d_zip=zip_of([(f"{deep}c.zip", inner)])))
    assert len(said.left) == 1
    broken = zip_of([(f"{number}.ipynb", b"{") for number in range(1999)])
    said = collect(write(d_zip=moodle_export({ADA: [("all.zip", broken)]})))
    assert len(said.left) == 9
    assert said.left[-1] == "ada: and 1991 more like these"
    broken = zip_of([(f"{number}.ipynb", b"\n" * number + b"{") for number in range(500)])
    (line,) = collect(write(d_zip=moodle_export({replace(ADA, first="Nobody"): [("all.zip", broken)]}))).left
    assert "and 492 more" in line
    assert len(line) < 3000
