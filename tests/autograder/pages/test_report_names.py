"""A report names people as the roster does, beside their logins."""

from autograder.classroom.classroom import ClassRoom
from autograder.pages.report import report
from autograder.pages.report_names import ReportNames


def named_class(folder):
    """Return the class of a folder, with a roster that knows one of two students by name."""
    (folder / "class.toml").write_text('[class]\nroster = "roster.csv"\n')
    (folder / "roster.csv").write_text("login,name\nben,Ben <b>Turing</b>\ncy,\n")
    return ClassRoom(folder)


def test_the_roster_gives_the_name(tmp_path, assignment):
    """Whom the roster knows by name is shown with it, the others by their logins, and nobody on a nameless page."""
    room = named_class(tmp_path)
    assert ReportNames(room, assignment).links(["ben", "cy", "dee"]) == [
        ("Ben <b>Turing</b> · ben", ""),
        ("cy", ""),
        ("dee", ""),
    ]
    assert ReportNames(room, assignment, nameless=True).links(["ben"]) == []


def test_a_name_is_text_in_the_report(graded, classroom, assignment):
    """A roster's name is shown as it is and never read as HTML; a nameless report has none of it."""
    room = named_class(classroom.root)
    text = report(room, assignment).read_text(encoding="utf-8")
    assert "Ben &lt;b&gt;Turing&lt;/b&gt; · ben" in text
    assert "<b>Turing" not in text
    assert "Turing" not in report(room, assignment, nameless=True).read_text(encoding="utf-8")
