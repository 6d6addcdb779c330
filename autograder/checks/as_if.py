"""Right answers to other questions: what the reference says if an input, or a step on the way, were another.

It asks the reference, so it stays on the trusted side; the self-check does without it.
"""

import numpy as np

from .compare import ask, numbers, same
from .factors import times_a_factor
from .likeness import Pair, diagonal, holds_nan, softened, values_of


def rows(form):
    """Return a form for arrays with rows, which leaves single rows alone."""
    return lambda a: form(a) if a.ndim > 1 else None


def spread(a):
    """Return the spread of each row, 1 where there is none."""
    found = a.std(axis=-1, keepdims=True)
    return np.where(found > 0, found, 1.0)


def added_up(a):
    """Put each row's sum in its first place, and 0 in all others, so that a product sees the sums alone."""
    sums = np.zeros(a.shape)
    sums[..., 0] = a.sum(axis=-1)
    return sums


def without(index, axis):
    """Return a form that puts 0 in one place along an axis."""

    def form(a):
        if a.ndim < -axis:
            return None
        kept = np.array(a, dtype=float)
        np.moveaxis(kept, axis, -1)[..., index] = 0
        return kept

    return form


def on_diagonal(a):
    """Return what stands on the diagonal, as a row; None where a table is not square."""
    return a[diagonal(a)].reshape(-1) if a.ndim == 2 and a.shape[0] == a.shape[1] else None


def distances(a):
    """Make negative squared distances of dot products."""
    own = on_diagonal(a)
    return None if own is None else 2 * a - own[:, None] - own


def cosines(a):
    """Make cosines of dot products."""
    own = on_diagonal(a)
    return None if own is None or (own <= 0).any() else a / np.sqrt(own[:, None] * own)


ALTERED = (
    ("cut to whole numbers", np.trunc),
    ("rounded down to whole numbers", np.floor),
    ("without its signs", np.abs),
    ("with 0 for all that is negative", lambda a: np.maximum(a, 0)),
    ("with the opposite sign", lambda a: -a),
    ("with rows and columns exchanged", rows(lambda a: np.swapaxes(a, -1, -2))),
    ("after softmax", lambda a: softened(a) if a.ndim else None),
    ("after softmax down its columns", rows(lambda a: np.swapaxes(softened(np.swapaxes(a, -1, -2)), -1, -2))),
    ("with each row divided by its length", lambda a: a / np.linalg.norm(a, axis=-1, keepdims=True)),
    ("with each row divided by its sum", lambda a: a / a.sum(axis=-1, keepdims=True)),
    (
        "with each row divided by its largest number",
        lambda a: a / np.where(a.max(axis=-1, keepdims=True) == 0, 1.0, np.abs(a).max(axis=-1, keepdims=True)),
    ),
    ("with each row less its largest number", lambda a: a - a.max(axis=-1, keepdims=True)),
    ("with each column less its largest number", rows(lambda a: a - a.max(axis=-2, keepdims=True))),
    ("with each row less its mean", lambda a: a - a.mean(axis=-1, keepdims=True)),
    (
        "with each row less its mean, divided by its spread",
        lambda a: (a - a.mean(axis=-1, keepdims=True)) / spread(a),
    ),
    ("less its mean, divided by its spread", lambda a: (a - a.mean()) / a.std()),
    ("divided by its spread", lambda a: a / a.std()),
    ("with the numbers of each row in order of size", lambda a: np.sort(a, axis=-1)),
    ("squared", np.square),
    ("under a square root", np.sqrt),
    ("under a logarithm", np.log),
    ("with e to the power of each number", lambda a: np.power(np.e, a)),
    ("without its last row", without(-1, -2)),
    ("without its first row", without(0, -2)),
    ("without its last column", without(-1, -1)),
    ("without its first column", without(0, -1)),
    ("with its last column alone", lambda a: a * (np.arange(a.shape[-1]) == a.shape[-1] - 1)),
    ("with its first column alone", lambda a: a * (np.arange(a.shape[-1]) == 0)),
    ("with each row added up to one number before the product", added_up),
    ("with its numbers read on into the other shape (reshape, where axes should be exchanged)",
     rows(lambda a: np.swapaxes(a.reshape(*a.shape[:-2], a.shape[-1], a.shape[-2]), -1, -2))),
    ("with its rows in reverse order", rows(lambda a: a[..., ::-1, :])),
    ("with 0 on its diagonal", rows(lambda a: np.where(diagonal(a), 0.0, a))),
    ("with -inf on its diagonal", rows(lambda a: np.where(diagonal(a), -np.inf, a))),
    ("with -inf above its diagonal", rows(lambda a: np.where(np.tri(*a.shape[-2:], dtype=bool), a, -np.inf))),
    ("with -inf below its diagonal", rows(lambda a: np.where(np.tri(*a.shape[-2:], -1, dtype=bool), -np.inf, a))),
    ("as negative squared distances and not dot products", distances),
    ("as cosines and not dot products", cosines),
    ("in half precision (float16)", lambda a: a.astype(np.float16).astype(float)),
    ("rounded to whole numbers", np.round),
    *((f"rounded to {digits} decimals", lambda a, digits=digits: np.round(a, digits)) for digits in (1, 2, 3, 4)),
)  # fmt: skip
NUMBERS = (
    ("cut to a whole number", np.trunc),
    *(("squared", lambda n: n**2), ("under a square root", np.sqrt), ("doubled", lambda n: 2 * n)),
    *(("halved", lambda n: n / 2), ("one larger", lambda n: n + 1), ("one smaller", lambda n: n - 1)),
    *(("upside down", lambda n: 1 / n), ("under a logarithm", np.log), ("taken from one", lambda n: 1 - n)),
)


def alterations(exercise, seen):
    """Yield ``(words, ask)``; ``ask`` gives the answer to one call altered in one way, or None."""
    given, found = seen[0].given, exercise.reference
    tables = [name for name, value in given.items() if isinstance(value, np.ndarray) and value.ndim]
    sizes = [name for name, value in given.items() if not isinstance(value, np.ndarray) and name != "axis"]
    if exercise.within:
        on_the_way = exercise.within
        for words, form in ALTERED:
            yield (
                f"the {on_the_way.name} on the way {words}",
                lambda call, form=form: on_the_way.altered(call.given, form),
            )
    for names in [*([name] for name in tables), *([tables] if len(tables) > 1 else [])]:
        called = " and ".join(f"`{name}`" for name in names)
        for words, form in ALTERED:
            words = words.replace(" its ", " their ") if len(names) > 1 else words
            yield f"{called} {words}", lambda call, names=names, form=form: altered(found, call, names, form)
    for name in sizes:
        for words, form in NUMBERS:
            yield f"`{name}` {words}", lambda call, name=name, form=form: altered(found, call, [name], form)
        for value in {call.given[name] for call in seen if call.worked}:
            yield (
                f"`{name}` = {value:.4g} every time, as in a worked example",
                lambda call, name=name, value=value: found(**{**call.given, name: value}),
            )
    yield from exchanges(found, tables)


def exchanges(found, names):
    """Yield what comes of two arguments exchanged, or of one in the place of another."""
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            yield (
                f"`{one}` and `{other}` exchanged",
                lambda call, a=one, b=other: found(**{**call.given, a: call.given[b], b: call.given[a]}),
            )
    for one in names:
        for other in names:
            if one != other:
                yield (
                    f"`{other}` in the place of `{one}`",
                    lambda call, a=one, b=other: found(**{**call.given, a: call.given[b]}),
                )


def altered(found, call, names, form):
    """Ask with some arguments altered by a form; None where the form makes nothing of one of them."""
    changed = {name: form(np.asarray(call.given[name], dtype=float)) for name in names}
    if any(value is None for value in changed.values()):
        return None
    return found(**{**call.given, **{name: v if v.ndim else float(v) for name, v in changed.items()}})


def as_if(exercise, seen):
    """Return a sentence that says for which other inputs the answers would be right, or None."""
    telling = sorted(seen, key=lambda call: (call.worked, call.leading))  # worked examples tell the least
    telling = [call for call in telling if not call.answer.error and not holds_nan(call.answer.value)]
    if len(telling) < 2:
        return None
    for words, question in alterations(exercise, seen):
        if explains(question, telling):
            return f"These would be the right answers with {words}. Take it as it is, without that step."
    return None


def explains(question, seen):
    """Say whether all answers are those to the altered question; two or more must differ from the right ones."""
    differing = 0
    for call in seen:
        reply = ask(question, (call,), {})
        if reply.error or reply.value is None or holds_nan(reply.value):
            continue
        if not same(call.answer.value, reply.value):
            if call.leading and not same_shape(call.answer.value, reply.value):
                continue
            return False
        differing += not same(reply.value, call.right.value)
    return differing > 1


def same_shape(one, other):
    """Say whether two answers have the same shapes."""
    return [np.shape(numbers(v)) for v in values_of(one)] == [np.shape(numbers(v)) for v in values_of(other)]


def as_if_times(exercise, seen):
    """Like ``as_if``, for answers that are right for another input but for a factor; for single results."""
    if len(exercise.returns) > 1:
        return None
    name = exercise.returns[0]
    telling = [call for call in seen if not call.answer.error and numbers(call.answer.value) is not None]
    for words, question in alterations(exercise, seen) if len(telling) > 1 else ():
        pairs = []
        for call in sorted(telling, key=lambda call: (call.worked, call.leading)):
            reply = ask(question, (call,), {})
            if reply.error or reply.value is None or holds_nan(reply.value):
                continue
            pairs.append(Pair(numbers(call.answer.value).astype(float), numbers(reply.value).astype(float), call))
            if len(pairs) == 1 and (pairs[0].right.size < 2 or not times_a_factor(name, pairs, 0)):
                break
        else:
            if len(pairs) > 1 and (said := times_a_factor(name, pairs, 2)):
                return f"With {words}: {said}"
    return None
