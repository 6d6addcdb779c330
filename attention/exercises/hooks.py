"""What this course offers the engine besides its exercises: see ``autograder.course.hooks.Hooks``."""

import json
import re
from pathlib import Path
from typing import Any

import attention
from attention import trained
from autograder.diagnosis import Exercise

from . import fused, in_notebooks, translation, translator
from .given_functions import GIVEN
from .in_translator import consequences_of, describe_consequence, number_in_page

OWN_TEXT = Path(trained.__file__).parents[1] / "models/own_text.py"  # needs NumPy alone, and is handed out as it is
given: dict[str, Any] = {**vars(translation), **GIVEN}
example = number_in_page
selfcheck = (in_notebooks,)


def companions(exercises: dict[str, Exercise]) -> dict[str, Any]:
    """Return the files beside a notebook: models and their code, where exercises use other chapters' functions, and
    what trains on a text of one's own, where tokens are learned.
    """
    own = {OWN_TEXT.name: OWN_TEXT.read_text(encoding="utf-8")} if "train_bpe" in exercises else {}
    if not any(exercise.pieces() for exercise in exercises.values()):
        return own
    numbers = {f"{name}.json": numbers_of(name) for name in ("translator", "writer")}
    return {**own, **numbers, "translator.py": (trained, fused, translator)}


def missing(exercise: str) -> list[str]:
    """Return what an exercise lacks, in a clause each: a public name, and a test where the course's tests are."""
    tests = Path(trained.__file__).parents[2] / "tests" / "attention" / "chapters"
    texts = [path.read_text(encoding="utf-8") for path in tests.glob("test_*.py")]
    lacking = [] if exercise in dir(attention) else [f"attention/__init__.py does not export {exercise}"]
    if texts and not any(re.search(rf"(?<![\w.]){exercise}\(", text) for text in texts):
        lacking.append(f"no test in {tests} calls {exercise}")
    return lacking


def numbers_of(name: str) -> str:
    """Return the text of a trained model's numbers."""
    return json.dumps({"model": trained.read_trained(name)["model"]}) + "\n"


def consequence(exercise: str, mistake: str) -> str:
    """Describe what a mistake does inside the course's translator; "" if unknown."""
    known = consequences_of(exercise).get(mistake)
    return f"With this mistake in the course's translator, {describe_consequence(known)}" if known else ""
