"""Judges wrong answers with every sentence of ours in other words: ``python -m tests.support.reworded [--reworded]``.

It prints, as JSON, what each answer was told and what was concluded. Run both ways, the two may differ in words alone.
"""

import ast
import importlib.machinery
import json
import re
import sys
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).parents[1]
ENGINE = ("autograder.diagnosis", "autograder.grading.missing_names", "autograder.pages.unlisted_answers")
SENTENCE = re.compile(r"[A-Za-z]{2,}\W+[A-Za-z]{2,}")
WORD = re.compile(r"\{[^{}]*\}|[A-Za-z]{4,}")
MARK = "zq"  # at the end of every word that was put in place of another
PYTHONS_OWN = ("KNOWN_ERRORS", "PYTHONS_WORDS")  # what Python and NumPy say, which is no wording of ours


def reworded(text: str) -> str:
    """Return a text with every word of four letters or more replaced by one that is in no dictionary."""
    return WORD.sub(lambda found: other_word(found[0]), text)


def other_word(word):
    """Return the replacement for a word: each letter moved by one, and a mark. Placeholders stay."""
    if word.startswith("{") or word.endswith(MARK):
        return word
    moved = "".join(chr((ord(letter) - ord(first) + 1) % 26 + ord(first)) for letter, first in cased(word))
    return moved + MARK


def cased(word):
    """Yield each letter with the first letter of its case."""
    return ((letter, "a" if letter.islower() else "A") for letter in word)


class Reworder(ast.NodeTransformer):
    """Rewords the sentences of a module; in a chapter's module, those of its listed mistakes alone."""

    def __init__(self, is_chapter):
        self.is_chapter, self.in_mistake = is_chapter, False

    def visit_Constant(self, node):
        """Reword a sentence."""
        wanted = isinstance(node.value, str) and (self.in_mistake or not self.is_chapter)
        return ast.Constant(reworded(node.value)) if wanted and SENTENCE.search(node.value) else node

    def visit_Call(self, node):
        """Leave patterns alone; know a listed mistake's decorator."""
        name = ast.unparse(node.func)
        if name.startswith("re."):
            return node
        before, self.in_mistake = self.in_mistake, self.in_mistake or name == "mistake"
        self.generic_visit(node)
        self.in_mistake = before
        return node

    def visit_Assign(self, node):
        """Leave the first text of each row alone where it is what Python or NumPy says."""
        if not any(isinstance(target, ast.Name) and target.id in PYTHONS_OWN for target in node.targets):
            return self.generic_visit(node)
        for row in node.value.elts:  # of PYTHONS_WORDS no row is a tuple
            if isinstance(row, ast.Tuple):
                row.elts[1:] = [self.visit(one) for one in row.elts[1:]]
        return node

    def visit_Compare(self, node):
        """Leave alone what a value is compared with: it is never a sentence, and a test of ours says so."""
        return node

    def visit_AnnAssign(self, node):
        """Leave annotations alone: their texts are shapes."""
        node.value = self.visit(node.value) if node.value else None
        return node

    def visit_arg(self, node):
        """Leave annotations alone."""
        return node

    def visit_FunctionDef(self, node):
        """Leave the annotation of what a function returns alone."""
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node


def reword_imports():
    """Let every module of the engine be loaded with its sentences in other words."""

    loader = importlib.machinery.SourceFileLoader
    usual = loader.get_code

    def get_code(self, fullname):
        if not fullname.startswith(ENGINE):
            return usual(self, fullname)
        path = Path(self.get_filename(fullname))
        is_chapter = fullname.count(".") > 2 and fullname.startswith("autograder.diagnosis.")
        tree = Reworder(is_chapter).visit(ast.parse(path.read_text(encoding="utf-8")))
        return compile(ast.fix_missing_locations(tree), path, "exec")

    loader.get_code = get_code


# What is judged: chapters whose answers are tables, one number, or dictionaries.
ANSWERS = (("first", "context"), ("first", "query_key_value"), ("first", "scaling"), ("third", "embeddings"))


def judged():
    """Yield what was concluded about wrong answers of several chapters: identifiers, then words."""
    from attention.exercises import exercises_of
    from autograder.grading.missing_names import Explainer
    from autograder.grading.rebuild import Rebuilt
    from autograder.pages.unlisted_answers import group_unlisted
    from tests.plausible.measure import answers_in, verdict_on

    explainer, results = Explainer(Rebuilt(()), []), {}
    for author, stem in ANSWERS:
        for exercise in exercises_of(stem).values():
            for name, function in answers_in(HERE / "data/plausible" / author / stem / f"{exercise.name}.py").items():
                verdict = verdict_on(exercise, function)
                told = explainer.with_fault_above(verdict, [verdict])
                results[f"{author}.{exercise.name}.{name}"] = {"exercises": [asdict(told)]}
                facts = [told.status, told.score, told.mistake, told.told_by, told.above]
                yield [exercise.name, name, *facts, [one.passed for one in told.criteria]], told.message
    for group in group_unlisted(results):
        yield [group["exercise"], group["students"], group["hint"]], ""


if __name__ == "__main__":
    if "--reworded" in sys.argv:
        reword_imports()
    json.dump([{"facts": facts, "words": words} for facts, words in judged()], sys.stdout)
