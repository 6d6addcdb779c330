"""See words pull at each other: self-attention with no parameters, on three words in a plane."""

import traitlets

from .demo import Demo, bundle
from .traits import Choice, Index, Point


class Gravity(Demo):
    """Two sentences share one vector for "bank"; each gives it another new vector.

    scores = x xᵀ,   weights = softmax(scores) row by row,   new = weights x,   x the three vectors of the sentence

    sentence  "money" for money bank grows, "river" for river bank flows
    money, bank, grows, river, flows   a vector each: two numbers from -3 to 3, along "money" and along "water"
    chosen    whose pull is drawn, 0 to 2 in the sentence's order; as it comes 1, which is "bank" in both
    start     the vectors that it came with, which "Start again" puts back
    Errors: TraitError for any other value.
    """

    _esm = bundle("gravity.js")
    _css = bundle("gravity.css")
    _summary = (
        "Gravity: the words of money bank grows, or of river bank flows, as vectors in a plane. The dot product of two "
        "vectors is their score, softmax turns scores into weights, and each word moves to the mixture with these "
        "weights. As the demo comes, the same bank moves to [1.4223, .4223] between money and grows, and to "
        "[.4223, 1.4223] between river and flows."
    )

    sentence = Choice("money", options=("money", "river")).tag(sync=True)
    chosen = Index(1).tag(sync=True)
    money = Point((2, 0), farthest=3).tag(sync=True)
    bank = Point((1, 1), farthest=3).tag(sync=True)
    grows = Point((1, 0), farthest=3).tag(sync=True)
    river = Point((0, 2), farthest=3).tag(sync=True)
    flows = Point((0, 1), farthest=3).tag(sync=True)
    start = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(self, sentence="money", chosen=1, money=(2, 0), bank=(1, 1), grows=(1, 0), river=(0, 2), flows=(0, 1)):
        vectors = {"money": money, "bank": bank, "grows": grows, "river": river, "flows": flows}
        super().__init__(sentence=sentence, chosen=chosen, **vectors)
        self.set_trait("start", {word: getattr(self, word) for word in vectors})

    @traitlets.validate("chosen")
    def _one_of_three(self, proposal):
        if proposal.value > 2:
            raise traitlets.TraitError(
                f"expected chosen from 0 to 2, got {proposal.value}: a sentence has three words, counted from 0"
            )
        return proposal.value
