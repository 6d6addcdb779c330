"""Writes Italian with a decoder-only model that runs on your own functions: from my_attention.py, and this notebook's.

    python writer.py                                  five sentences
    python writer.py "la ragazza" --temperature 0.5   five that begin so, more cautious
    %run writer.py "la ragazza"                       the same in a notebook

Needs only NumPy. The learned numbers are in writer.json beside this file, eight bits each.
"""

import argparse
import base64
import json
import runpy
import sys
from pathlib import Path

import numpy as np

HERE, LONGEST = Path(__file__).resolve().parent, 24
CHAPTERS = {
    "split_heads": 6,
    "merge_heads": 6,
    "rotary": 7,
    "layer_norm": 8,
    "feed_forward": 8,
    "causal_mask": 9,
    "masked_attention": 9,
}
HERE_WRITTEN = "sample"  # in chapter 12's own notebook, which saves nothing in my_attention.py


def decoder_only(tokens, numbers, own):
    """Return the logits of the next word: tokens (n,) -> (words,)."""
    p, n, h = numbers["parameters"], len(tokens), numbers["h"]
    x = np.sqrt(p["embedding"].shape[-1]) * p["embedding"][tokens]  # (n, d_model)
    for i in range(numbers["layers"]):
        layer = {name.removeprefix(f"layer.{i}."): array for name, array in p.items() if name.startswith(f"layer.{i}.")}
        seen = own["layer_norm"](x, layer["gamma1"], layer["beta1"])
        query, key, value = (own["split_heads"](seen @ layer[name], h) for name in ("w_q", "w_k", "w_v"))
        query, key = (own["rotary"](heads, np.arange(n)) for heads in (query, key))  # (h, n, d_k)
        found, _ = own["masked_attention"](query, key, value, own["causal_mask"](n))
        x = x + own["merge_heads"](found) @ layer["w_o"]
        seen = own["layer_norm"](x, layer["gamma2"], layer["beta2"])
        x = x + own["feed_forward"](seen, layer["w1"], layer["b1"], layer["w2"], layer["b2"])
    return own["layer_norm"](x, p["gamma"], p["beta"])[-1] @ p["embedding"].T


def write(prompt, temperature, seed, numbers, own):
    """Yield five sentences that begin with the prompt."""
    words = numbers["target"]
    unknown = [word for word in prompt.split() if word not in words]
    if unknown:
        known = " ".join(word for word in words if not word.startswith("<"))
        raise SystemExit(f"the writer does not know {', '.join(unknown)}. It knows: {known}")
    beginning = [words.index(word) for word in ["<sos>", *prompt.split()]]
    for draws in np.random.default_rng(seed).random((5, LONGEST)):
        tokens = beginning
        for u in draws:
            tokens = [*tokens, int(own["sample"](decoder_only(tokens, numbers, own), temperature, np.array([u]))[0])]
            if words[tokens[-1]] == "<eos>":
                break
        yield " ".join(words[token] for token in tokens if not words[token].startswith("<"))


def own_functions():
    """Return what my_attention.py holds, beside the chapters' folders or in this one."""
    path = next((path for path in (HERE.parent / "my_attention.py", HERE / "my_attention.py") if path.is_file()), None)
    if path is None:
        raise SystemExit("my_attention.py is not here: run the last cell of each chapter's notebook, which writes it")
    own = runpy.run_path(str(path))
    missing = [f"{name} (chapter {chapter})" for name, chapter in CHAPTERS.items() if name not in own]
    if missing:
        raise SystemExit(f"my_attention.py lacks {', '.join(missing)}: write it, then run that notebook's last cell")
    own |= from_this_notebook(HERE_WRITTEN)
    if HERE_WRITTEN not in own:
        raise SystemExit(f"12_inference.ipynb lacks {HERE_WRITTEN}: write it there, and save the notebook")
    return own


def from_this_notebook(name):
    """Return {name: the function} that is written in the notebook beside this file; {} if it is not written yet."""
    path, space = HERE / "12_inference.ipynb", {"np": np}
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path.is_file() else []
    for source in ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"):
        if f"def {name}(" in source and "NotImplementedError" not in source:
            exec(source, space)
    return {name: space[name]} if name in space else {}


def read_numbers():
    """Return the writer's numbers, its arrays unpacked."""
    numbers = json.loads((HERE / "writer.json").read_text(encoding="utf-8"))["model"]
    numbers["parameters"] = {name: array_of(packed) for name, packed in numbers["parameters"].items()}
    return numbers


def array_of(packed):
    """Return one array: a vector as it is, or a matrix of whole numbers from -127 to 127 and a scale for each row."""
    if "vector" in packed:
        return np.array(packed["vector"])
    scales = np.array(packed["scales"])[:, None]
    return np.frombuffer(base64.b64decode(packed["data"]), dtype=np.int8).reshape(len(scales), -1) * scales


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("prompt", nargs="?", default="", help="how each sentence begins")
    asked.add_argument("--temperature", type=float, default=1.0, help="0 is greedy, 2 is wild")
    asked.add_argument("--seed", type=int, default=0, help="another seed draws other sentences")
    given = asked.parse_args(sys.argv[1:])
    for sentence in write(given.prompt, given.temperature, given.seed, read_numbers(), own_functions()):
        print(sentence)
