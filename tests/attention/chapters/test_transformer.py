"""The whole transformer: its shapes, what it may not see, its gradient by autograd, and how it is stored."""

import autograd
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention.chapters.masking import padding_mask
from attention.chapters.training import cross_entropy, shift_right
from attention.chapters.transformer import attention_maps, decode, encode, initialise, transformer

V_S, V_T, D_MODEL, D_FF, H, LAYERS = 7, 5, 6, 11, 3, 2
PAD, SOS = 0, 1
seeds = st.integers(0, 2**32 - 1)


def drawn(rng, batch=2, n_s=5, n_t=3):
    """Draw parameters, a batch of source sentences, and one of targets."""
    parameters = initialise(rng, V_S, V_T, D_MODEL, D_FF, LAYERS)
    return parameters, rng.integers(0, V_S, (batch, n_s)), rng.integers(1, V_T, (batch, n_t))


def test_logits_for_every_target_token(rng):
    """Unequal sentence lengths and vocabularies come out where they belong; a batch is its sentences one by one."""
    parameters, source, target = drawn(rng)
    logits = transformer(source, target, parameters, H, LAYERS)
    assert logits.shape == (2, 3, V_T)
    np.testing.assert_allclose(transformer(source[1], target[1], parameters, H, LAYERS), logits[1], atol=1e-12)


@given(seed=seeds, t=st.integers(0, 2))
def test_a_future_word_never_moves_the_past(seed, t):
    """Changing target words from t on leaves all logits before t as they were, bit for bit."""
    rng = np.random.default_rng(seed)
    parameters, source, target = drawn(rng)
    changed = target.copy()
    changed[:, t:] = (target[:, t:] + 1) % V_T
    before, after = (transformer(source, words, parameters, H, LAYERS) for words in (target, changed))
    np.testing.assert_array_equal(after[:, :t], before[:, :t])
    assert np.abs(after[:, t] - before[:, t]).max() > 1e-9


@given(seeds)
def test_padding_never_moves_a_translation(seed):
    """What follows a source sentence's end changes nothing, and neither does making the batch longer."""
    rng = np.random.default_rng(seed)
    parameters, source, target = drawn(rng)
    mask = padding_mask(np.array([3, 5]), 5)
    logits = transformer(source, target, parameters, H, LAYERS, mask)
    padded = source.copy()
    padded[0, 3:] = PAD
    np.testing.assert_array_equal(transformer(padded, target, parameters, H, LAYERS, mask), logits)
    np.testing.assert_allclose(transformer(source[0, :3], target[0], parameters, H, LAYERS), logits[0], atol=1e-10)


def test_the_order_of_source_words_matters(rng):
    """With positions, dog bites man is not man bites dog."""
    parameters, _, _ = drawn(rng)
    one, other = (encode(np.array(words), parameters, H, LAYERS) for words in ([1, 2, 3], [3, 2, 1]))
    assert np.abs(one - other[::-1]).max() > 0.01


def test_autograd_differentiates_the_loss_of_the_whole_transformer(rng):
    """Of every parameter, the number with the steepest slope agrees with moving it by 1e-5."""
    parameters, source, targets = drawn(rng)
    targets[0, 2] = PAD
    mask = padding_mask(np.array([4, 5]), 5)

    def loss(p):
        return cross_entropy(transformer(source, shift_right(targets, SOS), p, H, LAYERS, mask), targets, PAD)

    gradient = autograd.grad(loss)(parameters)
    assert gradient.keys() == parameters.keys()
    for name, slope in gradient.items():
        steepest = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        move = np.zeros_like(slope)
        move[steepest] = 1e-5
        there, back = (loss({**parameters, name: parameters[name] + sign * move}) for sign in (1, -1))
        assert slope[steepest] == pytest.approx((there - back) / 2e-5, rel=1e-4, abs=1e-8), name


def test_initialise_repeats_itself_and_starts_even():
    """The same seed gives the same parameters; γ is 1, β is 0, and an untrained loss is near ln |V|."""
    one, other = (initialise(np.random.default_rng(7), 11, 13, 6, 5, 2) for _ in range(2))
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name])
    assert (one["encoder.1.gamma2"] == 1).all()
    assert not one["decoder.0.beta3"].any()
    assert one["decoder.1.cross_w_q"].shape == (6, 6)
    assert one["w_out"].shape == (6, 13)


def test_attention_maps_show_each_layer_and_head(rng):
    """Layers first, then the batch, heads, target words and source words; rows sum to one and skip padding."""
    parameters, source, target = drawn(rng)
    maps = attention_maps(source, target, parameters, H, LAYERS, padding_mask(np.array([4, 5]), 5))
    assert maps.shape == (LAYERS, 2, H, 3, 5)
    np.testing.assert_allclose(maps.sum(axis=-1), 1, atol=1e-12)
    assert not maps[:, 0, :, :, 4].any()


def test_missing_parameters_are_named(rng):
    """A layer too many, or no parameters at all, is a KeyError that says what is not there."""
    parameters, source, target = drawn(rng)
    with pytest.raises(KeyError, match=r"parameters of an encoder layer, .* got none named w_q, w_k"):
        transformer(source, target, parameters, H, LAYERS + 1)
    with pytest.raises(KeyError, match=r"parameters of a transformer, .* got none named source_embedding"):
        encode(source, {}, H, LAYERS)


@pytest.mark.parametrize(
    ("source", "h", "message"),
    [
        (np.array([[0, V_S]]), H, r"token numbers from 0 to 6, at least one, got \[\[0 7\]\]: look words up"),
        (np.array([[-1, 0]]), H, r"token numbers from 0 to 6"),
        (np.zeros((1, 0), int), H, r"at least one, got \[\]"),
        (np.array([[0, 1]]), 4, r"h to divide the width of a token, got h = 4 and width 6"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(unchecked, rng, source, h, message):
    """A number that is no word, an empty sentence, or heads that do not divide a token are ValueErrors."""
    with pytest.raises(ValueError, match=message):
        encode(source, initialise(rng, V_S, V_T, D_MODEL, D_FF, LAYERS), h, LAYERS)


def test_a_target_outside_of_the_vocabulary_is_an_error(unchecked, rng):
    """The decoder checks its words as the encoder does."""
    with pytest.raises(ValueError, match=r"token numbers from 0 to 4"):
        decode(np.array([V_T]), np.zeros((3, D_MODEL)), drawn(rng)[0], H, LAYERS)


@pytest.mark.parametrize(
    ("sizes", "message"), [((7, 5, 6, 11, 0), r"expected layers"), ((7, 5, 5, 11, 1), r"even d_model")]
)
def test_initialise_refuses_sizes_that_cannot_be(unchecked, rng, sizes, message):
    """No layers, or a width that positions cannot pair up, is a ValueError."""
    with pytest.raises(ValueError, match=message):
        initialise(rng, *sizes)
