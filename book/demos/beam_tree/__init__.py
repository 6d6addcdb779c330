"""Look for a likely sentence with beams of several widths, in a small tree and in a model's own guesses.

A tree of beginnings, and which of them a beam keeps, turn after turn:
kept = the ``width`` candidates with the largest sums of log-probabilities; finished ones compete as they are
"""

import math

import numpy as np

from attention.chapters.inference import translation_step
from attention.chapters.training import log_softmax
from attention.chapters.transformer import EOS, SOS, Model
from attention.chapters.translator import SETTINGS

from ..shared.demo import define_demo
from ..shared.schema import whole

WORDS = ["<sos>", "<eos>", "A", "B", "x", "y"]
TREE = {  # what was said so far: the probability of each next word
    "<sos>": {"A": 0.5, "B": 0.4, "<eos>": 0.1},
    "<sos> A": {"x": 0.5, "y": 0.45, "<eos>": 0.05},
    "<sos> B": {"x": 0.4, "y": 0.3, "A": 0.3},
    "<sos> A x": {"<eos>": 0.5, "A": 0.3, "B": 0.2},
    "<sos> A y": {"<eos>": 0.9, "A": 0.1},
    "<sos> B x": {"<eos>": 1.0},
}
WIDEST = 4
NODES = {
    "name": {"type": "string"},
    "words": {"type": "array", "minItems": 2, "maxItems": 2000},
    "parents": {"type": "array", "items": {"type": "integer", "minimum": 0}},
    "log_p": {"type": "array", "items": {"type": "number", "maximum": 0}},
}


def tree_step(tokens):
    """Return the logits (words,) of the next token on the tree: logarithms of its probabilities, -40 for the rest."""
    said = TREE.get(" ".join(WORDS[token] for token in tokens), {"<eos>": 1.0})
    return np.array([np.log(said[word]) if word in said else -40.0 for word in WORDS])


def trees_fault(trees):
    """Return which nodes lack something, or come before their parents, in the first such tree, or None."""
    for tree in trees:
        words, parents, log_p = (len(tree[part]) for part in ("words", "parents", "log_p"))
        if not words == parents == log_p:
            return f"{words} words, {parents} parents and {log_p} log_p"
        for node, parent in enumerate(tree["parents"]):
            if parent >= max(node, 1):
                return f"{parent} as the parent of node {node}"


def small_tree() -> dict:
    """Return the chapter's tree, in which greedy ends at 0.125 and a beam of two at 0.2025."""
    tree = _Growing("A, B, x, y", SOS)
    places = {SOS: 0}
    for said, following in TREE.items():
        for word, p in following.items():
            places[f"{said} {word}"] = tree.add(places[said], word, math.log(p))
    for said in [said for said in places if said not in TREE and not said.endswith(EOS)]:
        tree.add(places[said], EOS, 0.0)  # whatever the tree does not know ends there
    return tree.data


def recorded(sentence: str, trained: Model, widest: int = WIDEST) -> dict:
    """Return what every search of width 1 to ``widest`` looks at while it translates a sentence with a model.

    Of each beginning the ``widest`` likeliest next words are kept, since no other can be among the best.
    Errors: KeyError for a word that the model does not know.
    """
    words, vocabulary = list(trained.target_vocabulary), trained.target_vocabulary
    step, tree, children = translation_step(sentence, trained), _Growing(sentence, SOS), {}

    def grown(place, tokens):
        if place not in children:
            log_p = log_softmax(step(tokens))
            best = [int(word) for word in np.argsort(-log_p, kind="stable")[:widest]]
            children[place] = [(tree.add(place, words[w], float(log_p[w])), [*tokens, w], log_p[w]) for w in best]
        return children[place]

    for width in range(1, widest + 1):
        beams = [(0.0, 0, [vocabulary[SOS]])]
        for _ in range(SETTINGS.longest):
            candidates = [beam for beam in beams if words[beam[2][-1]] == EOS]
            for total, place, tokens in (beam for beam in beams if words[beam[2][-1]] != EOS):
                candidates += [(total + p, child, said) for child, said, p in grown(place, tokens)]
            beams = sorted(candidates, key=lambda beam: -beam[0])[:width]
    return tree.data


class _Growing:
    """A tree that gets one node after another."""

    def __init__(self, name, root):
        self.data = {"name": name, "words": [root], "parents": [0], "log_p": [0.0]}

    def add(self, parent, word, log_p):
        """Add a node and return its place."""
        self.data["words"].append(word)
        self.data["parents"].append(parent)
        self.data["log_p"].append(min(round(log_p, 6), 0.0))
        return len(self.data["words"]) - 1


BeamTree = define_demo(
    __name__,
    "Beam tree: a search for a likely sentence, drawn as an indented list of words, each under the word that it "
    "follows, with its probability and that of the whole beginning. A slider sets how many beginnings are kept. "
    "With one, the search is greedy and ends at A x, 0.125; with two it finds A y, 0.2025.",
    trees={
        "type": "array",
        "items": {"type": "object", "properties": NODES, "required": [*NODES]},
        "minItems": 1,
        "fault": trees_fault,
        "shape": "trees",
        "description": "trees of 2 to 2000 nodes, each with a name and, for its nodes, words, parents that come before "
        "their children, and log-probabilities, at most 0",
        "remedy": "make each with small_tree() or recorded(sentence, model)",
    },
    which=whole("the tree on show", below="trees"),
    width=whole("the number of beginnings that are kept, 1 for greedy", 2, minimum=1, maximum=WIDEST),
    turn=whole("the number of words that were chosen so far; the page goes no further than the search"),
)
