"""Stretch or shrink the step from state to state, and watch the gradient die or explode on its way back.

How large ∂h_T/∂h_t is, for every t, in a recurrent network that reads ``inputs``, x_t w_hx + b_h of each word:
h_t = tanh(inputs_t + h_{t-1} w),   w = radius · rotation,   size = ‖∂h_T/∂h_t‖ / √d, the Frobenius norm
The size is 1 at t = T. Where all states are 0 it is radius^(T - t), since an orthogonal matrix changes no length.
"""

import numpy as np

from ..shared.demo import define_demo
from ..shared.schema import matrix, number, whole


def rotation_fault(rows):
    """Return the shape of a matrix that is not orthogonal, or None."""
    rotation = np.array(rows)  # (d, d)
    n, d = rotation.shape
    if n != d or not np.allclose(rotation @ rotation.T, np.eye(d), atol=1e-6):
        return f"one of shape ({n}, {d}) that is not"


GradientThroughTime = define_demo(
    __name__,
    "Gradient through time: how large the gradient of a recurrent network's last state is, seen from each earlier "
    "step, on a scale that counts in tens. With a spectral radius of 0.9 and no tanh, fifty steps leave 0.00515 of "
    "it; with 1.1 it is 117 times as large. The slopes of tanh, which are below 1, shrink it further.",
    rotation=matrix("an orthogonal matrix", "d d", fault=rotation_fault, remedy="pass np.linalg.qr(drawn)[0]"),
    inputs=matrix("2 to 100 inputs, as wide as rotation", "n d", minItems=2, maxItems=100),
    radius=number("the spectral radius of w", 0.9, 0.5, 1.5),
    length=whole("the number T of words that are read", 50, minimum=1, upto="n"),
)
