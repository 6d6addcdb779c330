"""The course's own translator, alive: type a sentence, look into every head, switch a part off."""

from collections.abc import Sequence

import traitlets

from ..shared.demo import Demo, bundle
from ..shared.traits import Checked, Choice, Index, Words

PARTS = ("scaling", "positions", "residual", "norm", "mask")
PLACES = ("encoder", "decoder", "cross")
VIEWS = (*PLACES, "next")
MOST_WORDS = 18


class PackedModel(Checked):
    """A trained model as ``attention.models.quantised.packed`` lays it out."""

    def validate(self, obj, value):
        """Accept a dictionary that has all that the page needs to run it."""
        needed = {"h", "layers", "source", "target", "parameters"}
        if not isinstance(value, dict) or needed - set(value):
            remedy = "write packed(shipped_translator().model)"
            self.refuse(sorted(value) if isinstance(value, dict) else value, f"a dict with {sorted(needed)}", remedy)
        return value


class Parts(Checked):
    """Names of parts, each once."""

    def validate(self, obj, value):
        """Accept a list or tuple of strings; which parts there are is for the demo to check."""
        if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
            self.refuse(value, "a list of names", f'write {self.name}=["scaling", "cross.0.2"]')
        return sorted(set(value))


class ModelDemo(Demo):
    """A demo that runs a trained model on a sentence.

    trained   what ``attention.models.quantised.packed`` makes of a model
    examples  sentences to pick, in words that the model knows; the first is the one that it opens with
    sentence  1 to 18 words that the model knows, with a blank between them
    Errors: TraitError for words that the model does not know, and for other values.
    """

    trained = PackedModel({}).tag(sync=True)
    examples = Words().tag(sync=True)
    sentence = traitlets.Unicode().tag(sync=True)

    def __init__(self, trained: dict, examples: Sequence[str], **settings):
        super().__init__(trained=trained, examples=examples, **{"sentence": examples[0], **settings})

    @traitlets.validate("examples", "sentence")
    def _is_known(self, proposal):
        """Accept sentences of words that the model knows."""
        sentences = [proposal.value] if isinstance(proposal.value, str) else proposal.value
        for sentence in sentences:
            words = sentence.split()
            if not 1 <= len(words) <= MOST_WORDS:
                raise traitlets.TraitError(
                    f"expected 1 to {MOST_WORDS} words with a blank between them, got {len(words)}: "
                    f"shorten {sentence!r}"
                )
            if unknown := [word for word in words if word not in self.trained["source"]]:
                raise traitlets.TraitError(
                    f"expected words that the model knows, got {unknown[0]!r}: choose from {self.trained['source'][1:]}"
                )
        return proposal.value


class Translator(ModelDemo):
    """A trained Transformer that translates in the page, every number of it open to the eye.

    trained, examples, sentence   as in ``ModelDemo``
    off       what is switched off: any of PARTS, and heads by name, "encoder.0.2" for head 2 of layer 0 of the encoder,
              "decoder.0.2" where the decoder looks back at its own words, "cross.0.2" where it looks at the source
    view      which step is shown: one of VIEWS
    head      the head whose map is shown         row, column  the weight in it that is explained, counted from 0
    Errors: TraitError as in ``ModelDemo``, and for parts that the model does not have.
    """

    _esm = bundle("translator.js")
    _css = bundle("translator.css")
    _summary = (
        "Translator: the course's trained Transformer turns a sentence into Italian, word by word. "
        "Each head of the encoder and the decoder shows what it looks at; each weight is shown with the query and the "
        "key that made it. Heads, scaling, positions, residual, norm and causal mask can be switched off, and the "
        "translation follows."
    )

    off = Parts([]).tag(sync=True)
    view = Choice("cross", options=VIEWS).tag(sync=True)
    head = Index(0).tag(sync=True)
    row = Index(0).tag(sync=True)
    column = Index(0).tag(sync=True)

    @traitlets.validate("off")
    def _has_parts(self, proposal):
        """Accept parts that this model has."""
        heads = [
            f"{place}.{layer}.{head}"
            for place in PLACES
            for layer in range(self.trained["layers"])
            for head in range(self.trained["h"])
        ]
        if unknown := [name for name in proposal.value if name not in (*PARTS, *heads)]:
            raise traitlets.TraitError(
                f"expected parts of the model, got {unknown[0]!r}: choose from {', '.join(PARTS)}, "
                f"or a head from {heads[0]} to {heads[-1]}"
            )
        return proposal.value
