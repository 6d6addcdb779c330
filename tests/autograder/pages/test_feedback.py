"""Images of students are decoded and written anew, or left out."""

import base64
import io
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin

from attention.exercises import in_translator
from autograder.classroom.results.load import load_results
from autograder.course.course import Course
from autograder.course.hooks import hooks_of
from autograder.errors import CourseError
from autograder.pages.feedback import MAX_IMAGES, MAX_TEXT, MAX_TEXTS, feedback, feedback_page, shown_cell
from autograder.pages.pictures import PAGE_PIXELS, PICTURES, PIXELS, Pictures
from autograder.pages.templating import PAGES
from autograder.plain import TextBudget
from autograder.runs.class_run import ClassRun


def png(size, comment=""):
    """A PNG of this size, with a comment inside."""
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", comment)
    file = io.BytesIO()
    Image.new("RGB", size, "teal").save(file, "PNG", pnginfo=notes)
    return base64.b64encode(file.getvalue()).decode()


def test_an_image_keeps_its_pixels_and_loses_the_rest():
    """The picture comes back the same, without what was hidden beside it."""
    uri = Pictures().shown(png((3, 5), "<script>"))
    data = base64.b64decode(uri.removeprefix("data:image/png;base64,"))
    assert b"<script>" not in data
    with Image.open(io.BytesIO(data)) as image:
        assert (image.size, image.convert("RGB").getpixel((1, 1))) == ((3, 5), (0, 128, 128))


def test_what_is_no_bearable_png_is_left_out():
    """Broken, foreign and giant images are not shown; the text beside them is."""
    giant = png((PIXELS // 1000 + 1, 1001))
    for data in (None, "", "%%%", base64.b64encode(b"GIF89a").decode(), png((3, 5))[:60], giant):
        assert Pictures().shown(data) == ""
    output = {"output_type": "display_data", "data": {"image/png": "%%%", "text/plain": "a figure"}}
    assert shown_cell({"source": "draw()", "outputs": [output]}, Pictures(), TextBudget(1009, 1009))["shown"] == [
        ("text", "a figure")
    ]


def test_a_cell_shows_a_bearable_number_of_images():
    """Many images, even repeated ones, are cut off; the text beside them stays."""
    picture = {"output_type": "display_data", "data": {"image/png": png((3, 5)), "text/plain": "a figure"}}
    words = {"output_type": "stream", "name": "stdout", "text": "grass"}
    cell = {"source": "draw()", "outputs": [picture] * (MAX_IMAGES + 7) + [words]}
    shown = shown_cell(cell, Pictures(), TextBudget(1009, 1009))["shown"]
    assert [kind for kind, _ in shown] == ["image"] * MAX_IMAGES + ["text", "left"]
    assert shown[-1][1] == "… 7 more pictures were left out"


def test_a_page_shows_a_bearable_amount_of_text(graded_once, assignment):
    """Megabytes of code and of output are cut, which is said, and the answers keep their place."""
    room, _ = graded_once
    result = load_results(room, assignment)["ada"]
    printed = {"output_type": "stream", "name": "stdout", "text": "\x07" * 100_003}
    own = {"id": "", "kind": "own", "source": "\x08" * 200_003, "outputs": [printed] * 3}
    answer = {"id": "double", "kind": "answer", "source": "the_answer = 1", "outputs": []}
    text = feedback_page(assignment, result, [own] * 50 + [answer])
    assert "the_answer = 1" in text
    shown = text.count("\\x07") + text.count("\\x08")
    assert MAX_TEXTS * 0.9 < shown <= MAX_TEXTS
    assert f"(the rest of this text, {200_003 - MAX_TEXT} characters, is left out)" in text
    assert "is left out, and so is all that follows)" in text


@pytest.mark.parametrize(("side", "most"), [(7, PICTURES), (1900, PAGE_PIXELS // 1900**2)])
def test_a_page_shows_a_bearable_number_of_pictures(graded_once, assignment, side, most):
    """Four hundred pictures in forty cells, small or large, are cut off by their number and by their pixels."""
    picture = {"output_type": "display_data", "data": {"image/png": png((side, side)), "text/plain": "a figure"}}
    cell = {"id": "", "kind": "own", "source": "draw()", "outputs": [picture] * MAX_IMAGES}
    said = feedback_page(assignment, load_results(graded_once[0], assignment)["ada"], [cell] * 40)
    assert said.count("<img") == most
    left_out = [int(number) for number in re.findall(r"… (\d+) more pictures? w", said)]
    assert sum(left_out) + most == 400


@pytest.mark.parametrize(("answer", "is_open"), [("x + x", False), ("x ** 2", False), ("np.sin(x)", True)])
def test_criteria_stand_open_where_they_say_more_than_the_message(
    assignment, classroom, submit, answered, answer, is_open
):
    """Not of a right answer, and not of a mistake that is named; of a wrong answer that no list names."""
    submit("eve", answered(f"def double(x):\n    return {answer}"))
    list(ClassRun(classroom, [assignment], seed=7))
    (path,) = feedback(classroom, assignment)
    assert ("<details open><summary>Criteria" in path.read_text(encoding="utf-8")) is is_open


def test_a_comment_by_hand_is_shown_as_one(graded_once, assignment):
    """It says what it is, as text, neither right nor wrong; its lines stay apart."""
    result = load_results(graded_once[0], assignment)["ada"]
    result["exercises"][0] = replace(result["exercises"][0], comment="Well done <3\nCome to room 17.")
    text = feedback_page(assignment, result, [])
    assert '<p class="message comment"><strong>Comment:</strong> Well done &lt;3\nCome to room 17.</p>' in text


def test_a_full_disk_names_the_file_and_what_to_do(graded, classroom, assignment, monkeypatch):
    """Where there is no room for a page, one line says for which, and what to do."""

    opened = Path.open

    def full(path, mode="r", **ways):
        return (
            opened(Path("/dev/full"), "wb") if "feedback" in path.parts and mode == "xb" else opened(path, mode, **ways)
        )

    monkeypatch.setattr("pathlib.Path.open", full)
    with pytest.raises(CourseError, match=r"ada \(.*ada/01_doubling/.*html.*: No space left on device. Make room and"):
        feedback(classroom, assignment)


def test_what_pages_need_is_loaded_once(graded, classroom, assignment, monkeypatch):
    """Each page is made in a copy of this process: nothing is loaded there, where it would be lost again."""
    in_translator._file.cache_clear()
    PAGES.cache.clear()
    loaded = []

    def noting(action):
        before, compiled = set(sys.modules), len(PAGES.cache)
        action()
        loaded.append((sorted(set(sys.modules) - before), len(PAGES.cache) - compiled))
        return lambda: None

    monkeypatch.setattr("autograder.pages.feedback.start_limited", noting)
    monkeypatch.setattr("autograder.pages.feedback.PAGES_A_COPY", 3)
    feedback(classroom, assignment)
    assert loaded == [([], 0)] * 2  # four students


def test_a_page_that_takes_too_much_costs_itself_alone(graded, classroom, assignment, monkeypatch):
    """A page for which time or memory runs out is named; all others are written."""
    written = feedback_page

    def greedy(assignment, result, cells):
        if result["student"] == "ben":
            bytearray(8 << 30)
        while result["student"] == "cy":
            continue
        return written(assignment, result, cells)

    monkeypatch.setattr("autograder.pages.feedback.feedback_page", greedy)
    monkeypatch.setattr("autograder.sandbox.host.limited_child.SECONDS", 1)
    with pytest.raises(CourseError, match=r"2 pages written, 2 failed: ben \(.*time or memory.*cy \(.*time or memory"):
        feedback(classroom, assignment)
    assert sorted(path.parts[-3] for path in classroom.root.glob("feedback/*/*/*.html")) == ["ada", "dee"]


MADE_BY_THE_BOOK = "```{assignment} 01_doubling\n```"


@pytest.mark.parametrize(
    ("config", "page", "points", "leads"),
    [
        ("html: {baseurl: 'https://example.org/course'}", "|[]{#slip-squared}it was squared|", True, "01_doubling"),
        ("html: {baseurl: 'https://example.org/course'}", MADE_BY_THE_BOOK, True, "slips/01_doubling"),
        ("html: {baseurl: 'https://example.org/course'}", "|[]{#slip-tripled}it was tripled|", False, None),
        ("html: {baseurl: 'https://example.org/course'}", "A page without an assignment.", False, None),
        ("html: {baseurl: 'https://example.org/course'}", None, False, None),
        ("html: {}", MADE_BY_THE_BOOK, True, None),
        ("html: {baseurl: 'javascript:alert(1)'}", MADE_BY_THE_BOOK, True, None),
        (None, None, False, None),
    ],
)
def test_a_mistake_leads_to_its_row_where_the_book_has_one(graded_once, mini, tmp_path, config, page, points, leads):
    """With the book's address as a link, without one in words; where the book has no such row, not at all."""
    shutil.copytree(mini.root, tmp_path / "course")
    if config:
        (tmp_path / "course/_config.yml").write_text(config)
    if page:
        (tmp_path / "course/book").mkdir()
        (tmp_path / "course/book/01_doubling.md").write_text(page)
    assignment = Course(tmp_path / "course", mini.exercises_package).assignment("01_doubling")
    squared = next(result for result in load_results(graded_once[0], assignment).values() if made(result, "squared"))
    said = feedback_page(assignment, squared)
    assert ("here people slip" in said) == points
    found = re.findall(r'<a href="https://example\.org/course/(.*)\.html#slip-squared">', said)
    assert found == ([leads] if leads else [])


def made(result, mistake):
    """Say whether a result names this mistake."""
    return mistake in {exercise.mistake for exercise in result["exercises"]}


def test_a_configuration_that_cannot_be_read_is_named(tmp_path):
    """A broken _config.yml is one line that names it."""
    (tmp_path / "_config.yml").write_text("html: [")
    with pytest.raises(CourseError, match=r"cannot read .*_config.yml"):
        _ = Course(tmp_path).book_url


def test_the_line_that_a_restored_cell_lost_is_code(graded_once, assignment):
    """A student's line in a cell of the course is quoted as code, runs nowhere, and is in no other language."""
    result = next(iter(load_results(graded_once[0], assignment).values()))
    page = feedback_page(assignment, result | {"tampered": ["setup: text changed, without your `<b>x = 5`"]})
    assert "<pre>" not in page
    assert 'setup: text changed, without your <code translate="no">&lt;b&gt;x = 5</code>.' in page


def test_a_mistake_says_what_it_does_inside_the_translator(graded_once, assignment, monkeypatch):
    """Where a consequence was made, the page has it, escaped; where none was, it says nothing of the translator."""
    squared = next(result for result in load_results(graded_once[0], assignment).values() if made(result, "squared"))
    assert "translator" not in feedback_page(assignment, squared)
    known = {
        "translations": ["<b>", None, None],
        "survives": 0.0,
        "right": 1.0,
        "unchanged": 0.0,
        "stops": 0.0,
        "nan": 0.0,
        "error": None,
        "sentences": 300,
    }
    monkeypatch.setattr(
        "attention.exercises.hooks.consequences_of", lambda name: {"squared": known} if name == "double" else {}
    )
    monkeypatch.setattr(type(assignment.course), "hooks", hooks_of("attention.exercises"))
    said = feedback_page(assignment, squared)
    assert "With this mistake in the course&#x27;s translator, “i love you very much”" in said
    assert "“i love you very much” becomes “&lt;b&gt;”, and none of 300 new" in said
    assert "<a" not in said.split("With this mistake in")[1].split("</p>")[0]
    offered = replace(assignment.course.hooks, example=lambda name: f"translator.html#{name}")
    monkeypatch.setattr(type(assignment.course), "hooks", offered)
    monkeypatch.setitem(vars(assignment.course), "book_url", "https://example.org/")
    assert '<a href="https://example.org/translator.html#double">See a number' in feedback_page(assignment, squared)
