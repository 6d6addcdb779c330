"""What each listed mistake does inside the course's translator.

A consequence is a dictionary:

============  =====================================================================================
translations  what each of ASKED becomes, None if there is no translation
survives      share of the first EXAMINED held-out sentences that are translated exactly
right         that share with the right function
unchanged     share of the held-out sentences whose translation, right or not, stays as it was
stops, nan    shares of the held-out sentences that end in an error, or in nothing but NaN
error         the first such error, "ValueError: …", or None
sentences     EXAMINED
============  =====================================================================================

All of them are in one file, ``trained/consequences.json``, which grading reads without this module.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attention.chapters.corpus import PROMISED, Pair
from attention.chapters.inference import greedy_decode, translation_step
from attention.chapters.transformer import EOS, SOS, Model
from attention.chapters.translator import SETTINGS
from attention.exercises import CHAPTERS, exercises_of
from attention.trained import read_trained
from autograder.sources import code_of

from . import shipped
from .replaced import replaced, without_slopes
from .stands_in import STANDS_IN
from .store import corpus, shipped_translator

FROM, FILE = "translator", "consequences"  # the model that mistakes are put into, and the file of what comes of them
ASKED, EXAMINED = PROMISED[:3], 100


class Said(NamedTuple):
    """The outcome of one sentence: a translation, or why there is none."""

    translation: str | None
    error: str | None = None
    nan: bool = False


class _Other(Exception):
    """The translation is none of those expected: the rest does not matter."""


class _NaN(Exception):
    """The logits are NaN."""


def said(sentence: str, trained: Model, hoped: Sequence[str] = ()) -> Said:
    """Translate one sentence as ``inference.translate`` does, and survive any failure.

    If ``hoped`` is given, a translation that is none of these is abandoned, as None.
    """
    words = list(trained.target_vocabulary)
    hopes = [[SOS, *hope.split(), EOS] for hope in hoped]

    def watched(tokens: list[int]) -> np.ndarray:
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


def consequence(instead: dict, trained: Model, held_out: Sequence[Pair], right: Sequence[str | None]) -> dict:
    """Return what other functions do to a model; ``right`` are its translations without them.

    Sentences are translated one by one: in a batch, a mistake could see axes that no single sentence has.
    """
    with replaced(instead), without_slopes():
        promised = [said(source, trained) for source, _ in ASKED]
        all_said = [
            said(source, trained, (wanted, usual))  # type: ignore[arg-type]
            for (source, wanted), usual in zip(held_out, right, strict=True)
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


def _share(answers: Iterable[bool]) -> float:
    """Return the share of answers that are yes."""
    return round(float(np.mean(list(answers))), 4)


def exercises() -> dict:
    """Return the exercises whose function is part of the translator, by name."""
    found = {name: exercise for stem in CHAPTERS for name, exercise in exercises_of(stem).items()}
    return {name: exercise for name, exercise in found.items() if name in STANDS_IN}


def made_of() -> shipped.Provenance:
    """Return the provenance that all consequences share: the translator, and how mistakes are put into it."""
    files = shipped.code_in(*(Path(__file__).with_name(f"{name}.py") for name in ("replaced", "stands_in")))
    return {
        "trained/translator.json": shipped.digest(shipped.path_of(FROM).read_text(encoding="utf-8")),
        "how a mistake is put in": shipped.digest(code_of(said) + code_of(consequence)),
        **files,
    }


def wrong_versions() -> dict[str, dict[str, str]]:
    """Return the digest of each mistake's wrong version, by exercise and mistake; without an instructor's own."""
    return {
        name: {mistake.id: shipped.digest(code_of(mistake.wrong)) for mistake in exercise.shipped_mistakes}
        for name, exercise in exercises().items()
    }


def still_true() -> dict[str, dict[str, dict]]:
    """Return the shipped consequences that are fresh, by exercise and mistake."""
    if shipped.why_stale(FILE, made_of()):
        return {}
    today = wrong_versions()
    return {
        name: {id: told for id, told in mistakes.items() if told["wrong"] == today.get(name, {}).get(id)}
        for name, mistakes in read_trained(FILE)["exercises"].items()
    }


def stale() -> dict[str, list[str]]:
    """Return the mistakes whose consequence is unknown or out of date, by exercise; other exercises are left out."""
    known = still_true()
    missing = {
        name: [id for id in mistakes if id not in known.get(name, {})] for name, mistakes in wrong_versions().items()
    }
    return {name: ids for name, ids in missing.items() if ids}


def unknown() -> dict[str, list[str]]:
    """Return the stale ones of which the file says nothing: pages and feedback say nothing of them either."""
    told = read_trained(FILE)["exercises"] if shipped.path_of(FILE).exists() else {}
    new = {name: [id for id in ids if id not in told.get(name, {})] for name, ids in stale().items()}
    return {name: ids for name, ids in new.items() if ids}


@cache
def usual_translations() -> list[str | None]:
    """Return the shipped translator's translations of the sentences that are examined."""
    return translations_of(shipped_translator().model)


def translations_of(trained: Model) -> list[str | None]:
    """Return a model's translations of the sentences that are examined, without any mistake."""
    return [said(source, trained).translation for source, _ in corpus().held_out[:EXAMINED]]


def find_out(name: str, ids: Sequence[str], trained: Model | None = None) -> dict[str, dict]:
    """Put an exercise's mistakes into the translator, or into another model, and return their consequences."""
    right = usual_translations() if trained is None else translations_of(trained)
    trained, held_out = trained or shipped_translator().model, corpus().held_out[:EXAMINED]
    wrong = {mistake.id: mistake.wrong for mistake in exercises()[name].mistakes}
    return {id: consequence(STANDS_IN[name](wrong[id]), trained, held_out, right) for id in ids}


def write(found: Mapping[str, Mapping[str, dict]]) -> None:
    """Write the file: fresh consequences, old and new."""
    known, digests = still_true(), wrong_versions()
    every = {
        name: {
            id: {"wrong": wrong, **({**known.get(name, {}), **found.get(name, {})}[id])} for id, wrong in ids.items()
        }
        for name, ids in digests.items()
    }
    shipped.write(FILE, made_of(), {"promised": ASKED, "exercises": every})
