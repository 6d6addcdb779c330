"""The file that runs GPT-2 on a student's own functions, on a tiny model that the reference library made."""

import base64
import importlib.util
import json
import shutil
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from oracle import stored

KEPT = stored("gpt2")
PROMPT, TOKENS = ([int(number) for number in KEPT[name].split()] for name in ("prompt", "tokens"))
NEAR = {int(number) for number in KEPT["too near"].split()}
OWN = ("own", "course")  # on a student's functions, and on the course's
WRONG = {  # a wrong answer of each function, and how its report begins
    "split_heads": ("(x, h): return x.reshape(h, len(x), -1)", "split_heads (chapter 6) differs. split_heads([["),
    "merge_heads": (
        "(x): return x[0]",
        "merge_heads (chapter 6) differs. merge_heads([[[0., 1.], [4., 5.]], [[2., 3.]",
    ),
    "layer_norm": (
        "(x, gamma, beta, eps=1e-5): return gamma * (x - x.mean(-1)[..., None]) / x.std(-1, ddof=1)[..., None] + beta",
        "layer_norm (chapter 8) differs. layer_norm([[1., 3.]], [2., 3.], [10., 20.]), row 0: "
        "expected [ 8.00001, 22.99998], got [ 8.58579, 22.12132]. The course's takes its place.",
    ),
    "causal_mask": (
        "(n): return np.ones((n, n)) > 0",
        "causal_mask (chapter 9) differs. causal_mask(3), row 0: expected",
    ),
    "masked_attention": (
        "(query, key, value, mask): return query @ np.swapaxes(key, -1, -2)",
        "masked_attention (chapter 9) differs. ",
    ),
    "sample": (
        "(logits, temperature, u): return np.argmax(logits)",
        "sample (chapter 12) differs. sample([1., 2., 0.], ",
    ),
    "encode_bpe": (
        "(text, merges): return list(text)",
        "encode_bpe (chapter 13) differs. encode_bpe('Ġlower', [('l', 'o'), ",
    ),
    "gelu": ("(x): return np.maximum(x, 0)", "gelu (chapter 13) differs. gelu([-2. , 0. , 0.5, 3. ]): expected ["),
    "gpt_block": ("(x, parameters, h): pass", "gpt_block (chapter 13) returns None: perhaps its return is missing"),
    "step_with_cache": (
        "(x, parameters, h, keys, values): return x, keys, values + w_o",
        "step_with_cache (chapter 13) fails: NameError: name 'w_o' is not defined. The course's takes its place.",
    ),
    "nucleus": ("(probabilities, p): return probabilities * (probabilities > p)", "nucleus (chapter 13) differs. "),
    "perplexity": ("(logits, targets): raise NotImplementedError", "perplexity (chapter 13) is not written yet. The "),
}


def load(path):
    """Return gpt2.py as a module."""
    spec = importlib.util.spec_from_file_location("gpt2", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def folder(tmp_path):
    """The tiny model's folder."""
    folder = tmp_path / "model"
    folder.mkdir()
    for name, text in KEPT["files"].items():
        content = base64.b64decode(text) if name.endswith(".safetensors") else text.encode()
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture
def student(root, tmp_path):
    """A student's folder, with gpt2.py in the chapter's and right functions beside it; the path of gpt2.py."""
    (tmp_path / "13_gpt").mkdir()
    shutil.copy(root / "tests/data/gpt2/my_attention.py", tmp_path)
    return shutil.copy(root / "solutions/13_gpt/gpt2.py", tmp_path / "13_gpt")


@pytest.fixture
def gpt2(student):
    """The module, in the student's folder."""
    return load(student)


@pytest.fixture
def run(student, folder):
    """Run gpt2.py on the tiny model; return the exit code, what it wrote, and the lines that it said."""

    def run_with(*options, own=""):
        path = student.parents[1] / "my_attention.py"
        path.write_text(path.read_text(encoding="utf-8") + own, encoding="utf-8")
        command = [sys.executable, student, folder, *options]
        ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env={"PYTHONUTF8": "1"})
        return ended.returncode, ended.stdout, ended.stderr.splitlines()

    return run_with


def functions(gpt2, whose):
    """Return the student's functions, of which none is wrong, or none at all."""
    if whose == "course":
        return {}
    said = []
    own = gpt2.own_functions(said.append)
    assert said == ["12 of 12 functions are yours."]
    return own


def logits_after(gpt2, folder, tokens, own):
    """Return the logits after each token, all tokens at once."""
    model = gpt2.read_model(folder)
    return gpt2.logits_of(gpt2.rows_after(tokens, model, own), model, own)


def rewrite(path, change):
    """Write a safetensors file anew, in which change has turned {name: array} into another such dictionary."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    arrays = {
        name: np.frombuffer(content[start:][slice(*one["data_offsets"])], "<f4").reshape(one["shape"])
        for name, one in header.items()
    }
    header, data = {}, b""
    for name, array in change(arrays).items():
        end = len(data) + array.nbytes
        dtype = {"float32": "F32", "float16": "F16", "float64": "F64"}[array.dtype.name]
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [len(data), end]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


@pytest.fixture
def expected_logits():
    """The reference's logits after each token of the prompt: (n, words)."""
    return np.frombuffer(base64.b64decode(KEPT["logits of the prompt"]), "<f4").reshape(len(PROMPT), -1)


@pytest.mark.parametrize("whose", OWN)
def test_logits_are_those_of_the_reference_library(gpt2, folder, expected_logits, whose):
    """Within 1e-4, in float32."""
    logits = logits_after(gpt2, folder, PROMPT, functions(gpt2, whose))
    assert logits.dtype == np.float32
    np.testing.assert_allclose(logits, expected_logits, atol=1e-4, rtol=0)


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("whose", OWN)
def test_the_likeliest_tokens_are_those_of_the_reference_library(gpt2, folder, whose, cached):
    """Over 200 steps, except where its two largest logits were too near."""
    chosen, forced = [], iter(TOKENS)

    def follow(logits):
        chosen.append(int(logits.argmax()))
        return next(forced)

    own = functions(gpt2, whose)
    list(islice(gpt2.write(PROMPT, gpt2.read_model(folder), own, follow, cached), len(TOKENS)))
    assert len(chosen) == 200
    assert {i for i, (a, b) in enumerate(zip(chosen, TOKENS, strict=True)) if a != b} <= NEAR


def test_names_without_prefix_and_masks_in_the_file(gpt2, folder, expected_logits):
    """As the published files have it, with a header of a length that leaves the numbers unaligned."""

    def change(arrays):
        masks = {"h.0.attn.bias": np.ones((1, 1, 211, 211), "f4"), "h.1.attn.masked_bias": np.float32([-1e4])}
        return {name.removeprefix("transformer."): array for name, array in arrays.items()} | masks

    for _ in range(5):
        rewrite(folder / "model.safetensors", lambda arrays: change({f"{name}": one for name, one in arrays.items()}))
        logits = logits_after(gpt2, folder, PROMPT, {})
        np.testing.assert_allclose(logits, expected_logits, atol=1e-4, rtol=0)


def test_float16_is_widened(gpt2, folder, expected_logits):
    """Eleven bits a parameter: about a thousandth off, and computed in float32."""
    rewrite(folder / "model.safetensors", lambda arrays: {name: one.astype("f2") for name, one in arrays.items()})
    logits = logits_after(gpt2, folder, PROMPT, functions(gpt2, "own"))
    assert logits.dtype == np.float32
    assert 1e-4 < np.abs(logits - expected_logits).max() < 0.05


@pytest.mark.parametrize("whose", OWN)
def test_texts_have_the_reference_librarys_tokens_and_come_back(gpt2, folder, whose):
    """Contractions, numbers, white space, scripts, emoji, control characters."""
    tokenizer = gpt2.Tokenizer(folder, functions(gpt2, whose))
    for text, tokens in KEPT["texts"]:
        numbers = [int(number) for number in tokens.split()]
        assert tokenizer.encode(text) == numbers, text
        assert b"".join(map(tokenizer.bytes_of, numbers)).decode() == text


def test_white_space_is_that_of_unicode():
    """U+001C is no white space to GPT-2's pattern, though it is to Python's; U+0085 is."""


def test_the_big_tables_are_not_copied(gpt2, folder):
    """A student's parameters are parts of the file's own, and rows stay float32 in functions written for float64."""
    model = gpt2.read_model(folder)
    for number, layer in enumerate(model.layers):
        assert np.shares_memory(layer["w_k"], model.tables[f"h.{number}.attn.c_attn.weight"])
        assert np.shares_memory(layer["w1"], model.tables[f"h.{number}.mlp.c_fc.weight"])
    assert {one.dtype.name for one in model.tables.values()} == {"float32"}
    kept = gpt2.nothing_kept(model)
    assert gpt2.rows_after(PROMPT, model, functions(gpt2, "own"), kept).dtype == np.float32
    assert kept[0][0].dtype == np.float32


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_function_is_named_and_replaced(run, name):
    """What was expected and what came is said, and the text is the same as with the right one."""
    right = run("the", "--tokens", "9")
    code, text, said = run("the", "--tokens", "9", own=f"\n\ndef {name}{WRONG[name][0]}\n")
    assert (code, text) == right[:2]
    assert said[0].startswith(WRONG[name][1])
    assert said[0].endswith("The course's takes its place.")
    (total,) = [line for line in said if "functions are yours" in line]
    assert name in total
    assert right[2][0] == "12 of 12 functions are yours."


def test_without_own_functions_the_courses_run(run, student):
    """my_attention.py is not there: that is said, with every function that is missing."""
    right = run("the", "--tokens", "9")
    (student.parents[1] / "my_attention.py").unlink()
    own = "layer_norm = 1 / 0"
    (student.parents[1] / "my_attention.py").write_text("")
    code, text, said = run("the", "--tokens", "9", own=own)
    assert (code, text) == right[:2]
    assert said[0] == "my_attention.py cannot be used beyond this error: ZeroDivisionError: division by zero."
    assert said[1] == "split_heads (chapter 6) is missing. The course's takes its place."
    assert sum("is missing" in line for line in said) == 12
