"""Chapter 5, scaling: one module an exercise, in the notebook's order."""

from . import (
    dot_product_variance,
    entropy,
    scaled_dot_product_attention,
    scaled_scores,
    scaling_factor,
    softmax_jacobian,
)

EXERCISES = tuple(
    module.EXERCISE
    for module in (
        dot_product_variance,
        scaling_factor,
        scaled_scores,
        scaled_dot_product_attention,
        softmax_jacobian,
        entropy,
    )
)
