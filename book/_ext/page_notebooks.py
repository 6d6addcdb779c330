"""Pages whose visible cells run anywhere, as notebooks: for readers who want to change a line and run it again.

Such a page says ``notebook: true`` at its head. Its notebook holds the page's text, in plain Markdown, and its visible
cells, which need the readers' wheel alone; what the page folds is folded there. What a hidden cell shows stands in its
place; a demo becomes a link.
"""

import re
from pathlib import Path

import nbformat
from adapted_book import as_taught, course_of
from assignments import HERE, THERE
from computed_alts import PLACE, ROLE, filled
from docutils import nodes
from fresh_cells import cache_of
from jupyter_cache import get_cache
from myst_nb.core.read import read_myst_markdown_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from questions import as_text
from readers_wheel import wheel_name

from autograder.course.left_out import name_whole_course

FOLDER = "downloads/pages"
FOR_LITE = "pages_for_lite"  # beside the built pages
FROM_LITE = "../_build/html/"  # see lite/book_links.js
FIRST = (
    "To run this notebook, install the course's functions: `pip install {wheel}`, "
    "{file}. In the book's JupyterLite they are there already."
)
WIDGET = "application/vnd.jupyter.widget-view+json"
OFFER = """<p class="page-notebook">This page as a notebook:
<span class="from-a-server">
<a class="from-a-server" href="lite/notebooks/index.html?path=pages/{page}.ipynb">open it in the browser</a>
({here} MB from this site, about {there} MB from cdn.jsdelivr.net) or </span>
<a href="{folder}/{page}.ipynb" download>download it</a></p>"""
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
    (re.compile(r"\\(?:query|key|value|learned)\{([^{}]*)\}"), r"\1"),  # colours of the book
    (re.compile(r"!\[[^\]]*\]\(_static/[^)]*\) ?"), r""),  # drawings, which are not beside it
    (re.compile(r"\{math\}`([^`]*)`"), r"$\1$"),
    (re.compile(r"\{term\}`([^`<]*?)(?: <[^>]*>)?`"), r"*\1*"),
    (re.compile(r"\{(?:try|number|why)\}`([^`<]*?) <[^`]*>`"), r"\1"),
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


def linked(words, book, file):
    """Return words as a link to a file of the book, or alone where nothing is known of its place."""
    return f"[{words}]({book}{file})" if book else words


def notebook_of(text, page, config, references, results, fill, book, wheel):
    """Return a page as a notebook without outputs. Its ids are the places of its cells.

    ``results`` are what the hidden cells show, a list of outputs by their source; ``references`` are as in plain;
    ``fill`` puts computed numbers into text. ``book`` is where the pages are, "" if unknown; ``wheel`` is what to
    install.
    """
    file = linked("a file among the book's downloads", book, f"downloads/{wheel_name()}")
    cells = [new_markdown_cell(FIRST.format(wheel=wheel, file=file))]
    for cell in read_myst_markdown_notebook(text, config=config, add_source_map=False).cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "markdown":
            cells += [new_markdown_cell(words)] if (words := plain(fill(cell.source), references)) else []
        elif "remove-input" in tags:
            link = f"*Here {linked('the page', book, f'{page}.html')} has a demo.*"
            cells += [shown for output in results[cell.source] for shown in as_markdown(output, cell, link, fill)]
        elif "remove-cell" not in tags:
            folded = {"jupyter": {"source_hidden": True}} if "hide-input" in tags else {}
            cells.append(new_code_cell(cell.source, metadata=folded))
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    language = {"name": "python"}  # by which JupyterLite finds its kernel, which has another name
    return new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": language})


def as_markdown(output, cell, demo, fill):
    """Yield what a hidden cell shows as a cell of text: a table, a picture, or the link ``demo``."""
    data = output.get("data", {})
    if WIDGET in data:
        yield new_markdown_cell(demo)
    elif "text/html" in data:
        yield new_markdown_cell(data["text/html"])
    elif "image/png" in data:
        alt = fill(cell.metadata["mystnb"]["image"]["alt"], PLACE).replace("[", "(").replace("]", ")")
        picture = {"image/png": data["image/png"].replace("\n", "")}
        yield new_markdown_cell(f"![{alt}](attachment:figure.png)", attachments={"figure.png": picture})


def is_offered(env, page):
    """Say whether a page comes as a notebook: its head says so."""
    return str(env.metadata[page].get("notebook")).lower() == "true"


def offer(app, doctree, page):
    """End a page that comes as a notebook with the ways to it."""
    if app.builder.name == "html" and is_offered(app.env, page):
        ways = OFFER.format(page=page, folder=FOLDER, here=HERE, there=THERE)
        next(iter(doctree.findall(nodes.section))).append(nodes.raw("", ways, format="html"))


def results_of(app, text):
    """Return the outputs of each code cell of a page by its source, as the build has run it."""
    notebook = read_myst_markdown_notebook(text, config=app.env.myst_config, add_source_map=False)
    _, executed = get_cache(cache_of(app)).merge_match_into_notebook(notebook)
    return {cell.source: cell.outputs for cell in executed.cells if cell.cell_type == "code"}


def write_all(app, exception):
    """Write the notebooks once the pages are there."""
    if exception is not None or app.builder.name != "html":
        return
    address = course_of(app).book_url
    copies = {Path(app.outdir, FOLDER): address, Path(app.outdir).parent / FOR_LITE: address or FROM_LITE}
    for folder, book in copies.items():
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.ipynb"):
            old.unlink()  # of a page that does not come as a notebook any more
        for page in sorted(page for page in app.env.found_docs if is_offered(app.env, page)):
            nbformat.write(page_as_notebook(app, page, book), folder / f"{page}.ipynb")


def page_as_notebook(app, page, book):
    """Return the notebook of a page of the book, whose pages are at ``book``; "" if that is unknown."""
    course, references = course_of(app), app.env.get_domain("cite").bibdata.data.entries
    text = Path(app.env.doc2path(page)).read_text(encoding="utf-8")

    def fill(words, pattern=ROLE):
        return name_whole_course(filled(words, env=app.env, page=page, pattern=pattern), course.numbers_left_out())

    wheel = f"{course.book_url}downloads/{wheel_name()}" if course.book_url else wheel_name()
    results = results_of(app, text)
    text = as_text(as_taught(text, course))
    return notebook_of(text, page, app.env.myst_config, references, results, fill, book, wheel)


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-resolved", offer)
    app.connect("build-finished", write_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
