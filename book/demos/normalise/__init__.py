"""Normalise a token step by step, over its own numbers or over those of its column."""

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Choice, Index, Matrix, Switch, Words

FEWEST, MOST = 2, 8  # tokens, and numbers in each: so many bars fit on a telephone


class Normalise(Demo):
    """Layer norm of one token, step by step, beside its neighbour.

    out = γ (x - μ) / √(σ² + 1e-5) + β, with μ and σ of the token's own numbers or, for comparison, of each column

    words   2 to 8 words, one for each row of x
    x       (n, d): a token in each row, d from 2 to 8
    affine  (2, d): γ in the first row, β in the second
    token   the row whose numbers are drawn, counted from 0
    stage   how far it is normalised: "given", "centred", "divided" or "stretched"
    over    what mean and spread are taken over: "token" or "column"
    loud    whether the next token is ten times as large
    Errors: TraitError for shapes that do not fit and for a token that does not exist.
    To exchange words, x and affine at once, assign them inside ``with demo.hold_trait_notifications():``.
    """

    _esm = bundle("normalise.js")
    _css = bundle("normalise.css")
    _summary = (
        "Normalise: bars show the numbers of one token of a sentence. Step by step their mean is subtracted, they are "
        "divided by their spread, multiplied by γ and moved by β. Over the token's own numbers the result has mean 0 "
        "and spread 1 and does not notice when its neighbour becomes ten times as large; over a column it does."
    )

    words = Words(["one", "two"]).tag(sync=True)
    x = Matrix().tag(sync=True)
    affine = Matrix().tag(sync=True)
    token = Index(0).tag(sync=True)
    stage = Choice("given", options=("given", "centred", "divided", "stretched")).tag(sync=True)
    over = Choice("token", options=("token", "column")).tag(sync=True)
    loud = Switch(False).tag(sync=True)

    def __init__(self, words, x, affine, **traits):
        super().__init__(words=words, x=x, affine=affine, **traits)

    @traitlets.validate("words", "x", "affine")
    def _fits(self, proposal):
        now = {"words": self.words, "x": self.x, "affine": self.affine} | {proposal.trait.name: proposal.value}
        _require_fit(**now)
        return proposal.value

    @traitlets.validate("token")
    def _exists(self, proposal):
        _require_fit(self.words, self.x, self.affine)  # first, since traits set at once are validated in any order
        if not 0 <= proposal.value < len(self.words):
            raise traitlets.TraitError(
                f"expected token from 0 to {len(self.words) - 1}, got {proposal.value}: "
                f"the sentence has {len(self.words)} words"
            )
        return proposal.value

    @traitlets.observe("words")
    def _stay_inside(self, change):
        with self.hold_sync():  # the page must not see fewer words with an old token
            self.token = min(self.token, len(self.words) - 1)


def _require_fit(words, x, affine):
    """Refuse tokens that are too many or too wide to draw, words that are not theirs, and other widths of γ and β."""
    n, d = len(x), len(x[0])
    if not (FEWEST <= n <= MOST and FEWEST <= d <= MOST):
        raise traitlets.TraitError(
            f"expected x with {FEWEST} to {MOST} rows and columns, got ({n}, {d}): each number is drawn as one bar; "
            f"pass x[:{MOST}, :{MOST}], or add some"
        )
    if len(words) != n:
        raise traitlets.TraitError(
            f"expected a word for each of the {n} rows of x, got {len(words)}: change both in "
            "`with demo.hold_trait_notifications():`"
        )
    if (len(affine), len(affine[0])) != (2, d):
        raise traitlets.TraitError(
            f"expected affine as (2, {d}), γ above β, got ({len(affine)}, {len(affine[0])}): pass [gamma, beta], "
            "each as long as a token"
        )
