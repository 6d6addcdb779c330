"""Attend with several heads side by side: what each one is given of every word, sees, and adds to the output.

query = x w_q, key = x w_k, value = x w_v, each cut into h slices; softmax(query keyᵀ / √d_k) value in each head;
output = the heads' results side by side, times w_o, which is a sum with a term for each head
"""

from ..shared.demo import define_demo
from ..shared.schema import matrix, switch, whole, words


def silent_fault(heads):
    """Return what is not in ascending order, or None."""
    return None if heads == sorted(set(heads)) else f"{heads}"


Heads = define_demo(
    __name__,
    "Heads: the hungry lion's sentence, attended to by three small heads side by side. The queries, keys and "
    "values of every word are cut into three slices, and each head has one slice of each word. For attacked, the "
    "first head looks at lion, the second at attacked itself, the third at attacked and zebra alike, and the "
    "output is the sum of what they add. Cut by a reshape alone, a head has some words whole and nothing of others.",
    words=words("the words of the sentence", 2, 12, shape="n"),
    x=matrix("a row of numbers for each word", "n d_model"),
    w_q=matrix("what makes the queries, at most 6 columns", "d_model h·d_k", items={"maxItems": 6}),
    w_k=matrix("what makes the keys, as wide as w_q", "d_model h·d_k"),
    w_v=matrix("what makes the values, at most 8 columns", "d_model h·d_v", items={"maxItems": 8}),
    w_o=matrix("what mixes the heads' results, at most 4 columns", "h·d_v d_out", items={"maxItems": 4}),
    names=words("the names of the heads", 2, 4, shape="h"),
    head=whole("the head that is shown", below="h"),
    row=whole("the word that asks", below="n"),
    reshaped=switch("whether a reshape alone cuts, without exchanging the axes, so that whole words go to the heads"),
    silent={
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
        "fault": silent_fault,
        "below": "h",
        "description": "the heads that are switched off, different whole numbers from 0 in ascending order",
        "default": [],
    },
)
