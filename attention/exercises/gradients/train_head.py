"""The loop: one attention head learns Note 4's game from the student's own gradients."""

import numpy as np

from attention.chapters import gradients as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform
from ..given_functions import softmax

LETTERS = np.array([[[0, 0, 1], [0, 0, 0]], [[1, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 0, 1]]])  # (3 steps, 2 rows, 3)
X, TARGETS = np.eye(2)[LETTERS], LETTERS.max(axis=-1)
W_Q, W_K = np.array([[0.5, -1, 0], [1, 0.5, -0.5]]), np.array([[-0.5, 0.5, 0], [1, 0, 0.5]])
W_V = np.array([[1, 0, 0.5, 0], [-0.5, 1, 0, 0.5]])
W_OUT = np.array([[0.5, -0.5], [0, 1], [-1, 0.5], [1, 0]])
START = (W_Q, W_K, W_V, W_OUT)


def game(rng: np.random.Generator, steps: int, batch: int, n: int, letters: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Draw batches of rows with the last letter in them or not, and whether it is."""
    rows = rng.integers(0, letters - 1, (steps, batch, n))
    has = rng.integers(0, 2, (steps, batch))
    at = rng.integers(0, n, (steps, batch))
    s, b = np.nonzero(has)
    rows[s, b, at[s, b]] = letters - 1
    return np.eye(letters)[rows], has


def start(rng: np.random.Generator, letters: int, d_k: int, d_v: int, classes: int = 2) -> tuple[np.ndarray, ...]:
    """Draw W_Q, W_K, W_V and the read-out."""
    sizes = ((letters, d_k), (letters, d_k), (letters, d_v), (d_v, classes))
    return tuple(uniform(rng, 1, *size) for size in sizes)


def unseen(rng: np.random.Generator) -> list[Case]:
    """A few steps, so that a wrong line shows early, then many, in sizes that all differ."""
    return [
        Case("two steps", (*game(rng, 2, 5, 7), *start(rng, 2, 3, 4), 0.05)),
        Case("three letters", (*game(rng, 5, 7, 4, 3), *start(rng, 3, 5, 4), 0.1)),
        Case("eleven steps", (*game(rng, 11, 3, 5), *start(rng, 2, 3, 5), 0.03)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One step, one row a batch, rows of one letter, three classes, and a longer game."""
    rows, _ = game(rng, 3, 5, 4, 3)
    return [
        Case("one step", (*game(rng, 1, 4, 3), *start(rng, 2, 3, 4), 0.1)),
        Case("one row in each batch", (*game(rng, 3, 1, 5), *start(rng, 2, 3, 5), 0.1)),
        Case("three classes", (rows, rng.integers(0, 3, (3, 5)), *start(rng, 3, 2, 4, 3), 0.1)),
        Case("a longer game", (*game(rng, 19, 16, 7), *start(rng, 2, 3, 5), 0.05)),
    ]


def learn(x, targets, matrices, rate, wrong=""):
    """The loop, with one line of it wrong."""

    def adam(matrix, gradient, m, v, step, rate, eps=1e-2):
        m, v = 0.9 * m + 0.1 * gradient, 0.98 * v + 0.02 * gradient**2
        with np.errstate(all="ignore"):
            m_hat, v_hat = m / (1 - np.float64(0.9) ** step), v / (1 - np.float64(0.98) ** step)
            return matrix - rate * m_hat / (np.sqrt(v_hat) + eps), m, v

    matrices = [1.0 * matrix for matrix in matrices]
    averages = [(0 * matrix, 0 * matrix) for matrix in matrices]
    losses = []
    for step in range(1, len(x) + 1):
        rows, right = (x[0], targets[0]) if wrong == "first batch" else (x[step - 1], targets[step - 1])
        w_q, w_k, w_v, w_out = matrices
        asks = rows[:, :1] if wrong == "first letter" else rows[:, -1:]
        query, key, value = asks @ w_q, rows @ w_k, rows @ w_v
        root = 1.0 if wrong == "no root" else np.sqrt(query.shape[-1])
        scores = query @ np.swapaxes(key, -1, -2)
        weights = softmax(scores / root)
        found = ((softmax(scores) if wrong == "not divided" else weights) @ value)[:, 0]
        powers = np.exp(found @ w_out - (found @ w_out).max(axis=-1, keepdims=True))
        p = powers / powers.sum(axis=-1, keepdims=True)
        losses.append(-np.log(p[np.arange(len(right)), right]).mean())
        d_logits = p.copy()
        d_logits[np.arange(len(right)), right] -= 1
        d_logits /= 1 if wrong == "sum of losses" else len(right)
        stepped = adam(w_out, found.T @ d_logits, *averages[3], step, rate)[0]
        g = (d_logits @ (stepped if wrong == "new read-out" else w_out).T)[:, None]
        d_weights = g @ np.swapaxes(value, -1, -2)
        d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True)) / root
        slopes = [d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, np.swapaxes(weights, -1, -2) @ g]
        if wrong == "exchanged":
            slopes = [slopes[0], slopes[2], slopes[1]]
        products = [np.swapaxes(a, -1, -2) @ b for a, b in zip([asks, rows, rows], slopes, strict=True)]
        over = {"mean": np.mean, "one row": lambda product, axis: product[0]}.get(wrong, np.sum)
        gradients = [*(over(product, axis=0) for product in products), found.T @ d_logits]
        if wrong == "query for key":
            gradients[:2] = gradients[1::-1]
        t = {"step 1": 1, "step 0": step - 1, "step 2": step + 1}.get(wrong, step)
        moved = []
        for number, (matrix, gradient, (m, v)) in enumerate(zip(matrices, gradients, averages, strict=True)):
            if wrong == "forgets":
                m, v = 0 * m, 0 * v
            pace = {"up": -rate, f"still {number}": 0.0}.get(wrong, rate)
            after, m, v = adam(matrix, gradient, m, v, t, pace, 1e-9 if wrong == "eps" else 1e-2)
            moved.append((matrix - rate * gradient if wrong == "plain" else after, m, v))
        matrices, averages = [one for one, _, _ in moved], [(m, v) for _, m, v in moved]
    return np.array(losses), *matrices


@mistake(
    "W_Q never changed. "
    "All four matrices learn, each with its own gradient and its own averages. "
    "The gradient of `w_q` is the sum over the batch of `last.T @ d_query`.",
)
def query_matrix_still(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="still 0")


@mistake(
    "W_K never changed. "
    "All four matrices learn, each with its own gradient and its own averages. "
    "The gradient of `w_k` is the sum over the batch of `rows.T @ d_key`.",
)
def key_matrix_still(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="still 1")


@mistake(
    "W_V never changed. "
    "All four matrices learn, each with its own gradient and its own averages. "
    "The gradient of `w_v` is the sum over the batch of `rows.T @ d_value`.",
)
def value_matrix_still(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="still 2")


@mistake(
    "W_out never changed. "
    "It learns as well: its gradient is the output of attention, transposed, times the gradient of the logits. "
    "Give it its own `adam_step`.",
)
def read_out_still(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="still 3")


@mistake(
    "The averages m and v were reset at every step. "
    "Adam's averages remember the earlier steps; without them, it uses only the sign of each gradient. "
    "Keep the m and v that `adam_step` returns, and pass them in at the next step.",
)
def averages_began_anew(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="forgets")


@mistake(
    "Adam was told at every step that it is step 1. "
    "Its correction of m and v gets weaker from step to step. "
    "Count the steps, and pass the number.",
)
def told_step_one(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="step 1")


@mistake(
    "The steps were counted from 0. "
    "At step 0 Adam's correction divides by 0, and every matrix becomes NaN. "
    "Begin with step 1.",
)
def steps_from_zero(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="step 0")


@mistake(
    "The steps were counted from 2. "
    "Adam's correction of m and v is strongest in step 1, when they hold only one gradient. "
    "Begin with step 1; if a loop already counts from 1, don't add 1.",
)
def steps_from_two(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="step 2")


@mistake(
    "The last batch was left out. x has one batch for each step, and `range(1, n)` ends at n − 1. "
    "Make as many steps as there are batches.",
)
def last_batch_left_out(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x[:-1], targets[:-1], (w_q, w_k, w_v, w_out), rate)


@mistake(
    "`adam_step` was called without eps, so it used 1e-9. "
    "Where rows have only one letter, gradients are nearly 0, and with such a small ε Adam makes full-size steps of "
    "them. "
    "Pass eps=0.01.",
)
def eps_not_passed(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="eps")


@mistake(
    "Every step used the first batch. x has a batch of rows for each step, and a head that sees only one batch "
    "memorises it. "
    "Take `x[step − 1]` and `targets[step − 1]`.",
)
def first_batch_only(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="first batch")


@mistake(
    "The query comes from the first letter of each row. "
    "The head asks from the last letter, as in the game. "
    "Use `rows[:, -1:]`.",
)
def asks_from_the_first_letter(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="first letter")


@mistake(
    "An array of W_K's shape met one of W_V's: the gradients of keys and values are swapped, or several matrices "
    "share one m and v. "
    "`attention_gradient` returns those of query, key and value, in this order; each matrix keeps its own m and v. "
    "Look at the line that the error names.",
)
def key_and_value_gradients_exchanged(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="exchanged")


@mistake(
    "W_Q and W_K got each other's gradients. "
    "They have the same shape, so nothing fails. "
    "Update W_Q with `last.T @ d_query`, and W_K with `rows.T @ d_key`.",
)
def query_and_key_gradients_exchanged(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="query for key")


@mistake(
    "Only the first row of each batch changed W_Q, W_K and W_V. "
    "The loss is a mean over all rows, so the gradient is a sum over all of them. "
    "Sum over the batch.",
)
def first_row_only(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="one row")


@mistake(
    "The gradients of W_Q, W_K and W_V were averaged over the batch. "
    "The loss already is a mean, so its gradient includes the factor 1/N; a second one is too much. "
    "Sum over the batch.",
)
def averaged_twice(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="mean")


@mistake(
    "The gradient of the logits was not divided by the number of rows. "
    "The loss is a mean over the batch, so each row's slope has the factor 1/N. "
    "`cross_entropy_gradient` already divides: use its result.",
)
def gradient_of_the_sum(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="sum of losses")


@mistake(
    "The way back went through the new W_out. "
    "All gradients of a step belong to the matrices that gave its loss. "
    "Compute all four gradients first, then update all four matrices.",
)
def back_through_the_new_read_out(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="new read-out")


@mistake(
    "The scores were not divided by √d_k. "
    "`attention_gradient` divides by it on the way back, so the way forward must do the same. "
    "Divide query keyᵀ by the square root of the number of columns of `w_q`.",
)
def scores_not_divided(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="not divided")


@mistake(
    "The scores were not divided by √d_k, neither on the way forward nor on the way back. "
    "Chapter 5 divides so that the scores keep their size, however large `d_k` is. "
    "Divide query keyᵀ by the square root of the number of columns of `w_q`, and use `attention_gradient`.",
)
def divided_nowhere(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="no root")


@mistake(
    "The losses are running sums. "
    "A curve of single losses falls while the head learns; a sum can only grow. "
    "Return the loss of each batch.",
)
def losses_added_up(x, targets, w_q, w_k, w_v, w_out, rate):
    losses, *matrices = learn(x, targets, (w_q, w_k, w_v, w_out), rate)
    return np.cumsum(losses), *matrices


@mistake(
    "The matrices changed by rate times gradient, without Adam. "
    "That is plain gradient descent; here `adam_step` decides how far each number moves. "
    "Call `adam_step` for each matrix.",
)
def plain_gradient_descent(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="plain")


@mistake(
    "The matrices moved uphill, so the loss grows. "
    "`adam_step` already subtracts: pass it the gradient as it is, without changing its sign. "
    "Leave out the minus.",
)
def moved_uphill(x, targets, w_q, w_k, w_v, w_out, rate):
    return learn(x, targets, (w_q, w_k, w_v, w_out), rate, wrong="up")


@mistake(
    "The losses are those after each step, on the same batch. "
    "A loss on rows that the head has just learned from looks too good. "
    "Record the loss before the step.",
)
def losses_after_the_step(x, targets, w_q, w_k, w_v, w_out, rate):
    matrices, losses = (w_q, w_k, w_v, w_out), []
    for step in range(1, len(x) + 1):
        _, *matrices = learn(x[:step], targets[:step], (w_q, w_k, w_v, w_out), rate)
        losses.append(learn(x[step - 1 : step], targets[step - 1 : step], matrices, rate)[0][0])
    return np.array(losses), *matrices


@mistake(
    "Only the last loss was returned. "
    "The curve is what you watch while a model trains. "
    "Return an array with the loss of every step.",
)
def last_loss_only(x, targets, w_q, w_k, w_v, w_out, rate):
    losses, *matrices = learn(x, targets, (w_q, w_k, w_v, w_out), rate)
    return losses[-1], *matrices


EXERCISE = Exercise(
    name="train_head",
    reference=reference.train_head,
    returns=("losses", "w_q", "w_k", "w_v", "w_out"),
    examples=(
        Case("one step", (X[:1], TARGETS[:1], *START, 0.1)),
        Case("three steps", (X, TARGETS, *START, 0.1)),
    ),
    unseen=unseen,
    edges=edges,
)
