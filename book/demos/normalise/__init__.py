"""Normalise a token step by step, over its own numbers or over those of its column.

out = γ (x - μ) / √(σ² + 1e-5) + β, with μ and σ of the token's own numbers or, for comparison, of each column
"""

from ..shared.demo import define_demo
from ..shared.schema import choice, matrix, switch, whole, words

FEW = {"minItems": 2, "maxItems": 8}  # so many bars fit on a telephone

Normalise = define_demo(
    __name__,
    "Normalise: bars show the numbers of one token of a sentence. Step by step their mean is subtracted, they are "
    "divided by their spread, multiplied by γ and moved by β. Over the token's own numbers the result has mean 0 "
    "and spread 1 and does not notice when its neighbour becomes ten times as large; over a column it does.",
    words=words("the words of the sentence", 2, 8, shape="n"),
    x=matrix("a token in each of 2 to 8 rows, 2 to 8 columns", "n d", **FEW, items=FEW),
    affine=matrix("γ above β, [gamma, beta]", "two d", minItems=2, maxItems=2),
    token=whole("the row whose numbers are drawn", below="n"),
    stage=choice("how far it is normalised", "given", ["given", "centred", "divided", "stretched"]),
    over=choice("what mean and spread are taken over", "token", ["token", "column"]),
    loud=switch("whether the next token is ten times as large"),
)
