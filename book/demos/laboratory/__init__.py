"""Every model trained on the translator's sentences, each from five seeds: sort them, compare curves and sentences.

A table of ablations, the loss curves of those chosen beside the baseline's, and what they make of a sentence.
"""

import numpy as np

from ..shared.demo import define_demo
from ..shared.schema import choice, texts, whole

BASELINE = "translator"
ORDERS = [minus + column for minus in ("", "-") for column in ("changed", "chapter", "loss", "right")]


def row_of(runs, changed, page, places):
    """Return an ablation's row of the table, with what its first run says of the held-out sentences in ``places``.

    changed  what was changed, as words              link   to its page         chapter  a number
    loss     at the end, in nats per token           shares of held-out sentences that each run translates exactly
    right    the mean of these                       written  a translation for each of ``places``
    line     [[step, loss], ...] for every tenth step: the mean over runs of their losses in the ten steps up to it
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


def others(demo):
    """Return the names of the models that can be compared with the baseline."""
    return [one["name"] for one in demo.models if one["name"] != BASELINE]


def chosen_misfit(demo, names):
    """Return the first name that no model has, or None."""
    return next((repr(name) for name in names if name not in others(demo)), None)


Laboratory = define_demo(
    __name__,
    "The laboratory: a table of all models that were trained on the translator's sentences, with what was "
    "changed in each, its loss at the end and, for each of five seeds, the share of unseen sentences that it "
    "translates exactly. Up to three are laid over the translator as loss curves, with what each makes of a "
    "sentence.",
    models={
        "type": "array",
        "items": {"type": "object", "required": ["name"]},
        "description": "a dict for each model, as row_of returns it, with its name",
        "remedy": "make each with row_of(runs, changed, page, places)",
    },
    sentences={
        "type": "array",
        "items": {"type": "object", "required": ["source", "wanted"]},
        "minItems": 1,
        "shape": "sentences",
        "description": "a dict for each sentence: source, wanted",
        "remedy": 'write sentences=[{"source": "i see you", "wanted": "ti vedo"}]',
    },
    chosen=texts(
        "up to three names of models that are compared with the baseline",
        maxItems=3,  # whose lines can be told apart
        misfit=chosen_misfit,
        default=[],
        remedy=lambda demo: f"choose from {', '.join(others(demo))}",
    ),
    order=choice("the column that the table is sorted by, with a minus for the largest first", "-right", ORDERS),
    sentence=whole("the sentence that is translated", below="sentences"),
)
