"""Each chapter's demo at the example that its notebook works through; ``selfcheck.demo`` shows it there."""

import numpy as np

from .beam_tree import BeamTree, small_tree
from .clock_hands import ClockHands
from .counting_words import CountingWords
from .gravity import Gravity
from .heads import Heads
from .mask_editor import MaskEditor
from .normalise import Normalise
from .reach import Reach
from .saturation import Saturation
from .soft_dictionary import SoftDictionary
from .temperature import Temperature
from .training_replay import TrainingReplay


def heads():
    """Return the lion's sentence in three heads, the first of them chosen."""
    from attention.chapters import lion

    w_o = np.array([[1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]])
    return Heads(
        lion.words, lion.x, lion.w_q, lion.w_k, np.tile(lion.w_v, 3), w_o, ["nouns", "verbs", "objects"], head=0, row=1
    )


def saturation():
    """Return random queries and keys, of which four numbers count."""
    rng = np.random.default_rng(5)
    return Saturation(rng.normal(size=(40, 1024)), rng.normal(size=(8, 1024)), d_k=4, scaled=True)


def two_keys():
    """Return one query between two keys, with the scores 1 and -1."""
    return Saturation(np.array([[2, 0, 0, 0]]), np.array([[1, 0, 0, 0], [-1, 0, 0, 0]]), d_k=4, scaled=True)


def mask_editor():
    """Return the sentence with two places of padding, under a causal mask."""
    x = np.array([[1, 0, 0, 1], [0, 2, 1, 0], [1, 1, 0, 0], [0, 1, 2, 0], [0, 0, 1, 1], [0, 0, 1, 1]])
    other = np.array([[0, 2, 0, 1], [1, 0, 0, 2], [0, 0, 2, 1], [2, 0, -1, 1], [1, 1, 0, 0], [2, 0, 0, 0]])
    words = ["your", "cat", "is", "lovely", "<pad>", "<pad>"]
    return MaskEditor(words, x, other, length=4, preset="causal", changed=4)


def training_replay():
    """Return the translator's training at its last moment."""
    from attention.models import shipped_translator

    record = shipped_translator().record
    return TrainingReplay(record, moment=len(record["checkpoints"]) - 1)


def normalise():
    """Return the token 1, 2, 3, 4, divided by its spread, beside one ten times as large."""
    x, affine = np.array([[1, 2, 3, 4], [10, 20, 30, 40]]), np.array([[1, 1, 1, 1], [0, 0, 0, 0]])
    return Normalise(["1 2 3 4", "tenfold"], x, affine, stage="divided")


def temperature():
    """Return four words with the probabilities 1/8, 1/2, 1/4 and 1/8, of which ``nucleus`` keeps two."""
    logits = np.log([0.125, 0.5, 0.25, 0.125])
    words = ["cat", "dog", "bird", "fish"]
    return Temperature([{"said": "the", "words": words, "logits": np.round(logits, 5).tolist()}])


WORKED = {
    "01_before_attention": lambda: Reach(architecture="cnn", depth=3, token=5),
    "02_embeddings": lambda: CountingWords(["mat cat mat", "cat rat rat", "mat"]),
    "03_context": lambda: Gravity(steps=1),
    "04_query_key_value": lambda: SoftDictionary(tokens="AABA", query="B", base="3"),
    "05_scaling": saturation,
    "06_multi_head": heads,
    "07_position": lambda: ClockHands(position=1, offset=1, d_model=4),
    "08_layer_norm": normalise,
    "09_masking": mask_editor,
    "10_training": training_replay,
    "11_gradients": two_keys,
    "12_inference": lambda: BeamTree([small_tree()], width=2, turn=2),
    "13_gpt": temperature,
}


def demo_of(chapter: str):
    """Return a chapter's demo at the worked example. Errors: KeyError for a chapter that has none."""
    return WORKED[chapter]()
