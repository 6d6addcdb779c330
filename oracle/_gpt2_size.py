"""Measures one program at the size of the smallest published GPT-2: ``python -m oracle._gpt2_size PROGRAM FOLDER``.

PROGRAM is ``numpy`` (gpt2.py on a student's functions), ``no cache`` (these, all tokens anew each time), ``course``
(gpt2.py on its own) or ``torch``.
"""

import json
import sys
import time
from itertools import islice, pairwise
from pathlib import Path

from ._student import load

PROMPT, COUNT = list(range(1000, 1010)), 60


def numpy_writer(folder: Path, program: str):
    """Yield the likeliest tokens, from gpt2.py, after a stop when it is imported and one when it is loaded."""
    gpt2 = load(folder.parent / "student" / "13_gpt" / "gpt2.py")
    yield
    model, own = gpt2.read_model(folder), {} if program == "course" else gpt2.own_functions(lambda line: None)
    yield
    yield from gpt2.write(PROMPT, model, own, lambda logits: int(logits.argmax()), program != "no cache")


def torch_writer(folder: Path):
    """Yield the likeliest tokens, from the reference library, after the same two stops."""
    import torch
    from transformers import GPT2LMHeadModel

    yield
    model = GPT2LMHeadModel.from_pretrained(folder)
    yield
    new, kept = torch.tensor([PROMPT]), None
    while True:
        with torch.inference_mode():
            answer = model(new, past_key_values=kept, use_cache=True)
        new, kept = answer.logits[:, -1:].argmax(dim=-1), answer.past_key_values
        yield int(new)


def main(program: str, folder: Path) -> None:
    """Print the seconds that each part takes, tokens a second after the first one, and the most memory in GB."""
    writer = torch_writer(folder) if program == "torch" else numpy_writer(folder, program)
    times, tokens = [time.perf_counter()], []
    for _ in ("import", "load"):
        next(writer)
        times.append(time.perf_counter())
    tokens.append(next(writer))
    times.append(time.perf_counter())
    tokens += islice(writer, COUNT - 1)
    found = dict(zip(("import", "load", "first token"), (b - a for a, b in pairwise(times)), strict=True))
    found["tokens a second"] = (COUNT - 1) / (time.perf_counter() - times[-1])
    found["GB"] = most_memory() / 1e9
    print(json.dumps({name: round(number, 2) for name, number in found.items()} | {"tokens": tokens}))


def most_memory() -> int:
    """Return the most memory that this process has had; getrusage would tell the parent's, where that was more."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
