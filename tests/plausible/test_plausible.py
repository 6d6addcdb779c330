"""Plausible wrong answers, written by people who had not read the checks, get full marks only for known reasons."""

import importlib.util
from pathlib import Path

import pytest

from .full_marks import FULL_MARKS

HERE = Path(__file__).parent
FEWEST = {"first": 186, "second": 186, "third": 664, "fourth": 75}


# What must be in the message, for answers whose message could easily name another cause.
TOLD = {
    ("class_probabilities", "one_row_taken_for_one_neuron"): "len counts rows",
    ("class_probabilities", "table_of_the_logits_type"): "array of dtype int",
    ("class_probabilities", "tanh_of_the_whole_logit"): "(1 + tanh z) / 2",
    ("conv1d", "zeros_on_every_axis"): "along every axis",
    ("conv1d", "zeros_around_the_result"): "around the output",
    ("gradient_through_time", "powers_and_slopes_apart"): "all powers of `w_hh` separately",
    ("gradient_through_time", "steps_added_up"): "added up",
    ("receptive_field", "dilation_read_as_tokens_left_out"): "tokens left out",
    ("receptive_field", "odd_half_rounded_down"): "rounded down",
    ("rnn", "or_asked_of_an_array"): "h0 is None",
    ("rnn", "recurrent_table_turned"): "the transpose of `w_hh`",
    ("rnn", "states_in_the_type_of_the_words"): "array of dtype int",
    ("rnn", "states_stacked_in_front"): "new first axis",
    ("rnn", "batch_read_as_one_long_text"): "first sentence is right and the next one is not",
    ("rnn", "one_array_many_times_in_the_list"): "one array put into a list again and again",
    ("conv1d", "stops_piled_on_the_first_axis"): "a new first axis",
    ("conv1d", "rows_counted_as_numbers"): "len(x)",
    ("average_meaning", "average_without_an_axis"): "axis=0",
    ("average_meaning", "callers_counts_made_shares"): "x = x / y",
    ("average_meaning", "divided_by_the_features"): "the sum of the senses' numbers",
    ("average_meaning", "loop_returns_too_early"): "Only the first sense",
    ("average_meaning", "one_added_to_every_count"): "`counts` with 1 added to each number",
    ("average_meaning", "rows_repeated_by_shares"): "repeated as often as it is used",
    ("average_meaning", "shares_cut_to_whole_numbers"): "truncated to whole numbers",
    ("average_meaning", "uses_so_far_not_added_up"): "earlier uses were forgotten",
    ("bag_of_words", "count_asked_of_the_text"): "within other words",
    ("bag_of_words", "counts_in_the_order_of_the_alphabet"): "in alphabetical order",
    ("bag_of_words", "one_piece_too_many"): "one row of zeros too many",
    ("bag_of_words", "one_row_for_all_sentences"): "the sum of the right rows",
    ("cosine_similarity", "batch_turned_round"): "`.T` reverses all axes",
    ("cosine_similarity", "both_lengths_along_the_columns"): "should make a table",
    ("cosine_similarity", "length_one_written_into_the_input"): "x = x / y",
    ("cosine_similarity", "lengths_as_sums_of_amounts"): "sums of absolute values",
    ("cosine_similarity", "loops_over_tables"): "A loop over the first axis",
    ("cosine_similarity", "one_zero_vector_spoils_the_table"): "made the whole table 0",
    ("cosine_similarity", "short_vectors_not_stretched"): "np.maximum(length, 1)",
    ("one_hot", "all_columns_for_all_rows"): "`x[:, numbers] = 1` writes into every row",
    ("one_hot", "as_wide_as_the_sentence"): "as wide as the list of words is long",
    ("one_hot", "every_row_the_same_list"): "`[row] * n` is the same row n times",
    ("one_hot", "row_not_emptied"): "ones of earlier words",
    ("one_hot", "row_of_the_first_appearance"): "finds the first of several equal words",
    ("one_hot", "value_error_for_unknown_words"): "Raises ValueError, expected a KeyError",
    ("one_hot", "width_is_the_largest_number"): "one column too few",
    ("tf_idf", "bracket_of_the_logarithm"): "ln(N) / df",
    ("tf_idf", "counts_divided_in_place"): "x = x / y",
    ("tf_idf", "empty_documents_not_counted"): "left out of N",
    ("tf_idf", "lengths_laid_across_the_columns"): "length N where the other has |V|",
    ("tf_idf", "logarithm_of_the_count"): "1 + ln(count)",
    ("tf_idf", "loop_ends_at_an_empty_document"): "after an empty one",
    ("tf_idf", "one_added_to_every_length"): "number of words of each document",
    ("tf_idf", "shares_in_whole_numbers"): "shares (tf) are truncated to whole numbers",
    ("vocabulary", "callers_list_put_in_lower_case"): "changes a list that it was given",
    ("vocabulary", "known_words_numbered_again"): "numbered again",
    ("vocabulary", "letters_only"): "'cat,', '3'",
    ("vocabulary", "lower_case_only_when_asking"): "has the wrong words",
    ("vocabulary", "number_looked_up_as_word"): "maps numbers to words",
    ("vocabulary", "position_in_its_own_sentence"): "place in its sentence",
    ("vocabulary", "punctuation_taken_off"): "were removed from the words",
    ("vocabulary", "sentences_glued_together"): "nothing between them",
    ("vocabulary", "stops_at_an_empty_sentence"): "after an empty one",
    ("vocabulary", "tab_not_seen"): "until there is a tab",
    ("split_heads", "error_returned"): "instead of raising it",
    ("split_heads", "first_two_axes_exchanged"): "`np.swapaxes` or a transpose is the batch axis",
    ("merge_heads", "batch_and_heads_in_one_row"): "a reshape to a fixed number of axes",
    ("merge_heads", "slices_as_wide_as_the_heads_are_many"): "happens to be h",
    ("merge_heads", "three_axes_only"): "transpose(1, 0, 2)",
    ("merge_heads", "two_heads_always"): "Two heads were assumed",
    ("multi_head_attention", "all_axes_reversed"): "does `.T` reverse all axes",
    ("multi_head_attention", "largest_score_of_all"): "each row's own maximum",
    ("multi_head_attention", "softmax_down_the_queries"): "along the axis before the last",
    ("multi_head_attention", "tables_stacked_in_front"): "create a new first axis",
    ("multi_head_parameters", "bias_for_each_head_and_column"): "in all four products",
    ("multi_head_parameters", "error_returned"): "instead of raising it",
    ("multi_head_parameters", "width_rounded_down"): "rounded the width of a head down",
    ("add_position", "empty_tokens_left_out"): "what the function does with a 0",
    ("add_position", "first_sentence_only"): "only the first is computed",
    ("positional_encoding", "divided_by_the_number_of_clocks"): "divided by d_model / 2",
    ("rotary", "callers_tokens_overwritten"): "stored in x",
    ("rotary", "counted_from_the_first_position"): "first position was subtracted",
    ("shift_matrix", "last_clock_left_out"): "last two rows, which were left at 0",
    ("add_and_norm", "norm_over_the_tokens"): "over the tokens of a sentence",
    ("add_and_norm", "normalised_before_and_after"): "and the sum once more",
    ("add_and_norm", "sum_without_a_norm"): "never normalised",
    ("add_and_norm", "tokens_added_once_more"): "Do not add `x` to it",
    ("encoder_layer", "both_sublayers_side_by_side"): "one add & norm took both",
    ("encoder_layer", "mask_turned_round"): "mask was inverted",
    ("encoder_layer", "neurons_given_what_attention_found"): "got the output of attention",
    ("encoder_layer", "once_for_each_head"): "run h times",
    ("feed_forward", "biases_exchanged"): "b1 and b2 are swapped",
    ("feed_forward", "first_matrix_transposed"): "w1 was transposed",
    ("feed_forward", "leak_of_a_hundredth"): "leaky ReLU",
    ("feed_forward", "max_of_python"): "in `if`, `and`, `or`, max",
    ("layer_norm", "each_sentence_normalised"): "over all tokens together",
    ("layer_norm", "number_for_each_token"): "used as columns",
    ("masked_softmax", "causal_mask_always"): "`mask` as a causal mask every time",
    ("masked_softmax", "minus_a_thousand_added"): "where a query may look at nothing and where numbers are large",
    ("masked_attention", "root_of_the_value_width"): "times √(d_k/d_v)",
    ("cross_attention", "mask_negated"): "where `memory_mask` is given",
    ("decoder_layer", "causal_mask_made_here"): "where `mask` is None",
    ("decoder_layer", "gamma_and_beta_exchanged"): "swapped with `gamma1`",
    ("decoder_layer", "network_added_to_what_attention_left"): "added to the tokens from before cross-attention",
    ("decoder_layer", "network_given_what_attention_left"): "gets the tokens from before cross-attention",
    ("decoder_layer", "network_without_its_bend"): "keeps negative numbers",
    ("decoder_layer", "norm_in_front_of_each_sublayer"): "That is pre-norm",
    ("decoder_layer", "one_head_only"): "`h` = 1 every time",
    ("decoder_layer", "one_norm_at_the_end"): "only the last sum is normalised",
    ("decoder_layer", "residuals_forgotten"): "no sublayer's input is added to its output",
    ("decoder_layer", "second_norm_left_out"): "cross-attention is added without a norm",
    ("shift_right", "copied_from_left_to_right"): "`sos` in every place",
    ("cross_entropy", "largest_subtracted_once_only"): "only inside exp",
    ("cross_entropy", "one_minus_the_probability"): "1 − p",
    ("cross_entropy", "rows_and_words_crossed"): "for all targets",
    ("cross_entropy", "squared_difference"): "squared distance",
    ("cross_entropy_gradient", "all_right_words_columns"): "in the columns of all targets",
    ("cross_entropy_gradient", "column_of_padding_cleared"): "the column of the word PAD",
    ("cross_entropy_gradient", "divided_before_the_one_is_subtracted"): "only softmax is divided by N",
    ("cross_entropy_gradient", "divided_by_the_words"): "by the number of words",
    ("cross_entropy_gradient", "jacobian_of_the_right_word"): "the slope is that of −p",
    ("cross_entropy_gradient", "one_subtracted_everywhere"): "1 is subtracted everywhere",
    ("cross_entropy_gradient", "wrong_words_set_to_zero"): "0 where it should be positive",
    ("attention_gradient", "blind_query_not_thought_of"): "where a query may look at nothing",
    ("attention_gradient", "first_softmax_skipped_on_the_way_back"): "softmax was skipped",
    ("attention_gradient", "mask_read_the_other_way"): "True and False swapped",
    ("attention_gradient", "masked_after_softmax"): "the mask comes after softmax",
    ("attention_gradient", "output_gradient_left_out_of_d_value"): "computed from the output",
    ("attention_gradient", "plus_in_place_of_minus"): "s is added",
    ("attention_gradient", "root_of_the_value_width"): "√d_v is used",
    ("attention_gradient", "row_sum_over_the_whole_table"): "one sum over all rows",
    ("attention_gradient", "sum_of_d_weights_not_weighed"): "without the weights",
    ("learning_rate", "constant_after_warmup"): "where `step` is larger than `warmup`",
    ("adam_step", "gradient_not_squared"): "the absolute values of the gradients",
    ("adam_step", "length_of_the_whole_gradient"): "the sum of its squares",
    ("adam_step", "square_of_the_average"): "the squares of m",
    ("greedy_decode", "begins_with_zero"): "`sos` = 0 every time",
    ("greedy_decode", "eos_taken_for_one"): "`eos` = 1 every time",
    ("greedy_decode", "least_likely"): "The least likely token",
    ("greedy_decode", "returned_in_the_loop"): "inside the loop",
    ("sequence_log_probability", "largest_logit_not_subtracted"): "where logits are large",
    ("sequence_log_probability", "one_factor_only"): "Only the first token",
    ("sequence_log_probability", "only_the_last_factor"): "Only the last token",
    ("beam_search", "best_words_of_all_beams_at_once"): "only the best beam was extended",
    ("beam_search", "finished_beams_dropped"): "was lost with the next token",
    ("beam_search", "only_finished_may_win"): "Only finished beams were compared",
    ("beam_search", "stops_when_the_best_is_finished"): "as soon as one beam has ended",
    ("beam_search", "width_of_the_example"): "More beams were kept than `width`",
    ("length_normalised", "logarithm_of_the_length"): "ln P − α ln length",
    ("mix", "rows_written_into_the_tokens"): "writes into an array that it was given",
    ("mix", "keeps_the_old_token"): "plus `x`",
    ("mix", "only_products_of_last_token_survive"): "only its last column",
    ("mix", "superfluous_axes_squeezed"): "axes of length 1, which are missing",
    ("self_attention", "all_sentences_in_one_row"): "merged sentences",
    ("self_attention", "only_what_came_before"): "looks at a later one",
    ("self_attention", "result_stands_on_its_side"): "rows and columns are swapped",
    ("similarity_scores", "diagonal_counted_twice"): "twice what it should be",
    ("similarity_scores", "negative_squared_distance"): "negative squared distances",
    ("similarity_scores", "two_letters_for_one_axis"): "summed to one number before the product",
    ("similarity_scores", "length_of_one_token_divided_out"): "length of the second vector",
    ("softmax", "small_number_below_the_line"): "a number was added to each sum",
    ("softmax", "sum_always_along_rows"): "`axis`",
    ("strongest_neighbour", "largest_score_in_size"): "without minus signs",
    ("strongest_neighbour", "largest_entry_of_the_token"): "`x` itself in place of the scores",
    ("attention", "weights_of_the_last_query"): "only the last row",
    ("attention", "first_sentence_only"): "Only the first sentence",
    ("attention", "maximum_of_each_key"): "whose columns were each shifted",
    ("attention", "two_slips_of_scale_and_order"): "1/√n_k",
    ("attention", "largest_entry_of_the_query_subtracted"): "`query` with each row minus its largest number",
    ("booster", "others_on_the_wrong_side"): "1/(n − 1)²",
    ("booster", "three_others_for_ever"): "`n` = 4 every time",
    ("luong_context", "mixes_the_decoder_state"): "`context` is `state`",
    ("luong_context", "sum_started_in_the_first_state"): "plus the first row of `encoder_states`",
    ("luong_context", "base_three_of_the_lookup"): "powers of 3",
    ("luong_context", "context_is_the_mean"): "1/n",
    ("merged_projection", "undoes_the_keys"): "inverted",
    ("merged_projection", "last_column_missing"): "without its last column",
    ("project", "value_made_from_the_key_matrix"): "`value` is what `key` should be",
    ("project", "query_scaled_in_advance"): "1/√d_k",
    ("query_between", "factor_beyond_precision"): "rounding errors",
    ("query_between", "columns_of_the_keys"): "means columns were taken",
    ("soft_lookup", "best_match_set_to_one"): "largest number in each row of `weights` is 1",
    ("soft_lookup", "distances_to_the_keys"): "negative squared distances",
    ("dot_product_variance", "whole_part_of_the_variance"): "truncated to a whole number",
    ("dot_product_variance", "one_term_less"): "`d` one smaller",
    ("entropy", "axis_kept"): "keepdims",
    ("scaled_dot_product_attention", "one_more_below_the_line"): "a number was added to each sum",
    ("scaled_dot_product_attention", "weights_in_order_of_size"): "of each row sorted",
    ("scaled_dot_product_attention", "last_key_left_out"): "without its last number",
    ("scaled_scores", "rounds_down_to_whole_scores"): "rounded down",
    ("scaled_scores", "largest_score_already_subtracted"): "largest number subtracted",
    ("scaling_factor", "four_decimals"): "rounded to 4 decimals",
    ("scaling_factor", "fourth_root"): "square root of the right answer",
    ("softmax_jacobian", "lower_triangle_only"): "on and below the diagonal only",
    ("attention_share", "head_axis_first"): "where there are leading axes",
    ("attention_share", "mean_over_all_cells"): "over all cells",
    ("attention_share", "rows_chosen_by_columns"): "chosen by columns",
    ("sample", "last_of_a_tie"): "tie at temperature 0",
    ("sample", "loop_over_the_first_axis"): "a loop over u",
    ("sample", "probabilities_divided"): "The probabilities were divided by the temperature",
    ("sample", "scalar_at_zero"): "whatever the shape of u",
    ("train_head", "gradient_not_divided"): "not divided by the number of rows",
    ("train_head", "new_w_out_on_the_way_back"): "through the new W_out",
    ("train_head", "one_m_and_v_for_all"): "several matrices share one m and v",
    ("train_head", "other_beta"): "a constant",
    ("train_head", "query_and_key_exchanged"): "each other's gradients",
    ("train_head", "scores_not_divided"): "not divided by √d_k",
    ("softmax_jacobian", "diagonal_filled_with_the_weights"): "wrong only on the diagonal",
    ("diagnose", "compared_first_and_last"): "compared with the beginning",
    ("diagnose", "leak_first"): "checked before the high beginning",
    ("diagnose", "quarter_of_words"): "ln(words / 4)",
    ("diagnose", "right_in_percent"): "a share, from 0 to 1",
    ("diagnose", "single_first_loss"): "Only the very first loss",
    ("diagnose", "twenty_words"): "ln 20 was used",
}


def script():
    """Return the script beside this file, by its path: it is run by hand, too."""
    spec = importlib.util.spec_from_file_location("measure", HERE / "measure.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module", params=FULL_MARKS)
def author(request):
    """One author's folder, and each wrong answer's verdict and how it was named, as ``{(exercise, name): …}``."""
    judged = script().measured(script().ANSWERS / request.param)
    return request.param, {(exercise.name, name): (verdict, how) for exercise, name, _, verdict, how in judged}


def test_a_plausible_wrong_answer_loses_points(author):
    """Each of an author's many wrong answers loses points, but those that are listed with the reason."""
    folder, judged = author
    assert len(judged) >= FEWEST[folder]
    full = {f"{exercise}.{name}" for (exercise, name), (_, how) in judged.items() if how == "full marks"}
    assert full == set(FULL_MARKS[folder])


def test_no_relation_raises(author):
    """An error in a relation would cost no mark, and so be noticed nowhere else."""
    _, judged = author
    assert not {key: verdict.faults for key, (verdict, _) in judged.items() if verdict.faults}


def test_most_wrong_answers_are_named(author):
    """For seven in ten, or nine, a listed mistake or a relation says more than that numbers differ."""
    folder, judged = author
    named = [how in ("list", "relation") for _, how in judged.values()]
    assert sum(named) >= {"third": 0.9, "fourth": 0.9}.get(folder, 0.7) * len(named)


def test_the_true_cause_is_told(author):
    """The sentence that a person judged to be the true cause is the one that is told."""
    folder, judged = author
    asked = {key: words for key, words in TOLD.items() if folder != "second" and key in judged}
    assert asked or folder == "second"
    assert not {key: judged[key][0].message for key, words in asked.items() if words not in judged[key][0].message}
