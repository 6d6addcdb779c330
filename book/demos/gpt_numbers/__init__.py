"""Every number of our small GPT: click it, and see the sum that made it, down to what training chose."""

import traitlets

from ..shared.demo import bundle
from ..shared.traits import Switch
from ..translator import ModelDemo


class GptNumbers(ModelDemo):
    """A small GPT that writes in the page, in which any number opens into the numbers it was made of.

    trained, examples, sentence   as in ``ModelDemo``; the sentence is the text so far
    against a text that the numbers are compared with, or "" for none
    trail   names of nodes, from a next word down to the number whose card is open; see
            ``attention.models.explain_writer``
    all     whether the small terms of a sum are shown one by one
    Errors: TraitError as in ``ModelDemo``.
    """

    _esm = bundle("gpt_numbers.js")
    _css = bundle("gpt_numbers.css")
    _summary = (
        "Every number of a small GPT: the words that it would write next, and each number opens into the sum that made "
        "it, from a probability over logits, norms, heads, weights, rotated queries and keys down to the numbers that "
        "training chose. A word that is written is read with the others, and the next ones follow."
    )

    against = traitlets.Unicode("").tag(sync=True)
    trail = traitlets.List(traitlets.Unicode()).tag(sync=True)
    all = Switch(False).tag(sync=True)
