"""Draws of the next word at every temperature, from greedy to wild."""

from collections.abc import Sequence

import numpy as np
import traitlets

from attention.chapters.inference import Step, translation_step
from attention.chapters.transformer import EOS, SOS, Model

from ..shared.demo import Demo, bundle
from ..shared.traits import Checked, Index, Number

HOTTEST = 4.0
DECIMALS = 5  # of a logit: fewer would show another percentage than the model's own card


class Moments(Checked):
    """Moments of a translation, each with what has been said and the logits of the next word."""

    def validate(self, obj, value):
        """Accept at least one moment, whose words are as many as its logits."""
        fits = [
            isinstance(one, dict)
            and set(one) == {"said", "words", "logits"}
            and len(one["words"]) == len(one["logits"]) > 1
            and bool(np.isfinite(one["logits"]).all())
            for one in (value if isinstance(value, list | tuple) else [])
        ]
        if not fits or not all(fits):
            self.refuse(value, "moments {said, words, logits}, as many logits as words", "write one dict a moment")
        return list(value)


class Temperature(Demo):
    """The probabilities of the next word at a temperature, and twenty words drawn with them.

    moments      for each {said: what the model has been shown, words, logits}
    place        which of the moments is on show, counted from 0
    temperature  from 0, greedy, to 4
    Errors: TraitError for a moment that does not exist, and for other values.
    """

    _esm = bundle("temperature.js")
    _css = bundle("temperature.css")
    _summary = (
        "Temperature: the probabilities of a model's next word, as bars, and twenty words drawn with them. At "
        "temperature 0 every draw is the likeliest word; at 1 the probabilities are the model's own; above, unlikely "
        "words are drawn more and more often."
    )

    moments = Moments([]).tag(sync=True)
    place = Index(0).tag(sync=True)
    temperature = Number(1.0, 0.0, HOTTEST).tag(sync=True)

    def __init__(self, moments: Sequence[dict], **traits):
        super().__init__(moments=list(moments), **traits)

    @traitlets.validate("place")
    def _is_there(self, proposal):
        if self.moments and proposal.value >= len(self.moments):
            raise traitlets.TraitError(
                f"expected place from 0 to {len(self.moments) - 1}, got {proposal.value}: so many moments are there"
            )
        return proposal.value


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
