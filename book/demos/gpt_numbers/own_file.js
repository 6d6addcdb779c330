// A file that attention/models/own_text.py wrote: checked, unpacked, and its tokens made visible, so that each is a word
// without a space and a text is its tokens with spaces between them, as in the model that is shipped.
import { EOS, PAD, SOS, unpacked } from "../shared/transformer.js";

const VERSION = 1;
const MOST = { tokens: 2000, layers: 2, width: 256, bytes: 8e6 };
const MOST_SHOWN = 32; // tokens of a text
const SEEN = { " ": "␣", "\n": "↵", "\t": "⇥", "\r": "␍" };

// What a file holds: { name, trained, examples, cut, plain, most }; an error says what is wrong with it.
export function readFile(text) {
  if (text.length > MOST.bytes) throw new Error(`That file has ${(text.length / 1e6).toFixed(0)} MB, too many: own_text writes less than ${MOST.bytes / 1e6}.`);
  const file = parsed(text);
  if (!file?.own_text) throw new Error("That is no file of own_text: choose one whose name ends in .gpt.json.");
  if (file.own_text !== VERSION) throw new Error(`That file is of version ${file.own_text}, and this page reads version ${VERSION}: write it again with the own_text.py of this course.`);
  const { tokens, layers, parameters, merges, examples, window, h } = file;
  const width = parameters?.gamma?.vector?.length;
  for (const [what, count] of Object.entries({ tokens: tokens?.length, layers, width })) {
    if (count > MOST[what]) throw new Error(`That model is too large: ${what} ${count.toLocaleString("en")}, and this page shows up to ${MOST[what].toLocaleString("en")}.`);
  }
  const isWhole = [tokens, merges, examples].every(Array.isArray) && tokens.length > 1 && width % (2 * h) === 0 && window > 0;
  const broken = isWhole ? wrong(parameters, layers, width, tokens.length) : "its sizes";
  if (broken) throw new Error(`That file is damaged (${broken}): run own_text once more.`);
  const words = visible(tokens);
  const cut = (typed) => cutBy(merges, typed).map((symbol) => words[tokens.indexOf(symbol)] ?? symbol);
  const most = Math.min(window, MOST_SHOWN);
  const offered = examples.map(cut).filter((one) => one.length && one.length <= most);
  return {
    name: file.name,
    trained: unpacked({ h, layers, source: words, target: words, parameters }),
    examples: (offered.length ? offered : [[words[1]]]).map((one) => one.join(" ")),
    cut,
    plain: (sentence) => sentence.split(" ").map((word) => tokens[words.indexOf(word)]).join(""),
    most,
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// The first parameter that is not there, or not of its size.
function wrong(parameters, layers, d, count) {
  const sizes = { embedding: [count, d], gamma: [d], beta: [d] };
  const wide = (parameters["layer.0.b1"]?.vector ?? []).length;
  const layer = { w_q: [d, d], w_k: [d, d], w_v: [d, d], w_o: [d, d], w1: [d, wide], w2: [wide, d], b1: [wide], b2: [d], gamma1: [d], beta1: [d], gamma2: [d], beta2: [d] };
  for (let i = 0; i < layers; i++) for (const [name, size] of Object.entries(layer)) sizes[`layer.${i}.${name}`] = size;
  const fits = ({ vector, scales, data } = {}, [rows, columns]) =>
    columns === undefined ? vector?.length === rows && vector.every(Number.isFinite)
    : scales?.length === rows && scales.every(Number.isFinite) && data?.replace(/=+$/, "").length === Math.ceil((rows * columns * 4) / 3);
  return layers >= 1 && Object.keys(sizes).find((name) => !fits(parameters[name], sizes[name]));
}

// What is seen of each token: no two are the same, and none is one of the names that a model's own tokens have.
function visible(tokens) {
  const taken = new Set([PAD, SOS, EOS]);
  return tokens.map((token, i) => {
    let word = i ? token.replace(/[ \n\t\r]/g, (sign) => SEEN[sign]) : SOS;
    while (i && taken.has(word)) word += "′";
    taken.add(word);
    return word;
  });
}

// A text in symbols, by merges in the order in which they were learned; a word keeps the space in front of it.
export function cutBy(merges, text) {
  return (text.match(/ ?[^ ]+| /g) ?? []).flatMap((word) => merges.reduce((symbols, [first, second]) => {
    const cut = [];
    for (let i = 0; i < symbols.length; i++) cut.push(symbols[i] === first && symbols[i + 1] === second ? first + symbols[++i] : symbols[i]);
    return cut;
  }, [...word]));
}

// What is wrong with a text that was typed, or null.
export function refused({ trained, cut, most }, typed) {
  const words = cut(typed);
  const unknown = words.find((word) => !trained.target.includes(word));
  if (unknown) return `“${unknown}” is not in the text that this model has read: leave it out.`;
  if (!words.length) return "Type how a text may begin.";
  return words.length > most ? `These are ${words.length} tokens, and the page shows up to ${most}: leave some out.` : null;
}
