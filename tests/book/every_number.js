// What the page's engine says of many nodes of many sentences: their values, and each computed from its operands.
import { readFileSync } from "node:fs";
import { opened } from "../../book/demos/every_number.js";
import { recompute } from "../../book/demos/graph.js";
import { unpacked } from "../../book/demos/transformer.js";

const { model, asked } = JSON.parse(readFileSync(0, "utf8"));
const trained = unpacked(model);
const answers = asked.map(({ sentence, off, nodes }) => {
  const { graph, run } = opened(trained, sentence, off);
  const made = nodes.filter(graph.exists).map((id) => graph.explain(id));
  return { words: run.words, values: made.map((one) => [one.id, one.value, recompute(one) ?? null, one.terms.length]) };
});
process.stdout.write(JSON.stringify(answers));
