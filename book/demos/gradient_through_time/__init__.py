"""Stretch or shrink the step from state to state, and watch the gradient die or explode on its way back."""

import numpy as np
import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Index, Matrix, Number

LONGEST = 100


class GradientThroughTime(Demo):
    """How large ∂h_T/∂h_t is, for every t, in a recurrent network that reads ``inputs``.

    h_t = tanh(inputs_t + h_{t-1} w),   w = radius · rotation,   size = ‖∂h_T/∂h_t‖ / √d, the Frobenius norm

    The size is 1 at t = T. Where all states are 0 it is radius^(T - t), since an orthogonal matrix changes no length.
    rotation  (d, d), orthogonal: its spectral radius is 1, and that of w is ``radius``
    inputs    (n, d), n from 2 to 100: x_t w_hx + b_h of each word
    radius    from 0.5 to 1.5
    length    how many words are read, 1 to n: T
    Errors: TraitError for a matrix that is not orthogonal, inputs of another width, a length that does not exist.
    """

    _esm = bundle("gradient_through_time.js")
    _css = bundle("gradient_through_time.css")
    _summary = (
        "Gradient through time: how large the gradient of a recurrent network's last state is, seen from each earlier "
        "step, on a scale that counts in tens. With a spectral radius of 0.9 and no tanh, fifty steps leave 0.00515 of "
        "it; with 1.1 it is 117 times as large. The slopes of tanh, which are below 1, shrink it further."
    )

    rotation = Matrix().tag(sync=True)
    inputs = Matrix().tag(sync=True)
    radius = Number(0.9, lowest=0.5, highest=1.5).tag(sync=True)
    length = Index(50).tag(sync=True)

    def __init__(self, rotation, inputs, radius=0.9, length=50):
        super().__init__(rotation=rotation, inputs=inputs, radius=radius, length=length)

    @traitlets.validate("rotation")
    def _keeps_lengths(self, proposal):
        matrix = np.array(proposal.value)
        if matrix.shape[0] != matrix.shape[1] or not np.allclose(matrix @ matrix.T, np.eye(len(matrix)), atol=1e-6):
            raise traitlets.TraitError(
                f"expected rotation as an orthogonal matrix, got one of shape {matrix.shape} that is not: "
                "pass np.linalg.qr(drawn)[0]"
            )
        return proposal.value

    @traitlets.validate("inputs")
    def _fits(self, proposal):
        n, d = np.shape(proposal.value)
        if not 2 <= n <= LONGEST or d != len(self.rotation):
            raise traitlets.TraitError(
                f"expected inputs of 2 to {LONGEST} rows and {len(self.rotation)} columns, as wide as rotation, "
                f"got {n} rows and {d} columns: draw others"
            )
        return proposal.value

    @traitlets.validate("length")
    def _exists(self, proposal):
        if not 1 <= proposal.value <= len(self.inputs):
            raise traitlets.TraitError(
                f"expected length from 1 to {len(self.inputs)}, got {proposal.value}: "
                f"there are {len(self.inputs)} inputs"
            )
        return proposal.value
