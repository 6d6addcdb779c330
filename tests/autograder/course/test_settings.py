"""course.toml and _toc.yml: what a course sets for itself, and what a slip in it is told."""

import shutil
from dataclasses import replace

import pytest

from autograder.classroom.results.load import load_results
from autograder.course.course import Course
from autograder.course.settings import Settings, pages_in_toc, read_settings
from autograder.course.which_course import find_course
from autograder.errors import CourseError, UsageError
from autograder.pages.feedback import feedback_page


def test_without_a_file_every_setting_has_its_default(tmp_path):
    """A course that sets nothing is this course."""
    assert read_settings(tmp_path) == Settings()
    assert read_settings(tmp_path).course_id == "attention-row-by-row"


def test_settings_are_read(tmp_path):
    """Texts, points of exercises, and the address with its slash."""
    (tmp_path / "course.toml").write_text(
        'title = "T"\naddress = "https://a.example/b"\n[points]\nmix = 0\nsoftmax = 7'
    )
    found = read_settings(tmp_path)
    assert (found.title, found.points, found.institution) == ("T", {"mix": 0, "softmax": 7}, "")
    assert Course(tmp_path).book_url == "https://a.example/b/"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title =", "cannot read .*course.toml"),
        ('tilte = "T"', "unknown setting 'tilte' in .*: expected one of title, course_id"),
        ("title = 3", "expected text in quotes for title in .*, got 3"),
        ("points = 3", "expected a table for points in .*, got 3"),
        ("[points]\nmix = -1", "expected a whole number from 0 for points.mix in .*, got -1"),
        ("[points]\nmix = true", "expected a whole number from 0 for points.mix in .*, got True"),
        ('logo = "none.svg"', "expected logo in .*course.toml as the path of a picture in .*, got 'none.svg'"),
        ('logo = "/etc/passwd"', "expected logo in .*, got '/etc/passwd'"),
        ('address = "a.example"', "expected address in .*course.toml to begin with https://, got 'a.example'"),
        ('whole_course = "ftp://a.example"', "expected whole_course in .*, got 'ftp://a.example'"),
        ('course_id = "a/b"', "expected course_id in .*course.toml of letters, .*, got 'a/b'"),
        ('[words]\nCriterion = "x"', "unknown word 'Criterion' in .*: expected text for one of points, "),
    ],
)
def test_a_slip_in_the_file_is_one_line(tmp_path, text, said):
    """What was expected, what is there, in which file."""
    (tmp_path / "course.toml").write_text(text)
    with pytest.raises(CourseError, match=said):
        read_settings(tmp_path)


@pytest.fixture
def smaller(root, tmp_path):
    """A copy of the course in which _toc.yml lists chapters 3 and 5."""
    shutil.copytree(root / "solutions", tmp_path / "solutions")
    shutil.copy(root / "nbgrader_config.py", tmp_path)
    toc = "root: index\nparts:\n- chapters:\n  - file: 03_context\n    sections:\n    - file: 05_scaling\n"
    (tmp_path / "_toc.yml").write_text(toc)
    return find_course(tmp_path)


def test_the_table_of_contents_decides_what_is_taught(smaller, root):
    """At any depth; the other chapters still lend their functions to the checks."""
    assert smaller.chapters() == ["03_context", "05_scaling"]
    assert smaller.every_chapter() == sorted(path.name for path in (root / "solutions").glob("[0-9]*"))
    with pytest.raises(UsageError, match=r"_toc\.yml does not list chapter '04_query_key_value': expected one of 03"):
        smaller.assignment("04_query_key_value")


def test_a_misspelled_chapter_is_named_with_the_one_that_is_meant(smaller):
    """A page of the book without a notebook is none."""
    toc = smaller.root / "_toc.yml"
    toc.write_text(toc.read_text() + "  - file: 04_query_key_valu\n")
    pages_in_toc.cache_clear()
    with pytest.raises(CourseError, match=r"lists 04_query_key_valu, but .* did you mean '04_query_key_value'"):
        smaller.chapters()
    (smaller.root / "book").mkdir()
    (smaller.root / "book/04_query_key_valu.md").touch()
    assert smaller.chapters() == ["03_context", "05_scaling"]


def test_feedback_names_institution_and_contact_escaped(graded_once, assignment, monkeypatch):
    """An address of e-mail or the web is a link, a sentence is not, markup is text, and words are the course's."""
    result = load_results(graded_once[0], assignment)["ben"]
    settings = Settings(institution="U <i>", contact="me@a.example", words={"Your code": "Dein Code"})
    monkeypatch.setattr(Course, "settings", settings)
    said = feedback_page(assignment, result)
    assert "U &lt;i&gt;" in said
    assert '<a href="mailto:me@a.example">me@a.example</a>' in said
    assert "Your code" not in said
    monkeypatch.setattr(Course, "settings", replace(settings, contact="Ask <b>in</b> room 7"))
    assert "Questions about this mark: Ask &lt;b&gt;in&lt;/b&gt; room 7<br>" in feedback_page(assignment, result)
