"""Monday morning: the report on a class of sixty with three bugs that no list names."""

import re
from pathlib import Path

import pytest

from autograder.classroom.classroom import ClassRoom
from autograder.pages.feedback import feedback
from autograder.pages.report import report
from autograder.runs.class_run import ClassRun

from ..pages.test_report import Seen
from .monday_class import CHAPTER, monday_class, students

AXE = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.flatMap(
  ({ id, nodes }) => nodes.map(({ html, target }) => `${id}: ${target} ${html.slice(0, 120)}`))"""


@pytest.fixture(scope="module")
def monday(tmp_path_factory, published):
    """The class, graded, with its pages: ``(classroom, planted bugs, who wrote alike, report, nameless report)``."""
    room, assignment = ClassRoom(tmp_path_factory.mktemp("monday")), published.assignment(CHAPTER)
    planted, alike = monday_class(assignment, room)
    list(ClassRun(room, [assignment], jobs=2, seed=7))
    feedback(room, assignment)
    return room, planted, alike, report(room, assignment), report(room, assignment, nameless=True)


def rows_of(page):
    """The rows of unlisted wrong answers: ``[(exercise, count, students)]``."""
    cards = re.findall(r"<article>(.*?)</article>", page.read_text(encoding="utf-8"), re.DOTALL)
    heads = [re.search(r"<h3>(\d+) students · <code[^>]*>(\w+)</code></h3>", card) for card in cards]
    return [
        (head[2], int(head[1]), sorted(re.findall(r">(\w+_\w+)</a>", card)))
        for head, card in zip(heads, cards, strict=True)
    ]


def test_each_planted_bug_is_one_row_with_all_who_have_it(monday):
    """Eight, five and three, however they spelled it; what one student alone did, and what follows, is no row."""
    _, planted, _, page, nameless = monday
    expected = [(exercise, len(who), sorted(who)) for exercise, who in planted]
    assert [count for _, count, _ in expected] == [8, 5, 3]
    assert rows_of(page) == expected
    assert [row[:2] for row in rows_of(nameless)] == [row[:2] for row in expected]


def test_a_row_says_what_it_is_in_words_and_shows_code(monday):
    """Where it is wrong, what its students were told, and the shortest way in which one of them wrote it."""
    texts = " ".join(Seen(monday[3].read_text(encoding="utf-8")).texts)
    assert "is the right answer times 1/n" in texts
    assert (
        "Wrong: the edge “less than an even share”. Right: the worked example, unseen inputs, the other edges." in texts
    )
    assert "return max(0.0, np.log((n - 1) * target / (1 - target)))" in texts
    assert "return np.log(target) / (1 - target) * (n - 1)" in texts


def test_every_link_leads_somewhere(monday):
    """Names lead to the exercise on their pages, in-page links to their sections, mistakes to the published book."""
    room, *_, page, nameless = monday
    followed = 0
    for one in (page, nameless, room.root / f"similar_{CHAPTER}.html"):
        seen = Seen(one.read_text(encoding="utf-8"))
        for _, attribute, address in seen.attributes:
            if attribute != "href" or address.startswith("http"):
                continue
            path, _, anchor = address.partition("#")
            target = room.root / path if path else one
            assert target.is_file()
            if anchor:
                assert f'id="{anchor}"' in target.read_text(encoding="utf-8")
            followed += 1
    assert followed > 30


def test_the_page_for_the_class_names_nobody(monday):
    """No login, no part of one, no path, and nothing of what the code says about its writer."""
    room, *_, page, nameless = monday
    text = nameless.read_text(encoding="utf-8")
    parts = {part for student in students() for part in student.split("_")}
    assert all(part in page.read_text(encoding="utf-8") for part in ("zoltan", "kaprowicz"))
    assert not [part for part in parts if part in text.lower()]
    for private in (str(room.root), "was_here", "I am", "give up", "20261122", 'href="feedback', "similar_"):
        assert private not in text


def test_two_who_wrote_alike_are_shown_side_by_side(monday):
    """Their pair, and no other: not those who share a bug, a listed mistake or the course's own solution."""
    room, _, alike, page, _ = monday
    written = Path(room.root / f"similar_{CHAPTER}.html").read_text(encoding="utf-8")
    heads = re.findall(r"<h2>(.*?)</h2>", written, re.DOTALL)
    assert [sorted(re.findall(r">(\w+)</a>", head)) for head in heads] == [sorted(alike)]
    assert written.count("<pre") == 2
    assert "Alike does not mean copied." in written
    assert "ceilingitem" not in page.read_text(encoding="utf-8")


def test_the_pages_are_sound_for_everybody(monday, browser, root):
    """Axe finds no fault, light or dark; nothing runs or loads; on a telephone nothing is wider than the screen."""
    room, *_, page, nameless = monday
    for path in (page, nameless, room.root / f"similar_{CHAPTER}.html"):
        for width, scheme in ((1280, "light"), (375, "dark")):
            opened = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            asked = []
            opened.on("request", lambda request, asked=asked: asked.append(request.url))
            opened.goto(path.as_uri())
            assert opened.locator("script, iframe, object, embed, form, link").count() == 0
            assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
            opened.evaluate((root / "node_modules/axe-core/axe.min.js").read_text())
            assert opened.evaluate(AXE) == []
            opened.close()
