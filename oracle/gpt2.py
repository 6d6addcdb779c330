"""gpt2.py against the reference library: logits, greedy tokens, the tokenizer, and time and memory at full size."""

import base64
import json
import random
import subprocess
import sys
import tempfile
import unicodedata
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import ByteLevelBPETokenizer
from tokenizers.pre_tokenizers import ByteLevel
from transformers import GPT2LMHeadModel

from . import Outcome
from ._gpt2_files import random_model, write_vocabulary
from ._gpt2_size import PROMPT
from ._student import ROOT, load, student_folder

STEPS, NEAR, TEXTS, MERGES = 200, 1e-3, 10_000, 300
TINY = {"layers": 2, "d_model": 12, "h": 3, "longest": 211, "words": 257 + MERGES}


def run() -> Outcome:
    """Compare, and return what is kept for the tests: a tiny model's files, logits and tokens, and some texts."""
    differences, results = {}, {}
    with tempfile.TemporaryDirectory() as top:
        gpt2 = load(student_folder(Path(top) / "student"))
        told = []
        own = gpt2.own_functions(told.append)
        assert len(own) == len(gpt2.FUNCTIONS), told
        for name, sizes in (("2 layers", TINY), ("5 layers", {"layers": 5, "d_model": 70, "h": 7, "longest": 223})):
            folder = Path(top) / name.replace(" ", "_")
            model = random_model(**sizes)
            model.save_pretrained(folder)
            kept = compared(name, gpt2, own, folder, model, differences)
            results |= {} if sizes is not TINY else kept
        written_otherwise(gpt2, own, Path(top), model, differences)
        results["texts"] = tokenizers_compared(gpt2, own, Path(top), differences)
        results["files"] = files_of(Path(top) / "2_layers")
        results["size"] = full_size(gpt2, own, Path(top), differences)
    return Outcome(differences, results)


def reference_logits(model, tokens):
    """Return the reference's logits of each token's next one: (n, words)."""
    with torch.inference_mode():
        return model(torch.tensor([tokens])).logits[0].numpy()


def greedy(model, tokens, steps):
    """Return the reference's likeliest tokens, and by how much each was ahead of the second."""
    tokens, ahead = list(tokens), []
    for _ in range(steps):
        last = reference_logits(model, tokens)[-1]
        second, first = np.sort(last)[-2:]
        ahead.append(float(first - second))
        tokens.append(int(last.argmax()))
    return tokens, ahead


def compared(name, gpt2, own, folder, model, differences):
    """Compare logits and greedy tokens, with cache and without, on a student's functions and on the course's."""
    ours = gpt2.read_model(folder)
    prompt = [int(token) for token in np.random.default_rng(1).integers(0, model.config.vocab_size, 7)]
    tokens, ahead = greedy(model, prompt, STEPS)
    right = reference_logits(model, tokens)
    near = sum(one <= NEAR for one in ahead)
    for whose, functions in (("a student's functions", own), ("the course's", {})):
        logits = gpt2.logits_of(gpt2.rows_after(tokens, ours, functions), ours, functions)
        differences[f"{name}, logits of {len(tokens)} tokens, {whose}"] = largest(logits, right), 1e-4
        for way, cached in (("with cache", True), ("without", False)):
            forced = iter(tokens[len(prompt) :])
            chosen = []

            def follow(logits, chosen=chosen, forced=forced):
                chosen.append(int(logits.argmax()))
                return next(forced)  # the reference's token, so that one near step does not change all after it

            for _ in zip(range(STEPS), gpt2.write(prompt, ours, functions, follow, cached), strict=False):
                pass
            pairs = zip(chosen, tokens[len(prompt) :], ahead, strict=True)
            other = sum(a != b for a, b, margin in pairs if margin > NEAR)
            what = f"{name}, other greedy tokens of {STEPS - near} ({near} too near), {way}, {whose}"
            differences[what] = other, 0
    kept = {
        "prompt": prompt,
        "tokens": tokens[len(prompt) :],
        "too near": [i for i, one in enumerate(ahead) if one <= NEAR],
    }
    texts = {what: " ".join(map(str, numbers)) for what, numbers in kept.items()}
    return {**texts, "logits of the prompt": base64.b64encode(right[: len(prompt)].tobytes()).decode()}


def written_otherwise(gpt2, own, top, model, differences):
    """Compare logits where the file has no prefix but masks, as the published ones, and where it has float16."""
    tokens = list(range(100, 140))
    plain, half = top / "plain", top / "half"
    plain.mkdir()
    tensors = {name: tensor.contiguous() for name, tensor in model.transformer.state_dict().items()}
    n = model.config.n_positions
    masks = {f"h.{i}.attn.bias": torch.tril(torch.ones(1, 1, n, n)) for i in range(model.config.n_layer)}
    save_file(tensors | masks, plain / "model.safetensors")
    (plain / "config.json").write_text(model.config.to_json_string(), encoding="utf-8")
    right = reference_logits(model, tokens)
    model.half().save_pretrained(half)
    widened = GPT2LMHeadModel.from_pretrained(half, dtype=torch.float32)
    for what, folder, expected in (
        ("names without a prefix", plain, right),
        ("float16", half, reference_logits(widened, tokens)),
    ):
        ours = gpt2.read_model(folder)
        logits = gpt2.logits_of(gpt2.rows_after(tokens, ours, own), ours, own)
        differences[f"5 layers, logits, {what}"] = largest(logits, expected), 1e-4


def largest(a, b):
    """Return the largest difference; NaN if there is one."""
    return float(np.abs(np.asarray(a, dtype=float) - b).max())


def files_of(folder):
    """Return a model's files, as JSON can hold them."""
    write_vocabulary(folder, MERGES)
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in ("config.json", "vocab.json", "merges.txt")}
    return {"model.safetensors": base64.b64encode((folder / "model.safetensors").read_bytes()).decode(), **texts}


def tokenizers_compared(gpt2, own, top, differences):
    """Compare tokens of many texts, and how every code point is cut; return some texts with a small vocabulary's."""
    texts = list(islice(different(random_texts()), TEXTS))
    for merges in (None, MERGES):
        folder = top / f"vocabulary_{merges}"
        folder.mkdir()
        write_vocabulary(folder, merges)
        theirs = ByteLevelBPETokenizer(str(folder / "vocab.json"), str(folder / "merges.txt"))
        right = [theirs.encode(text).ids for text in texts]
        for whose, functions in (("a student's encode_bpe", own), ("the course's", {})):
            ours = gpt2.Tokenizer(folder, functions)
            other = sum(ours.encode(text) != ids for text, ids in zip(texts, right, strict=True))
            what = f"other tokens, of {len(texts):,} texts, {merges or '50,000'} merges, {whose}"
            differences[what] = other, 0
        lost = sum(b"".join(map(ours.bytes_of, ids)) != text.encode() for text, ids in zip(texts, right, strict=True))
        differences[f"texts that do not come back, {merges or '50,000'} merges"] = lost, 0
    cut = ByteLevel(add_prefix_space=False)
    known = assigned()
    wrong = sum(
        gpt2.pieces_of(text) != [text[begin:end] for _, (begin, end) in cut.pre_tokenize_str(text)]
        for text in (f"a{character}1{character}!" for character in known)
    )
    version = unicodedata.unidata_version
    differences[f"code points cut otherwise, of the {len(known):,} in Python's Unicode {version}"] = wrong, 0
    return [[text, " ".join(map(str, ids))] for text, ids in zip(texts, right, strict=True) if len(text) < 60][:400]


def assigned():
    """Return every character that this Python's Unicode knows: newer ones are letters to one side alone."""
    characters = (chr(number) for number in range(sys.maxunicode + 1))
    return [character for character in characters if unicodedata.category(character) not in ("Cn", "Cs")]


def different(texts):
    """Yield each text once."""
    seen = set()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text


def random_texts():
    """Yield texts of every kind without end: words, contractions, numbers, white space, scripts, signs, code."""
    rng, known = random.Random(0), assigned()
    by_kind = {}
    for character in known:
        by_kind.setdefault(unicodedata.category(character), []).append(character)
    lines = [line for name in ("README.md", "CONTRIBUTING.md") for line in (ROOT / name).read_text().splitlines()]
    words = sorted({word for line in lines for word in line.split(" ")})
    ends = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'LL", "’s", "'", "''s", "'x", "...", "!?", ",", ""]
    white = [" ", "  ", "   ", "\n", "\n\n", "\t", " \n", "\r\n", "\x1c", "\x1f", "\x85", "\xa0", "\u2003", "\u3000"]
    emoji = ["👩‍👩‍👧", "👍🏽", "🇮🇹", "e\u0301", "ﷺ", "각", "नमस्ते", "שלום", "مرحبا", "你好", "Straße", "½", "Ⅷ", "٣"]
    kinds = [
        lambda: rng.choice(words) + rng.choice(ends),
        lambda: rng.choice(white) * rng.randrange(1, 3),
        lambda: rng.choice(emoji),
        lambda: rng.choice(by_kind[rng.choice(sorted(by_kind))]),
        lambda: rng.choice(known),
        lambda: str(rng.randrange(10 ** rng.randrange(1, 9))),
        lambda: rng.choice("abcXYZ019 .-_/'\"") * rng.randrange(1, 30),
        lambda: "".join(map(chr, rng.choices(range(32, 384), k=rng.randrange(1, 9)))).replace("\x7f", ""),
    ]
    yield from ("", " ", "'", "\n", "<|endoftext|>")
    while True:
        yield rng.choice(lines) + rng.choice(ends)
        for _ in range(9):
            yield "".join(rng.choice(kinds)() + " " * rng.randrange(2) for _ in range(rng.randrange(1, 12)))


def full_size(gpt2, own, top, differences):
    """Return time and memory of one run at the size of the smallest published model, beside the reference's."""
    folder = top / "full"
    model = random_model(layers=12, d_model=768, h=12, longest=1024)
    model.save_pretrained(folder)
    tokens, ahead = greedy(model, PROMPT, 20)
    ours = gpt2.read_model(folder)
    logits = gpt2.logits_of(gpt2.rows_after(tokens, ours, own), ours, own)
    differences["12 layers of 768, logits of 30 tokens, a student's functions"] = (
        largest(logits, reference_logits(model, tokens)),
        1e-4,
    )
    del model, ours, logits
    found = {}
    for program in ("numpy", "no cache", "course", "torch"):
        command = [sys.executable, "-m", "oracle._gpt2_size", program, folder]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        found[program] = json.loads(ended.stdout.splitlines()[-1])
        written = found[program].pop("tokens")
        until = next((i for i, margin in enumerate(ahead) if margin <= NEAR), len(ahead))
        other = sum(a != b for a, b in zip(written[:until], tokens[len(PROMPT) :][:until], strict=True))
        differences[f"12 layers of 768, other greedy tokens of {until}, {program}"] = other, 0
        print(f"  {program:8}", "  ".join(f"{name} {number}" for name, number in found[program].items()))
    return found
