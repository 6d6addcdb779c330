"""Every number of a trained Transformer: click it, and see the sum that made it, down to what training chose."""

import traitlets

from ..shared.demo import bundle
from ..shared.traits import Index, Switch
from ..translator import Translator

STOPS = 12


class EveryNumber(Translator):
    """A trained Transformer that translates in the page, in which any number opens into the numbers it was made of.

    trained, examples, sentence, off   as in ``Translator``
    against a sentence that the numbers are compared with, or "" for none
    trail   names of nodes, from a word down to the number whose card is open; see
            ``attention.models.explain_translator``
    tour    the stop of the tour that is on show, from 1 to 12; 0 for none
    moments what training made of each number on the way, as ``attention.models.moments.moments`` returns it, or {}
    all     whether the small terms of a sum are shown one by one
    Errors: TraitError as in ``Translator``, and for a tour of more than 12 stops.
    """

    _esm = bundle("every_number.js")
    _css = bundle("every_number.css")
    _summary = (
        "Every number explained: the course's trained Transformer translates a sentence, and each number opens into "
        "the sum that made it, from the probability of a word over logits, norms, heads, weights, scores, queries "
        "and keys down to the numbers that training chose. A tour leads through the whole model in twelve stops."
    )

    against = traitlets.Unicode("").tag(sync=True)
    trail = traitlets.List(traitlets.Unicode()).tag(sync=True)
    tour = Index(0).tag(sync=True)
    moments = traitlets.Dict({}).tag(sync=True)
    all = Switch(False).tag(sync=True)

    @traitlets.validate("tour")
    def _has_stops(self, proposal):
        if proposal.value > STOPS:
            raise traitlets.TraitError(f"expected tour from 0 to {STOPS}, got {proposal.value}: write tour=1 to begin")
        return proposal.value
