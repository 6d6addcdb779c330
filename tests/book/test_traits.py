"""What a demo is given in Python: each schema refuses what it does not describe, and says what it expected."""

import inspect
import re

import numpy as np
import pytest
from demos import Gravity, Heads, MaskEditor, Reach, RowByRow, Saturation, Towers
from demos.shared import schema
from demos.shared.demo import SchemaTrait
from traitlets import HasTraits, TraitError

INF, NAN = float("inf"), float("nan")
# Each kind, and what it refuses.
KINDS = {
    "choice": (schema.choice("it", "a", ["a", "b"]), ["c", 3, None]),
    "power of two": (schema.choice("it", 4, [1, 2, 4], type="integer"), [3, 0, 4.0, True, 8]),
    "switch": (schema.switch("it"), ["no", 1]),
    "number": (schema.number("it", 1, 0, 12), [NAN, -1, 12.1, True, "1", INF]),
    "whole": (schema.whole("it"), [-1, 0.9, 1.0, True]),
    "text": (schema.text("it"), [3, None, ["a"]]),
    "texts": (schema.texts("it"), ["ab", [3]]),
    "words": (schema.words("it"), ["ab", [""] * 5, []]),
    "matrix": (
        schema.matrix("it", "n d"),
        [np.ones((2, 3, 1)), np.ones(16), [[1, 2], [3]], [[1, INF]] * 3, [[0, NAN]], [["1", "2"]], [[]], [], "12"],
    ),
    "mask": (schema.mask("it"), [np.ones((2, 2), dtype=int), [[True], [True, False]], [[]], True]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_refuses_what_it_cannot_be(kind):
    """One message: the trait, what was expected, what came and what to write; a truth value is no number."""
    described, wrong = KINDS[kind]
    given = type("Given", (HasTraits,), {"one": SchemaTrait(described)})()
    for value in wrong:
        with pytest.raises(TraitError, match=r"^expected one as it\b.*, got .*: "):
            given.one = value


WORDS = {"words": ["hungry", "lion", "sees"], "x": np.eye(3)}
MATRICES = {"w_q": np.ones((3, 2)), "w_k": np.ones((3, 2)), "w_v": np.ones((3, 4))}
SENTENCE = WORDS | MATRICES
HEADS = SENTENCE | {"w_o": np.ones((4, 3)), "names": ["left", "right"]}
LINES = {name: [[1, 1.0], [2, 0.5]] for name in ("no_norm", "no_residual", "post", "pre")}
TOWERS = dict.fromkeys(("size", "difference", "gradient"), LINES)


@pytest.mark.parametrize(
    ("demo", "given", "wrong", "message"),
    [
        (Gravity, {}, {"bank": [1, 2, 3]}, "bank as the vector .*, got .1, 2, 3.: write bank="),
        (Gravity, {}, {"bank": [[1, 1], [1, 1]]}, r"got .1, 1. in bank\[0\]"),
        (Gravity, {}, {"bank": (NAN, 0)}, "got .nan, 0.: write"),
        (Gravity, {}, {"bank": np.array([0, 3.01])}, r"got 3.01 in bank\[1\]"),
        (Gravity, {}, {"bank": [True, False]}, r"got True in bank\[0\]"),
        (Gravity, {}, {"guests": [["loan", "money", 1, 0]] * 2}, "got 'loan' twice: write guests="),
        (Gravity, {}, {"guests": [["loan", "money", 1, 4]]}, r"got 4 in guests\[0\]\[3\]"),
        (RowByRow, SENTENCE, {"order": [1, 1, 0]}, "order as .*: write"),
        (RowByRow, SENTENCE, {"order": [0.0, 1.0, 2.0]}, "order"),
        (RowByRow, SENTENCE, {"mask": np.ones((2, 2), dtype=bool)}, r"got one of shape \(2, 2\) for 3 words"),
        (RowByRow, SENTENCE, {"x": np.eye(2, 3)}, "as many rows of x as words, got 2 and 3: words is .n., "),
        (RowByRow, SENTENCE, {"x": [[0, 1, NAN]] * 3}, "got nan in row 0, column 2: pass"),
        (Heads, HEADS, {"silent": [1, 0]}, "silent as .*, got"),
        (Towers, TOWERS, {"size": LINES | {"both": LINES["pre"]}}, "size as .*got a dict with .*both"),
        (Towers, TOWERS, {"size": LINES | {"pre": [[1, 2]]}}, r"in size.pre: pass"),
        (Towers, TOWERS, {"size": LINES | {"pre": [[1, 2], [2, 0]]}}, r"got 0 in size.pre\[1\]\[1\]"),
        (Towers, TOWERS, {"size": LINES | {"pre": [[1, 2], [1, 1]]}}, "got 1 after 1 in pre: pass"),
        (Towers, TOWERS, {"size": LINES | {"pre": [[1, 2], [2, INF]]}}, "size"),
    ],
)
def test_the_message_says_where_it_is_wrong(demo, given, wrong, message):
    """It names the place in a list or a dictionary, and of a large matrix the size."""
    with pytest.raises(TraitError, match=f"^expected .*{message}"):
        demo(**given | wrong)


def test_a_wrong_value_leaves_the_old_one():
    """Alone or together with others, and where only the sizes do not fit."""
    demo = RowByRow(**SENTENCE)
    for name, wrong in {"row": 3, "column": 0.5, "words": ["a"], "x": np.eye(2), "stage": "softmax"}.items():
        old = getattr(demo, name)
        with pytest.raises(TraitError, match="expected"):
            setattr(demo, name, wrong)
        assert getattr(demo, name) == old
    with pytest.raises(TraitError, match="rows of x"), demo.hold_trait_notifications():
        demo.words, demo.x = ["a"], np.ones((4, 3))
    assert (demo.words, demo.x) == (WORDS["words"], np.eye(3).tolist())
    with pytest.raises(TraitError, match="read-only"):
        demo.start = [[1]]


def test_values_are_plain():
    """Arrays, tuples, ranges and NumPy's numbers become lists and Python's numbers; the caller's list is not kept."""
    words = ["a", "b", "c"]
    demo = RowByRow(**SENTENCE | {"words": words}, order=range(3), row=np.int64(1), scaled=np.bool_(False))
    words.append("d")
    assert demo.words == ["a", "b", "c"]
    assert demo.order == [0, 1, 2]
    assert [type(value) for value in (demo.row, demo.scaled, demo.x[0][0])] == [int, bool, float]
    assert Gravity().bank is not Gravity().bank


def test_arguments_are_those_of_the_schemas():
    """They may be given in order; None is the default; one that is missing or unknown is named, as Python does."""
    assert str(inspect.signature(Saturation)) == "(query, key, d_k=64, scaled=False, row=0)"
    demo = Reach(["a", "b", "c"], "rnn", token=None)
    assert (demo.architecture, demo.token) == ("rnn", 2)
    for wrong in ("colour", "start"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{wrong}'"):
            RowByRow(**SENTENCE, **{wrong: 1})
    with pytest.raises(TypeError, match="missing a required argument: 'words'"):
        RowByRow(**MATRICES)


def test_help_says_what_a_trait_expects():
    """Each trait stands there with what an error would say of it."""
    assert re.search(r"^row +the row of the cell.*, a whole number from 0$", RowByRow.__doc__, re.MULTILINE)


def test_defaults_stay_inside_of_what_is_given():
    """What nobody chose fits a smaller example, too."""
    assert Saturation(np.ones((3, 16)), np.ones((5, 16))).d_k == 16
    demo = RowByRow(["a"], [[1.0]], [[1.0]], [[1.0]], [[1.0]])
    assert (demo.row, demo.column, demo.order) == (0, 0, [0])


def test_a_mask_that_is_given_is_kept():
    """Its length is no reason to put a preset's in its place."""
    mask = np.eye(3, dtype=bool)
    demo = MaskEditor([*"abc"], np.eye(3), np.eye(3), length=2, mask=mask)
    assert (demo.preset, demo.mask) == ("own", mask.tolist())


def test_what_no_longer_fits_returns_to_its_default():
    """A mask for three words is none for two."""
    demo = RowByRow(**SENTENCE, mask=np.eye(3, dtype=bool), order=[2, 1, 0])
    with demo.hold_trait_notifications():
        demo.words, demo.x = ["hungry", "lion"], np.eye(2, 3)
    assert (demo.mask, demo.order) == ([], [0, 1])
