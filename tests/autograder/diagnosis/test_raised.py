"""What wrong answers are told that raise an error: its cause where Python's or NumPy's words say little of it."""

import importlib
import inspect
import math
import re

import numpy as np
import pytest

from autograder.diagnosis.known_errors import KNOWN_ERRORS, LAST_RESORT, WITHOUT_LEADING_AXES
from autograder.diagnosis.raised import suggestion

from .test_relations import EXERCISES, told


def divided_by(sums):
    """Return softmax whose powers are divided by what ``sums`` makes of them and of the axis."""
    return lambda scores, axis=-1: np.exp(scores) / sums(np.exp(scores), axis)


def filled(place):
    """Return softmax that begins by putting a row into ``place``."""

    def answer(scores, axis=-1):
        place[0] = scores[0]
        return np.array(place)

    return answer


def unpacked(scores, axis=-1):
    """Expect three lengths."""
    _, _, _ = np.empty((2, 3)).shape
    return scores


def imported(scores, axis=-1):
    """Use a package that is not there."""
    return importlib.import_module("no_such_package_anywhere").softmax(scores)


def counted(sentences):
    """Count words without a number to begin with."""
    counts = {}
    for word in " ".join(sentences).split():
        counts[word] += 1
    return counts


WRONG = [
    ("softmax", divided_by(lambda powers, axis: math.sqrt(powers.shape)), "A tuple is used where a number"),
    ("softmax", divided_by(lambda powers, axis: powers.shape**0.5), "A tuple is used where a number"),
    ("softmax", filled(()), "A tuple cannot be changed"),
    ("softmax", filled([]), "An empty list has none at all"),
    ("softmax", lambda scores, axis=-1: [[]][1], "runs past the end of a list"),
    ("softmax", divided_by(lambda powers, axis: max([])), "a list was never filled"),
    ("softmax", lambda scores, axis=-1: divided_by(), "Python names the last ones"),
    ("softmax", unpacked, "more names on the left of `=`"),
    ("softmax", imported, "This package is not installed here"),
    ("softmax", divided_by(lambda powers, axis: len(powers.ravel()[0])), "A single number has no elements"),
    ("softmax", divided_by(lambda powers, axis: powers.sum(axis, True)), "what comes after its axis needs its name"),
    ("softmax", lambda scores, axis=-1: "axis " + axis, "`+` joins texts"),
    ("softmax", divided_by(lambda powers, axis: math.log(0 * len(powers))), "`math.log` has no value at 0"),
    ("softmax", divided_by(lambda powers, axis: powers.sum(axis)[..., None][:, 0, 0]), "fewer axes than there are"),
    ("softmax", divided_by(lambda powers, axis: powers.sum(axis=2, keepdims=True)), "does not have this axis"),
    ("softmax", divided_by(lambda powers, axis: powers[len(powers)]), "the last one is the length minus 1"),
    ("vocabulary", lambda sentences: {sentences: set(sentences)[0]}, "no positions and perhaps no order"),
    ("vocabulary", lambda sentences: {}.append(sentences), "A dictionary is filled with"),
    ("vocabulary", lambda sentences: sentences["mat"], "The elements of a list have numbers"),
    ("vocabulary", counted, "The dictionary does not have this key"),
    ("split_heads", lambda x, h: np.arange(6).reshape(-1, h, -1), "only one may be -1"),
    ("split_heads", lambda x, h: x.view(x.shape[-2], h, x.shape[-1] // h), "Write `reshape`"),
    ("split_heads", lambda x, h: x.reshape(7, 11), "size 12 into shape (7,11) in a worked example. A reshape keeps"),
    ("split_heads", lambda x, h: np.ones((2, 3, 4)).transpose(1, 0), "`np.swapaxes(x, -1, -2)` swaps two"),
]


@pytest.mark.parametrize(("name", "function", "words"), WRONG)
def test_what_an_error_means_is_told(name, function, words):
    """The message begins with the error's type and says what a beginner should look for."""
    said = told(name, function)
    assert re.match(r"Raises \w+Error\b", said)
    assert words in said


@pytest.mark.parametrize(("name", "shown"), [("rnn", "b_y, h0=None"), ("layer_norm", "beta, eps=1e-05")])
def test_an_argument_that_lost_its_default_is_shown_with_it(name, shown):
    """A function without defaults is told the released signature; there, None is a default like others."""
    arguments, alone = inspect.signature(EXERCISES[name].reference).parameters, {}
    exec(f"def {name}({', '.join(arguments)}): return 0", alone)
    assert f"{shown}`, in this order" in told(name, alone[name])


def test_an_error_in_the_example_comes_before_a_property_of_other_answers():
    """An axis that only some inputs have: their rows do not sum to one, but the example does not get that far."""
    assert "sum to one" not in told("softmax", divided_by(lambda powers, axis: powers.sum(axis=2, keepdims=True)))


def test_an_error_in_batches_alone_does_not_hide_wrong_numbers():
    """Lengths that do not match where sentences are looped over are not what is wrong with a single sentence."""

    def answer(w_hh, h):
        gradient = np.eye(len(w_hh))
        for state in h:
            gradient = gradient * (1.5 - state**2) @ w_hh
        return gradient

    assert "differs in" in told("gradient_through_time", answer)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("'numpy.ndarray' object has no attribute 'permute'", "did you mean `.transpose`?"),
        ("module 'numpy' has no attribute 'cat'", "did you mean `np.concatenate`?"),
    ],
)
def test_pytorchs_words_are_known(said, meant):
    """They are no misspelling of NumPy's, which has other names for the same."""
    assert suggestion(("AttributeError", said), "") == meant


def test_every_pattern_can_be_searched():
    """A table's first column is a pattern, and each meaning is one or more sentences."""
    for pattern, *meanings in (*WITHOUT_LEADING_AXES, *KNOWN_ERRORS, *LAST_RESORT):
        re.compile(pattern)
        assert all(meaning.endswith(".") for meaning in meanings)
