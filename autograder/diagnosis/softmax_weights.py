"""Describes how attention weights are wrong: what their rows sum to, and what happened before softmax."""

import warnings
from typing import Any

import numpy as np

from .compare import close
from .factors import TOLERANCE, differ, named
from .likeness import Pair


def logarithms(pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithms of both weights, NaN where one of them is too small to compare."""
    tells = (pair.got > 1e-250) & (pair.right > 1e-250)
    with np.errstate(all="ignore"):
        return np.where(tells, np.log(pair.got), np.nan), np.where(tells, np.log(pair.right), np.nan)


BASES = ("2", "3", "10", "2.7", "2.71", "2.72", "2.718")  # of powers, in place of e


def hidden(pair: Pair) -> np.ndarray:
    """Return where both weights are exactly 0: hidden by a mask."""
    return (pair.got == 0) & (pair.right == 0)


def sums_to_one(weights: np.ndarray, axis: int = -1) -> bool:
    """Say whether weights sum to one along an axis."""
    return bool(np.isclose(weights.sum(axis=axis), 1, rtol=1e-7).all())


def inside_softmax(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that weights are softmax of the scores times a factor, and which size the factor is."""
    measured = []
    for pair in pairs:
        factor = factor_inside(pair)
        if factor is False:
            return None
        if factor:
            measured.append((factor, pair.seen))
    if not differ(measured, needed):
        return None
    if base := base_of([factor for factor, _ in measured]):
        return f"`{name}` is softmax with powers of {base} instead of e: use `np.exp`."
    what = named(measured)
    if not what:
        return None
    if what == "−1":
        return f"`{name}` is softmax of the scores with the opposite sign: the smallest score gets most."
    return (
        f"`{name}` is softmax of the right scores times {what}. A multiplication or division before softmax is "
        f"missing, superfluous or wrong."
    )


def base_of(factors: list[float]) -> str:
    """Return the number whose powers stand for those of e, if one explains these factors of the scores; or ""."""
    return next((base for base in BASES if np.isclose(factors, np.log(float(base)), rtol=TOLERANCE).all()), "")


def some_factor_inside(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that weights are softmax of the scores times factors that no size explains."""
    found = [factor_inside(pair) for pair in pairs]
    if False in found or sum(bool(c) and not np.isclose(c, 1, rtol=TOLERANCE) for c in found) < needed:
        return None
    return (
        f"`{name}` is softmax of the right scores times a factor that no size of the inputs explains. Look at what the "
        "scores are multiplied or divided by before softmax."
    )


def factor_inside(pair: Pair) -> Any:
    """Return c if weights are softmax of c times the scores, None if unknown, False if they are not."""
    if pair.got.shape != pair.right.shape:
        return None if pair.seen.leading else False
    if not np.isfinite(pair.got).all() or pair.right.shape[-1] < 2:
        return None
    if not sums_to_one(pair.got):
        return False
    got, right = logarithms(pair)
    if (np.isnan(got) & ~hidden(pair)).any():
        return None
    with warnings.catch_warnings():  # a row in which nothing is seen has no mean
        warnings.simplefilter("ignore", RuntimeWarning)
        got, right = (logs - np.nanmean(logs, axis=-1, keepdims=True) for logs in (got, right))
    got, right = got[~np.isnan(got)], right[~np.isnan(got)]
    if right.size < 3 or np.abs(right).max() < 1e-3:
        return None
    factor = float((got * right).sum() / (right * right).sum())
    return factor if np.allclose(got, factor * right, rtol=1e-4, atol=1e-6 * np.abs(got).max()) else False


def row_by_row(pair: Pair) -> Any:
    """Return the factor of each row of right weights, or None if rows are not multiples."""
    if pair.got.shape != pair.right.shape or not np.isfinite(pair.got).all():
        return None
    usable = pair.right > 1e-9
    with np.errstate(all="ignore"):
        ratios = np.where(usable, pair.got / pair.right, np.nan)
    low, high = np.nanmin(ratios, axis=-1), np.nanmax(ratios, axis=-1)
    return low if np.isclose(low, high, rtol=1e-6, atol=0).all() and (low > 0).all() else None


def not_shared_out(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say what a row of weights sums to, if not to one: the powers are right, the divisor is wrong."""
    telling = [pair for pair in pairs if pair.right.shape[-1] > 1 and np.isfinite(pair.got).all()]
    telling = [pair for pair in telling if (pair.got.max(axis=-1) > 1e-200).all()]  # below, powers are lost
    times = [row_by_row(pair) for pair in telling]
    wrong = [t is not None and not np.isclose(t, 1, rtol=1e-9).all() for t in times]
    if any(t is None for t in times) or sum(wrong) < needed:
        return None
    telling, times = ([x for x, is_wrong in zip(xs, wrong, strict=True) if is_wrong] for xs in (telling, times))
    if all(np.isclose(pair.got.max(axis=-1), 1).all() for pair in telling):
        return (
            f"The largest number in each row of `{name}` is 1: the powers were divided by the largest, or by nothing. "
            "Divide them by the sum of their row."
        )
    if all(sums_to_one(pair.got[..., :-1]) for pair in telling):
        return f"Each row of `{name}` sums to one without its last number: the sum in the denominator leaves it out."
    added = np.concatenate([((1 / t - 1) / p.right.max(axis=-1)).ravel() for t, p in zip(times, telling, strict=True)])
    if (added > 0).all() and np.allclose(added, added[0], rtol=1e-3):
        return (
            f"No row of `{name}` sums to one: a number was added to each sum in the denominator. The sum of "
            f"powers is never 0 if there is a score; divide by it unchanged."
        )
    if any(pair.right.ndim > 1 and pair.right.shape[-2] > 1 for pair in telling) and all(
        np.isclose(pair.got.sum(), 1) or np.isclose(pair.got.sum(axis=(-2, -1)), 1).all()
        for pair in telling
        if pair.got.ndim > 1
    ):
        return f"The whole of `{name}` sums to one, but each row should: sum with `axis=-1`, `keepdims=True`."
    if all(sums_to_one(pair.got) for pair in telling):
        return f"Some places of `{name}` should be 0 and are not; the others have the right proportions. " + (
            "Hidden keys still get a share: give them −inf in the scores that these weights come from."
            if name == "weights" or any("mask" in argument for argument in telling[0].seen.given)
            else "Look at what decides which of them are 0."
        )
    return (
        f"The numbers in each row of `{name}` have the right proportions but do not sum to one: the powers are "
        f"right, the divisor is not. Divide each row by its own sum."
    )


def other_sums(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say along which axis weights sum to one, if not along the rows."""
    telling = [pair for pair in pairs if pair.got.ndim > 1 and pair.got.shape == pair.right.shape]
    telling = [pair for pair in telling if np.isfinite(pair.got).all() and min(pair.got.shape[-2:]) > 1]
    if len(telling) < needed or any(sums_to_one(pair.got) for pair in telling):
        return None
    if all(sums_to_one(pair.got, -2) for pair in telling):
        return f"Each column of `{name}` sums to one, and the rows should: softmax ran along the axis before the last."
    return None


def hidden_weights(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that some weights are wrongly 0, the rest being normalised correctly."""
    telling = [pair for pair in pairs if pair.right.shape[-1] > 1 and np.isfinite(pair.got).all()]
    patterns = []
    for pair in telling:
        if pair.got.shape != pair.right.shape:
            return None
        seen = pair.got != 0
        left = np.where(seen, pair.right, 0.0)
        total = left.sum(axis=-1, keepdims=True)
        if (total == 0).any() or not np.allclose(pair.got, left / total, rtol=1e-6, atol=1e-12):
            return None
        patterns.append((seen, bool((~seen & (pair.right > 1e-6)).any())))
    patterns = [seen for seen, wrong in patterns if wrong and seen.ndim > 1]
    return words_for_hidden(name, patterns) if len(patterns) >= needed else None


def words_for_hidden(name: str, patterns: Any) -> str:
    """Describe the pattern of zeros in weights."""
    n_by_n = all(seen.shape[-1] == seen.shape[-2] for seen in patterns)
    if n_by_n and all((seen == np.tri(seen.shape[-1], dtype=bool)).all() for seen in patterns):
        return f"In `{name}` no token looks at a later one. Nothing should be hidden here: remove the mask."
    if n_by_n and all((seen == ~np.eye(seen.shape[-1], dtype=bool)).all() for seen in patterns):
        return f"In `{name}` no token looks at itself. Leave the diagonal of the scores unchanged."
    if all((seen.sum(axis=-1) <= 1).all() for seen in patterns):
        return f"Each row of `{name}` gives everything to one place. Softmax gives every score a share."
    if all((~seen[..., -1]).all() and seen[..., :-1].all() for seen in patterns):
        return f"In `{name}` the last one gets no weight. Let the loop run to the end."
    return f"Some of `{name}` are 0, and the others share the whole among themselves. Every score gets a weight."


def column_shifts(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that a number was subtracted from each column of scores before softmax."""
    count = 0
    for pair in pairs:
        if pair.got.ndim < 2 or pair.got.shape != pair.right.shape or min(pair.got.shape[-2:]) < 2:
            continue
        got, right = logarithms(pair)
        if not np.isfinite(pair.got).all() or np.isnan(got).any():
            continue
        apart = got - right
        apart = apart - apart.mean(axis=-1, keepdims=True)
        if not sums_to_one(pair.got) or np.ptp(apart, axis=-2).max() > 1e-6:
            return None
        count += np.abs(apart).max() > 1e-6
    if count < needed:
        return None
    return (
        f"`{name}` is softmax of scores whose columns were each shifted by their own number, such as the "
        f"column's maximum. Only a shift of a whole row cancels: `max(axis=-1, keepdims=True)`."
    )


def other_scores(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that softmax is right but its scores are wrong."""
    telling = [pair for pair in pairs if pair.right.shape[-1] > 1 and np.isfinite(pair.got).all()]
    shaped = all(pair.got.shape == pair.right.shape for pair in telling if not pair.seen.leading)
    telling = [pair for pair in telling if pair.got.shape == pair.right.shape]
    if not shaped or len(telling) < needed or not all(sums_to_one(p.got) and (p.got > 0).all() for p in telling):
        return None
    if sum(not np.allclose(pair.got, pair.right, rtol=1e-3) for pair in telling) < needed:
        return None
    return f"The rows of `{name}` sum to one, as they should, but they come from the wrong scores. Look at the scores."


def sums_to_a_size(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say what every row of weights sums to, if it is a size or one over its root: softmax came before it."""
    telling = [p for p in pairs if p.got.shape == p.right.shape and np.isfinite(p.got).all()]
    totals = [(pair.got.sum(axis=-1), pair.seen) for pair in telling]
    if not all(np.allclose(total, total.flat[0], rtol=1e-6) for total, _ in totals):
        return None
    measured = [(float(total.flat[0]), call) for total, call in totals]
    if not differ(measured, needed) or not (what := named(measured)):
        return None
    return (
        f"Each row of `{name}` sums to {what}, and should sum to one: it was multiplied or divided after softmax. "
        "Scale the scores, and leave the weights as softmax gives them."
    )


def nothing_sums(name: str, pairs: list[Pair], needed: int) -> str | None:
    """Say that no row of weights sums to one."""
    telling = [p for p in pairs if p.right.shape[-1] > 1 and p.got.shape == p.right.shape and np.isfinite(p.got).all()]
    wrong = [~close(pair.got, pair.right).all(axis=-1) for pair in telling]  # a row of 1 and 0 may be right by chance
    ones = [np.isclose(pair.got.sum(axis=-1), 1, rtol=1e-6) for pair in telling]
    if sum(map(np.any, wrong)) < needed or any((rows & one).any() for rows, one in zip(wrong, ones, strict=True)):
        return None
    return f"The rows of `{name}` do not sum to one. Divide each row by its own sum, after exp."


WEIGHTS = (inside_softmax, hidden_weights, not_shared_out, other_sums, column_shifts)


VAGUELY = (some_factor_inside, other_scores, sums_to_a_size, nothing_sums)


def along(pair: Pair) -> Pair:
    """Return a pair with the axis given as ``axis`` moved to the end."""
    axis = pair.seen.given.get("axis", -1)
    if axis == -1 or pair.got.shape != pair.right.shape:
        return pair
    return Pair(np.moveaxis(pair.got, axis, -1), np.moveaxis(pair.right, axis, -1), pair.seen)


def are_weights(pairs: list[Pair]) -> bool:
    """Say whether the right answers are weights: positive rows that sum to one, not all one-hot."""
    rows = [pair.right for pair in pairs if pair.right.ndim and pair.right.shape[-1] > 1]
    sums = [right.sum(axis=-1) for right in rows]
    shared = any(((right > 0) & (right < 1)).any() for right in rows)
    return shared and all(
        (right >= 0).all() and (np.isclose(total, 1) | (total == 0)).all()
        for right, total in zip(rows, sums, strict=True)
    )


def vaguely_like_weights(name: str, pairs: list[Any], needed: int) -> str | None:
    """Say whether rows sum to one, if the right answers are weights."""
    return like_weights(name, pairs, needed, VAGUELY)


def like_weights(name: str, pairs: list[Any], needed: int, relations: tuple[Any, ...] = WEIGHTS) -> Any:
    """Describe how weights are wrong, if the right answers are weights."""
    pairs = [along(pair) for pair in pairs]
    if not are_weights(pairs) or not all(pair.got.size for pair in pairs):
        return None
    pairs = [pair for pair in pairs if (pair.right.sum(axis=-1) > 0).all() and pair.got.size and pair.got.ndim]
    return next((said for look in relations if (said := look(name, pairs, needed))), None)
