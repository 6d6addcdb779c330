// The sentence to translate: one of a few, or typed. A word that the model has never seen is refused with the nearest
// known ones, each a button that puts it in its place.
import { unknownWords } from "./transformer.js";
import { assign, uniqueName } from "./widget.js";

export const MOST_WORDS = 18;

export const wordsOf = (text) => text.toLowerCase().replace(/[.,!?;:]/g, " ").split(/\s+/).filter(Boolean);

export function chooser(root, { model, trained, choose = (sentence) => assign(model, { sentence }) }) {
  const box = root.append("div").attr("class", "chooser");
  const drawPick = picker(box, model, choose);
  const id = uniqueName("sentence");
  const field = box.append("div").attr("class", "field");
  field.append("label").attr("for", id).text("or type one");
  const input = field.append("input").attr("id", id).attr("type", "text").attr("autocapitalize", "off");
  input.attr("autocomplete", "off").attr("spellcheck", "false").attr("aria-describedby", `${id}-help`);
  const help = box.append("div").attr("class", "help").attr("id", `${id}-help`).attr("role", "status");
  const read = () => {
    const words = wordsOf(input.property("value"));
    const refused = refusal(trained, words, model.get("examples")[0]);
    drawHelp(help, refused, (word, other) => {
      input.property("value", words.map((each) => (each === word ? other : each)).join(" "));
      read();
      input.node().focus();
    });
    if (!refused) choose(words.join(" "));
  };
  input.on("input", read);
  return ({ sentence }) => {
    drawPick(sentence);
    if (wordsOf(input.property("value")).join(" ") !== sentence && !help.text()) input.property("value", sentence);
  };
}

function picker(box, model, choose) {
  const label = box.append("label").attr("class", "pick");
  label.append("span").text("Pick a sentence");
  const list = label.append("select");
  list.on("change", ({ target }) => {
    box.select(".help").text("");
    choose(target.value);
  });
  return (sentence) => {
    const examples = model.get("examples");
    const options = examples.includes(sentence) ? examples : [sentence, ...examples];
    list.selectAll("option").data(options).join("option").attr("value", (text) => text).text((text) => text);
    list.property("value", sentence);
  };
}

// What is wrong with these words, or null.
export function refusal(trained, words, example) {
  if (!words.length) return { text: `Type a sentence, such as “${example}”.` };
  if (words.length > MOST_WORDS) return { text: `The model has seen sentences of up to ${MOST_WORDS} words: leave some out.` };
  const [first] = unknownWords(trained, words);
  return first ? { text: `The model has never seen “${first.word}”. Near it are`, ...first } : null;
}

function drawHelp(help, refused, exchange) {
  help.text("");
  if (!refused) return;
  help.append("span").text(refused.text);
  for (const other of refused.nearest ?? []) {
    const button = help.append("button").attr("type", "button").attr("class", "plain").text(other);
    button.on("click", () => exchange(refused.word, other));
  }
}
