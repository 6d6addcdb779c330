"""Draws of the next word at every temperature, from greedy to wild."""

from collections.abc import Sequence

import numpy as np

from attention.chapters.inference import Step, translation_step
from attention.chapters.transformer import EOS, SOS, Model

from ..shared.demo import define_demo
from ..shared.schema import number, whole

DECIMALS = 5  # of a logit: fewer would show another percentage than the model's own card
MOMENT = {
    "said": {"type": "string"},
    "words": {"type": "array"},
    "logits": {"items": {"type": "number"}, "minItems": 2},
}


def moments_fault(moments):
    """Return how many words and logits the first moment has in which these differ, or None."""
    for one in moments:
        if len(one["words"]) != len(one["logits"]):
            return f"{len(one['words'])} words and {len(one['logits'])} logits"


def moments_of(places: Sequence[tuple[str, int]], model: Model) -> list[dict]:
    """Return moments of translations: for each sentence, the logits after so many words of the greedy translation."""
    found = []
    for sentence, written in places:
        step, tokens = translation_step(sentence, model), [model.target_vocabulary[SOS]]
        for _ in range(written):
            tokens.append(int(np.argmax(step(tokens))))
        found.append(moment(step, tokens, model))
    return found


def moment(step: Step, tokens: list[int], model: Model) -> dict:
    """Return one moment: what has been written, SOS left out, and the logits of every next word."""
    words = list(model.target_vocabulary)
    named = ["end" if word == EOS else word.strip("<>") for word in words]
    said = " ".join(words[token] for token in tokens[1:])
    return {"said": said or "nothing", "words": named, "logits": np.round(step(tokens), DECIMALS).tolist()}


Temperature = define_demo(
    __name__,
    "Temperature: the probabilities of a model's next word, as bars, and twenty words drawn with them. At "
    "temperature 0 every draw is the likeliest word; at 1 the probabilities are the model's own; above, unlikely "
    "words are drawn more and more often.",
    moments={
        "type": "array",
        "items": {"type": "object", "properties": MOMENT, "required": [*MOMENT]},
        "minItems": 1,
        "fault": moments_fault,
        "shape": "moments",
        "description": "moments {said, words, logits}: what the model has been shown, and as many logits as words",
        "remedy": "make each with moment(step, tokens, model)",
    },
    place=whole("the moment that is on show", below="moments"),
    temperature=number("the temperature, 0 for greedy", 1.0, 0, 4),
)
