"""A state that is carried along a sentence."""

import numpy as np

from attention.chapters import before_attention as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

ONE, NONE = np.ones((1, 1)), np.zeros(1)
# The words are whole numbers, as anyone types them.
ONE_WORD = (np.array([[1], [0], [0]]), ONE, 0.5 * ONE, 2 * ONE, NONE, NONE + 3)
W_HX, W_HH, W_HY = np.array([[1.0, -1]]), np.array([[0.0, 0.5], [1, 0]]), np.array([[1.0], [2]])
B_H, B_Y = np.array([0.1, 0]), np.array([0.5])
START = np.array([0.5, -0.5])
BATCH = np.array([[[1.0], [0]], [[0], [1]], [[2], [2]]])
STARTS = np.array([[0.5, -0.5], [0, 0], [1, 0.5]])


def drawn(rng: np.random.Generator, d_x: int, d_h: int, d_y: int) -> list[np.ndarray]:
    """Draw w_hx, w_hh, w_hy, b_h and b_y, small enough for tanh to stay alive."""
    shapes = (d_x, d_h), (d_h, d_h), (d_h, d_y), (d_h,), (d_y,)
    return [uniform(rng, 0.6, *shape) for shape in shapes]


def unseen(rng: np.random.Generator) -> list[Case]:
    """Sentences longer and shorter than the state is wide, with a first state and without."""
    return [
        Case("seven words, begun with zeros", (uniform(rng, 1, 7, 3), *drawn(rng, 3, 5, 2))),
        Case("three words, with a first state", (uniform(rng, 1, 3, 2), *drawn(rng, 2, 7, 5), uniform(rng, 0.9, 7))),
        Case(
            "eleven words, first state by name",
            (uniform(rng, 1, 11, 5), *drawn(rng, 5, 3, 7)),
            {"h0": uniform(rng, 0.9, 3)},
        ),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One word, a first state of zeros, and leading axes with and without a first state for each."""
    return [
        Case("one word", (uniform(rng, 1, 1, 3), *drawn(rng, 3, 5, 2), uniform(rng, 0.9, 5))),
        Case("a first state of zeros", (uniform(rng, 1, 5, 2), *drawn(rng, 2, 3, 7), np.zeros(3))),
        Case("a batch begun with zeros", (uniform(rng, 1, 2, 3, 5, 7), *drawn(rng, 7, 3, 2))),
        Case(
            "a batch with a first state for each",
            (uniform(rng, 1, 2, 5, 3), *drawn(rng, 3, 7, 5), uniform(rng, 0.9, 2, 7)),
        ),
    ]


def states_of(x, w_hh, h0, step):
    """Return the states that ``step(word, state)`` makes, one after another."""
    state = np.zeros((*x.shape[:-2], w_hh.shape[-1])) if h0 is None else h0
    states = []
    for t in range(x.shape[-2]):
        state = step(x[..., t, :], state)
        states.append(state)
    return np.stack(states, axis=-2)


def with_first(h, h0):
    """Put the state before the first word in front of the others."""
    first = np.zeros_like(h[..., :1, :]) if h0 is None else h0[..., None, :]
    return np.concatenate([first, h], axis=-2)


@mistake(
    "The first state h₀ was included in the results, so there is one row too many. "
    "Row t of h belongs to word t, and there is no word before the first. "
    "Collect each state after its word was read.",
)
def first_state_included(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = with_first(states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh + b_h)), h0)
    return h, h @ w_hy + b_y


@mistake(
    "There is no tanh around the sum. "
    "Without it, every state is a plain weighted sum of all words and may grow without limit. "
    "Put `np.tanh` around the three terms of the state.",
)
def tanh_forgotten(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, h0, lambda word, state: word @ w_hx + state @ w_hh + b_h)
    return h, h @ w_hy + b_y


@mistake(
    "Each state was computed from the previous word: x_{t−1} instead of x_t. "
    "The state at t has read word t; only the state comes from the previous step. "
    "Use `x[..., t, :]` in step t.",
)
def previous_word(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    x = np.concatenate([np.zeros_like(x[..., :1, :]), x[..., :-1, :]], axis=-2)
    h = states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh + b_h))
    return h, h @ w_hy + b_y


@mistake(
    "Each output was computed from the state before its word was read. "
    "Then the first output knows nothing of the first word, and the last word never reaches an output. "
    "Compute the new state first, and y_t from it.",
)
def output_from_previous_state(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    state = np.zeros((*x.shape[:-2], w_hh.shape[-1])) if h0 is None else h0
    states, outputs = [], []
    for t in range(x.shape[-2]):
        outputs.append(state @ w_hy + b_y)
        state = np.tanh(x[..., t, :] @ w_hx + state @ w_hh + b_h)
        states.append(state)
    return np.stack(states, axis=-2), np.stack(outputs, axis=-2)


@mistake(
    "The output also went through tanh. "
    "Note 1 leaves the output's function open; here it is linear, so that y may be any number, such as a score. "
    "Return `h @ w_hy + b_y` as it is.",
)
def output_through_tanh(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh + b_h))
    return h, np.tanh(h @ w_hy + b_y)


@mistake(
    "`h @ w_hy` went through tanh before `b_y` was added. "
    "Only the state goes through tanh; the output is linear, so that y may be any number. "
    "Return `h @ w_hy + b_y`.",
)
def output_through_tanh_before_the_bias(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh + b_h))
    return h, np.tanh(h @ w_hy) + b_y


@mistake(
    "The sum before tanh was carried to the next step, not the state. h_{t−1} has been through tanh, so that nothing "
    "grows from step to step. "
    "Pass `np.tanh` of the sum to the next step.",
)
def sum_carried(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    carried = np.zeros((*x.shape[:-2], w_hh.shape[-1])) if h0 is None else h0
    sums = []
    for t in range(x.shape[-2]):
        carried = x[..., t, :] @ w_hx + carried @ w_hh + b_h
        sums.append(carried)
    h = np.tanh(np.stack(sums, axis=-2))
    return h, h @ w_hy + b_y


@mistake(
    "h₀ was used as the state after the first word, so the first word was never read. h₀ comes before any word, "
    "and is not a row of h. "
    "Compute h_1 from h₀ and the first word.",
)
def first_word_skipped(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    state = np.zeros((*x.shape[:-2], w_hh.shape[-1])) if h0 is None else h0
    states = [state]
    for t in range(1, x.shape[-2]):
        state = np.tanh(x[..., t, :] @ w_hx + state @ w_hh + b_h)
        states.append(state)
    h = np.stack(states, axis=-2)
    return h, h @ w_hy + b_y


@mistake(
    "The states were stored in an array of dtype int, so their fractions were cut off. "
    "`np.zeros_like(x)` and `dtype=x.dtype` take the dtype of x, but states are between −1 and 1. "
    "Use `np.zeros`, or collect the states in a list.",
)
def states_of_whole_numbers(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    state = np.zeros((*x.shape[:-2], w_hh.shape[-1])) if h0 is None else h0
    h = np.zeros((*x.shape[:-1], w_hh.shape[-1]), dtype=x.dtype)
    for t in range(x.shape[-2]):
        h[..., t, :] = np.tanh(x[..., t, :] @ w_hx + state @ w_hh + b_h)
        state = h[..., t, :]
    return h, h @ w_hy + b_y


@mistake(
    "A whole array was tested for being true: `if h0`, `h0 or …` and `h0 == None` do that. "
    "The result would be one answer for each number, so NumPy raises an error. "
    "Write h0 is None.",
)
def array_asked_whether_true(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    state = h0 if h0 else np.zeros((*x.shape[:-2], w_hh.shape[-1]))
    states = []
    for t in range(x.shape[-2]):
        state = np.tanh(x[..., t, :] @ w_hx + state @ w_hh + b_h)
        states.append(state)
    h = np.stack(states, axis=-2)
    return h, h @ w_hy + b_y


@mistake(
    "The state is not carried along: every step began with h₀ again. "
    "Then no word knows of those before it, which is the whole purpose of recurrence. "
    "Pass each step the state from the previous step.",
)
def state_not_carried(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    first = np.zeros((*x.shape[:-2], w_hh.shape[-1])) if h0 is None else h0
    h = np.stack([np.tanh(x[..., t, :] @ w_hx + first @ w_hh + b_h) for t in range(x.shape[-2])], axis=-2)
    return h, h @ w_hy + b_y


@mistake(
    "The state was multiplied by the transpose of `w_hh`, as Note 1 writes it: W_hh h, where the state is a column. "
    "Here a state is a row and the matrix is on its right, so the two matrices are transposes of each other. "
    "Write `state @ w_hh`.",
)
def state_as_a_column(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh.T + b_h))
    return h, h @ w_hy + b_y


@mistake(
    "The given h0 was ignored: reading began with zeros. h₀ is what is known before the first word, for instance "
    "from the previous sentence. "
    "Begin with zeros only if h0 is None.",
)
def first_state_ignored(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, None, lambda word, state: np.tanh(word @ w_hx + state @ w_hh + b_h))
    return h, h @ w_hy + b_y


@mistake(
    "`b_h` is missing from the state. "
    "Without it, the state stays at 0 as long as the words are zeros. "
    "Add `b_h` before tanh.",
)
def state_bias_forgotten(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh))
    return h, h @ w_hy + b_y


@mistake(
    "`b_h` was added after tanh. "
    "The state would leave the range from −1 to 1, and the bias could not move the point where tanh bends. "
    "Put `b_h` inside the brackets.",
)
def state_bias_outside(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh) + b_h)
    return h, h @ w_hy + b_y


@mistake(
    "`b_y` is missing from the output. It is the network's answer when its state is 0. Add `b_y` to `h @ w_hy`.",
)
def output_bias_forgotten(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh + b_h))
    return h, h @ w_hy


@mistake(
    "A sigmoid was used instead of tanh. "
    "A sigmoid is never negative and gives ½ for an input of 0, so a state could not be 0. "
    "Use `np.tanh`.",
)
def sigmoid_for_tanh(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, h0, lambda word, state: 1 / (1 + np.exp(-(word @ w_hx + state @ w_hh + b_h))))
    return h, h @ w_hy + b_y


@mistake(
    "Right for one sentence, but the states of a batch were stacked along a new first axis. "
    "The words of h belong along the same axis as those of x, the second last. "
    "Stack with `axis=-2`.",
)
def stacked_in_front(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh + b_h))
    h = np.moveaxis(h, -2, 0)
    return h, h @ w_hy + b_y


@mistake(
    "The first state h₀ was included in h, so there is one row too many. "
    "Row t of h belongs to word t, and there is no word before the first. "
    "Collect each state after its word was read.",
)
def first_state_included_without_output(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    h = states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh + b_h))
    return with_first(h, h0), h @ w_hy + b_y


def one_word_late(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    """Return the state before each word, and its output."""
    h = states_of(x, w_hh, h0, lambda word, state: np.tanh(word @ w_hx + state @ w_hh + b_h))
    h = with_first(h, h0)[..., :-1, :]
    return h, h @ w_hy + b_y


def added_to_the_state(x, w_hx, w_hh, w_hy, b_h, b_y, h0=None):
    """Add each state to the one before."""
    h = states_of(x, w_hh, h0, lambda word, state: state + np.tanh(word @ w_hx + state @ w_hh + b_h))
    return h, h @ w_hy + b_y


EXERCISE = Exercise(
    name="rnn",
    reference=reference.rnn,
    returns=("h", "y"),
    examples=(
        Case("one word, then silence", ONE_WORD),
        Case(
            "two numbers in the state",
            (np.array([[1.0], [0], [2]]), W_HX, W_HH, W_HY, B_H, B_Y),
            {"h0": START},
        ),
        Case("a batch of three, with leading axes", (BATCH, W_HX, W_HH, W_HY, B_H, B_Y, STARTS), edge=True),
        Case("the batch begun with zeros", (BATCH, W_HX, W_HH, W_HY, B_H, B_Y), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("each row of h is the state before its word instead of after it", one_word_late),
        ("the old state is added to the new one", added_to_the_state),
    ),
)
