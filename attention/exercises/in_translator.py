"""Describes what a listed mistake does to the course's translator; the facts are in ``trained/consequences.json``."""

import json
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

from attention.trained import read_trained

# A number that each exercise's function makes when the translator reads the first promised sentence.
NODES = {
    "mix": "d0.co.0:0:0",
    "softmax": "d0.cw.0:0:2",
    "project": "e.q.0:2:0",
    "attention": "d0.co.0:0:0",
    "scaled_scores": "d0.cs.0:0:2",
    "scaled_dot_product_attention": "d0.co.0:0:0",
    "split_heads": "e.q.1:2:0",
    "merge_heads": "d0.ca:0:0",
    "multi_head_attention": "e.a:2:0",
    "positional_encoding": "pos:2:0",
    "add_position": "e.x:2:0",
    "layer_norm": "e.n1:2:0",
    "add_and_norm": "e.n1:2:0",
    "feed_forward": "e.f:2:0",
    "encoder_layer": "e.n2:2:0",
    "causal_mask": "d2.w.0:1:2",
    "padding_mask": "e.w.0:2:0",
    "masked_softmax": "d2.w.0:1:2",
    "masked_attention": "d2.o.0:2:0",
    "cross_attention": "d0.ca:0:0",
    "decoder_layer": "d0.n3:0:0",
}

# Why the translator begins the first promised sentence with "ti" and not with "lo": what each number has a part in.
QUESTION = "d0.l:0:53-89"

# What can be left out there of what an exercise's function does: the question then shows what that changes.
PARTS = {
    "scaled_scores": "scaling",
    "positional_encoding": "positions",
    "add_position": "positions",
    "layer_norm": "norm",
    "add_and_norm": "residual",
}

# What to know of a chapter's mistakes, above all where the translator uses its functions; by the chapter's stem.
REMARKS = {
    "scaling": "In the translator, `scaled_scores` is in every attention, `scaled_dot_product_attention` only where "
    "every word may look at every word: in the encoder, and in cross-attention.",
    "multi_head": "The translator uses `split_heads` and `merge_heads` in every attention, and `multi_head_attention` "
    "only where every word may look at every word: in the encoder, and from decoder to encoder.",
    "position": "`positional_encoding` and `add_position` are in the translator; it does not use rotary positions.",
    "layer_norm": "The translator uses `layer_norm` and `add_and_norm` after every sublayer, `feed_forward` in encoder "
    "and decoder, and `encoder_layer` as its whole encoder. "
    "Its γ and β have changed little in such a short training, so it hardly misses them.",
    "masking": "Inside the translator, each source gets three places of padding, so that every mask has something to "
    "hide. A causal mask that is too generous changes nothing there: when a model translates, the newest word is last.",
    "training": "These functions run during training, and the loss does not always reveal a wrong one.",
    "gradients": "These functions run during training, and the loss does not always reveal a wrong one.",
    "inference": "In these examples 0 is SOS, 1 is EOS, and 2 to 5 are A, B, x and y.",
}


@cache
def _file() -> dict[str, Any]:
    """Return the whole file, read once per process."""
    return read_trained("consequences")


def promised() -> list[Any]:
    """Return the sentences used to show consequences, each with its right translation."""
    return _file()["promised"]


def consequences_of(exercise: str) -> dict[str, Any]:
    """Return each mistake's consequence for an exercise, mistake id -> consequence (see ``models.consequences``).

    Empty for an exercise whose function is not part of the translator.
    """
    return _file()["exercises"].get(exercise, {})


def number_in_page(exercise: str) -> str:
    """Return the address, within the book, of what an exercise's function has to do with a question; "" if nothing.

    It opens a number that the function makes, below the question; or the question without what the function does.
    """
    if exercise in PARTS:
        return address_of(promised()[0][0], QUESTION, off=PARTS[exercise])
    return address_of(promised()[0][0], QUESTION, NODES[exercise]) if exercise in NODES else ""


def address_of(sentence: str, *trail: str, against: str = "", off: str = "") -> str:
    """Return the address, within the book, of a number's card: the last node of the trail that leads to it.

    It is a number of the translator, or of the small GPT if its name begins with g. It is compared with the sentence
    ``against``, or with this one without the part ``off``.
    """
    page, demo = ("13_gpt", "gpt_numbers") if trail[-1].lstrip("~").startswith("g") else ("translator", "every_number")
    state = {"demo": demo, "sentence": sentence, "trail": json.dumps(trail)}
    state |= {"against": against, "off": json.dumps([off] if off else [])}  # whatever was compared before
    return f"{page}.html#{urlencode(state, quote_via=quote)}"


def describe_consequence(consequence: dict) -> str:
    """Describe a consequence in words that follow *With this mistake in the course's translator,*."""
    if consequence["stops"] == 1:
        return f"it stops with `{_kind(consequence)}`."
    if consequence["nan"] == 1:
        return "its result is only NaN, so there is no translation."
    if consequence["unchanged"] == 1:
        return "every translation stays as it is."
    return f"{_example(consequence)}, and {_survivors(consequence)}."


def in_lines(consequence: dict) -> list[str]:
    """Describe a consequence in short Markdown lines: which of promised() change, by number, and how much survives."""
    if consequence["stops"] == 1:
        return [f"stops with `{_kind(consequence)}`"]
    if consequence["nan"] == 1:
        return ["nothing but `NaN`"]
    if consequence["unchanged"] == 1:
        return ["nothing changes"]
    lines = [
        f"({number}) {f'*{_shortened(said)}*' if said else 'nothing'}"
        for number, ((_, right), said) in enumerate(zip(promised(), consequence["translations"], strict=True), 1)
        if said != right
    ]
    return [*lines, _still_right(consequence)]


def _still_right(consequence: dict) -> str:
    """Say which share is still right; if it would round to the old one, count the sentences."""
    now, usual, n = consequence["survives"], consequence["right"], consequence["sentences"]
    if _percent(now) != _percent(usual):
        return f"{_percent(now)} still right"
    return f"{round(now * n)} of {n} right, before {round(usual * n)}"


def _shortened(said: str, most: int = 7) -> str:
    """Shorten a long translation: it comes from a model that lost its way."""
    words = said.split()
    return " ".join(words[:most]) + (" …" if len(words) > most else "")


def _kind(consequence: dict[str, Any]) -> str:
    """Return an error's type without its message."""
    return consequence["error"].partition(":")[0]


def _example(consequence: dict) -> str:
    """Describe the first promised sentence that changes, or say that the first one does not."""
    now = zip(promised(), consequence["translations"], strict=True)
    changed = [(source, said) for (source, usual), said in now if said != usual]
    if not changed:
        return f"“{promised()[0][0]}” stays “{promised()[0][1]}”"
    source, said = changed[0]
    if said is None:
        return f"“{source}” has no translation any more"
    return f"“{source}” becomes {f'“{_shortened(said)}”' if said else 'an empty sentence'}"


def _survivors(consequence: dict) -> str:
    """Say how many held-out sentences are still translated."""
    now, usual = consequence["survives"], consequence["right"]
    if not now:
        return f"none of {consequence['sentences']} new sentences is translated"
    shares = [_percent(share) for share in (now, usual)]
    instead = f" instead of {shares[1]}" if shares[0] != shares[1] else ""
    return f"{shares[0]} of {consequence['sentences']} new sentences are still translated{instead}"


def _percent(share: float) -> str:
    """Format a share: 14%, and 0.7% below one per cent."""
    return f"{100 * share:.0f}%" if share == 0 or share >= 0.01 else f"{100 * share:.1f}%"
