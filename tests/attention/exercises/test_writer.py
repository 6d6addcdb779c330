"""The file that writes Italian with a student's own functions."""

import shutil
import subprocess
import sys

import pytest

from attention.models.writer import written

OWN = """
from attention.chapters.layer_norm import feed_forward, layer_norm
from attention.chapters.masking import causal_mask, masked_attention
from attention.chapters.multi_head import merge_heads, split_heads
from attention.chapters.position import rotary
from attention.chapters.inference import sample
"""


@pytest.fixture
def run(root, tmp_path):
    """Run writer.py in a student's folder, beside this my_attention.py; return the exit code and the lines."""
    shutil.copytree(root / "exercises/12_inference", tmp_path / "12_inference")

    def run_with(own, *options):
        (tmp_path / "my_attention.py").write_text(own)
        command = [sys.executable, tmp_path / "12_inference/writer.py", *options]
        ended = subprocess.run(command, capture_output=True, text=True)
        return ended.returncode, (ended.stdout + ended.stderr).splitlines()

    return run_with


def test_own_functions_write_what_the_books_model_writes(run):
    """The same numbers, prompt, temperature and seed: the same five sentences."""
    said = [draw.sentence for draw in written(0.7, 5, "la ragazza", seed=3)]
    assert run(OWN, "la ragazza", "--temperature", "0.7", "--seed", "3") == (0, said)


def test_the_notebook_beside_it_has_sample(run, root, tmp_path):
    """Chapter 12 saves nothing in my_attention.py, so sample is taken from its notebook, where it is written."""
    own = OWN.replace("from attention.chapters.inference import sample\n", "")
    told = "12_inference.ipynb lacks sample: write it there, and save the notebook"
    assert run(own, "la ragazza") == (1, [told])
    shutil.copy(root / "solutions/12_inference/12_inference.ipynb", tmp_path / "12_inference")
    assert run(own, "la ragazza") == run(OWN, "la ragazza")


def test_a_wrong_function_is_heard(run):
    """With a mask that hides only the past, other sentences come out."""
    wrong = OWN + "\nright = causal_mask\ndef causal_mask(n):\n    return right(n).T\n"
    assert run(wrong, "la ragazza") != run(OWN, "la ragazza")


def test_what_is_missing_is_one_line(run):
    """A function that is not there, and a word that the model does not know."""
    code, (line,) = run(OWN.replace("from attention.chapters.position import rotary", ""))
    assert (code, line) == (
        1, "my_attention.py lacks rotary (chapter 7): write it, then run that notebook's last cell",
    )  # fmt: skip
    code, (line,) = run(OWN, "la zebra")
    assert code == 1
    assert line.startswith("the writer does not know zebra. It knows: ")
