"""``{beside}``: the course's code beside PyTorch's, and what both printed when `make oracle` ran them.

The two sides are separated by a line ``---``; without it, the code is PyTorch's alone. ``oracle/pytorch.py`` runs the
blocks of the page and stores their output; a block that it has not run ends the build.
``{oracle}`held-out` `` writes another stored fact, ``{oracle}`torch` `` the version that was run.
"""

import json
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

import attention

logger = logging.getLogger(__name__)
STORED = Path(attention.__file__).parents[1] / "oracle/stored/pytorch.json"
REMEDY = "run `make oracle SCRIPT=pytorch`"


@cache
def facts():
    """Return what is stored beside the blocks, and the versions that were run."""
    entry = json.loads(STORED.read_text(encoding="utf-8"))
    return entry["results"] | entry["versions"]


@cache
def printed():
    """Return what each block printed, by its two sides."""
    return {(block["course"], block["pytorch"]): block["prints"] for block in facts()["blocks"]}


class Beside(SphinxDirective):
    """Show both sides of a block and their stored output."""

    has_content = True

    def run(self):
        """Return the sides, one beside the other, and the output below."""
        first, line, second = "\n".join(self.content).partition("\n---\n")
        course, pytorch = (first, second) if line else ("", first)
        self.env.note_dependency(str(STORED))
        if (course, pytorch) not in printed():
            logger.warning("{beside}: no output is stored of this code: %s", REMEDY, location=self.get_location())
            return []
        sides = [labelled("The course", course, "python")] if course else []
        sides.append(labelled("PyTorch", pytorch, "python"))
        box = nodes.container("", nodes.container("", *sides, classes=["sides"]), classes=["beside"])
        if output := printed()[course, pytorch].rstrip("\n"):
            box += labelled("Both print" if course else "It prints", output, "none")
        return [box]


def labelled(label, text, language):
    """Return a block of code or output below its label."""
    return nodes.container(
        "",
        nodes.paragraph("", label, classes=["side"]),
        nodes.literal_block(text, text, language=language),
        classes=["printed" if language == "none" else "code"],
    )


class Stored(SphinxRole):
    """Write a stored fact."""

    def run(self):
        """Return its text."""
        return [nodes.Text(str(facts()[self.text]))], []


def setup(app):
    """Register with Sphinx."""
    app.add_directive("beside", Beside)
    app.add_role("oracle", Stored())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
