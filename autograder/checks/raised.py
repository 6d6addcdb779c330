"""Explains the errors that wrong answers raise, by type and by the lengths that did not match."""

import builtins
import re
from difflib import get_close_matches
from typing import Any

import numpy as np

from .compare import LENGTH, mismatch
from .difference import written
from .likeness import Call, Signature, error_of, is_right, names_of

PYTHONS_WORDS = ("positional argument", "unexpected keyword argument", "multiple values for argument")


def refused(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say which arguments a function must take, if its own parameters refused the call."""
    wrong = [call.answer.error for call in seen if call.answer.error and not is_right(call)]
    if not wrong or not all(
        kind == "TypeError"
        and said.startswith(f"{signature['name']}()")
        and any(words in said for words in PYTHONS_WORDS)
        for kind, said in wrong
    ):
        return None
    listed = [name if default is None else f"{name}={written(default)}" for name, _, default in signature["arguments"]]
    return f"The function must take the arguments `{', '.join(listed)}`, in this order, as in the released notebook."


SEVERAL, STACKED = "Return several results as `a, b`.", "Return several results side by side: `return a, b`."
ONE = "Look at the axis along which each part is summed, and at its length afterwards."
# What NumPy and Python say of an error, as a pattern, and what it means; where one result is wanted, rows may be meant.
KNOWN_ERRORS = (
    ("shape-mismatch for sum", "`np.tensordot` sums over two axes by default. `@` sums over one."),
    (
        "all input arrays must have the same shape",
        "Arrays of unequal shape were stacked into one. " + STACKED,
        "Arrays of unequal shape were stacked into one. " + ONE,
    ),
    (
        "inhomogeneous shape",
        "Arrays of unequal shape were put into one. " + SEVERAL,
        "Arrays of unequal shape were put into one. " + ONE,
    ),
    (r"for \^|'bitwise_xor'", "`^` is not a power in Python: write `**`."),
    (
        "Integers to negative integer powers",
        "NumPy cannot raise an integer to a negative power: make one of them a float.",
    ),
    (
        "truth value of an array",
        "A whole array is used where Python needs one True or False, as in `if`, `and`, `or`, max and min. "
        "Compare entry by entry: `np.where`, `np.maximum`, `np.minimum`.",
    ),
    (
        "axes don't match array",
        "A transpose that names its axes, such as `transpose(1, 0, 2)`, fits only that many axes, and a batch has "
        "more. `np.swapaxes`, with axes counted from the end, leaves leading axes in place.",
    ),
    (
        "'tuple' object has no attribute",
        "A tuple is used where an array is needed. A function with several results returns a tuple: unpack it, "
        "`a, b = f(x)`.",
    ),
    (
        "Cannot cast ufunc",
        "`+=`, `-=`, `*=` and `/=` write their result into the existing array, and an array of integers holds "
        "no fractions. It may also be one of the function's arguments, which must not change. Write `x = x / y`, "
        "which makes a new array.",
    ),
    (
        "Axis must be specified when shapes of a and weights differ",
        "`np.average` needs the axis along which the weights run: `axis=0` for one weight per row.",
    ),
)

# The same for errors that leading axes may cause, too: they mean this where there are none.
WITHOUT_LEADING_AXES = (
    (
        r"builtin_function_or_method|'method'|'(function|numpy\.ufunc)' object is not (subscriptable|iterable)",
        "A function or a method lacks its round brackets: `x.sum()`, not `x.sum` or `x.sum[0]`.",
    ),
    (
        "'int' object is not iterable",
        "One number was given where several are needed. A loop counts with `range(n)`, and `append` adds one element "
        "to a list, not `extend`.",
    ),
    ("can only concatenate list", "`+` joins two lists: put a single element into brackets, `tokens + [word]`."),
    ("unhashable type", "A list or an array was looked up in a dictionary. Look up one of its elements at a time."),
    (
        "expected str instance, (int|numpy)",
        "`join` puts texts together, and was given numbers. Look up the word of each number first.",
    ),
    (
        "'list' object has no attribute '(split|lower|upper|strip|replace)'",
        "This is a list of texts, and such a method works on one text. Loop over the list.",
    ),
    (
        "is not callable",
        "Round brackets call what is in front of them, and that is no function. An index takes square brackets, as in "
        "`x.shape[0]`; a product needs its `*` or `@`. Or a name such as `sum` was given a value above, and is no "
        "function any more.",
    ),
    (
        r"'(int|float|numpy\.\w+)' object is not subscriptable|unpack non-iterable (int|float|numpy)|index to scalar",
        "A single number has no elements: `x.shape` holds all lengths, and `x.shape[0]` is one of them.",
    ),
    (
        "cannot access local variable|before assignment",
        "A variable has no value yet: the line that gives it one comes later, or is in a loop or an `if` that was "
        "never entered.",
    ),
    (
        "maximum recursion depth",
        "The function calls itself, and so on without end. Write out what it does, or call a function of an earlier "
        "exercise.",
    ),
    (
        r"did not contain a loop.*<U",
        "A text is used where numbers are needed. Quotation marks make a text, and so does an array that holds one.",
    ),
    (
        "numpy boolean (subtract|negative)",
        "`-` does not work on True and False. To invert a mask write `~mask`; to calculate with it, "
        "`mask.astype(float)`.",
    ),
    (
        "Cannot interpret .* as a data type",
        "`np.zeros`, `np.ones` and `np.full` take the shape as one tuple: `np.zeros((m, n))`.",
    ),
    (
        "converted to Python scalars",
        "`math.exp`, `float` and others of Python's own take one number, and were given an array. NumPy's functions "
        "take arrays: `np.exp`, `np.sqrt`.",
    ),
    (
        "converted to a scalar index",
        "An array was given where one whole number is needed. `np.stack` and `np.concatenate` take their arrays as one "
        "list, `np.stack([a, b])`, and the index of a list is one number.",
    ),
    (
        "setting an array element with a sequence",
        "Several numbers were written into a place for one. Look at the shape that the array was made with, and at "
        "what is written into it.",
    ),
    (
        "unsupported operand .*'list'|multiply sequence|list indices .* not tuple|"
        r"'list' object has no attribute '(T|shape|ndim|size|sum|mean|max|min|dot|reshape|astype|transpose)'",
        "A list does not calculate like an array. Make it one: `np.array`.",
    ),
    (
        "float.* interpreted as an integer|indices must be integers .*(float|__index__)|sequence of integers",
        "A length, an index and the end of a range must be whole numbers. `/` gives a float: divide with `//`.",
    ),
    (
        "only integers, slices",
        "The index of an array is a whole number or a slice, and this is neither. `/` gives a float: divide with "
        "`//`. A word needs its number first.",
    ),
    (
        r"does not have enough dimensions \(has 0",
        "`@` multiplies arrays, and one of the two has no axes: it is a single number, None, or a method without its "
        "brackets `()`.",
    ),
    (
        "NoneType",
        "None is used like an array or a number. An argument may be None; a function without `return` gives None, and "
        "so does `list.append`.",
    ),
)


def known_error(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Explain an error of Python's or NumPy's whose message says little to a beginner."""
    wrong = [call for call in seen if call.answer.error and not is_right(call)]
    ordinary = [call for call in wrong if not call.leading]
    for known, calls in ((KNOWN_ERRORS, wrong), (WITHOUT_LEADING_AXES, ordinary)):
        if len({error_of(call)[0] for call in calls}) > 1:  # raised on purpose, they could leak unseen inputs
            continue
        for pattern, *meanings in known:
            if len(calls) >= min(2, len(seen)) and all(re.search(pattern, error_of(call)[1]) for call in calls):
                return f"Raises {error_of(calls[0])[0]}. {meanings[0] if len(returns) > 1 else meanings[-1]}"
    return None


def letters_looked_up(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say that letters were looked up in place of words: every key that is missing has one letter."""
    errors = [error_of(call) for call in seen if call.answer.error and not is_right(call)]
    given = [value[0] if isinstance(value, list) and value else value for value in seen[0].given.values()]
    texts = [value for value in given if isinstance(value, str)]
    one_letter = [kind == "KeyError" and re.fullmatch("'.'", said) is not None for kind, said in errors]
    if not texts or len(errors) < min(2, len(seen)) or not all(one_letter):
        return None
    return "Raises KeyError: letters were looked up. A loop over a text goes letter by letter: use `text.split()`."


def past_the_end(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Name the axis whose end an index exceeds."""
    wrong = [call for call in seen if call.answer.error and not is_right(call)]
    names = None
    for call in wrong:
        found = re.search(rf"is out of bounds for axis -?\d+ with size {LENGTH}", error_of(call)[1])
        if error_of(call)[0] != "IndexError" or not found:
            return None
        sized = names_of(int(found[1]), call)
        names = sized if names is None else names & sized
    if not names or len(names) > 1 or len(wrong) < min(2, len(seen)):
        return None
    return f"Raises IndexError: an index runs past the end of an axis of length {names.pop()}. Look at what it counts."


NOT_DEFINED = re.compile(r"name '(\w{1,80})' is not defined")
NOT_IN_NUMPY = re.compile(r"(module 'numpy'|'numpy\.ndarray' object) has no attribute '(\w{1,80})'\Z")
NO_KEYWORD = re.compile(r".{1,80} got an unexpected keyword argument '(\w{1,80})'", re.DOTALL)
KEYWORDS = {name: name for name in ("axis", "keepdims", "dtype")} | {"dim": "axis"}  # the last is PyTorch's word
WORD = re.compile(r"(?<![\w.])[^\W\d]\w{1,39}\b")
MOST_WORDS = 1000  # of a text, among which a similar one is looked for


def suggestion(error: tuple[str, str], text: str) -> str:
    """Say what a name that does not exist may mean, by the words of a text and NumPy's; "" for no idea."""
    kind, said = error
    meant = []
    if kind == "NameError" and (found := NOT_DEFINED.match(said)):
        words = [word for word in dict.fromkeys(WORD.findall(text)) if word != found[1]]
        capital = [name for name in dir(builtins) if name.lower() == found[1]]
        near = capital or nearest(found[1], words[:MOST_WORDS])
        meant = ["np"] if found[1] == "numpy" else [*near, *in_numpy(found[1])]
    elif kind == "AttributeError" and (found := NOT_IN_NUMPY.match(said)):
        is_module = found[1].startswith("module")
        near = nearest(found[2], [name for name in dir(np if is_module else np.ndarray) if name[0] != "_"])
        meant = [f"np.{name}" if is_module else f".{name}" for name in near] or in_numpy(found[2])
    elif kind == "TypeError" and (found := NO_KEYWORD.match(said)):
        others = [name for name, meaning in KEYWORDS.items() if meaning != found[1]]  # not all functions take an axis
        meant = [f"{KEYWORDS[name]}=" for name in nearest(found[1], others)]
    return f"did you mean {' or '.join(f'`{one}`' for one in meant)}?" if meant else ""


def nearest(name: str, known: list[str]) -> list[str]:
    """Return the known name that is most like this one, if any is."""
    return get_close_matches(name, known, 1, 0.7)


def raised_at(place: str) -> str:
    """Return the sentence that says where an error was raised, "" where that is not known: ``in line 2, `x @ y```."""
    return f" The error is raised {place}." if place else ""


def in_numpy(name: str) -> list[str]:
    """Return NumPy's function of this name, if there is one."""
    return [f"np.{name}"] if callable(vars(np).get(name)) else []


def lengths_met(wrong: list[Call], seen: list[Call]) -> tuple[str, str, str] | None:
    """Return the operation in which lengths did not match, with the names of both, if only one pair fits."""
    found = [mismatch(error_of(call)) for call in wrong]
    met = [one for one in found if one]
    if len(wrong) < min(2, len(seen)) or len(met) < len(wrong) or len({kind for kind, _, _ in met}) > 1:
        return None
    pairs: Any = None
    for (kind, left, right), call in zip(met, wrong, strict=True):
        names = {(a, b) for a in names_of(left, call) for b in names_of(right, call)}
        if kind != "product":
            names = {tuple(sorted(pair)) for pair in names}
        pairs = names if pairs is None else pairs & names
    return (met[0][0], *pairs.pop()) if len(pairs) == 1 else None


def unmet_lengths(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Name the lengths that did not match, if an error says so."""
    wrong = [call for call in seen if call.answer.error and not is_right(call)]
    ordinary = [call for call in wrong if not call.leading]  # leading axes may pair other lengths
    found = lengths_met(wrong, seen) or lengths_met(ordinary, seen)
    return advice_on_lengths(*found) if found else None


def unmet_in_an_example(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Tell the lengths that did not match in the first wrong worked example: no pair of names fits all calls."""
    wrong = [call for call in seen if not is_right(call)]
    first = next((call for call in wrong if call.worked), None)
    found = mismatch(error_of(first)) if first else None
    if not found or sum(bool(call.answer.error) for call in wrong) < min(2, len(seen)):
        return None
    kind, left, right = found
    return advice_on_lengths(kind, str(left), str(right), ", in a worked example")


def advice_on_lengths(kind: str, left: str, right: str, there: str = "") -> str:
    """Say which two lengths met, in a product or elsewhere, and what to look at."""
    if kind == "product":
        return (
            f"In a product, rows of length {left} on the left met columns of length {right} on the right{there}. The "
            "two lengths next to `@` must be the same: write the shapes under the product. Are the factors in the "
            "wrong order, is a transpose missing or superfluous, or does `.T` reverse all axes, where "
            "`np.swapaxes(x, -1, -2)` swaps the last two?"
        )
    return (
        f"Two arrays do not line up: one has length {left} where the other has {right}{there}. NumPy lines shapes up "
        "from the right. Look for a sum or a maximum without `keepdims=True`, one number per row that is not a column "
        "(`[:, None]`), `*` for `@`, something added that does not belong there, an array made with another shape, "
        "or letters of an einsum."
    )
