// A walk through the whole model in twelve stops, for word t of any sentence: at each a node and one sentence.
export const stops = (graph, t, word) => {
  const head = 0;
  const most = (name, row) => {
    const weights = Array.from({ length: graph.sourceWords.length }, (_, j) => graph.value(`${name}:${row}:${j}`));
    return weights.indexOf(Math.max(...weights));
  };
  const j = most(`d${t}.cw.${head}`, t);
  const d = `d${t}`;
  return [
    [`d${t}.p:${t}:${word}`, "The model is this sure of its word: one share of all the words that it knows.", "10_training"],
    [`${d}.l:${t}:${word}`, "Before softmax, each word has a logit: 64 numbers of the last row, times learned numbers.", "10_training"],
    [`${d}.n3:${t}:12`, "Each of these 64 numbers comes out of a norm, which keeps every row at one scale.", "08_layer_norm"],
    [`${d}.r3:${t}:12`, "The norm received a sum: what came in, plus what the feed-forward network added.", "08_layer_norm"],
    [`${d}.f:${t}:12`, "The feed-forward network adds up its neurons, each times a learned number.", "08_layer_norm"],
    [`${d}.ca:${t}:12`, "One layer earlier, cross-attention added what its four heads found in the source.", "06_multi_head"],
    [`${d}.co.${head}:${t}:0`, "A head finds a mixture: the value of each source word, times the weight of that word.", "04_query_key_value"],
    [`${d}.cw.${head}:${t}:${j}`, "The weight comes from softmax over the scores of all source words.", "03_context"],
    [`${d}.cs.${head}:${t}:${j}`, "The score compares the query of the word to be written with the key of a source word, divided by √16.", "05_scaling"],
    [`${d}.ck.${head}:${j}:0`, "The key is the encoder's row for that word, times a learned matrix.", "04_query_key_value"],
    [`e.n2:${j}:0`, "The encoder's row has passed through self-attention and a feed-forward network.", "03_context"],
    [`e.x:${j}:0`, "And it began here: a learned number for the word, plus its position. You have seen the whole model.", "07_position"],
  ];
};
