"""What texts say of the pages and chapters that a smaller course leaves out, and of a book that is not there."""

import re
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from .course import Course
from .settings import as_folder

BUILT = "../../_build/html/"  # where a notebook's links lead while the book has no address
CHAPTER_MENTION = re.compile(r"(?<!whole course’s )\b([Cc])hapters?[  ](\d+)(?:(?:, | and | to |–)(\d+))*")
LINK = re.compile(rf"\[([^\]]*)\]\({re.escape(BUILT)}(\w+)\.html([^)]*)\)")


def adapt_to_course(released: Path, course: Course) -> None:
    """Rewrite a released notebook's links and chapter names for its course.

    Links lead to the published book, or to the built one while it has no address. A page that the course leaves out
    is linked in the whole course, or not at all, and a chapter is called the whole course's.
    """

    def link(found: re.Match) -> str:
        words, page, rest = found.groups()
        place = course.book_url or BUILT if course.is_listed(page) else as_folder(course.settings.whole_course)
        return f"[{words}]({place}{page}.html{rest})" if place else words

    notebook, left_out = nbformat.read(released, as_version=4), course.numbers_left_out()
    if rewrite_texts(notebook, lambda text: name_whole_course(LINK.sub(link, text), left_out)):
        nbformat.write(notebook, released)


def as_downloaded(released: Path) -> NotebookNode:
    """Return a released notebook without links to a built book, which is not where it is downloaded to."""
    notebook = nbformat.read(released, as_version=4)
    rewrite_texts(notebook, lambda text: LINK.sub(r"\1", text))
    return notebook


def rewrite_texts(notebook: NotebookNode, rewrite: Callable[[str], str]) -> bool:
    """Rewrite a released notebook's cells of text, and their checksums; say whether anything changed."""
    from nbgrader.utils import compute_checksum

    texts = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    changed = [cell for cell in texts if rewrite(cell.source) != cell.source]
    for cell in changed:
        cell.source = rewrite(cell.source)
        cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    return bool(changed)


def name_whole_course(text: str, left_out: frozenset[int]) -> str:
    """Return a text in which the chapters with these numbers are called those of the whole course."""

    def called(found: re.Match) -> str:
        if left_out.isdisjoint(int(number) for number in re.findall(r"\d+", found[0])):
            return found[0]
        return ("The" if found[1] == "C" else "the") + f" whole course’s c{found[0][1:]}"

    return CHAPTER_MENTION.sub(called, text)
