// The numbers of a translation as nodes. The model has one layer on either side. Its arrays are
//   e.x          the source's word vectors         d2.x            the target's, when word 2 is written (counted from 0)
//   e.q.0 .k .v  queries, keys, values of head 0   d2.cq.0 .ck .cv those of cross-attention
//   e.s.0 .w .o  scores, weights, what head 0 finds
//   e.a          attention's answer, through W_O   d2.ca           cross-attention's
//   e.r1 .n1     the sum with the residual connection, and its norm; .m1 and .d1 are the row's mean and spread
//   e.h .f       neurons, and what the feed-forward network adds
//   d2.l .p      logits and probabilities          pos             the positional encoding
import { entry, graphOf, inRow } from "./graph.js";
import { position } from "./transformer.js";

const none = { heads: [] };

// All questions that can be asked of one translation. `run` is what translate() returned for this model and `off`.
export function translationGraph(model, run, off = none) {
  const graph = graphOf(model.parameters);
  const sourceWords = run.words_in;
  const shown = (turn) => ["<sos>", ...run.written.slice(0, turn).map(({ token }) => model.target[token])];
  const width = model.parameters["encoder.0.w_q"].length;
  const divisor = off.scaling ? 1 : Math.sqrt(width / model.h);
  const silent = (place) => (head) => off.heads.includes(`${place}.${head}`);
  const embedded = (tokens, table) => graph.embedded(tokens, table, width, !off.positions);

  // The sum with the residual connection, and its norm.
  function keepAddAndNorm(side, n, before, found, step, layer) {
    const parts = { [`${side}.${before}`]: "before", [`${side}.${found}`]: "found" };
    if (off.residual) delete parts[`${side}.${before}`];
    graph.keep(`${side}.r${n}`, step.sum, graph.sum(parts, { residual: !off.residual }));
    graph.keepNorm(side, n, `${side}.r${n}`, step.sum, step.output, layer, off.norm);
  }

  function keepEncoder({ embedded: rows, steps: [step] }) {
    const layer = "encoder.0.";
    graph.keep("e.x", rows, embedded(run.tokens_in, "source_embedding"));
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
    graph.keep(`${side}.x`, rows, embedded(tokens, "target_embedding"));
    graph.keepAttention(`${side}.`, step.back, `${side}.x`, `${side}.x`, layer, { labels: shown(turn), hides, divisor, silent: silent("decoder.0") });
    keepAddAndNorm(side, 1, "x", "a", step.first, layer);
    graph.keepAttention(`${side}.c`, step.across, `${side}.n1`, "e.n2", `${layer}cross_`, { labels: sourceWords, divisor, silent: silent("cross.0") });
    keepAddAndNorm(side, 2, "n1", "ca", step.second, layer);
    graph.keepFeedForward(side, step.thought, `${side}.n2`, layer);
    keepAddAndNorm(side, 3, "n2", "f", step.third, layer);
    graph.keep(`${side}.l`, last(logits), graph.product(inRow(`${side}.n3`), entry("w_out"), width, { bias: "b_out" }));
    graph.keep(`${side}.p`, last(probabilities), graph.softmax(`${side}.l`, model.target));
  }

  graph.keepPositions(width, (row) => position(row, width));
  keepEncoder(run.source);
  run.written.forEach(keepDecoder);
  return { ...graph, shown, sourceWords };
}
