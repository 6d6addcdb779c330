"""See where the one vector of a word with two senses ends up, as its sentences use one sense or the other.

apple = (fruit · [1, 0] + (10,000 − fruit) · [0, 1]) / 10,000
"""

from ..shared.demo import define_demo
from ..shared.schema import whole

AverageMeaning = define_demo(
    __name__,
    "Average meaning: a plane with taste to the right and technology upwards. The fruit is at [1, 0], the "
    "company at [0, 1], and the one vector of apple between them, nearer to the sense that more sentences speak "
    "of. With 9,000 sentences on the fruit and 1,000 on the company it is [0.9, 0.1]: 0.14 from the fruit, and "
    "1.27 from the company.",
    fruit=whole("the number of sentences, out of 10,000, that speak of the fruit", 9000, maximum=10_000),
)
