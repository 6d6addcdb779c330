"""The course's own translator, alive: type a sentence, look into every head, switch a part off.

A trained Transformer that translates in the page, with every number visible.
"""

from ..shared.demo import define_demo
from ..shared.schema import choice, text, texts, whole

PARTS = ["scaling", "positions", "residual", "norm", "mask"]
PLACES = ["encoder", "decoder", "cross"]
MOST_WORDS = 18


def sentence_misfit(demo, value):
    """Return the first word that the model does not know, or a number of words that it cannot read, or None."""
    for sentence in [value] if isinstance(value, str) else value:
        words = sentence.split()
        if not 1 <= len(words) <= MOST_WORDS:
            return f"{len(words)} words in {sentence!r}"
        for word in words:
            if word not in demo.trained["source"]:
                return repr(word)


def parts_of(demo):
    """Return the names of all that can be switched off in a demo's model."""
    layers, heads = range(demo.trained["layers"]), range(demo.trained["h"])
    return [*PARTS, *(f"{place}.{layer}.{head}" for place in PLACES for layer in layers for head in heads)]


def parts_misfit(demo, names):
    """Return the first name that is no part of the model, or None."""
    return next((repr(name) for name in names if name not in parts_of(demo)), None)


KNOWN = {"misfit": sentence_misfit, "remedy": lambda demo: f"choose from {demo.trained['source'][1:]}"}
NEEDED = ["h", "layers", "source", "target", "parameters"]
ONE = f"1 to {MOST_WORDS} words that the model knows"
MODEL = {  # of every demo that runs a model
    "trained": {
        "type": "object",
        "required": NEEDED,
        "description": f"what attention.models.quantised.packed makes of a model, a dict with {NEEDED}",
        "remedy": "write packed(shipped_translator().model)",
    },
    "examples": texts(f"sentences to pick, beginning with the first, each of {ONE}", minItems=1, **KNOWN),
    "sentence": text(f"the sentence, {ONE}", lambda demo: demo.examples[0], **KNOWN),
}
HEADS = {
    **MODEL,
    "off": texts(
        f"a list of what is switched off: any of {PARTS}, and each head with its layer, as in encoder.0.2, decoder.0.2 "
        "where the decoder looks back at its own words, and cross.0.2 where it looks at the source",
        uniqueItems=True,
        misfit=parts_misfit,
        default=[],
        remedy=lambda demo: f"choose from {', '.join(parts_of(demo))}",
    ),
    "view": choice("the step that is shown", "cross", [*PLACES, "next"]),
    "head": whole("the head whose map is shown"),
    "row": whole("the row of the weight in it that is explained"),
    "column": whole("the column of the weight in it that is explained"),
}

Translator = define_demo(
    __name__,
    "Translator: the course's trained Transformer turns a sentence into Italian, word by word. "
    "Each head of the encoder and the decoder shows what it looks at; each weight is shown with the query and the "
    "key that made it. Heads, scaling, positions, residual, norm and causal mask can be switched off, and the "
    "translation follows.",
    **HEADS,
)
