"""How a wrong answer is related to the right one: looked for over all cases at once, for every exercise alike.

A relation claims only what it has shown. The more specific speaks first.
"""

import re

import numpy as np

from .compare import Answer, mismatch, numbers, same
from .factors import like_weights, times_a_factor, times_some_factor, vaguely_like_weights
from .likeness import (
    Pair,
    Seen,
    agrees,
    all_alike,
    holds_nan,
    like_a_form,
    like_an_argument,
    like_another_result,
    nearly,
    values_of,
    wrong_places,
)

LARGE = 35  # whatever ordinary inputs hold, they hold nothing larger


def seen_from(signature, args, kwargs, answer, right, worked, changed):
    """Put one call together for the relations: its arguments by name, and the lengths of the named axes."""
    given = {name: default for name, _, default in signature["arguments"] if default is not None}
    given |= dict(zip((name for name, _, _ in signature["arguments"]), args, strict=False)) | kwargs
    sizes, leading = {}, 0
    for name, dims, _ in signature["arguments"]:
        axes = [axis for axis in dims.split() if not axis.startswith("*")]
        shape = np.shape(given.get(name))
        if dims and len(shape) >= len(axes):
            leading = max(leading, len(shape) - len(axes)) if "axes" not in dims else 0
            sizes |= {axis: np.float64(n) for axis, n in zip(axes[::-1], shape[::-1], strict=False)}
        elif isinstance(given.get(name), (int, float)) and name not in ("axis", "a", "b"):
            sizes[name] = np.float64(given[name])
    return Seen(given, answer, right, sizes, leading, worked, changed)


def relation(seen, returns, signature, between=lambda: None):
    """Return a sentence that says how all the answers are related to the right ones, or None.

    ``between`` may say more than the vaguest relations, and less than the others: it is asked in between.
    """
    with np.errstate(all="ignore"):
        asked = (*RELATIONS, lambda *_: between(), *VAGUE)
        return next((said for look in asked if (said := look(seen, returns, signature))), None)


def is_right(call):
    """Say whether a call was answered rightly."""
    if call.answer.error or call.right.error:
        return bool(call.answer.error and call.right.error and call.answer.error[0] == call.right.error[0])
    return same(call.answer.value, call.right.value)


def refused(seen, returns, signature):
    """Say which arguments a function must take, where it was called with these and would not have them."""
    words = ("positional argument", "unexpected keyword argument", "multiple values for argument")
    if not all(
        call.answer.error
        and call.answer.error[0] == "TypeError"
        and call.answer.error[1].startswith(f"{signature['name']}()")
        and any(word in call.answer.error[1] for word in words)
        for call in seen
    ):
        return None
    listed = [name if default is None else f"{name}={default:.4g}" for name, _, default in signature["arguments"]]
    return f"The function must take the arguments ({', '.join(listed)}), in this order, as in the released notebook."


def arrays(call):
    """Return the arguments of a call that are arrays with axes."""
    return [value for value in call.given.values() if isinstance(value, np.ndarray) and value.ndim]


def holds(test):
    """Return a condition: some array among the arguments passes the test."""
    return lambda call: any(bool(np.any(test(array))) for array in arrays(call))


CONDITIONS = (
    ("as soon as there are leading axes, such as sentences or heads in front", lambda call: call.leading > 0),
    ("where a score is -inf", holds(np.isneginf)),
    ("where numbers are large", holds(lambda array: np.isfinite(array) & (np.abs(array) > LARGE))),
    (
        "where the arguments are whole numbers",
        lambda call: bool(arrays(call)) and any(array.dtype.kind in "iu" for array in arrays(call)),
    ),
    ("where an argument holds a 0", holds(lambda array: array == 0)),
    (
        "where the right answer is negative",
        lambda call: isinstance(call.right.value, float) and call.right.value < 0,
    ),
)


def axis_of_one(name):
    """Return the condition that an axis, or a size, is 1."""
    return f"where {name} = 1", lambda call: call.sizes.get(name) == 1


def beside_default(signature):
    """Return the conditions that an argument is not what it is by default."""
    return [
        (
            f"where `{name}` is another than {default:.4g}",
            lambda call, name=name, default=default: call.given[name] != default,
        )
        for name, _, default in signature["arguments"]
        if isinstance(default, (int, float))
    ]


def right_but(seen, returns, signature, strictly=True):
    """Say where alone the answers are wrong: the case that needs another thought.

    Strictly, that is where they are always wrong.
    """
    right, wrong = [call for call in seen if is_right(call)], [call for call in seen if not is_right(call)]
    if len(right) < 2 or not wrong or len(wrong) > len(seen) / 2:
        return None
    found = []
    conditions = (*beside_default(signature), *CONDITIONS, *map(axis_of_one, seen[0].sizes))
    for words, condition in conditions if strictly else CONDITIONS[1:]:
        covered = [call for call in wrong if condition(call)]
        ordinary = [call for call in right if not condition(call)]
        if covered and len(ordinary) >= (len(right) if strictly else 2):
            found.append((words, covered))
            wrong = [call for call in wrong if not any(call is one for one in covered)]
    if wrong or not found:
        return None
    where = " and ".join(words for words, _ in found[:2])
    return (
        f"Right, but wrong {'' if strictly else 'in some cases '}{where}{consequence(found[0][1])}{hint_for(*found[0])}"
    )


def right_but_at_times(seen, returns, signature):
    """Say where alone the answers are sometimes wrong."""
    return right_but(seen, returns, signature, strictly=False)


def examples_alone(seen, returns, signature):
    """Say that nothing but the worked examples is right."""
    worked, unseen = [call for call in seen if call.worked], [call for call in seen if not call.worked]
    if not unseen or not all(map(is_right, worked)) or any(map(is_right, unseen)):
        return None
    return (
        "Right on the worked examples, and on no other input. Look for a size or a number of theirs that is written "
        "into the function, or for something that is only true of them."
    )


def overwritten(seen, returns, signature):
    """Say that arguments are changed wherever the answer is wrong."""
    wrong = [call for call in seen if not is_right(call)]
    if len(wrong) < 2 or not all(call.changed for call in wrong):
        return None
    return (
        "The function writes into an array that it was given, and the answer is wrong: what is read after that is no "
        "longer what was given. Write into a new array."
    )


KNOWN_ERRORS = (
    ("shape-mismatch for sum", "np.tensordot sums over two axes unless it is told otherwise. `@` sums over one."),
    (
        "all input arrays must have the same shape",
        "Arrays of unequal shape were stacked into one. Return several results side by side: return a, b.",
    ),
    ("inhomogeneous shape", "Arrays of unequal shape were put into one. Return several results as a, b."),
    ("for ^", "`^` is no power in Python: write `**`."),
    ("Integers to negative integer powers", "NumPy raises no whole number to a negative power: make one a float."),
    ("truth value of an array", "A whole array stands where True or False is asked: compare entry by entry, np.where."),
)  # fmt: skip


def known_error(seen, returns, signature):
    """Say what an error means that NumPy says in words which few understand."""
    wrong = [call for call in seen if call.answer.error and not is_right(call)]
    for words, meaning in KNOWN_ERRORS:
        if len(wrong) >= min(2, len(seen)) and all(words in call.answer.error[1] for call in wrong):
            return f"Raises {wrong[0].answer.error[0]}. {meaning}"
    return None


def past_the_end(seen, returns, signature):
    """Name the axis that an index runs past."""
    wrong = [call for call in seen if call.answer.error and not is_right(call)]
    names = None
    for call in wrong:
        found = re.search(r"is out of bounds for axis -?\d+ with size (\d+)", call.answer.error[1])
        if call.answer.error[0] != "IndexError" or not found:
            return None
        sized = names_of(int(found[1]), call)
        names = sized if names is None else names & sized
    if not names or len(names) > 1 or len(wrong) < min(2, len(seen)):
        return None
    return f"Raises IndexError: an index runs past the end of an axis of length {names.pop()}. Look what it counts."


def consequence(calls):
    """Say what the answers are where they are wrong."""
    if all(call.answer.error for call in calls):
        kinds = {call.answer.error[0] for call in calls}
        return f": there it raises {kinds.pop()}. " if len(kinds) == 1 else ": there it raises errors. "
    if any(holds_nan(call.answer.value) for call in calls):
        return ": there NaN comes out. "
    return ". "


def hint_for(words, calls):
    """Return what to look at, where answers are wrong in one place alone."""
    if "leading axes" in words:
        return leading_hint(calls)
    if "large" in words and any(not call.answer.error and holds_nan(call.answer.value) for call in calls):
        return "np.exp overflows beyond 709, or all powers of a row are 0: subtract each row's own maximum before it."
    if "large" in words:
        return "Subtract each row's own maximum before np.exp; then nothing needs to be cut off or treated apart."
    if "where `" in words:
        name = words.split("`")[1]
        return f"Look at every line that uses `{name}`, and at those that should."
    if "-inf" in words:
        return "A score of -inf gets weight 0; only a row of nothing else is all zeros."
    if "whole numbers" in words:
        return "An array made like them (zeros_like, their dtype) holds whole numbers, too, and cuts fractions off."
    if "negative" in words:
        return "Look for a maximum with 0, or for a search that begins at 0."
    if "holds a 0" in words:
        return "Look what the function does with a 0."
    return "Look what is left of each line there: squeeze, d - 1, or a division by something that is 0."


def leading_hint(calls):
    """Say what happened to the leading axes, as far as it shows."""
    for call in calls:
        for got, right in results(call):
            if got.ndim > right.ndim:
                return (
                    "The result has too many axes: np.dot, np.inner and np.tensordot pair every sentence with every "
                    "other. `@` and an einsum with `...` keep sentences apart."
                )
            if any(agrees(got, right[(0,) * k]) for k in range(1, call.leading + 1)):
                return "Only the first sentence gets an answer: a `return` stands inside a loop over the batch."
    return (
        "Then an axis is counted from the front (axis=1, shape[1], len, [:, None]), all axes are turned round (.T), or "
        "sentences are laid together. Count axes from the end: axis=-1, shape[-1], [..., None]."
    )


def results(call):
    """Yield ``(got, right)`` for each result of a call that both are numbers."""
    if call.answer.error or call.right.error:
        return
    right = call.right.value if isinstance(call.right.value, tuple) else (call.right.value,)
    got = call.answer.value if isinstance(call.right.value, tuple) else (call.answer.value,)
    if not isinstance(got, (tuple, list)) or len(got) != len(right):
        return
    for one, other in zip(got, right, strict=True):
        one, other = numbers(one), numbers(other)
        if one is not None and other is not None:
            yield one.astype(float), other.astype(float)


def in_another_order(seen, returns, signature):
    """Say that results came in another order, more of them than asked, or fewer."""
    orders = []
    for call in seen:
        if call.answer.error or call.right.error:
            continue
        right = call.right.value if isinstance(call.right.value, tuple) else (call.right.value,)
        several = isinstance(call.answer.value, tuple)
        got = call.answer.value if several else (call.answer.value,)
        if len(got) > 5:
            return None
        orders.append(tuple(next((i for i, r in enumerate(right) if same(g, r)), -1) for g in got))
    if len(orders) < 1 or len(set(orders)) > 1 or not set(orders[0]) - {-1}:
        return None
    return words_for_order(orders[0], returns)


def words_for_order(order, returns):
    """Say in words which right results came, and where; None where all stand in their places."""
    wanted = ", ".join(returns)
    if sorted(order) == list(range(len(returns))) and list(order) != sorted(order):
        return f"The results are right and stand in another order. Return {wanted}, in this order."
    if len(order) < len(returns) and -1 not in order:
        came = " and ".join(f"`{returns[i]}`" for i in order)
        return f"Right, but only {came} comes back. Return {wanted}, in this order."
    if len(order) > len(returns) and set(range(len(returns))) <= set(order):
        return f"`{returns[0]}` is right, but more comes back beside it. Return {wanted}, and nothing else."
    return None


def unmet_lengths(seen, returns, signature):
    """Name the lengths that did not meet, where an error says so."""
    wrong = [call for call in seen if call.answer.error and not is_right(call)]
    met = [mismatch(call.answer.error) for call in wrong]
    if len(wrong) < min(2, len(seen)) or not all(met) or len({kind for kind, _, _ in met}) > 1:
        return None
    pairs = None
    for (_, left, right), call in zip(met, wrong, strict=True):
        names = {(a, b) for a in names_of(left, call) for b in names_of(right, call)}
        if met[0][0] != "product":
            names = {tuple(sorted(pair)) for pair in names}
        pairs = names if pairs is None else pairs & names
    if len(pairs) != 1:
        return None
    left, right = pairs.pop()
    if met[0][0] == "product":
        return (
            f"In a product, rows of length {left} on the left met columns of length {right} on the right. The two "
            "lengths next to `@` must be the same: write the shapes under the product."
        )
    return (
        f"Two arrays do not line up: one has length {left} where the other has {right}. NumPy lines shapes up from the "
        "right. Look for a sum or a maximum without keepdims=True, an array made with another shape, or `*` for `@`."
    )


def names_of(length, call):
    """Return the names of the axes that are this long."""
    return {name for name, size in call.sizes.items() if size == length}


def axes_named(length, call):
    """Return the names of the axes that are this long, also of an axis of 1 and of two axes laid end to end."""
    doubled = {f"2·{name}" for name, size in call.sizes.items() if 2 * size == length}
    return names_of(length, call) | doubled | ({"1"} if length == 1 else set())


def vaguely_related(seen, returns, signature):
    """Say what is true of the first wrong result, where nothing more can be said."""
    return about_results(seen, returns, signature, about_vaguely)


def about_results(seen, returns, signature, about=None):
    """Say how the first wrong result is related to the right one: the first to be computed, not to be returned."""
    if all(is_right(call) for call in seen):
        return None
    said_first = ""
    if order_by_shape(seen, len(returns)):
        seen = [reordered(call) for call in seen]
        said_first = f"The results stand in another order: return {', '.join(returns)}. Besides: "
    paired = [list(zip(results(call), [call] * len(returns), strict=False)) for call in seen]
    if any(len(found) != len(returns) for found in paired if found):
        return None
    paired = [found for found in paired if found]
    if not paired:
        return None
    by_result = [[Pair(got, right, call) for (got, right), call in column] for column in zip(*paired, strict=True)]
    needed = min(2, len(seen))
    for index in order_of_computation(by_result):
        if all(agrees(pair.got, pair.right) for pair in by_result[index]):
            continue
        said = (about or about_precisely)(index, by_result, returns, signature, needed)
        return said and f"{said_first}{said}"
    return None


def order_by_shape(seen, count):
    """Say whether results have one another's shapes, turned round, in all cases and not their own in two or more."""
    shapes = [
        [[np.shape(numbers(v)) for v in values_of(value)] for value in (call.answer.value, call.right.value)]
        for call in seen
        if not call.answer.error and not call.right.error and count > 1
    ]
    turned = [got[::-1] == right for got, right in shapes]
    return all(turned) and sum(got != right for got, right in shapes) >= min(2, len(seen))


def reordered(call):
    """Return a call with its results turned round."""
    value = None if call.answer.error else tuple(call.answer.value)[::-1]
    answer = Answer(value=value, error=call.answer.error)
    return Seen(call.given, answer, call.right, call.sizes, call.leading, call.worked, call.changed)


def about_precisely(index, by_result, returns, signature, needed):
    """Say how one result is related to the right one, and that others are right."""
    name, pairs = returns[index], by_result[index]
    others = {returns[i]: [p.right for p in by_result[i]] for i in range(len(returns)) if i != index}
    said = (
        like_a_form(name, pairs, needed)
        or times_a_factor(name, pairs, needed)
        or times_a_factor(f"e^{name}", powers_of(pairs), needed)
        or like_another_result(name, pairs, needed, others)
        or like_an_argument(name, pairs, needed)
        or another_mixed(index, by_result, name, needed)
        or like_weights(name, pairs, needed)
        or other_axes(name, pairs, signature["results"][index], needed)
    )
    return said and f"{those_right(by_result, returns)}{said}"


def about_vaguely(index, by_result, returns, signature, needed):
    """Say what is true of one wrong result: what its rows sum to, or which axes it has."""
    name, pairs = returns[index], by_result[index]
    said = (
        vaguely_like_weights(name, pairs, needed)
        or times_some_factor(name, pairs, needed)
        or wrong_places(name, pairs, needed)
        or all_alike(name, pairs, needed)
        or nearly(name, pairs, needed)
    )
    return said and f"{those_right(by_result, returns)}{said}"


def those_right(by_result, returns):
    """Say which results are right in all calls."""
    fine = [returns[i] for i, p in enumerate(by_result) if all(agrees(q.got, q.right) for q in p)]
    if not fine:
        return ""
    return f"{' and '.join(f'`{one}`' for one in fine)} {'is' if len(fine) == 1 else 'are'} right. "


def powers_of(pairs):
    """Return e to the power of answers that are single numbers, for what is wrong inside a logarithm."""
    fit = [p for p in pairs if p.right.ndim == 0 == p.got.ndim and abs(p.right) < 500 and abs(p.got) < 500]
    return [Pair(np.power(np.e, p.got), np.power(np.e, p.right), p.seen) for p in fit]


def order_of_computation(by_result):
    """Return the results' numbers in the order in which they are computed: what another one is made of comes first."""
    made = [i for i in range(len(by_result)) for j in range(len(by_result)) if i != j and made_of(by_result, i, j)]
    return [*(i for i in range(len(by_result)) if i not in made), *made]


def made_of(by_result, i, j):
    """Say whether the right result i is the right result j times some argument, in all cases."""
    names = by_result[i][0].seen.given
    return any(
        all(
            mixed(of.right, of.seen.given.get(name), one.right)
            for one, of in zip(*(by_result[k] for k in (i, j)), strict=True)
        )
        for name in names
    )


def mixed(weights, tokens, output):
    """Say whether ``output`` is ``weights`` times ``tokens``."""
    tokens = numbers(tokens)
    if tokens is None or tokens.ndim < 2 or not weights.ndim or weights.shape[-1] != tokens.shape[-2]:
        return False
    product = weights @ tokens if tokens.ndim == 2 or weights.ndim > 1 else (weights[..., None, :] @ tokens)[..., 0, :]
    return agrees(product, output)


def another_mixed(index, by_result, name, needed):
    """Say that right weights mixed another argument than the one meant."""
    for other in range(len(by_result)):
        if other == index or not made_of(by_result, index, other):
            continue
        for argument in by_result[index][0].seen.given:
            fits = [
                mixed(weights.right, one.seen.given.get(argument), one.got)
                for one, weights in zip(by_result[index], by_result[other], strict=True)
            ]
            if sum(fits) >= needed and all(fits):
                return f"`{name}` mixes the rows of `{argument}`: mix the other argument."
    return None


def other_axes(name, pairs, dims, needed):
    """Name the axes of a result, where they are not those that were asked."""
    wanted = [axis for axis in dims.split() if not axis.startswith("*")]
    found = None
    wrong = [pair for pair in pairs if pair.got.shape != pair.right.shape and not pair.seen.leading]
    if not wanted or len(wrong) < needed:
        return None
    for pair in wrong:
        names = [axes_named(n, pair.seen) for n in pair.got.shape]
        if found is not None and len(found) != len(names):
            return None
        found = names if found is None else [a & b for a, b in zip(found, names, strict=True)]
    if any(len(names) != 1 for names in found):
        return None
    got = ", ".join(names.copy().pop() for names in found)
    return f"`{name}` has the shape ({got}), and ({', '.join(wanted)}) is wanted: follow the shapes line by line."


RELATIONS = (
    *(refused, known_error, right_but, in_another_order, about_results, overwritten, unmet_lengths, past_the_end),
)
VAGUE = (right_but_at_times, vaguely_related, examples_alone)
