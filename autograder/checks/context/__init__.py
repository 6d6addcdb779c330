"""Chapter 3, from static to contextual: one module an exercise, in the notebook's order."""

from . import mix, self_attention, similarity_scores, softmax, strongest_neighbour

EXERCISES = tuple(module.EXERCISE for module in (mix, softmax, similarity_scores, self_attention, strongest_neighbour))
