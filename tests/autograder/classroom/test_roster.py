"""A roster is read as spreadsheets and learning platforms write it, or refused in one line that says what to do."""

import csv
import io
import random
from datetime import date

import pytest

from autograder.classroom.roster import LOGIN_LETTERS, Enrolled, composed, read_roster, roster_in
from autograder.errors import CourseError
from autograder.plain import is_plain
from tests.support.fuzz import tries

from .test_names import NAMES, REFUSED

FUZZ = tries(1000)


@pytest.fixture
def roster(tmp_path):
    """Read a roster, text or bytes."""

    def read(content):
        return roster_in(tmp_path / "roster.csv", content if isinstance(content, bytes) else content.encode())

    return read


def test_a_full_row_is_read(roster):
    """Every column has its place, in whatever order and case the file has them."""
    found = roster(
        "Name,LOGIN,left,lms_id,group,email\nAda Lovelace,ada,2026-11-30,4711,Tuesday,ada@example.org\nB,ben\n"
    )
    ada = Enrolled("ada", "Ada Lovelace", "ada@example.org", "Tuesday", "4711", date(2026, 11, 30))
    assert found.students == (ada, Enrolled("ben", "B"))
    assert (found.find("ben"), found.find("Ben"), found.groups) == (Enrolled("ben", "B"), None, ("Tuesday",))


@pytest.mark.parametrize(
    "content",
    [
        "login,name\nada,Żółć\n".encode("utf-8-sig"),
        "login;name\r\nada;Żółć\r\n".encode(),
        "sep=;\r\nlogin;name\r\nada;Żółć\r\n".encode("utf-8-sig"),
        "login\tname\r\nada\tŻółć\r\n".encode("utf-16"),
        "\n\n login , name \n\n ada , Żółć \n,\n".encode(),
        'login,name,Section,,\n"ada","Żółć",3,,\n'.encode(),
        "login,name\rada,Żółć\r".encode(),
    ],
    ids=["byte order mark", "semicolons", "Excel's hint", "UTF-16", "blanks", "other columns", "old Mac"],
)
def test_what_spreadsheets_write_is_read(roster, content):
    """Byte order marks, separators, line ends, quotes and columns of somebody else's change nothing."""
    assert roster(content).students == (Enrolled("ada", "Żółć"),)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_any_login_that_can_be_a_folder_is_one(roster, name):
    """Joiners, blanks in the middle, emoji, right to left and combining marks stay as they are."""
    file = io.StringIO()
    csv.writer(file).writerows([["login", "name"], [name, name]])
    found = roster(file.getvalue())
    assert found.students[0].login == name.strip()
    assert found.find(name.strip()) is found.students[0]


FOLDERLESS = [name for name in REFUSED if name == name.strip() and name != "ada\udcff"]


@pytest.mark.parametrize("name", [*FOLDERLESS, "a/b", ".."])
def test_a_login_that_cannot_be_a_folder_is_refused(roster, name):
    """Control characters, turned text, dots in front and slashes are named with their line."""
    with pytest.raises(CourseError, match=r"roster\.csv, line 3: the login .* cannot be a folder's name") as refused:
        roster(f'login\nada\n"{name}"')
    assert is_plain(str(refused.value))


def test_an_accent_that_a_mac_took_apart_finds_its_student(roster):
    """A folder whose name came decomposed belongs to the login that was typed composed."""
    taken_apart = "jose\u0301"
    assert composed(taken_apart) != taken_apart
    assert roster("login\njos\u00e9\n").find(taken_apart).login == "jos\u00e9"


def test_a_name_that_would_act_is_made_visible(roster):
    """Turned text and escapes in a name are shown for what they are, and the row is kept."""
    found = roster("login,name,email\nada,\u202eadA\u2028x,a\x1b[2J@b\n").students[0]
    assert (found.name, found.email) == ("\\u202eadA x", "a\\x1b[2J@b")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty: expected a first line like login,name,email,group,lms_id,left"),
        (b"\xef\xbb\xbf\r\n", "is empty"),
        (b"user,name\n", "line 1: no column 'login', found 'user, name': expected some of login, name"),
        (b"login,nmae\n", "line 1: unknown column 'nmae': is it 'name'?"),
        (b"login,group,login\n", "line 1: the column 'login' is there 2 times: keep one"),
        (b"login\nada\n\nada\n", "lines 2 and 4: both have the login 'ada': keep one"),
        (b"login\nada\nADA\n", "lines 2 and 3: both have the login 'ADA'"),
        ("login\njos\u00e9\njose\u0301\n".encode(), "lines 2 and 3: both have the login"),
        (b"login,lms_id\nada,7\nben,7\n", "lines 2 and 3: both have the lms_id '7'"),
        (b"login,name\n,Ada\n", "line 2: the login '' is empty: every row needs one"),
        (
            b"login,name\nada,Lovelace, Ada\n",
            "line 2: 3 cells under 2 columns: put quotes around what holds a separator",
        ),
        (
            b'login,name\nada,"Lovelace\nben,Ben\n',
            "line 2: unexpected end of data: look for a quote that is not closed",
        ),
        (b"login,left\nada,04/12/2026\n", "line 2: left is '04/12/2026': expected a date like 2026-12-04, or nothing"),
        ("login,name\nada,Ada\nben,Jos\u00e9\n".encode("cp1252"), r"line 3: not UTF-8 \(byte 0xe9\): save it again as"),
        ("login\nada\n".encode("utf-16-le"), "line 1: a zero byte: save it as CSV"),
        (
            b"login\n" + b"a" * (LOGIN_LETTERS + 1),
            f"line 2: the login 'a+…' is too long: expected at most {LOGIN_LETTERS}",
        ),
        (b"login\n" + "👩".encode() * 100, "line 2: the login '👩+…' is too long"),
        (b"login,name\nada," + b"x" * 200_000, "line 2: field larger than field limit"),
    ],
)
def test_what_is_wrong_is_one_line(roster, content, words):
    """The file, its line, what was found, what to do."""
    with pytest.raises(CourseError, match=words) as refused:
        roster(content)
    assert "roster.csv" in str(refused.value)
    assert is_plain(str(refused.value))


def test_a_roster_that_is_not_there_or_too_large_is_one_line(tmp_path, monkeypatch):
    """A missing file, a folder and a file of many megabytes are refused before they are read."""
    with pytest.raises(CourseError, match=r"cannot read the roster .*roster.csv: No such file .* Name another"):
        read_roster(tmp_path / "roster.csv")
    with pytest.raises(CourseError, match=r"cannot read the roster .*: Is a directory"):
        read_roster(tmp_path)
    monkeypatch.setattr("autograder.classroom.roster.ROSTER_BYTES", 1 << 20)
    (tmp_path / "roster.csv").write_bytes(b"login\n" * (1 << 18))
    with pytest.raises(CourseError, match="is larger than 1 MB: expected a row a student"):
        read_roster(tmp_path / "roster.csv")


WHOLE = "login;name;email;group;lms_id;left\nada;Ada Żółć;ada@example.org;1;11;\nben;\"Ben; 'B'\";;2;12;2026-11-30\n"
PIECES = [
    *"\"',;\t\n\r\0/.-=\u202e\u200d\ufeff\u0301\x1bż",
    "\r\n",
    "login",
    "left",
    "2026-02-30",
    "sep=;\n",
    "9" * 300,
]


def fuzzed(rng):
    """Return a roster to which a few random things were done."""
    text = WHOLE
    for _ in range(rng.randint(1, 6)):
        place, length = rng.randrange(len(text) + 1), rng.choice((0, 0, 1, 2, 9))
        text = text[:place] + rng.choice((rng.choice(PIECES), chr(rng.randrange(0xD800)))) + text[place + length :]
    data = text.encode(rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-7")))
    if rng.random() < 0.3:
        place = rng.randrange(len(data) + 1)
        data = data[:place] + rng.randbytes(rng.choice((0, 1, 3))) + data[place + 1 :]
    return data


def test_no_roster_ends_in_a_traceback(roster):
    """A thousand damaged ones are read, or refused in one plain line; what is read can be used as it is."""
    rng, outcomes = random.Random(17), {True: 0, False: 0}
    for _ in range(FUZZ):
        data = fuzzed(rng)
        found, said = attempt(roster, data)
        outcomes[found is not None] += 1
        if found is None:
            assert is_plain(said), data
            assert len(said) < 1000, data
        else:
            assert all(found.find(student.login) is student for student in found.students), data
            assert all(is_plain(student.name.replace("\u200d", "")) for student in found.students), data
    assert min(outcomes.values()) > FUZZ / 20


def attempt(read, content):
    """Return what was read and "", or None and the one line that was said instead."""
    try:
        return read(content), ""
    except CourseError as error:
        return None, str(error)
