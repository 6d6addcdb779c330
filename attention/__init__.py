"""The mathematics of *Attention, Row by Row*: ``from attention import softmax``.

Each chapter is a module of ``attention.chapters``, whose docstring explains the letters. A module is loaded when one of
its functions is asked for.
"""

import importlib
from typing import Any

_FUNCTIONS = {  # module -> its functions, in reading order
    "before_attention": "conv1d receptive_field rnn gradient_through_time class_probabilities",
    "embeddings": "vocabulary token_ids one_hot bag_of_words tf_idf cosine_similarity average_meaning",
    "context": "mix softmax similarity_scores self_attention strongest_neighbour",
    "query_key_value": "soft_lookup booster project attention merged_projection luong_context query_between",
    "scaling": "dot_product_variance scaling_factor scaled_scores scaled_dot_product_attention "
    "softmax_jacobian entropy",
    "multi_head": "split_heads merge_heads multi_head_attention multi_head_parameters",
    "position": "positional_encoding add_position shift_matrix rotary",
    "layer_norm": "layer_norm add_and_norm feed_forward encoder_layer",
    "masking": "causal_mask padding_mask masked_softmax masked_attention sees_the_future cross_attention decoder_layer",
    "transformer": "transformer encode decode embed layer_parameters attention_maps initialise",
    "training": "shift_right log_softmax cross_entropy learning_rate",
    "gradients": "cross_entropy_gradient attention_gradient adam_step train_head",
    "inference": "greedy_decode beam_search sequence_log_probability length_normalised sample "
    "translation_step translate",
    "reading": "attention_share diagnose copying_head",
    "decoder_only": "decoder_only write_on",
    "gpt": "train_bpe encode_bpe gelu gpt_block step_with_cache nucleus perplexity",
}
_MODULE_OF = {name: module for module, names in _FUNCTIONS.items() for name in names.split()}
__all__ = list(_MODULE_OF)


def __getattr__(name: str) -> Any:
    """Return a function of a chapter. Errors: AttributeError if no chapter has it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"expected a function of the course, got {name!r}: dir(attention) lists them")
    return getattr(importlib.import_module(f"attention.chapters.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    """Return the names of the course's functions."""
    return __all__
