"""No hostile submission raises a mark, changes anybody else's, stops the batch, or sees what is hidden."""

import csv
import json
import re
from html.parser import HTMLParser
from itertools import zip_longest
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.utils import determine_grade

from autograder.classroom.results.load import load_results
from autograder.course.course import COURSE_ID
from autograder.grading.grade import seed_of
from autograder.grading.intake import NOTEBOOK_BYTES
from autograder.grading.result import WITHOUT_MARK
from autograder.lms.export import FORMATS, export
from autograder.pages.pictures import PICTURES
from autograder.pages.report import report
from autograder.plain import clean, visible, visible_line
from tests.support.every_case import without_own_script
from tests.support.hand_in import CHAPTER

from .conftest import SEED
from .corpus import KNOWN, TOO_FAR, WATERMARK, class_of, corpus, seating
from .escapes import TRACE

ENTRIES = [(family, entry) for family, entries in corpus().items() for entry in entries]
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "nav", "h1", "h2", "h3", "p", "section", "article"),
    *("header", "footer", "details", "summary", "ul", "li", "code", "span", "bdi", "mark", "br", "em", "pre", "img"),
    *("div", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
FIGURES = {"picture", "source"}
OWN_PLACES = ("data:image/", "feedback/", "report_", "similar_", "#")  # whence a page may take, and where it may lead
OURS = {"submitted", "autograded", "feedback", "gradebook.db", "marks.html", "secret.txt"}
OURS |= {f".lateness-{CHAPTER}.json", ".grading.lock", ".gradebook.db.lock", ".gradebook.json", ".late.lock"}
each_class = pytest.mark.parametrize("name", ["side_by_side", "one_by_one", "endless"])
each_entry = pytest.mark.parametrize(
    ("family", "entry"), ENTRIES, ids=[f"{family}/{entry.name}" for family, entry in ENTRIES]
)


def seats_of(family, entry):
    """Return the entry's own student, and the honest ones ``(student, kind)`` who were graded after it."""
    own = [seat for seat in seating(class_of(family)) if any(other is entry for other in seat[2])]
    return visible_line(own[0][0]), [(student, submission.name) for student, submission, _ in own[1:]]


def facts(result):
    """Return all of a result that a student or an instructor may see, but the time it took, line by line."""
    cells = [f"{ran.status} {output}" for ran in result.cells for output in ran.outputs]
    return [json.dumps(result.as_dict()), *(line for cell in cells for line in cell.split("\\n"))]


def shown(result):
    """Return all that a result shows but the student's own source, as one text."""
    return json.dumps([result.as_dict(), [ran.outputs for ran in result.cells]], ensure_ascii=False)


def hidden(assignment, notebook):
    """Return the strings that nobody may see: canaries, and the unseen numbers that this notebook was asked."""
    is_read = notebook.is_file() and notebook.stat().st_size <= NOTEBOOK_BYTES
    seed = seed_of(SEED, notebook.read_bytes() if is_read else b"")
    questions = [case for exercise in assignment.exercises.values() for name, case in exercise.questions(seed)]
    numbers = [repr(float(number))[:9] for case in questions[1:] for array in case.args for number in array.flat]
    return ["CANARY-", *(number for number in set(numbers) if len(number) == 9)]


def test_the_report_names_the_refused_system_calls(side_by_side, assignment):
    """Of those who tried them, and of nobody else: not of the honest students beside them."""
    (student,) = [seat for seat, entry, _ in seating("side_by_side") if entry.name == "system_calls"]
    refused = load_results(side_by_side.room, assignment)[student]["refused"]
    assert refused.keys() >= {"ptrace", "mount", "bpf", "reboot", "unshare"}
    honest = [seat for seat, submission, _ in seating("side_by_side") if submission.name in ("right", "squared")]
    assert honest
    assert [seat for seat in honest if side_by_side.results[seat].refused] == []


@each_entry
def test_it_ends_as_declared(held, family, entry, record_property):
    """Status, points and words are those that the entry declares, in the result and in nbgrader's eyes."""
    student, _ = seats_of(family, entry)
    result = held.results[student]
    record_property("seconds", result.seconds)
    assert result.status in entry.status, (result.status, result.message, [v.message for v in result.verdicts])
    assert result.score == entry.score
    assert entry.words in " ".join([result.message, *(verdict.message for verdict in result.verdicts)])
    shown(result).encode()
    if result.status != "infrastructure":
        notebook = nbformat.read(held.graded_notebook(student), as_version=4)
        nbformat.validate(notebook)
        (test,) = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
        assert determine_grade(test)[0] in (entry.score, None if result.cells else 0)


@each_entry
def test_the_next_student_notices_nothing(held, calm, family, entry):
    """Marks, messages and outputs of the honest are what they are alone, and the snoop finds no trace."""
    alone = {name: facts(calm[name]) for name in KNOWN}
    for student, kind in seats_of(family, entry)[1]:
        differs = [pair for pair in zip_longest(facts(held.results[student]), alone[kind]) if pair[0] != pair[1]]
        assert not differs, f"{student} after {entry.name}"


@each_entry
def test_it_sees_nothing_hidden(held, assignment, family, entry):
    """No canary, no unseen number and nobody else's work is in any output, message or file that comes of it."""
    student, _ = seats_of(family, entry)
    result = held.results[student]
    handed_in = held.room.notebook(student, CHAPTER)
    assert TOO_FAR not in shown(result), shown(result)[shown(result).index(TOO_FAR) :][:300]
    texts = [shown(result), held.pages.get(student, "")]
    if result.status != "infrastructure":
        notebook = held.graded_notebook(student)  # its test cell holds hidden tests: instructors alone see it
        texts.append(repr([cell.get("outputs") for cell in nbformat.read(notebook, as_version=4).cells]))
        texts.append((notebook.parent / "result.json").read_text(encoding="utf-8"))
    assert not [word for word in hidden(assignment, handed_in) if any(word in text for text in texts)]
    assert set(re.findall(rf"{WATERMARK}(\w+)", "".join(texts))) <= {entry.name}


CHANNELS = [pytest.param(*pair, id=f"{pair[0]}/{pair[1].name}") for pair in ENTRIES if pair[1].carries]


@pytest.mark.parametrize(("family", "entry"), CHANNELS)
def test_no_message_carries_what_was_asked(held, assignment, family, entry):
    """Whatever a function makes of an unseen input, no criterion's message and no page repeats it."""
    student, _ = seats_of(family, entry)
    seed = seed_of(SEED, held.room.notebook(student, CHAPTER).read_bytes())
    (exercise,) = assignment.exercises.values()
    (unseen,) = [case for name, case in exercise.questions(seed) if name == "unseen"]
    (verdict,) = held.results[student].verdicts
    told = [verdict.message, *(criterion.message for criterion in verdict.criteria)]
    carried = [message for message in told if entry.carries(*unseen.args) in message]
    assert carried == []


@each_entry
def test_it_puts_nothing_live_on_a_screen(held, family, entry):
    """The student's page has the tags of ours alone, outputs are text and images, and no letter drives a terminal."""
    student, _ = seats_of(family, entry)
    result = held.results[student]
    assert live(held.pages.get(student, "")) == []
    assert visible(held.pages.get(student, "")) == held.pages.get(student, "")
    assert held.pages.get(student, "").count("<img") <= PICTURES
    assert clean(result.message) == result.message
    assert {kind for ran in result.cells for output in ran.outputs for kind in output.get("data", ())} <= {
        "text/plain",
        "image/png",
    }
    if result.status != "infrastructure":
        notebook = nbformat.read(held.graded_notebook(student), as_version=4)
        own = [cell for cell in notebook.cells if cell.cell_type == "markdown" and not cell.metadata.get("nbgrader")]
        assert all(cell.source.startswith("```") for cell in own)
        assert not [cell for cell in notebook.cells if cell.cell_type == "raw"]


class Tags(HTMLParser):
    """Collects what a browser would act on."""

    def __init__(self, known):
        super().__init__()
        self.known, self.live = known, []

    def handle_starttag(self, tag, attributes):
        """Keep a tag that is none of ours, and attributes that load or run something."""
        if tag not in self.known:
            self.live.append(tag)
        for name, value in attributes:
            loads = name in ("href", "src") and not (value or "").startswith(OWN_PLACES)
            if loads or name.startswith("on") or (name == "style"):
                self.live.append((tag, name, value))


def live(page, known=TAGS):
    """Return what on a page is live, and not ours."""
    tags = Tags(known)
    tags.feed(page)
    return tags.live + (["<script"] if "<script" in page else [])


@each_class
def test_the_batch_is_finished(request, name):
    """Everybody has a result, a page and the same mark in the gradebook; files stay where they belong."""
    held = request.getfixturevalue(name)
    handed_in = {visible_line(path.name) for path in (held.room.root / "submitted").iterdir()}
    assert set(held.results) == handed_in
    recorded = {student for student, result in held.results.items() if result.status != "infrastructure"}
    assert set(held.pages) == recorded
    with Gradebook(held.room.database, COURSE_ID) as book:
        marks = {entry["student"]: entry["score"] for entry in book.submission_dicts(CHAPTER)}
    marked = {student for student in recorded if held.results[student].status not in WITHOUT_MARK}
    assert marks == {student: held.results[student].score for student in marked}
    assert live(without_own_script((held.room.root / "marks.html").read_text(encoding="utf-8"))) == []


@each_class
def test_nothing_is_written_outside(request, root, name):
    """Submissions and course are as they were, the class's folder holds what belongs there, and the host no trace."""
    held = request.getfixturevalue(name)
    for place, before, after in zip(("submitted", "course", "host"), held.before, held.after, strict=True):
        assert before == after, place
    assert {path.name for path in held.room.root.iterdir()} <= OURS
    places = [Path(place) for place in ("/", "/tmp", "/var/tmp", "/dev/shm", root, Path.home(), ".")]
    places += [held.room.root, *held.room.root.parents]
    assert not [place for place in places if (place / TRACE).exists()]


@each_class
def test_tables_and_the_report_are_safe(request, assignment, tmp_path, name):
    """No cell of an export starts a formula, and the report runs and loads nothing."""
    room = request.getfixturevalue(name).room
    for form in FORMATS:
        export(room, [assignment], tmp_path / form, form)
        with (tmp_path / form).open(encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row if cell != "-"]
        assert not [cell for cell in cells if cell.strip()[:1] in tuple("=+-@\t\r\n＝＋－＠")]
    page = report(room, assignment).read_text(encoding="utf-8")
    assert live(page, TAGS | FIGURES) == []


def test_the_honest_are_graded(calm):
    """The neighbours' marks are those of a right answer and of a known mistake, and the snoop looked around."""
    assert {name: result.score for name, result in calm.items()} == {"snoop": 10, "right": 10, "squared": 0}
    assert calm["squared"].verdicts[0].mistake == "squared"
    (printed,) = [ran.outputs[0]["text"] for ran in calm["snoop"].cells if ran.piece.kind == "own"]
    assert printed.splitlines()[-1] == "memory: []"


def test_every_entry_has_a_name_of_its_own():
    """Entries say what they try, and no two of a family have one name."""
    for entries in corpus().values():
        assert len({entry.name for entry in entries}) == len(entries)
        assert all(entry.tries for entry in entries)
    assert {"right", "squared", "snoop"} == set(KNOWN)
