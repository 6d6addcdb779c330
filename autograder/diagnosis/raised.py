"""Explains the errors that wrong answers raise, by type and by the lengths that did not match."""

import builtins
import re
from difflib import get_close_matches
from typing import Any

import numpy as np

from .compare import LENGTH, mismatch
from .difference import written
from .known_errors import KNOWN_ERRORS, LAST_RESORT, WITHOUT_LEADING_AXES
from .likeness import Call, Signature, error_of, first_wrong_example, is_right, names_of

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
    optional = signature.get("optional", ())
    listed = [
        name if default is None and name not in optional else f"{name}={default_text(default)}"
        for name, _, default in signature["arguments"]
    ]
    return f"The function must take the arguments `{', '.join(listed)}`, in this order, as in the released notebook."


def default_text(default: Any) -> str:
    """Return a default as the notebook writes it."""
    return "np.e" if isinstance(default, float) and abs(default - np.e) < 1e-9 else written(default)


def errors_in(seen: list[Call]) -> list[Call]:
    """Return the wrong calls that raise; none if, without leading axes, all wrong answers are numbers."""
    wrong = [call for call in seen if not is_right(call)]
    ordinary = [call for call in wrong if not call.leading]
    matter = not ordinary or any(call.answer.error for call in ordinary)
    return [call for call in wrong if call.answer.error and matter]


def known_error(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Explain an error of Python's or NumPy's whose message says little to a beginner."""
    wrong = errors_in(seen)
    ordinary = [call for call in wrong if not call.leading]
    for known, calls in ((WITHOUT_LEADING_AXES, ordinary), (KNOWN_ERRORS, wrong)):
        if len({error_of(call)[0] for call in calls}) > 1:  # raised on purpose, they could leak unseen inputs
            continue
        for pattern, *meanings in known:
            if len(calls) >= min(2, len(seen)) and all(re.search(pattern, error_of(call)[1]) for call in calls):
                return f"Raises {error_of(calls[0])[0]}. {meanings[0] if len(returns) > 1 else meanings[-1]}"
    return None


def raising_example(seen: list[Call]) -> Call | None:
    """Return the first wrong worked example, if it raises, and is not the only call that does."""
    first, raising = first_wrong_example(seen), [call for call in seen if call.answer.error and not is_right(call)]
    return first if first and first.answer.error and len(raising) >= min(2, len(seen)) else None


def known_in_an_example(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Explain the error that the first wrong worked example raises, where other inputs raise another, too."""
    first = raising_example(seen)
    if not first:
        return None
    kind, said = error_of(first)
    for pattern, *meanings in (*WITHOUT_LEADING_AXES, *KNOWN_ERRORS):
        if re.search(pattern, said):
            return f"Raises {kind} in a worked example. {meanings[0] if len(returns) > 1 else meanings[-1]}"
    for pattern, meaning in LAST_RESORT:
        if found := re.search(pattern, f"{kind}: {said}"):
            return f"Raises {found[0]} in a worked example. {meaning}"
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
    wrong = errors_in(seen)
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
OTHER_NAMES = {  # PyTorch's, and a list's, for what NumPy calls otherwise
    **{"permute": ".transpose", "unsqueeze": "np.expand_dims", "numel": ".size", "dim": ".ndim"},
    **{"masked_fill": "np.where", "cat": "np.concatenate", "bmm": "np.matmul", "mm": "np.matmul", "index": "np.argmax"},
}
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
        named = [f"np.{name}" if is_module else f".{name}" for name in near] or in_numpy(found[2])
        meant = [OTHER_NAMES[found[2]]] if found[2] in OTHER_NAMES else named
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
    wrong = errors_in(seen)
    ordinary = [call for call in wrong if not call.leading]  # leading axes may pair other lengths
    found = lengths_met(wrong, seen) or lengths_met(ordinary, seen)
    return advice_on_lengths(*found) if found else None


def unmet_in_an_example(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Tell the lengths that did not match in the first wrong worked example: no pair of names fits all calls."""
    first = raising_example(seen)
    found = mismatch(error_of(first)) if first else None
    if not found:
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
