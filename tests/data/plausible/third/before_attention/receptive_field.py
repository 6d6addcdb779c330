"""Plausible wrong answers to receptive_field."""

import numpy as np


def dilation_grows_with_the_layer(kernel_size, layers, dilation=1):
    """The dilation is raised to the power of the layer, as in WaveNet, though it is the same in every layer."""
    seen = 1
    for layer in range(layers):
        seen += (kernel_size - 1) * dilation**layer
    return seen


def gaps_as_many_as_places(kernel_size, layers, dilation=1):
    """The dilated kernel is taken to be k · dilation long, though it has only k - 1 gaps."""
    length = kernel_size * dilation
    return 1 + layers * (length - 1)


def first_layer_not_dilated(kernel_size, layers, dilation=1):
    """The first layer is counted as k neighbouring tokens, as if only the layers above it were dilated."""
    if layers == 0:
        return 1
    return kernel_size + (layers - 1) * (kernel_size - 1) * dilation


def same_reach_on_both_sides(kernel_size, layers, dilation=1):
    """Half a kernel is counted on either side, which adds a token for each layer of an even kernel."""
    reach = kernel_size // 2
    return 2 * reach * layers * dilation + 1


def odd_half_rounded_down(kernel_size, layers, dilation=1):
    """The reach to one side is rounded down and doubled, which loses the extra place of an even kernel."""
    one_side = sum((kernel_size - 1) // 2 * dilation for _ in range(layers))
    return one_side + 1 + one_side


def nothing_without_layers(kernel_size, layers, dilation=1):
    """With no layer the answer is 0, though an output then still sees its own token."""
    if not layers:
        return 0
    return 1 + layers * (kernel_size - 1) * dilation


def places_between_not_counted(kernel_size, layers, dilation=1):
    """Only the tokens that a path really touches are counted, so the dilation drops out of the width."""
    places = {0}
    for _ in range(layers):
        places = {p + j * dilation for p in places for j in range(kernel_size)}
    return len(places)


def dilation_read_as_tokens_left_out(kernel_size, layers, dilation=1):
    """A dilation of d is read as d tokens left out between two places, so each gap is one token too long."""
    span = kernel_size + (kernel_size - 1) * dilation
    return 1 + layers * (span - 1)


def begins_with_a_kernel(kernel_size, layers, dilation=1):
    """The count begins with a whole kernel and still adds every layer, so the first layer counts twice."""
    field = kernel_size
    for _ in range(layers):
        field += (kernel_size - 1) * dilation
    return field


def product_of_the_layers(kernel_size, layers, dilation=1):
    """The kernels of the layers are multiplied, as if their windows did not overlap."""
    return int(np.prod([1 + (kernel_size - 1) * dilation] * layers))
