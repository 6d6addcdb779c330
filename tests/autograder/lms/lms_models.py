"""Small models of Moodle and Canvas, written from their source and documentation, not from ours.

What a class hands in goes through ``..._export`` as each would export it; what we write goes through ``..._import`` as
each would take it. Sources are named in each function.
"""

import csv
import io
import re
import zipfile
from dataclasses import dataclass

DOWNLOADED = (2026, 12, 5, 9, 30, 0)


@dataclass(frozen=True)
class Student:
    """Somebody enrolled: ``participant`` is Moodle's number in one assignment, ``user`` Canvas's number of a person."""

    login: str
    first: str
    last: str
    email: str
    participant: int
    user: int


def zip_of(entries, when=DOWNLOADED):
    """Return a zip of ``[(name, bytes)]``."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(zipfile.ZipInfo(name, when), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def moodle_clean(text):
    """Clean a name for a file: lib/moodlelib.php, clean_param with PARAM_FILE."""
    return re.sub(r"[\x00-\x1f\x7f&<>\"`|':\\/]", "", text)


def moodle_export(handed_in, folders=True, trailing="", when=DOWNLOADED):
    """Return the zip of *Download all submissions*: mod/assign/classes/downloader.php, ``{student: [(name, bytes)]}``.

    Without ``folders``, as in Moodle before 3.1 and where the box is not ticked; ``trailing`` is "_" before 4.1.
    """
    entries = []
    for student, files in handed_in.items():
        prefix = moodle_clean(f"{student.first} {student.last}".replace("_", " ") + f"_{student.participant}")
        for name, data in files:
            path = f"{prefix}_assignsubmission_file"
            entries.append((f"{path}{trailing}/{name}" if folders else f"{path}_{name}", data))
    return zip_of(entries, when)


def moodle_worksheet(students, came):
    """Return the grading worksheet as CSV: mod/assign/gradingtable.php; ``came`` holds ``{login: text}``."""
    header = ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum grade", "Grade can be changed"]
    header += ["Last modified (submission)", "Last modified (grade)", "Feedback comments"]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    for one in students:
        status = "Submitted for grading" if one.login in came else "No submission"
        row = [f"Participant {one.participant}", f"{one.first} {one.last}", one.email, status, "", "20.00", "Yes"]
        writer.writerow([*row, came.get(one.login, "-"), "-", ""])
    return file.getvalue()


def canvas_export(handed_in, late=()):
    """Return the zip of *Download submissions*: lib/content_zipper.rb, ``{student: [(attachment, name, bytes)]}``."""
    entries = []
    for student, files in handed_in.items():
        name = re.sub(r"_(\d+)_", r"\1", f"{student.last}, {student.first}").lower()
        parts = [name, *(["LATE"] if student.login in late else []), str(student.user)]
        prefix = re.sub(r"[^\w]", "", "_".join(parts))
        for attachment, file, data in files:
            entries.append((f"{prefix}_{attachment}_" + re.sub(r'[\x00/\\:*?"<>|]+', "_", file), data))
    return zip_of(entries)


def canvas_gradebook(students, title):
    """Return the exported gradebook as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", f"{title} (4711)"])
    writer.writerow(["    Points Possible", "", "", "", "", "20"])
    for one in students:
        writer.writerow([f"{one.last}, {one.first}", one.user, f"sis{one.user}", one.login, "A", ""])
    return file.getvalue()


def moodle_feedback_import(data, students):
    """Return ``{login: {file: bytes}}`` as *Upload multiple feedback files in a zip* assigns them.

    mod/assign/feedback/file/importziplib.php, is_valid_filename_for_import: of the path's parts, the first with a
    participant's number behind its first ``_`` and a plugin behind that; the rest is the file's name.
    """
    participants, given = {one.participant: one.login for one in students}, {}
    for path, content in read_zip(data):
        parts = path.split("/")
        if parts[-1].startswith((".", "~")):
            continue
        while parts:
            info = parts.pop(0).split("_", 4)
            if len(info) < 4 or not info[1].isdigit() or int(info[1]) not in participants:
                continue
            if (info[2], info[3]) not in {("assignsubmission", "file"), ("assignfeedback", "file")}:
                continue
            name = "/".join([info[4] if len(info) > 4 else "", *parts]).lstrip("/")
            given.setdefault(participants[int(info[1])], {})[name] = content
            break
    return given


def canvas_feedback_import(data, attached):
    """Return ``({login: {name shown: bytes}}, ignored)`` as *Upload submissions* turns files into comments.

    ``attached`` holds ``{(student, attachment): display name}`` of what was handed in. app/models/
    abstract_assignment.rb: the first two numbers between ``_``, LATE left out, must be a person and a file of theirs.
    """
    given, ignored = {}, []
    for path, content in read_zip(data):
        parts = [part for part in path.rsplit("/", 1)[-1].split("_") if part != "LATE"]
        numbers = [int(part) for part in parts if part.isdigit()][:2]
        found = [
            (one, shown)
            for (one, attachment), shown in attached.items()
            if numbers == [one.user, attachment] and not parts[-1].startswith("link")
        ]
        if not found:
            ignored.append(path)
            continue
        ((one, shown),) = found
        given.setdefault(one.login, {})[shown] = content
    return given, ignored


def moodle_grades_import(text, students):
    """Return ``{login: points}`` as Moodle's gradebook imports a CSV: grade/import/csv, mapped from username."""
    header, *rows = csv.reader(io.StringIO(text))
    usernames = {one.login for one in students}
    assert header[0] == "username"
    assert {row[0] for row in rows} <= usernames  # "User mapping error" would stop the whole import
    return {row[0]: float(row[1]) for row in rows if row[1] != "-"}


def canvas_grades_import(text, students):
    """Return ``{login: points}`` as Canvas's gradebook imports a CSV: lib/gradebook_importer.rb, process_student."""
    header, points, *rows = csv.reader(io.StringIO(text))
    assert "Student" in header[0]
    assert "ID" in header[1]
    assert header[2:5] == ["SIS User ID", "SIS Login ID", "Section"]
    assert "Points Possible" in points[0]
    found = {}
    for row in rows:
        known = [
            one for one in students if (row[1] and row[1] == str(one.user)) or (not row[1] and row[3] == one.login)
        ]
        assert len(known) == 1
        if row[5].strip():
            found[known[0].login] = float(row[5])
    return found


def read_zip(data):
    """Return a zip's ``[(name, bytes)]``."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(entry.filename, archive.read(entry)) for entry in archive.infolist() if not entry.is_dir()]
