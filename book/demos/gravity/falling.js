// What Gravity computes and says: where the words of two sentences are when self-attention was applied so many times.
import { dot, matmul, softmax, transpose } from "../shared/attention.js";
import { near, percent } from "../shared/numbers.js";
import { distance } from "./plane.js";

export const SENTENCES = { money: ["money", "bank", "grows"], river: ["river", "bank", "flows"] };
export const NAMES = Object.keys(SENTENCES);
// Words that may join a sentence, and where they come in.
export const TRAY = { loan: [1.75, 0.25], deposit: [1.5, -0.25], boat: [0.25, 1.75], fish: [-0.25, 1.5] };
export const BANK = 1; // its place in both
const OTHER = { money: "river", river: "money" };

export const MOST = 50; // steps; the trait in Python has the same limit
const TOGETHER = 0.01; // nearer than that, words count as fallen together

// Self-attention with nothing learned: the rows of x ask, answer and are mixed.
export function selfAttention(x) {
  const weights = matmul(x, transpose(x)).map((row) => softmax(row));
  return { x, weights, output: matmul(weights, x) };
}

export const guestsOf = ({ guests = [] }, name) => guests.filter(([, sentence]) => sentence === name);

export const wordsOf = (state, name) => [...SENTENCES[name], ...guestsOf(state, name).map(([word]) => word)];

// Where the words of a sentence are as given, and after each of the state's steps.
export function stations(state, name) {
  const given = [...SENTENCES[name].map((word) => state[word]), ...guestsOf(state, name).map(([, , x, y]) => [x, y])];
  const all = [given];
  for (let step = 0; step < state.steps; step++) all.push(selfAttention(all.at(-1)).output);
  return all;
}

// The words of a sentence where they are after the state's steps, and what the next step makes of them.
export function look(state, name = state.sentence) {
  return { words: wordsOf(state, name), ...selfAttention(stations(state, name).at(-1)) };
}

// e^(x·y) = e^(½|x|²) · e^(½|y|²) · e^(−½|x−y|²). The first factor is the same in a whole row, so softmax loses it:
// each weight is a mass times a pull, over the sum of them.
export function massAndPull(x, i) {
  const mass = x.map((other) => Math.exp(dot(other, other) / 2));
  const pull = x.map((other) => Math.exp(-(distance(x[i], other) ** 2) / 2));
  return { mass, pull };
}

export const largestDistance = (x) => Math.max(...x.flatMap((one) => x.map((other) => distance(one, other))));

const isTogether = ({ x }) => largestDistance(x) < TOGETHER;

// Nothing is left to apply attention to, or it was applied often enough.
export const isOver = (state) =>
  state.steps >= MOST || NAMES.every((name) => isTogether(look(state, name)));

export const describe = (state) => (state.steps ? describeLater(state) : describeStart(state)).join(" ");

function describeStart(state) {
  const [view, other] = bothViews(state);
  const what = `“bank” ${takes(view)}: it ${moves(view)}.`;
  if (largestDistance(view.x) === 0) return [what, "All words are in one place, so nothing can pull them away."];
  const pairs = view.x.flatMap((a, i) => view.x.slice(0, i).flatMap((b, j) => (distance(a, b) === 0 ? [[j, i]] : [])));
  if (!pairs.length) return [what, `In ${quoted(other)} the same vector ${moves(other)}.`];
  const [one, two] = pairs[0].map((i) => `“${view.words[i]}”`);
  return [what, `${one} and ${two} are in one place: their rows are the same, and they move together.`];
}

function describeLater(state) {
  const [view, other] = bothViews(state);
  const steps = `After ${state.steps} step${state.steps > 1 ? "s" : ""}`;
  if (isTogether(view) && isTogether(other)) return [`${steps} the words of each sentence ${FALLEN}.`];
  if (isTogether(view)) return [`${steps} ${apart(view)}`, apart(other)];
  const next = state.steps < MOST ? `Next, “bank” ${moves(view)}.` : `This demo goes no further than ${MOST} steps.`;
  return [`${steps} ${apart(view)}`, next];
}

const bothViews = (state) => [look(state), look(state, OTHER[state.sentence])];

const quoted = ({ words }) => `“${words.join(" ")}”`;

const FALLEN = "have fallen together: they are less than 0.01 apart";

function apart(view) {
  const state = isTogether(view) ? FALLEN : `are up to ${near(largestDistance(view.x))} apart`;
  return `the words of ${quoted(view)} ${state}.`;
}

const place = (vector) => `[${vector.map(near).join(",\u00a0")}]`;

function moves({ words, x, weights, output }) {
  const far = distance(x[BANK], output[BANK]);
  if (far < 1e-9) return `stays at ${place(x[BANK])}`;
  if (far < 1e-2) return `hardly moves from ${place(x[BANK])}`;
  const goals = towards({ x, weights }, BANK).map((j) => `“${words[j]}”`);
  return `moves to ${place(output[BANK])}, towards ${goals.join(" and ")}`;
}

function takes({ words, x, weights }) {
  if (isOrigin(x[BANK])) return "is at the origin: its score with every word is 0, so it takes as much from each";
  const from = words.map((word, j) => `${percent(weights[BANK][j])} from ${j === BANK ? "itself" : `“${word}”`}`);
  return `takes ${from.slice(0, -1).join(", ")} and ${from.at(-1)}`;
}

const isOrigin = (place) => place.every((value) => value === 0);

// A word moves by the sum of its weights, each times a way to go, so it goes to the side of the largest.
export function towards({ x, weights }, i) {
  const shares = x.map((other, j) => weights[i][j] * distance(x[i], other));
  return x.flatMap((_, j) => (Math.max(...shares) - shares[j] < 1e-9 ? [j] : []));
}
