"""Normalise a token step by step, over its own numbers or over its neighbours; and go deep, with and without a norm."""

import traitlets

from .demo import Demo, bundle
from .traits import Choice, Curves, Index, Matrix, Switch, Words

FEWEST, MOST = 2, 8  # tokens, and numbers in each: so many bars fit on a telephone
DEEPEST = 48
MEASURES = ("size", "difference", "gradient")
ARRANGEMENTS = ("post", "pre", "no_norm", "no_residual")


class Normalise(Demo):
    """Layer norm of one token, step by step, and what a stack of layers does to a signal with it and without.

    out = γ (x - μ) / √(σ² + 1e-5) + β, with μ and σ of the token's own numbers or, for comparison, of each column

    words   2 to 8 words, one for each row of x
    x       (n, d): a token in each row, d from 2 to 8
    affine  (2, d): γ in the first row, β in the second
    token   the row whose numbers are drawn, counted from 0
    stage   how far it is normalised: "given", "centred", "divided" or "stretched"
    over    what mean and spread are taken over: "token" or "column"
    loud    whether the next token is ten times as large
    size, difference, gradient
            for each of "post", "pre", "no_norm" and "no_residual" a line [[layers, number], ...] for 1, 2, 3, …
            layers, at most 48, numbers above 0; all three, or None for each to draw none
    depth   how many layers the numbers are read at
    measure which of the three lines is drawn
    Errors: TraitError for shapes that do not fit, a token or a depth that does not exist, lines of other names.
    To exchange words, x and affine at once, assign them inside ``with demo.hold_trait_notifications():``.
    """

    _esm = bundle("normalise.js")
    _css = bundle("normalise.css")
    _summary = (
        "Normalise: bars show the numbers of one token of a sentence. Step by step their mean is subtracted, they are "
        "divided by their spread, multiplied by γ and moved by β. Over the token's own numbers the result has mean 0 "
        "and spread 1 and does not notice when its neighbour becomes ten times as large; over a column it does. Beside "
        "it, lines over up to 24 untrained layers show that numbers explode without a norm, and that all words become "
        "alike without the residual, slowly also with the norm behind the sum, and hardly with the norm before."
    )

    words = Words(["one", "two"]).tag(sync=True)
    x = Matrix().tag(sync=True)
    affine = Matrix().tag(sync=True)
    token = Index(0).tag(sync=True)
    stage = Choice("given", options=("given", "centred", "divided", "stretched")).tag(sync=True)
    over = Choice("token", options=("token", "column")).tag(sync=True)
    loud = Switch(False).tag(sync=True)
    size = Curves(names=ARRANGEMENTS, longest=DEEPEST).tag(sync=True)
    difference = Curves(names=ARRANGEMENTS, longest=DEEPEST).tag(sync=True)
    gradient = Curves(names=ARRANGEMENTS, longest=DEEPEST).tag(sync=True)
    depth = Index(1).tag(sync=True)
    measure = Choice("size", options=MEASURES).tag(sync=True)

    def __init__(self, words, x, affine, **traits):
        super().__init__(words=words, x=x, affine=affine, **traits)

    @traitlets.validate("words", "x", "affine")
    def _fits(self, proposal):
        now = {"words": self.words, "x": self.x, "affine": self.affine} | {proposal.trait.name: proposal.value}
        _require_fit(**now)
        return proposal.value

    @traitlets.validate("token", "depth")
    def _exists(self, proposal):
        name, value = proposal.trait.name, proposal.value
        _require_fit(self.words, self.x, self.affine)  # first, since traits set at once are validated in any order
        lowest, highest = (0, len(self.words) - 1) if name == "token" else (1, self._layers())
        if not lowest <= value <= highest:
            what = f"the sentence has {len(self.words)} words" if name == "token" else "so many layers have numbers"
            raise traitlets.TraitError(f"expected {name} from {lowest} to {highest}, got {value}: {what}")
        return value

    @traitlets.observe("words", "size", "difference", "gradient")
    def _stay_inside(self, change):
        with self.hold_sync():  # the page must not see fewer words with an old token
            self.token = min(self.token, len(self.words) - 1)
            self.depth = min(self.depth, self._layers())

    def _layers(self):
        """Return for how many layers there are numbers in every line; 1 where there is no line."""
        lines = [line for measure in MEASURES for line in getattr(self, measure).values()]
        return min(map(len, lines), default=1)


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
