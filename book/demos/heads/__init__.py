"""Attend with several heads side by side: what each one is given of every word, sees, and adds to the output."""

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Index, Indices, Matrix, Switch, Words, require_fit

MATRICES = ("words", "x", "w_q", "w_k", "w_v", "w_o", "names")
FEWEST, MOST = {"words": 2, "heads": 2}, {"words": 12, "heads": 4}
WIDEST = {"w_q": 6, "w_v": 8, "w_o": 4}  # columns that a telephone has room for


class Heads(Demo):
    """Multi-head attention on a sentence: one head's slice of every word, its weights, and the output as a sum.

    query = x w_q, key = x w_k, value = x w_v, each cut into h slices; softmax(query keyᵀ / √d_k) value in each head;
    output = the heads' results side by side, times w_o, which is a sum with a term for each head

    words    2 to 12 words, one for each row    x  (n, d_model)    w_q, w_k  (d_model, h · d_k)
    w_v      (d_model, h · d_v)                 w_o  (h · d_v, d_out)
    names    what the h heads are called, 2 to 4 of them
    head     the head that is shown, and row  the word that asks, both counted from 0
    reshaped  cuts by a reshape alone, without exchanging the axes: whole words go to the heads
    silent   the heads that are switched off, in ascending order
    Errors: TraitError for shapes that do not fit, numbers that are not finite, a head or a word that does not exist.
    To exchange several matrices at once, assign them inside ``with demo.hold_trait_notifications():``.
    """

    _esm = bundle("heads.js")
    _css = bundle("heads.css")
    _summary = (
        "Heads: the hungry lion's sentence, attended to by three small heads side by side. The queries, keys and "
        "values of every word are cut into three slices, and each head has one slice of each word. For attacked, the "
        "first head looks at lion, the second at attacked itself, the third at attacked and zebra alike, and the "
        "output is the sum of what they add. Cut by a reshape alone, a head has some words whole and nothing of others."
    )

    words = Words().tag(sync=True)
    x = Matrix().tag(sync=True)
    w_q = Matrix().tag(sync=True)
    w_k = Matrix().tag(sync=True)
    w_v = Matrix().tag(sync=True)
    w_o = Matrix().tag(sync=True)
    names = Words().tag(sync=True)
    head = Index(0).tag(sync=True)
    row = Index(0).tag(sync=True)
    reshaped = Switch(False).tag(sync=True)
    silent = Indices(()).tag(sync=True)

    def __init__(self, words, x, w_q, w_k, w_v, w_o, names, head=0, row=0, reshaped=False, silent=()):
        matrices = {"words": words, "x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o, "names": names}
        super().__init__(**matrices, head=head, row=row, reshaped=reshaped, silent=silent)

    @traitlets.validate(*MATRICES)
    def _fits(self, proposal):
        now = {name: getattr(self, name) for name in MATRICES} | {proposal.trait.name: proposal.value}
        _require_room(**now)
        return proposal.value

    @traitlets.validate("head", "row", "silent")
    def _exists(self, proposal):
        name, value = proposal.trait.name, proposal.value
        count, what = (len(self.words), "words") if name == "row" else (len(self.names), "heads")
        if max([value] if name != "silent" else value, default=0) >= count:
            raise traitlets.TraitError(
                f"expected {name} from 0 to {count - 1}, got {value}: there are {count} {what}, counted from 0"
            )
        return value

    @traitlets.observe("words", "names")
    def _stay_inside(self, change):
        with self.hold_sync():  # the page must not see fewer words or heads with an old choice
            self.head, self.row = min(self.head, len(self.names) - 1), min(self.row, len(self.words) - 1)
            self.silent = [head for head in self.silent if head < len(self.names)]


def _require_room(words, x, w_q, w_k, w_v, w_o, names):
    """Refuse sizes that do not fit one another, cannot be cut, or have no room in the page."""
    for what, given in (("words", words), ("heads", names)):
        if not FEWEST[what] <= len(given) <= MOST[what]:
            raise traitlets.TraitError(
                f"expected {FEWEST[what]} to {MOST[what]} {what}, got {len(given)}: leave some out, or add some"
            )
    require_fit(words, x, w_q, w_k, w_v, w_o)
    for name, width in (("w_q", len(w_q[0])), ("w_v", len(w_v[0]))):
        if width % len(names):
            raise traitlets.TraitError(
                f"expected columns of {name} that {len(names)} heads can share, got {width}: give each head as many"
            )
    for name, width in (("w_q", len(w_q[0])), ("w_v", len(w_v[0])), ("w_o", len(w_o[0]))):
        if width > WIDEST[name]:
            raise traitlets.TraitError(
                f"expected at most {WIDEST[name]} columns of {name}, got {width}: there is no room for more"
            )
