"""Feedback: one safe page a student, with criteria, messages, their own code and what it showed."""

import base64
import io

from PIL import Image

from autograder.checks.exercise import CRITERIA, SHARES
from autograder.checks.judge import LATER
from autograder.errors import CourseError

from .course import Assignment, ClassRoom
from .files import write_whole
from .pages import PAGES, title_of
from .recorded import read_results

PIXELS, OUTPUTS, IMAGES = 4_000_000, 100, 10  # of one image, and of one cell


def feedback(classroom: ClassRoom, assignment: Assignment):
    """Write a page for every graded student, and marks.html for whoever grades; return the students' pages.

    Errors: UsageError where nothing has been graded yet; CourseError where the gradebook cannot be read.
    """
    results = read_results(classroom, assignment)
    pages, lost = [], []
    for student, result in results.items():
        try:
            pages.append(write_page(classroom, assignment, student, page(assignment, result)))
        except Exception as error:  # one student's page must not cost the others theirs
            lost.append(f"{student} ({type(error).__name__}: {error})")
    write_whole(classroom.root / "marks.html", marks_page(classroom, assignment, results))
    if lost:
        raise CourseError(f"{len(pages)} pages written, {len(lost)} could not be: {', '.join(lost)}")
    return pages


def write_page(classroom, assignment, student, text):
    """Write one student's page and return its path."""
    folder = classroom.feedback(student, assignment.chapter)
    folder.mkdir(parents=True, exist_ok=True)
    return write_whole(folder / f"{assignment.chapter}.html", text)


def page(assignment, result):
    """Return one student's page. Everything is escaped; it holds no script and loads nothing."""
    cells = [
        shown_cell(cell) for cell in result["cells"] if cell["kind"] in ("answer", "own") and cell["source"].strip()
    ]
    return PAGES.get_template("feedback.html").render(
        result=result,
        title=title_of(assignment),
        later=LATER,
        slip=assignment.slip,
        consequence=consequence_of,
        answers={cell["id"]: cell for cell in cells if cell["id"]},
        shares={CRITERIA[name]: share for name, share in SHARES.items()},
        own=[cell for cell in cells if not cell["id"]],
    )


def consequence_of(exercise, mistake):
    """Say what a mistake does inside the course's translator; "" where that is not known here."""
    from autograder.models.consequences import consequences_of, in_words  # autograd: only where a page needs it

    known = consequences_of(exercise).get(mistake)
    return in_words(known) if known else ""


def marks_page(classroom, assignment, results):
    """Return the class at a glance: points, status and recognised mistakes of every student."""
    rows = [
        {
            **result,
            "href": classroom.feedback(student, assignment.chapter).relative_to(classroom.root).as_posix()
            + f"/{assignment.chapter}.html",
            "mistakes": [exercise["mistake"] for exercise in result["exercises"] if exercise["mistake"]],
        }
        for student, result in results.items()
    ]
    return PAGES.get_template("marks.html").render(title=title_of(assignment), rows=rows)


def shown_cell(cell):
    """Return a cell with its outputs as text and safe images; what nobody would look through is left out."""
    outputs = cell["outputs"][:OUTPUTS]
    with_image = [number for number, output in enumerate(outputs) if "image/png" in output.get("data", {})]
    left_out = set(with_image[IMAGES:])
    kept = (output for number, output in enumerate(outputs) if number not in left_out)
    return {**cell, "shown": [part for output in kept for part in shown_output(output)]}


def shown_output(output):
    """Return what of an output goes on the page: ``("text" or "error" or "image", content)``."""
    if output["output_type"] == "stream":
        return [("text", output["text"])]
    if output["output_type"] == "error":
        return [("error", "\n".join(output["traceback"]) or f"{output['ename']}: {output['evalue']}")]
    image = reencoded(output["data"].get("image/png"))
    return [("image", image)] if image else [("text", output["data"].get("text/plain", ""))]


def reencoded(data):
    """Return a student's PNG decoded and written anew, as a data URI; None for anything else."""
    if not data:
        return None
    try:
        with Image.open(io.BytesIO(base64.b64decode(data)), formats=["PNG"]) as image:
            if image.width * image.height > PIXELS:
                return None
            clean = io.BytesIO()
            Image.frombytes("RGBA", image.size, image.convert("RGBA").tobytes()).save(clean, "PNG")
    except Exception:  # a decoder can fail in as many ways as there are files; none of them shows
        return None
    return "data:image/png;base64," + base64.b64encode(clean.getvalue()).decode()
