"""The checks of chapter 1: the wrong answers give the numbers that the course names, and the inputs bring them out."""

import numpy as np
import pytest
import scipy  # its parts are loaded when one is used

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge, reply_of

EXERCISES = exercises_of("before_attention")
SEEDS = range(20)


def cases(name, criterion, seed):
    """Return the cases of one criterion, by their labels."""
    return {case.label: case for asked, case in EXERCISES[name].questions(seed) if asked == criterion}


@pytest.mark.parametrize(
    ("mistake", "row"),
    [
        ("kernel_turned_round", [1, 2, 2]),
        ("always_same", [-3, -1, -2, -2, 5]),
        ("last_stop_missing", [-1, -2]),
        ("windows_side_by_side", [-1]),
    ],
)
def test_left_less_right_gone_wrong(wrong_answer, mistake, row):
    """The row 1, 3, 2, 5, 4 gives -1, -2, -2 and nothing else."""
    np.testing.assert_allclose(wrong_answer("conv1d", mistake), row)


def test_a_kernel_turned_round_is_numpys_convolution(wrong_answer):
    """The most frequent mistake is what np.convolve does."""
    np.testing.assert_array_equal(
        wrong_answer("conv1d", "kernel_turned_round"), np.convolve([1, 3, 2, 5, 4], [1, 0, -1], "valid")
    )


@pytest.mark.parametrize(
    ("mistake", "tokens"),
    [
        ("size_times_layers", 24),
        ("whole_kernel_each_layer", 25),
        ("one_side_only", 8),
        ("multiplied_layer_by_layer", 3**8),
        ("begun_with_a_kernel", 19),
        ("tokens_left_out", 33),
    ],
)
def test_eight_layers_of_three_gone_wrong(wrong_answer, mistake, tokens):
    """They see 17 tokens; each way to miscount gives another number."""
    assert wrong_answer("receptive_field", mistake) == tokens


@pytest.mark.parametrize(
    ("mistake", "example", "tokens"),
    [
        ("first_layer_not_dilated", 1, 31),
        ("dilation_to_the_power_of_the_layer", 1, 2 * 255 + 1),
        ("field_times_dilation", 1, 34),
        ("kernel_of_three_assumed", 2, 7),
        ("half_to_either_side", 3, 13),
        ("half_rounded_down", 3, 7),
        ("nothing_without_layers", 4, 0),
    ],
)
def test_other_stacks_gone_wrong(wrong_answer, mistake, example, tokens):
    """With dilation it is 33, five wide 13, four wide 10, and 1 without a layer; these say something else."""
    assert wrong_answer("receptive_field", mistake, example) == tokens


def test_one_pair_pads_every_axis(wrong_answer):
    """A batch of one sentence with two rows of five becomes three sentences with four rows."""
    assert wrong_answer("conv1d", "zeros_along_every_axis", 4).shape == (3, 4, 5)


@pytest.mark.parametrize(
    ("mistake", "states"),
    [
        ("tanh_forgotten", [1, 0.5, 0.25]),
        ("previous_word", [0, 0.7616, 0.3634]),
        ("state_not_carried", [0.7616, 0, 0]),
        ("first_state_included", [0, 0.7616, 0.3634, 0.1797]),
        ("sigmoid_for_tanh", [0.7311, 0.5904, 0.5733]),
        ("sum_carried", np.tanh([1, 0.5, 0.25])),
        ("states_of_whole_numbers", [0, 0, 0]),
    ],
)
def test_one_word_and_silence_gone_wrong(wrong_answer, mistake, states):
    """The states are 0.7616, 0.3634, 0.1797 and nothing else."""
    np.testing.assert_allclose(wrong_answer("rnn", mistake)[0][:, 0], states, atol=5e-5)


@pytest.mark.parametrize(
    ("mistake", "number"),
    [
        ("slope_forgotten", 0.5**3),
        ("last_step_only", 0.4839),
        ("first_step_missing", 0.2100),
        ("tanh_again", 0.0625),
        ("sum_over_all_steps", 0.4839 + 0.2100 + 0.0441),
    ],
)
def test_the_gradient_of_three_words_gone_wrong(wrong_answer, mistake, number):
    """0.0441 is left of the first word; each way to miss it gives another number."""
    np.testing.assert_allclose(wrong_answer("gradient_through_time", mistake).item(), number, atol=1e-4)


def test_one_neuron_is_never_sure_but_for_a_mistake(wrong_answer):
    """Softmax over a single neuron says 1, whatever its logit."""
    np.testing.assert_array_equal(wrong_answer("class_probabilities", "softmax_over_one", example=1), [[1], [1]])


@pytest.mark.parametrize("seed", SEEDS)
def test_tanh_stays_alive(seed):
    """In unseen sentences, the slope of tanh is above 0.2 at most states, so a slip there shows."""
    for case in cases("rnn", "unseen", seed).values():
        h, _ = EXERCISES["rnn"].reference(*case.args, **case.kwargs)
        assert np.mean(1 - h**2 > 0.2) > 0.6


@pytest.mark.parametrize("seed", SEEDS)
def test_gradients_do_not_vanish_unseen(seed):
    """The largest slope of every unseen product is far from what rounding would hide."""
    for case in cases("gradient_through_time", "unseen", seed).values():
        assert np.abs(EXERCISES["gradient_through_time"].reference(*case.args)).max() > 1e-3


@pytest.mark.parametrize("seed", SEEDS)
def test_fifty_states_of_zero_explode(seed):
    """At that edge the gradient is the radius to the power of 50, between 11 and 1100."""
    w_hh, h = cases("gradient_through_time", "edges", seed)["fifty states of 0"].args
    gradient = EXERCISES["gradient_through_time"].reference(w_hh, h).item()
    assert gradient == pytest.approx(w_hh.item() ** 50)
    assert 11 < gradient < 1100


def correlated(x, kernel, padding="valid"):
    """SciPy's correlation, row by row, cut to the windows that are asked for."""
    n, k = x.shape[-1], len(kernel)
    if padding not in ("valid", "same") or (padding == "valid" and k > n):
        raise ValueError
    full = np.apply_along_axis(lambda row: scipy.signal.correlate(row, kernel, "full"), -1, x)
    return full[..., k // 2 : k // 2 + n] if padding == "same" else full[..., k - 1 : n]


def sigmoid_or_softmax(logits):
    """SciPy's two functions."""
    if logits.shape[-1] > 1:
        return scipy.special.softmax(logits, axis=-1)
    return np.concatenate([scipy.special.expit(-logits), scipy.special.expit(logits)], axis=-1)


def power_by_multi_dot(w_hh, h):
    """The product of the steps, from the last to the first, by einsum."""
    steps = (1 - h**2)[..., :, None] * w_hh.T
    product = steps[..., -1, :, :]
    for t in range(h.shape[-2] - 2, -1, -1):
        product = np.einsum("...ij,...jk->...ik", product, steps[..., t, :, :])
    return product


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("conv1d", correlated),
        ("receptive_field", lambda k, layers, dilation=1: layers * (k - 1) * dilation + 1),
        ("gradient_through_time", power_by_multi_dot),
        ("class_probabilities", sigmoid_or_softmax),
    ],
)
def test_another_right_way_gets_full_marks(name, other_way):
    """Code that calls SciPy or multiplies from the other end is as right as the reference."""
    for seed in range(5):
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."
