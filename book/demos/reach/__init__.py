"""See which outputs a word can reach, and in how many hops: through convolutions, recurrence or attention.

A hop is one product with weights. To reach word j from word i takes
cnn        max(1, |i - j|) layers, each with a kernel of 3
rnn        1 + j - i steps, and cannot be done where j < i
attention  1 layer
"""

from ..shared.demo import define_demo
from ..shared.schema import choice, whole, words

SENTENCE = ["The", "hungry", "lion", "attacked", "the", "slow", "zebra", "in", "the", "tall", "grass"]

Reach = define_demo(
    __name__,
    "Reach: a sentence of eleven words, and a network above it. Pick a word, and the lines show where it gets to. "
    "With convolutions three wide each layer carries it one word further to either side. A recurrent network "
    "carries it to all later words, one step after the other, and to no earlier one. With one layer of attention "
    "it reaches every word in a single hop.",
    words=words("the sentence", 3, 12, shape="n", default=SENTENCE),
    architecture=choice("the kind of network", "cnn", ["cnn", "rnn", "attention"]),
    depth=whole("the number of layers, or of words that a recurrent network has read", 3, minimum=1, upto="n"),
    token=whole("the word that is followed", 2, below="n"),
)
