// The thread on the first page: alive before the model is there, which is loaded for a sentence of the reader's own. A
// word or a ribbon leads on to the page on which each number opens.
import { select } from "d3-selection";
import { thread } from "../every_number/thread.js";
import { chooser } from "../shared/sentence_chooser.js";
import { translate, unpacked } from "../shared/transformer.js";
import { nameOf } from "../shared/translator_parts.js";
import { frame, partOf, sentence as speaker } from "../shared/widget.js";

// What is drawn of a run, as `recorded` in __init__.py has it.
export function runOf(trained, words) {
  const run = translate(trained, words);
  return {
    source: words,
    written: run.written.map(({ token, probabilities }) => ({ word: trained.target[token], share: probabilities[token] })),
    cross: run.written.map(({ steps: [{ across }] }) => across.heads.map(({ weights }) => weights.at(-1))),
    tokens: run.written.map(({ token }) => token),
  };
}

// The address of the card of a word's probability or of a weight.
export function addressOf(page, sentence, trail) {
  const state = { demo: "every_number", sentence, trail: JSON.stringify(trail) };
  return `${page}#${Object.entries(state).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}

function render({ model, el }) {
  const root = frame(select(el), "thread-demo", "A translation on threads of attention");
  const page = model.get("address");
  const isThere = document.querySelector(`a[href$="${page}"]`); // a course may leave the page out
  let shown = model.get("run");
  let turn = 0;
  const open = (trail) => isThere && location.assign(addressOf(page, shown.source.join(" "), trail));
  const draw = thread(root, {
    choose: (t) => {
      turn = t;
      redraw();
    },
    dive: ({ head, row, column }) => open([`d${row}.cw.${head}:${row}:${column}`]),
  });
  const redraw = () => draw({ ...shown, written: shown.written.map(({ word, share }) => ({ word: nameOf(word), share, end: word === "<eos>" })), turn, look: null });
  const own = root.append("div").attr("class", "own");
  const type = own.append("button").attr("type", "button").attr("class", "plain").text("Type a sentence of your own");
  const say = speaker(root);
  const spoken = () => say(`${shown.source.join(" ")} becomes ${shown.written.map(({ word }) => nameOf(word)).join(" ")}.`);
  type.on("click", async () => {
    type.attr("aria-disabled", true).text("Loading the model …");
    const packed = await partOf(model, "trained", "model");
    if (!packed) return void type.text("The model is on the page of all numbers only");
    const trained = unpacked(packed);
    type.remove();
    const drawChooser = chooser(own, {
      model,
      trained,
      choose: (sentence) => {
        [shown, turn] = [runOf(trained, sentence.split(" ")), 0];
        redraw();
        drawChooser({ sentence });
        spoken();
      },
    });
    drawChooser({ sentence: shown.source.join(" ") });
    own.select("input").node().focus();
  });
  redraw();
  return () => draw.stop?.();
}

export default { render };
