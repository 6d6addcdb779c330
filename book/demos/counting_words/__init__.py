"""Type three sentences and see what counting keeps of them: one-hot vectors, bags of words, TF-IDF."""

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Index, Lines

SENTENCES = ("dog bites man", "man bites dog", "the dog bites the cat")
LONGEST = 120  # letters of a sentence, as in the page's own fields


class CountingWords(Demo):
    """Three sentences, which the reader can change, and the tables that are counted from them.

    vocabulary = the different words in order of first appearance,   counts = how often each sentence says each word,
    tf-idf = count / words in the sentence · ln(3 / sentences with the word)

    sentences  three strings of at most 120 letters; one may be empty. Of each, the first twelve words count.
    chosen     the sentence whose one-hot vectors are shown, counted from 0
    start      the sentences that it came with, which "Start again" puts back
    Errors: TraitError for any other value.
    """

    _esm = bundle("counting_words.js")
    _css = bundle("counting_words.css")
    _summary = (
        "Counting words: three sentences that can be changed, dog bites man, man bites dog, and the dog bites the cat. "
        "Below them are the one-hot vectors of one sentence, the counts of all three, and their TF-IDF. The first "
        "two sentences have the same counts, although their words are in another order; the cosine of their rows is 1. "
        "Dog and bites are in all three sentences, so their TF-IDF is 0."
    )

    sentences = Lines(SENTENCES, count=3, longest=LONGEST).tag(sync=True)
    chosen = Index(0).tag(sync=True)
    start = traitlets.List(read_only=True).tag(sync=True)

    def __init__(self, sentences=SENTENCES, chosen=0):
        super().__init__(sentences=sentences, chosen=chosen)
        self.set_trait("start", self.sentences)

    @traitlets.validate("chosen")
    def _is_one_of_three(self, proposal):
        if proposal.value > 2:
            raise traitlets.TraitError(
                f"expected chosen from 0 to 2, got {proposal.value}: there are three sentences, counted from 0"
            )
        return proposal.value
