"""Plausible wrong answers to multi_head_parameters."""


def each_head_as_wide_as_the_model(d_model, h, bias=False):
    """Every head is given matrices of the whole width, so the count grows with the number of heads."""
    if d_model % h:
        raise ValueError("h must divide d_model")
    count = 4 * h * d_model**2
    if bias:
        count += 4 * h * d_model
    return count


def one_bias_a_matrix(d_model, h, bias=False):
    """Each product gets a single bias, where it has one for each of its columns."""
    if d_model % h != 0:
        raise ValueError(f"{h} does not divide {d_model}")
    return 4 * d_model * d_model + (4 if bias else 0)


def biases_of_one_product(d_model, h, bias=False):
    """The biases are counted for one of the four products only."""
    if d_model % h != 0:
        raise ValueError(f"{h} does not divide {d_model}")
    total = 4 * d_model * d_model
    if bias:
        total += d_model
    return total


def no_bias_behind_the_last_matrix(d_model, h, bias=False):
    """w_o is taken to have no bias, so those of three products are counted."""
    if d_model % h:
        raise ValueError("the heads would not be equally wide")
    matrices = [d_model * d_model] * 4
    return sum(matrices) + 3 * d_model * int(bias)


def width_rounded_down(d_model, h, bias=False):
    """// rounds the width of a head down, so an uneven division is counted and not refused."""
    d_k = d_model // h
    wide = h * d_k
    count = 3 * d_model * wide + wide * d_model
    return count + bool(bias) * (3 * wide + d_model)


def one_head_only(d_model, h, bias=False):
    """The matrices of a single head are counted, and not those of all h."""
    if d_model % h:
        raise ValueError("h must divide d_model")
    d_k = d_model // h
    return 4 * d_model * d_k + (4 * d_k if bias else 0)


def last_matrix_of_one_head(d_model, h, bias=False):
    """w_o is given the d_k rows of one head, where it has a row for each number of all heads."""
    if d_model % h:
        raise ValueError("h must divide d_model")
    d_k = d_model // h
    count = h * 3 * d_model * d_k + d_k * d_model
    if bias:
        count += 4 * d_model
    return count


def error_returned(d_model, h, bias=False):
    """The ValueError is returned and not raised."""
    if d_model % h:
        return ValueError("d_model can't be shared by h heads")
    return 4 * d_model * (d_model + (1 if bias else 0))


def division_the_wrong_way_round(d_model, h, bias=False):
    """It is asked whether d_model divides h, so a ValueError is raised where the heads share evenly."""
    if h % d_model:
        raise ValueError("h does not divide d_model")
    return 4 * d_model**2 + bool(bias) * 4 * d_model


def biases_always_counted(d_model, h, bias=False):
    """The biases are counted whether they are asked for or not."""
    if d_model % h:
        raise ValueError("h must divide d_model")
    return 4 * (d_model * d_model + d_model)


def bias_for_each_head_and_column(d_model, h, bias=False):
    """The biases are counted d_model times for each head, although all heads share the columns."""
    if d_model % h:
        raise ValueError("h must divide d_model")
    biases = 4 * h * d_model if bias else 0
    return 4 * d_model * d_model + biases
