"""``slips/NN_stem.html``: where people slip, a page for each chapter with an assignment, written by the build.

_toc.yml does not list it: the chapter's assignment leads there, and so does what is said of a student's answer.
"""

import re
from pathlib import Path

from adapted_book import course_of

from attention.exercises.in_translator import REMARKS
from autograder.course.course import SLIPS

NUMBERED_TITLE = re.compile(r"^# (?:\d+\. )?(.+)$", re.MULTILINE)
PAGE = """---
orphan: true
---
# Where people slip: {title}

Open the exercise that you are stuck on. The numbers are those of the worked examples in
[the assignment](../{chapter}.md#assignment) of [chapter {number}](../{chapter}.md).
{remark}

```{{slips}}
```
"""


def page_of(assignment):
    """Return the MyST of an assignment's page."""
    title, remark = NUMBERED_TITLE.search(assignment.page_source)[1], REMARKS.get(assignment.stem, "")
    return PAGE.format(title=title, remark=remark, chapter=assignment.chapter, number=int(assignment.chapter[:2]))


def write_pages(app, config):
    """Write the pages of this book's chapters where they have changed, and remove those of chapters left out."""
    folder = Path(app.srcdir, SLIPS)
    assignments = map(course_of(app).assignment, course_of(app).chapters())
    wanted = {
        f"{one.chapter}.md": page_of(one)
        for one in assignments
        if one.slips_page == f"{SLIPS}/{one.chapter}" and one.chapter in config.external_site_map
    }
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            folder.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    config.exclude_patterns = [name for name in config.exclude_patterns if not name.startswith(f"{SLIPS}/")]


def forget_pages(app, exception):
    """Remove what an earlier build made of chapters that are left out now."""
    if exception is None and app.builder.format == "html":
        for path in Path(app.outdir, SLIPS).glob("*.html"):
            if f"{SLIPS}/{path.stem}" not in app.env.found_docs:
                path.unlink()


def has_no_source(app, page, template, context, doctree):
    """Let no link lead to the source of a page that is written by the build: no repository has it."""
    if page.startswith(f"{SLIPS}/"):
        context["page_source_suffix"] = ""


def setup(app):
    """Register with Sphinx."""
    app.connect("config-inited", write_pages, priority=950)  # after _toc.yml is read
    app.connect("html-page-context", has_no_source)
    app.connect("build-finished", forget_pages, priority=100)  # before the book is packed
    return {"parallel_read_safe": True, "parallel_write_safe": True}
