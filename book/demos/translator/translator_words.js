// What the Translator says of what it shows.
import { percent, share } from "../shared/numbers.js";
import { likeliest } from "../shared/next_words.js";
import { PARTS, nameOf } from "../shared/translator_parts.js";

const MOST_WORDS = 14; // of a translation
const PLACES = { encoder: "the encoder", decoder: "the decoder’s look back", cross: "the decoder’s look across" };

export function describe(seen, trained) {
  return [became(seen), seen.view === "next" ? chosenWord(seen, trained) : chosenWeight(seen)].join(" ");
}

function became({ sentence, now, whole, off }) {
  const [said, usual] = [now, whole].map(({ words }) => shortened(words) || "nothing at all");
  const isSame = String(now.words) === String(whole.words);
  if (!off.length) return `“${sentence}” becomes “${said}”.`;
  const without = `Without ${listed(off.map(partName))}`;
  if (isSame) return `${without} “${sentence}” still becomes “${said}”.${why(off)}`;
  return `${without} “${sentence}” becomes “${said}” instead of “${usual}”.`;
}

// A translation that has lost its way says the same again and again.
const shortened = (words) => words.slice(0, MOST_WORDS).join(" ") + (words.length > MOST_WORDS ? " …" : "");

// The mask is missed in training: the last word sees the same with it and without it.
const why = (off) =>
  String(off) === "mask" ? " Word by word there is nothing ahead to see; the mask is needed while a model learns." : "";

function partName(name) {
  const [place, , head] = name.split(".");
  return head === undefined ? PARTS[name] : `head ${head} of ${PLACES[place]}`;
}

export const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

function chosenWeight({ view, heads, head, row, column, rows, columns }) {
  const [from, to] = [rows[row], columns[column]].map(nameOf);
  const weight = share(heads[head].weights[row][column]);
  const first = view === "encoder" ? `“${from}” looks at “${to}” in` : `Before it writes “${from}”,`;
  const rest = view === "encoder" ? `, with weight ${weight}.` : ` puts weight ${weight} on “${to}”.`;
  return `${first} head ${head} of ${PLACES[view]}${rest}`;
}

function chosenWord({ now, row }, trained) {
  const { probabilities } = now.written[row];
  const [first, second] = likeliest(probabilities, 2).map((token) => [nameOf(trained.target[token]), probabilities[token]]);
  return `The next word is “${first[0]}” (${percent(first[1])}); the runner-up is “${second[0]}” (${percent(second[1])}).`;
}
