"""Searches how a wrong answer relates to the right one: over all cases at once, the same way for every exercise.

A relation claims only what every case shows. More specific relations come first.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import combinations
from typing import Any

import numpy as np

from .compare import Answer, numbers, same
from .dictionaries import like_a_dictionary
from .factors import times_a_factor, times_some_factor
from .faults import Fault, attempt
from .leading_axes import results
from .likeness import (
    Call,
    Pair,
    Signature,
    agrees,
    all_alike,
    first_wrong_example,
    is_right,
    left_at_zero,
    like_a_form,
    like_an_argument,
    like_another_result,
    names_of,
    nearly,
    values_of,
    wrong_places,
)
from .occasions import examples_alone, fractions_lost, overwritten, right_but, right_but_at_times
from .raised import (
    known_error,
    known_in_an_example,
    letters_looked_up,
    past_the_end,
    refused,
    unmet_in_an_example,
    unmet_lengths,
)
from .softmax_weights import like_weights, vaguely_like_weights
from .texts import like_a_list
from .untouched import identical


def seen_from(
    signature: Signature,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    answer: Answer,
    right: Answer,
    worked: bool,
    changed: bool,
) -> Call:
    """Assemble one call for the relations: its arguments by name, and the lengths of the named axes."""
    given = by_name(signature, args, kwargs)
    sizes, leading = {}, 0
    for name, dims, _ in signature["arguments"]:
        axes = [axis for axis in dims.split() if not axis.startswith("*")]
        shape = np.shape(given.get(name))
        if dims and "..." not in axes and len(shape) >= len(axes):  # a mask is of any shape
            leading = max(leading, len(shape) - len(axes)) if "axes" not in dims else 0
            sizes |= {axis: np.float64(n) for axis, n in zip(axes[::-1], shape[::-1], strict=False)}
        elif isinstance(given.get(name), (int, float)) and name != "axis":
            sizes[name] = np.float64(given[name])
    return Call(given, answer, right, of_one_head(sizes) | sizes, leading, worked, changed)


def by_name(signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return a call's arguments by name, defaults included."""
    defaults = {name: default for name, _, default in signature["arguments"] if default is not None}
    return defaults | dict(zip((name for name, _, _ in signature["arguments"]), args, strict=False)) | kwargs


def of_one_head(sizes: dict[str, Any]) -> dict[str, Any]:
    """Return the widths of one head, d_k and d_v, if an axis h·d_k or h·d_v holds all heads side by side."""
    shared = {axis.removeprefix("h·"): size for axis, size in sizes.items() if axis.startswith("h·")}
    return {axis: size / sizes["h"] for axis, size in shared.items() if sizes.get("h")}


def relation(
    seen: list[Call],
    returns: tuple[str, ...],
    signature: Signature,
    between: Sequence[Callable] = (),
    alone: Sequence[Callable] = (),
    faults: list[Fault] | None = None,
    first: Sequence[Callable] = (),
) -> str | None:
    """Describe how all answers relate to the right ones; None if nothing is known.

    ``first`` is asked before all others: what it says is more specific than anything that holds for every exercise.
    ``between`` may be more specific than the vaguest relations, and less than the others: it is asked in between.
    ``alone`` is asked of single sentences, after our own relations. One that raises an error is passed over, and added
    to ``faults`` by its name.
    """
    faults = [] if faults is None else faults
    with np.errstate(all="ignore"):
        of_one_sentence = map(without_batches, (about_results, *alone))
        asked: list[Callable] = [*first, *RELATIONS, *between, *of_one_sentence, *VAGUE]
        told = (attempt(look.__name__, faults, look, seen, returns, signature) for look in asked)
        return next(filter(None, told), None)


def right_for(altered: str) -> str:
    """Say for which altered question the answers would be right: ``altered`` is a clause such as "you get when …"."""
    return f"The answer is what {altered}. Look for the line that does this."


def without_batches(look: Callable) -> Callable:
    """Return a relation that looks at single sentences, where the answers to batches are wrong in another way."""

    @wraps(look)
    def said_of_one(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
        alone = [call for call in seen if not call.leading]
        said = look(alone, returns, signature) if 1 < len(alone) < len(seen) else None
        return f"{said} In a batch, something else is wrong: are axes counted from the front?" if said else None

    return said_of_one


AT_RANDOM = (
    "Two calls with the same arguments give different answers. Something is random, is kept from an earlier call, or "
    "is never written (`np.empty`): compute the answer from the arguments alone."
)


def at_random(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say that an answer changes from one call to the next; it shows only where a question is put twice."""
    answered = [call for call in seen if not call.answer.error]
    repeated = (pair for pair in combinations(answered, 2) if identical(pair[0].given, pair[1].given))
    changes = any(not same(one.answer.value, other.answer.value, nan_equal=True) for one, other in repeated)
    return AT_RANDOM if changes else None


def in_another_order(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Say that results came in another order, too many or too few of them, or the right one inside a tuple."""
    answered = [call for call in seen if not call.answer.error and not call.right.error]
    found = [(values_of(call.answer.value), values_of(call.right.value), call) for call in answered]
    if len(returns) == 1:  # which may be a list itself
        found = [
            (got if isinstance(call.answer.value, tuple) else (call.answer.value,), (call.right.value,), call)
            for got, _, call in found
        ]
    if len(found) < min(2, len(seen)) or len({len(got) for got, _, _ in found}) > 1 or not 0 < len(found[0][0]) < 5:
        return None
    places = range(len(returns))
    orders = [
        next((i for i in places if all(same(got[k], right[i]) for got, right, _ in found)), -1)
        for k in range(len(found[0][0]))
    ]
    if len(returns) == 1 and orders == [0] and all(isinstance(call.answer.value, tuple) for _, _, call in found):
        return f"`{returns[0]}` is right, but it is inside a tuple. Look for a comma at the end of the line."
    return words_for_order(orders, returns)


def words_for_order(order: list[int], returns: tuple[str, ...]) -> str | None:
    """Describe which right results came, and where; None if all are in place."""
    wanted = f"`{', '.join(returns)}`"
    if sorted(order) == list(range(len(returns))) and list(order) != sorted(order):
        return f"The results are right but in another order. Return {wanted}, in this order."
    if len(order) < len(returns) and -1 not in order:
        came = " and ".join(f"`{returns[i]}`" for i in order)
        return f"Right, but only {came} is returned. Return {wanted}, in this order."
    if len(order) > len(returns) and set(range(len(returns))) <= set(order):
        return f"`{returns[0]}` is right, but more is returned beside it. Return {wanted}, and nothing else."
    return None


def axes_named(length: int, call: Call) -> set[str]:
    """Return the names of the axes of this length; also for length 1, and for two axes merged into one."""
    doubled = {f"2·{name}" for name, size in call.sizes.items() if 2 * size == length}
    return names_of(length, call) | doubled | ({"1"} if length == 1 else set())


def shaped_otherwise(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Name the axes of the first wrong result, if they are not those asked for."""

    def about(
        index: int, by_result: list[list[Pair]], returns: tuple[str, ...], signature: Signature, needed: int
    ) -> str | None:
        said = other_axes(returns[index], by_result[index], signature["results"][index], needed)
        return said and f"{those_right(by_result, returns)}{said}"

    return about_results(seen, returns, signature, about)


def vaguely_related(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Describe the first wrong result, if nothing more specific is known, and its worked example raises no error."""
    first = first_wrong_example(seen)
    return None if first and first.answer.error else about_results(seen, returns, signature, about_vaguely)


def about_results(
    seen: list[Call],
    returns: tuple[str, ...],
    signature: Signature,
    about: Callable | None = None,
) -> str | None:
    """Describe how the first wrong result relates to the right one.

    "First" is in the order of computation, not of return.
    """
    if all(is_right(call) for call in seen):
        return None
    said_first = ""
    if order_by_shape(seen, len(returns)):
        seen = [reordered(call) for call in seen]
        said_first = f"The results are in another order: return `{', '.join(returns)}`. Besides: "
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
        if said := (about or about_precisely)(index, by_result, returns, signature, needed):
            return f"{said_first}{said}"
    return None


def order_by_shape(seen: list[Call], count: int) -> bool:
    """Say whether two results have each other's shapes in all cases, and not their own in two or more."""
    shapes = [
        [[np.shape(numbers(v)) for v in values_of(value)] for value in (call.answer.value, call.right.value)]
        for call in seen
        if not call.answer.error and not call.right.error and count > 1
    ]
    turned = [got[::-1] == right for got, right in shapes]
    return all(turned) and sum(got != right for got, right in shapes) >= min(2, len(seen))


def reordered(call: Call) -> Call:
    """Return a call with its results swapped."""
    value = None if call.answer.error else tuple(call.answer.value)[::-1]
    answer = Answer(value=value, error=call.answer.error)
    return Call(call.given, answer, call.right, call.sizes, call.leading, call.worked, call.changed)


def about_precisely(
    index: int,
    by_result: list[list[Pair]],
    returns: tuple[str, ...],
    signature: Signature,
    needed: int,
) -> str | None:
    """Describe how one result relates to the right one, and say that others are right."""
    name, pairs = returns[index], by_result[index]
    others = {returns[i]: [p.right for p in by_result[i]] for i in range(len(returns)) if i != index}
    said = (
        left_at_zero(name, pairs, needed)
        or like_a_form(name, pairs, needed)
        or times_a_factor(name, pairs, needed)
        or times_a_factor(f"e^{name}", powers_of(pairs), needed)
        or like_another_result(name, pairs, needed, others)
        or like_an_argument(name, pairs, needed)
        or another_mixed(index, by_result, name, needed)
        or like_weights(name, pairs, needed)
    )
    return said and f"{those_right(by_result, returns)}{said}"


def about_vaguely(
    index: int,
    by_result: list[list[Pair]],
    returns: tuple[str, ...],
    signature: Signature,
    needed: int,
) -> str | None:
    """Describe one wrong result: what its rows sum to, or which axes it has."""
    name, pairs = returns[index], by_result[index]
    said = (
        vaguely_like_weights(name, pairs, needed)
        or times_some_factor(name, pairs, needed)
        or wrong_places(name, pairs, needed)
        or all_alike(name, pairs, needed)
        or nearly(name, pairs, needed)
    )
    return said and f"{those_right(by_result, returns)}{said}"


def those_right(by_result: list[list[Pair]], returns: tuple[str, ...]) -> str:
    """Say which results are right in all calls."""
    fine = [returns[i] for i, p in enumerate(by_result) if all(agrees(q.got, q.right) for q in p)]
    if not fine:
        return ""
    return f"{' and '.join(f'`{one}`' for one in fine)} {'is' if len(fine) == 1 else 'are'} right. "


def powers_of(pairs: list[Pair]) -> list[Pair]:
    """Return e to the power of answers that are single numbers, to see errors inside a logarithm."""
    fit = [p for p in pairs if p.right.ndim == 0 == p.got.ndim and abs(p.right) < 500 and abs(p.got) < 500]
    return [Pair(np.power(np.e, p.got), np.power(np.e, p.right), p.seen) for p in fit]


def order_of_computation(by_result: list[list[Pair]]) -> list[int]:
    """Return the results in the order in which they are computed: inputs of others first."""
    made = [i for i in range(len(by_result)) for j in range(len(by_result)) if i != j and made_of(by_result, i, j)]
    return [*(i for i in range(len(by_result)) if i not in made), *made]


def made_of(by_result: list[list[Pair]], i: int, j: int) -> bool:
    """Say whether the right result i is the right result j times some argument, in all cases."""
    names = by_result[i][0].seen.given
    return any(
        all(
            mixed(of.right, of.seen.given.get(name), one.right)
            for one, of in zip(*(by_result[k] for k in (i, j)), strict=True)
        )
        for name in names
    )


def mixed(weights: np.ndarray, tokens: Any, output: np.ndarray) -> bool:
    """Say whether ``output`` is ``weights`` times ``tokens``."""
    tokens = numbers(tokens)
    if tokens is None or tokens.ndim < 2 or not weights.ndim or weights.shape[-1] != tokens.shape[-2]:
        return False
    product = weights @ tokens if tokens.ndim == 2 or weights.ndim > 1 else (weights[..., None, :] @ tokens)[..., 0, :]
    return agrees(product, output)


def another_mixed(index: int, by_result: list[list[Pair]], name: str, needed: int) -> str | None:
    """Say that the right weights mixed the wrong argument, or that the largest weight took everything."""
    for other in range(len(by_result)):
        if other == index or not made_of(by_result, index, other):
            continue
        pairs = [
            (weights.right, one.seen.given, one.got)
            for one, weights in zip(by_result[index], by_result[other], strict=True)
        ]
        for argument in by_result[index][0].seen.given:
            another = f"`{name}` mixes the rows of `{argument}`: mix the other argument."
            one_row = f"`{name}` takes only the row of `{argument}` with the largest weight. Mix all rows."
            for with_weights, said in ((np.asarray, another), (largest_alone, one_row)):
                fits = [mixed(with_weights(weights), given.get(argument), got) for weights, given, got in pairs]
                if sum(fits) >= needed and all(fits):
                    return said
    return None


def largest_alone(weights: np.ndarray) -> np.ndarray:
    """Return weights in which the largest of each row has everything."""
    largest = weights.argmax(axis=-1)[..., None]
    return (np.arange(weights.shape[-1]) == largest).astype(float)


def other_axes(name: str, pairs: list[Pair], dims: str, needed: int) -> str | None:
    """Name the axes of a result, if they are not those asked for, or say that it always has the same shape."""
    wanted = [axis for axis in dims.split() if not axis.startswith("*")]
    found = None
    wrong = [pair for pair in pairs if pair.got.shape != pair.right.shape and not pair.seen.leading]
    if not wanted or len(wrong) < needed:
        return None
    if len({pair.got.shape for pair in pairs}) == 1 < len({pair.right.shape for pair in pairs}) and wrong[0].got.ndim:
        shape = str(wrong[0].got.shape)
        return f"`{name}` always has the shape `{shape}`, whatever the arguments are: take its lengths from them."
    for pair in wrong:
        names = [axes_named(n, pair.seen) for n in pair.got.shape]
        if found is not None and len(found) != len(names):
            return None
        found = names if found is None else [a & b for a, b in zip(found, names, strict=True)]
    if not found or any(len(names) != 1 for names in found):
        return None
    got = shape_of([names.copy().pop() for names in found])
    return f"`{name}` has the shape `{got}`, and `{shape_of(wanted)}` is expected: follow the shapes line by line."


def shape_of(axes: list[str]) -> str:
    """Format a shape by the names of its axes, as Python does: (n_q, d_k) and (n,)."""
    return f"({', '.join(axes)}{',' if len(axes) == 1 else ''})"


RELATIONS = (
    *(
        at_random,
        refused,
        letters_looked_up,
        known_error,
        right_but,
        like_a_dictionary,
        like_a_list,
        in_another_order,
        about_results,
    ),
    *(overwritten, shaped_otherwise, unmet_lengths, past_the_end),
)
VAGUE = (fractions_lost, right_but_at_times, unmet_in_an_example, known_in_an_example, vaguely_related, examples_alone)
