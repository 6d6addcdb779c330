// What the page's engines say of many nodes of many sentences: their values, and each computed from its operands.
import { readFileSync } from "node:fs";
import { opened as translation } from "../../book/demos/every_number/every_number.js";
import { opened as text } from "../../book/demos/gpt_numbers/gpt_numbers.js";
import { readFile } from "../../book/demos/gpt_numbers/own_file.js";
import { recompute } from "../../book/demos/shared/graph.js";
import { unpacked } from "../../book/demos/shared/transformer.js";

const { model, file, asked } = JSON.parse(readFileSync(0, "utf8"));
const own = file && readFile(file); // of own_text, whose sentences are texts that it cuts
const trained = own ? own.trained : unpacked(model);
const asIs = trained.parameters.source_embedding ? translation : text;
const opened = own ? (trained, typed) => text(trained, own.cut(typed).join(" ")) : asIs;
const answers = asked.map(({ sentence, off, nodes }) => {
  const { graph } = opened(trained, sentence, off);
  const made = nodes.filter(graph.exists).map((id) => graph.explain(id));
  return { values: made.map((one) => [one.id, one.value, recompute(one) ?? null, one.terms.length]) };
});
process.stdout.write(JSON.stringify(answers));
