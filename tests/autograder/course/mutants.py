"""Small changes to the solutions, one at a time: does the grader notice each one that matters?

    python tests/autograder/course/mutants.py        prints, for each chapter, how many were rejected and which survived

The same changes are tried on an instructor's own exercises at release, in a sample (`autograder/course/trial.py`).
"""

import argparse
from functools import lru_cache
from pathlib import Path

import numpy as np

from autograder.course.course import Course
from autograder.course.mutants import mutants_of
from autograder.course.trial import Endless, reply_in_time, solutions
from autograder.diagnosis.judge import criteria_of, share_earned
from autograder.diagnosis.questions import questions_of
from autograder.diagnosis.rules import problem

ROOT = Path(__file__).parents[3]
SEEDS = (5, 7)
SECONDS = 1  # of processor time, in which a call ends: thirty times as long as any solution's takes
drawn_once = lru_cache(maxsize=16)(questions_of)  # a chapter has seven exercises


def survivors(assignment):
    """Return how many mutants a chapter has, and those that get full marks."""
    right = solutions(assignment)
    everything = [mutant for name, source in right.items() for mutant in mutants_of(name, source)]
    codes = [compile(source, name, "exec") for name, source in right.items()]
    return len(everything), [
        mutant
        for mutant in everything
        if not rejected(assignment.exercises[mutant.name], assignment.given, codes, mutant)
    ]


def rejected(exercise, given, right, mutant):
    """Say whether a mutant, among what a notebook gives and code that is right, loses points for every seed."""
    namespace = {"np": np, **given}
    for code in (*right, mutant.source):
        exec(code, namespace)
    try:
        return all(loses_points(exercise, namespace[mutant.name], seed) for seed in SEEDS)
    except Endless:
        return True  # as the grader does, which waits longer


def loses_points(exercise, function, seed):
    """Say whether a function loses points; after its first wrong answer, nothing more is asked. Errors: Endless."""
    answered = []
    for question in drawn_once(exercise, seed):
        one = question.answered(reply_in_time(function, question.case, SECONDS))
        answered.append(one)
        if problem(one.answer, one.right, one.case.args, exercise.rule, exercise.returns):
            return True
    return share_earned(criteria_of(exercise, answered)) < 1


def main():
    """Print the survivors of the chapters that are named, or of all."""
    course = Course(ROOT)
    parser = argparse.ArgumentParser(description="Change the solutions in small ways, and print which changes survive.")
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help="such as 04_query_key_value; all, if none")
    chosen = parser.parse_args().chapters or course.chapters()
    if unknown := set(chosen) - set(course.chapters()):
        parser.error(f"unknown chapter {min(unknown)}: expected one of {', '.join(course.chapters())}")
    for chapter in chosen:
        count, left = survivors(course.assignment(chapter))
        print(f"{chapter}: {count - len(left)} of {count} mutants rejected")
        for mutant in left:
            print(f"  {mutant.name}: {mutant.change}")


if __name__ == "__main__":
    main()
