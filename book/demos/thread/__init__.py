"""The thread: a translation that writes itself, each word on threads of attention that lead to all its numbers."""

from ..shared.demo import define_demo
from ..shared.schema import text, texts

PARTS = {"source", "written", "cross"}

Thread = define_demo(
    __name__,
    "A trained Transformer writes an Italian translation word by word. Ribbons lead from each Italian word to the "
    "English words that it looks at, as wide as the attention weight, in one colour for each of four heads.",
    examples=texts("sentences to pick, beginning with the first", minItems=1),
    run={
        "type": "object",
        "required": sorted(PARTS),
        "description": f"what is drawn before the model is there, a dict with {sorted(PARTS)}",
        "remedy": "write recorded(shipped_translator(), sentence)",
    },
    address=text("the page on which its numbers open"),
    trained={
        "type": "object",
        "description": "the model for a reader's own sentence, as {'_parts': {'model': packed(model)}}, or {}",
        "default": {},
    },
)


def recorded(trained, sentence):
    """Return what is drawn of a sentence: its words, those that are written, and each head's weights across."""
    from attention.models.explain_translator import numbers_of  # a notebook may lack it

    numbers, names = numbers_of(trained, sentence), list(trained.model.target_vocabulary)
    turns = range(len(numbers.tokens) - 1)
    written = [
        {"word": names[token], "token": token, "share": float(numbers.arrays[f"d{t}.p"][t, token])}
        for t, token in zip(turns, numbers.tokens[1:], strict=True)
    ]
    weights = [
        [numbers.arrays[f"d{t}.cw.{head}"][t].round(3).tolist() for head in range(trained.model.h)] for t in turns
    ]
    return {"source": sentence.split(), "written": written, "cross": weights}
