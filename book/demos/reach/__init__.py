"""See which outputs a word can reach, and in how many hops: through convolutions, recurrence or attention."""

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Choice, Index, Words

FEWEST, MOST = 3, 12  # words: enough to have a middle, few enough for a telephone
SENTENCE = ("The", "hungry", "lion", "attacked", "the", "slow", "zebra", "in", "the", "tall", "grass")


class Reach(Demo):
    """A sentence, one of its words, and the outputs that can know of it.

    A hop is one product with weights. To reach word j from word i takes
    cnn        max(1, |i - j|) layers, each with a kernel of 3
    rnn        1 + j - i steps, and cannot be done where j < i
    attention  1 layer

    words         3 to 12 words
    architecture  "cnn", "rnn" or "attention"
    depth         how many layers there are, or how many words a recurrent network has read: 1 to the number of words
    token         the word that is followed, counted from 0
    Errors: TraitError for another number of words, a depth or a token that the sentence does not have.
    """

    _esm = bundle("reach.js")
    _css = bundle("reach.css")
    _summary = (
        "Reach: a sentence of eleven words, and a network above it. Pick a word, and the lines show where it gets to. "
        "With convolutions three wide each layer carries it one word further to either side. A recurrent network "
        "carries it to all later words, one step after the other, and to no earlier one. With one layer of attention "
        "it reaches every word in a single hop."
    )

    words = Words(list(SENTENCE)).tag(sync=True)
    architecture = Choice("cnn", options=("cnn", "rnn", "attention")).tag(sync=True)
    depth = Index(3).tag(sync=True)
    token = Index(2).tag(sync=True)

    def __init__(self, words=SENTENCE, architecture="cnn", depth=3, token=2):
        super().__init__(words=words, architecture=architecture, depth=depth, token=token)

    @traitlets.validate("words")
    def _few(self, proposal):
        return _require_few(proposal.value)

    @traitlets.validate("depth", "token")
    def _exists(self, proposal):
        _require_few(self.words)  # first, since traits that were set at once are validated in any order
        name, value, n = proposal.trait.name, proposal.value, len(self.words)
        lowest, highest = (1, n) if name == "depth" else (0, n - 1)
        if not lowest <= value <= highest:
            raise traitlets.TraitError(
                f"expected {name} from {lowest} to {highest}, got {value}: the sentence has {n} words"
            )
        return value

    @traitlets.observe("words")
    def _stay_inside(self, change):
        with self.hold_sync():  # the page must not see fewer words with an old token
            self.depth = min(self.depth, len(self.words))
            self.token = min(self.token, len(self.words) - 1)


def _require_few(words):
    """Refuse a sentence that is too short to have a middle, or too long for a telephone."""
    if not FEWEST <= len(words) <= MOST:
        raise traitlets.TraitError(f"expected {FEWEST} to {MOST} words, got {len(words)}: leave some out, or add some")
    return words
