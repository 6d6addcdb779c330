"""Walk through attention one cell at a time: each number beside the row and the column that made it."""

import numpy as np
import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Choice, Index, Matrix, Permutation, Switch, Words, require_fit

STAGES = ("query", "key", "value", "scores", "weights", "output")
MATRICES = ("words", "x", "w_q", "w_k", "w_v")


class RowByRow(Demo):
    """Attention on a sentence, each cell of each step explained, and arcs from a word to those that it looks at.

    query = x w_q,   key = x w_k,   value = x w_v
    scores = query keyᵀ (/ √d_k where ``scaled``),   weights = softmax(scores) row by row,   output = weights value

    words  n words, one for each row      x         (n, d_model)       w_q, w_k  (d_model, d_k)      w_v  (d_model, d_v)
    w_q    may be changed in the page     start  the W_Q that it came with, which "Put back" restores
    order  which word is in each place of the sentence, by default 0, 1, 2, …; rows of x move with their words
    stage  what is shown: one of STAGES   row, column  the cell of it that is explained, counted from 0 in this order;
                                         by default, the score at row 1 and column 2, where they exist
    Errors: TraitError for shapes that do not fit, numbers that are not finite, a cell outside the stage's matrix, an
    order that is not one of all words.
    To exchange several matrices at once, assign them inside ``with demo.hold_trait_notifications():``.
    """

    _esm = bundle("row_by_row.js")
    _css = bundle("row_by_row.css")
    _summary = (
        "Row by row: the matrices of attention for one sentence, step by step: queries, keys, values, scores, weights, "
        "output. Each cell of a result is shown with the row and the column that made it, and with the sum in numbers. "
        "Arcs lead from one word to the words that it looks at, as thick as the weights. An entry of W_Q can be "
        "changed, and two words swapped: then the rows of the output are swapped too, and nothing else changes."
    )

    words = Words().tag(sync=True)
    x = Matrix().tag(sync=True)
    w_q = Matrix().tag(sync=True)
    w_k = Matrix().tag(sync=True)
    w_v = Matrix().tag(sync=True)
    start = Matrix(read_only=True).tag(sync=True)
    order = Permutation().tag(sync=True)
    scaled = Switch(True).tag(sync=True)
    stage = Choice("scores", options=STAGES).tag(sync=True)
    row = Index(0).tag(sync=True)
    column = Index(0).tag(sync=True)

    def __init__(self, words, x, w_q, w_k, w_v, scaled=True, stage="scores", row=None, column=None, order=None):
        super().__init__(words=words, x=x, w_q=w_q, w_k=w_k, w_v=w_v, scaled=scaled, stage=stage)
        if order is not None:
            self.order = order
        # Row 1, column 2 is "hungry" looking at "lion" in the course's sentence.
        self.row = min(1, len(words) - 1) if row is None else row
        self.column = min(2, self._columns() - 1) if column is None else column

    @traitlets.default("start")
    def _as_it_came(self):
        return self.w_q

    @traitlets.default("order")
    def _in_turn(self):
        return range(len(self.words))

    def _columns(self):
        """Return how many columns the matrix of the present stage has."""
        as_wide_as = {"query": self.w_q[0], "key": self.w_k[0], "value": self.w_v[0], "output": self.w_v[0]}
        return len(as_wide_as.get(self.stage, self.words))

    @traitlets.validate(*MATRICES)
    def _fits(self, proposal):
        now = {name: getattr(self, name) for name in MATRICES} | {proposal.trait.name: proposal.value}
        require_fit(**now)
        return proposal.value

    @traitlets.validate("row", "column")
    def _inside(self, proposal):
        name = proposal.trait.name
        size = len(self.words) if name == "row" else self._columns()
        if proposal.value >= size:
            raise traitlets.TraitError(
                f"expected {name} from 0 to {size - 1}, got {proposal.value}: "
                f"the {self.stage} matrix has {size} {name}s, counted from 0"
            )
        return proposal.value

    @traitlets.validate("order")
    def _orders_all_words(self, proposal):
        if len(proposal.value) != len(self.words):
            raise traitlets.TraitError(
                f"expected order with one place for each of {len(self.words)} words, got {len(proposal.value)}: "
                f"write order=list(range({len(self.words)})) for the order in which they came"
            )
        return proposal.value

    @traitlets.observe("stage", "words", "w_q", "w_v")
    def _stay_inside(self, change):
        if np.shape(self.start) != np.shape(self.w_q):
            self.set_trait("start", self.w_q)
        if len(self.order) != len(self.words):
            self.order = self._in_turn()
        self.row = min(self.row, len(self.words) - 1)
        self.column = min(self.column, self._columns() - 1)
