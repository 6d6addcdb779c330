// A question with two sides: a number now, in one run of the model, and what it was in another, or nothing to compare
// with. A trail leads down from it; each of its steps is a pair of nodes, since the other side may have another word there.
import { division } from "./division.js";
import { parse } from "./graph.js";

const NOTHING = 1e-12; // what only rounding leaves

const zero = (made) => ({ ...made, value: 0, terms: [], hidden: true });

// `was` is null where nothing is compared.
export function sidesOf(now, was = null) {
  const explained = new WeakMap(); // a step down asks for the numbers above it again
  const reached = new Map(); // the way from the top -> its pair

  // What a pair of nodes is made of: { now, was, difference, shares: [{ now, was, share, parts }, …] }; of one side alone,
  // which has no difference, each term's share is the term.
  function explain(pair) {
    if (!explained.has(pair)) explained.set(pair, divided(pair));
    return explained.get(pair);
  }

  function divided(pair) {
    const made = now.explain(pair.now);
    if (!was) return { now: made, was: null, shares: made.terms.map((one) => ({ now: one, share: one.term })) };
    const other = pair.was ? was.explain(pair.was) : zero(made);
    return { now: made, was: other, ...division(made, other) };
  }

  // The rows that a pair of numbers is of, or was made from, as pairs with one direction for both sides.
  function wholes(pair) {
    if (pair.now.direction) return networked(pair);
    const mine = now.wholes(pair.now.id);
    const theirs = was && pair.was ? was.wholes(pair.was.id) : [];
    return mine.map((one, i) => {
      if (!theirs[i]) return projected({ now: one, was: null });
      const isScore = now.explain(pair.now).kind === "score";
      return projected(both(one.id, theirs[i].id, isScore ? middle(pair, i) : one.direction));
    });
  }

  const along = (graph, id, direction) => {
    const { array, row } = parse(id);
    return graph.along(array, row, direction);
  };

  const both = (mine, theirs, direction) => ({ now: along(now, mine, direction), was: theirs ? along(was, theirs, direction) : null });

  // A query's or a key's row is asked of the row that it was made from.
  function projected(pair) {
    const made = explain(pair);
    if (made.now.terms.length !== 1 || !/product|rotation/.test(made.now.kind)) return pair;
    const [row] = made.now.terms[0].factors;
    return projected(both(row.id, made.was?.terms.length && pair.was ? made.was.terms[0].factors[0].id : null, row.direction));
  }

  // A whole feed-forward network as a direction of the row that it read: each neuron's slope is 1 where it was awake on
  // both sides, 0 where it slept on both, and else the secant between the two.
  function networked(pair) {
    const [mine, theirs] = [now.networkOf(pair.now), was && pair.was ? was.networkOf(pair.was) : null];
    if (!mine) return [];
    const relu = (value) => Math.max(0, value);
    const slope = (a, b = a) => (a === b ? Number(a > 0) : (relu(a) - relu(b)) / (a - b));
    const weights = mine.says.map((value, i) => value * slope(mine.before[i], theirs?.before[i]));
    const id = `~${mine.from}:${mine.row}`;
    return [both(id, theirs && id, mine.readAlong(weights))];
  }

  // What a change of the query by 1 does to a score, number by number: the key, in the middle of both sides.
  function middle({ now: id, was: other }, at) {
    const [a, b] = [now.explain(id), was.explain(other)];
    const keys = [a, b].map(({ terms }) => terms.map(({ factors }) => factors[1 - at].value));
    const [p, q] = [1 / a.divisor, 1 / b.divisor];
    return keys[0].map((key, c) => (key * p + keys[1][c] * q) / 3 + (key * q + keys[1][c] * p) / 6);
  }

  // The pairs of a trail, as far as there are such numbers.
  function resolve(trail) {
    const pairs = [];
    for (const [i, id] of trail.entries()) {
      const way = trail.slice(0, i + 1).join();
      if (!reached.has(way)) reached.set(way, (pairs.length && below(pairs.at(-1), id)) || at(id));
      if (!reached.get(way)) break;
      pairs.push(reached.get(way));
    }
    return pairs;
  }

  // A number wherever it stands; a row only below a number.
  const at = (id) => (id[0] !== "~" && now.exists(id) ? { now: { id }, was: was?.exists(id) ? { id } : null } : null);

  function below(pair, id) {
    const made = explain(pair);
    let found = null; // a spread is in several terms, of which the other side may not have one
    for (const { now: mine, was: theirs } of made.shares) {
      const i = mine?.factors.findIndex((one) => one.id === id) ?? -1;
      if (i >= 0 && !found?.was) found = { now: mine.factors[i], was: theirs?.factors[i] ?? null };
    }
    return found ?? most(wholes(pair).filter((one) => one.now.id === id)); // a word that looks at itself has two
  }

  const change = (row) => (row.was ? row.now.value - row.was.value : row.now.value);

  // The row that changes most, of equals the last: a score on one side alone is all of either row.
  const most = (rows) => rows.reduce((best, row) => (best && Math.abs(change(row)) < Math.abs(change(best)) - NOTHING ? best : row), null);

  // Where most of the difference comes in, or of one side alone, most of the value: the next step down; null at the
  // bottom. A number that a whole row made is followed by the row: by single numbers, most of it would be left behind.
  function largest(pair) {
    const made = explain(pair);
    if (made.now.rule === "learned") return null;
    const rows = wholes(pair);
    if (rows.length) {
      const row = most(rows);
      return Math.abs(change(row)) > NOTHING ? row.now.id : null; // else a part that is switched off made all of it
    }
    const operands = made.was ? made.shares.flatMap(({ now: one, parts }) => (one ? sized(one, parts) : [])) : made.now.terms.flatMap(own);
    const first = operands.reduce((best, one) => (Math.abs(one.size) > Math.abs(best?.size ?? 0) ? one : best), null);
    return Math.abs(first?.size ?? 0) > NOTHING ? first.id : null;
  }

  const sized = ({ factors }, parts) => factors.flatMap(({ id }, i) => (id ? [{ id, size: parts[i] }] : []));

  // Of one side: what was computed rather than learned, and a row before the number that it is multiplied with.
  function own({ factors, term, own: isOwn }) {
    const open = factors.filter(({ id, over }) => id && !over);
    const first = open.find(({ direction }) => direction) ?? open.find(({ id }) => !/^~?L\./.test(id)) ?? open[0];
    return first ? [{ id: first.id, size: isOwn ? Infinity : term }] : [];
  }

  // How much of the first difference comes in over a trail: at each step, the operand's own share of the card above.
  function carried(trail) {
    const pairs = resolve(trail);
    return pairs.slice(1).reduce((all, pair, i) => all * shareOf(pairs[i], pair), 1);
  }

  function shareOf(above, pair) {
    const { difference, shares } = explain(above);
    const whole = wholes(above).find(({ now: row }) => row.id === pair.now.id);
    const parts = shares.flatMap(({ now: one, parts: of }) => (one ? one.factors.flatMap(({ id }, i) => (id === pair.now.id ? [of[i]] : [])) : []));
    if (!parts.length && !whole) return 0; // it was opened from elsewhere
    const own = parts.length ? parts.reduce((sum, part) => sum + part, 0) : whole.now.value - (whole.was?.value ?? 0);
    return own / difference;
  }

  return { explain, resolve, wholes, largest, carried };
}
