"""Every number of our small GPT: click it, and see the sum that made it, down to what training chose."""

from ..every_number import NUMBERS
from ..shared.demo import define_demo
from ..translator import MODEL

GptNumbers = define_demo(
    __name__,
    "Every number of a small GPT: the words that it would write next, and each number opens into the sum that made "
    "it, from a probability over logits, norms, heads, weights, rotated queries and keys down to the numbers that "
    "training chose. A word that is written is read with the others, and the next ones follow.",
    **MODEL,
    **NUMBERS,
)
