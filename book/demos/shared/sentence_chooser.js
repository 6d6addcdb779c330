// The sentence to translate: one of a few, or typed, or put together from the list of all known words. A typed one is
// taken when it is finished. If the model does not know a word, the sentence before stays, and known words that are spelt
// like it are offered.
import { unknownWords } from "./transformer.js";
import { assign, uniqueName } from "./widget.js";

export const MOST_WORDS = 18;
export const PAUSE = 900; // ms after the last key
export const LEFT = 150; // ms after the field is left: what is pressed meanwhile stays in its place
const NAMED = 3; // unknown words

// What is written short, in the words of the models: they know do, not, are, is and the 's of a possessor.
const WRITTEN_OUT = [
  [/\bwon't\b/g, "will not"],
  [/\bcan't\b/g, "can not"],
  [/n't\b/g, " not"],
  [/'m\b/g, " am"],
  [/'re\b/g, " are"],
  [/'ve\b/g, " have"],
  [/'ll\b/g, " will"],
  [/'d\b/g, " would"],
  [/\b(he|she|it|that|there|here|who|what|where)'s\b/g, "$1 is"],
  [/(?<=\p{L})'s\b/gu, " 's"], // the doctor's
  [/(?<=\p{L})'(?=\p{L}{2})/gu, "' "], // l'argine
];

export function wordsOf(text) {
  const plain = text.toLowerCase().replace(/[’ʼ]/g, "'").replace(/[.,!?;:…“”"()]/g, " ");
  return WRITTEN_OUT.reduce((said, [short, whole]) => said.replace(short, whole), plain).split(/\s+/).filter(Boolean);
}

// `enter` says what Enter does.
export function chooser(root, { model, trained, enter = "Enter translates", choose = (sentence) => assign(model, { sentence }) }) {
  const box = root.append("div").attr("class", "chooser");
  const drawPick = picker(box, model, choose);
  const { input, hint, help } = field(box);
  let [shown, said, due] = [null, null, null];
  const words = () => wordsOf(input.property("value"));
  const wrong = () => refusal(trained, words(), model.get("examples")[0]);

  function say(refused) {
    if (said === (refused?.text ?? null)) return; // its buttons stay: one may be pressed just now
    said = refused?.text ?? null;
    input.attr("aria-invalid", refused && "true");
    drawHelp(help, refused, shown, (word, other) => {
      input.property("value", words().map((each) => (each === word ? other : each)).join(" "));
      take();
      input.node().focus();
    });
  }
  function take() {
    clearTimeout(due);
    hint.text("");
    const refused = wrong();
    say(refused);
    if (!refused && words().join(" ") !== shown) choose(words().join(" "));
  }
  const takeAfter = (pause) => {
    clearTimeout(due);
    due = setTimeout(take, pause);
  };
  function typed() {
    const refused = wrong();
    if (refused?.text !== said) say(null);
    hint.text(said ? "" : hintOf(refused, words().join(" ") !== shown && enter));
    takeAfter(PAUSE);
  }

  input.on("input", typed).on("blur", () => takeAfter(LEFT));
  input.on("keydown", ({ key, isComposing }) => key === "Enter" && !isComposing && take());
  knownWords(box, trained, (change) => {
    input.property("value", change(input.property("value").trim()));
    typed();
  });
  return ({ sentence }) => {
    drawPick(sentence);
    if (sentence === shown) return;
    shown = sentence;
    clearTimeout(due);
    hint.text("");
    say(null);
    if (words().join(" ") !== sentence) input.property("value", sentence);
  };
}

function picker(box, model, choose) {
  const label = box.append("label").attr("class", "pick");
  label.append("span").text("Pick a sentence");
  const list = label.append("select");
  list.on("change", ({ target }) => choose(target.value));
  return (sentence) => {
    const examples = model.get("examples");
    const options = examples.includes(sentence) ? examples : [sentence, ...examples];
    list.selectAll("option").data(options).join("option").attr("value", (text) => text).text((text) => text);
    list.property("value", sentence);
  };
}

// The field, with what Enter does beside its name, and below it what is wrong.
function field(box) {
  const id = uniqueName("sentence");
  const part = box.append("div").attr("class", "field");
  part.append("label").attr("for", id).text("or type one");
  const hint = part.append("span").attr("class", "hint").attr("id", `${id}-hint`);
  const input = part.append("input").attr("id", id).attr("type", "text").attr("enterkeyhint", "go");
  input.attr("autocapitalize", "off").attr("autocomplete", "off").attr("spellcheck", "false");
  input.attr("aria-describedby", `${id}-hint ${id}-help`);
  const help = part.append("div").attr("class", "help").attr("id", `${id}-help`).attr("role", "status");
  return { input, hint, help };
}

// What is wrong with these words, or null.
export function refusal(trained, words, example) {
  if (!words.length) return { text: `Type a sentence, such as “${example}”.` };
  if (words.length > MOST_WORDS) return { text: `The model has seen sentences of up to ${MOST_WORDS} words: leave some out.` };
  const unknown = unknownWords(trained, words);
  if (!unknown.length) return null;
  const names = unknown.slice(0, NAMED).map(({ word }) => `“${word}”`).join(", ") + (unknown.length > NAMED ? " …" : "");
  const [{ word, nearest }] = unknown;
  const like = unknown.length > 1 ? `“${word}”` : "it";
  const others = nearest.length ? `Spelt like ${like}:` : "All words that it knows are in the list below.";
  return { text: `The model does not know ${names}. ${others}`, word, nearest };
}

// What will happen to a sentence while it is typed.
export function hintOf(refused, enter) {
  if (refused) return refused.word ? `“${refused.word}” is not known yet` : "";
  return enter || "";
}

function drawHelp(help, refused, shown, exchange) {
  help.text("");
  if (!refused) return;
  help.append("span").text(refused.text);
  for (const other of refused.nearest ?? []) {
    help.append(() => document.createTextNode(" "));
    const button = help.append("button").attr("type", "button").attr("class", "plain").text(other);
    button.on("click", () => exchange(refused.word, other));
  }
  help.append(() => document.createTextNode(" "));
  help.append("span").attr("class", "still").text(`The old sentence is still shown: “${shown}”.`);
}

// All words under their first letters: [["a", ["along", "are"]], …]. An accent and an apostrophe make no other letter.
export function byLetter(words) {
  const bare = (word) => word.normalize("NFD").replace(/[^a-z]/g, "");
  const known = words.filter((word) => !/^<.+>$/.test(word)).sort((a, b) => (bare(a) < bare(b) ? -1 : 1));
  return [...Map.groupBy(known, (word) => bare(word)[0])];
}

// The list is made when it is first opened. `change` is given a function from what is in the field to what will be.
function knownWords(box, { source }, change) {
  const groups = byLetter(source);
  const part = box.append("div").attr("class", "known");
  const button = (parent, text, act) => parent.append("button").attr("type", "button").attr("class", "plain").text(text).on("click", act);
  const opener = button(part, `All ${groups.flatMap(([, words]) => words).length} words that it knows`, () => {
    const isOpen = opener.attr("aria-expanded") === "true";
    if (list.node().hasChildNodes()) list.attr("hidden", isOpen ? "" : null);
    else fill();
    opener.attr("aria-expanded", !isOpen);
  });
  opener.attr("class", "opener").attr("aria-expanded", false);
  const list = part.append("div");
  function fill() {
    list.append("p").text("Each is added to the field. ").call((line) => button(line, "Empty the field", () => change(() => "")));
    const letters = list.append("div").attr("class", "list");
    for (const [letter, words] of groups) {
      const group = letters.append("div").attr("role", "group").attr("aria-label", `words with ${letter}`);
      group.append("b").attr("aria-hidden", "true").text(letter);
      const row = group.append("span");
      for (const word of words) button(row, word, () => change((text) => `${text} ${word}`.trim()));
    }
  }
}
