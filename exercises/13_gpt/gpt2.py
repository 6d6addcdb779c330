"""Runs GPT-2 on your own functions: from my_attention.py, and from the notebooks of chapters 12 and 13.

    python gpt2.py FOLDER "Once upon a time"                    how it goes on, token by token
    python gpt2.py FOLDER "Once upon a time" --temperature 0    the likeliest token each time
    python gpt2.py FOLDER --perplexity text.txt                 among how many tokens it hesitates in a text
    %run gpt2.py FOLDER "Once upon a time"                      the same in a notebook

Needs only NumPy. FOLDER holds three files from the model's public page, which you download yourself:
model.safetensors, vocab.json and merges.txt; config.json may be there, too.
"""

import argparse
import codecs
import contextlib
import errno
import json
import os
import re
import sys
import time
import traceback
import unicodedata
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
SOURCE = "one of gpt2, gpt2-medium, gpt2-large and gpt2-xl of openai-community on the Hugging Face Hub"
FUNCTIONS = {  # your functions and their chapters; a function comes after those that it calls
    "split_heads": 6,
    "merge_heads": 6,
    "layer_norm": 8,
    "causal_mask": 9,
    "masked_attention": 9,
    "sample": 12,
    "encode_bpe": 13,
    "gelu": 13,
    "gpt_block": 13,
    "step_with_cache": 13,
    "nucleus": 13,
    "perplexity": 13,
}
LAYERS = ("gpt_block", "step_with_cache")
CALLED = ("split_heads", "merge_heads", "layer_norm", "causal_mask", "masked_attention", "gelu")  # by these two
NOTEBOOKS = (HERE / "13_gpt.ipynb", HERE.parent / "12_inference" / "12_inference.ipynb")


class Trouble(Exception):
    """What keeps GPT-2 from running, in one line: what was expected, what is there, what to do."""


# ---- The files ----

HEADS = {768: 12, 1024: 16, 1280: 20, 1600: 25}  # of the four published sizes, by d_model
SETTINGS = {  # what config.json must say if it says anything
    "model_type": "gpt2",
    "activation_function": "gelu_new",
    "layer_norm_epsilon": 1e-05,
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
}
LAYER = {  # the tensors of a layer, and their shapes: d is d_model, f the number of neurons
    "ln_1.weight": "d",
    "ln_1.bias": "d",
    "attn.c_attn.weight": "d 3d",
    "attn.c_attn.bias": "3d",
    "attn.c_proj.weight": "d d",
    "attn.c_proj.bias": "d",
    "ln_2.weight": "d",
    "ln_2.bias": "d",
    "mlp.c_fc.weight": "d f",
    "mlp.c_fc.bias": "f",
    "mlp.c_proj.weight": "f d",
    "mlp.c_proj.bias": "d",
}
IGNORED = re.compile(r"h\.\d+\.attn\.(bias|masked_bias)$")  # masks, which some files hold, too


@dataclass
class Model:
    """GPT-2's parameters: by the names in its file, and for your functions each layer's by chapter 13's names."""

    tables: dict  # name without "transformer." -> array, float32
    layers: list  # a dictionary a layer: w_q (d_model, d_model), b_q (d_model,), ..., b2 (d_model,)
    h: int

    @property
    def longest(self):
        """Return how many tokens the model can read."""
        return len(self.tables["wpe.weight"])

    def embed(self, tokens, start=0):
        """Return the tokens' rows with their positions added, where the first is at position start: (n, d_model)."""
        places = self.tables["wpe.weight"][start : start + len(tokens)]
        return self.tables["wte.weight"][tokens] + places


def read_model(folder):
    """Return the model in a folder. float32 stays in the file, which is mapped; float16 is widened in memory."""
    path = need(folder, "model.safetensors")
    header, start = read_header(path)
    header = {name.removeprefix("transformer."): one for name, one in header.items()}
    header = {name: one for name, one in header.items() if not IGNORED.match(name)}
    config = read_json(folder / "config.json") if (folder / "config.json").is_file() else {}
    layers = check_architecture(header, config, path)
    d = header["wte.weight"]["shape"][1]
    h = config.get("n_head") or HEADS.get(d) or max(d // 64, 1)
    if d % h:
        raise Trouble(f"{path} has rows of {d} numbers, which {h} heads cannot share: is config.json another model's?")
    check_memory(header, layers)
    file = np.memmap(path, dtype=np.uint8, mode="r")
    tables = {name: array_of(file, start, one) for name, one in header.items()}
    return Model(tables, [chapter_names(tables, f"h.{number}.") for number in range(layers)], h)


def need(folder, name):
    """Return the path of a file that must be there."""
    if not (folder / name).is_file():
        raise Trouble(f"{name} is missing in {folder}: download it from the model's page, {SOURCE}")
    return folder / name


def read_json(path):
    """Return the dictionary in a JSON file."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise Trouble(f"{path} is no JSON, perhaps half downloaded: {error}. Download it again") from error


def read_header(path):
    """Return what a safetensors file says of its tensors, and the byte at which the first of them begins."""
    with path.open("rb") as file:
        start = file.read(8)
        length, size = int.from_bytes(start, "little"), path.stat().st_size
        if size >= 8 and length > 100_000_000:  # the format permits no more
            raise Trouble(f"{path} is no safetensors file: it begins with {start!r}. Download it again")
        text = file.read(length)
    end = 8 + length
    if size >= 8 and len(text) == length:
        try:
            header = json.loads(text)
            header.pop("__metadata__", None)
            end += max(one["data_offsets"][1] for one in header.values() if one["shape"] and one["dtype"])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise Trouble(f"{path} has a damaged header ({error!r}). Download it again") from error
    if size < max(end, 8):
        raise Trouble(f"{path} is half downloaded: {size:,} bytes of at least {end:,}. Download it again")
    return header, 8 + length


def check_architecture(header, config, path):
    """Return the number of layers. Errors: Trouble if the file is not GPT-2's."""
    for name, expected in SETTINGS.items():
        if config.get(name, expected) != expected:
            raise Trouble(f"config.json is of another architecture: expected {name} {expected}, got {config[name]}")
    if missing := {"wte.weight", "wpe.weight", "h.0.attn.c_attn.weight", "ln_f.weight", "ln_f.bias"} - header.keys():
        found = ", ".join(sorted(header)[:3])
        raise Trouble(f"{path} is of another architecture: it has no {min(missing)}, but {found}. Take {SOURCE}")
    (words, d), layers = shape_of(header, "wte.weight", 2, path), 0
    sizes = {"d": d, "3d": 3 * d, "f": shape_of(header, "h.0.mlp.c_fc.bias", 1, path)[0]}
    expected = {"wpe.weight": [shape_of(header, "wpe.weight", 2, path)[0], d], "ln_f.weight": [d], "ln_f.bias": [d]}
    while f"h.{layers}.ln_1.weight" in header:
        expected |= {f"h.{layers}.{name}": [sizes[axis] for axis in axes.split()] for name, axes in LAYER.items()}
        layers += 1
    expected |= {"wte.weight": [words, d]} | ({"lm_head.weight": [words, d]} if "lm_head.weight" in header else {})
    for name in sorted(expected.keys() | header.keys()):
        got = header[name]["shape"] if name in header else "nothing"
        if got != expected.get(name):
            raise Trouble(
                f"{path} is of another architecture: expected {expected.get(name, 'no')} for {name}, got {got}"
            )
        if header[name]["dtype"] not in ("F32", "F16"):
            raise Trouble(f"{path} holds {header[name]['dtype']} in {name}: gpt2.py reads F32 and F16")
    return layers


def shape_of(header, name, axes, path):
    """Return a tensor's shape, of so many axes."""
    shape = header[name]["shape"] if name in header else ()
    if len(shape) != axes:
        raise Trouble(f"{path} is of another architecture: expected {name} with {axes} axes, got {len(shape)}")
    return shape


def check_memory(header, layers):
    """Raise Trouble if the machine says that it has less memory than the model takes."""
    n, d = header["wpe.weight"]["shape"]
    words = header["wte.weight"]["shape"][0]
    needed = sum(4 * int(np.prod(one["shape"])) for one in header.values())
    needed += 4 * (2 * layers * n * d + 4 * words) + 40_000_000  # keys and values, logits, Python
    available = available_memory()
    if available is not None and available < needed:
        raise Trouble(
            f"too little memory: this model needs {needed / 1e9:.1f} GB, and {available / 1e9:.1f} GB are available. "
            "Close other programs, or take a smaller model"
        )


def available_memory():
    """Return the bytes of memory that are available; None where the system does not say."""
    found = [linux_says("/proc/meminfo", "MemAvailable")]
    with contextlib.suppress(OSError, ValueError):
        found.append(int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="utf-8")))  # a container's limit
    with contextlib.suppress(AttributeError, ValueError, OSError):
        found.append(None if found[0] else os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES"))
    return min((one for one in found if one is not None), default=None)


def linux_says(path, name):
    """Return a number of bytes that Linux tells in kB; None elsewhere."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(f"{name}:")), None)


def array_of(file, start, one):
    """Return one tensor as float32."""
    begin, end = (start + offset for offset in one["data_offsets"])
    array = np.asarray(file[begin:end]).view("<f4" if one["dtype"] == "F32" else "<f2").reshape(one["shape"])
    return array if array.dtype == np.float32 and array.flags.aligned else array.astype(np.float32)


def chapter_names(tables, prefix):
    """Return a layer's arrays under the names of chapter 13's gpt_block: parts of the same memory, no copies."""
    names = {"gamma1": "ln_1.weight", "beta1": "ln_1.bias", "gamma2": "ln_2.weight", "beta2": "ln_2.bias"}
    for letter, name in {"o": "attn.c_proj", "1": "mlp.c_fc", "2": "mlp.c_proj"}.items():
        under = "_" if letter == "o" else ""
        names |= {f"w{under}{letter}": f"{name}.weight", f"b{under}{letter}": f"{name}.bias"}
    found = {ours: tables[prefix + theirs] for ours, theirs in names.items()}
    for kind, name in (("w", "weight"), ("b", "bias")):  # three matrices side by side: (d_model, 3 d_model)
        thirds = np.split(tables[f"{prefix}attn.c_attn.{name}"], 3, axis=-1)
        found |= {f"{kind}_{letter}": third for letter, third in zip("qkv", thirds, strict=True)}
    return found


# ---- The tokens ----

WHITE = {*"\t\n\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000", *map(chr, range(0x2000, 0x200B))}
PIECE = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[a-z]+| ?0+| ?[!']+|[ \n]+(?![a-z0!'])|[ \n]+")
PRINTED = [*range(33, 127), *range(161, 173), *range(174, 256)]  # bytes that GPT-2 writes as themselves
OTHERS = [byte for byte in range(256) if byte not in PRINTED]  # a space is 32 of them, written Ġ
SYMBOLS = {byte: chr(byte) for byte in PRINTED} | {byte: chr(256 + i) for i, byte in enumerate(OTHERS)}
BYTES = {symbol: byte for byte, symbol in SYMBOLS.items()}
END = "<|endoftext|>"


class KindOfCharacter(dict):
    """What PIECE sees of a character: a letter a, a number 0, white space \\n, any other sign !.

    GPT-2's own pattern says \\p{L} and \\p{N}, which Python's re does not know. A space, an apostrophe and the letters
    of endings such as 've stay what they are.
    """

    def __missing__(self, number):
        character = chr(number)
        kind = {"L": "a", "N": "0"}.get(unicodedata.category(character)[0], "!")
        kind = "\n" if character in WHITE else character if character in " 'delmrstv" else kind
        self[number] = kind
        return kind


KINDS = KindOfCharacter()


def pieces_of(text):
    """Cut a text as GPT-2 does before it merges: a word with the space before it, numbers, signs, white space."""
    return [text[found.start() : found.end()] for found in PIECE.finditer(text.translate(KINDS))]


class Tokenizer:
    """Turns a text into the numbers of its tokens and back, with your encode_bpe if it is right."""

    def __init__(self, folder, own):
        self.own, self.known = own, {}
        self.numbers = read_json(need(folder, "vocab.json"))
        path = need(folder, "merges.txt")
        lines = path.read_bytes().decode("utf-8", errors="replace").split("\n")
        lines = [line.rstrip("\r") for line in lines[lines[0].startswith("#version") :]]
        self.merges = [tuple(line.split(" ")) for line in lines if line]
        self.ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self.makes = {}
        for rank, pair in enumerate(self.merges):
            self.makes.setdefault("".join(pair), []).append(rank)
        made = self.makes.keys() | BYTES.keys()
        unmade = [symbol for symbol in self.numbers if symbol not in made and not symbol.startswith("<|")]
        unknown = [pair for pair in self.merges if len(pair) != 2 or "".join(pair) not in self.numbers]
        if unmade or unknown:
            what = f"no merge makes {unmade[0]!r}" if unmade else f"{' '.join(unknown[0])!r} makes no known token"
            raise Trouble(f"{path} does not fit vocab.json: {what}. One is half downloaded: download both again")
        self.longest = max(map(len, self.makes), default=1)
        self.texts = {number: symbol for symbol, number in self.numbers.items()}

    def encode(self, text):
        """Return the numbers of a text's tokens."""
        numbers = []
        for piece in pieces_of(text):
            if piece not in self.known:
                symbols = "".join(SYMBOLS[byte] for byte in piece.encode("utf-8", errors="replace"))
                self.known[piece] = [self.number_of(token) for token in self.tokens_in(symbols)]
            numbers += self.known[piece]
        return numbers

    def number_of(self, token):
        """Return the number of a token."""
        if token not in self.numbers:
            raise Trouble(f"vocab.json has no {token!r}: it is half downloaded, or encode_bpe (chapter 13) is wrong")
        return self.numbers[token]

    def tokens_in(self, piece):
        """Return the tokens of a piece, written in GPT-2's symbols for bytes."""
        if "encode_bpe" in self.own:
            parts = {piece[i:j] for i in range(len(piece)) for j in range(i + 2, i + self.longest + 1)}
            ranks = sorted(rank for part in parts for rank in self.makes.get(part, ()))
            return self.own["encode_bpe"](piece, [self.merges[rank] for rank in ranks])  # the others change nothing
        tokens = list(piece)
        while len(tokens) > 1:
            first = min(pairwise(tokens), key=lambda pair: self.ranks.get(pair, len(self.ranks)))
            if first not in self.ranks:
                break
            marked, i = [], 0
            while i < len(tokens):
                two = tuple(tokens[i : i + 2]) == first
                marked.append("".join(tokens[i : i + 1 + two]))
                i += 1 + two
            tokens = marked
        return tokens

    def bytes_of(self, number):
        """Return the bytes that a token stands for."""
        text = self.texts.get(number, "")
        return b"".join(bytes([BYTES[symbol]]) if symbol in BYTES else symbol.encode() for symbol in text)


# ---- The layers, with the course's code where yours is missing or wrong ----


def course_layer(rows, tables, prefix, h, kept):
    """Return the n new rows after a layer, and the keys and values of all tokens so far.

    kept (2, h, m, d_k) holds keys and values of the m tokens before -> (n, d_model), (2, h, m + n, d_k).
    """
    n, d = rows.shape
    for norm, name in (("ln_1", "attn"), ("ln_2", "mlp")):
        seen = rows - rows.mean(axis=-1, keepdims=True)  # (n, d_model)
        seen /= np.sqrt(np.square(seen).mean(axis=-1, keepdims=True) + 1e-5)
        seen = seen * tables[f"{prefix}{norm}.weight"] + tables[f"{prefix}{norm}.bias"]
        part = f"{prefix}{name}.c_" + ("attn" if name == "attn" else "fc")
        inner = seen @ tables[f"{part}.weight"] + tables[f"{part}.bias"]  # (n, 3 d_model) or (n, d_ff)
        if name == "attn":
            query, *new = inner.reshape(n, 3, h, d // h).transpose(1, 2, 0, 3)  # each (h, n, d_k)
            kept = np.concatenate([kept, new], axis=2)  # (2, h, m + n, d_k)
            scores = query @ kept[0].swapaxes(1, 2) / (d // h) ** 0.5  # (h, n, m + n)
            scores[:, np.arange(scores.shape[2]) > np.arange(scores.shape[2] - n, scores.shape[2])[:, None]] = -np.inf
            scores = np.exp(scores - scores.max(axis=2, keepdims=True))
            inner = (scores / scores.sum(axis=2, keepdims=True) @ kept[1]).transpose(1, 0, 2).reshape(n, d)
        else:
            inner *= 0.5 + 0.5 * np.tanh(0.7978845608 * inner * (1 + 0.044715 * inner * inner))
        rows = rows + inner @ tables[f"{prefix}{name}.c_proj.weight"] + tables[f"{prefix}{name}.c_proj.bias"]
    return rows, kept


def rows_after(tokens, model, own, kept=None):
    """Return the new tokens' rows after all layers, (n, d_model).

    kept is a list with the keys and values of earlier tokens, a pair a layer, which this extends: your
    step_with_cache. Without it the tokens are all that there are: your gpt_block.
    """
    start = 0 if kept is None else kept[0][0].shape[1]
    rows = model.embed(tokens, start)
    for number, parameters in enumerate(model.layers):
        if kept is None and "gpt_block" in own:
            rows = own["gpt_block"](rows, parameters, model.h)
        elif kept is not None and "step_with_cache" in own:
            for i, row in enumerate(rows):
                rows[i], *kept[number] = own["step_with_cache"](row, parameters, model.h, *kept[number])
        else:
            before = nothing_kept(model)[0] if kept is None else kept[number]
            rows, both = course_layer(rows, model.tables, f"h.{number}.", model.h, before)
            if kept is not None:
                kept[number] = both
    return rows


def nothing_kept(model):
    """Return the keys and values of no tokens, for each layer: (2, h, 0, d_k)."""
    d_k = model.tables["wte.weight"].shape[1] // model.h
    return [np.zeros((2, model.h, 0, d_k), dtype=np.float32) for _ in model.layers]


def logits_of(rows, model, own):
    """Return the logits of the token after each row: the last norm, then the embedding turned round."""
    gamma, beta = model.tables["ln_f.weight"], model.tables["ln_f.bias"]
    if "layer_norm" in own:
        rows = own["layer_norm"](rows, gamma, beta)  # (n, d_model)
    else:
        rows = rows - rows.mean(axis=-1, keepdims=True)
        rows = rows / np.sqrt(np.square(rows).mean(axis=-1, keepdims=True) + 1e-5) * gamma + beta
    return rows @ model.tables.get("lm_head.weight", model.tables["wte.weight"]).T  # (n, words)


# ---- Writing and reading ----


def write(tokens, model, own, draw, cached=True):
    """Yield one token after another: draw turns the logits of the next one, (words,), into its number."""
    tokens, kept = list(tokens), nothing_kept(model) if cached else None
    new = tokens
    while len(tokens) <= model.longest:
        rows = rows_after(new if cached else tokens, model, own, kept)
        new = [draw(logits_of(rows[-1:], model, own)[0])]
        tokens += new
        yield new[0]


def choose(logits, own, temperature, top_p, u):
    """Return one token, drawn with a number u from 0 to 1: first the temperature, then the likeliest of top_p."""
    logits, words = logits.astype(float), np.arange(len(logits))
    if temperature > 0 and top_p < 1:
        shares = np.exp((logits - logits.max()) / temperature)
        shares /= shares.sum()
        if "nucleus" in own:
            shares = own["nucleus"](shares, top_p)
        else:
            order = np.argsort(-shares, kind="stable")
            shares[order[1 + np.searchsorted(np.cumsum(shares[order]), top_p) :]] = 0
        words = np.flatnonzero(shares)
        logits, temperature = np.log(shares[words]), 1.0
    if "sample" in own:
        return int(words[own["sample"](logits, temperature, np.array([u]))[0]])
    if temperature == 0:
        return int(words[logits.argmax()])
    ends = np.cumsum(np.exp((logits - logits.max()) / temperature))
    return int(words[np.searchsorted(ends[:-1], u * ends[-1], side="right")])


def perplexity_of(tokens, model, own):
    """Return the perplexity of a text, read in windows as long as the model can read; no token is predicted twice."""
    total = 0.0
    for start in range(0, len(tokens) - 1, model.longest):
        window = tokens[start : start + model.longest + 1]
        rows = rows_after(window[:-1], model, own)
        for i in range(0, len(rows), 64):  # 64 rows of logits at a time, since each has a number for every token
            logits, right = logits_of(rows[i : i + 64], model, own), np.array(window[i + 1 : i + 65])
            if "perplexity" in own:
                total += len(right) * np.log(own["perplexity"](logits, right))
            else:
                logits -= logits.max(axis=1, keepdims=True)
                total += np.sum(np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(len(right)), right])
    return float(np.exp(total / (len(tokens) - 1)))


# ---- Your functions ----


def own_functions(tell):
    """Return those of your functions that are right on small numbers, by name; tell says what is wrong with others.

    Where another chapter's function is wrong, and chapter 13's notebook provides it, your functions call that one.
    """
    space, given, broken = {"__name__": "my_attention", "np": np}, {"np": np}, {}
    path = next((path for path in (HERE.parent / "my_attention.py", HERE / "my_attention.py") if path.is_file()), None)
    if path is None:
        tell("my_attention.py is not here: the last cell of each chapter's notebook writes it.")
    elif error := executed(path.read_text(encoding="utf-8", errors="replace"), space, str(path)):
        tell(f"my_attention.py cannot be used beyond this error: {error}.")
    for cell in (cell for notebook in NOTEBOOKS for cell in code_cells(notebook)):
        names = [name for name in FUNCTIONS if re.search(rf"^def {name}\(", cell["source"], re.MULTILINE)]
        lacking = [name for name in names if name not in space]
        if names and cell["id"].startswith("given_"):
            executed(cell["source"], given, cell["id"])
        elif lacking and "raise NotImplementedError" not in cell["source"]:
            broken |= dict.fromkeys(lacking, executed(cell["source"], space, cell["id"]))
    own = {}
    for name, examples in small_examples().items():
        wrong = f"fails: {broken[name]}" if broken.get(name) else tried(name, space.get(name), examples)
        if not wrong:
            own[name] = space[name] = watched(name, space[name])
            continue
        instead = name in given and FUNCTIONS[name] < 13 and not tried(name, given[name], examples)
        if instead:
            space[name] = watched(name, given[name])
        because = next((one for one in CALLED if one not in own and one not in given), "")
        perhaps = f" Perhaps only because it calls {because}." if because and name in LAYERS and name in space else ""
        tell(f"{title(name)} {wrong}.{perhaps} The course's takes its place{' in your functions, too' * instead}.")
    replaced = [name for name in FUNCTIONS if name not in own]
    rest = f"; the course's: {', '.join(replaced)}" if replaced else ""
    tell(f"{len(own)} of {len(FUNCTIONS)} functions are yours{rest}.")
    return own


def title(name):
    """Return a function's name with its chapter."""
    return f"{name} (chapter {FUNCTIONS[name]})"


def executed(text, space, name):
    """Run a text in a dictionary of names; return the last line of its error, "" for none."""
    try:
        exec(compile(text, name, "exec"), space)
    except Exception as error:
        return last_line(error)
    return ""


def last_line(error):
    """Return the last line of what Python prints of an error."""
    return traceback.format_exception_only(type(error), error)[-1].strip()


def code_cells(path):
    """Return a notebook's code cells as {"id", "source"}; none if it is not there or no notebook."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        cells = [cell for cell in cells if cell["cell_type"] == "code"]
        ids = [cell["metadata"].get("nbgrader", {}).get("grade_id", "") for cell in cells]
        return [{"id": one, "source": "".join(cell["source"])} for one, cell in zip(ids, cells, strict=True)]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def watched(name, function):
    """Return a function that gives float32 for float32, and names itself if it fails.

    np.sqrt of a whole number is float64, and one float64 makes all products with the model's tables so.
    """

    def run(*args, **kwargs):
        if name == "masked_attention" and len(args) == 4 and args[3] is None:  # as in chapter 13's notebook
            args = (*args[:3], np.full((args[0].shape[-2], args[1].shape[-2]), True))
        try:
            answer = function(*args, **kwargs)
        except Trouble:
            raise
        except Exception as error:
            raise Trouble(f"{title(name)} fails: {last_line(error)}") from error
        if not any(getattr(one, "dtype", None) == np.float32 for one in (*args, *kwargs.values())):
            return answer
        return tuple(map(narrowed, answer)) if isinstance(answer, tuple) else narrowed(answer)

    return run


def narrowed(answer):
    """Return an array of float64 as float32, and anything else as it is."""
    return answer.astype(np.float32) if getattr(answer, "dtype", None) == np.float64 else answer


def small_examples():
    """Return what each function is tried on: name -> [(arguments, the expected answer)]."""
    rows, rows_in_heads = np.arange(8.0).reshape(2, 4), np.array([[[0.0, 1], [4, 5]], [[2, 3], [6, 7]]])
    query, value = np.array([[2.0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 2, 0]]), np.array([[10.0], [20], [30]])
    key, lower = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]]), np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]]) > 0
    weights = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.21194156, 0.21194156, 0.57611688]])
    mixed = np.array([[10], [15], [23.64175329]])
    gamma, beta, logits, draws = np.array([2.0, 3]), np.array([10.0, 20]), np.array([1.0, 2, 0]), np.array([0.3, 0.95])
    merges, shares = [("l", "o"), ("e", "r"), ("Ġ", "lo"), ("Ġlo", "w"), ("o", "w")], np.array([0.1, 0.5, 0.3, 0.1])
    examples = {
        "split_heads": [((rows, 2), rows_in_heads)],
        "merge_heads": [((rows_in_heads,), rows)],
        "layer_norm": [
            ((np.array([[1.0, 3]]), gamma, beta), np.array([[8.00001, 22.999985]])),
            ((np.array([[0.01, 0.03]]), gamma, beta), np.array([[8.09307484, 22.86038774]])),
        ],
        "causal_mask": [((3,), lower)],
        "masked_attention": [
            ((query, key, value, lower), (mixed, weights)),
            ((query[None], key[None], value[None], lower), (mixed[None], weights[None])),
            ((query[2:], key, value, lower[2:]), (mixed[2:], weights[2:])),
        ],
        "sample": [((logits, t, draws), np.array(words)) for t, words in ((1.0, [1, 2]), (3.0, [0, 2]), (0.0, [1, 1]))],
        "encode_bpe": [(("Ġlower", merges), ["Ġlow", "er"]), (("slower", merges), ["s", "lo", "w", "er"])],
        "gelu": [((np.array([-2.0, 0, 0.5, 3]),), np.array([-0.04540231, 0, 0.34571401, 2.99636261]))],
        "nucleus": [
            ((shares, 0.6), np.array([0, 0.625, 0.375, 0])),
            ((shares, 0.4), np.array([0.0, 1, 0, 0])),
            ((shares, 0.85), np.array([1, 5, 3, 0]) / 9),
            ((shares, 1), shares),
        ],
        "perplexity": [((np.log([[0.2, 0.5, 0.3], [0.3, 0.5, 0.2]]), np.array([1, 2])), np.sqrt(10))],
        **layer_examples(),
    }
    return {name: examples[name] for name in FUNCTIONS}


def layer_examples():
    """Return what a layer's functions are tried on: random numbers, and what the course's layer makes of them."""
    rng, d, h, n = np.random.default_rng(0), 6, 3, 5
    sizes = {"d": d, "3d": 3 * d, "f": 4 * d}
    tables = {f"h.0.{name}": rng.normal(0, 0.7, [sizes[axis] for axis in axes.split()]) for name, axes in LAYER.items()}
    for table in tables.values():
        table.flags.writeable = False  # as in the file
    rows, parameters = rng.normal(size=(n, d)), chapter_names(tables, "h.0.")
    after, kept = course_layer(rows, tables, "h.0.", h, np.zeros((2, h, 0, d // h)))
    steps = [((rows[i], parameters, h, *kept[:, :, :i]), (after[i], *kept[:, :, : i + 1])) for i in (0, n - 1)]
    return {"gpt_block": [((rows, parameters, h), after)], "step_with_cache": steps}


def tried(name, function, examples):
    """Return what is wrong with a function, "" for nothing."""
    if function is None:
        return "is missing"
    for arguments, expected in examples:
        try:
            answer = function(*(one.copy() if isinstance(one, np.ndarray) else one for one in arguments))
        except NotImplementedError:
            return "is not written yet"
        except Exception as error:
            return f"fails: {error if isinstance(error, Trouble) else last_line(error)}"
        if answer is None:
            return "returns None: perhaps its return is missing"
        if different := difference(expected, answer):
            return f"differs. {name}({', '.join(map(shortly, arguments))}){different}"
    return ""


def difference(expected, got):
    """Return how an answer differs from the expected one, "" where it does not."""
    if isinstance(expected, tuple) and isinstance(got, (tuple, list)) and len(got) == len(expected):
        results = enumerate(zip(expected, got, strict=True), 1)
        found = ((number, difference(*two)) for number, two in results)
        return next((f", result {number}{words}" for number, words in found if words), "")
    if isinstance(expected, tuple):
        return f": expected {len(expected)} results, got {shortly(got)}"
    told = f": expected {shortly(expected)}, got {shortly(got)}"
    if isinstance(expected, list):
        return "" if isinstance(got, list) and got == expected else told
    try:
        numbers, right = np.asarray(got, dtype=float), np.asarray(expected, dtype=float)
    except (TypeError, ValueError):
        return told
    if numbers.shape != right.shape:
        return f": expected shape {right.shape}, got {numbers.shape}"
    same = np.isclose(numbers, right, rtol=1e-5, atol=1e-5)  # False for NaN
    if same.all():
        return ""
    row = tuple(np.argwhere(~same)[0][:-1])  # the first that differs
    place = f", row {row[-1]}" if row else ""
    return f"{place}: expected {shortly(right[row])}, got {shortly(numbers[row])}"


def shortly(value):
    """Return a value in one line; of a large array its shape."""
    if isinstance(value, dict):
        return "parameters"
    if not isinstance(value, np.ndarray):
        return " ".join(repr(value).split())[:80]
    if value.size > 12:
        return f"<{' × '.join(map(str, value.shape))} numbers>"
    return re.sub(r"\s+", " ", np.array2string(value, precision=5, suppress_small=True, separator=", "))


# ---- The command ----


def run(asked, tell):
    """Write what goes on from a prompt, or say a text's perplexity, to standard output."""
    if not asked.folder.is_dir():
        raise Trouble(
            f"there is no folder {asked.folder}: make it, and put three files of the model's page there, {SOURCE}"
        )
    began = time.perf_counter()
    model = read_model(asked.folder)
    own = own_functions(tell)
    tokenizer = Tokenizer(asked.folder, own)
    check_numbers(tokenizer, model)
    tell(f"ready after {time.perf_counter() - began:.1f} s: {len(model.layers)} layers, {model.h} heads")
    began = time.perf_counter()
    if asked.perplexity:
        tokens = tokenizer.encode(asked.perplexity.read_text(encoding="utf-8"))
        if len(tokens) < 2:
            raise Trouble(f"{asked.perplexity} has {len(tokens)} tokens: perplexity needs 2 or more")
        print(f"perplexity {perplexity_of(tokens, model, own):.2f}, {len(tokens):,} tokens")
        count = len(tokens)
    else:
        count = stream(asked, tokenizer, model, own, tell)
    seconds = time.perf_counter() - began
    peak = peak_memory()
    memory = f", {peak / 1e9:.2f} GB of memory at most" if peak else ""
    tell(f"{count} tokens in {seconds:.1f} s: {count / seconds:.1f} tokens a second{memory}")


def check_numbers(tokenizer, model):
    """Raise Trouble if the vocabulary has a token for which the model has no row."""
    largest, rows = max(tokenizer.numbers.values(), default=-1), len(model.tables["wte.weight"])
    if largest >= rows:
        raise Trouble(f"vocab.json is another model's: it has a token {largest}, and model.safetensors {rows} rows")


def stream(asked, tokenizer, model, own, tell):
    """Print the prompt and what comes after it, each character as soon as it is whole; return how many tokens."""
    end = tokenizer.numbers.get(END)
    tokens = tokenizer.encode(asked.prompt) or [tokenizer.number_of(END)]
    if len(tokens) > model.longest:
        raise Trouble(f"the prompt has {len(tokens)} tokens, and this model reads {model.longest}: shorten it")
    rng = np.random.default_rng(asked.seed)

    def draw(logits):
        return choose(logits, own, asked.temperature, asked.top_p, rng.random())

    whole, count = codecs.getincrementaldecoder("utf-8")(errors="replace"), 0
    print(asked.prompt, end="", flush=True)
    try:
        for token in islice(write(tokens, model, own, draw, not asked.no_cache), asked.tokens):
            count += 1
            if token == end:
                break
            print(whole.decode(tokenizer.bytes_of(token)), end="", flush=True)
    except KeyboardInterrupt:
        pass  # what is written stays
    print(whole.decode(b"", final=True), flush=True)
    if len(tokens) + count > model.longest:
        tell(f"this model reads {model.longest} tokens at most: it stops here")
    return count


def peak_memory():
    """Return the most memory that this process had, in bytes; None where nobody says."""
    said = linux_says("/proc/self/status", "VmHWM")  # getrusage may tell the parent's
    if said is not None:
        return said
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main():
    """Read the command line, run, and end with one line and exit code 2 where that is not possible."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("folder", type=Path, help="where model.safetensors, vocab.json and merges.txt are")
    asked.add_argument("prompt", nargs="?", default="", help="how the text begins")
    asked.add_argument("--tokens", type=int, default=60, help="how many tokens to write at most")
    asked.add_argument("--temperature", type=float, default=0.8, help="0 is greedy, 2 is wild")
    asked.add_argument(
        "--top-p", type=float, default=0.9, help="draw from the likeliest tokens of this share; 1: from all"
    )
    asked.add_argument("--seed", type=int, default=0, help="another seed draws another text")
    asked.add_argument("--no-cache", action="store_true", help="compute all tokens anew each time, with gpt_block")
    asked.add_argument("--perplexity", type=Path, metavar="FILE", help="read a text instead of writing one")
    given = asked.parse_args(sys.argv[1:])
    if not (given.temperature >= 0 and 0 < given.top_p <= 1):
        asked.error("--temperature is 0 or more, --top-p above 0 and at most 1")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a console that lacks a character
    try:
        run(given, lambda line: print(line, file=sys.stderr, flush=True))
    except (Trouble, OSError, MemoryError) as error:
        is_memory = isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM
        told = "too little memory: close other programs, or take a smaller model" if is_memory else error
        print(told, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
