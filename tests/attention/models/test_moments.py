"""The course of a learned number through training."""

from functools import cache

import numpy as np
import pytest

from attention.chapters.translator import SETTINGS, checkpoint_steps
from attention.models import moments as of_moments
from attention.models import shipped_translator
from attention.models.inside import before_training
from attention.models.moments import course_of, moments


@pytest.fixture(scope="module", autouse=True)
def read_once():
    """Read the file once, and not for each of its numbers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_moments, "moments", cache(moments))
        yield


@pytest.mark.parametrize("node", ["L.encoder.0.w_q:3:5", "L.w_out:63:11", "L.decoder.0.beta2:0:7", "L.b_out:0:13"])
def test_it_begins_before_training_and_ends_at_the_translator(node):
    """The first value is the one that was drawn, to eight bits; the last is the translator's own."""
    course = course_of(node)
    name, row, column = node.removeprefix("L.").split(":")
    ends = [np.atleast_2d(one.model.parameters[name]) for one in (before_training("translator"), shipped_translator())]
    first, last = (array[int(row), int(column)] for array in ends)
    assert list(course) == [0, *checkpoint_steps(SETTINGS)[1:-1:2], SETTINGS.steps]
    assert course[0] == pytest.approx(first, abs=np.abs(ends[0]).max() / 254)
    assert course[SETTINGS.steps] == pytest.approx(last, abs=1e-5)


def test_training_goes_from_the_one_to_the_other():
    """Over a whole matrix, each moment is nearer to the end than the one before."""
    whole = np.array([list(course_of(f"L.encoder.0.w_k:{i}:{i}").values()) for i in range(64)])
    distance = np.abs(whole - whole[:, -1:]).mean(axis=0)
    assert np.all(np.diff(distance[1:]) < 0)
    assert distance[1] > 3 * distance[-2] > 0


def test_every_parameter_has_its_moments_and_no_other_number_has_a_course():
    """34 parameters, five moments each; an unknown name is a KeyError."""
    parts = moments()["_parts"]
    assert set(parts) == set(shipped_translator().model.parameters)
    assert {len(packs) for packs in parts.values()} == {5}
    with pytest.raises(KeyError):
        course_of("L.encoder.1.w_q:0:0")
