"""The pages that people open: in a real Chromium nothing in them runs, loads or asks for anything."""

import pytest

from autograder.pages.feedback import feedback
from autograder.pages.report import report


@pytest.mark.parametrize("width", [1280, 375])
def test_nothing_runs_in_pages_made_of_mischief(browser, graded, classroom, assignment, width):
    """A page of a student who printed scripts, the marks and the report are inert, and no wider than the screen."""
    pages = {path.parents[1].name: path for path in feedback(classroom, assignment)}
    for path in (pages["dee"], classroom.root / "marks.html", report(classroom, assignment)):
        page = browser.new_page(viewport={"width": width, "height": 800})
        said, asked = [], []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("dialog", lambda dialog, said=said: said.append(dialog.message))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(path.as_uri())
        assert page.title() != "owned"
        assert page.locator("script, iframe, object, embed, form").count() == 0
        assert (
            page.evaluate(
                "[...document.querySelectorAll('*')].some(e => [...e.attributes].some(a => /^on/.test(a.name)))"
            )
            is False
        )
        policy = page.locator("meta[http-equiv='Content-Security-Policy']").get_attribute("content")
        assert policy.startswith("default-src 'none'")
        assert "script" not in policy
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
