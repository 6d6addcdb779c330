"""A training run, played again: loss, translation, where the model looks, and what teacher forcing asks."""

from ..shared.demo import define_demo
from ..shared.schema import whole

SNAPSHOT = ["source", "shown", "target", "guess", "loss", "attention"]
WATCHED = {
    "type": "array",
    "items": {"type": "object", "required": SNAPSHOT},
    "minItems": 1,
    "description": f"watched sentences, each with {SNAPSHOT}",
    "remedy": "train with watched=PROMISED",
}
CHECKPOINTS = {
    "type": "array",
    "items": {"type": "object", "required": ["step", "held_out", "watched"], "properties": {"watched": WATCHED}},
    "minItems": 2,
    "description": "a record of two checkpoints or more",
}


def record_fault(record):
    """Return the steps of the checkpoints where they do not increase up to that of the last loss, or None."""
    steps = [checkpoint["step"] for checkpoint in record["checkpoints"]]
    if steps != sorted(set(steps)) or steps[-1] != len(record["loss"]):
        return f"checkpoints at {steps} for {len(record['loss'])} losses"


def watched(demo):
    """Return the snapshots of the first checkpoint."""
    return demo.record["checkpoints"][0]["watched"]


TrainingReplay = define_demo(
    __name__,
    "Training replay: a dozen moments of the run in which the course's translator learned. A curve shows the loss, "
    "and points show how many held-out sentences came out right. For one of three sentences you see the model's "
    "translation at that moment, where one of its heads looked in the source, and a grid of teacher forcing: what "
    "the decoder is shown, what it must predict, and the loss of each word. "
    "The translation is right long before the loss has come to rest.",
    record={
        "type": "object",
        "required": ["loss", "checkpoints"],
        "properties": {"loss": {"type": "array"}, "checkpoints": CHECKPOINTS},
        "fault": record_fault,
        "description": "what translator.train returns beside a model, with the loss of each step up to the last",
        "remedy": "write record=shipped_translator().record",
    },
    moment=whole("the checkpoint that is shown", below=lambda demo: len(demo.record["checkpoints"])),
    sentence=whole("the watched sentence that is shown", below=lambda demo: len(watched(demo))),
    head=whole(
        "the head of the last layer whose cross-attention is drawn",
        below=lambda demo: len(watched(demo)[0]["attention"][-1]),
    ),
)
