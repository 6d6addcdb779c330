"""Learning management systems: how Moodle and Canvas name what they hand out, and what they take back.

Sources, read in November 2026:
moodle/moodle, mod/assign/classes/downloader.php (names in the zip), mod/assign/feedback/file/importziplib.php (feedback
zip), mod/assign/gradingtable.php and mod/assign/feedback/offline (grading worksheet), files/classes/local/
archive_writer/zip_writer.php (entries carry the time of the download, not of the hand-in);
instructure/canvas-lms, lib/content_zipper.rb (names in the zip), app/models/abstract_assignment.rb,
infer_comment_context_from_filename and generate_comments_from_files (feedback zip).
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

# Fullname_participant_assignsubmission_file, before Moodle 4.1 with one more _; without folders, _ and the file's name.
MOODLE = re.compile(r"(?P<name>[^_]*)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_(?P<file>.*))?", re.DOTALL)
# lastfirst_LATE_user_attachment_file, or anon_identity where it is marked without names; texts have no attachment.
CANVAS = re.compile(
    r"(?:(?P<name>\w+?)_)??(?P<late>LATE_)?(?:(?P<id>\d+)|anon_(?P<anon>[A-Za-z0-9]+))"
    r"_(?:(?P<attempt>\d+)_(?P<file>.+)|(?:text|link)\.html)",
    re.DOTALL,
)
# A person's number and an upload's, which has three digits or more: a file's own name often begins with 04_ or 10_.
CANVAS_PAIR = re.compile(r"(?<![^_])([0-9]+)_(?=[1-9][0-9]{2,}_|(?:text|link)\.html\Z)")
# What browsers and systems put after the name of a file that is there already: (1), -1, _1, copy.
COPY = re.compile(r"(?:\s*\(\d+\)|[-_]\d{1,2}|[\s_-]*(?:copy|Copy|Kopie|copia|copie)\d*)+$")


LMS_NAMES = {"moodle": "Moodle", "canvas": "Canvas"}


@dataclass(frozen=True)
class Label:
    """A student as an LMS names them.

    ``id`` is Canvas's number of a person, or Moodle's of a participant, which differs between assignments.
    ``attempt`` is Canvas's number of an upload, which grows; "" in Moodle. ``entry`` is the whole name.
    """

    lms: str
    id: str
    name: str
    entry: str
    attempt: str = ""
    late: bool = False

    @property
    def numbers(self) -> set[str]:
        """Every number that may be the person's. One label with several is nobody's.

        Canvas writes its own pair of numbers between two names that the student chooses, their own and the file's, and
        both can hold such a pair.
        """
        return {self.id, *(CANVAS_PAIR.findall(self.entry) if self.lms == "canvas" else ())}


def label_of(name: str) -> Label | None:
    """Parse a folder's or file's name; None if no LMS wrote it."""
    if found := MOODLE.fullmatch(name):
        return Label("moodle", found["id"], found["name"], name)
    found = CANVAS.fullmatch(name)
    if found and (found["name"] or found["anon"] or found["late"]):
        who = found["id"] or f"anon_{found['anon']}"
        return Label("canvas", who, found["name"] or "", name, found["attempt"] or "", bool(found["late"]))
    return None


def bare(name: str, chapters: Collection[str] = ()) -> str:
    """Return a file's name without extension, copy marks and chapter: what remains may name a student."""
    stem = COPY.sub("", re.sub(r"(?:\.(?:ipynb|zip|json|txt))+$", "", name, flags=re.IGNORECASE))
    for chapter in chapters:
        stem = stem.replace(chapter, "")
    return COPY.sub("", stem).strip(" _-.")


def moodle_entry(label: dict[str, Any]) -> str:
    """Return the folder's name under which Moodle's importer finds a participant again.

    It reads the number after the first ``_`` and the plugin after that; the full name is only for people.
    """
    return f"{label['name']}_{label['id']}_assignsubmission_file_"


def canvas_entry(label: dict[str, Any]) -> str:
    """Return the file's name under which Canvas finds a submission again: the one it gave.

    It reads the first two numbers between ``_``, person and upload, which must belong to the submission.
    """
    return label["entry"]
