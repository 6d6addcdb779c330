"""A training run, played again: loss, translation, where the model looks, and what teacher forcing asks."""

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Checked, Index

IN_RECORD = {"loss", "checkpoints"}
IN_CHECKPOINT = {"step", "held_out", "watched"}
IN_SNAPSHOT = {"source", "shown", "target", "guess", "loss", "attention"}


class Record(Checked):
    """What ``translator.train`` returns beside a model, with one watched sentence or more."""

    def validate(self, obj, value):
        """Accept a record whose checkpoints all watch the same sentences, the last one after the last loss."""
        remedy = "write record=shipped_translator().record"
        if not isinstance(value, dict) or IN_RECORD - set(value):
            got = sorted(value) if isinstance(value, dict) else value
            self.refuse(got, f"a dict with {sorted(IN_RECORD)}", remedy)
        moments = value["checkpoints"]
        if len(moments) < 2 or any(IN_CHECKPOINT - set(moment) for moment in moments):
            self.refuse(len(moments), f"two checkpoints or more, each with {sorted(IN_CHECKPOINT)}", remedy)
        if not moments[0]["watched"] or any(IN_SNAPSHOT - set(seen) for m in moments for seen in m["watched"]):
            self.refuse("none", f"watched sentences, each with {sorted(IN_SNAPSHOT)}", "train with watched=PROMISED")
        steps = [moment["step"] for moment in moments]
        if steps != sorted(set(steps)) or steps[-1] != len(value["loss"]):
            self.refuse(steps, f"steps that increase up to {len(value['loss'])}, one loss each", remedy)
        return {"loss": value["loss"], "checkpoints": moments}


class TrainingReplay(Demo):
    """How a translator learned, moment by moment.

    record    what ``translator.train`` returns beside the model: the loss of each step, and at some moments the share
              of held-out sentences that are right and a snapshot of each watched sentence
    moment    which of the recorded moments is shown       sentence  which of the watched sentences
    head      whose cross-attention is drawn, in the last layer; all are counted from 0
    Errors: TraitError for a record that lacks something, and for a moment, sentence or head that it does not have.
    """

    _esm = bundle("training_replay.js")
    _css = bundle("training_replay.css")
    _summary = (
        "Training replay: a dozen moments of the run in which the course's translator learned. A curve shows the loss, "
        "and points show how many held-out sentences came out right. For one of three sentences you see the model's "
        "translation at that moment, where one of its heads looked in the source, and a grid of teacher forcing: what "
        "the decoder is shown, what it must predict, and the loss of each word. "
        "The translation is right long before the loss has come to rest."
    )

    record = Record({}).tag(sync=True)
    moment = Index(0).tag(sync=True)
    sentence = Index(0).tag(sync=True)
    head = Index(0).tag(sync=True)

    def __init__(self, record, moment=0, sentence=0, head=0):
        super().__init__(record=record, moment=moment, sentence=sentence, head=head)

    @traitlets.validate("moment", "sentence", "head")
    def _exists(self, proposal):
        name, value = proposal.trait.name, proposal.value
        moments = self.record["checkpoints"]
        first = moments[0]["watched"]
        count = {"moment": len(moments), "sentence": len(first), "head": len(first[0]["attention"][-1])}[name]
        if value >= count:
            raise traitlets.TraitError(
                f"expected {name} from 0 to {count - 1}, got {value}: the record has {count}, counted from 0"
            )
        return value
