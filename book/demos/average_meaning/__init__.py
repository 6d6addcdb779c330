"""See where the one vector of a word with two senses ends up, as its sentences use one sense or the other."""

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Index

SENTENCES = 10_000


class AverageMeaning(Demo):
    """The vector of "apple" in a plane of taste and technology, for ten thousand sentences.

    apple = (fruit · [1, 0] + (10,000 − fruit) · [0, 1]) / 10,000

    fruit  how many of the 10,000 sentences speak of the fruit; the others speak of the company
    Errors: TraitError for any other value.
    """

    _esm = bundle("average_meaning.js")
    _css = bundle("average_meaning.css")
    _summary = (
        "Average meaning: a plane with taste to the right and technology upwards. The fruit is at [1, 0], the "
        "company at [0, 1], and the one vector of apple between them, nearer to the sense that more sentences speak "
        "of. With 9,000 sentences on the fruit and 1,000 on the company it is [0.9, 0.1]: 0.14 from the fruit, and "
        "1.27 from the company."
    )

    fruit = Index(9000).tag(sync=True)

    def __init__(self, fruit=9000):
        super().__init__(fruit=fruit)

    @traitlets.validate("fruit")
    def _no_more_than_all(self, proposal):
        if proposal.value > SENTENCES:
            raise traitlets.TraitError(
                f"expected fruit from 0 to {SENTENCES}, got {proposal.value}: it counts sentences out of {SENTENCES}"
            )
        return proposal.value
