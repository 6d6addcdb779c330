"""Every model trained on the translator's sentences, each from five seeds: sort them, compare curves and sentences."""

import numpy as np
import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Index

BASELINE = "translator"
MOST = 3  # models beside the baseline whose lines can be told apart
COLUMNS = ("changed", "chapter", "loss", "right")


def row_of(runs, changed, page, places):
    """Return an ablation's row of the table, with what its first run says of the held-out sentences in ``places``.

    Its line has a point for every tenth step: the mean over its runs of their losses in the ten steps up to it.
    """
    curve = np.mean([run.curve for run in runs], axis=0)
    return {
        "name": runs[0].name,
        "changed": changed,
        "chapter": int(page[:2]),
        "link": f"{page}.html#in-a-trained-model",
        "loss": float(np.mean([run.loss for run in runs])),
        "right": float(np.mean([run.held_out for run in runs])),
        "shares": [run.held_out for run in runs],
        "line": [[10 * (i + 1), round(float(loss), 4)] for i, loss in enumerate(curve)],
        "written": [runs[0].said[place] for place in places],
    }


class Laboratory(Demo):
    """A table of ablations, the loss curves of those chosen beside the baseline's, and what they make of a sentence.

    models      a dict for each: name; changed, what was changed, as words; chapter, a number; link, to its page; loss
                at the end, in nats per token; right, the share of held-out sentences translated exactly; shares, that
                share for each run, of which right is the mean; line, [[step, loss], ...]; written, a translation per
                sentence
    sentences   a dict for each: source, wanted
    chosen      up to three names of models that are compared with the baseline
    order       the column that the table is sorted by, with a minus before it for the largest first
    sentence    which of the sentences is translated, counted from 0
    Errors: TraitError for a name that no model has, an unknown column and a sentence that does not exist.
    """

    _esm = bundle("laboratory.js")
    _css = bundle("laboratory.css")
    _summary = (
        "The laboratory: a table of all models that were trained on the translator's sentences, with what was "
        "changed in each, its loss at the end and, for each of five seeds, the share of unseen sentences that it "
        "translates exactly. Up to three are laid over the translator as loss curves, with what each makes of a "
        "sentence."
    )

    models = traitlets.List(traitlets.Dict()).tag(sync=True)
    sentences = traitlets.List(traitlets.Dict()).tag(sync=True)
    chosen = traitlets.List(traitlets.Unicode()).tag(sync=True)
    order = traitlets.Unicode("-right").tag(sync=True)
    sentence = Index(0).tag(sync=True)

    def __init__(self, models, sentences, **traits):
        super().__init__(models=models, sentences=sentences, **traits)

    @traitlets.validate("chosen")
    def _is_known(self, proposal):
        known = [one["name"] for one in self.models if one["name"] != BASELINE]
        wrong = [name for name in proposal.value if name not in known]
        if wrong or len(proposal.value) > MOST:
            got = repr(wrong[0]) if wrong else f"{len(proposal.value)} of them"
            raise traitlets.TraitError(f"expected chosen as up to {MOST} of {', '.join(known)}, got {got}")
        return proposal.value

    @traitlets.validate("order")
    def _is_a_column(self, proposal):
        if proposal.value.removeprefix("-") not in COLUMNS:
            raise traitlets.TraitError(
                f'expected order as one of {", ".join(COLUMNS)}, or with a minus such as "-right", '
                f"got {proposal.value!r}"
            )
        return proposal.value

    @traitlets.validate("sentence")
    def _exists(self, proposal):
        if proposal.value >= len(self.sentences):
            last = len(self.sentences) - 1
            raise traitlets.TraitError(f"expected sentence from 0 to {last}, got {proposal.value}")
        return proposal.value
