"""Numbers of a translation drawn for tests, some of each kind."""


def kind_of(node):
    """Return the array of a node without its word and its head: "d.cw" for "d2.cw.0:1:3"."""
    array = node.partition(":")[0]
    if array.startswith("L.") or array == "pos":
        return array[:3]
    side, key = array.split(".")[:2]
    return f"{side[0]}.{key}"


def drawn(numbers, rng, per_kind):
    """Draw nodes of each kind of a translation, of the rows that the page keeps."""
    kinds = {}
    for name, array in numbers.arrays.items():
        kinds.setdefault(kind_of(f"{name}:"), []).append((name, array.shape))
    for arrays in kinds.values():
        for name, (rows, columns) in (arrays[i] for i in rng.integers(len(arrays), size=per_kind)):
            last = name[0] == "d" and name.endswith((".l", ".p"))  # of these, the page has the last row
            yield f"{name}:{rows - 1 if last else rng.integers(rows)}:{rng.integers(columns)}"
