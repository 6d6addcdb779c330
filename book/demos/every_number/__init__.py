"""Every number of a trained Transformer: click it, and see the sum that made it, down to what training chose."""

from ..shared.demo import define_demo
from ..shared.schema import switch, text, texts, whole
from ..translator import HEADS

NUMBERS = {  # of every demo whose numbers open
    "against": text('what the numbers are compared with, a sentence or "" for none'),
    # The names are those of attention.models.explain_translator and attention.models.explain_writer.
    "trail": texts("names of nodes, from a word down to the number whose card is open", default=[]),
    "exchanges": {
        "type": "object",
        "description": "for a word, those that stand in its place, as attention.models.exchanges returns them, or {}",
        "default": {},
    },
    "all": switch("whether the small terms of a sum are shown one by one"),
}

EveryNumber = define_demo(
    __name__,
    "Every number explained: the course's trained Transformer translates a sentence, and each number opens into "
    "the sum that made it, from the probability of a word over logits, norms, heads, weights, scores, queries "
    "and keys down to its parameters. It may be asked why: rather than another word, than in another sentence, or than "
    "without a part; each operand then has its share of the difference. A tour of eleven stops asks: which bank?",
    **HEADS,
    **NUMBERS,
    own=switch("whether the sentence that is compared with is shown its own translation, and not this one's"),
    tour=whole("the stop of the tour that was visited last, or 0 for none", maximum=11),
    moments={
        "type": "object",
        "description": "what training made of each number, as attention.models.moments.moments returns it, or {}",
        "default": {},
    },
)
