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
    written: run.written.map(({ token, probabilities }) => ({ word: trained.target[token], token, share: probabilities[token] })),
    cross: run.written.map(({ steps: [{ across }] }) => across.heads.map(({ weights }) => weights.at(-1))),
  };
}

// The address of the card of a word's probability or of a weight.
export function addressOf(page, sentence, trail) {
  const state = { demo: "every_number", sentence, trail: JSON.stringify(trail) };
  return `${page}#${Object.entries(state).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}

// What an Italian word looks at most, and in which head.
export function lookOf({ source, written, cross }, t) {
  const all = cross[t].flatMap((row, head) => row.map((weight, j) => ({ weight, head, word: source[j] })));
  const most = all.reduce((best, one) => (one.weight > best.weight ? one : best));
  return `To write “${nameOf(written[t].word)}”, head ${most.head} looks at “${most.word}”: ${most.weight.toFixed(2)} of all its attention.`;
}

function render({ model, el }) {
  const root = frame(select(el), "thread-demo", "A translation on threads of attention");
  const page = model.get("address");
  const isThere = document.querySelector(`a[href$="${page}"]`); // a course may leave the page out
  let shown = model.get("run");
  const last = ({ written }) => Math.max(0, written.length - 2); // before the end: what it looked at is the oddest
  let turn = last(shown);
  const open = (trail) => isThere && location.assign(addressOf(page, shown.source.join(" "), trail));
  const stage = root.append("div");
  const say = speaker(root);
  const draw = thread(stage, {
    tells: (t) => say(lookOf(shown, t)),
    choose: (t) => {
      turn = t;
      redraw();
    },
    dive: ({ head, row, column }) => open([`d${row}.p:${row}:${shown.written[row].token}`, `d${row}.cw.${head}:${row}:${column}`]),
  });
  const redraw = () => draw({ ...shown, written: shown.written.map(({ word, share }) => ({ word: nameOf(word), share, end: word === "<eos>" })), turn, look: null });
  const own = root.append("div").attr("class", "own");
  const type = own.append("button").attr("type", "button").attr("class", "plain").text("Type a sentence of your own");
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
        shown = runOf(trained, sentence.split(" "));
        turn = last(shown);
        redraw();
        drawChooser({ sentence });
      },
    });
    drawChooser({ sentence: shown.source.join(" ") });
    own.select("input").node().focus();
  });
  redraw();
  return () => draw.stop?.();
}

export default { render };
