"""What Python and NumPy say of an error, as a pattern, and what it means to a beginner.

A second meaning is for exercises that want one result, where the first speaks of several.
"""

SEVERAL, STACKED = "Return several results as `a, b`.", "Return several results side by side: `return a, b`."
ONE = "Look at the axis along which each part is cut or summed, and at its length afterwards."
KNOWN_ERRORS = (
    ("shape-mismatch for sum", "`np.tensordot` sums over two axes by default. `@` sums over one."),
    (
        "all input arrays must have the same shape",
        "Arrays of unequal shape were stacked into one. " + STACKED,
        "Arrays of unequal shape were stacked into one. " + ONE,
    ),
    (
        "dimensions except for the concatenation axis must match",
        "Arrays that are put together along one axis must have the same length along all others. Print both shapes: "
        "the axis may be the wrong one, or the new part may have its axes in another order.",
    ),
    (
        "'numpy.ndarray' object has no attribute 'append'",
        "An array does not grow. `np.concatenate` and `np.append`, with `axis=`, return a longer one: give it a name.",
    ),
    (
        "inhomogeneous shape",
        "Arrays of unequal shape were put into one. " + SEVERAL,
        "Arrays of unequal shape were put into one. " + ONE,
    ),
    (r"for \^|'bitwise_xor'", "`^` is not a power in Python: write `**`."),
    (
        "Integers to negative integer powers",
        "NumPy cannot raise an integer to a negative power: make one of them a float.",
    ),
    (
        "truth value of an array",
        "A whole array is used where Python needs one True or False, as in `if`, `and`, `or`, max and min. "
        "Compare entry by entry: `np.where`, `np.maximum`, `np.minimum`.",
    ),
    (
        "axes don't match array",
        "A transpose that names its axes, such as `transpose(1, 0, 2)`, fits only that many axes, and a batch has "
        "more. `np.swapaxes`, with axes counted from the end, leaves leading axes in place.",
    ),
    (
        "'tuple' object has no attribute",
        "A tuple is used where an array is needed. A function with several results returns a tuple: unpack it, "
        "`a, b = f(x)`.",
    ),
    (
        "Cannot cast ufunc",
        "`+=`, `-=`, `*=` and `/=` write their result into the existing array, and an array of integers holds "
        "no fractions. It may also be one of the function's arguments, which must not change. Write `x = x / y`, "
        "which makes a new array.",
    ),
    (
        "Axis must be specified when shapes of a and weights differ",
        "`np.average` needs the axis along which the weights run: `axis=0` for one weight per row.",
    ),
)

# The same for errors that leading axes may cause, too: they mean this where there are none.
WITHOUT_LEADING_AXES = (
    (
        r"builtin_function_or_method|'method'|'(function|numpy\.ufunc)' object is not (subscriptable|iterable)",
        "A function or a method lacks its round brackets: `x.sum()`, not `x.sum` or `x.sum[0]`.",
    ),
    (
        "'int' object is not iterable",
        "One number was given where several are needed. A loop counts with `range(n)`, and `append` adds one element "
        "to a list, not `extend`.",
    ),
    ("can only concatenate list", "`+` joins two lists: put a single element into brackets, `tokens + [word]`."),
    ("unhashable type", "A list or an array was looked up in a dictionary. Look up one of its elements at a time."),
    (
        "expected str instance, (int|numpy)",
        "`join` puts texts together, and was given numbers. Look up the word of each number first.",
    ),
    (
        "'list' object has no attribute '(split|lower|upper|strip|replace)'",
        "This is a list of texts, and such a method works on one text. Loop over the list.",
    ),
    (
        "is not callable",
        "Round brackets call what is in front of them, and that is no function. An index takes square brackets, as in "
        "`x.shape[0]`; a product needs its `*` or `@`. Or a name such as `sum` was given a value above, and is no "
        "function any more.",
    ),
    (
        r"'(int|float|numpy\.\w+)' object is not subscriptable|unpack non-iterable (int|float|numpy)|index to scalar|"
        r"object of type '(int|float|numpy\.\w+)' has no len|len\(\) of unsized",
        "A single number has no elements: `x.shape` holds all lengths, and `x.shape[0]` is one of them.",
    ),
    (
        "cannot access local variable|before assignment",
        "A variable has no value yet: the line that gives it one comes later, or is in a loop or an `if` that was "
        "never entered.",
    ),
    (
        "maximum recursion depth",
        "The function calls itself, and so on without end. Write out what it does, or call a function of an earlier "
        "exercise.",
    ),
    (
        r"must be real number, not tuple|unsupported operand .*'tuple'",
        "A tuple is used where a number or an array is needed. `x.shape` holds all lengths, and `x.shape[-1]` is the "
        "last; a function with several results returns a tuple, too: unpack it, `a, b = f(x)`.",
    ),
    (
        "'tuple' object does not support item assignment",
        "A tuple cannot be changed. Make a list, `[0] * n`, or an array.",
    ),
    (
        "list assignment index out of range",
        "A list has no place with this index. An empty list has none at all: `append` adds an element, or make an "
        "array of the right shape first.",
    ),
    (
        "list index out of range",
        "An index runs past the end of a list: the last one is `len(x) - 1`, and an empty list has none.",
    ),
    (
        "is out of bounds for axis 0 with size 0",
        "The first or the last of nothing is asked for. If it is what meets a condition, as in `np.where(…)[0][0]`: "
        "sometimes nothing meets it.",
    ),
    (
        r"(max|min)\(\) (arg is an empty sequence|iterable argument is empty)",
        "Python's max and min need one element or more, and get none: a list was never filled, or all was taken out.",
    ),
    (
        r"missing \d+ required positional argument",
        "A call in the function passes too few arguments. Python names the last ones, whichever were forgotten: "
        "compare the call with the `def` line, from the left.",
    ),
    (
        r"'(set|map|zip|filter|generator|dict_\w+)' object is not subscriptable|"
        r"object of type '(map|zip|filter|generator)' has no len",
        "This has no positions and perhaps no order. Make a list of it first: `list(…)`, or `sorted(…)` for a set.",
    ),
    (
        "list indices must be integers or slices, not str",
        "The elements of a list have numbers, not names. Look a word up in a dictionary.",
    ),
    (
        r"not enough values to unpack|too many values to unpack",
        "There are more names on the left of `=` than values on the right, or fewer. `x.shape` has one length for "
        "each axis: `n, d = x.shape[-2:]` takes the last two.",
    ),
    (
        "too many indices for array",
        "The array has fewer axes than there are indices. `x[..., 0]` counts from the end and fits any number of axes. "
        "A sum or a maximum removes its axis; `keepdims=True` keeps it with length 1.",
    ),
    (
        r"axis -?\d+ is out of bounds for array of dimension",
        "The array does not have this axis: the first is 0, and the last is -1. A sum or a maximum removes its axis "
        "(`keepdims=True` keeps it with length 1), and `np.append` without an axis leaves a single one.",
    ),
    (
        "axes don't match array",
        "`x.transpose(1, 0, 2)` names all axes in their new order. `np.swapaxes(x, -1, -2)` swaps two, as PyTorch's "
        "`transpose` does.",
    ),
    (
        r"view\(\) takes",
        "NumPy's `view` is not PyTorch's. Write `reshape`.",
    ),
    (
        "'dict' object has no attribute '(append|add|index|insert|extend)'",
        "A dictionary is filled with `d[key] = value` and read with `d[key]`.",
    ),
    (
        "can only concatenate str",
        "`+` joins texts, and one of the two is none: write `str(x)`, or an f-string.",
    ),
    (
        "only specify one unknown dimension",
        "A reshape can find one length by itself, and only one may be -1. Write the others.",
    ),
    (
        r"math domain error|expected a (positive|nonnegative) input",
        "`math.log` has no value at 0 or below, and `math.sqrt` none below 0. Look at what is given to it.",
    ),
    (
        "No module named",
        "This package is not installed here. NumPy is all that the exercises need.",
    ),
    (
        "EOF when reading a line",
        "`input` waits for somebody who types, and nobody is there. All that is needed is in the arguments.",
    ),
    (
        r"did not contain a loop.*<U",
        "A text is used where numbers are needed. Quotation marks make a text, and so does an array that holds one.",
    ),
    (
        "numpy boolean (subtract|negative)",
        "`-` does not work on True and False. To invert a mask write `~mask`; to calculate with it, "
        "`mask.astype(float)`.",
    ),
    (
        "Cannot interpret .* as a data type",
        "`np.zeros` and `np.ones` take the shape as one tuple, `np.zeros((m, n))`, and a type after it. So does a sum: "
        "what comes after its axis needs its name, as in `keepdims=True`.",
    ),
    (
        "converted to Python scalars",
        "`math.exp`, `float` and others of Python's own take one number, and were given an array. NumPy's functions "
        "take arrays: `np.exp`, `np.sqrt`.",
    ),
    (
        "converted to a scalar index",
        "An array was given where one whole number is needed. `np.stack` and `np.concatenate` take their arrays as one "
        "list, `np.stack([a, b])`, and the index of a list is one number.",
    ),
    (
        r"setting an array element with a sequence\.?$",
        "Several numbers were written into a place for one. Look at the shape that the array was made with, and at "
        "what is written into it.",
    ),
    (
        "(unsupported|bad) operand .*'list'|multiply sequence|list indices .* not tuple|"
        r"'list' object has no attribute '(T|shape|ndim|size|sum|mean|max|min|dot|reshape|astype|transpose)'",
        "A list does not calculate like an array. Make it one: `np.array`.",
    ),
    (
        "float.* interpreted as an integer|indices must be integers .*(float|__index__)|sequence of integers",
        "A length, an index and the end of a range must be whole numbers. `/` gives a float: divide with `//`.",
    ),
    (
        "only integers, slices",
        "The index of an array is a whole number or a slice, and this is neither. `/` gives a float: divide with "
        "`//`. A word needs its number first.",
    ),
    (
        r"does not have enough dimensions \(has 0",
        "`@` multiplies arrays, and one of the two has no axes: it is a single number, None, or a method without its "
        "brackets `()`.",
    ),
    (
        "NoneType",
        "None is used like an array or a number. An argument may be None; a function without `return` gives None, and "
        "so does `list.append`.",
    ),
)

# The same for errors that mean little more than what they say, with their type: told if nothing else is known.
LAST_RESORT = (
    (
        r"^ValueError: cannot reshape array of size \d+ into shape \([\d, -]*\)",
        "A reshape keeps all numbers: the new lengths must have the same product as the old ones.",
    ),
    (
        r"^IndexError: index -?\d+ is out of bounds for axis \d+ with size \d+",
        "An index runs past the end of an axis: the last one is the length minus 1. Look at what the index counts.",
    ),
    (
        r"^KeyError: '[^'\n]{1,40}'",
        "The dictionary does not have this key. To count from 0, write `d[key] = d.get(key, 0) + 1`.",
    ),
)
