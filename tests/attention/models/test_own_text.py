"""A small GPT from a text of one's own: tokens, gradient, what learning keeps, and what is refused."""

import ast
import json
import os
import signal
import subprocess
import sys
import time

import autograd
import numpy as np
import pytest

from attention.chapters.decoder_only import decoder_only
from attention.chapters.gpt import encode_bpe, train_bpe
from attention.chapters.training import cross_entropy
from attention.chapters.transformer import Model
from attention.chapters.translator import flatten, unflatten
from attention.exercises.hooks import companions
from attention.models import corpus, own_text, quantised
from attention.models.explain_writer import numbers_of_own_text
from attention.models.own_text import HEADS, Learner, Settings, cut_text, learn_merges, main, words_of

STRANGE = "  Ünïcode 𝔸𝔹 漢字漢字 漢字\r\n\r\n\ttab tab  aaaa aaa aa\u00a0aa\n<sos> <sos> <eos>"
TINY = ("--vocabulary", "90", "--width", "16")


@pytest.fixture(scope="module")
def italian():
    """Four hundred Italian sentences, a line each."""
    return "".join(f"{target}\n" for _, target in corpus().training[:400])


@pytest.fixture
def file(tmp_path, italian):
    """The sentences in a file."""
    path = tmp_path / "italian.txt"
    path.write_text(italian, encoding="utf-8")
    return path


def content_of(path):
    """Return what the page would open."""
    return json.loads(path.read_text(encoding="utf-8"))


# --- tokens ---


@pytest.mark.parametrize("count", [0, 7, 60])
@pytest.mark.parametrize("text", [STRANGE * 2, None])
def test_merges_are_those_of_the_reference(text, count, italian):
    """Counted over distinct words, with ties and letters of any kind; every word is cut as encode_bpe cuts it."""
    text = text or italian[:5000]
    wanted = train_bpe(text, count)
    most = len({*text, *map("".join, wanted)}) + 1
    merges, cuts = learn_merges(words_of(text), [], most)
    assert merges == wanted[: len(merges)]
    assert {"".join(pair) for pair in wanted} - set(text) == {"".join(pair) for pair in merges} - set(text)
    assert [symbol for word in words_of(text) for symbol in cuts[word]] == encode_bpe(text, merges)


def test_the_tokens_of_a_text_are_the_text(italian):
    """Newlines, tabs and letters of any kind come back, and merges are learned from the first nine tenths alone."""
    text = italian + STRANGE
    cut = cut_text(text, 150)
    assert "".join(cut.symbols[token] for part in (cut.read, cut.held_out) for token in part) == text
    assert len(cut.symbols) == len(set(cut.symbols)) == 150
    read = "".join(cut.symbols[token] for token in cut.read)
    assert cut.merges == train_bpe(read, len(cut.merges))
    assert len(read) == pytest.approx(0.9 * len(text), rel=0.01)


# --- the model ---


def test_logits_and_gradient_are_the_references(rng):
    """Each parameter's slope is autograd's through ``decoder_only``, in full precision."""
    drawn = own_text.draw_parameters(Settings(layers=2, width=24), 31)
    parameters = {name: array + rng.normal(size=array.shape, scale=0.1) for name, array in drawn.items()}
    shown, wanted = rng.integers(31, size=(2, 3, 7))
    slopes = {name: np.full_like(array, np.nan) for name, array in parameters.items()}
    loss = own_text.loss_and_gradient(shown, wanted, parameters, 2, slopes)

    def reference(flat):
        return cross_entropy(decoder_only(shown, unflatten(flat, parameters), HEADS, 2), wanted, pad=-1)

    right, gradient = autograd.value_and_grad(reference)(flatten(parameters))
    assert loss == pytest.approx(right, abs=1e-12)
    np.testing.assert_allclose(flatten(slopes), gradient, atol=1e-12)


def test_the_file_is_packed_as_the_shipped_models_are(italian):
    """Its parameters are those that ``quantised.packed`` makes of the same numbers."""
    learner = Learner(cut_text(italian, 90), Settings(90, 1, 16))
    words = {symbol: i for i, symbol in enumerate(learner.text.symbols)}
    model = Model(learner.parameters(), words, words, HEADS, 1)
    made = own_text.page_file(learner, "italian.txt")
    assert made["parameters"] == quantised.packed(model)["parameters"]
    assert made["tokens"] == quantised.packed(model)["target"]


# --- the command ---


def test_it_learns_and_prints_losses_and_samples(file, capsys):
    """The loss falls well below an even guess, and the held-out loss with it."""
    assert main([str(file), *TINY, "--steps", "200"]) == 0
    said = capsys.readouterr().out
    assert "90 symbols" in said
    assert "step 200" in said
    losses = [
        float(line.split(" nats")[0].split()[-1])
        for part in said.split("loss ")[1:]
        for line in part.split("held out ")
    ]
    assert max(losses[-2:]) < np.log(90) - 1.5
    assert "\n    " in said


def test_it_goes_on_as_if_it_had_not_stopped(file, tmp_path, capsys):
    """Thirty steps, then twenty more, are fifty: the same numbers, and the same file for the page."""
    once, twice = tmp_path / "once.json", tmp_path / "twice.json"
    main([str(file), *TINY, "--steps", "50", "--out", str(once)])
    for steps in ("30", "50"):
        assert main([str(file), *TINY, "--steps", steps, "--out", str(twice)]) == 0
    assert "goes on after step 30" in capsys.readouterr().out
    assert content_of(once) == content_of(twice)
    assert not list(tmp_path.glob("*.new"))


def test_ctrl_c_keeps_what_there_is(file, tmp_path):
    """The files are whole after a Ctrl-C, and the same command goes on from them."""
    command = [sys.executable, own_text.__file__, str(file), *TINY]
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job may ignore it
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": ""})
    signal.signal(signal.SIGINT, heard)
    while "numbers" not in running.stdout.readline():
        pass
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=60)[0]
    assert running.returncode == 0
    assert "Stopped: " in said.splitlines()[-1]
    step = content_of(tmp_path / "italian.gpt.json")["step"]
    again = subprocess.run([*command, "--steps", str(step + 1)], capture_output=True, text=True)
    assert f"goes on after step {step}" in again.stdout


def test_it_is_handed_out_where_tokens_are_learned_and_needs_numpy_alone():
    """The notebook's folder gets the module's own text, which imports nothing of the course."""

    class Alone:
        def pieces(self):
            return []

    assert companions({"softmax": Alone()}) == {}
    (text,) = companions({"train_bpe": Alone()}).values()
    imported = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or alias.name for node in imported for alias in node.names}
    assert {name.split(".")[0] for name in names} - sys.stdlib_module_names == {"numpy"}


def test_a_file_half_written_is_never_left(file, tmp_path, monkeypatch, capsys):
    """Where writing fails, the file from before is still there."""
    main([str(file), *TINY, "--steps", "2"])
    before = (tmp_path / "italian.gpt.json").read_bytes()

    def full(*given, **named):
        raise OSError("disk full")

    monkeypatch.setattr(own_text.np, "savez", full)
    assert main([str(file), *TINY, "--steps", "4"]) == 2
    assert capsys.readouterr().err == "own_text: cannot write the file: disk full\n"
    assert (tmp_path / "italian.gpt.json").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--vocabulary", "2001"], "2000 or less, got 2001"),
        (["--vocabulary", "9"], "different letters, and 9 symbols: choose --vocabulary "),
        (["--vocabulary", "many"], "invalid int value"),
        (["--layers", "3"], "--layers 1 or 2, got 3"),
        (["--width", "20"], "multiple of 8"),
        (["--steps", "0"], "above 0"),
        (["--out", "italian.txt"], "ends in .json"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(file, options, message, capsys):
    """Exit code 2, and nothing is written."""
    assert main([str(file), *options]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert [path.name for path in file.parent.iterdir()] == ["italian.txt"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        (b"caff\xe8" * 500, "no text in UTF-8: byte 0xe8 at 4"),
        (b"too short", "2,000 letters or more, got 9"),
        (b"a" * 3000, "too few to learn from"),
        ("".join(map(chr, range(0x4E00, 0x4E00 + 2500))).encode(), "choose a text with fewer"),
    ],
)
def test_a_file_that_is_no_text_is_refused_in_one_line(tmp_path, content, message, capsys):
    """Missing, in another encoding, too short, of one letter, or of more letters than there may be symbols."""
    path = tmp_path / "own.txt"
    if content is not None:
        path.write_bytes(content)
    assert main([str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_another_text_and_other_settings_do_not_go_on(file, tmp_path, capsys):
    """The message says what to type, or what to choose."""
    out = ("--out", str(tmp_path / "model.json"))
    main([str(file), *TINY, "--steps", "2", *out])
    other = tmp_path / "other.txt"
    other.write_text(file.read_text(encoding="utf-8")[100:], encoding="utf-8")
    assert main([str(other), *TINY, *out]) == 2
    assert main([str(file), *TINY, "--layers", "1", *out]) == 2
    (tmp_path / "model.npz").write_bytes(b"nothing")
    assert main([str(file), *TINY, *out]) == 2
    (tmp_path / "model.npz").unlink()
    assert main([str(file), *TINY, *out]) == 2
    another, settings, broken, alone = capsys.readouterr().err.splitlines()
    assert "has learned from another text" in another
    assert "--layers 2: say so to go on" in settings
    assert "no file that this command has written" in broken
    assert "from which it could go on" in alone


def test_every_number_of_the_file_can_be_asked(file, tmp_path):
    """Cut by the file's merges, the text's logits are those of ``decoder_only``; a letter never read is an error."""
    main([str(file), *TINY, "--steps", "20"])
    out = tmp_path / "italian.gpt.json"
    numbers = numbers_of_own_text(out, " il gatto\nlei")
    assert "".join(numbers.text) == " il gatto\nlei"
    logits = decoder_only(np.array(numbers.tokens), numbers.parameters, HEADS, 2)
    np.testing.assert_allclose(numbers.arrays["g.l"], logits, atol=1e-12)
    with pytest.raises(KeyError, match="Ω"):
        numbers_of_own_text(out, " Ω")
