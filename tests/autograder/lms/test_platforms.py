"""How Moodle and Canvas name things, and whom a name means."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from autograder.classroom.roster import Enrolled
from autograder.errors import CourseError
from autograder.lms.people import People, letters, read_people
from autograder.lms.platforms import bare, label_of
from autograder.lms.worksheet import read_worksheet

from .lms_models import Student, canvas_gradebook, moodle_worksheet

CHAPTER = "04_query_key_value"
SAM, OTHER = (
    Student("sam1", "Sam", "Lee", "sam1@x.org", 5299, 907),
    Student("sam2", "Sam", "Lee", "sam2@x.org", 5306, 911),
)
ZOE = Student("zoe", "Zoë", "van der Berg", "zoe@x.org", 5313, 919)


def enrolled(*students, **changed):
    """Return students as a roster has them."""
    return tuple(Enrolled(one.login, f"{one.first} {one.last}", one.email, **changed) for one in students)


@pytest.mark.parametrize(
    ("name", "lms", "who", "attempt"),
    [
        ("Ada Lovelace_5201_assignsubmission_file_", "moodle", ("Ada Lovelace", "5201"), ""),
        ("Ada Lovelace_5201_assignsubmission_file", "moodle", ("Ada Lovelace", "5201"), ""),
        ("Ada Lovelace_5201_assignsubmission_file_04_x (1).ipynb", "moodle", ("Ada Lovelace", "5201"), ""),
        ("עדה_5_assignsubmission_onlinetext", "moodle", ("עדה", "5"), ""),
        ("Participant_77_assignsubmission_file_", "moodle", ("Participant", "77"), ""),
        ("lovelaceada_90017_31003_04_query_key_value-1.ipynb", "canvas", ("lovelaceada", "90017"), "31003"),
        ("lovelaceada_LATE_90017_31003_x.ipynb", "canvas", ("lovelaceada", "90017"), "31003"),
        ("o_hara_12_34_56_78_x.ipynb", "canvas", ("o_hara", "12"), "34"),
        ("anon_aB3x9_31003_x.ipynb", "canvas", ("", "anon_aB3x9"), "31003"),
        ("LATE_anon_aB3x9_31003_x.ipynb", "canvas", ("", "anon_aB3x9"), "31003"),
        ("lovelaceada_90017_text.html", "canvas", ("lovelaceada", "90017"), ""),
    ],
)
def test_names_are_read_as_each_lms_writes_them(name, lms, who, attempt):
    """Name, number and the order of uploads are found, with or without LATE, folders, or a name at all."""
    label = label_of(name)
    assert (label.lms, (label.name, label.id), label.attempt, label.entry) == (lms, who, attempt, name)
    assert label.late == ("LATE" in name)


@pytest.mark.parametrize(
    "name", ["ada", f"{CHAPTER}.ipynb", "01_02_notes.ipynb", "ada_5_submission_file_", "a_1_b.zip", ""]
)
def test_other_names_are_nobodys(name):
    """What no LMS writes is not taken for its own."""
    assert label_of(name) is None


@pytest.mark.parametrize(
    ("name", "left"),
    [
        (f"{CHAPTER}.ipynb", ""),
        (f"{CHAPTER} (1).ipynb", ""),
        (f"{CHAPTER}-1.ipynb", ""),
        (f"ada_{CHAPTER}.ipynb", "ada"),
        (f"{CHAPTER} - Ada Lovelace (2).ipynb", "Ada Lovelace"),
        ("ada copy.ipynb.zip", "ada"),
        ("ada", "ada"),
    ],
)
def test_what_is_left_of_a_files_name_may_be_somebody(name, left):
    """Endings, marks of a copy and the chapter are taken away."""
    assert bare(name, [CHAPTER]) == left


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sam1", {"sam1"}),
        ("SAM1@X.ORG", {"sam1"}),
        ("Sam Lee", {"sam1", "sam2"}),
        ("leesam", {"sam1", "sam2"}),
        ("vanderbergzoë", {"zoe"}),  # Canvas: last name first, small, without blanks
        ("vanderbergzoe\u0308", {"zoe"}),  # the same, taken apart
        ("Berg Zoë van der", {"zoe"}),
        ("Zoë \u202evan\u200d der Berg", {"zoe"}),
        ("Zoe van der Berg", set()),  # another letter may be another person
        ("", set()),
        ("...", set()),
    ],
)
def test_a_name_means_whoever_is_called_that(text, found):
    """Order of words, case, blanks, marks and the way an accent is written make no difference; letters do."""
    assert People(enrolled(SAM, OTHER, ZOE)).called(text) == found


def test_a_login_to_the_letter_comes_first():
    """Logins that differ only by case are two people."""
    people = People((Enrolled("Ada"), Enrolled("ada"), Enrolled("x", "ADA")))
    assert people.called("ada") == {"ada"}
    assert people.called("aDa") == {"Ada", "ada", "x"}


def test_canvas_people_are_found_by_number():
    """The number decides; by name only somebody whose number is not another one."""
    one, two = (
        replace(person, lms_id=lms_id) for person, lms_id in zip(enrolled(SAM, OTHER), ("907", ""), strict=True)
    )
    people = People((one, two))
    assert people.labelled(label_of("leesam_907_31_x.ipynb")) == {"sam1"}
    assert people.labelled(label_of("leesam_911_31_x.ipynb")) == {"sam2"}
    assert People((one,)).labelled(label_of("leesam_911_31_x.ipynb")) == set()


def test_moodle_people_are_found_by_the_worksheet(tmp_path):
    """Moodle's number alone says nothing; with the worksheet, two people of one name are told apart."""
    label = label_of("Sam Lee_5306_assignsubmission_file_")
    assert People(enrolled(SAM, OTHER)).labelled(label) == {"sam1", "sam2"}
    (tmp_path / "w.csv").write_text(moodle_worksheet([SAM, OTHER], {"sam2": "Friday, 4 December 2026, 11:59 PM"}))
    rows = read_worksheet(tmp_path / "w.csv", UTC)
    assert People(enrolled(SAM, OTHER), rows).labelled(label) == {"sam2"}
    assert (rows["5306"].came, rows["5299"].came) == (datetime(2026, 12, 4, 23, 59, tzinfo=UTC), None)


def test_the_worksheets_language_makes_no_difference(tmp_path):
    """Columns are told by what they hold: a German worksheet, with an extension in its status."""
    (tmp_path / "w.csv").write_text(
        "ID,Vollständiger Name,Status,Bewertung,Zuletzt geändert (Abgabe),Zuletzt geändert (Bewertung)\n"
        '"Teilnehmer/in 5201",Ada,"Verlängert bis: Montag, 7. Dezember 2026, 23:59",,-,"Sonntag, 6. Mai 2026, 10:00"\n'
        'Teilnehmer/in 5202,Ben,,,"Freitag, 4. Dezember 2026, 13:05",-\n'
    )
    rows = read_worksheet(tmp_path / "w.csv", UTC)
    assert rows["5201"].came is None
    assert rows["5202"].came == datetime(2026, 12, 4, 13, 5, tzinfo=UTC)


def test_canvas_gradebook_is_a_roster(tmp_path):
    """Its logins, names and numbers are taken; the row of maximum points and the teacher's test student are nobody."""
    test_student = f'"Student, Test",99991,,{"a9f3" * 10},A,\n'
    text = canvas_gradebook([SAM, ZOE], "Exercises 4") + test_student
    (tmp_path / "g.csv").write_text("\ufeff" + text, encoding="utf-8")
    assert read_people(tmp_path / "g.csv") == (
        Enrolled("sam1", "Lee, Sam", lms_id="907"),
        Enrolled("zoe", "van der Berg, Zoë", lms_id="919"),
    )
    assert People(read_people(tmp_path / "g.csv")).called("Zoë van der Berg") == {"zoe"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "Student,ID,SIS User ID,SIS Login ID,Section\nX,1,,../etc,A\n",
            "line 2: the login '../etc' cannot be a folder",
        ),
        ("Student,ID,SIS User ID,SIS Login ID,Section\nX,1,,a,A\nY,2,,A,A\n", "lines 2 and 3: both have the login 'A'"),
        ("name,email\nAda,a@x\n", "no column 'login', found 'name, email'"),
    ],
)
def test_a_roster_that_cannot_be_one_is_refused(tmp_path, text, words):
    """File, line, what was found."""
    (tmp_path / "g.csv").write_text(text)
    with pytest.raises(CourseError, match=f"g.csv, .*{words}"):
        read_people(tmp_path / "g.csv")


def test_a_worksheet_that_is_none_is_refused(tmp_path):
    """A roster in its place is named."""
    (tmp_path / "w.csv").write_text("login,name\nada,Ada\n")
    with pytest.raises(CourseError, match=r"w.csv, line 2: not Moodle's grading worksheet, found 'ada', expected"):
        read_worksheet(tmp_path / "w.csv")


def test_letters_are_the_same_however_they_are_written():
    """Case, accents taken apart, wide letters and blanks make no difference."""
    assert letters("ＡDA\u00a0LOVE\u200dLÁCE") == letters("Ada Lovela\u0301ce") == "adalovelác" + "e"
