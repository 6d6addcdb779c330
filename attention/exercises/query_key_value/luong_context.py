"""The context vector of one decoder state."""

import numpy as np

from attention.chapters import query_key_value as reference
from attention.chapters.context import softmax
from autograder.diagnosis import Case, Exercise, IntermediateStep, mistake

from ..draw import far_apart, uniform

LOUD = (np.array([1000.0, 0.0]), np.array([[1.0, 0.0], [1.0, 2.0], [0.0, 1.0]]))


def unseen(rng: np.random.Generator) -> list[Case]:
    """One decoder state, encoder states of unequal number and width."""
    return [
        Case("five encoder states", (uniform(rng, 0.7, 7), uniform(rng, 0.7, 5, 7))),
        Case("eleven encoder states", (uniform(rng, 1, 3), uniform(rng, 1, 11, 3))),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """Scores that overflow exp, and a sentence of one word."""
    state, encoder_states = far_apart(rng, 1, 5, 3)
    return [
        Case("scores of a thousand", (state[0], encoder_states)),
        Case("one encoder state", (uniform(rng, 1, 3), uniform(rng, 1, 1, 3))),
    ]


@mistake(
    "Every encoder state counts the same, whatever the decoder's state is. "
    "That is the plain average, which attention was invented to replace. "
    "Score each encoder state against `state`, and weight it by softmax of the scores.",
)
def plain_average(state, encoder_states):
    n = len(encoder_states)
    return encoder_states.mean(axis=0), np.full(n, 1 / n)


@mistake(
    "The weights are right, but the context is the plain average of the encoder states and does not use them. "
    "The decoder would read the same sentence at every step. "
    "Mix with the weights: context = Σ α_j h_j.",
)
def alpha_not_used(state, encoder_states):
    return encoder_states.mean(axis=0), softmax(encoder_states @ state)


@mistake(
    "The scores e_j were used as weights without softmax. "
    "They may be negative and need not sum to one, so the context is not a mixture. "
    "Turn them into weights first: exp of each, divided by the sum.",
)
def scores_as_weights(state, encoder_states):
    scores = encoder_states @ state
    return scores @ encoder_states, scores


@mistake(
    "Each encoder state was weighted, but they were not added up. "
    "The context is one vector, as wide as a state. "
    "Sum over the encoder states, the first axis.",
)
def states_not_mixed(state, encoder_states):
    alpha = softmax(encoder_states @ state)
    return alpha[:, None] * encoder_states, alpha


@mistake(
    "The encoder state with the largest score is the whole context. "
    "The decoder may need something from several words, and the others are lost. "
    "Weight every state by softmax of the scores.",
)
def best_state_only(state, encoder_states):
    alpha = np.zeros(len(encoder_states))
    alpha[np.argmax(encoder_states @ state)] = 1.0
    return alpha @ encoder_states, alpha


def without_exp(state, encoder_states):
    scores = encoder_states @ state
    return scores / scores.sum() @ encoder_states, scores / scores.sum()


@mistake(
    "The scores were divided by √d, as in scaled dot-product attention. "
    "Luong's decoder compares its state with the encoder's states as they are. "
    "Use the plain dot products.",
)
def scores_scaled(state, encoder_states):
    alpha = softmax(encoder_states @ state / np.sqrt(len(state)))
    return alpha @ encoder_states, alpha


EXERCISE = Exercise(
    name="luong_context",
    reference=reference.luong_context,
    returns=("context", "alpha"),
    examples=(
        Case("three encoder states", (np.array([1.0, 2.0]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]))),
        Case("scores of a thousand", LOUD, edge=True),
    ),
    unseen=unseen,
    edges=edges,
    step=IntermediateStep(
        "scores",
        lambda state, encoder_states: encoder_states @ state,
        lambda scores, state, encoder_states: (softmax(scores) @ encoder_states, softmax(scores)),
    ),
    wrong_formulas=(("the scores are divided by their sum, without `np.exp`", without_exp),),
)
