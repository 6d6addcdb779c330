"""Each page that has cells as a notebook, in plain Markdown: for readers who want to change a line and run it again.

The cells import the course's own packages, so a notebook runs in the course's folder; its first cell says so.
"""

import re
from pathlib import Path

import nbformat
from computed_alts import ROLE, filled
from docutils import nodes
from myst_nb.core.read import read_myst_markdown_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from own_course import as_taught, course_of

from autograder.course.left_out import name_whole_course

FOLDER = "downloads/pages"
FIRST = 'import sys\n\nsys.path.insert(0, "book")  # this notebook lies in the course\'s folder, after `make course`'
SECTIONS = re.compile(r"^(?=## )", re.MULTILINE)
ON_THE_PAGE_ALONE = re.compile(r"^```\{(?:assignment|slips)\}", re.MULTILINE)  # a section about the other notebook
CITATION = re.compile(r"\{cite:([tp])\}`([^`]*)`")
PLAIN = (
    (re.compile(r"^```\{([\w-]+)\}[^\n]*\n(?:[^`][^\n]*\n)*?```$", re.MULTILINE), r""),  # tables and maps of the build
    (re.compile(r"^:::\{dropdown\} (.*?)\n(?::[\w-]+:[^\n]*\n)*(.*?)^:::$", re.MULTILINE | re.DOTALL),
     r"<details><summary>\1</summary>" + "\n\n" + r"\2" + "\n</details>"),
    (re.compile(r"^:::.*$", re.MULTILINE), r""),
    (re.compile(r"^(\{[.#][^}]*\}|\([\w-]+\)=|---)$", re.MULTILINE), r""),
    (re.compile(r"\[([^\]]*)\]\{[^}]*\}"), r"\1"),
    (re.compile(r"\{math\}`([^`]*)`"), r"$\1$"),
    (re.compile(r"\{term\}`([^`<]*?)(?: <[^>]*>)?`"), r"*\1*"),
    (re.compile(r"\{(?:try|number)\}`([^`<]*?) <[^`]*>`"), r"\1"),
    (re.compile(r"\{[a-z:]+\}`([^`<]*?)(?: <[^>]*>)?`"), r"(\1)"),
    (re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)[^)]*\)"), r"\1"),  # the pages that it leads to are not beside it
    (re.compile(r"\n{3,}"), "\n\n"),
)  # fmt: skip


def authors(entry):
    """Return the names of one or two authors, or the first and *et al.*"""
    names = [" ".join(map(str, [*one.rich_prelast_names, *one.rich_last_names])) for one in entry.persons["author"]]
    return " and ".join(names) if len(names) < 3 and names[-1] != "others" else f"{names[0]} et al."


def plain(text, references):
    """Return what MyST says as Markdown that any notebook shows: its own roles and directives become words.

    ``references`` are the entries of the bibliography, by key.
    """

    def cited(found):
        kind, keys = found.groups()
        said = [(authors(references[key]), references[key].fields["year"]) for key in keys.split(",")]
        if kind == "t":
            return ", ".join(f"{names} ({year})" for names, year in said)
        return f"({', '.join(f'{names} {year}' for names, year in said)})"

    text = "".join(part for part in SECTIONS.split(text) if not ON_THE_PAGE_ALONE.search(part))
    text = CITATION.sub(cited, text)
    for pattern, instead in PLAIN:
        text = pattern.sub(instead, text)
    return text.strip()


def notebook_of(text, config, references, fill):
    """Return a page as a notebook without outputs: the same cells in the same order. Its ids are their places.

    ``references`` are as in plain; ``fill`` puts computed numbers into its text.
    """
    read = read_myst_markdown_notebook(text, config=config, add_source_map=False)
    cells = [new_code_cell(FIRST)]
    for cell in read.cells:
        if cell.cell_type == "code":
            cells.append(new_code_cell(cell.source))
        elif said := plain(fill(cell.source), references):
            cells.append(new_markdown_cell(said))
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def has_cells(env, page):
    """Say whether a page holds cells to run again; the first page is only a way to the others."""
    return env.metadata[page].get("file_format") == "mystnb" and page != env.config.root_doc


def offer(app, doctree, page):
    """End a page that has cells with a link to its notebook."""
    if app.builder.name == "html" and has_cells(app.env, page):
        link = f'<p class="page-notebook"><a href="{FOLDER}/{page}.ipynb" download>This page as a notebook</a></p>'
        next(iter(doctree.findall(nodes.section))).append(nodes.raw("", link, format="html"))


def write_all(app, exception):
    """Write the notebooks once the pages are there."""
    if exception is None and app.builder.name == "html":
        folder = Path(app.outdir, FOLDER)
        folder.mkdir(parents=True, exist_ok=True)
        course = course_of(app)
        references = app.env.get_domain("cite").bibdata.data.entries
        for page in sorted(page for page in app.env.found_docs if has_cells(app.env, page)):
            text = as_taught(Path(app.env.doc2path(page)).read_text(encoding="utf-8"), course)

            def fill(said, page=page):
                return name_whole_course(filled(said, env=app.env, page=page, pattern=ROLE), course.left_out())

            nbformat.write(notebook_of(text, app.env.myst_config, references, fill), folder / f"{page}.ipynb")


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-resolved", offer)
    app.connect("build-finished", write_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
