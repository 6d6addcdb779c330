// What the page's engine says of questions with two sides, { sentence, against, off }: the ways that the largest change
// leads from the numbers in `follow`; and of all pairs on a random way down from each number in `walk`, how many there are
// and for each kind the worst: how far the shares are from the difference.
import { readFileSync } from "node:fs";
import { opened } from "../../book/demos/every_number/every_number.js";
import { textGraph } from "../../book/demos/gpt_numbers/gpt_nodes.js";
import { sidesOf } from "../../book/demos/shared/sides.js";
import { SOS, unpacked } from "../../book/demos/shared/transformer.js";

const { model, asked } = JSON.parse(readFileSync(0, "utf8"));
const trained = unpacked(model);

// Both sides of a contrast; of a translation, the other side is shown the words of this one.
function sidesFor({ sentence, against, off }) {
  if (!trained.parameters.source_embedding) {
    const [now, was] = [sentence, against].map((text) => text && textGraph(trained, [SOS, ...text.split(" ")]));
    return sidesOf(now, was);
  }
  const now = opened(trained, sentence, []);
  const tokens = now.run.written.map(({ token }) => token);
  return sidesOf(now.graph, against && opened(trained, against, off, tokens).graph);
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

function told(sides, pair) {
  const { now, was, shares } = sides.explain(pair);
  return { node: pair.now.id, other: pair.was?.id ?? null, now: now.value, was: was?.value ?? null, shares: was ? shares.map(({ share }) => share) : [] };
}

function followed(sides, node) {
  const trail = [node];
  for (let next = node; next && trail.length < 40; next = sides.largest(sides.resolve(trail).at(-1))) if (next !== node) trail.push(next);
  return sides.resolve(trail).map((pair) => told(sides, pair));
}

// Numbers from 0 to 1, the same for the same seed (mulberry32).
function drawing(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// The pairs below a pair: its operands, and the rows that it is of.
function below(sides, { shares }, pair) {
  const operands = shares.flatMap(({ now, was }) => (now?.factors ?? []).map((factor, i) => ({ now: factor, was: was?.factors[i] ?? null })));
  return [...operands.filter(({ now }) => now.id), ...sides.wholes(pair)];
}

// How far the shares, their parts and the terms are from what they should make, as a part of it or of 1.
function faults({ now, was, difference, shares }, pair) {
  const off = (a, b, size = 1) => Math.abs(a - b) / Math.max(1, Math.abs(b), size);
  const size = sum(shares.map(({ share }) => Math.abs(share)));
  const made = now.terms.length || was.terms.length ? [off(sum(shares.map(({ share }) => share)), difference, size)] : [];
  const parts = shares.map(({ parts, scaled = 0, share }) => off(sum(parts) + scaled, share));
  const row = pair.now.direction && now.rule === "sum" && now.terms.length ? [off(sum(now.terms.map(({ term }) => term)), now.value)] : [];
  return Math.max(...made, ...parts, ...row, 0);
}

function walked(sides, nodes, random, seen) {
  for (const node of nodes) {
    let [pair] = sides.resolve([node]);
    for (let depth = 0; pair && depth < 30; depth++) {
      const made = sides.explain(pair);
      const fault = faults(made, pair);
      seen.count++;
      const kind = pair.now.id.split(":")[0].replace(/\d/g, "") + (made.was.terms.length ? "" : ", alone");
      if (!(fault <= (seen.worst[kind]?.[0] ?? -1))) seen.worst[kind] = [fault, pair.now.id];
      const next = below(sides, made, pair);
      pair = next[Math.floor(random() * next.length)];
    }
  }
}

const random = drawing(28);
const seen = { count: 0, worst: {} };
const answers = asked.map((one) => {
  const sides = sidesFor(one);
  if (one.walk) walked(sides, one.walk, random, seen);
  return (one.follow ?? []).map((node) => followed(sides, node));
});
process.stdout.write(JSON.stringify({ answers, seen }));
