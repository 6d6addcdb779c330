"""The reference: every function that the course teaches, one module a chapter, in reading order.

Legend (the same letters everywhere, in code, formulas and tests)

========  ==================================================  =========================
symbol    meaning                                             shape
========  ==================================================  =========================
n         number of tokens; rows are tokens
n_q, n_k  number of queries; number of keys and values
d_model   width of a token's vector
d_k, d_v  width of one query or key; width of one value
h         number of heads
S, T      number of source and of target tokens, in the decoder
x         the tokens of one sentence                          (..., n, d_model)
query     what each token looks for                           (..., n_q, d_k)
key       what each token offers to be found by               (..., n_k, d_k)
value     what each token hands over once it is found         (..., n_k, d_v)
scores    query · key, every query with every key             (..., n_q, n_k)
weights   softmax of the scores; each row sums to one         (..., n_q, n_k)
output    weights @ value                                     (..., n_q, d_v)
w_*       learned weights; x is multiplied from the right     (d_in, d_out)
mask      boolean, True = may attend                          (..., n_q, n_k)
memory    the encoder's output, which the decoder looks at    (..., S, d_model)
========  ==================================================  =========================

"..." stands for any leading axes (batch, heads); every function passes them through.
Everything is float64, and nothing changes its arguments but what says so in its name (`softmax_in_place`).
"""
