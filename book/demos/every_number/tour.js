// A walk through the whole model in twelve stops, for word t of any sentence: at each a node and one sentence.
import { parse } from "../shared/graph.js";
import { trailIn } from "../shared/number_walk.js";
import { assign } from "../shared/widget.js";

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

// The button that goes from stop to stop, and what is said there.
export function tourButton(root, button, model, now) {
  const tour = button("Tour", () => visit(model, now()));
  const stop = root.append("p").attr("class", "stop");
  return ({ tour: n, now: shown, id }) => {
    const [node, text, chapter] = n ? stopsOf(shown, id)[n - 1] : [];
    const here = n && node === id;
    tour.text(!here ? "Tour in 12 stops" : n < 12 ? `Next stop (${n + 1} of 12)` : "The tour again").attr("data-stop", here ? n : 0);
    stop.attr("hidden", here ? null : "").text(here ? `${n} of 12. ${text} ` : "");
    if (here) stop.append("a").attr("href", `${chapter}.html`).text(`Chapter ${Number(chapter.slice(0, 2))}`);
  };
}

// The tour is about the word that the present node helps to write; about the first one in the encoder.
function stopsOf({ graph, run }, id) {
  const { side, turn } = parse(id);
  const t = side === "d" ? turn : run.tour ?? 0;
  run.tour = t;
  return stops(graph, t, run.written[t].token);
}

function visit(model, now) {
  const trail = trailIn(now, model.get("trail"));
  const all = stopsOf(now, trail.at(-1));
  const last = model.get("tour");
  const goesOn = last && last < 12 && all[last - 1][0] === trail.at(-1);
  const n = goesOn ? last + 1 : 1;
  assign(model, { tour: n, trail: n === 1 ? [all[0][0]] : [...trail, all[n - 1][0]], all: false });
}
