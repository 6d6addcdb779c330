"""A student's folder with gpt2.py and my_attention.py, made from the solution notebooks."""

import importlib.util
import json
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
FUNCTIONS = {  # what GPT-2 runs on, and what that calls
    "03_context": ("softmax",),
    "06_multi_head": ("split_heads", "merge_heads"),
    "08_layer_norm": ("layer_norm",),
    "09_masking": ("causal_mask", "masked_softmax", "masked_attention"),
    "12_inference": ("sample",),
    "13_gpt": ("encode_bpe", "gelu", "gpt_block", "step_with_cache", "nucleus", "perplexity"),
}


def own_text() -> str:
    """Return the text of my_attention.py where every exercise is solved."""
    answers = ["import numpy as np"]
    for chapter, names in FUNCTIONS.items():
        notebook = json.loads((ROOT / "solutions" / chapter / f"{chapter}.ipynb").read_text(encoding="utf-8"))
        cells = {cell["metadata"]["nbgrader"]["grade_id"]: "".join(cell["source"]) for cell in notebook["cells"]}
        answers += [re.sub(r" *### (BEGIN|END) SOLUTION\n?", "", cells[name]) for name in names]
    return "\n\n\n".join(answers) + "\n"


def student_folder(folder: Path) -> Path:
    """Lay out gpt2.py and my_attention.py as a student has them; return the path of gpt2.py."""
    (folder / "13_gpt").mkdir(parents=True)
    (folder / "my_attention.py").write_text(own_text(), encoding="utf-8")
    return Path(shutil.copy(ROOT / "solutions" / "13_gpt" / "gpt2.py", folder / "13_gpt"))


def load(path: Path) -> ModuleType:
    """Return gpt2.py as a module."""
    spec = importlib.util.spec_from_file_location("gpt2", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["gpt2"] = module
    spec.loader.exec_module(module)
    return module
