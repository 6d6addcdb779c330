"""Traits that say what they expected, what they got, and what to do about it."""

import math

import numpy as np
from traitlets import TraitError, TraitType


class Checked(TraitType):
    """A trait whose error is one sentence: expected, got, remedy."""

    def refuse(self, value, expected, remedy):
        """Raise the TraitError for this trait."""
        raise TraitError(f"expected {self.name} as {expected}, got {_short(value)}: {remedy}")


class Choice(Checked):
    """One of a few words."""

    def __init__(self, default, options, **settings):
        super().__init__(default, **settings)
        self.options = options

    def validate(self, obj, value):
        """Accept one of the options."""
        if not isinstance(value, str) or value not in self.options:
            quoted = " or ".join(f'"{option}"' for option in self.options)
            self.refuse(value, f"one word of {quoted}", f'write {self.name}="{self.default_value}"')
        return value


class Switch(Checked):
    """On or off."""

    def validate(self, obj, value):
        """Accept True or False, NumPy's included."""
        if not isinstance(value, bool | np.bool_):
            self.refuse(value, "True or False", f"write {self.name}={self.default_value}")
        return bool(value)


class Letters(Checked):
    """A word spelled with a few letters, no longer than ``longest``."""

    def __init__(self, default, alphabet, longest, **settings):
        super().__init__(default, **settings)
        self.alphabet, self.longest = alphabet, longest

    def validate(self, obj, value):
        """Accept 1 to ``longest`` letters of the alphabet."""
        if not isinstance(value, str) or not 1 <= len(value) <= self.longest or set(value) - set(self.alphabet):
            expected = f"a string of 1 to {self.longest} letters {' or '.join(self.alphabet)}"
            self.refuse(value, expected, f'write {self.name}="{self.default_value}"')
        return value


class Number(Checked):
    """A finite number between two ends, both included."""

    def __init__(self, default, lowest, highest, **settings):
        super().__init__(default, **settings)
        self.lowest, self.highest = lowest, highest

    def validate(self, obj, value):
        """Accept a number in the range; NaN is in no range."""
        if not _is_number(value) or not self.lowest <= value <= self.highest:
            expected = f"a number from {self.lowest:g} to {self.highest:g}"
            self.refuse(value, expected, f"write {self.name}={self.default_value:g}")
        return float(value)


class Point(Checked):
    """A vector in a plane: two finite numbers, each between two ends, both included."""

    def __init__(self, default, lowest, highest, **settings):
        super().__init__(default, **settings)
        self.lowest, self.highest = lowest, highest

    def validate(self, obj, value):
        """Accept a list, tuple or array of two numbers in the range; a truth value is not a number."""
        pair = value.tolist() if isinstance(value, np.ndarray) else value
        two = isinstance(pair, list | tuple) and len(pair) == 2
        if not two or not all(_is_number(number) and self.lowest <= number <= self.highest for number in pair):
            expected = f"two numbers from {self.lowest:g} to {self.highest:g}"
            self.refuse(pair, expected, f"write {self.name}={list(self.default_value)}")
        return [float(number) for number in pair]


class PowerOfTwo(Checked):
    """One of 1, 2, 4, … up to ``highest``."""

    def __init__(self, default, highest, **settings):
        super().__init__(default, **settings)
        self.highest = highest

    def validate(self, obj, value):
        """Accept a whole number with a single bit set."""
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not whole or not 1 <= value <= self.highest or value & (value - 1):
            self.refuse(value, f"a power of two from 1 to {self.highest}", f"write {self.name}={self.default_value}")
        return int(value)


class Index(Checked):
    """A whole number from 0; how far it may go depends on the matrices, so the demo checks that."""

    def validate(self, obj, value):
        """Accept a non-negative whole number."""
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 0:
            self.refuse(value, "a whole number from 0", f"write {self.name}=0 for the first")
        return int(value)


class Indices(Checked):
    """Different whole numbers from 0 in ascending order; how far they may go is for the demo to check."""

    def validate(self, obj, value):
        """Accept a list, tuple or range in which each number is larger than the one before; an empty one, too."""
        listed = isinstance(value, list | tuple | range)
        whole = listed and all(isinstance(i, int | np.integer) and not isinstance(i, bool) for i in value)
        if not whole or any(i < 0 for i in value) or list(value) != sorted(set(value)):
            self.refuse(value, "different whole numbers from 0, in ascending order", f"write {self.name}=[] for none")
        return [int(i) for i in value]


class Permutation(Checked):
    """Each whole number from 0 on once, in any order; how many there are is for the demo to check."""

    def validate(self, obj, value):
        """Accept a list, tuple, range or array that sorts to 0, 1, 2, …"""
        places = value.tolist() if isinstance(value, np.ndarray) else value
        listed = isinstance(places, list | tuple | range)
        whole = listed and all(isinstance(i, int | np.integer) and not isinstance(i, bool) for i in places)
        if not whole or sorted(places) != list(range(len(places))):
            remedy = f"write {self.name}=[1, 0, 2] to exchange the first two of three"
            self.refuse(places, "each whole number from 0 on once", remedy)
        return [int(i) for i in places]


class Matrix(Checked):
    """Rows of finite numbers, kept as nested lists, since that is what the page can read."""

    def validate(self, obj, value):
        """Accept anything that NumPy reads as a matrix with at least one row and one column."""
        remedy = "pass a two-dimensional NumPy array or a list of equally long rows"
        try:
            matrix = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            self.refuse(value, "a matrix of numbers", remedy)
        if matrix.ndim != 2 or 0 in matrix.shape:
            self.refuse(value, "a matrix (rows, columns), each at least 1", remedy)
        if not np.isfinite(matrix).all():
            row, column = np.argwhere(~np.isfinite(matrix))[0]
            got = f"{matrix[row, column]} in row {row}, column {column}"
            self.refuse(got, "finite numbers only", "replace NaN and infinity first")
        return matrix.tolist()


class Mask(Checked):
    """Rows of True and False, kept as nested lists."""

    def validate(self, obj, value):
        """Accept a matrix of truth values with at least one row and one column; numbers are none."""
        try:
            mask = np.asarray(value)
        except ValueError:
            mask = np.empty(0)  # rows of different lengths
        if mask.ndim != 2 or 0 in mask.shape or mask.dtype != bool:
            self.refuse(value, "a matrix of True and False", "compare first, as in mask > 0")
        return mask.tolist()


class Words(Checked):
    """A list of words, one for each row."""

    def validate(self, obj, value):
        """Accept a list or tuple of one or more non-empty strings."""
        if not isinstance(value, list | tuple) or not value or not all(isinstance(w, str) and w for w in value):
            self.refuse(value, "a list of words", 'write words=["the", "hungry", "lion"]')
        return list(value)


class Lines(Checked):
    """So many strings, each of at most ``longest`` letters; the reader chooses their text."""

    def __init__(self, default, count, longest, **settings):
        super().__init__(default, **settings)
        self.count, self.longest = count, longest

    def validate(self, obj, value):
        """Accept a list or tuple of exactly ``count`` strings that are not too long; empty ones, too."""
        if (
            not isinstance(value, list | tuple)
            or len(value) != self.count
            or not all(isinstance(t, str) for t in value)
        ):
            self.refuse(value, f"{self.count} strings", f"write {self.name}={list(self.default_value)}")
        if longer := [text for text in value if len(text) > self.longest]:
            self.refuse(longer[0], f"strings of at most {self.longest} letters", "shorten it")
        return list(value)


class Curves(Checked):
    """Lines of training, name -> [[step, loss], ...], for all of the names or, as None or {}, for none.

    Losses are kept to four digits: the page carries every one of them, and no line shows more.
    """

    def __init__(self, names, longest, **settings):
        super().__init__({}, **settings)
        self.names, self.longest = names, longest

    def validate(self, obj, value):
        """Accept a dict with exactly the names, each with a line."""
        if value is None or (isinstance(value, dict) and not value):
            return {}
        if not isinstance(value, dict) or set(value) != set(self.names):
            got = list(value) if isinstance(value, dict) else value
            named = " and ".join(f'"{name}"' for name in self.names)
            self.refuse(got, f"a dict with the names {named}", f"write {self.name}={{}} for no lines")
        return {name: self._line(name, value[name]) for name in self.names}

    def _line(self, name, points):
        try:
            line = np.asarray(points)
        except ValueError:
            line = np.empty(0)  # pairs of different lengths
        if line.ndim != 2 or line.shape[1] != 2 or line.dtype.kind not in "iuf":
            remedy = "pass [[1, 4.9], [10, 3.2]], each pair a step and a loss"
            self.refuse(points, f'pairs of numbers for "{name}"', remedy)
        if not 2 <= len(line) <= self.longest:
            remedy = "pass more steps, or thin them out to every tenth"
            self.refuse(len(line), f'2 to {self.longest} points for "{name}"', remedy)
        steps, losses = line.T
        before = np.append(-1, steps[:-1])
        self._require(name, "steps that increase from 0 on", steps, steps > before, "sort them, and give each once")
        self._require(name, "losses above 0", losses, losses > 0, "leave out those that have no logarithm")
        return [[step, float(f"{loss:.4g}")] for step, loss in line.tolist()]

    def _require(self, name, expected, numbers, good, remedy):
        wrong = np.flatnonzero(~(good & np.isfinite(numbers)))  # a comparison with NaN is false
        if len(wrong):
            self.refuse(f"{numbers[wrong[0]]:g} in row {wrong[0]}", f'{expected} for "{name}"', remedy)


def require_fit(words, x, w_q, w_k, w_v, w_o=None):
    """Refuse a sentence and the matrices of its attention where sizes do not fit; ``w_o`` where there are heads."""
    sizes = {
        "rows of x": (len(x), "words", len(words)),
        "rows of w_q": (len(w_q), "columns of x", len(x[0])),
        "rows of w_k": (len(w_k), "columns of x", len(x[0])),
        "rows of w_v": (len(w_v), "columns of x", len(x[0])),
        "columns of w_k": (len(w_k[0]), "columns of w_q", len(w_q[0])),
    }
    shapes = "x is (n, d_model), w_q and w_k are (d_model, d_k), w_v is (d_model, d_v)"
    if w_o is not None:
        sizes["rows of w_o"] = (len(w_o), "columns of w_v", len(w_v[0]))
        shapes = "x is (n, d_model), w_q and w_k are (d_model, h·d_k), w_v is (d_model, h·d_v), w_o is (h·d_v, d_out)"
    for left, (size, right, wanted) in sizes.items():
        if size != wanted:
            raise TraitError(
                f"expected as many {left} as {right}, got {size} and {wanted}: {shapes}; "
                "change several in `with demo.hold_trait_notifications():`"
            )


def _is_number(value):
    """Tell numbers, NumPy's included, from truth values and all the rest."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _short(value):
    """Show a value in an error without printing a whole array."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    shown = value if isinstance(value, str) and " in row " in value else repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
