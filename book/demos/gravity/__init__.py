"""See words pull at each other: self-attention with no parameters, on two sentences of three words in a plane."""

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Choice, Index, Point

MOST = 50  # steps, as in falling.js


class Gravity(Demo):
    """Two sentences share one vector for "bank"; each gives it another new vector, and again at every step.

    scores = x xᵀ,   weights = softmax(scores) row by row,   new = weights x,   x the three vectors of a sentence

    sentence  whose weights are shown: "money" for money bank grows, "river" for river bank flows
    steps     how often the words were replaced by their new vectors, 0 to 50; both sentences take a step together
    money, bank, grows, river, flows   a vector each: two numbers from -1 to 3, along "money" and along "water"
    start     the vectors that it came with, which "Start again" puts back
    Errors: TraitError for any other value.
    """

    _esm = bundle("gravity.js")
    _css = bundle("gravity.css")
    _summary = (
        "Gravity: the words of money bank grows and of river bank flows, as vectors in a plane. The dot product of two "
        "vectors is their score, softmax turns scores into weights, and each word moves to the mixture with these "
        "weights. As the demo comes, the same bank moves to [1.4223, 0.4223] between money and grows, and to "
        "[0.4223, 1.4223] between river and flows. After three steps the words of a sentence fall together."
    )

    sentence = Choice("money", options=("money", "river")).tag(sync=True)
    steps = Index(0).tag(sync=True)
    money = Point((2, 0), lowest=-1, highest=3).tag(sync=True)
    bank = Point((1, 1), lowest=-1, highest=3).tag(sync=True)
    grows = Point((1, 0), lowest=-1, highest=3).tag(sync=True)
    river = Point((0, 2), lowest=-1, highest=3).tag(sync=True)
    flows = Point((0, 1), lowest=-1, highest=3).tag(sync=True)
    start = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(self, sentence="money", steps=0, money=(2, 0), bank=(1, 1), grows=(1, 0), river=(0, 2), flows=(0, 1)):
        vectors = {"money": money, "bank": bank, "grows": grows, "river": river, "flows": flows}
        super().__init__(sentence=sentence, steps=steps, **vectors)
        self.set_trait("start", {word: getattr(self, word) for word in vectors})

    @traitlets.validate("steps")
    def _not_for_ever(self, proposal):
        if proposal.value > MOST:
            raise traitlets.TraitError(
                f"expected steps from 0 to {MOST}, got {proposal.value}: write steps=0 for the vectors as given"
            )
        return proposal.value
