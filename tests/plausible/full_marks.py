"""Plausible wrong answers that get full marks, by corpus, each with the reason."""

WHOLE_NUMBERS = "wrong for whole numbers alone, and no exercise promises them"
RARE = "wrong at scores so far apart, and in such an order, as no case has them"
TINY = "wrong for vectors shorter than 1e-8 alone, and no exercise speaks of any"
DECIMALS = "the right whole numbers, held as decimals, and no exercise asks for a type"
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
    "third": {
        "cosine_similarity.almost_zero_taken_for_zero": TINY,
        "cosine_similarity.lengths_not_below_a_bound": TINY,
        "shift_right.floats_in_a_new_table": DECIMALS,
    },
    "fourth": {},
}
