"""``{citation}``: how to cite the course, as a sentence and as BibTeX, from CITATION.cff and where it is published."""

from pathlib import Path

import yaml
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

ENTRY = """@misc{{{key},
  author = {{{author}}},
  title = {{{title}}},
  year = {{{year}}},
  note = {{{note}}}{url}
}}"""


def citation(cff, address=""):
    """Return a sentence and an entry for BibTeX; both have the address, if there is one."""
    year, note = str(cff["date-released"])[:4], f"Version {cff['version']}"
    authors = [one.get("name") or f"{one['given-names']} {one['family-names']}" for one in cff["authors"]]
    # In its own braces a name stays whole: BibTeX would make "the authors of …" a person.
    author = " and ".join(f"{{{name}}}" for name in authors)
    said = f"{', '.join(authors)} ({year}). *{cff['title']}*. {note}."
    first = "".join(letter for letter in cff["title"].split()[0].lower() if letter.isalpha())
    url = f",\n  url = {{{address}}}" if address else ""
    entry = ENTRY.format(key=f"{first}{year}", author=author, title=cff["title"], year=year, note=note, url=url)
    return f"{said} <{address}>" if address else said, entry


class Citation(SphinxDirective):
    """``{citation}``: the box."""

    def run(self):
        """Return the sentence and the entry, which has a button that copies it."""
        path = Path(self.env.srcdir).resolve().parent / "CITATION.cff"
        self.env.note_dependency(str(path))
        cff = yaml.safe_load(path.read_text(encoding="utf-8"))
        said, entry = citation(cff, (self.config.html_baseurl or "").rstrip("/"))
        box = nodes.container(classes=["promise"])
        lines = [said, "", "```bibtex", *entry.splitlines(), "```"]
        self.state.nested_parse(StringList(lines, self.name), self.content_offset, box)
        return [box]


def setup(app):
    """Register with Sphinx."""
    app.add_directive("citation", Citation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
