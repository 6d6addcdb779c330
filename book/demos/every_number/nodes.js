// The numbers of a translation as nodes. The model has one layer on either side. Its arrays are
//   e.x          the source's word vectors         d2.x            the target's, when word 2 is written (counted from 0)
//   e.q.0 .k .v  queries, keys, values of head 0   d2.cq.0 .ck .cv those of cross-attention
//   e.s.0 .w .o  scores, weights, what head 0 finds
//   e.a          attention's answer, through W_O   d2.ca           cross-attention's
//   e.r1 .n1     the sum with the residual connection, and its norm; .m1 and .d1 are the row's mean and spread
//   e.h .f       neurons, and what the feed-forward network adds
//   d2.l .p      logits and probabilities          pos             the positional encoding
import { entry, graphOf } from "../shared/graph.js";
import { spoken } from "../shared/number_words.js";
import { position } from "../shared/transformer.js";

const none = { heads: [] };

// All questions that can be asked of one translation. `run` is what translate() returned for this model and `off`.
export function translationGraph(model, run, off = none) {
  const graph = graphOf(model.parameters);
  const sourceWords = run.words_in;
  const shown = (turn) => ["<sos>", ...run.written.slice(0, turn).map(({ token }) => model.target[token])];
  const width = model.parameters["encoder.0.w_q"].length;
  const divisor = off.scaling ? 1 : Math.sqrt(width / model.h);
  const silent = (place) => (head) => off.heads.includes(`${place}.${head}`);
  const keepEmbedded = (name, rows, tokens, table) =>
    graph.keepEmbedded(name, rows, off.positions ? "vector, positions off" : "vector with position", tokens, table, width);

  // The sum with the residual connection, and its norm.
  function keepAddAndNorm(side, n, before, found, step, layer) {
    const added = { [`${side}.${found}`]: "found" };
    if (off.residual) graph.keepSum(`${side}.r${n}`, step.sum, "no residual", added);
    else graph.keepSum(`${side}.r${n}`, step.sum, "residual", { [`${side}.${before}`]: "before", ...added });
    graph.keepNorm(side, n, `${side}.r${n}`, step.sum, step.output, layer, off.norm);
  }

  function keepEncoder({ embedded: rows, steps: [step] }) {
    const layer = "encoder.0.";
    keepEmbedded("e.x", rows, run.tokens_in, "source_embedding");
    graph.keepAttention("e.", step.attention, "e.x", "e.x", layer, { labels: sourceWords, divisor, silent: silent("encoder.0") });
    keepAddAndNorm("e", 1, "x", "a", step.first, layer);
    graph.keepFeedForward("e", step.thought, "e.n1", layer);
    keepAddAndNorm("e", 2, "n1", "f", step.second, layer);
  }

  function keepDecoder({ embedded: rows, steps: [step], logits, probabilities }, turn) {
    const [side, layer] = [`d${turn}`, "decoder.0."];
    const hides = (row, j) => !off.mask && j > row;
    const tokens = [model.target.indexOf("<sos>"), ...run.written.slice(0, turn).map(({ token }) => token)];
    const last = (numbers) => (row) => (row === turn ? numbers : undefined); // of these, the last row is kept
    keepEmbedded(`${side}.x`, rows, tokens, "target_embedding");
    graph.keepAttention(`${side}.`, step.back, `${side}.x`, `${side}.x`, layer, { labels: shown(turn), hides, divisor, silent: silent("decoder.0") });
    keepAddAndNorm(side, 1, "x", "a", step.first, layer);
    graph.keepAttention(`${side}.c`, step.across, `${side}.n1`, "e.n2", `${layer}cross_`, { labels: sourceWords, divisor, silent: silent("cross.0") });
    keepAddAndNorm(side, 2, "n1", "ca", step.second, layer);
    graph.keepFeedForward(side, step.thought, `${side}.n2`, layer);
    keepAddAndNorm(side, 3, "n2", "f", step.third, layer);
    const towards = (word) => model.parameters.w_out.map((row) => row[word]);
    graph.keep(`${side}.l`, last(logits), graph.votes(`${side}.n3`, entry("w_out"), width, towards, "b_out"));
    graph.keep(`${side}.p`, last(probabilities), graph.softmax(`${side}.l`, model.target));
  }

  graph.keepPositions(width, (row) => position(row, width));
  keepEncoder(run.source);
  run.written.forEach(keepDecoder);
  return { ...graph, target: model.target, sourceWords, names: namesOf(model, run, { shown, sourceWords }) };
}

// What the questions on the cards name.
function namesOf(model, run, { shown, sourceWords }) {
  const writes = (turn) => spoken(model.target[run.written[turn]?.token]);
  const sublayer = ({ side, key }) => ["", "self-attention", side === "e" ? "feed-forward" : "cross-attention", "feed-forward"][key[1]];
  // A source word, a word that the decoder has been shown, or the word that it is about to write.
  const owner = ({ side, turn, row, key }) => {
    if (side === "e" || key === "ck" || key === "cv") return spoken(sourceWords[row]);
    return "xkv".includes(key) ? spoken(shown(turn)[row]) : `the row for writing ${writes(row)}`;
  };
  const learnedIn = {
    source_embedding: ({ row, column }) => `number ${column + 1} of ${spoken(model.source[row])} in the English word table`,
    target_embedding: ({ row, column }) => `number ${column + 1} of ${spoken(model.target[row])} in the Italian word table`,
    w_out: ({ row, column }) => `row ${row + 1} of the last layer, for ${spoken(model.target[column])}`,
    b_out: ({ column }) => `the bias of ${spoken(model.target[column])}`,
  };
  return {
    owner,
    withPosition: " with its position",
    position: ({ row }) => `position ${row}`,
    place: ({ side, key }) => (side === "e" ? "the encoder" : key[0] === "c" ? "cross-attention" : "the decoder"),
    attention: ({ key }) => (key === "ca" ? "cross-attention" : "self-attention"),
    ofLayer: () => "",
    likely: ({ turn, column }) => `How likely is ${spoken(model.target[column])} as word ${turn + 1}?`,
    rather: ({ turn, column, rival }) => `Why ${spoken(model.target[column])} rather than ${spoken(model.target[rival])}, as word ${turn + 1}?`,
    vote: ({ column }) => spoken(model.target[column]),
    key: ({ side, turn, key, column }) => spoken(side === "e" || key[0] === "c" ? sourceWords[column] : shown(turn)[column]),
    looks: (at) => (at.side === "e" ? `from ${owner(at)}` : `to write ${writes(at.row)}`),
    asks: (at) => (at.side === "e" ? `of ${owner(at)}` : `for writing ${writes(at.row)}`),
    stage: (at) => (at.key[0] === "n" ? `after ${sublayer(at)} and its norm` : `after adding ${sublayer(at)}`),
    vector: ({ key, row }) => ({ source_embedding: `the learned vector of ${spoken(model.source[row])}`, target_embedding: `the learned vector of ${spoken(model.target[row])}`, b_out: "the biases of the words" })[key],
    table: (at) => learnedIn[at.key]?.(at),
    matrix({ key }) {
      const [side, , name] = key.split(".");
      const bare = name.replace("cross_", "");
      const where = name.startsWith("cross_") ? "cross-attention" : `the ${side}`;
      return { name: bare, where: /^(gamma|beta)/.test(bare) ? `norm ${bare.at(-1)} in ${where}` : where };
    },
  };
}
