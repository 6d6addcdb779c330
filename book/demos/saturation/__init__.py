"""Widen the keys and watch softmax saturate; divide by √d_k and watch it recover."""

import numpy as np
import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Index, Matrix, PowerOfTwo, Switch

WIDEST = 1024
FEWEST_KEYS, MOST_KEYS = 2, 12
DECIMALS = 4  # of a score: what is rounded away moves no weight by more than 0.000025


class Saturation(Demo):
    """Scores of random queries and keys, and what softmax makes of them, as the keys grow wider.

    scores = query keyᵀ over the first d_k columns (/ √d_k where ``scaled``),   weights = softmax(scores) row by row

    query   (n_q, width), key (n_k, width): independent numbers of mean 0 and variance 1; width a power of two
            up to 1024, n_k from 2 to 12, so that there is something to choose and room to draw it
    d_k     how many columns count: a power of two up to width
    row     the query whose weights are drawn, counted from 0
    scores  (1 + log₂ width, n_q n_k): a row for each d_k, unscaled, query after query, rounded to four decimals;
            follows query and key
    Errors: TraitError for shapes that do not fit, numbers that are not finite, a d_k or a row that does not exist.
    To exchange query and key at once, assign them inside ``with demo.hold_trait_notifications():``.
    """

    _esm = bundle("saturation.js")
    _css = bundle("saturation.css")
    _summary = (
        "Saturation: the scores of random queries and keys, whose width d_k doubles from step to step, divided by √d_k "
        "or not. A histogram shows how far the scores spread, and bars show the weights that softmax gives one query. "
        "Unscaled, wide keys leave nearly all the weight on one key, with slopes near 0; scaled, width changes "
        "little."
    )

    query = Matrix()
    key = Matrix()
    scores = Matrix(read_only=True).tag(sync=True)
    n_k = traitlets.Int(read_only=True).tag(sync=True)
    d_k = PowerOfTwo(64, highest=WIDEST).tag(sync=True)
    scaled = Switch(False).tag(sync=True)
    row = Index(0).tag(sync=True)

    def __init__(self, query, key, d_k=64, scaled=False, row=0):
        super().__init__(query=query, key=key, d_k=d_k, scaled=scaled, row=row)

    @traitlets.validate("query", "key")
    def _fits(self, proposal):
        now = {"query": self.query, "key": self.key} | {proposal.trait.name: proposal.value}
        _require_fit(**now)
        return proposal.value

    @traitlets.validate("d_k", "row")
    def _exists(self, proposal):
        _require_fit(self.query, self.key)  # first, since traits that were set at once are validated in any order
        name, value = proposal.trait.name, proposal.value
        width, queries = len(self.query[0]), len(self.query)
        if name == "d_k" and value > width:
            raise traitlets.TraitError(
                f"expected d_k from 1 to {width}, got {value}: query and key have {width} columns, so write d_k={width}"
            )
        if name == "row" and value >= queries:
            raise traitlets.TraitError(
                f"expected row from 0 to {queries - 1}, got {value}: query has {queries} rows, counted from 0"
            )
        return value

    @traitlets.observe("query", "key")
    def _score(self, change):
        query, key = np.array(self.query), np.array(self.key)
        widths = 2 ** np.arange(query.shape[1].bit_length())
        with self.hold_sync():  # the page must not see new scores with an old row
            scores = [(query[:, :d] @ key[:, :d].T).ravel() for d in widths]
            self.set_trait("scores", np.round(scores, DECIMALS))
            self.set_trait("n_k", len(key))
            self.d_k = min(self.d_k, query.shape[1])
            self.row = min(self.row, len(query) - 1)


def _require_fit(query, key):
    """Refuse queries and keys that have no dot product, no row of powers of two, or nothing to choose."""
    width, other = len(query[0]), len(key[0])
    if width != other:
        raise traitlets.TraitError(
            f"expected query and key equally wide, got {width} and {other} columns: "
            "change both in `with demo.hold_trait_notifications():`"
        )
    fits = 2 ** (min(width, WIDEST).bit_length() - 1)
    if width != fits:
        raise traitlets.TraitError(
            f"expected a width that is a power of two up to {WIDEST}, got {width} columns: "
            f"pass query[:, :{fits}] and key[:, :{fits}]"
        )
    if not FEWEST_KEYS <= len(key) <= MOST_KEYS:
        raise traitlets.TraitError(
            f"expected {FEWEST_KEYS} to {MOST_KEYS} keys, got {len(key)}: each row of key is one key, "
            f"drawn as one bar; pass key[:{MOST_KEYS}], or add rows"
        )
