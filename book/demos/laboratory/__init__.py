"""Every model trained on the translator's sentences, in one table: sort it, lay curves over one another, compare."""

from statistics import fmean

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Index

MOST = 4  # lines that can be told apart
COLUMNS = ("changed", "chapter", "loss", "right", "order")


def row_of(name, trained, page, sources):
    """Return a trained model's row of the table: its chapter's page, and its translations of some sentences.

    Its line has a point for every tenth step: the mean of the ten losses up to it.
    """
    losses = trained.record["loss"]
    return {
        "name": name,
        "changed": trained.words,
        "chapter": int(page[:2]),
        "link": f"{page}.html#in-a-trained-model",
        "loss": trained.final_loss,
        "right": trained.held_out,
        "order": trained.reversible,
        "line": [[step, round(fmean(losses[step - 10 : step]), 5)] for step in range(10, len(losses) + 1, 10)],
        "written": trained.translations(sources),
    }


class Laboratory(Demo):
    """A table of trained models, the loss curves of those chosen, and what they make of a sentence.

    models      a dict for each model: name; changed, what was changed, as words; chapter, a number; link, to its page;
                loss at the end, in nats per token; right and order, the shares of held-out sentences and of reversible
                ones that it translates exactly; line, [[step, loss], ...]; written, a translation per sentence
    sentences   a dict for each: source, wanted
    chosen      up to four names of models
    order       the column that the table is sorted by, with a minus before it for the largest first
    sentence    which of the sentences is translated, counted from 0
    Errors: TraitError for a name that no model has, an unknown column and a sentence that does not exist.
    """

    _esm = bundle("laboratory.js")
    _css = bundle("laboratory.css")
    _summary = (
        "The laboratory: a table of all models that were trained on the translator's sentences, with what was "
        "changed in each, its loss at the end and the share of unseen sentences that it translates exactly. Up to four "
        "are laid over one another as loss curves, with what each makes of a sentence."
    )

    models = traitlets.List(traitlets.Dict()).tag(sync=True)
    sentences = traitlets.List(traitlets.Dict()).tag(sync=True)
    chosen = traitlets.List(traitlets.Unicode()).tag(sync=True)
    order = traitlets.Unicode("chapter").tag(sync=True)
    sentence = Index(0).tag(sync=True)

    def __init__(self, models, sentences, **traits):
        super().__init__(models=models, sentences=sentences, **traits)

    @traitlets.validate("chosen")
    def _is_known(self, proposal):
        known = [one["name"] for one in self.models]
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
