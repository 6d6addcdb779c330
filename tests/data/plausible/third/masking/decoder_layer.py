"""Plausible wrong answers to decoder_layer."""

import numpy as np

from attention.chapters.masking import causal_mask
from attention.exercises.given_functions import add_and_norm, feed_forward, multi_head_attention


def _cross_attention(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h, memory_mask)


def _own(p):
    return p["w_q"], p["w_k"], p["w_v"], p["w_o"]


def _across(p):
    return p["cross_w_q"], p["cross_w_k"], p["cross_w_v"], p["cross_w_o"]


def _network(p):
    return p["w1"], p["b1"], p["w2"], p["b2"]


def cross_attention_asks_with_the_first_x(x, memory, parameters, h, mask, memory_mask=None):
    """Cross-attention is given x as it came in, and not what the first sublayer left."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x1 = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    x2 = add_and_norm(x1, found, p["gamma2"], p["beta2"])
    return add_and_norm(x2, feed_forward(x2, *_network(p)), p["gamma3"], p["beta3"])


def every_sublayer_added_to_the_first_x(x, memory, parameters, h, mask, memory_mask=None):
    """Each sublayer's output is added to x as it came in, and not to what the sublayer was given."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x1 = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x1, memory, *_across(p), h, memory_mask)
    x2 = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x2, *_network(p)), p["gamma3"], p["beta3"])


def causal_mask_not_passed_on(x, memory, parameters, h, mask, memory_mask=None):
    """mask is not given to self-attention, so every token sees the future."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def memory_mask_not_passed_on(x, memory, parameters, h, mask, memory_mask=None):
    """memory_mask is not given to cross-attention, so padding of the source is read."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def causal_mask_made_here(x, memory, parameters, h, mask, memory_mask=None):
    """A causal mask is made in the layer and the one that is given is not used, so None hides the future, too."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, causal_mask(x.shape[-2]))
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def tables_of_self_attention_twice(x, memory, parameters, h, mask, memory_mask=None):
    """Cross-attention is given w_q, w_k, w_v, w_o in place of its own cross_ tables."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_own(p), h, memory_mask)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def no_norm_after_the_network(x, memory, parameters, h, mask, memory_mask=None):
    """After the feed-forward network x is added, but there is no norm."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return x + feed_forward(x, *_network(p))


def network_returned_alone(x, memory, parameters, h, mask, memory_mask=None):
    """The output of the feed-forward network is returned, without the third add & norm."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return feed_forward(x, *_network(p))


def residuals_forgotten(x, memory, parameters, h, mask, memory_mask=None):
    """Each sublayer's output is normalised alone: what went in is not added."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(0, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    x = add_and_norm(0, found, p["gamma2"], p["beta2"])
    return add_and_norm(0, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def first_gamma_and_beta_everywhere(x, memory, parameters, h, mask, memory_mask=None):
    """gamma1 and beta1 are used in all three norms."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    x = add_and_norm(x, found, p["gamma1"], p["beta1"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma1"], p["beta1"])


def source_before_translation(x, memory, parameters, h, mask, memory_mask=None):
    """Cross-attention comes first and masked self-attention second."""
    p = parameters
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    x = add_and_norm(x, found, p["gamma1"], p["beta1"])
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def cross_attention_left_out(x, memory, parameters, h, mask, memory_mask=None):
    """There is no cross-attention, as in an encoder layer, so the source is never read."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def network_left_out(x, memory, parameters, h, mask, memory_mask=None):
    """The feed-forward network and its add & norm are missing."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    return add_and_norm(x, found, p["gamma2"], p["beta2"])


def norm_in_front_of_each_sublayer(x, memory, parameters, h, mask, memory_mask=None):
    """The norm stands before each sublayer and not after it (pre-norm)."""
    p = parameters
    y = add_and_norm(x, 0, p["gamma1"], p["beta1"])
    x = x + multi_head_attention(y, y, y, *_own(p), h, mask)[0]
    y = add_and_norm(x, 0, p["gamma2"], p["beta2"])
    x = x + _cross_attention(y, memory, *_across(p), h, memory_mask)[0]
    y = add_and_norm(x, 0, p["gamma3"], p["beta3"])
    return x + feed_forward(y, *_network(p))


def one_norm_at_the_end(x, memory, parameters, h, mask, memory_mask=None):
    """The three outputs are added without a norm between them, and only the last sum is normalised."""
    p = parameters
    x = x + multi_head_attention(x, x, x, *_own(p), h, mask)[0]
    x = x + _cross_attention(x, memory, *_across(p), h, memory_mask)[0]
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def causal_mask_on_the_source(x, memory, parameters, h, mask, memory_mask=None):
    """mask is passed to cross-attention as well, where T by T does not fit T by S."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, mask)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def weights_not_taken_apart(x, memory, parameters, h, mask, memory_mask=None):
    """Both attentions return two things, and the pair is passed to add & norm."""
    p = parameters
    x = add_and_norm(x, multi_head_attention(x, x, x, *_own(p), h, mask), p["gamma1"], p["beta1"])
    x = add_and_norm(x, _cross_attention(x, memory, *_across(p), h, memory_mask), p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def memory_replaces_the_translation(x, memory, parameters, h, mask, memory_mask=None):
    """In cross-attention the memory asks and the translation answers."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = multi_head_attention(memory, x, x, *_across(p), h)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def gamma_and_beta_exchanged(x, memory, parameters, h, mask, memory_mask=None):
    """In each norm beta stands where gamma belongs, and gamma where beta belongs."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["beta1"], p["gamma1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    x = add_and_norm(x, found, p["beta2"], p["gamma2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["beta3"], p["gamma3"])


def network_without_its_bend(x, memory, parameters, h, mask, memory_mask=None):
    """The feed-forward network is written out and what is negative is not dropped."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, memory_mask)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    thought = (x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]
    return add_and_norm(x, thought, p["gamma3"], p["beta3"])


def masks_exchanged_where_both_fit(x, memory, parameters, h, mask, memory_mask=None):
    """The masks of the two attentions are exchanged."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, memory_mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), h, mask)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def one_head_only(x, memory, parameters, h, mask, memory_mask=None):
    """h is not passed on: both attentions run with one head."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), 1, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x, memory, *_across(p), 1, memory_mask)
    x = add_and_norm(x, found, p["gamma2"], p["beta2"])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])


def network_added_to_what_attention_left(x, memory, parameters, h, mask, memory_mask=None):
    """The third add & norm adds to what self-attention left, one sublayer too early."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x1 = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x1, memory, *_across(p), h, memory_mask)
    x2 = add_and_norm(x1, found, p["gamma2"], p["beta2"])
    return add_and_norm(x1, feed_forward(x2, *_network(p)), p["gamma3"], p["beta3"])


def network_given_what_attention_left(x, memory, parameters, h, mask, memory_mask=None):
    """The network reads what self-attention left, and cross-attention is skipped in its input."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x1 = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    found, _ = _cross_attention(x1, memory, *_across(p), h, memory_mask)
    x2 = add_and_norm(x1, found, p["gamma2"], p["beta2"])
    return add_and_norm(x2, feed_forward(x1, *_network(p)), p["gamma3"], p["beta3"])


def second_norm_left_out(x, memory, parameters, h, mask, memory_mask=None):
    """The add & norm after cross-attention is only an addition."""
    p = parameters
    attended, _ = multi_head_attention(x, x, x, *_own(p), h, mask)
    x = add_and_norm(x, attended, p["gamma1"], p["beta1"])
    x = x + np.asarray(_cross_attention(x, memory, *_across(p), h, memory_mask)[0])
    return add_and_norm(x, feed_forward(x, *_network(p)), p["gamma3"], p["beta3"])
