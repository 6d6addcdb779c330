"""What is changed in each model, seen from outside; and that a replaced function comes back."""

import contextlib

import autograd.numpy
import numpy as np
import pytest

from attention.chapters import context, layer_norm, masking, multi_head, training, transformer
from attention.chapters.context import mix
from attention.chapters.gradients import adam_step
from attention.chapters.masking import causal_mask
from attention.chapters.training import cross_entropy, learning_rate, log_softmax, shift_right
from attention.chapters.transformer import embed, encode, initialise, layer_parameters
from attention.models.ablations import ABLATIONS, not_shifted, padding_counted, uncorrected_adam_step
from attention.models.replaced import replaced, without_slopes

SIZES = {"h": 3, "layers": 2}
IN_TRAINING_ALONE = {shift_right, cross_entropy, learning_rate, adam_step}  # a model that runs uses none of them


@pytest.fixture
def parameters(rng):
    """An untrained transformer of width 12 for seven words on either side."""
    return initialise(rng, 7, 7, 12, 10, layers=2)


def logits(parameters, source=(1, 2, 3, 4, 5), target=(1, 2, 3), **sizes):
    """Run a transformer on one sentence."""
    return transformer.transformer(np.array(source), np.array(target), parameters, **{**SIZES, **sizes})


def times(parameters, ending, factor):
    """Return parameters of which all whose names end so are multiplied."""
    return {name: array * (factor if name.endswith(ending) else 1) for name, array in parameters.items()}


def test_the_translator_is_the_reference():
    """Its row changes no setting and no function."""
    assert ABLATIONS["translator"].settings == ABLATIONS["translator"].instead == {}
    assert [name for name, row in ABLATIONS.items() if "one_head" in name and row.sizes().h != 1] == []


def test_a_function_is_replaced_everywhere_and_comes_back():
    """Chapters 3, 5, 6 and 9 each hold mix under that name; it is back in all of them, whatever happened meanwhile."""

    def other(weights, x):
        return mix(weights, x)

    holders = (context, multi_head, masking)
    with contextlib.suppress(ZeroDivisionError), replaced({mix: other}):
        assert all(module.mix is other for module in holders)
        raise ZeroDivisionError
    assert all(module.mix is mix for module in holders)


def test_numpy_stands_in_for_autograd_and_goes():
    """Without slopes the reference computes the same, with NumPy itself; autograd comes back, whatever happens."""
    scores = np.array([[1.0, 2, 5], [0, 0, 3]])
    usual = log_softmax(scores)
    with contextlib.suppress(ZeroDivisionError), without_slopes():
        assert training.np is np
        np.testing.assert_array_equal(log_softmax(scores), usual)
        raise ZeroDivisionError
    assert training.np is autograd.numpy


def test_what_stands_nowhere_is_an_error():
    """A function that the reference does not hold is refused before anything is changed."""
    with pytest.raises(ValueError, match=r"expected a function that a module of attention\.chapters imports"):
        replaced({mix: abs, len: abs}).__enter__()
    assert context.mix is mix


@pytest.mark.parametrize("name", ABLATIONS)
def test_every_row_can_run_and_leaves_no_trace(parameters, name):
    """The model gives finite logits of the usual shape with its functions in, and the usual logits afterwards."""
    before = logits(parameters)
    with ABLATIONS[name].put_in():
        inside = logits(parameters)
    assert inside.shape == (3, 7)
    assert np.isfinite(inside).all()
    np.testing.assert_array_equal(logits(parameters), before)
    runs_as_usual = set(ABLATIONS[name].instead) <= IN_TRAINING_ALONE
    assert runs_as_usual == np.allclose(inside, before)


def test_a_static_encoder_lets_no_word_change_another(parameters):
    """Another word in the middle changes its own row of the memory only, padded or not."""
    there, here = np.array([1, 2, 3, 4]), np.array([1, 2, 5, 4])
    mask = np.array([True, True, True, False])
    with ABLATIONS["static_encoder"].put_in():
        for seen in (None, mask[None]):
            moved = encode(there, parameters, **SIZES, source_mask=seen) != encode(here, parameters, **SIZES)
            assert [bool(row.any()) for row in moved] == [False, False, True, False]
    assert (encode(there, parameters, **SIZES) != encode(here, parameters, **SIZES)).any(axis=-1).all()


def test_even_weights_ask_nothing(parameters):
    """Queries and keys may be anything; who may look shares alike."""
    with ABLATIONS["even_weights"].put_in():
        changed = times(times(parameters, "w_q", 3), "w_k", -2)
        np.testing.assert_allclose(logits(changed), logits(parameters), atol=1e-12)
        maps = transformer.attention_maps(np.array([1, 2, 3, 4]), np.array([1, 2]), parameters, **SIZES)
    np.testing.assert_allclose(maps, 1 / 4)


def test_one_matrix_does_the_work_of_two(parameters):
    """The matrix that is not used may be anything; and the model is the usual one with the keys' matrix twice."""
    as_keys = parameters | {key: parameters[key.replace("w_q", "w_k")] for key in parameters if key.endswith("w_q")}
    with ABLATIONS["one_projection"].put_in():
        inside = logits(parameters)
        np.testing.assert_array_equal(logits(times(parameters, "w_q", 7)), inside)
    np.testing.assert_allclose(logits(as_keys), inside, atol=1e-12)


@pytest.mark.parametrize("h", [1, 3])
def test_without_a_scale_queries_are_as_if_multiplied(parameters, h):
    """Leaving the division by √d_k out is the same as making every query √d_k times as long."""
    with ABLATIONS["one_head_unscaled"].put_in():
        inside = logits(parameters, h=h)
    np.testing.assert_allclose(logits(times(parameters, "w_q", np.sqrt(12 / h)), h=h), inside, atol=1e-12)


def test_without_a_norm_its_parameters_play_no_part_and_numbers_add_up(parameters):
    """γ and β may be anything; without a residual a sublayer that finds nothing leaves β alone of its tokens."""
    with ABLATIONS["no_norm"].put_in():
        inside = logits(parameters)
        for ending in ("gamma1", "gamma2", "gamma3", "beta1"):
            np.testing.assert_array_equal(logits(times(parameters, ending, 7)), inside)
    silent = times(times(parameters, "w_o", 0), "w2", 0)
    with ABLATIONS["no_residual"].put_in():
        np.testing.assert_allclose(encode(np.array([1, 2, 3]), silent, **SIZES), 0, atol=1e-12)
    assert np.ptp(encode(np.array([1, 2, 3]), silent, **SIZES)) > 1


def test_pre_norm_leaves_the_road_alone(parameters):
    """If no sublayer finds anything, what comes out is what came in, normalised once at the end.

    A token that is ten times as loud makes sublayers find the same, in every layer.
    """
    source, target = np.array([1, 2, 3, 4]), np.array([1, 2, 3])
    silent = times(times(parameters, "w_o", 0), "w2", 0)
    x, y = (
        embed(tokens, silent[table]) for tokens, table in ((source, "source_embedding"), (target, "target_embedding"))
    )
    with ABLATIONS["six_pre_norm"].put_in():
        np.testing.assert_allclose(transformer.encode(source, silent, **SIZES), normalised(x), atol=1e-12)
        np.testing.assert_allclose(logits(silent, source, target), normalised(y) @ silent["w_out"], atol=1e-12)
        own = layer_parameters(parameters, "encoder.0.")
        found, louder = (layer_norm.encoder_layer(rows, own, 3) - rows for rows in (x, 1000 * x))
    attended = multi_head.multi_head_attention(
        *[normalised(x)] * 3, *(own[w] for w in ("w_q", "w_k", "w_v", "w_o")), 3
    )[0]
    middle = x + attended
    thought = layer_norm.feed_forward(normalised(middle), *(own[w] for w in ("w1", "b1", "w2", "b2")))
    np.testing.assert_allclose(found, attended + thought, atol=1e-12)
    assert louder.std() < 2 * found.std()


def normalised(x):
    """Bring each row to mean 0 and variance 1, with ε = 1e-5."""
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)


def test_without_warmup_the_rate_begins_where_it_is_highest():
    """Until the warm-up would be over it stays there; then it falls as usual."""
    (without,) = ABLATIONS["six_no_warmup"].instead.values()
    assert [without(step, 32, 150) for step in (1, 70, 150)] == [learning_rate(150, 32, 150)] * 3
    assert without(200, 32, 150) == learning_rate(200, 32, 150) < learning_rate(150, 32, 150)
    assert {ABLATIONS[name].sizes().layers for name in ABLATIONS if name.startswith("six_")} == {6}


def test_without_a_causal_mask_the_next_word_is_seen(parameters):
    """Another last word moves the first logits, and with the usual mask it does not; the encoder is as ever."""
    with ABLATIONS["no_causal_mask"].put_in():
        first, other = (logits(parameters, target=(1, 2, last))[0] for last in (3, 4))
        memory = encode(np.array([1, 2, 3]), parameters, **SIZES)
    assert np.abs(first - other).max() > 1e-6
    np.testing.assert_array_equal(*(logits(parameters, target=(1, 2, last))[0] for last in (3, 4)))
    np.testing.assert_array_equal(memory, encode(np.array([1, 2, 3]), parameters, **SIZES))


def test_without_positions_order_is_nowhere(parameters):
    """The encoder's rows change places with their words, so that the decoder says the same whatever their order."""
    order = [4, 2, 0, 3, 1]
    source = np.array([1, 2, 3, 4, 5])
    with ABLATIONS["no_positions"].put_in():
        there, back = (encode(tokens, parameters, **SIZES) for tokens in (source, source[order]))
        np.testing.assert_allclose(there[order], back, atol=1e-12)
        np.testing.assert_allclose(logits(parameters, source), logits(parameters, source[order]), atol=1e-12)
    assert not np.allclose(logits(parameters, source), logits(parameters, source[order]))


def test_later_chapters_can_take_parts_away_too(parameters):
    """The causal mask and the norm are a function each: its effect is gone while another replaces it."""
    with replaced({causal_mask: lambda n: np.ones((n, n), bool)}):
        assert (logits(parameters, target=(1, 2, 3))[0] != logits(parameters, target=(1, 2, 4))[0]).any()
    with replaced({layer_norm.layer_norm: lambda x, gamma, beta, eps=1e-5: x}):
        np.testing.assert_array_equal(logits(times(parameters, "gamma1", 9)), logits(parameters))


def test_the_decoder_is_shown_what_it_is_to_write():
    """Without the shift, input and target are the same."""
    np.testing.assert_array_equal(not_shifted(np.array([5, 6, 2]), 1), [5, 6, 2])


def test_padding_counts_in_the_loss(rng):
    """The mean then runs over padding, too, and asks for word 0 there."""
    drawn, targets = rng.normal(size=(2, 3, 5)), np.array([[3, 2, 0], [4, 0, 0]])
    surprises = [cross_entropy(drawn[i, j : j + 1], targets[i, j : j + 1], -1) for i, j in np.ndindex(2, 3)]
    assert padding_counted(drawn, targets, 0) == pytest.approx(np.mean(surprises))
    assert cross_entropy(drawn, targets, 0) == pytest.approx(np.mean([surprises[k] for k in (0, 1, 3)]))


def test_without_corrections_only_the_size_of_a_step_differs(rng):
    """The averages are the same, and the step is √(1 - β₂^t) / (1 - β₁^t) times as short."""
    state, v = rng.normal(size=(3, 7)), rng.random(7)
    (moved, *averages), (plain, *others) = (step(*state, v, 5, 0.1) for step in (adam_step, uncorrected_adam_step))
    np.testing.assert_array_equal(averages, others)
    factor = np.sqrt(1 - 0.98**5) / (1 - 0.9**5)
    np.testing.assert_allclose(moved - state[0], factor * (plain - state[0]))
