"""A still of the Translator for the first page: its translation and one head's weights, drawn from the trained model.

``{still} i love you very much``  what the live page opens with for this sentence, as a drawing that leads there
"""

from html import escape

import numpy as np
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from autograder.models import model
from autograder.models.attention import attention_of
from autograder.models.shipped import path_of
from autograder.reference.context import softmax
from autograder.reference.inference import translation_step
from autograder.reference.transformer import EOS

PAGE, HEAD = "translator", 0
CELL, ROW, SURE = 39, 30, 66  # pixels of the drawing's own: a weight's width and height, and the width of ">99.9%"


def seen_in(sentence):
    """Return source words, words written (the end last), how sure each is, and one head's weights (written, source)."""
    trained = model("translator")
    looks = attention_of(trained, sentence)
    step, vocabulary = translation_step(sentence, trained.model), trained.model.target_vocabulary
    numbers = [vocabulary[word] for word in (*looks.shown, EOS)]
    sure = [float(softmax(step(numbers[:t]))[numbers[t]]) for t in range(1, len(numbers))]
    return looks.source, ["end" if word == EOS else word for word in looks.target], sure, looks.cross[0][HEAD]


def percent(share):
    """Write a probability as the Translator does."""
    return ">99.9%" if share > 0.999 else f"{100 * share:.1f}%"


def weight(number):
    """Write a weight with three decimals."""
    return f"{number:.3f}"


def text(kind, x, y, words, turn=""):
    """Write words at a place of the drawing."""
    return f'<text class="{kind}" x="{x}" y="{y}"{turn}>{escape(words)}</text>'


def row_of(left, y, word, share, weights):
    """Draw one word that is written: its name, how sure the model is, and what the head looks at."""
    strongest, middle = int(np.argmax(weights)), y + ROW / 2
    size = f'y="{y}" width="{CELL}" height="{ROW}"'
    cells = "".join(
        f'<rect class="cell" style="--share: {number:.3f}" x="{left + CELL * j}" {size}/>'
        + text("weight strongest" if j == strongest else "weight", left + CELL * (j + 0.5), middle, weight(number))
        for j, number in enumerate(weights)
    )
    name = text("end" if word == "end" else "word", left - SURE, middle, word)
    return name + text("sure", left - 8, middle, percent(share)) + cells


def drawing(source, written, sure, weights):
    """Draw the still: the source across the top, the translation downwards, the weights between them."""
    left, top = 10 * max(map(len, written)) + SURE, 7 * max(map(len, source)) + 16  # room for the longest words
    places = ((left + CELL * (j + 0.5), top - 8, word) for j, word in enumerate(source))
    heads = "".join(text("source", x, y, word, f' transform="rotate(-60 {x} {y})"') for x, y, word in places)
    every = enumerate(zip(written, sure, weights, strict=True))
    rows = "".join(row_of(left, top + ROW * i, *row) for i, row in every)
    width, height = left + CELL * len(source) + 4, top + ROW * len(written) + 4
    return f'<svg viewBox="0 0 {width} {height}" aria-hidden="true">{heads}{rows}</svg>'


def description(source, written, sure, weights):
    """Describe what the drawing shows."""
    words = [f"“{word}”" if word != "end" else "the end" for word in written]
    looks = ", ".join(
        f"before {word} ({percent(share)} sure) most at “{source[int(np.argmax(row))]}” with {weight(max(row))}"
        for word, share, row in zip(words, sure, weights, strict=True)
    )
    return (
        f"A still of the translator: “{' '.join(source)}” becomes “{' '.join(written[:-1])}”. "
        f"Head {HEAD} of its look across at the source looks {looks}."
    )


class Still(SphinxDirective):
    """``{still} SENTENCE``: the drawing, its text alternative, and what stands below it, in one link."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self):
        """Return the figure; the page is read again when the model is another."""
        self.env.note_dependency(str(path_of("translator")))
        self.env.note_dependency(__file__)
        seen = seen_in(self.arguments[0])
        to = self.env.app.builder.get_relative_uri(self.env.docname, PAGE)
        below = escape(" ".join(self.content))
        said = f'<span class="visually-hidden">{escape(description(*seen))}</span>'
        html = (
            f'<figure class="translator-still"><a href="{to}">{said}{drawing(*seen)}<span>{below}</span></a></figure>'
        )
        return [nodes.raw("", html, format="html")]


def setup(app):
    """Register with Sphinx; the style is in _static/course.css."""
    app.add_directive("still", Still)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
