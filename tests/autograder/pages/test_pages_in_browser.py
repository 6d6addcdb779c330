"""The pages that people open: in a real Chromium nothing in them runs, loads or asks for anything."""

from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader

from autograder.classroom.results.load import load_results
from autograder.pages.feedback import feedback, feedback_page
from autograder.pages.report import report


@pytest.mark.parametrize("width", [1280, 375])
def test_nothing_runs_in_pages_made_of_mischief(browser, graded, classroom, assignment, width):
    """A student's page with scripts in it, the marks and the report: only our own script runs, on the marks alone."""
    pages = {path.parents[1].name: path for path in feedback(classroom, assignment)}
    for path in (pages["dee"], classroom.root / "marks.html", report(classroom, assignment)):
        page = browser.new_page(viewport={"width": width, "height": 800})
        said, asked = [], []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("dialog", lambda dialog, said=said: said.append(dialog.message))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(path.as_uri())
        assert page.title() != "owned"
        own = int(path.name == "marks.html")
        assert page.locator("script, iframe, object, embed, form").count() == own
        assert (
            page.evaluate(
                "[...document.querySelectorAll('*')].some(e => [...e.attributes].some(a => /^on/.test(a.name)))"
            )
            is False
        )
        policy = page.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content")
        assert policy.startswith("default-src 'none'")
        assert policy.count("script") == own
        assert ("script-src 'sha256-" in policy) == own
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert said == []
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
        page.close()


def test_a_long_name_and_a_mark_by_hand_fit_on_a_telephone(browser, graded, classroom, assignment):
    """On 375 px an exercise's points go below its name where both do not fit; what is short stays in one line."""
    page = browser.new_page(viewport={"width": 375, "height": 800})
    page.goto(next(path for path in feedback(classroom, assignment) if path.parents[1].name == "ada").as_uri())
    rows = page.locator("header.exercise")
    bottoms = "row => [...row.children].map(part => part.getBoundingClientRect().bottom)"
    name, points = rows.first.evaluate(bottoms)
    assert abs(name - points) < 12
    rows.first.evaluate("row => { row.querySelector('code').textContent = 'scaled_dot_product_attention' }")
    rows.first.evaluate("row => { row.querySelector('.points').textContent = '2.67 of 4, marked by hand' }")
    name, points = rows.first.evaluate(bottoms)
    assert points > name + 12
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    page.close()


def test_a_page_begins_with_the_points_of_each_exercise(browser, graded, classroom, assignment, tmp_path):
    """A bar is as long as an exercise counts, and filled as far as it was solved; on 320 px all of it is in sight."""
    result = load_results(classroom, assignment)["ada"]
    names = ["double", "scaled_dot_product_attention_over_batches"]
    points = [(2.0, 0.5), (5.0, 4.0)]
    result["exercises"] = [
        replace(result["exercises"][0], name=name, points=most, score=score)
        for name, (most, score) in zip(names, points, strict=True)
    ]
    path = tmp_path / "page.html"
    path.write_text(feedback_page(assignment, result), encoding="utf-8")
    page = browser.new_page(viewport={"width": 320, "height": 800})
    page.goto(path.as_uri())
    assert page.locator(".overview li").all_inner_texts() == [f"{names[0]}\n0.5 of 2", f"{names[1]}\n4 of 5"]
    assert [link.get_attribute("href") for link in page.locator(".overview a").all()] == [f"#{name}" for name in names]
    short, long = page.locator(".overview .bar").evaluate_all("bars => bars.map(bar => bar.clientWidth)")
    assert abs(short / long - 2 / 5) < 0.05
    fills = page.locator(".overview .bar").evaluate_all(
        "bars => bars.map(bar => getComputedStyle(bar).backgroundImage)"
    )
    assert ["25%" in fills[0], "80%" in fills[1]] == [True, True]
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.close()


@pytest.fixture
def marks(browser, graded, classroom, assignment):
    """The marks page in a browser."""
    feedback(classroom, assignment)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto((classroom.root / "marks.html").as_uri())
    yield page
    page.close()


def shown(page):
    """Return the totals of the rows that are seen, from the top."""
    rows = page.locator("table.sortable").first.locator("tbody tr:visible td:nth-child(2)")
    return [float(text) for text in rows.all_inner_texts()]


def test_marks_are_sorted_by_any_column(marks):
    """A click on the total puts the lowest first, another the highest; the name sorts, too, by the keyboard."""
    before = shown(marks)
    total = marks.get_by_role("button", name="total").first
    total.click()
    assert shown(marks) == sorted(before) != sorted(before, reverse=True)
    total.click()
    assert shown(marks) == sorted(before, reverse=True)
    assert marks.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    marks.get_by_role("button", name="student").first.press("Enter")
    names = marks.locator("table.sortable").first.locator("tbody th").all_inner_texts()
    assert names == sorted(names, key=str.lower)


def test_marks_are_found_by_words(marks):
    """Rows that hold all words stay, wherever in the row; the count is said; without words all are back."""
    everybody = len(shown(marks))
    field = marks.get_by_role("searchbox", name="Find")
    field.fill("no right answer")
    found = shown(marks)
    assert 0 < len(found) < everybody
    assert set(found) == {0}
    assert (
        marks.locator(".find output").inner_text()
        == f"{len(found)} of {marks.locator('table.sortable tbody tr').count()} students"
    )
    field.fill("")
    assert len(shown(marks)) == everybody


def test_the_head_of_the_marks_stays_in_sight(marks):
    """A reader who scrolls down a long table still sees the heads of its columns; on paper nothing is cut off."""
    marks.set_viewport_size({"width": 1280, "height": 260})
    box = marks.locator(".tall").first
    box.evaluate("box => { box.scrollTop = 99; }")
    tops = box.evaluate("box => [box, box.querySelector('th')].map(part => part.getBoundingClientRect().top)")
    assert abs(tops[0] - tops[1]) < 2
    marks.emulate_media(media="print")
    assert box.evaluate("box => getComputedStyle(box).maxHeight") == "none"


def test_each_printed_page_of_the_marks_has_their_head(marks):
    """Printed, a long list has the columns' names on every page; afterwards it still sorts."""
    marks.evaluate(
        "() => { const [body] = document.querySelector('table.sortable').tBodies;"
        "  for (let i = 0; i < 100; i++) body.append(body.rows[0].cloneNode(true)); }"
    )
    pages = [page.extract_text() for page in PdfReader(BytesIO(marks.pdf(format="A4"))).pages]
    assert ["total" in text for text in pages[:3]] == [True, True, True]
    marks.get_by_role("button", name="total").first.click()
    assert marks.locator("th[aria-sort]").count() == 1
