"""How many tokens one output of stacked convolutions sees."""

from typing import Any

from attention.chapters import before_attention as reference
from autograder.diagnosis import Case, Exercise, mistake


def unseen(rng: Any) -> list[Case]:
    """Kernels wider than three, several layers, with and without dilation."""
    return [
        Case("a wide kernel", (int(rng.integers(5, 8)), int(rng.integers(11, 17)))),
        Case("an even kernel", (4, int(rng.integers(5, 9)))),
        Case("dilation", (int(rng.integers(5, 8)), int(rng.integers(9, 13)), int(rng.integers(2, 5)))),
        Case("dilation by name", (3, int(rng.integers(17, 31))), {"dilation": int(rng.integers(5, 9))}),
    ]


def edges(rng: Any) -> list[Case]:
    """A kernel of one, no layer, a single layer."""
    return [
        Case("a kernel of one", (1, int(rng.integers(5, 12)), 3)),
        Case("no layer at all", (int(rng.integers(3, 8)), 0)),
        Case("one layer", (int(rng.integers(5, 8)), 1, int(rng.integers(2, 5)))),
    ]


@mistake(
    "The kernel size was multiplied by the number of layers. "
    "Windows overlap: a second layer with kernels of three adds one token on each side, not three new ones. "
    "Start with 1 for the token itself and let each layer add (kernel_size − 1) · dilation.",
)
def size_times_layers(kernel_size, layers, dilation=1):
    return kernel_size * layers * dilation


@mistake(
    "The kernel size was multiplied by the number of layers, and the dilation was ignored. "
    "Windows overlap, so a second layer with kernels of three adds two tokens; and a dilation of 2 reaches twice "
    "as far. "
    "Start with 1 for the token itself and let each layer add (kernel_size − 1) · dilation.",
)
def size_times_layers_alone(kernel_size, layers, dilation=1):
    return kernel_size * layers


@mistake(
    "Each layer added a whole kernel of new tokens. "
    "One of the k places of a kernel is the token itself, which was already counted. "
    "A layer adds k − 1, not k.",
)
def whole_kernel_each_layer(kernel_size, layers, dilation=1):
    return 1 + layers * kernel_size * dilation


@mistake(
    "The dilation was ignored. "
    "A dilation of 2 leaves a gap of one token between the places of a kernel, so the kernel reaches twice as far. "
    "Multiply what each layer adds by the dilation.",
)
def dilation_forgotten(kernel_size, layers, dilation=1):
    return 1 + layers * (kernel_size - 1)


@mistake(
    "This is the reach to one side only. "
    "The field extends to the left and to the right, with the token itself in the middle. "
    "Count both sides and the token.",
)
def one_side_only(kernel_size, layers, dilation=1):
    return layers * (kernel_size - 1) * dilation // 2


@mistake(
    "A 2 was used for every kernel size, which is right only for a kernel of three. "
    "A kernel of five has four gaps. "
    "Let each layer add (kernel_size − 1) · dilation.",
)
def kernel_of_three_assumed(kernel_size, layers, dilation=1):
    return 1 + 2 * layers * dilation


@mistake(
    "`k // 2` tokens were counted on each side, which is one too many per layer for an even kernel. "
    "A kernel of four has three gaps, and no middle. "
    "Let each layer add (kernel_size − 1) · dilation, without halving.",
)
def half_to_either_side(kernel_size, layers, dilation=1):
    return 1 + 2 * (kernel_size // 2) * layers * dilation


@mistake(
    "Half of k − 1 was rounded down and then doubled, which loses a token per layer for an even kernel. "
    "A kernel of four has three gaps, and no middle. "
    "Let each layer add (kernel_size − 1) · dilation, without halving.",
)
def half_rounded_down(kernel_size, layers, dilation=1):
    return 1 + 2 * ((kernel_size - 1) // 2) * layers * dilation


@mistake(
    "The count begins with a whole kernel and then adds every layer, so the first layer counts twice. "
    "Before the first layer, an output sees only its own token. "
    "Begin with 1.",
)
def begun_with_a_kernel(kernel_size, layers, dilation=1):
    return kernel_size + layers * (kernel_size - 1) * dilation


@mistake(
    "The first layer was counted without dilation. "
    "All layers have the given dilation, including the first. "
    "Let each of them add (kernel_size − 1) · dilation.",
)
def first_layer_not_dilated(kernel_size, layers, dilation=1):
    return kernel_size + (layers - 1) * (kernel_size - 1) * dilation if layers else 1


@mistake(
    "The whole field was multiplied by the dilation. "
    "Dilation stretches the gaps between places, but the token itself stays one token. "
    "Add the 1 after you multiply.",
)
def field_times_dilation(kernel_size, layers, dilation=1):
    return (1 + layers * (kernel_size - 1)) * dilation


@mistake(
    "The dilation was raised to the power of the layer, as in WaveNet. "
    "That is a good design, but here all layers have the given dilation. "
    "Add the same for every layer.",
)
def dilation_to_the_power_of_the_layer(kernel_size, layers, dilation=1):
    return 1 + sum((kernel_size - 1) * dilation**layer for layer in range(layers))


@mistake(
    "A dilation of d was read as d tokens left out between two places. "
    "A dilation of 1 means neighbours: places are d apart, with d − 1 tokens between them. "
    "Let each layer add (kernel_size − 1) · dilation.",
)
def tokens_left_out(kernel_size, layers, dilation=1):
    return 1 + layers * (kernel_size - 1) * (dilation + 1)


@mistake(
    "With no layers the answer was 0. "
    "Then an output is its own token, and sees that one. "
    "You don't need a special case: 1 + 0 · (kernel_size − 1) · dilation is 1.",
)
def nothing_without_layers(kernel_size, layers, dilation=1):
    return 1 + layers * (kernel_size - 1) * dilation if layers else 0


@mistake(
    "The field was multiplied from layer to layer, as if each window began where the last one ended. "
    "Stacked windows overlap, and every layer adds the same number of tokens. "
    "Add instead of multiplying.",
)
def multiplied_layer_by_layer(kernel_size, layers, dilation=1):
    return kernel_size**layers if dilation == 1 else (1 + (kernel_size - 1) * dilation) ** layers


@mistake(
    "The first layer was not counted. "
    "One layer with kernels of three already sees 3 tokens. "
    "Each layer adds (kernel_size − 1) · dilation, including the first.",
)
def one_layer_too_few(kernel_size, layers, dilation=1):
    return 1 + (layers - 1) * (kernel_size - 1) * dilation


@mistake(
    "The dilation was multiplied by the whole kernel, k · dilation − 1. "
    "A kernel of three has two gaps, not three, and dilation stretches the gaps. "
    "Write (kernel_size − 1) · dilation.",
)
def kernel_stretched(kernel_size, layers, dilation=1):
    return 1 + layers * (kernel_size * dilation - 1)


@mistake(
    "The kernel size was raised to the power of the number of layers. "
    "Windows overlap, so each layer adds the same number of tokens; it does not multiply them. "
    "Start with 1 for the token itself and let each layer add (kernel_size − 1) · dilation.",
)
def size_to_the_power(kernel_size, layers, dilation=1):
    return kernel_size**layers


@mistake(
    "The dilation was doubled from layer to layer. "
    "Some networks do that, but here all layers have the same dilation. "
    "Let each layer add (kernel_size − 1) · dilation.",
)
def dilation_doubled(kernel_size, layers, dilation=1):
    return 1 + (kernel_size - 1) * dilation * (2**layers - 1)


EXERCISE = Exercise(
    name="receptive_field",
    reference=reference.receptive_field,
    returns=("tokens",),
    examples=(
        Case("three wide, eight layers", (3, 8)),
        Case("with dilation 2", (3, 8), {"dilation": 2}),
        Case("five wide, three layers", (5, 3)),
        Case("four wide, three layers", (4, 3)),
        Case("no layer at all", (3, 0), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        (
            "each layer multiplies by k instead of adding k − 1",
            lambda kernel_size, layers, dilation=1: kernel_size**layers,
        ),
        (
            "the gaps of the layers are multiplied instead of added",
            lambda kernel_size, layers, dilation=1: 1 + dilation * (kernel_size - 1) ** layers,
        ),
        (
            "the dilation doubles from layer to layer, 1, 2, 4, …, instead of being `dilation` in all of them",
            lambda kernel_size, layers, dilation=1: 1 + (kernel_size - 1) * (2**layers - 1),
        ),
    ),
)
