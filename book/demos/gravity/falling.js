// What Gravity computes and says: where the words of two sentences are when self-attention was applied so many times.
import { dot, matmul, softmax, transpose } from "../shared/attention.js";
import { long, percent, vector } from "../shared/numbers.js";
import { distance } from "./plane.js";

export const SENTENCES = { money: ["money", "bank", "grows"], river: ["river", "bank", "flows"] };
export const BANK = 1; // its place in both
const OTHER = { money: "river", river: "money" };

export const MOST = 50; // steps; the trait in Python has the same limit
const TOGETHER = 0.01; // nearer than that, words count as fallen together

// Self-attention with nothing learned: the rows of x ask, answer and are mixed.
export function selfAttention(x) {
  const weights = matmul(x, transpose(x)).map((row) => softmax(row));
  return { x, weights, output: matmul(weights, x) };
}

// The words of a sentence where they are after the state's steps, and what the next step makes of them.
export function look(state, name = state.sentence) {
  const words = SENTENCES[name];
  let view = selfAttention(words.map((word) => state[word]));
  for (let step = 0; step < state.steps; step++) view = selfAttention(view.output);
  return { words, ...view };
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
  state.steps >= MOST || Object.keys(SENTENCES).every((name) => isTogether(look(state, name)));

export const describe = (state) => (state.steps ? describeLater(state) : describeStart(state)).join(" ");

function describeStart(state) {
  const [view, other] = bothViews(state);
  const what = `“bank” ${takes(view)}, and ${moves(view)}.`;
  const pairs = [[0, 1], [1, 2], [0, 2]].filter(([i, j]) => distance(view.x[i], view.x[j]) === 0);
  if (pairs.length === 3) return [what, "All three words are in one place, so nothing can pull them away."];
  if (!pairs.length) return [what, `In ${quoted(other)} the same vector ${moves(other)}.`, apart(view)];
  const [one, two] = pairs[0].map((i) => `“${view.words[i]}”`);
  return [what, `${one} and ${two} are in one place: their rows are the same, and they move together.`, apart(view)];
}

function describeLater(state) {
  const [view, other] = bothViews(state);
  const where = [view, other].map((some) => `at ${vector(some.x[BANK])} in ${quoted(some)}`);
  const what = `After ${state.steps} step${state.steps > 1 ? "s" : ""} “bank” is ${where.join(" and ")}.`;
  if (isTogether(view) && isTogether(other)) return [what, `In each sentence the words ${FALLEN}.`];
  if (isTogether(view)) return [what, apart(view), apart(other)];
  const next = state.steps < MOST ? `Next, “bank” ${moves(view)}.` : `This demo goes no further than ${MOST} steps.`;
  return [what, apart(view), next];
}

const bothViews = (state) => [look(state), look(state, OTHER[state.sentence])];

const quoted = ({ words }) => `“${words.join(" ")}”`;

const FALLEN = "have fallen together: they are less than 0.01 apart";

function apart(view) {
  const state = isTogether(view) ? FALLEN : `are up to ${long(largestDistance(view.x))} apart`;
  return `The words of ${quoted(view)} ${state}.`;
}

function moves({ words, x, weights, output }) {
  const far = distance(x[BANK], output[BANK]);
  if (far < 1e-9) return `stays at ${vector(x[BANK])}`;
  if (far < 1e-4) return `hardly moves from ${vector(x[BANK])}`;
  const goals = towards({ x, weights }, BANK).map((j) => `“${words[j]}”`);
  return `moves to ${vector(output[BANK])}, towards ${goals.join(" and ")}`;
}

function takes({ words, x, weights }) {
  if (isOrigin(x[BANK])) return "is at the origin: its score with every word is 0, so it takes a third from each";
  const from = words.map((word, j) => `${percent(weights[BANK][j])} from ${j === BANK ? "itself" : `“${word}”`}`);
  return `takes ${from[0]}, ${from[1]} and ${from[2]}`;
}

const isOrigin = (place) => place.every((value) => value === 0);

// A word moves by the sum of its weights, each times a way to go, so it goes to the side of the largest.
export function towards({ x, weights }, i) {
  const shares = x.map((other, j) => weights[i][j] * distance(x[i], other));
  return [0, 1, 2].filter((j) => Math.max(...shares) - shares[j] < 1e-9);
}
