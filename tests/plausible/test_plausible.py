"""Plausible wrong answers, written by people who had not read the checks, get no full marks but for known reasons."""

import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).parent
WHOLE_NUMBERS = "wrong for whole numbers alone, and no exercise promises them"
RARE = "wrong at scores so far apart, and in such an order, as no case has them"
FULL_MARKS = {
    "first": {
        "self_attention.own_score_taken_for_the_largest": RARE,
        "luong_context.largest_size_subtracted": RARE,
        "soft_lookup.whole_numbers_to_negative_powers": WHOLE_NUMBERS,
        "scaled_scores.table_of_the_type_of_the_queries": WHOLE_NUMBERS,
    },
    "second": {
        "softmax.first_score_is_the_reference_category": RARE,
        "luong_context.whole_number_context_cannot_grow": WHOLE_NUMBERS,
        "project.results_cut_to_the_type_of_x": WHOLE_NUMBERS,
        "soft_lookup.whole_number_base_with_negative_exponents": WHOLE_NUMBERS,
        "scaled_dot_product_attention.output_stored_like_the_values": WHOLE_NUMBERS,
        "scaled_scores.scores_stored_as_whole_numbers": WHOLE_NUMBERS,
    },
}


@pytest.fixture(scope="module")
def measured():
    """The script beside this file, by its path: it is run by hand, too."""
    spec = importlib.util.spec_from_file_location("measure", HERE / "measure.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.measured


@pytest.mark.parametrize("author", FULL_MARKS)
def test_a_plausible_wrong_answer_loses_points(measured, author):
    """Each of some 190 wrong answers an author loses points, but those that are listed with the reason."""
    judged = [(f"{exercise.name}.{name}", how) for exercise, name, _, _, how in measured(HERE / author)]
    assert len(judged) >= 186
    assert {name for name, how in judged if how == "full marks"} == set(FULL_MARKS[author])
