"""The translator with one thing changed: what is changed in each, and why anyone would look."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import autograd.numpy as np

from autograder.reference.layer_norm import encoder_layer
from autograder.reference.multi_head import multi_head_attention
from autograder.reference.scaling import scaled_scores, scaling_factor
from autograder.reference.training import adam_step, cross_entropy, shift_right
from autograder.reference.translator import SETTINGS, Settings
from autograder.sources import code_of

from .replaced import replaced


class Ablation(NamedTuple):
    """What is changed in the translator, in words, in its settings, and in its functions while it learns and runs.

    ``instead`` says which function stands in the place of which of the reference's, everywhere.
    """

    words: str
    settings: Mapping[str, int | float] = {}
    instead: Mapping[Callable, Callable] = {}

    def put_in(self):
        """Change the functions of the reference, as long as the context lasts."""
        return replaced(self.instead)

    def sizes(self) -> Settings:
        """Return the settings, changed."""
        return SETTINGS._replace(**self.settings)

    def source(self) -> str:
        """Return all that is changed, as text, for the hash of what made a model."""
        functions = [(old.__name__, code_of(new)) for old, new in self.instead.items()]
        return repr((dict(self.settings), functions))


def encoder_layer_alone(x, parameters, h, mask=None):
    """Let every source token look at itself only."""
    return encoder_layer(x, parameters, h, np.eye(x.shape[-2], dtype=bool))


def queries_from_keys(query, key, value, w_q, w_k, w_v, w_o, h, mask=None):
    """Make the queries with the keys' matrix."""
    return multi_head_attention(query, key, value, w_k, w_k, w_v, w_o, h, mask)


def values_from_keys(query, key, value, w_q, w_k, w_v, w_o, h, mask=None):
    """Make the values with the keys' matrix."""
    return multi_head_attention(query, key, value, w_q, w_k, w_k, w_o, h, mask)


def unscaled_scores(query, key):
    """Compare every query with every key, and divide by nothing."""
    return query @ np.swapaxes(key, -1, -2)


def scores_over_width(query, key):
    """Compare every query with every key, and divide by d_k instead of its root."""
    return scaled_scores(query, key) * scaling_factor(query.shape[-1])


def even_scores(query, key):
    """Give every key the same score."""
    return 0 * scaled_scores(query, key)


def not_shifted(targets, sos):
    """Show the decoder the very words that it is to write."""
    return targets


def padding_counted(logits, targets, pad):
    """Ask for PAD behind a sentence as for any word; no token has the number -1."""
    return cross_entropy(logits, targets, -1)


def uncorrected_adam_step(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """Use the averages as they are, although they began as zeros."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * m / (np.sqrt(v) + eps), m, v


BRIEF = {"steps": 179, "checkpoints": 2}  # one of the moments at which the translator was examined as well

ABLATIONS = {
    "translator": Ablation("nothing is changed"),
    "static_encoder": Ablation(
        "the encoder's words do not look at one another", instead={encoder_layer: encoder_layer_alone}
    ),
    "even_weights": Ablation("every word takes the plain average of all", instead={scaled_scores: even_scores}),
    "one_projection": Ablation(
        "queries are made with the keys' matrix", instead={multi_head_attention: queries_from_keys}
    ),
    "keys_as_values": Ablation("keys are handed over as values", instead={multi_head_attention: values_from_keys}),
    "one_head": Ablation("one head of 64 numbers", {"h": 1}),
    "one_head_unscaled": Ablation("one head of 64 numbers, not scaled", {"h": 1}, {scaled_scores: unscaled_scores}),
    "one_head_over_width": Ablation(
        "one head of 64 numbers, scores divided by 64", {"h": 1}, {scaled_scores: scores_over_width}
    ),
    "four_heads_unscaled": Ablation("four heads of 16 numbers, not scaled", {}, {scaled_scores: unscaled_scores}),
    "not_shifted": Ablation("the decoder is shown the word that it is to write", BRIEF, {shift_right: not_shifted}),
    "padding_counted": Ablation("padding is counted in the loss", BRIEF, {cross_entropy: padding_counted}),
    "uncorrected": Ablation("Adam's averages are not corrected", BRIEF, {adam_step: uncorrected_adam_step}),
}
