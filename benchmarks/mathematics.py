"""Attention forward beside plain einsum and beside Python loops, and one training step: time and peak memory."""

import math
import time
import tracemalloc

import numpy as np
from autograd import value_and_grad

from attention.chapters.scaling import scaled_dot_product_attention
from attention.chapters.training import cross_entropy, shift_right
from attention.chapters.transformer import initialise, transformer

D_K, D_V = 64, 64
LENGTHS = (16, 64, 256, 1024)
LOOPS_UP_TO = 256  # beyond that, loops take minutes
ROUNDS = 7


def best_numpy(query, key, value):
    """Two products and one softmax in place: the least that NumPy has to do."""
    scores = (query / math.sqrt(D_K)) @ key.T
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores @ value, scores


def einsum(query, key, value):
    """Attention as it is often written for PyTorch, in NumPy."""
    scores = np.einsum("qd,kd->qk", query, key) / np.sqrt(D_K)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return np.einsum("qk,kd->qd", weights, value), weights


def loops(query, key, value):
    """Attention one number at a time."""
    output, weights = [], []
    for q in query.tolist():
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(D_K) for k in key.tolist()]
        powers = [math.exp(score - max(scores)) for score in scores]
        row = [power / sum(powers) for power in powers]
        weights.append(row)
        output.append([sum(w * v for w, v in zip(row, column, strict=True)) for column in value.T.tolist()])
    return np.array(output), np.array(weights)


def milliseconds(function, *arguments, rounds=ROUNDS):
    """Return the best wall time of some rounds."""
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        function(*arguments)
        taken.append(1000 * (time.perf_counter() - started))
    return min(taken)


def peak(function, *arguments):
    """Return the most memory that a call holds at once, its result included, in bytes."""
    tracemalloc.start()
    function(*arguments)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def attention_table():
    """Print one line a length: times, the ratio to the best, and memory in weight matrices beyond the outputs."""
    rng = np.random.default_rng(0)
    print(f"attention forward, d_k = d_v = {D_K}, one head; times in ms")
    print(
        f"{'n':>6}{'reference':>11}{'best NumPy':>12}{'ratio':>7}{'einsum':>9}{'loops':>10}{'memory':>9}{'einsum':>8}"
    )
    for n in LENGTHS:
        arrays = [rng.normal(size=(n, d)) for d in (D_K, D_K, D_V)]
        ours, best, plain = (milliseconds(f, *arrays) for f in (scaled_dot_product_attention, best_numpy, einsum))
        slow = f"{milliseconds(loops, *arrays, rounds=1):10.0f}" if n <= LOOPS_UP_TO else f"{'':>10}"
        matrix, outputs = 8 * n * n, 8 * n * (n + D_V)
        extra = [(peak(f, *arrays) - outputs) / matrix for f in (scaled_dot_product_attention, einsum)]
        ratio = f"{ours / best:7.2f}"
        print(f"{n:6}{ours:11.3f}{best:12.3f}{ratio}{plain:9.3f}{slow}{extra[0]:9.2f}{extra[1]:8.2f}")
    print("memory: weight matrices (n × n) held beyond inputs and outputs\n")


def training_step_line():
    """Print how long one step of a small translator takes, forward alone and with gradients."""
    rng = np.random.default_rng(0)
    parameters = initialise(rng, source_words=61, target_words=67, d_model=64, d_ff=128, layers=2)
    source, target = rng.integers(3, 61, (64, 7)), rng.integers(3, 67, (64, 5))

    def loss(parameters):
        return cross_entropy(transformer(source, shift_right(target, 1), parameters, h=4, layers=2), target, pad=0)

    forward, step = milliseconds(loss, parameters), milliseconds(value_and_grad(loss), parameters)
    print(f"training step, batch 64, d_model 64, 2 + 2 layers: forward {forward:.1f} ms, with gradients {step:.1f} ms")


if __name__ == "__main__":
    attention_table()
    training_step_line()
