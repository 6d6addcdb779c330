"""The translator's numbers at a few moments of its training, for the course of each number through it.

``course_of("L.encoder.0.w_q:3:5")`` is the course of one of them.
"""

from functools import cache

import numpy as np

from attention.chapters.transformer import Model
from attention.chapters.translator import SEED, checkpoint, checkpoint_steps, train

from . import quantised, shipped, store
from .ablations import ABLATIONS
from .inside import before_training
from .quantised import packed, unpacked
from .replaced import replaced
from .store import shipped_translator

NAME, OF = "moments", "translator"
RECENT = 10  # steps whose mean loss is that of a moment


def moments() -> dict:
    """Return ``{steps, _parts: name -> the packed parameter at each step}``, from before training to its end.

    Errors: Stale if the file, or the translator's, is not what would be made today.
    """
    last = shipped_translator()
    between = shipped.read(NAME, made_of())
    steps = [0, *between["steps"], last.record["settings"]["steps"]]
    first, end = (packed(one)["parameters"] for one in (before_training(OF).model, last.model))
    return {"steps": steps, "_parts": {name: [one[name] for one in (first, *between["moments"], end)] for name in end}}


def course_of(node: str) -> dict[int, float]:
    """Return a learned number at each moment: step -> value.

    ``node`` is its name, as in ``explain``: L.encoder.0.w_q:3:5
    Errors: KeyError where the model has no such number.
    """
    name, row, column = node.removeprefix("L.").split(":")
    values = [array[int(column)] if array.ndim == 1 else array[int(row), int(column)] for array in _opened()[name]]
    return dict(zip(moments()["steps"], map(float, values), strict=True))


@cache
def _opened() -> dict:
    """Return each parameter as its arrays, one a moment."""
    every = [translator_at(step) for step in moments()["steps"]]
    return {name: [one.parameters[name] for one in every] for name in every[-1].parameters}


@cache
def translator_at(step: int) -> Model:
    """Return the translator as it was after a step of its training. Errors: ValueError for none of the moments."""
    every, last = moments(), packed(shipped_translator().model)
    i = every["steps"].index(step)
    return unpacked({**last, "parameters": {name: packs[i] for name, packs in every["_parts"].items()}})


def made_of() -> shipped.Provenance:
    """Return the file's provenance: this module's code, and all that training imports."""
    return {**shipped.training_code(), **shipped.code_in(quantised.__file__, __file__)}


def train_and_keep(name: str = OF) -> dict:
    """Train the translator once more and keep what it is at each moment: the file's content."""
    kept, settings = {}, ABLATIONS[name].sizes()
    steps = checkpoint_steps(settings)[1:-1:2]

    def keep(step: int, seen: Model, *_: object) -> dict:
        if step in steps:
            kept[step] = packed(seen)["parameters"]
        return {}

    with replaced({checkpoint: keep}):
        _, record = train(store.corpus(), np.random.default_rng(SEED), settings)
    losses = [float(np.mean(record["loss"][step - RECENT : step])) for step in steps]
    return {"steps": steps, "moments": list(kept.values()), "loss": losses}
