"""What becomes of the course's translator when a listed mistake stands in it.

A consequence is a dictionary:

============  =====================================================================================
translations  what each of PROMISED becomes, None where there is no translation
survives      share of the held-out sentences that are translated exactly
right         that share with the right function
unchanged     share of the held-out sentences whose translation, right or not, stays as it was
stops, nan    shares of the held-out sentences that end in an error, or in nothing but NaN
error         the first such error, "ValueError: …", or None
sentences     how many sentences are held out
============  =====================================================================================
"""

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from autograder.checks import CHAPTERS, exercises_of
from autograder.reference.grammar import PROMISED, Pair
from autograder.reference.inference import greedy_decode, translation_step
from autograder.reference.transformer import EOS, SOS, Model
from autograder.reference.translator import SETTINGS
from autograder.sources import code_of, digest_of

from .replaced import replaced, without_slopes
from .stands_in import STANDS_IN
from .store import alone, corpus, folder, keep, model, place_of

FROM = "translator"  # the model that mistakes are put into


class Said(NamedTuple):
    """What came of one sentence: a translation, or why there is none."""

    translation: str | None
    error: str | None = None
    nan: bool = False


class _Other(Exception):
    """The translation is none of those hoped for: what follows does not matter."""


class _NaN(Exception):
    """The logits are no numbers."""


def said(sentence: str, trained: Model, hoped: Sequence[str] = ()) -> Said:
    """Translate one sentence as ``inference.translate`` does, 12 tokens at most, and survive what may happen.

    Where ``hoped`` is given, a translation that is none of these is left unfinished, as None.
    """
    words = list(trained.target_vocabulary)
    hopes = [[SOS, *hope.split(), EOS] for hope in hoped]

    def watched(tokens):
        so_far = [words[token] for token in tokens]
        if hopes and all(hope[: len(so_far)] != so_far for hope in hopes):
            raise _Other
        logits = step(tokens)
        if np.isnan(logits).any():
            raise _NaN
        return logits

    sos, eos = trained.target_vocabulary[SOS], trained.target_vocabulary[EOS]
    try:
        with np.errstate(all="ignore"):
            step = translation_step(sentence, trained)
            tokens = greedy_decode(watched, sos, eos, SETTINGS.longest)
    except _Other:
        return Said(None)
    except _NaN:
        return Said(None, nan=True)
    except Exception as error:  # whatever a wrong version raises
        return Said(None, error=f"{type(error).__name__}: {error}".splitlines()[0].strip())
    return Said(" ".join(words[token] for token in tokens if token not in (sos, eos)))


def consequence(instead: dict, trained: Model, held_out: Sequence[Pair], right: Sequence[str]) -> dict:
    """Return what becomes of a model with other functions in it; ``right`` is what it makes of the sentences without.

    Sentences are translated one by one: side by side, a mistake could see axes that no sentence has.
    """
    with replaced(instead), without_slopes():
        promised = [said(source, trained) for source, _ in PROMISED]
        all_said = [
            said(source, trained, (wanted, usual)) for (source, wanted), usual in zip(held_out, right, strict=True)
        ]
    every = list(zip(all_said, held_out, right, strict=True))
    return {
        "translations": [one.translation for one in promised],
        "survives": _share(one.translation == wanted for one, (_, wanted), _ in every),
        "right": _share(usual == wanted for _, (_, wanted), usual in every),
        "unchanged": _share(one.translation == usual for one, _, usual in every),
        "stops": _share(one.error is not None for one in all_said),
        "nan": _share(one.nan for one in all_said),
        "error": next((one.error for one in all_said if one.error), None),
        "sentences": len(held_out),
    }


def _share(answers):
    """Return how many of the answers are yes, as a share."""
    return round(float(np.mean(list(answers))), 4)


@cache
def usual_translations() -> list[str]:
    """Return what the translator makes of the held-out sentences, with nothing changed."""
    trained = model(FROM).model
    return [said(source, trained).translation for source, _ in corpus().held_out]


def exercises() -> dict:
    """Return the exercises whose function stands in the translator, by name."""
    found = {name: exercise for stem in CHAPTERS for name, exercise in exercises_of(stem).items()}
    return {name: exercise for name, exercise in found.items() if name in STANDS_IN}


def make_consequences(name: str) -> dict:
    """Put every mistake of an exercise into the translator, unless that was done, and keep what came of it."""
    exercise, path = exercises()[name], kept_in(name)
    with alone(path.parent, path.stem.rpartition("-")[0]):
        if found := consequences_of(name):
            return found
        trained, held_out, put_in = model(FROM).model, corpus().held_out, STANDS_IN[name]
        results = {
            mistake.id: consequence(put_in(mistake.wrong), trained, held_out, usual_translations())
            for mistake in exercise.mistakes
        }
        keep(path, json.dumps(results, ensure_ascii=False, indent=1).encode())
    return results


def consequences_of(name: str) -> dict[str, dict]:
    """Return what each mistake of an exercise does to the translator, mistake id -> consequence.

    It is empty for an exercise whose function does not stand in the translator, and where nothing was made yet.
    """
    if name not in exercises():
        return {}
    try:
        return json.loads(kept_in(name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def kept_in(name: str) -> Path:
    """Return the file of an exercise's consequences; its name holds the hash of model, wrong versions and code."""
    wrong = [f"{mistake.id} {code_of(mistake.wrong)}" for mistake in exercises()[name].mistakes]
    code = digest_of(Path(__file__).with_name(f"{module}.py") for module in ("replaced", "stands_in"))
    how = [code_of(function) for function in (said, consequence)]  # not how it is put into words
    made_of = "\0".join([place_of(FROM).stem, code, *how, *wrong])
    return folder() / f"consequences_{name}-{hashlib.sha256(made_of.encode()).hexdigest()[:16]}.json"


def in_words(consequence: dict) -> str:
    """Say a consequence in one plain sentence."""
    if consequence["stops"] == 1:
        return f"It stops with {_kind(consequence)}."
    if consequence["nan"] == 1:
        return "Nothing but NaN comes out, so there is no translation."
    if consequence["unchanged"] == 1:
        return "Every translation stays as it is."
    return f"{_example(consequence)}, and {_survivors(consequence)}."


def in_lines(consequence: dict) -> list[str]:
    """Say a consequence in short lines of Markdown: which of PROMISED change, by number, and how much survives."""
    if consequence["stops"] == 1:
        return [f"stops with `{_kind(consequence)}`"]
    if consequence["nan"] == 1:
        return ["nothing but `NaN`"]
    if consequence["unchanged"] == 1:
        return ["nothing changes"]
    lines = [
        f"({number}) {f'*{_shortened(said)}*' if said else 'nothing'}"
        for number, ((_, right), said) in enumerate(zip(PROMISED, consequence["translations"], strict=True), 1)
        if said != right
    ]
    return [*lines, _still_right(consequence)]


def _still_right(consequence):
    """Say which share is still right; where it reads as before, the sentences are counted."""
    now, usual, n = consequence["survives"], consequence["right"], consequence["sentences"]
    if _percent(now) != _percent(usual):
        return f"{_percent(now)} still right"
    return f"{round(now * n)} of {n} right, before {round(usual * n)}"


def _shortened(said, most=7):
    """Return a translation without the end of a long one, which is a model that has lost its way."""
    words = said.split()
    return " ".join(words[:most]) + (" …" if len(words) > most else "")


def _kind(consequence):
    """Return the kind of an error without its words."""
    return consequence["error"].partition(":")[0]


def _example(consequence):
    """Say what becomes of the first promised sentence that changes, or that the first one does not."""
    now = zip(PROMISED, consequence["translations"], strict=True)
    changed = [(source, said) for (source, usual), said in now if said != usual]
    if not changed:
        return f"“{PROMISED[0][0]}” stays “{PROMISED[0][1]}”"
    source, said = changed[0]
    if said is None:
        return f"“{source}” has no translation any more"
    return f"“{source}” becomes {f'“{_shortened(said)}”' if said else 'an empty sentence'}"


def _survivors(consequence):
    """Say how many held-out sentences are still translated."""
    now, usual = consequence["survives"], consequence["right"]
    if not now:
        return f"none of {consequence['sentences']} new sentences is translated"
    shares = [_percent(share) for share in (now, usual)]
    instead = f" instead of {shares[1]}" if shares[0] != shares[1] else ""
    return f"{shares[0]} of {consequence['sentences']} new sentences are still translated{instead}"


def _percent(share):
    """Write a share: 14 %, and .7 % where that is less than one."""
    return f"{100 * share:.0f} %" if share == 0 or share >= 0.01 else f"{100 * share:.1f} %".lstrip("0")
