"""The class file: deadlines that know their zone, extensions, and one line for whatever is wrong in it."""

import random
from datetime import UTC, datetime

import pytest

from autograder.classroom.class_file import ClassFile, Late, read_class
from autograder.errors import CourseError
from autograder.plain import is_plain
from tests.support.every_case import LATE
from tests.support.fuzz import tries

from .test_roster import attempt

FUZZ = tries(300)
CHAPTERS = ["03_contextual", "04_query_key_value"]
ROSTER = "login,name,group,lms_id\nada,Ada Lovelace,tuesday,11\nben,,friday,12\ncy,,,\n"
WHOLE = f"""\
[class]
name = "Attention, autumn 2026"
timezone = "Europe/Rome"
gradebook = "postgresql://ana@db/attention"
roster = "roster.csv"

{LATE}
[due]
04_query_key_value = 2026-12-04T23:59:00
03_contextual = 2026-11-27T23:59:00Z

[[extension]]
login = "ada"
chapter = "04_query_key_value"
until = 2026-12-07T23:59:00

[[extension]]
group = "tuesday"
chapter = "04_query_key_value"
until = 2026-12-05T12:00:00+01:00
"""


@pytest.fixture
def class_of(tmp_path):
    """Write a class file and its roster, and read them."""

    def read(text, chapters=CHAPTERS):
        (tmp_path / "roster.csv").write_text(ROSTER)
        (tmp_path / "class.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_class(tmp_path, chapters)

    return read


def test_without_a_file_everything_is_empty(tmp_path):
    """A class needs none: no deadline, no policy, nobody enrolled, the gradebook of before."""
    found = read_class(tmp_path)
    assert found == ClassFile()
    assert (found.due("ada", CHAPTERS[0]), found.late, found.gradebook, found.roster.students) == (None, None, "", ())


def test_the_whole_file_is_read(class_of):
    """Every key has its effect; of several dates for one student the latest counts; a date with a zone keeps it."""
    found = class_of(WHOLE)
    assert (found.name, found.timezone.key) == ("Attention, autumn 2026", "Europe/Rome")
    assert found.gradebook == "postgresql://ana@db/attention"
    assert found.late == Late(15, 10, 50, 7)
    assert found.roster.find("ada").lms_id == "11"
    due = {login: found.due(login, CHAPTERS[1]).astimezone(UTC) for login in ("ada", "ben", "cy", "nobody")}
    assert due["ada"] == datetime(2026, 12, 7, 22, 59, tzinfo=UTC)  # Rome is one hour ahead in winter
    assert due["ben"] == due["cy"] == due["nobody"] == datetime(2026, 12, 4, 22, 59, tzinfo=UTC)
    assert found.due("ada", CHAPTERS[0]) == datetime(2026, 11, 27, 23, 59, tzinfo=UTC)
    assert found.due("ada", "05_scaling") is None


def test_a_group_has_its_extension(class_of):
    """Everyone in the group has it; it never replaces a student's own, later date."""
    later = WHOLE.replace("2026-12-07T23:59:00", "2026-12-05T00:00:00")
    assert class_of(later).due("ada", CHAPTERS[1]) == datetime(2026, 12, 5, 11, tzinfo=UTC)
    assert class_of(later.replace('"tuesday"', '"friday"')).due("ben", CHAPTERS[1]) == datetime(
        2026, 12, 5, 11, tzinfo=UTC
    )


def test_windows_saves_it_too(class_of):
    """A byte order mark and Windows' line ends change nothing."""
    assert class_of(WHOLE.replace("\n", "\r\n").encode("utf-8-sig")).late == Late(15, 10, 50, 7)


@pytest.mark.parametrize(
    ("local", "utc"),
    [
        ("2026-10-24T23:59:00", datetime(2026, 10, 24, 21, 59)),
        ("2026-10-25T01:59:59", datetime(2026, 10, 24, 23, 59, 59)),
        ("2026-10-25T02:30:00", datetime(2026, 10, 25, 1, 30)),  # comes twice; the later one
        ("2026-10-25T03:00:00", datetime(2026, 10, 25, 2, 0)),
        ("2026-03-29T01:59:59", datetime(2026, 3, 29, 0, 59, 59)),
        ("2026-03-29T03:00:00", datetime(2026, 3, 29, 1, 0)),
        ("2026-12-04 23:59:00-05:00", datetime(2026, 12, 5, 4, 59)),
    ],
)
def test_dates_around_the_change_of_clocks(class_of, local, utc):
    """Worked by hand for Rome: an hour that comes twice is the later one, for the student."""
    found = class_of(f'[class]\ntimezone = "Europe/Rome"\n[due]\n{CHAPTERS[0]} = {local}\n')
    assert found.due("ada", CHAPTERS[0]).astimezone(UTC) == utc.replace(tzinfo=UTC)


def without_zone(text):
    """The whole file without its time zone."""
    return text.replace('timezone = "Europe/Rome"\n', "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[class\n", r"is not TOML: Expected ']' .*\(at line 1, column 7\); the page for instructors has an example"),
        (b"\xff\xfe[\0", "is not UTF-8: save it again as UTF-8"),
        ("x = " + "[" * 20_000, "is not TOML: nested too deeply"),
        ("x = " + "9" * 5000, "is not TOML: "),
        ("[klass]\n", "unknown section klass: did you mean 'class'?"),
        ("[zzz]\n", "unknown section zzz: expected one of class, late, due, extension"),
        ('"a\\u001bb" = 1\n', r"unknown section a\\x1bb: "),
        ("class = 3\n", r"class is 3: expected a section that begins with \[class\]"),
        (WHOLE.replace("gradebook =", "gradbook ="), "unknown key class.gradbook: did you mean 'gradebook'?"),
        (WHOLE.replace('"Attention, autumn 2026"', "3"), "class.name is 3: expected a text in quotes"),
        (WHOLE.replace("Europe/Rome", "Europe/Roma"), "class.timezone is 'Europe/Roma': did you mean 'Europe/Rome'?"),
        (WHOLE.replace("Europe/Rome", "../etc"), "class.timezone is '../etc': expected a name like Europe/Rome"),
        (WHOLE.replace("Europe/Rome", "Europe"), "class.timezone is 'Europe'"),
        (without_zone(WHOLE), 'due.04_query_key_value has no time zone: add `timezone = "Europe/Rome"` below'),
        (
            WHOLE.replace("T23:59:00\n03", "\n03"),
            "due.04_query_key_value is 2026-12-04: expected",
        ),
        (WHOLE.replace("2026-12-04T23:59:00", '"Friday"'), "due.04_query_key_value is 'Friday': expected a date and a"),
        (WHOLE.replace("2026-12-04T23:59:00", "0001-01-01T00:00:00"), "expected a year of this century"),
        (WHOLE.replace("2026-12-04T23:59:00", "9999-12-31T23:59:59-12:00"), "expected a year of this century"),
        (WHOLE.replace("2026-12-04", "2026-02-30"), r"is not TOML: Invalid date or datetime \(at line"),
        (
            WHOLE.replace("2026-12-04T23:59:00", "2026-03-29T02:30:00"),
            "due.04_query_key_value is 2026-03-29 02:30:00, which clocks in Europe/Rome skip that day: name a time",
        ),
        (
            WHOLE.replace("03_contextual", "03_contextal"),
            "unknown chapter '03_contextal': did you mean '03_contextual'?",
        ),
        (
            WHOLE.replace("percent_per_day", "percent_a_day"),
            "unknown key late.percent_a_day: did you mean 'percent_per_day'?",
        ),
        (
            WHOLE.replace("percent_per_day = 10", "percent_per_day = 110"),
            "late.percent_per_day is 110: expected a number from 0 to 100",
        ),
        (
            WHOLE.replace("percent_per_day = 10", "percent_per_day = -1"),
            "late.percent_per_day is -1: expected a number",
        ),
        (
            WHOLE.replace("percent_per_day = 10", "percent_per_day = nan"),
            "late.percent_per_day is nan: expected a number",
        ),
        (
            WHOLE.replace("percent_per_day = 10", "percent_per_day = true"),
            "late.percent_per_day is True: expected a number",
        ),
        (
            WHOLE.replace("percent_per_day = 10", 'percent_per_day = "10 %"'),
            "late.percent_per_day is '10 %': expected a number",
        ),
        (
            WHOLE.replace("[[extension]]", "[extension]", 1).split("[[")[0],
            r"expected sections that begin with \[\[extension\]\]",
        ),
        (WHOLE.replace("until", "untill"), "unknown key in extension 1: untill: did you mean 'until'?"),
        (WHOLE.replace('login = "ada"\n', ""), "extension 1 names neither: expected a login or a group"),
        (
            WHOLE.replace('login = "ada"', 'login = "ada"\ngroup = "friday"'),
            "extension 1 names both: expected a login or",
        ),
        (WHOLE.replace('login = "ada"', 'login = "adda"'), "no login 'adda' in the roster: did you mean 'ada'?"),
        (WHOLE.replace('"tuesday"', '"thursday"'), "no group 'thursday' in the roster: did you mean 'tuesday'?"),
        (
            WHOLE.replace('chapter = "04', 'chapter = "05'),
            "no deadline of '05_query_key_value' below .due.: did you mean '04_",
        ),
        (
            WHOLE.replace("2026-12-07", "2026-12-01"),
            "extension 1 ends before the deadline of 04_query_key_value: expected a",
        ),
        (WHOLE.replace('group = "tuesday"', 'login = "ada"'), "extension 2: ada has one of 04_query_key_value already"),
        (WHOLE.replace("until = 2026-12-07T23:59:00", ""), "extension 1, until is nothing: expected a date and a time"),
        (WHOLE.replace("roster.csv", "rooster.csv"), "cannot read the roster .*rooster.csv: No such file"),
        (
            WHOLE.replace("postgresql://ana@db/attention", "the usual one"),
            "class.gradebook is not a database's address",
        ),
    ],
)
def test_what_is_wrong_is_one_line(class_of, text, words):
    """The file, the line or the key, what was found, what to do."""
    with pytest.raises(CourseError, match=words.replace("?", r"\?")) as refused:
        class_of(text)
    assert "class.toml" in str(refused.value)
    assert is_plain(str(refused.value))


@pytest.mark.parametrize("url", ["postgresql://ana:s3cret@db/a", "postgresql://ana@db/a?password=s3cret"])
def test_a_password_in_the_class_file_is_refused_unprinted(class_of, url):
    """The file is shared and copied, so it holds none; the line says where it belongs, and does not show it."""
    with pytest.raises(CourseError, match=r"holds a password: take it out, and put it into ~/\.pgpass") as refused:
        class_of(f'[class]\ngradebook = "{url}"\n')
    assert "s3cret" not in str(refused.value)


def test_a_class_without_course_or_roster_takes_any_chapter_and_login(class_of):
    """Where nobody said which chapters and students there are, their names are taken as they are."""
    text = (
        WHOLE.replace('roster = "roster.csv"\n', "").replace('group = "tuesday"', 'login = "zoe"').replace("04_", "44_")
    )
    assert class_of(text, None).due("zoe", "44_query_key_value").astimezone(UTC) == datetime(
        2026, 12, 5, 11, tzinfo=UTC
    )


PIECES = [*"[]=\"'\n.,{}#-:TZ\\\0\u202e", "[[", "]]", '"""', "true", "inf", "1e999", "2026-02-30", "0x", "[due]\n", "é"]


def test_no_class_file_ends_in_a_traceback(class_of):
    """Hundreds of damaged ones are read, or refused in one plain line."""
    rng, refused = random.Random(17), 0
    for _ in range(FUZZ):
        text = WHOLE
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(text) + 1)
            text = (
                text[:place] + rng.choice((*PIECES, chr(rng.randrange(0xD800)))) + text[place + rng.choice((0, 1, 7)) :]
            )
        found, said = attempt(class_of, text)
        refused += found is None
        assert is_plain(said), text
    assert FUZZ / 20 < refused < FUZZ
