"""What plausible wrong answers are told: ``python tests/plausible/measure.py [--each] [FOLDER]``.

They were written by four people, in ``tests/data/plausible``, from the exercises alone, without a look at
the lists; four of the fourth author's were put right after their first verdict, as their code was not what they said,
and for `diagnose` the fourth had written the checks some time before. Answers that are told a listed mistake, and whose
syntax tree is that mistake's but for names, or nearly so (difflib's ratio above 0.9), were taken out.

FOLDER holds ``<chapter>/<exercise>.py`` with wrong answers; each docstring is the true cause.
"""

import argparse
import importlib.util
import inspect
import sys
import textwrap
from collections import Counter
from copy import deepcopy
from pathlib import Path

ANSWERS = Path(__file__).parents[1] / "data/plausible"
FIRST = ANSWERS / "first"
sys.path.insert(0, str(Path(__file__).parents[2]))

from attention.exercises import CHAPTERS, exercises_of  # noqa: E402 - the script runs from anywhere
from autograder.diagnosis.compare import ask  # noqa: E402
from autograder.diagnosis.judge import judge  # noqa: E402
from autograder.diagnosis.questions import Reply, copied  # noqa: E402

HOW = ("list", "relation", "difference", "full marks")


def answers_in(path):
    """Return the wrong answers of one file as ``{name: function}``; what several share begins with an underscore."""
    spec = importlib.util.spec_from_file_location(f"plausible_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    functions = inspect.getmembers(module, inspect.isfunction)
    own = {name: function for name, function in functions if function.__module__ == spec.name}
    return {name: function for name, function in own.items() if not name.startswith("_")}


def verdict_on(exercise, function, seed=0):
    """Judge a function as the grader does: on unseen inputs nothing of an error's text may be shown."""
    replies = []
    for criterion, case in exercise.questions(seed):
        args = copied(case)
        answer = ask(function, args, deepcopy(case.kwargs))
        shown = answer.error[1] if answer.error and criterion == "example" else ""
        replies.append(Reply(answer, args, shown))
    return judge(exercise, seed, replies)


def how_named(exercise, verdict):
    """Say what the message comes from: one of HOW."""
    if verdict.score == exercise.points:
        return "full marks"
    if verdict.mistake:
        return "list"
    return "difference" if verdict.message in {criterion.message for criterion in verdict.criteria} else "relation"


def measured(folder=FIRST, seed=0):
    """Yield ``(exercise, name, function, verdict, how)`` for every wrong answer of a folder."""
    for stem in CHAPTERS:
        for exercise in exercises_of(stem).values():
            path = folder / stem / f"{exercise.name}.py"
            for name, function in answers_in(path).items() if path.exists() else ():
                verdict = verdict_on(exercise, function, seed)
                yield exercise, name, function, verdict, how_named(exercise, verdict)


def main():
    """Print how many are named and by what, or each true cause beside the message."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", action="store_true", help="print each true cause and message")
    parser.add_argument("folder", nargs="?", type=Path, default=FIRST)
    asked = parser.parse_args()
    table = {}
    for exercise, name, function, verdict, how in measured(asked.folder):
        table.setdefault(exercise.name, Counter())[how] += 1
        if asked.each:
            print(f"\n{exercise.name} · {name} · {how}{f' ({verdict.mistake})' if verdict.mistake else ''}")
            for label, text in (("true", inspect.getdoc(function)), ("said", verdict.message)):
                print(textwrap.fill(f"{label}: {text}", 116, initial_indent="  ", subsequent_indent="        "))
    if not table:
        parser.error(f"no wrong answers in {asked.folder}: expected files such as scaling/entropy.py")
    table["all"] = sum(table.values(), Counter())
    print(f"{'':30}" + "".join(f"{how:>12}" for how in HOW))
    for row, counts in table.items():
        print(f"{row:30}" + "".join(f"{counts[how]:12}" for how in HOW))


if __name__ == "__main__":
    main()
