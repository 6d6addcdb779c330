"""Small changes of the solutions that get full marks all the same, each with the reason."""

TOO_LONG = "if count < 1:\n    raise ValueError('expected a kernel no longer than x')"
AS_LONG = "the same length, read off another array"
NO_WINDOW = "np.stack raises a ValueError of its own where no window fits"
NO_AXES = "a first state without the batch's axes is broadcast to them"
TWO_AXES = "two axes swapped are two axes swapped"
FIRST_NORM = "add_and_norm(x, attended, p['gamma1'], p['beta1'])"
LAST_NORM = "add_and_norm(x, thought, p['gamma2'], p['beta2'])"
FALL, RISE = "step ** (-0.5)", "step * warmup ** (-1.5)"
BELOW = "what grows out of a finished beam is less likely than it, so it changes neither the first nor what leads there"
ON_THE_LIMIT = "no case lies on the limit, where rounding decides on which side a mean falls"
CLEAR = "no run is near any sensible border"
A_WORD = "a text goes letter by letter, as the list of its letters does"
MORE_FOR_ALL = "every count is larger, or smaller, in the same way"
ALIKE = "both have the same length here"
MOST = "(weights * followed).sum(axis=(-2, -1))"
LATER = "no head gives any weight to a later token"
WHOLE = "NumPy's whole numbers count as whole"
SURVIVORS = {  # chapter: {"exercise: change": why it gets full marks all the same}
    "01_before_attention": {
        f"conv1d: {TOO_LONG} → {TOO_LONG.replace('count < 1', 'False')}": NO_WINDOW,
        "conv1d: raise ValueError('expected a kernel no longer than x') → pass": NO_WINDOW,
        "conv1d: 1 → 0": NO_WINDOW,
        "conv1d: padding → x": "only the words of the error change",
        "conv1d: padding → kernel": "only the words of the error change",
        "rnn: -1 → 1": AS_LONG,
        "rnn: 1 → 0": AS_LONG,
        "rnn: 1 → 2": AS_LONG,
        "rnn: w_hh → w_hx": AS_LONG,
        "rnn: w_hh → b_h": AS_LONG,
        "rnn: x → w_hx": NO_AXES,
        "rnn: x → w_hh": NO_AXES,
        "rnn: x → w_hy": NO_AXES,
        "rnn: x → b_h": NO_AXES,
        "rnn: x → b_y": NO_AXES,
        "rnn: 2 → 0": NO_AXES,
        "gradient_through_time: h → w_hh": AS_LONG,
    },
    "02_embeddings": {
        "bag_of_words: np.stack(rows) → rows": "a list of rows counts as a table",
        "tf_idf: np.maximum(df, 1) → np.maximum(1, df)": "the larger of two is the larger of two",
        "tf_idf: np.maximum(words, 1) → np.maximum(1, words)": "the larger of two is the larger of two",
        "cosine_similarity: np.swapaxes(b, -1, -2) → np.swapaxes(b, -2, -1)": "two axes swapped are two axes swapped",
        "cosine_similarity: 1.0 → 2.0": "divides a row of zeros: any number but 0 does",
    },
    "03_context": {
        "softmax: 0.0 → 1": "stands in for a maximum of -inf: any number does",
        "softmax: 0.0 → -1.0": "stands in for a maximum of -inf: any number does",
        "softmax: 1.0 → 2.0": "divides a row of zeros: any number but 0 does",
        "similarity_scores: np.swapaxes(x, -1, -2) → np.swapaxes(x, -2, -1)": "two axes swapped are two axes swapped",
        "strongest_neighbour: 1 → 2": "scores are symmetric, so rows and columns have the same largest entries",
    },
    "04_query_key_value": {
        "soft_lookup: float(base) → base": "base may be 3, and 3 to the power of a float is what 3.0 is",
        "attention: np.swapaxes(key, -1, -2) → np.swapaxes(key, -2, -1)": "two axes swapped are two axes swapped",
        "query_between: 10.0 → 11.0": "any query that is long enough is right",
        "query_between: 10.0 → 9.0": "any query that is long enough is right",
    },
    "05_scaling": {
        "scaled_scores: np.swapaxes(key, -1, -2) → np.swapaxes(key, -2, -1)": "two axes swapped are two axes swapped",
        "scaled_scores: key → query": "reads d_k off the query, which is as wide as a key",
        "entropy: 1.0 → 2.0": "its logarithm is multiplied by a weight of 0: any positive number does",
    },
    "06_multi_head": {
        "split_heads: np.swapaxes(slices, -3, -2) → np.swapaxes(slices, -2, -3)": TWO_AXES,
        "merge_heads: np.swapaxes(x, -3, -2) → np.swapaxes(x, -2, -3)": TWO_AXES,
        "multi_head_attention: np.swapaxes(k, -1, -2) → np.swapaxes(k, -2, -1)": TWO_AXES,
        "multi_head_parameters: h → d_model": "only the words of the error change",
        "multi_head_parameters: h → bias": "only the words of the error change",
        "multi_head_parameters: d_model → h": "only the words of the error change",
        "multi_head_parameters: d_model → bias": "only the words of the error change",
        "attention_share: -1 → 1": "in a table of places, axis 1 is the last",
    },
    "07_position": {
        "positional_encoding: 0::2 → ::2": "a slice begins at 0 unless told otherwise",
        "rotary: 0::2 → ::2": "a slice begins at 0 unless told otherwise",
    },
    "08_layer_norm": {
        "feed_forward: np.maximum(0, x @ w1 + b1) → np.maximum(x @ w1 + b1, 0)": "the larger of two is that",
        f"encoder_layer: {FIRST_NORM} → {FIRST_NORM.replace('x, attended', 'attended, x')}": "a sum in another order",
        f"encoder_layer: {LAST_NORM} → {LAST_NORM.replace('x, thought', 'thought, x')}": "a sum in another order",
    },
    "09_masking": {
        "masked_attention: np.swapaxes(key, -1, -2) → np.swapaxes(key, -2, -1)": "swapped is swapped",
        "masked_attention: key → query": "reads d_k off the query, which is as wide as a key",
        "sees_the_future: bool(np.triu(mask, 1).any()) → np.triu(mask, 1).any()": "NumPy's own truth value counts, too",
        **{
            f"decoder_layer: add_and_norm(x, {found}, p['gamma{i}'], p['beta{i}']) → "
            f"add_and_norm({found}, x, p['gamma{i}'], p['beta{i}'])": "a sum does not depend on the order"
            for i, found in enumerate(("attended", "found", "thought"), 1)
        },
    },
    "10_training": {
        "diagnose: seen < even → seen <= even": ON_THE_LIMIT,
        "diagnose: new > even → new >= even": ON_THE_LIMIT,
        "diagnose: right > 0.5 → right >= 0.5": ON_THE_LIMIT,
        "diagnose: new < even / 2 → new <= even / 2": ON_THE_LIMIT,
        "diagnose: 0.5 → 0": CLEAR,
        "diagnose: 2 → 3": CLEAR,
        "diagnose: even / 2 → even // 2": CLEAR,
        "diagnose: even / 2 → 2 / even": CLEAR,
        "diagnose: np.log(words) → np.log2(words)": CLEAR,
        "diagnose: np.log(words) → np.log1p(words)": CLEAR,
        "diagnose: 1 → 2": "the look before the last says the same",
        f"learning_rate: min({FALL}, {RISE}) → min({RISE}, {FALL})": "the smaller of two is the smaller of two",
    },
    "11_gradients": {
        **{
            f"attention_gradient: np.swapaxes({x}, -1, -2) → np.swapaxes({x}, -2, -1)": "two axes swapped are swapped"
            for x in ("key", "value", "weights", "d_scores")
        },
        "attention_gradient: query → key": "reads d_k off the key, which is as wide as a query",
        "train_head: zip(x, targets, strict=True) → zip(x, targets)": ALIKE,
        "train_head: zip(matrices, gradients, averages, strict=True) → zip(matrices, gradients, averages)": ALIKE,
        "train_head: True → False": ALIKE,
        "train_head: np.array(losses) → losses": "a list of numbers counts as an array",
        "train_head: 0 → -1": "one query has one place, the first and the last",
        "train_head: 1 → 2": "no target is padding, whatever number it has",
        "train_head: np.swapaxes(key, -1, -2) → np.swapaxes(key, -2, -1)": "the same two axes",
        "train_head: np.swapaxes(a, -1, -2) → np.swapaxes(a, -2, -1)": "the same two axes",
    },
    "12_inference": {
        "translate: 24 → 25": "no translation has more than 22 tokens, END included",
        "translate: 24 → 23": "no translation has more than 22 tokens, END included",
        "greedy_decode: int(np.argmax(step(tokens))) → np.argmax(step(tokens))": "NumPy's whole numbers count as whole",
        "beam_search: float(beams[0][0]) → beams[0][0]": "NumPy's decimal numbers count as numbers",
        "beam_search: eos → step": BELOW,
        "beam_search: 1 → 0": BELOW,
        "sample: :-1 → :": "the last running sum is 1, and no draw reaches it",
    },
    "13_gpt": {
        "train_bpe: list(first) → first": A_WORD,
        "train_bpe: list(' ' + word) → ' ' + word": A_WORD,
        "train_bpe: 1 → 2": MORE_FOR_ALL,
        "train_bpe: 0 → 1": MORE_FOR_ALL,
        "train_bpe: 0 → -1": MORE_FOR_ALL,
        "step_with_cache: 0 → -1": "there is one row, the first and the last",
        "perplexity: float(np.exp(-log_p[np.arange(len(targets)), targets].mean())) → "
        "np.exp(-log_p[np.arange(len(targets)), targets].mean())": "NumPy's decimal numbers count as numbers",
        "perplexity: -1 → 1": "the last of two axes is axis 1",
        "perplexity: targets → logits": ALIKE,
        "copying_head: np.tril(tokens[:, None] == tokens, -1) → np.tril(tokens[:, None] == tokens)": LATER,
        "copying_head: np.tril(tokens[:, None] == tokens, -1) → tokens[:, None] == tokens": LATER,
        "copying_head: -1 → 1": LATER,
        "copying_head: 1 → 0": LATER,
        "copying_head: np.zeros_like(earlier) → earlier": "one column more, of which no other head has enough",
        f"copying_head: {MOST} → {MOST.replace('sum', 'mean')}": MORE_FOR_ALL,
        "copying_head: -2 → 2": "the third of four axes is axis 2",
        "copying_head: int(layer) → layer": WHOLE,
        "copying_head: int(head) → head": WHOLE,
    },
}
