"""Which Italian sentences the grammar can say."""

import numpy as np
import pytest

from attention.chapters.corpus import draw_sentence
from attention.chapters.which_bank import in_italian
from attention.models import corpus
from attention.models.italian import can_be_said


def test_whatever_is_drawn_can_be_said():
    """The sentences of the corpus, and others."""
    rng = np.random.default_rng(5)
    others = [in_italian(draw_sentence(rng)) for _ in range(500)]
    assert [one for one in others if not can_be_said(one)] == []
    assert [italian for _, italian in corpus().held_out if not can_be_said(italian)] == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("ti amo molto", "amo ti molto"),
        ("lei non lo ama", "lei lo non ama"),
        ("gli argini del fiume sono più grandi delle banche", "gli argini del fiume sono più grande delle banche"),
        ("il ragazzo vede il cane nero", "il ragazzo vede il cane nera"),
        ("il ragazzo vede il vecchio cane", "il ragazzo vede il cane vecchio"),
        ("le regine vedono il cane", "le regine vede il cane"),
        ("la foca del lago piace al medico", "la foca del lago piacciono al medico"),
        ("la foca del lago piace al medico", "la foca del lago piace il medico"),
        ("i cani che vedono la regina amano il medico", "i cani che vede la regina amano il medico"),
        ("la mazza della scuola manca alla regina", "la mazza della foresta manca alla regina"),
        ("il medico ripara la mazza", "il medico nutre la mazza"),
        ("la molla dell' orologio manca al medico", "la molla del orologio manca al medico"),
        ("ieri il medico ha visto il ragazzo", "ieri il medico ha visto"),
        ("il cane che vede il medico ama la regina", "il cane che vede ama la regina"),
        ("il denaro cresce in banca", "il cane cresce in banca"),
        ("il medico vede il ragazzo", "il fiume vede il ragazzo"),
        ("il medico legge il libro", "il medico legge il ragazzo"),
        ("il gatto del medico vede la regina", "il gatto del lago vede la regina"),
        ("la regina vede il cane che è in città", "la regina vede il cane in città"),
    ],
)
def test_one_word_wrong_cannot_be_said(right, wrong):
    """Order, agreement, articles, verbs, and what belongs to whom; beside each the sentence that is right."""
    told = right.replace("delle banche", "delle banche in città")
    assert can_be_said(told)
    assert not can_be_said(wrong.replace("delle banche", "delle banche in città"))
