"""The first card of *Every number explained* for the first page: drawn in the build, it needs no script and no model.

``{first_card} i love you very much``  each word of the translation with the sum behind its probability; each number
in it is a link that opens its own card on the page of all numbers
"""

from html import escape

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from attention.chapters.transformer import EOS
from attention.exercises.in_translator import address_of
from attention.models import shipped_translator
from attention.models.explain_translator import numbers_of
from attention.models.shipped import path_of

SHOWN = 5  # terms of a card
END = "the end"
RULE = "e to the power of its logit minus the largest one, divided by the sum of these powers."


def written(number):
    """Write a number as the page does."""
    return f"{number:.4f}".replace("-", "−")


def divisor_of(own, total, value):
    """Write a sum to divide by, with as many digits as make the shown quotient come out."""
    texts = (f"{total:.{digits}f}" for digits in (4, 5, 6, 7))
    above = float(f"{own:.4f}")
    return next((text for text in texts if written(above / float(text)) == written(value)), written(total))


def percent(share):
    """Write a probability as the page does."""
    return ">99.99%" if share > 0.9999 else f"{100 * share:.2f}%"


def words_of(sentence):
    """Return for each word that is written: (word, its probability explained, (word, logit's node, logit, term)s)."""
    trained = shipped_translator()
    numbers, names = numbers_of(trained, sentence), list(trained.model.target_vocabulary)
    for turn, token in enumerate(numbers.tokens[1:]):
        made = numbers.explain(f"d{turn}.p:{turn}:{token}")
        rows = [
            (name, term.nodes[0], numbers.value(term.nodes[0]), term.value)
            for name, term in zip(names, made.terms, strict=True)
        ]
        yield names[token], made, sorted(rows, key=lambda row: -row[-1])


def card(sentence, turn, word, made, rows):
    """Return the HTML of one card: the question, the probability, its largest terms, and the division."""
    spoken = END if word == EOS else f"“{word}”"
    total, top = sum(row[-1] for row in rows), rows[0][-1]
    shown, rest = rows[:SHOWN], sum(row[-1] for row in rows[SHOWN:])
    rounding = round(round(total, 4) - sum(round(row[-1], 4) for row in shown) - round(rest, 4), 4)
    lines = [
        row_of(END if name == EOS else name, link(written(logit), sentence, made.node, node), term, top)
        for name, node, logit, term in shown
    ]
    lines.append(row_of(f"+ {len(rows) - SHOWN} smaller", "", rest, top))
    lines += [row_of("rounding", "", rounding, top)] if rounding else []
    lines.append(total_of("sum", written(total)))
    lines.append(total_of(f"{written(top)} ÷ {divisor_of(top, total, made.value)}", written(made.value)))
    return (
        f'<div class="card"><p class="asked">How likely is {escape(spoken)} as word {turn + 1}?</p>'
        f'<p class="value">{link(written(made.value), sentence, made.node)}</p><p class="rule">{RULE}</p>'
        f'<table><thead class="visually-hidden"><tr><th>word</th><th>logit</th><th>bar</th>'
        f"<th>e to the power of the logit minus the largest one</th></tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def row_of(name, factor, term, top):
    """Return a row: a word, its logit, a bar, and its term; a name without a logit takes its place too."""
    head = f'<th scope="row">{escape(name)}</th><td>{factor}</td>' if factor else wide(escape(name))
    bar = f'<span style="--size:{term / top:.4f}"></span>'
    return f'<tr>{head}<td class="bar">{bar}</td><td>{written(term)}</td></tr>'


def total_of(name, value):
    """Return a row below the line."""
    return f'<tr class="total">{wide(name)}<td></td><td>{value}</td></tr>'


def wide(name):
    """Return the name of a row that has no logit."""
    return f'<th scope="row" colspan="2">{name}</th>'


def link(text, sentence, *trail):
    """Return a link that opens a number's card, with the way to it."""
    return f'<a href="{escape(address_of(sentence, *trail))}">{text}</a>'


class FirstCard(SphinxDirective):
    """``{first_card} SENTENCE``: the words of a translation to choose from, and each one's card."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        """Return the card; the page is read again when the model is another."""
        self.env.note_dependency(str(path_of("translator")))
        self.env.note_dependency(__file__)
        sentence = self.arguments[0]
        choices, cards, words = [], [], list(words_of(sentence))
        least_sure = min(made.value for _, made, _ in words)  # has the most to tell
        for turn, (word, made, rows) in enumerate(words):
            choices.append(
                f'<label><input type="radio" name="first-card"{" checked" if made.value == least_sure else ""}>'
                f"<b>{'end' if word == EOS else escape(word)}</b> <small>{percent(made.value)}</small></label>"
            )
            cards.append(card(sentence, turn, word, made, rows))
        html = (
            f'<fieldset class="first-card"><legend>{escape(sentence)} →</legend>'
            f'<p class="words">{"".join(choices)}</p>{"".join(cards)}</fieldset>'
        )
        return [nodes.raw("", html, format="html")]


def setup(app):
    """Register with Sphinx; the style is in _static/course.css."""
    app.add_directive("first_card", FirstCard)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
