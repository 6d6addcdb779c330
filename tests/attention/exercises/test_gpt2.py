"""The file that runs GPT-2 on a student's own functions, on a tiny model that the reference library made."""

import argparse
import ast
import base64
import json
import re
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from oracle import stored
from oracle._student import load, student_folder

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
def student(tmp_path):
    """The path of gpt2.py in a student's folder, with right functions in my_attention.py."""
    return student_folder(tmp_path / "student")


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


def rewrite(path, change, padding=0):
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
    text = json.dumps(header).encode() + b" " * padding
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


@pytest.mark.parametrize("padding", range(4))
def test_names_without_prefix_and_masks_in_the_file(gpt2, folder, expected_logits, padding):
    """As the published files have it, wherever the numbers begin."""

    def change(arrays):
        masks = {"h.0.attn.bias": np.ones((1, 1, 211, 211), "f4"), "h.1.attn.masked_bias": np.float32([-1e4])}
        return {name.removeprefix("transformer."): array for name, array in arrays.items()} | masks

    rewrite(folder / "model.safetensors", change, padding)
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


def test_white_space_is_unicodes_and_not_pythons(gpt2):
    """U+001C is a sign to GPT-2's pattern, though Python's re takes it for white space; U+0085 is white space."""
    assert gpt2.pieces_of("a \x1c \x85b it's") == ["a", " \x1c", " ", "\x85", "b", " it", "'s"]


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
    """Every function that is missing is said, and the error that kept them out."""
    right = run("the", "--tokens", "9")
    (student.parents[1] / "my_attention.py").write_text("")
    code, text, said = run("the", "--tokens", "9", own="layer_norm = 1 / 0")
    assert (code, text) == right[:2]
    assert said[0] == "my_attention.py cannot be used beyond this error: ZeroDivisionError: division by zero."
    assert said[1] == "split_heads (chapter 6) is missing. The course's takes its place."
    assert sum("is missing" in line for line in said) == 12
    (student.parents[1] / "my_attention.py").unlink()
    assert gpt2_says(student)[0] == "my_attention.py is not here: the last cell of each chapter's notebook writes it."


def gpt2_says(student):
    """Return what is said of a student's functions."""
    said = []
    load(student).own_functions(said.append)
    return said


def write_notebook(path, cells):
    """Write a notebook of code cells: nbgrader's id -> text."""
    path.parent.mkdir(exist_ok=True)
    cells = [
        {"cell_type": "code", "metadata": {"nbgrader": {"grade_id": name}}, "source": text}
        for name, text in cells.items()
    ]
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")


def test_what_my_attention_lacks_is_taken_from_the_notebooks(student):
    """The answer cells of chapters 12 and 13, and for earlier chapters what chapter 13's notebook provides."""
    path = student.parents[1] / "my_attention.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {getattr(one, "name", ""): ast.unparse(one) for one in tree.body}
    rest = [text for name, text in texts.items() if name not in ("sample", "gelu", "layer_norm")]
    path.write_text("import re\nimport numpy as np\n" + "\n".join(rest), encoding="utf-8")
    lacking = [line.partition(" (")[0] for line in gpt2_says(student) if "is missing" in line]
    assert lacking == ["layer_norm", "sample", "gelu"]
    stub = "def gelu(x):\n    raise NotImplementedError\n"
    twelve, thirteen = student.parents[1] / "12_inference/12_inference.ipynb", student.with_name("13_gpt.ipynb")
    write_notebook(twelve, {"sample": texts["sample"]})
    write_notebook(thirteen, {"given_layer_norm": texts["layer_norm"], "gelu": stub})
    said = gpt2_says(student)
    assert said[0] == "layer_norm (chapter 8) is missing. The course's takes its place in your functions, too."
    assert said[1] == "gelu (chapter 13) is missing. The course's takes its place."
    assert "Perhaps only because it calls gelu." in said[2]
    write_notebook(thirteen, {"given_layer_norm": texts["layer_norm"], "gelu": texts["gelu"]})
    assert gpt2_says(student)[1:] == ["11 of 12 functions are yours; the course's: layer_norm."]


def test_a_function_that_fails_later_says_its_last_line(run):
    """A student's own error ends the run, in one line."""
    wrong = "\n\nright = gelu\ndef gelu(x):\n    return right(x) if x.size < 100 else x[None, 9, 9, 9]\n"
    wrong = wrong.replace("x.size < 100", "x.dtype != np.float32")
    code, _, said = run("the", own=wrong)
    assert code == 2
    assert said[-1].startswith("gelu (chapter 13) fails: IndexError: ")


@pytest.mark.parametrize("whose", OWN)
def test_perplexity_is_that_of_the_references_logits(gpt2, folder, expected_logits, whose):
    """The inverse of the geometric mean of the right tokens' probabilities."""
    powers = np.exp(expected_logits[:-1].astype(float))
    right = (powers / powers.sum(axis=1, keepdims=True))[np.arange(len(PROMPT) - 1), PROMPT[1:]]
    found = gpt2.perplexity_of(PROMPT, gpt2.read_model(folder), functions(gpt2, whose))
    assert found == pytest.approx(1 / np.prod(right) ** (1 / len(right)), rel=1e-4)


def test_a_long_text_is_read_in_windows(gpt2, folder):
    """Each token but the first is predicted once; 210 tokens are one window's and 500 are three windows'."""
    model, tokens = gpt2.read_model(folder), (PROMPT + TOKENS) * 3
    own = functions(gpt2, "own")
    parts = [tokens[start : start + 212] for start in (0, 211, 422)]
    total = sum((len(part) - 1) * np.log(gpt2.perplexity_of(part, model, own)) for part in parts)
    assert gpt2.perplexity_of(tokens, model, own) == pytest.approx(np.exp(total / (len(tokens) - 1)), rel=1e-5)


@pytest.mark.parametrize(("temperature", "top_p"), [(0, 0.9), (1, 1), (0.7, 0.9), (1.5, 0.3)])
def test_the_courses_draws_are_a_students(gpt2, temperature, top_p):
    """Temperature first, then the likeliest tokens of the share."""
    own, rng = functions(gpt2, "own"), np.random.default_rng(0)
    logits = rng.normal(0, 2, 29).astype(np.float32)
    for u in rng.random(200):
        drawn = gpt2.choose(logits, own, temperature, top_p, u)
        assert gpt2.choose(logits, {}, temperature, top_p, u) == drawn
        assert temperature or drawn == logits.argmax()


def test_only_whole_characters_are_printed(gpt2, folder, capsys, monkeypatch):
    """A letter of two bytes comes with its second token; what is never finished is a replacement character."""
    monkeypatch.setattr(gpt2, "write", lambda *args: iter(gpt2.Tokenizer(folder, {}).encode("☺☺")[:5]))
    asked = argparse.Namespace(prompt="a", seed=0, temperature=0, top_p=1, tokens=9, no_cache=False)
    count = gpt2.stream(asked, gpt2.Tokenizer(folder, {}), gpt2.read_model(folder), {}, print)
    assert (count, capsys.readouterr().out) == (5, "a☺\ufffd\n")


def test_a_text_that_goes_on(run):
    """The prompt and what comes after it on standard output; with the cache and without, the same; then the speed."""
    code, text, said = run("the other", "--tokens", "30", "--temperature", "0")
    assert code == 0
    assert text.startswith("the other")
    assert run("the other", "--tokens", "30", "--temperature", "0", "--no-cache")[:2] == (0, text)
    assert re.fullmatch(r"30 tokens in [\d.]+ s: [\d.]+ tokens a second, [\d.]+ GB of memory at most", said[-1])


def test_writing_stops_where_the_model_reads_no_further(run):
    """After 211 tokens, of which the prompt has two, one more can be predicted, and there is no place for it."""
    code, _, said = run("the", "--tokens", "400", "--temperature", "0")
    assert code == 0
    assert said[-2] == "this model reads 211 tokens at most: it stops here"
    assert said[-1].startswith("210 tokens in ")


def test_a_file_of_text_is_read(run, tmp_path):
    """--perplexity prints one number and how many tokens it is about."""
    (tmp_path / "text.txt").write_text("the other side of the river", encoding="utf-8")
    code, text, _ = run("--perplexity", tmp_path / "text.txt")
    assert code == 0
    assert re.fullmatch(r"perplexity [\d.]+, \d+ tokens\n", text)


def broken(name, damage):
    """Return what damages one file of a folder."""

    def damage_folder(folder):
        path = folder / name
        path.write_bytes(damage(path.read_bytes()))

    return damage_folder


def renamed(change):
    """Return what changes a model's tensors."""
    return lambda folder: rewrite(folder / "model.safetensors", change)


def without(name):
    """Return what takes a file away."""
    return lambda folder: (folder / name).unlink()


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (without("model.safetensors"), "model.safetensors is missing in .*: download it from the model's page, one of"),
        (without("vocab.json"), "vocab.json is missing in "),
        (without("merges.txt"), "merges.txt is missing in "),
        (
            broken("model.safetensors", lambda content: content[:-1]),
            r"half downloaded: [\d,]+ bytes of at least [\d,]+",
        ),
        (broken("model.safetensors", lambda content: content[:900]), "half downloaded: 900 bytes of at least "),
        (broken("model.safetensors", lambda content: b""), "half downloaded: 0 bytes of at least "),
        (broken("model.safetensors", lambda content: bytes(len(content))), "has a damaged header"),
        (broken("vocab.json", lambda content: b"[1]"), "vocab.json is no JSON, perhaps half downloaded"),
        (
            broken("model.safetensors", lambda content: b"version https://git-lfs"),
            "no safetensors file: it begins with",
        ),
        (broken("model.safetensors", lambda content: content[:8] + b"x" + content[9:]), "has a damaged header"),
        (broken("vocab.json", lambda content: content[:-40]), "vocab.json is no JSON, perhaps half downloaded"),
        (broken("merges.txt", lambda content: content[:-40]), "does not fit vocab.json: no merge makes '"),
        (broken("merges.txt", lambda content: content[:-2]), "does not fit vocab.json: "),
        (
            broken("config.json", lambda content: content.replace(b'"gpt2"', b'"opt"')),
            "expected model_type gpt2, got opt",
        ),
        (
            renamed(lambda arrays: {f"model.{name}": one for name, one in arrays.items()}),
            "another architecture: it has no h.0.attn.c_attn.weight, but model.transformer.h.0",
        ),
        (
            renamed(lambda arrays: {name: one[..., :7] if "c_fc.w" in name else one for name, one in arrays.items()}),
            r"another architecture: expected \[12, 48\] for h.0.mlp.c_fc.weight, got \[12, 7\]",
        ),
        (
            renamed(lambda arrays: arrays | {"h.0.rotary": np.ones(3, "f4")}),
            r"another architecture: expected no for h.0.rotary, got \[3\]",
        ),
        (
            renamed(lambda arrays: {name: one.astype(float) for name, one in arrays.items()}),
            "holds F64 in h.0.attn.c_attn.bias: gpt2.py reads F32 and F16",
        ),
    ],
)
def test_files_that_cannot_be_used_are_one_line(run, folder, damage, told):
    """Which file, what is wrong with it, what to do; exit code 2."""
    damage(folder)
    code, text, said = run("the")
    assert (code, text) == (2, "")
    assert re.search(told, said[-1])
    assert "Traceback" not in "".join(said)


def test_too_little_memory_is_said_before_it_is_used(gpt2, folder, monkeypatch):
    """What the model needs and what there is; where the system does not say, it goes on."""
    assert gpt2.available_memory() is None or gpt2.available_memory() > 30_000_000
    monkeypatch.setattr(gpt2, "available_memory", lambda: 30_000_000)
    with pytest.raises(gpt2.Trouble, match=r"too little memory: this model needs 0\.0 GB, and 0\.0 GB are available"):
        gpt2.read_model(folder)
    monkeypatch.setattr(gpt2, "available_memory", lambda: None)
    assert gpt2.read_model(folder).h == 3


def test_a_prompt_that_is_too_long_is_refused(run):
    """The model reads 211 tokens."""
    code, _, said = run("the " * 300)
    assert code == 2
    assert re.fullmatch(r"the prompt has \d+ tokens, and this model reads 211: shorten it", said[-1])
