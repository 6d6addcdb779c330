"""Whose work something is: what students typed or packed never makes it another person's."""

import json
import unicodedata
from dataclasses import replace

import pytest

from autograder.classroom.roster import Enrolled
from autograder.lms.people import People
from autograder.lms.platforms import label_of
from autograder.lms.worksheet import read_worksheet

from .class_of_four import ADA, BEN, CANVAS, CHAPTER, CLASS, MINE, NAME, NEXT, ROSTER, notebook, there
from .lms_models import Student, canvas_export, moodle_export, moodle_worksheet, zip_of

THEIRS = notebook("another person's")
MALLORY = Student("mallory", "Ada", "Lovelace", "mallory@x.org", 5999, 90999)  # Ada's name, as displayed
FOLDER = "Ada Lovelace_{}_assignsubmission_file"


def kept(collect, login="ada", lms="moodle"):
    """Return the number that a login is remembered by."""
    memory = json.loads((collect.room.root / "collected.json").read_text())
    return memory.get(CHAPTER, {}).get(login, {}).get("labels", {}).get(lms, {}).get("id")


def without_email(worksheet):
    """Return a worksheet of a site that shows no addresses."""
    return "\n".join(
        ",".join(cell for at, cell in enumerate(line.split(",")) if at != 2) for line in worksheet.splitlines()
    )


def about_names(said):
    """Return the lines that say that names alone tell students apart."""
    return [line for line in said.told if "display name" in line]


@pytest.mark.parametrize("lms", ["moodle", "canvas"])
def test_who_is_known_by_a_display_name_alone_is_counted(write, collect, lms):
    """One line for each collect, until the worksheet or lms_id says who they are; the instructor's word needs none."""
    held = {ADA: [(NAME, MINE)], BEN: [(NAME, THEIRS)]}
    numbered = {who: [(7, *file) for file in files] for who, files in held.items()}
    paths = write(c_zip=moodle_export(held) if lms == "moodle" else canvas_export(numbered))
    (line,) = about_names(collect(paths))
    assert "2 students" in line
    assert not about_names(collect(paths, login="ada", dry=True))
    if lms == "moodle":
        assert about_names(collect(write(s_csv=without_email(moodle_worksheet(CLASS, {})))))
        assert not about_names(collect(write(s_csv=moodle_worksheet(CLASS, {}))))
    else:
        assert not about_names(collect(paths, CANVAS))
        assert "1 student " in about_names(collect(paths, (CANVAS[0], *ROSTER[1:])))[0]


@pytest.mark.parametrize("students", [ROSTER, CANVAS])
@pytest.mark.parametrize(
    "again", [{ADA: [(7, NAME, MINE)], MALLORY: [(9, NAME, THEIRS)]}, {MALLORY: [(9, NAME, THEIRS)]}]
)
def test_the_first_of_two_numbers_is_disputed_unless_the_roster_has_it(write, collect, students, again):
    """Where only a name spoke for the number from before, the line about the second one says so."""
    collect(write(c_zip=canvas_export({ADA: [(7, NAME, MINE)]})))
    if students is CANVAS:  # then Mallory's number is no student's
        assert not [line for line in collect(write(c_zip=canvas_export(again)), CANVAS).left if "disputed" in line]
        return
    (line,) = collect(write(c_zip=canvas_export(again)), students).left
    assert "disputed" in line
    assert "90017" in line
    assert "90999" in line


TWO = {ADA: [(NAME, MINE)], MALLORY: [(NAME, THEIRS)]}
EXPORTS = {
    "a Moodle zip": {"c_zip": moodle_export(TWO)},
    "a Moodle zip without folders": {"c_zip": moodle_export(TWO, folders=False)},
    "two chapters in one Moodle zip": {"c_zip": moodle_export(TWO | {MALLORY: [(NAME, notebook("", NEXT))]})},
    "one without a notebook": {"c_zip": moodle_export(TWO | {MALLORY: [("a.pdf", b"%PDF-1.7")]})},
    "a namesake's in a later Moodle zip": {
        "c_zip": moodle_export({ADA: TWO[ADA]}),
        "d_zip": moodle_export({MALLORY: TWO[MALLORY]}, when=(2026, 12, 6, 8, 0, 0)),
    },
    "a Canvas zip": {"c_zip": canvas_export({who: [(7, *file) for file in held] for who, held in TWO.items()})},
}


@pytest.mark.parametrize("form", EXPORTS)
def test_two_numbers_for_one_login_are_two_people(write, collect, form):
    """Neither is collected, both numbers are named, and the one that is given alone counts from then on."""
    paths = write(**EXPORTS[form])
    said = collect(paths)
    assert (there(collect), there(collect, NEXT)) == ({}, {})
    numbers = ("90017", "90999") if "Canvas" in form else ("5201", "5999")
    assert [line for line in said.left if all(number in line for number in numbers)]


def test_a_worksheet_without_addresses_names_namesakes_who_handed_in_nothing(write, collect):
    """Mallory alone hands in: the worksheet knows two of that name, and with addresses it knows which one."""
    sheet = moodle_worksheet([ADA, BEN, MALLORY], {})
    bare = sheet.replace(",ada@x.org", ",").replace(",ben@x.org", ",").replace(",mallory@x.org", ",")
    held = moodle_export({MALLORY: [(NAME, THEIRS)]})
    assert [line for line in collect(write(c_zip=held, s_csv=bare)).left if "5201 and 5999" in line]
    assert collect(write(s_csv=sheet)).left
    assert there(collect) == {}
    everybody = (*ROSTER, Enrolled("mallory", "Mallory Moe", "mallory@x.org"))
    collect(write(), everybody)
    assert there(collect) == {"mallory": THEIRS}


def test_the_one_who_is_given_alone_keeps_the_login(write, collect, tmp_path):
    """The folder that was unpacked tells the number; later the whole zip is collected, and only that number counts."""
    (path,) = write(c_zip=moodle_export(TWO))
    for number, data in ((5201, MINE), (5999, THEIRS)):
        (tmp_path / FOLDER.format(number)).mkdir()
        (tmp_path / FOLDER.format(number) / NAME).write_bytes(data)
    collect([tmp_path / FOLDER.format(5201) / NAME], login="ada")
    said = collect([path])
    assert (there(collect), kept(collect)) == ({"ada": MINE}, "5201")
    assert said.unchanged == {CHAPTER: ["ada"]}
    assert [line for line in said.left if "5999" in line]


def test_uploads_under_one_number_are_one_persons(write, collect):
    """The latest counts, as Canvas numbers them."""
    held = {ADA: [(7, NAME, MINE), (9, NAME, THEIRS)]}
    collect(write(c_zip=canvas_export(held)))
    assert there(collect) == {"ada": THEIRS}


@pytest.mark.parametrize("lms", ["moodle", "canvas"])
def test_a_number_changes_only_with_yes(write, collect, lms):
    """A later collection under another number waits, with both numbers in its line; each chapter has its own."""

    def export(who, chapter=CHAPTER):
        held = (NAME, notebook(who.email, chapter))
        return moodle_export({who: [held]}) if lms == "moodle" else canvas_export({who: [(99, *held)]})

    old, new = ("5201", "5999") if lms == "moodle" else ("90017", "90999")
    collect(write(c_zip=export(ADA)))
    (line,) = collect(write(c_zip=export(MALLORY))).left
    assert old in line
    assert new in line
    assert (there(collect), kept(collect, lms=lms)) == ({"ada": notebook(ADA.email)}, old)
    assert collect(write(c_zip=export(MALLORY, NEXT))).new == {NEXT: ["ada"]}
    said = collect(write(c_zip=export(MALLORY)), write_changes=True)
    assert [line for line in said.told if old in line and new in line]
    assert (there(collect), kept(collect, lms=lms)) == ({"ada": notebook(MALLORY.email)}, new)


def test_a_number_is_one_logins(write, collect):
    """Where the roster was corrected, the number moves with --yes: no page goes to two."""
    paths = write(c_zip=moodle_export({ADA: [(NAME, MINE)]}))
    collect(paths)
    corrected = (Enrolled("ada", "Ada Byron"), Enrolled("lovelace", "Ada Lovelace"))
    (line,) = collect(paths, corrected).left
    assert "5201 was ada" in line
    collect(paths, corrected, write_changes=True)
    assert (kept(collect, "ada"), kept(collect, "lovelace")) == (None, "5201")


@pytest.mark.parametrize("place", ["the folder's name", "the file's own name", "inside the folder", "inside a zip"])
def test_the_instructors_word_moves_work_and_no_number(write, collect, tmp_path, place):
    """With --login it counts; the number under which `return` finds Ada stays, or nothing is noted of another's."""
    collect(write(c_zip=moodle_export({ADA: [(NAME, MINE)]})))
    folder = tmp_path / (FOLDER.format(5999) if place == "the folder's name" else "unpacked")
    folder.mkdir()
    given = folder / NAME
    if place == "the file's own name":
        given = folder / f"{FOLDER.format(5999)}_x.ipynb"
    if place == "inside a zip":
        given = folder / "homework.zip"
        given.write_bytes(zip_of([("x.zip", zip_of([(f"{FOLDER.format(5999)}/{NAME}", THEIRS)]))]))
    elif place == "inside the folder":
        (folder / FOLDER.format(5999)).mkdir()
        (folder / FOLDER.format(5999) / NAME).write_bytes(THEIRS)
        given = folder
    else:
        given.write_bytes(THEIRS)
    said = collect([given], login="ada", write_changes=False)
    assert kept(collect) == "5201"
    assert len(said.left) == 1  # there is work already
    (collect.room.notebook("ada", CHAPTER)).unlink()
    collect([given], login="ada")
    assert (there(collect), kept(collect)) == ({"ada": THEIRS}, "5201")


def test_another_persons_label_is_not_noted_for_a_login(collect, tmp_path):
    """Ben's folder given as Ada's: it is hers, and pages do not go to Ben; what nobody has is noted."""
    for name, number in (("Benoît dArc", 5208), ("Nobody Else", 5400)):
        folder = tmp_path / f"{name}_{number}_assignsubmission_file"
        folder.mkdir()
        (folder / NAME).write_bytes(MINE)
        collect([folder], login="ada")
        assert kept(collect) == (None if number == 5208 else "5400")
    assert there(collect) == {"ada": MINE}


NAMED_INSIDE = {
    "a folder": [(f"ada/{NAME}", THEIRS)],
    "a label": [(f"Ada Lovelace_5201_assignsubmission_file_/{NAME}", THEIRS)],
    "a file": [(f"Ada Lovelace_{NAME}", THEIRS)],
    "several": [(f"ada/{NAME}", THEIRS), (f"ben/{NAME}", THEIRS)],
    "a zip in it": [("ada.zip", zip_of([(NAME, THEIRS)]))],
}


@pytest.mark.parametrize("inside", NAMED_INSIDE)
@pytest.mark.parametrize("packed", ["homework.zip", "homework.docx", "homework"])
def test_names_inside_a_students_archive_say_nothing(collect, tmp_path, inside, packed):
    """An attachment whose own name is nobody's is nobody's, alone in its folder or not, and gets one line."""
    mail = tmp_path / "mail"
    mail.mkdir()
    (mail / packed).write_bytes(zip_of(NAMED_INSIDE[inside]))
    alone = collect([mail])
    (mail / f"ben_{NAME}").write_bytes(MINE)
    assert [len(said.left) for said in (alone, collect([mail]))] == [1, 1]
    assert there(collect) == {"ben": MINE}


@pytest.mark.parametrize("students", [ROSTER, ()])
def test_names_inside_what_the_instructor_names_count(collect, tmp_path, students):
    """A zip or a folder on the command line holds the class, in one folder or at once; a deeper one does not count."""
    for depth, name in enumerate(("", "week 4/", "term/week 4/")):
        path = tmp_path / f"{depth}.zip"
        path.write_bytes(zip_of([(f"{name}{login}/{NAME}", notebook(f"{depth}")) for login in ("ada", "ben")]))
        collect([path], students, write_changes=True)
        assert there(collect)["ada"] == notebook(f"{min(depth, 1)}")


def test_a_name_that_a_student_chose_is_no_login_and_no_address():
    """A display name is compared with names: another's login, address or their invisible copies are nobody's."""
    people = People(ROSTER)
    for name in ("ada", "ada@x.org", "ADA", "a\u200bda", "\uff41\uff44\uff41", "sam1"):
        assert people.labelled(label_of(f"{name}_5999_assignsubmission_file")) == set()
    assert people.labelled(label_of("ada_90999_7_x.ipynb")) == set()
    assert people.labelled(label_of("Lovelace Ada_5201_assignsubmission_file")) == {"ada"}
    assert People((Enrolled("Ada Lovelace"),)).labelled(label_of("Ada Lovelace_1_assignsubmission_file"))


def test_a_lookalike_letter_is_another_name():
    """A Cyrillic a is not Ada's; an invisible one is hers, and so another number that has it is refused as hers."""
    people = People(ROSTER)
    assert people.labelled(label_of("\u0410da Lovelace_5999_assignsubmission_file")) == set()
    assert people.labelled(label_of("A\u200bda Lovelace_5999_assignsubmission_file")) == {"ada"}


@pytest.mark.parametrize("name", ["lovelaceada_90017", "lovelaceada_90017_31", "ada__90017"])
def test_a_canvas_name_cannot_hold_anothers_number(name):
    """A name that holds Ada's number makes the label nobody's, with Mallory's number in the roster or without."""
    for number in ("90999", ""):
        people = People((*CANVAS, Enrolled("mallory", "Mallory Moe", lms_id=number)))
        assert people.labelled(label_of(f"{name}_90999_907_x.ipynb")) == set()
        assert people.labelled(label_of(f"{name}_90999_text.html")) == set()


@pytest.mark.parametrize("name", ["90079_1_x.ipynb", "90079_107_x.ipynb", "x_90079_107_x.ipynb", "90079_text.html"])
@pytest.mark.parametrize("own", ["moemallory_90777_31099", "moemallory_LATE_90777_31099", "anon_aB3x9_31099"])
@pytest.mark.parametrize(
    "mallory", [Enrolled("mallory", "Mallory Moe"), Enrolled("mallory", "M", lms_id="90777"), None]
)
def test_a_canvas_file_name_cannot_hold_anothers_number(name, own, mallory):
    """What Mallory calls her file says nothing of Sam, whether the roster has her number, her name or neither."""
    people = People((*CANVAS, *([mallory] if mallory else [])))
    assert people.labelled(label_of(f"{own}_{name}")) <= {"mallory"}


def test_a_number_in_a_canvas_name_gives_nobodys_name_another_number():
    """Sam's display name cannot hold Mallory's name and number: one number would hide that two people claim it."""
    people = People((*CANVAS[:2], Enrolled("mallory", "Mallory Moe")))
    assert people.labelled(label_of("moemallory_90777_90079_31099_x.ipynb")) == set()
    assert people.labelled(label_of("moemallory_90777_31099_x.ipynb")) == {"mallory"}


@pytest.mark.parametrize("file", ["05_scaling.ipynb", "10_training.ipynb", "1_2_x.ipynb", "hw_2026_12_04.ipynb"])
def test_an_ordinary_canvas_file_name_is_read_in_one_way(file):
    """Chapters and dates in a file's own name are no numbers of people."""
    assert People(CANVAS).labelled(label_of(f"lovelaceada_90017_907_{file}")) == {"ada"}


def test_a_canvas_name_of_several_readings_moves_no_number(collect, tmp_path):
    """Given as Mallory's it is hers, and pages do not go to the number at the front of her name."""
    path = tmp_path / "lovelaceada_90017_90999_907_x.ipynb"
    path.write_bytes(MINE)
    said = collect([path], login="mallory")
    assert (there(collect), kept(collect, "mallory", "canvas")) == ({"mallory": MINE}, None)
    assert [line for line in said.told if "90017 and 90999" in line]


def test_what_a_canvas_file_is_called_is_collected_for_nobody_else(write, collect):
    """Sam has handed in nothing, and Mallory's file begins with Sam's number: a line names both readings."""
    held = {
        ADA: [(907, NAME, MINE)],
        Student("mal", "Mallory", "Moe", "", 1, 90777): [(31099, "90079_1_x.ipynb", THEIRS)],
    }
    path = write(c_zip=canvas_export(held))
    (line,) = collect(path, CANVAS).left
    assert "31099" in line
    assert "90777" in line
    assert there(collect) == {"ada": MINE}


def sheet(tmp_path, *rows, header="Identifier,Full name,Email address,Status,Last modified (submission),Online text"):
    """Write a worksheet and return its rows."""
    (tmp_path / "sheet.csv").write_text("\n".join([header, *rows]))
    return read_worksheet(tmp_path / "sheet.csv")


DATE = '"Friday, 4 December 2026, 11:59 PM"'


def test_a_cell_that_a_student_wrote_is_no_address(tmp_path):
    """Ada's address as Mallory's text, institution or name: each row means who its own address says."""
    rows = [
        f"Participant 5201,Ada Lovelace,ada@x.org,,{DATE},",
        f"Participant 5208,Benoît d'Arc,ben@x.org,,{DATE},",
        f"Participant 5999,ada@x.org,,,{DATE},ada@x.org",
    ]
    people = People(ROSTER, sheet(tmp_path, *rows))
    assert people.told_by_rows == {"5201": "ada", "5208": "ben"}
    assert people.labelled(label_of("ada@x.org_5999_assignsubmission_file")) == set()
    rows = [
        f"Participant 5201,Ada Lovelace,ada@x.org,Rome,{DATE},",
        f"Participant 5208,Benoît d'Arc,ben@x.org,Pisa,{DATE},",
        f"Participant 5999,Mo,mo@x.org,ada@x.org,{DATE},",
    ]
    assert People(ROSTER, sheet(tmp_path, *rows)).told_by_rows == {"5201": "ada", "5208": "ben"}


def test_a_name_that_is_a_date_moves_no_time(tmp_path):
    """Times come from the column that holds times, whatever a student is called or wrote about themselves."""
    rows = [
        f'Participant 5201,"1 May 2026, 1:00 AM","1 May 2026, 1:00 AM",,{DATE},',
        f"Participant 5208,Benoît d'Arc,Rome,,{DATE},",
        "Participant 5209,Cy,Pisa,,-,",
    ]
    assert [row.came and row.came.month for row in sheet(tmp_path, *rows).values()] == [12, 12, None]


NFC, NFD = (unicodedata.normalize(form, "école") for form in ("NFC", "NFD"))


@pytest.mark.parametrize("students", [(), (Enrolled(NFC),), (Enrolled(NFD),)])
@pytest.mark.parametrize("form", [NFC, NFD, None])
def test_both_spellings_of_an_accent_are_one_student(collect, tmp_path, students, form):
    """As two folders, and as the class spells it already, with a roster and without: one folder in the class."""
    for name in (NFC, NFD, "ben"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / NAME).write_bytes(MINE)
    if form:
        collect.room.submitted(form, CHAPTER).mkdir(parents=True)
    collect([tmp_path / "in"], students)
    assert there(collect).keys() - {"ben"} == {form or (students[0].login if students else NFC)}
    (tmp_path / "in" / NFD / NAME).write_bytes(THEIRS)
    collect([tmp_path / "in"], students)
    assert len(there(collect).keys() - {"ben"}) == 1


def test_logins_that_look_alike_are_refused(collect, tmp_path):
    """Without a roster, a folder that differs in case or in an invisible joiner is named, not a second student."""
    for name in ("ada", "Ada", "a\u200dda", "ben"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / NAME).write_bytes(MINE)
    said = collect([tmp_path / "in"], ())
    assert len(there(collect)) == 2
    assert sum("look alike" in line for line in said.left) == 2


def test_canvas_numbers_count_once_however_names_change(write, collect):
    """A number in the roster says who it is: another name under it is the same person."""
    renamed = replace(ADA, first="Augusta")
    collect(write(c_zip=canvas_export({renamed: [(7, NAME, MINE)]})), CANVAS)
    assert there(collect) == {"ada": MINE}
    assert {one.login for one in CLASS} >= {"ada"}
