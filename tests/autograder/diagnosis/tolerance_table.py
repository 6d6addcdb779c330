"""Which answers are near enough? Honest single precision must be; a rounding, a limit, a small number added must not.

    python tests/autograder/diagnosis/tolerance_table.py [SEEDS]

It prints of how many seeds (of 1,000) each treatment gives full marks.

Every answer but those on *entropy* is the solution of the notebook, with its numbers treated in one way.
"""

import sys
from functools import cache
from pathlib import Path

import numpy as np

from autograder.course.course import Course
from autograder.course.derived_text import SOLUTION_MARKS
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

ROOT = Path(__file__).parents[3]
BY_EFFECT = {"query_between"}  # any query that is long enough is right, rounded or not
MASKS = {"causal_mask", "padding_mask", "sees_the_future"}  # True and False
COUNTED = {
    "vocabulary",
    "one_hot",
    "bag_of_words",
    "receptive_field",
    "multi_head_parameters",
    "shift_right",
    "diagnose",
    "greedy_decode",
    "sample",
    "translate",
} | MASKS  # words, sizes
WHOLE = {"strongest_neighbour"} | COUNTED  # whole numbers: there is nothing to round
NUMBERS_ALONE = {"booster"}  # is given Python's own numbers; 1 - 1e-9 is 1 in float32
MIXING = {"self_attention", "soft_lookup", "attention", "luong_context", "scaled_dot_product_attention"}
MIXING |= {"masked_attention"}


def each(change, value):
    """Change every array and every decimal number in a value, whatever holds it, and leave the rest."""
    if isinstance(value, tuple):
        return tuple(each(change, item) for item in value)
    if isinstance(value, dict):
        return {name: each(change, item) for name, item in value.items()}
    decimal = isinstance(value, float | np.floating) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")
    return change(value) if decimal else value


def single(value):
    """Bring arrays and numbers to float32."""
    return each(lambda numbers: np.asarray(numbers, np.float32)[()], value)


def double(value):
    """Bring arrays and numbers to float64."""
    return each(lambda numbers: np.asarray(numbers, np.float64)[()], value)


def rounded(value):
    """Round to four digits after the point."""
    return each(lambda numbers: np.round(numbers, 4), value)


def treated(function, before=lambda args: args, after=lambda result: result):
    """Return the function with its arguments and its results treated."""

    def call(*args, **kwargs):
        return after(function(*before(args), **{name: before((value,))[0] for name, value in kwargs.items()}))

    return call


@cache
def solutions():
    """Return ``{name: (exercise, all that its notebook gives, every solution of its chapter as source)}``."""
    course, found = Course(ROOT), {}
    for assignment in map(course.assignment, course.chapters()):
        sources = {name: SOLUTION_MARKS.sub("", assignment.cells[name].cell.source) for name in assignment.exercises}
        found |= {name: (exercise, assignment.given, sources) for name, exercise in assignment.exercises.items()}
    return found


def defined(given, sources, around=lambda function: function):
    """Run all solutions of a chapter, each put in place with ``around``, and return them by name."""
    space = {"np": np} | {name: around(value) if callable(value) else value for name, value in given.items()}
    for name, source in sources.items():
        exec(source, space)
        space[name] = around(space[name])
    return space


def single_throughout(function):
    """Let a function take and give float32, so that what it calls does too."""
    return treated(function, single, single)


def variants(name):
    """Return ``{what was done: the function}`` for one exercise."""
    _, given, sources = solutions()[name]
    right = defined(given, sources)[name]
    found = {} if name in BY_EFFECT | WHOLE else {"round 4": treated(right, after=rounded)}
    if name not in NUMBERS_ALONE | COUNTED:
        in_single = defined(given, sources, single_throughout)[name]
        found |= {
            "float32 in": treated(right, single),
            "float32 in and out": in_single,
            "float32 inside, float64 out": treated(in_single, after=double),
        }
    if name in MIXING:
        for what, change in (("weights round 4 on the way", rounded), ("weights float16", in_half)):
            found[what] = mixing_with(given, sources, name, change)
    return found | (ON_ENTROPY if name == "entropy" else {})


def in_half(value):
    """Pass numbers through half precision."""
    return each(lambda numbers: np.asarray(numbers, np.float16).astype(np.float64), value)


def mixing_with(given, sources, name, change):
    """Return a solution in which weights are changed between softmax and the mixture."""
    changes = [
        ("return weights @ value", "weights = change(weights)\n    return weights @ value"),
        ("mix(softmax(similarity_scores(x)), x)", "mix(change(softmax(similarity_scores(x))), x)"),
    ]
    space = {"np": np, "change": change, **given}
    for source in sources.values():
        for old, new in changes:
            source = source.replace(old, new)
        exec(source, space)
    return space[name]


def entropy_with(logarithm, weights_too=False):
    """Return an entropy whose logarithm, or whose weights too, were kept away from 0 in some way."""

    def entropy(weights):
        kept = logarithm(weights)
        return -np.sum((kept if weights_too else weights) * np.log(kept), axis=-1)

    return entropy


ON_ENTROPY = {
    **{f"ε = {e:g} in the logarithm": entropy_with(lambda p, e=e: p + e) for e in (1e-4, 1e-5, 1e-6, 1e-7)},
    **{f"ε = {e:g} in the logarithm": entropy_with(lambda p, e=e: p + e) for e in (1e-9, 1e-12)},
    "clip(weights, 1e-3, 1)": entropy_with(lambda p: np.clip(p, 1e-3, 1), weights_too=True),
    "log(clip(weights, 1e-3, 1))": entropy_with(lambda p: np.clip(p, 1e-3, 1)),
    "log(clip(weights, 1e-4, 1))": entropy_with(lambda p: np.clip(p, 1e-4, 1)),
    "log(clip(weights, 1e-12, 1))": entropy_with(lambda p: np.clip(p, 1e-12, 1)),
}


def full_marks(name, function, seeds):
    """Count the seeds for which a function gets full marks."""
    exercise, *_ = solutions()[name]
    return sum(
        judge(exercise, seed, [reply_of(function, case) for _, case in exercise.questions(seed)]).score
        == exercise.points
        for seed in seeds
    )


def main():
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for name in solutions():
        for what, function in variants(name).items():
            print(f"{name:30} {what:32} {full_marks(name, function, range(count)):5} of {count}", flush=True)


if __name__ == "__main__":
    main()
