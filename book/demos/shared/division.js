// Two sides of a question, and which operand makes how much of the difference between them: was, now, and a share for
// each. A card's shares add up to its difference exactly, whatever the rule:
//   a sum       by its terms; a product by what each factor's change does, averaged over all orders of changing them
//               (of two factors: Δ(ab) = ā Δb + b̄ Δa)
//   a softmax   by its log-odds: how far its own score rose, and the others, all stretched to the change of the share
//   ReLU, norm  by their secant: the change of what comes in, stretched to the change of what comes out
const sumOf = (numbers) => numbers.reduce((sum, one) => sum + one, 0);

// How much each factor contributes to Π now − Π was; a factor that one side lacks is 1 there.
export function ofProduct(now, was) {
  const count = Math.max(now.length, was.length);
  const [a, b] = [now, was].map((side) => Array.from({ length: count }, (_, i) => side[i] ?? 1));
  const parts = Array(count).fill(0);
  const orders = count === 1 ? 1 : permuted(a, b, parts, [], Array.from({ length: count }, (_, i) => i));
  if (count === 1) parts[0] = a[0] - b[0];
  return parts.map((part) => part / orders);
}

// Adds to `parts` what each factor changes when it is its turn, for every order of turns; returns how many there are.
function permuted(now, was, parts, changed, left) {
  if (!left.length) return 1;
  const others = (at) => now.reduce((product, value, i) => (i === at ? product : product * (changed.includes(i) ? value : was[i])), 1);
  let count = 0;
  const ways = (n) => (n < 2 ? 1 : n * ways(n - 1));
  for (const at of left) {
    parts[at] += (now[at] - was[at]) * others(at) * ways(left.length - 1);
    count += permuted(now, was, parts, [...changed, at], left.filter((one) => one !== at));
  }
  return count;
}

const keyOf = (label) => (typeof label === "string" ? label : JSON.stringify(label.part ?? label.at ?? label.number ?? label.head));

// The terms of both sides, each with its partner: a word by its place, a part by its name.
function pairsOf(now, was) {
  const partners = new Map(was.map((one) => [keyOf(one.label), one]));
  const pairs = now.map((one) => {
    const key = keyOf(one.label);
    const partner = partners.get(key) ?? null;
    partners.delete(key);
    return { now: one, was: partner };
  });
  return [...pairs, ...[...partners.values()].map((one) => ({ now: null, was: one }))];
}

const valuesOf = (term, count) => (term ? term.factors.map(({ value }) => value) : Array(count).fill(0));

// Terms by their factors, each times `stretch`. A divisor that differs is one more factor, whose part is `scaled`.
function byFactors(pairs, now, was, stretch = 1) {
  const [a, b] = [now, was].map(({ divisor = 1 }) => 1 / divisor);
  return pairs.map((pair) => {
    const count = (pair.now ?? pair.was).factors.length;
    const parts = ofProduct([...valuesOf(pair.now, count), a], [...valuesOf(pair.was, count), b]).map((part) => stretch * part);
    return { ...pair, parts: parts.slice(0, -1), scaled: parts.at(-1), share: sumOf(parts) };
  });
}

const secant = (now, was, [x, y], slope) => (x === y ? slope : (now - was) / (x - y));
const logit = (share) => Math.log(share / (1 - share));

function ofSoftmax(pairs, now, was) {
  const own = ({ now: one, was: other }) => (one ?? other).own;
  const isOpen = ({ hidden, terms }) => !hidden && terms.length > 1;
  const scores = (side) => pairs.map((pair) => pair[side]?.factors[0].value);
  const [a, b] = [scores("now"), scores("was")];
  // Powers of e over all scores but the own one, on both sides from one largest, so that they can be compared.
  const others = (all) => all.filter((score, i) => score !== undefined && !own(pairs[i]));
  const top = Math.max(...others(a), ...others(b));
  const power = (score) => (score === undefined ? 0 : Math.exp(score - top));
  const [sumA, sumB] = [a, b].map((all) => sumOf(others(all).map(power)));
  const rise = sumA === sumB ? 1 / sumA : (Math.log(sumA) - Math.log(sumB)) / (sumA - sumB);
  const at = pairs.findIndex(own);
  const odds = [a[at] - top - Math.log(sumA), b[at] - top - Math.log(sumB)];
  if (!isOpen(now) || !isOpen(was) || !odds.every(Number.isFinite)) return ofQuotient(pairs, now, was);
  const stretch = secant(now.value, was.value, odds, now.value * (1 - now.value));
  return pairs.map((pair, i) => {
    const share = stretch * (i === at ? a[at] - b[at] : -rise * (power(a[i]) - power(b[i])));
    return { ...pair, parts: [share], share };
  });
}

// Where there are no odds, since one side hides the word or has no other: a power of e, divided by the sum of all.
function ofQuotient(pairs, now, was) {
  if (!now.terms.length || !was.terms.length) return pairs.map((pair) => shared(pair, (pair.now ?? pair.was).own ? now.value - was.value : 0));
  const [sumA, sumB] = [now, was].map(({ terms }) => sumOf(terms.map(({ term }) => term)));
  const ownOf = ({ hidden, terms }) => (hidden ? 0 : terms.find(({ own }) => own).term);
  const [a, b] = [ownOf(now), ownOf(was)];
  return pairs.map((pair) => {
    const [termA, termB] = [pair.now?.term ?? 0, pair.was?.term ?? 0];
    let share = (-(a + b) / 2 / (sumA * sumB)) * (termA - termB);
    if ((pair.now ?? pair.was).own) share += ((a - b) * (1 / sumA + 1 / sumB)) / 2;
    return { ...pair, parts: [share], share };
  });
}

// γ (x − mean) ÷ spread + β, by its five operands; a norm that is switched off leaves x as it is.
function ofNorm(now, was) {
  const five = ({ rule, terms }) => {
    if (!terms.length) return [0, 0, Infinity, 0, 0]; // a word that this side does not have
    return rule === "norm" ? terms.map(({ term }) => term) : [terms[0].term, 0, 1, 1, 0];
  };
  const [a, b] = [five(now), five(was)];
  const bundle = ([x, middle, spread, gamma]) => [x - middle, 1 / spread, gamma];
  // What a change of x − mean by 1 does; it is shared with the other two factors.
  const [, overA, gammaA] = bundle(a);
  const [, overB, gammaB] = bundle(b);
  const slope = (overA * gammaA + overB * gammaB) / 3 + (overA * gammaB + overB * gammaA) / 6;
  const [, overs, gammas] = ofProduct(bundle(a), bundle(b));
  const shares = [(a[0] - b[0]) * slope, -(a[1] - b[1]) * slope, overs, gammas, a[4] - b[4]];
  const side = now.rule === "norm" ? now : was;
  return side.terms.map((one, i) => {
    const at = ({ rule, terms }) => (rule === "norm" ? terms[i] : i ? null : terms[0]);
    return { now: at(now), was: at(was), parts: [shares[i]], share: shares[i] };
  });
}

// { difference, shares: [{ now, was, share, parts, scaled }] }: the terms of both sides, and what each of their factors does.
export function division(now, was) {
  const difference = now.value - was.value;
  if (now.rule === "norm" || was.rule === "norm") return { difference, shares: ofNorm(now, was) };
  const pairs = pairsOf(now.terms, was.terms);
  if (now.rule === "softmax") return { difference, shares: ofSoftmax(pairs, now, was) };
  if (now.rule === "mean") return { difference, shares: byFactors(pairs, { divisor: now.terms.length }, { divisor: was.terms.length || now.terms.length }) };
  if (now.rule === "spread" || now.rule === "neuron") {
    const inside = [now, was].map(({ terms }) => sumOf(terms.map(({ term }) => term)));
    const slope = now.rule === "neuron" ? Number(inside[0] > 0) : 1 / (2 * now.value * now.terms.length);
    const stretch = secant(now.value, was.value, inside, slope);
    if (now.rule === "neuron") return { difference, shares: byFactors(pairs, now, was, stretch) };
    return { difference, shares: pairs.map((pair) => shared(pair, stretch * ((pair.now?.term ?? 0) - (pair.was?.term ?? 0)))) };
  }
  return { difference, shares: byFactors(pairs, now, was) };
}

const shared = (pair, share) => ({ ...pair, parts: [share], share });
