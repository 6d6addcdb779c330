"""Relations between wrong answers and right ones: each fits what it should, and no near miss."""

import math
import re

import numpy as np
import pytest

from attention.chapters.context import softmax
from attention.chapters.embeddings import bag_of_words
from attention.chapters.multi_head import merge_heads, split_heads
from attention.chapters.position import add_position
from attention.exercises import CHAPTERS, exercises_of
from autograder.diagnosis.alterations import NUMBERS
from autograder.diagnosis.compare import Answer, mismatch
from autograder.diagnosis.exercise import Exercise, Mistake
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of
from autograder.diagnosis.relations import seen_from
from autograder.diagnosis.signature import signature_of
from tests.support.fuzz import a_third

EXERCISES = {name: exercise for stem in CHAPTERS for name, exercise in exercises_of(stem).items()}
SEEDS = (0, 20_240_206)


def told(name, function, seed=0):
    """Return what an answer to an exercise is told."""
    exercise = EXERCISES[name]
    return judge(exercise, seed, [reply_of(function, case) for _, case in exercise.questions(seed)]).message


def first(value):
    """Return the first of several results, or the only one."""
    return value[0] if isinstance(value, tuple) else value


def made_of_right(name, form):
    """Return a function that answers with a form of every right result."""
    reference = EXERCISES[name].reference

    def answer(*args, **kwargs):
        right = reference(*args, **kwargs)
        return tuple(map(form, right)) if isinstance(right, tuple) else form(right)

    return answer


def blind_to_batches(query, key, value):
    """Return attention that forgets the values where there are leading axes."""
    return attention_from(softmax)(query, key, 0 * value if query.ndim > 2 else value)


def bent_far_out(scores, axis=-1):
    """Return softmax of scores that are bent where they are large."""
    return softmax(40 * np.tanh(scores / 40) if np.abs(scores).max() > 35 else scores, axis=axis)


def of_one_shape(query, key, value):
    """Return attention in the shapes of the worked example, whatever is asked."""
    output, weights = attention_from(softmax)(query, key, value)
    return np.resize(output, (2, 2)), np.resize(weights, (2, 5))


def less_its_mean(query, key, value):
    """Return attention for queries less their mean."""
    return attention_from(softmax)(query - query.mean(axis=-1, keepdims=True), key, value)


FORMS = [
    ("similarity_scores", np.trunc, "truncated to a whole one"),
    ("scaled_scores", np.trunc, "truncated to a whole one"),
    ("shift_matrix", np.trunc, "truncated to a whole one"),  # zeros, except where k is 0
    ("scaled_scores", np.floor, "rounded down to a whole one"),
    ("mix", lambda r: np.round(r, 2), "rounded to 2 decimals"),
    ("scaling_factor", lambda r: np.round(r, 5), "rounded to 5 decimals"),
    ("mix", lambda r: -r, "except for its sign"),
    ("scaled_scores", lambda r: -r, "except for its sign"),
    ("similarity_scores", np.abs, "what should be negative came out positive"),
    ("project", lambda r: np.maximum(r, 0), "`query` is right where it is positive, and 0"),
    ("self_attention", lambda r: np.swapaxes(r, -1, -2), "rows and columns are swapped"),
    ("softmax_jacobian", np.tril, "right on and below the diagonal only"),
    ("similarity_scores", np.tril, "right on and below the diagonal only"),
    ("merged_projection", lambda r: (r + r.T) / 2, "the average of the right answer and its transpose"),
    ("entropy", np.exp, "e to the power of the right answer"),
    ("softmax", np.log, "the natural logarithm of the right answer"),
    ("dot_product_variance", lambda r: r**2, "the square of the right answer"),
    ("scaling_factor", lambda r: 1 / r, "√d_k"),
    ("entropy", lambda r: r[..., None], "an axis of length 1 at the end"),
    ("softmax", softmax, "softmax of the right answer"),
    ("scaled_scores", lambda r: r - r.max(axis=-1, keepdims=True), "each row's largest number subtracted"),
    ("mix", lambda r: r[..., ::-1, :], "rows in reverse order"),
    ("project", lambda r: np.roll(r, 1, axis=-2), "rows shifted by one place"),
    ("average_meaning", lambda r: np.roll(r, 1), "numbers shifted by one place"),
    ("self_attention", lambda r: 2 * r, "the right answer times 2"),
    ("merged_projection", lambda r: r / 2, "the right answer times 1/2"),
    ("entropy", lambda r: r / np.log(10), "1/ln 10"),
    ("mix", np.squeeze, "axes of length 1, which are missing"),
    ("merged_projection", lambda r: np.concatenate([r[:-2], 0 * r[-2:]]), "the last two rows, which were left at 0"),
]


@pytest.mark.parametrize(("name", "form", "words"), FORMS)
def test_a_form_of_the_right_answer_is_named(name, form, words):
    """What was made of the right answer is said in words."""
    said = told(name, made_of_right(name, form))
    named = [mistake.message for mistake in EXERCISES[name].mistakes]
    assert words in said or said in named


@pytest.mark.parametrize("name", [name for name, exercise in EXERCISES.items() if exercise.rule == "equals"])
def test_a_near_miss_is_called_no_form(name):
    """Right answers with a little noise are near; they are no rounding, no factor, and no other input's answers."""
    rng = np.random.default_rng(SEEDS[0])
    said = told(name, made_of_right(name, lambda r: r * (1 + 0.01 * rng.random(np.shape(r)))))
    for claim in ("rounded to", "cut to", "times", "the right formula gives", "exchanged", "softmax of"):
        assert claim not in said


@pytest.mark.parametrize("name", [name for name, exercise in EXERCISES.items() if exercise.rule == "equals"])
def test_numbers_from_nowhere_are_called_nothing(name):
    """Random numbers of the right shape have no relation to the right ones, and none is claimed."""
    rng = np.random.default_rng(SEEDS[0])
    said = told(name, made_of_right(name, lambda r: 7 + rng.normal(size=np.shape(r))))
    one_number = re.search(r"` is [\w. -]+, expected ", said)
    assert one_number or any(words in said for words in ("differs", "do not sum to one", "holds numbers", "Two calls"))


FACTORS = [
    ("n_q", lambda q, k, v: q.shape[-2]),
    ("n_k", lambda q, k, v: k.shape[-2]),
    ("d_k", lambda q, k, v: k.shape[-1]),
    ("√d_v", lambda q, k, v: np.sqrt(v.shape[-1])),
    ("1/√n_k", lambda q, k, v: 1 / np.sqrt(k.shape[-2])),
    ("1/ln 2", lambda q, k, v: 1 / np.log(2)),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("words", "size"), FACTORS)
def test_a_factor_is_named_before_softmax_and_after(words, size, seed):
    """The same size is found inside softmax and on the output, and the first wrong result is the one that is told."""

    def inside(query, key, value):
        weights = softmax(query @ np.swapaxes(key, -1, -2) * size(query, key, value))
        return weights @ value, weights

    def outside(query, key, value):
        output, weights = EXERCISES["attention"].reference(query, key, value)
        return output * size(query, key, value), weights

    assert f"`weights` is softmax of the right scores times {words}" in told("attention", inside, seed)
    assert told("attention", outside, seed).startswith(
        f"`weights` is right. `output` is the right answer times {words}"
    )


def first_row_alone(right):
    """Return a right answer with zeros in all rows but the first."""
    return np.concatenate([right[..., :1, :], np.zeros_like(right[..., 1:, :])], axis=-2)


NEVER_WRITTEN = [
    ("rnn", np.zeros_like, "`h` is 0 everywhere: the line that computes it is missing"),
    ("cross_entropy", np.zeros_like, "`loss` is always 0: the line that computes it is missing"),
    ("tf_idf", first_row_alone, "right in the first row, and 0 in the others. If a `return` is inside a loop"),
    ("scaled_scores", first_row_alone, "right in the first row, and 0 in the others"),
    ("average_meaning", lambda right: right * (np.arange(right.size) == 0), "right in the first number, and 0 in"),
]


@pytest.mark.parametrize(("name", "form", "words"), NEVER_WRITTEN)
def test_a_result_that_was_never_written_is_named(name, form, words):
    """Zeros from `np.zeros` are told as such, and not as an answer to other arguments."""
    assert words in told(name, made_of_right(name, form))


def test_a_mask_that_was_never_written_is_false():
    """What holds True and False is not said to be 0."""
    assert "`mask` is False everywhere" in told("causal_mask", lambda n: np.zeros((n, n), dtype=bool))


@pytest.mark.parametrize("base", ["2", "3", "10", "2.718"])
def test_powers_of_another_number_than_e_are_named(base):
    """Softmax made of another number's powers is told which, and no factor."""
    attention = attention_from(lambda scores: softmax(scores * np.log(float(base))))
    assert f"softmax with powers of {base} instead of e" in told("attention", attention)


MISUSED = [
    (lambda x: x.shape(0), "square brackets, as in `x.shape[0]`"),
    (lambda x: np.zeros(3, 4), "take the shape as one tuple"),
    (lambda x: math.exp(x), "NumPy's functions take arrays: `np.exp`"),
    (lambda x: np.stack(x, x), "`np.stack([a, b])`"),
    (lambda x: np.zeros(len(x)).__setitem__(0, x), "Several numbers were written into a place for one"),
    (lambda x: x.tolist() / 2, "Make it one: `np.array`"),
    (lambda x: x.tolist()[:, 0], "Make it one: `np.array`"),
    (lambda x: x.tolist().T, "Make it one: `np.array`"),
    (lambda x: x[: x.shape[-1] / 2], ": divide with `//`"),
    (lambda x: x[x.shape[-1] / 2], ": divide with `//`"),
    (lambda x: range(x.shape[-1] / 2), ": divide with `//`"),
    (lambda x: x @ x.transpose, "or a method without its brackets `()`"),
    (lambda x: x + [].append(x), "so does `list.append`"),
    (lambda x: np.exp(x.sum), "lacks its round brackets"),
    (lambda x: x.max[0], "lacks its round brackets"),
    (lambda x: [i for i in x.shape[-1]], "A loop counts with `range(n)`"),
    (lambda x: [] + x.shape[-1], "`tokens + [word]`"),
    (lambda x: {}[x.tolist()[0]], "Look up one of its elements at a time"),
    (lambda x: x.tolist().split(), "Loop over the list"),
    (lambda x: x ^ 0.5, "`^` is not a power in Python"),
    (lambda x: x.shape[-1][0], "A single number has no elements"),
    (lambda x: x.max()[0], "A single number has no elements"),
    (lambda x: [a for a, b in [x.shape[-1]]], "A single number has no elements"),
    (lambda x: x.size(x), "such as `sum` was given a value above"),
    (lambda x: x + "1", "A text is used where numbers are needed"),
    (lambda x: (x > 0) - (x < 0), "To invert a mask write `~mask`"),
    (lambda x: calls_itself(x), "The function calls itself"),
    (lambda x: never_set(x), "A variable has no value yet"),
]


def calls_itself(x):
    """Call itself without end."""
    return calls_itself(x)


def never_set(x):
    """Return a variable that only a loop of no turns would set."""
    for row in x[:0]:
        last = row
    return last


@pytest.mark.parametrize(("wrong", "words"), MISUSED)
def test_what_python_says_of_a_slip_is_explained(wrong, words):
    """An error whose words say little to a beginner comes with its usual cause."""
    assert words in told("similarity_scores", wrong)


def test_an_axis_from_the_front_is_named_for_single_sentences():
    """Along axis 0, a single sentence has the maxima of its columns; in a batch that axis counts sentences."""

    def weigh(scores):
        exponentials = np.exp(scores - scores.max(axis=0, keepdims=True))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)

    said = told("attention", attention_from(weigh))
    assert said.startswith("`weights` is softmax of scores whose columns were each shifted by their own number")
    assert said.endswith("In a batch, something else is wrong: are axes counted from the front?")


def test_another_formula_is_named_for_single_sentences():
    """A loop over rows takes the mean of the whole table; in a batch it takes each sentence's variance, too."""

    def answer(x, gamma, beta, eps=1e-5):
        return np.array([gamma * (row - x.mean()) / np.sqrt(row.var() + eps) + beta for row in np.atleast_2d(x)])

    said = told("layer_norm", lambda x, *rest, **more: answer(x, *rest, **more).reshape(x.shape))
    assert said.startswith("The answer is what you get when the mean is that of all tokens together")
    assert said.endswith("In a batch, something else is wrong: are axes counted from the front?")


def test_weights_without_powers_are_named():
    """Who forgets `np.exp` divides the scores by their sum."""
    said = told("attention", attention_from(lambda scores: scores - scores.max(axis=-1, keepdims=True)))
    assert "np.exp` is missing" not in said

    def without_powers(scores):
        less = scores - scores.max(axis=-1, keepdims=True)
        return less / less.sum(axis=-1, keepdims=True)

    assert "divided by the sum of the row: `np.exp` is missing" in told("attention", attention_from(without_powers))


def test_a_factor_is_named_where_calls_have_other_arguments():
    """Masks that some calls have and others have not do not hide a factor of 2."""
    assert "the right answer times 2" in told("encoder_layer", made_of_right("encoder_layer", lambda r: 2 * r))


def test_lengths_that_no_names_fit_are_those_of_a_worked_example():
    """One token broadcasts where others do not, so no names fit all calls: the worked example's numbers are told."""

    def masked(query, key, value, mask):
        weights = softmax(np.where(mask, query * np.swapaxes(key, -1, -2), -np.inf))
        return weights @ value, weights

    said = told("masked_attention", masked)
    assert said.startswith("Two arrays do not line up: one has length 3 where the other has 4, in a worked example.")


def test_every_second_column_is_named():
    """Cosines that were forgotten leave the odd columns wrong, and nothing else."""

    def sines(n, d_model, base=10000):
        rows = EXERCISES["positional_encoding"].reference(n, d_model, base)
        return np.where(np.arange(d_model) % 2, 0.0, rows)

    assert "wrong only in columns 1, 3, 5, …" in told("positional_encoding", sines)


def test_draws_of_ones_own_are_named():
    """Who draws anew in `sample`, in place of taking `u`, gives another answer to the same question."""
    rng = np.random.default_rng(SEEDS[0])
    said = told("sample", lambda logits, temperature, u: rng.integers(len(logits), size=np.shape(u)))
    assert said.startswith("Two calls with the same arguments give different answers.")
    assert "Two calls" not in told("sample", lambda logits, temperature, u: np.zeros(np.shape(u), dtype=int))


def test_other_arguments_explain_no_answer_that_fails_where_they_would_not():
    """W_V in place of W_Q fails with heads of two widths: only an alteration that fails there, too, is told."""
    attention = EXERCISES["multi_head_attention"].reference

    def cross(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
        return attention(x, memory, memory, w_v, w_k, w_v, w_o, h, memory_mask)

    assert "`w_v` in place of `w_q`" in told("cross_attention", cross)


def test_a_length_that_is_no_number_is_not_called_a_float():
    """A dictionary where a length belongs has nothing to do with a division."""
    assert "`//`" not in told("one_hot", lambda tokens, vocab: np.eye(*[vocab]))


def test_the_axes_of_a_mask_are_no_leading_axes():
    """A mask has any shape; what goes wrong in a batch alone is told as that, where every call has a mask."""

    def masked(query, key, value, mask):
        weights = softmax(np.where(mask, query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[1]), -np.inf))
        return np.nan_to_num(weights) @ value, np.nan_to_num(weights)

    def seen(shape):
        given = [np.ones(shape), np.ones(shape), np.ones(shape), np.ones((3, 3), dtype=bool)]
        return seen_from(EXERCISES["masked_attention"].signature, tuple(given), {}, Answer(), Answer(), True, False)

    assert (seen((3, 4)).leading, seen((2, 3, 4)).leading) == (0, 1)
    assert "..." not in seen((3, 4)).sizes
    assert "leading axes" in told("masked_attention", masked)


def test_letters_that_are_looked_up_are_named():
    """A loop over a sentence goes letter by letter; a dictionary of words has none of them."""

    def counts(sentences, vocab):
        return np.array([[vocab[word] for word in sentence] for sentence in sentences])

    assert "A loop over a text goes letter by letter" in told("bag_of_words", counts)
    assert "A loop over a text goes letter by letter" in told(
        "translate", lambda sentence: [{}[one] for one in sentence]
    )


def test_numbers_that_are_joined_are_named():
    """`join` takes texts, and a translation is numbers until they are looked up."""
    assert "`join` puts texts together" in told("translate", lambda sentence: " ".join(range(len(sentence))))


def test_an_error_in_a_batch_alone_is_explained_by_the_batch():
    """Where a single sentence works, leading axes are the cause, whatever Python says of them."""

    def one_number_each(x):
        return np.array([[math.fsum(a * b) for b in x] for a in x])

    said = told("similarity_scores", one_number_each)
    assert "leading axes" in said
    assert "`math.exp`" not in said


def test_another_argument_mixed_is_named():
    """Right weights on the wrong argument are told which one was mixed."""

    def states(state, encoder_states):
        return state, EXERCISES["luong_context"].reference(state, encoder_states)[1]

    assert "`context` is `state` as it was given" in told("luong_context", states)


def attention_from(weigh):
    """Return an attention whose weights are made of scores by ``weigh``."""

    def attention(query, key, value):
        weights = weigh(query @ np.swapaxes(key, -1, -2))
        return weights @ value, weights

    return attention


def powers(scores):
    """Return e to the power of scores minus the largest of their row."""
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


@pytest.mark.parametrize(
    ("weigh", "words"),
    [
        (powers, "The largest number in each row of `weights` is 1"),
        (lambda s: powers(s) / (powers(s).sum(axis=-1, keepdims=True) + 0.3), "a number was added to each sum"),
        (lambda s: powers(s) / powers(s)[..., :-1].sum(axis=-1, keepdims=True), "sums to one without its last"),
        (lambda s: softmax(s - s.max(axis=-2, keepdims=True)), "columns were each shifted by their own number"),
        (lambda s: np.swapaxes(softmax(np.swapaxes(s, -1, -2)), -1, -2), "each column of the weights sums to one"),
        (lambda s: softmax(np.tanh(s)), "come from the wrong scores"),
        (lambda s: powers(s) ** 2 / powers(s).sum(axis=-1, keepdims=True), "do not sum to one"),
        (lambda s: np.sort(softmax(s), axis=-1), "of each row sorted"),
    ],
)
def test_weights_are_told_by_what_their_rows_sum_to(weigh, words):
    """What is divided, by what, and along which axis, shows in the sums of the weights."""
    assert words in told("attention", attention_from(weigh))


def with_the_mask_on_its_side(x, parameters, h, mask=None):
    """Return an encoder layer that inverts its mask, if there is one."""
    turned = None if mask is None else np.swapaxes(mask, -1, -2)
    return EXERCISES["encoder_layer"].reference(x, parameters, h, turned)


def placed_in_the_first_sentence(x):
    """Return tokens of which those of the first sentence alone have their places added."""
    placed = x.astype(float)
    first = (0,) * (x.ndim - 2)
    placed[first] = add_position(x[first])
    return placed


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("attention", blind_to_batches, "leading axes"),
        ("scaled_scores", lambda q, k: np.dot(q, np.swapaxes(k, -1, -2)) / np.sqrt(k.shape[-1]), "too many axes"),
        ("mix", lambda w, x: (w @ x)[..., 0, :] if w.shape[-2] == 1 else w @ x, "n_q = 1"),
        ("softmax", bent_far_out, "numbers are large"),
        ("softmax", lambda s, axis=-1: softmax(np.where(np.isfinite(s), s, 0), axis=axis), "where a score is -inf"),
        ("softmax", lambda s, axis=-1: softmax(s), "`axis`"),
        ("booster", lambda n, target: max(0.0, EXERCISES["booster"].reference(n, target)), "negative"),
        ("scaled_scores", lambda q, k: EXERCISES["scaled_scores"].reference(q, k) * (q.shape[-2] > 1), "n_q = 1"),
        ("encoder_layer", with_the_mask_on_its_side, "Right elsewhere, but wrong where `mask` is given"),
        ("split_heads", lambda x, h: np.swapaxes(x.reshape(*x.shape[:-1], h, x.shape[-1] // h), 0, 1), "count from"),
        ("merge_heads", lambda x: np.swapaxes(x, -3, -2).reshape(x.shape[-2], -1), "too few axes: a reshape"),
        ("add_position", placed_in_the_first_sentence, "either only the first is computed, as by `[0]`"),
        ("add_position", lambda x: np.where(x.any(axis=-1, keepdims=True), add_position(x), x), "argument holds a 0"),
    ],
)  # fmt: skip
def test_where_alone_an_answer_is_wrong(name, wrong, words):
    """An answer that is wrong for one kind of input is told which kind."""
    assert words in told(name, wrong)


def looking_at_itself(query, key, value, *matrices):
    """Return multi-head attention that ignores key and value."""
    return EXERCISES["multi_head_attention"].reference(query, query, query, *matrices)


def one_memory_for_both(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """Return a step of Adam whose averages both have the memory of the first."""
    return EXERCISES["adam_step"].reference(parameter, gradient, m, v, step, rate, beta1, beta1, eps)


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("multi_head_attention", looking_at_itself, "`query` in place of the other two, as in self-attention"),
        ("adam_step", one_memory_for_both, "`beta1` in place of `beta2`"),
    ],
)
def test_one_argument_in_place_of_others_is_named(name, wrong, words):
    """One input for all three of attention, and one number for another, are told as such."""
    assert f"The answer is what the right formula gives for {words}." in told(name, wrong)


def test_a_count_that_is_wrong_by_a_little_is_not_called_rounded():
    """Two more in a million is no rounding: such counts are only shown beside the right ones."""
    reference = EXERCISES["multi_head_parameters"].reference
    said = told(
        "multi_head_parameters", lambda d_model, h, bias=False: reference(d_model, h, bias) + (2 if bias else 0)
    )
    assert "close to the right numbers" not in said


@pytest.mark.parametrize("name", ["layer_norm", "feed_forward", "mix"])
def test_large_numbers_are_blamed_only_where_something_is_exponentiated(name):
    """Where the right formula has no powers of e, nobody is told to subtract a maximum before np.exp."""
    reference = EXERCISES[name].reference
    said = told(name, lambda x, *rest: reference(x, *rest) + (np.abs(x).max() > 35))
    assert "np.exp" not in said
    assert "numbers are large" not in said
    assert not EXERCISES[name].signature.get("powers")
    assert all(EXERCISES[one].signature["powers"] for one in ("softmax", "attention", "encoder_layer"))


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("project", lambda x, w_q, w_k, w_v: (x @ w_k, x @ w_v, x @ w_q), "right but in another order"),
        ("project", lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_v), "only `query` and `value` is returned"),
        ("entropy", lambda weights: (EXERCISES["entropy"].reference(weights), 1), "more is returned beside it"),
        ("entropy", lambda weights: (EXERCISES["entropy"].reference(weights),), "is right, but it is inside a tuple"),
        ("greedy_decode", lambda *args: (EXERCISES["greedy_decode"].reference(*args),), "it is inside a tuple"),
        ("project", lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_k, x @ w_k), "`value` is what `key` should be"),
        ("similarity_scores", lambda x: x, "`scores` is `x` as it was given"),
        ("similarity_scores", lambda x: x @ np.swapaxes(x, -1, -2) + 1 - 1 + x[..., :1] * 0 + np.nan, "NaN"),
        ("merged_projection", lambda w_q, w_k: np.hstack([w_q, w_k]), "(d_model, 2·d_k)"),
        ("self_attention", lambda x: np.zeros((x.shape[-1], x.shape[-1])), "`(d, d)`, and `(n, d)` is expected"),
        ("attention", of_one_shape, "`weights` always has the shape `(2, 5)`, whatever the arguments are"),
        ("attention", lambda query, key: 0, "must take the arguments `query, key, value`"),
        ("soft_lookup", lambda q, keys, values: 0, "must take the arguments `query, keys, values, base=np.e`"),
        ("dot_product_variance", lambda d, variance=1.0: d * variance ^ 2, "`^` is not a power in Python"),
        ("merge_heads", lambda x: x.transpose(1, 0, 2).reshape(x.shape[-2], -1), "transpose that names its axes"),
        (
            "add_and_norm",
            lambda x, sublayer, gamma, beta, eps=1e-5: (x, sublayer).mean(),
            "returns a tuple: unpack it",
        ),
        ("feed_forward", lambda x, w1, b1, w2, b2: max(0, x @ w1 + b1), "in `if`, `and`, `or`, max"),
        (
            "split_heads",
            lambda x, h: ValueError(h) if x.shape[-1] % h else split_heads(x, h),
            "instead of raising it: write",
        ),
    ],
)
def test_structure_shapes_and_errors_are_named(name, wrong, words):
    """Order, number, shapes by their axes' names, and what an error means."""
    wrong.__name__ = wrong.__qualname__ = name
    assert words in told(name, wrong)


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("attention", less_its_mean, "minus its mean"),
        ("self_attention", lambda x: softmax(np.abs(x @ np.swapaxes(x, -1, -2))) @ x, "intermediate scores without"),
        ("merged_projection", lambda a, b: a[:, 1:] @ b[:, 1:].T, "without its first column"),
        ("dot_product_variance", lambda d, variance=1.0: (d + 1) * variance**2, "`d` one larger"),
        ("booster", lambda n, target: EXERCISES["booster"].reference(4, target), "`n` = 4 every time"),
    ],
)  # fmt: skip
def test_the_right_formula_on_another_input_is_named(name, wrong, words):
    """An answer that is right for an altered argument, or from an altered step, is told the alteration."""
    assert words in told(name, wrong)


def right_weights(name, output):
    """Return an exercise's answer with another output, made of the weights, the keys and the values."""

    def answer(*args, **kwargs):
        _, weights = EXERCISES[name].reference(*args, **kwargs)
        return output(weights, *args[1:3]), weights

    return answer


def chosen(which):
    """Return an output that takes one row of the values for each row of weights: where ``which`` finds it."""
    return lambda weights, keys, values: np.eye(weights.shape[-1])[which(weights, axis=-1)] @ values


@pytest.mark.parametrize("name", ["soft_lookup", "attention", "scaled_dot_product_attention"])
def test_what_right_weights_mixed_is_named(name):
    """The keys, or the one row with the largest weight; of the row with the smallest nothing of the kind is claimed."""
    assert "`weights` is right. `output` mixes the rows of `key" in told(
        name, right_weights(name, lambda w, k, v: w @ k)
    )
    assert "takes only the row of `value" in told(name, right_weights(name, chosen(np.argmax)))
    said = told(name, right_weights(name, chosen(np.argmin)))
    assert "takes only" not in said
    assert "mixes the rows" not in said


WRONG_FORMULAS = [
    (name, words, wrong) for name, exercise in EXERCISES.items() for words, wrong in exercise.wrong_formulas
]


@pytest.mark.parametrize(
    ("name", "words", "wrong"), WRONG_FORMULAS, ids=[f"{name}-{words}" for name, words, _ in WRONG_FORMULAS]
)
def test_a_formula_with_one_thing_wrong_is_named(name, words, wrong):
    """Each is told in its own words, or a listed mistake says more; and no word promises what an error would break."""
    said = told(name, wrong)
    assert f" when {words}. " in said or said in [mistake.message for mistake in EXERCISES[name].mistakes]


def with_entries(name, **places):
    """Return an exercise's reference with some parameters swapped."""
    reference = EXERCISES[name].reference

    def layer(*args):
        known = next(value for value in args if isinstance(value, dict))
        changed = known | {place: known[other] for place, other in places.items()}
        return reference(*(changed if value is known else value for value in args))

    return layer


def test_a_token_that_is_none_is_not_called_a_logarithm(monkeypatch):
    """Ignoring padding looks like ``pad`` under a logarithm, and like any other fraction: none of them is named."""
    exercise = EXERCISES["cross_entropy_gradient"]
    wrong = next(mistake.wrong for mistake in exercise.mistakes if mistake.id == "padding_counted_in_slopes")
    monkeypatch.setattr(Exercise, "mistakes", ())
    assert "`pad`" not in told(exercise.name, wrong)


@pytest.mark.parametrize(
    ("name", "places", "words"),
    [
        ("encoder_layer", {"w_q": "w_v"}, "`w_v` in place of `w_q`"),
        ("encoder_layer", {"beta1": "gamma1", "gamma1": "beta1"}, "`beta1` swapped with `gamma1`"),
        ("decoder_layer", {"gamma1": "gamma3", "beta1": "beta3"}, "`gamma3` and `beta3` in place of `gamma1` and"),
        ("decoder_layer", {"w_k": "cross_w_k"}, "`cross_w_k` in place of `w_k`"),
    ],
)
def test_parameters_in_one_anothers_places_are_named(name, places, words):
    """Entries of a dictionary that were mistaken for others are told by their names, whole families at once."""
    exercise = EXERCISES[name]
    wrong = with_entries(name, **places)
    replies = [reply_of(lambda *args, **kw: wrong(*args, *kw.values()), case) for _, case in exercise.questions(0)]
    assert words in judge(exercise, 0, replies).message


def test_a_large_size_is_not_squared():
    """A limit of three hundred tokens, squared, would keep the grader busy for minutes."""
    squared = dict(NUMBERS)["squared"]
    assert squared(300) is None
    assert squared(7) == 49


def mask_turned(query, key, value, mask, gradient):
    """Return the gradients under the opposite mask."""
    return EXERCISES["attention_gradient"].reference(query, key, value, None if mask is None else ~mask, gradient)


def one_for_all_after_peak(step, d_model, warmup):
    """Return a rate that does not fall after its peak."""
    return EXERCISES["learning_rate"].reference(min(step, warmup), d_model, warmup)


def turned_source_mask(*args, memory_mask=None):
    """Return cross-attention that sees the padding alone."""
    mask = args[7] if len(args) > 7 else memory_mask
    return EXERCISES["cross_attention"].reference(*args[:7], None if mask is None else ~mask)


def even_where_blind(query, key, value, mask):
    """Return attention in which a query that may look at nothing looks at everything."""
    seen = mask | ~mask.any(axis=-1, keepdims=True)
    return EXERCISES["masked_attention"].reference(query, key, value, seen)


def by_the_root_of_d_v(query, key, value, mask):
    """Return attention whose scores are divided by the root of another width."""
    by = np.sqrt(value.shape[-1] / key.shape[-1])
    return EXERCISES["masked_attention"].reference(query / by, key, value, mask)


def masked_values(query, key, value, mask):
    """Return attention that hides nothing, and then hides values, by the last query's mask."""
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]))
    return weights @ (value * np.broadcast_to(mask, weights.shape)[..., -1, :, None]), weights


def masked_at_minus_two(query, key, value, mask):
    """Return attention in which hidden scores are −2."""
    weights = softmax(np.where(mask, query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]), -2))
    return weights @ value, weights


def of_tiny_probabilities(step, tokens):
    """Return a log-probability from softmax, rounded to 0 where logits are far apart."""
    return float(sum(np.log(softmax(step(tokens[:t]))[tokens[t]]) for t in range(1, len(tokens))))


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("attention_gradient", mask_turned, "`mask` with True and False swapped"),
        ("learning_rate", one_for_all_after_peak, "wrong where `step` is larger than `warmup`"),
        ("cross_attention", turned_source_mask, "wrong where `memory_mask` is given"),
        ("masked_attention", even_where_blind, "where a query may look at nothing"),
        ("sequence_log_probability", of_tiny_probabilities, "wrong where logits are large"),
        ("shift_right", lambda targets, sos: np.full_like(targets, sos), "`shown` is `sos` in every place"),
        ("cross_entropy_gradient", lambda *a: np.minimum(EXERCISES["cross_entropy_gradient"].reference(*a), 0),
         "right where it is negative, and 0 where it should be positive"),
        ("greedy_decode", lambda step, sos, eos, n: EXERCISES["greedy_decode"].reference(step, 0, eos, n),
         "`sos` = 0 every time"),
        ("masked_attention", by_the_root_of_d_v, "softmax of the right scores times √(d_k/d_v)"),
        ("masked_attention", masked_values, "Some places of `weights` should be 0 and are not"),
        ("masked_attention", masked_at_minus_two,
         "Hidden keys still get a share"),
    ],
)  # fmt: skip
def test_masks_and_sequences_have_words_of_their_own(name, wrong, words):
    """What a mask hides, how two sizes compare and what is written everywhere are told as such."""
    said = told(name, wrong)
    assert words in said or said in [mistake.message for mistake in EXERCISES[name].mistakes]


def test_a_listed_mistake_that_would_fail_before_is_not_told():
    """An answer that is right for every single sentence is not given a mistake that is wrong there."""

    def first_of_the_batch(mask):
        return bool(np.triu(mask.reshape(-1, *mask.shape[-2:])[0], 1).any())

    said = told("sees_the_future", first_of_the_batch)
    assert "first query" not in said
    assert "leading axes" in said


def heads_from(weigh, turned=lambda k: np.swapaxes(k, -1, -2)):
    """Return a multi-head attention whose weights ``weigh`` makes of raw scores, queries, keys and h."""

    def multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h):
        q, k, v = (split_heads(x @ w, h) for x, w in ((query, w_q), (key, w_k), (value, w_v)))
        weights = weigh(q @ turned(k), q, k, h)
        return merge_heads(weights @ v) @ w_o, weights

    return multi_head_attention


def scaled(scores, q, k, h):
    """Return the right weights of raw scores."""
    return softmax(scores / np.sqrt(q.shape[-1]))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (heads_from(lambda s, q, k, h: softmax(s) / np.sqrt(q.shape[-1])), "sums to 1/√d_k, and should sum to one"),
        (heads_from(lambda s, q, k, h: softmax(s / q.shape[-1])), "the right scores times 1/√d_k"),
        (heads_from(lambda s, q, k, h: softmax(s / np.sqrt(h))), "the right scores times √(d_k/h)"),
        (heads_from(lambda s, q, k, h: softmax(s / np.sqrt(k.shape[-2]))), "the right scores times √(d_k/n_k)"),
        (heads_from(scaled, lambda k: k.T), "rows of length d_k on the left met columns of length n_k"),
    ],
)
def test_what_one_head_is_wide_is_known(wrong, words):
    """With all heads in one axis h·d_k, sizes of one head are named, and lengths that met without axes in front."""
    assert words in told("multi_head_attention", wrong)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_that_sum_to_no_size_are_told_no_size(seed):
    """If rows of weights sum to different numbers, or to one that no size explains, the message says only that."""
    for by in (lambda s: 1 + np.abs(s).max(axis=-1, keepdims=True), lambda s: 1.2345):
        wrong = heads_from(lambda s, q, k, h, by=by: softmax(s) / by(s))
        assert "do not sum to one. Divide each row" in told("multi_head_attention", wrong, seed)


def test_errors_agree_by_the_lengths_that_did_not_meet():
    """The third shape that NumPy adds says nothing; matmul and dot say the same in other words."""
    operands = "operands could not be broadcast together with shapes"
    assert mismatch(("ValueError", f"{operands} (2,5) (2,) ")) == mismatch(
        ("ValueError", f"{operands} (2,5) (2,) (2,5)")
    )
    matmul = (
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
        "(size 4 is different from 3)"
    )
    assert mismatch(("ValueError", matmul)) == ("product", 3, 4)
    assert mismatch(("ValueError", "shapes (2,3) and (4,5) not aligned: 3 (dim 1) != 4 (dim 0)")) == ("product", 3, 4)
    endless = "9" * 5000
    assert mismatch(("ValueError", matmul.replace("size 4", f"size {endless}"))) is None
    assert mismatch(("ValueError", f"{operands} ({endless},) (2,)"))[0] == "line up"
    assert mismatch(("KeyError", matmul)) is None
    assert mismatch(("ValueError", "no")) is None


def test_a_signature_names_every_axis():
    """Names come from the annotations, one kind of a union, and are empty where there are none."""
    signature = signature_of(EXERCISES["attention"].reference, 2)
    assert signature["arguments"][1] == ["key", "*batch n_k d_k", None]
    assert signature["results"] == ["*batch n_q d_v", "*batch n_q n_k"]
    assert signature_of(EXERCISES["multi_head_attention"].reference, 2)["arguments"][5] == [
        "w_v",
        "d_memory h·d_v",
        None,
    ]
    assert signature_of(EXERCISES["entropy"].reference, 1)["results"] == ["*batch"]
    plain = {"arguments": [["x", "", None], ["y", "", 2], ["z", "", None]], "results": [""], "optional": ["z"]}
    assert signature_of(lambda x, y=2, z=None: x, 1) == plain


ODD = (
    None,
    "text",
    [],
    (),
    {},
    np.zeros(0),
    np.zeros((0, 3)),
    np.zeros((3, 0)),
    np.array([None]),
    2**80,
    1j,
    [[1], [2, 3]],
    np.inf,
    True,
)


@pytest.mark.parametrize(("place", "name"), list(enumerate(EXERCISES)), ids=list(EXERCISES))
def test_nothing_that_an_answer_may_be_stops_the_judge(place, name):
    """Values of any kind, also in turn with right ones, are judged and get a message."""
    reference = EXERCISES[name].reference
    for odd in a_third(ODD, place):
        assert told(name, lambda *args, odd=odd, **kwargs: odd)
    for odd in (None, np.inf, np.zeros((3, 0))):
        turns = iter(range(10_000))
        assert told(
            name,
            lambda *args, odd=odd, turns=turns, **kwargs: odd if next(turns) % 3 else reference(*args, **kwargs),
        )


DICTIONARIES = [
    (lambda d: {index: word for word, index in d.items()}, "it maps numbers to words"),
    (lambda d: {word: index + 1 for word, index in d.items()}, "all too large by one"),
    (lambda d: {word: index - 1 for word, index in d.items()}, "all too small by one"),
    (lambda d: {word: len(d) - 1 - index for word, index in d.items()}, "they are paired differently"),
    (lambda d: {word: str(index) for word, index in d.items()}, "right words, but some of their numbers are wrong"),
    (lambda d: {word: index**2 + 2 for word, index in d.items()}, "right words, but some of their numbers are wrong"),
    (lambda d: {word: index for word, index in d.items() if index}, "no wrong ones. In a worked example 'mat' should"),
    (lambda d: {**d, "zebra": len(d)}, "has all its words, but also others that do not belong there."),
    (lambda d: {letter: d[word] for word in d for letter in word}, "has letters as its keys. A loop over a text goes"),
    (lambda d: {word + "s": index for word, index in d.items()}, "example 'mat', 'cat' and 'rat' should"),
]


@pytest.mark.parametrize(("form", "words"), DICTIONARIES, ids=range(len(DICTIONARIES)))
def test_a_dictionary_is_told_how_it_is_wrong(form, words):
    """Keys and values are looked at over all cases; of keys, those that a worked example should have may be named."""
    for seed in SEEDS:
        assert words in told("vocabulary", made_of_right("vocabulary", form), seed)


def test_dictionaries_that_are_wrong_in_several_ways_are_told_no_relation():
    """Where no one relation fits all cases, the first difference is told."""
    turns = iter(range(10_000))
    forms = [form for form, _ in DICTIONARIES]
    mixed = made_of_right("vocabulary", lambda d: forms[next(turns) % len(forms)](d))
    assert told("vocabulary", mixed).startswith("`vocab` has other words")


def test_an_error_about_unequal_rows_has_a_hint_that_fits():
    """Where one table is expected, nobody is told to return several results."""

    def ragged(sentences, vocab):
        return np.array([bag_of_words([sentence], vocab)[0][: len(sentence.split())] for sentence in sentences])

    said = told("bag_of_words", ragged)
    assert "Arrays of unequal shape were put into one. Look at the axis" in said
    assert "several results" not in said


def test_a_few_wrong_entries_are_in_no_place_of_their_own():
    """Repeated words happen to be in columns 0 and 2: four entries are not enough to blame those columns."""

    def presence(sentences, vocab):
        found = np.zeros((len(sentences), len(vocab)))
        for row, sentence in zip(found, sentences, strict=True):
            row[[vocab[word] for word in sentence.split()]] = 1  # KeyError for a capital letter
        return found

    assert "columns" not in told("bag_of_words", presence)


def test_a_forgotten_raise_hides_no_other_mistake():
    """Biases are not counted, and a width that the heads cannot share is: one message has both."""
    said = told("multi_head_parameters", lambda d_model, h, bias=False: 4 * d_model**2)
    assert said.startswith("Right elsewhere, but wrong where `bias` is not False.")
    assert said.endswith("Besides, it raises no error where it should.")


def turned_back_in(array_like):
    """Return rotary, turned the wrong way and written into an array that ``array_like`` makes of x."""

    def rotary(x, positions, base=10000):
        width = x.shape[-1]
        angle = positions[..., None] / base ** (2 * np.arange(width // 2) / width)
        turned = array_like(x)
        turned[..., ::2] = x[..., ::2] * np.cos(angle) + x[..., 1::2] * np.sin(angle)
        turned[..., 1::2] = x[..., 1::2] * np.cos(angle) - x[..., ::2] * np.sin(angle)
        return turned

    return rotary


def test_fractions_that_are_cut_off_are_told_before_another_mistake():
    """Both the direction and the array's type are wrong: the type hides what the direction would be told."""
    assert told("rotary", turned_back_in(np.empty_like)).startswith("Where `x` holds whole numbers, the answer cannot")
    assert "whole numbers" not in told("rotary", turned_back_in(lambda x: np.empty(x.shape)))


def test_fractions_that_are_cut_off_alone_are_no_second_mistake():
    """An array made like the senses is all that is wrong here: nobody is sent to look for more."""

    def average_meaning(senses, counts):
        average = np.zeros_like(senses[0])
        average[:] = counts @ senses / counts.sum()
        return average

    said = told("average_meaning", average_meaning)
    assert said.startswith("Where `senses` holds whole numbers, the answer cannot hold fractions")
    assert "Something else" not in said


def test_rows_of_one_are_no_weights():
    """One-hot rows sum to one, and nothing is said of softmax."""
    for form in (lambda r: r / 2, lambda r: (r + 1) / (1 + r.shape[-1]), lambda r: r * 0 + 1 / r.shape[-1]):
        assert "softmax" not in told("one_hot", made_of_right("one_hot", form)).lower()


def test_mistakes_are_plain_records():
    """What the relations say needs no Mistake: a verdict without one has no name."""
    assert isinstance(EXERCISES["mix"].mistakes[0], Mistake)
    exercise = EXERCISES["mix"]
    verdict = judge(exercise, 0, [reply_of(lambda w, x: 3 * (w @ x), case) for _, case in exercise.questions(0)])
    assert (verdict.mistake, verdict.score) == (None, 0)
    assert "times 3" in verdict.message
