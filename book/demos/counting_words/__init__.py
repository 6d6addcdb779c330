"""Type three sentences and see what counting keeps of them: one-hot vectors, bags of words, TF-IDF.

vocabulary = the different words in order of first appearance,   counts = how often each sentence says each word,
tf-idf = count / words in the sentence · ln(3 / sentences with the word)
"""

from ..shared.demo import define_demo
from ..shared.schema import computed, texts, whole

CountingWords = define_demo(
    __name__,
    "Counting words: three sentences that can be changed, dog bites man, man bites dog, and the dog bites the cat. "
    "Below them are the one-hot vectors of one sentence, the counts of all three, and their TF-IDF. The first "
    "two sentences have the same counts, although their words are in another order; the cosine of their rows is 1. "
    "Dog and bites are in all three sentences, so their TF-IDF is 0.",
    sentences=texts(
        "three strings of at most 120 letters, of which the first twelve words count",
        items={"type": "string", "maxLength": 120},
        minItems=3,
        maxItems=3,
        default=["dog bites man", "man bites dog", "the dog bites the cat"],
    ),
    chosen=whole("the sentence whose one-hot vectors are shown", maximum=2),
    start=computed('the sentences that it came with, which "Start again" puts back', lambda demo: demo.sentences),
)
