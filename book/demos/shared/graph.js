// Every number of a model's run as a node: its value, the rule that made it, and the numbers that went in.
//
// A node's name is array:row:column, short enough for an address. An array is named by its side with a number (d2: what
// the decoder computes when it writes word 2, counted from 0), what it holds, and the head: d2.q.0. A learned number is
// L.encoder.0.w_q:row:column. What the arrays of a model hold is said where they are made: nodes.js, gpt_nodes.js.
const EPS = 1e-5;

const mean = (row) => row.reduce((sum, value) => sum + value, 0) / row.length;
const spread = (row) => {
  const middle = mean(row);
  return Math.sqrt(mean(row.map((value) => (value - middle) ** 2)) + EPS);
};

export function parse(id) {
  const [array, row = 0, column = 0] = id.split(":");
  if (array.startsWith("L.")) return { array, side: "L", key: array.slice(2), row: +row, column: +column };
  const [side, key = side, head] = array.split(".");
  const [, letters, turn] = side.match(/^(\D*)(\d*)/);
  return { array, side: letters, turn: turn === "" ? null : +turn, key, head: head === undefined ? null : +head, row: +row, column: +column };
}

// Name the numbers of an array's row: (row, c) -> its node.
export const inRow = (array) => (row, c) => `${array}:${row}:${c}`;
export const entry = (matrix, first = 0) => (c, column) => `L.${matrix}:${c}:${first + column}`;

// The arrays of one run. Each is kept with its rows and with what made a number of it: (row, column) -> its rule, its
// terms, and of a sum its kind, for which number_words.js has the words.
export function graphOf(parameters) {
  const arrays = new Map();

  // `rows` are an array of rows, or a function from a row's place to the row.
  function keep(name, rows, made) {
    arrays.set(name, { rowAt: typeof rows === "function" ? rows : (row) => rows[row], made });
  }

  function value(id) {
    const { array, side, key, row, column } = parse(id);
    if (side !== "L") return arrays.get(array)?.rowAt(row)?.[column];
    const numbers = parameters[key];
    return Array.isArray(numbers?.[0]) ? numbers[row]?.[column] : numbers?.[column];
  }

  function explain(id) {
    const at = parse(id);
    const made = at.side === "L" ? { rule: "learned", terms: [] } : arrays.get(at.array).made(at.row, at.column);
    return { id, ...at, value: value(id), ...made };
  }

  // One summand: nodes whose values are multiplied.
  function term(label, ...ids) {
    const factors = ids.map((id) => ({ id, value: value(id) }));
    return { label, factors, term: factors.reduce((product, one) => product * one.value, 1) };
  }

  const numbered = (count, ids) => Array.from({ length: count }, (_, c) => term({ number: c + 1, of: count }, ...ids(c)));

  // Σ over c of row[c] · matrix[c][column], plus a bias: most of a Transformer.
  const product = (from, weight, count, { bias, rule = "sum" } = {}) => (row, column) => {
    const terms = numbered(count, (c) => [from(row, c), weight(c, column)]);
    return { rule, kind: "product", terms: bias ? [...terms, term("bias", `L.${bias}:0:${column}`)] : terms };
  };

  const scores = (query, key, width, divisor) => (row, column) => {
    const terms = numbered(width, (c) => [`${query}:${row}:${c}`, `${key}:${column}:${c}`]);
    return { rule: "sum", kind: "score", terms, divisor };
  };

  // Over the scores of a row that are not hidden, one a label.
  const softmax = (of, labels, hides = () => false) => (row, column) => {
    const open = labels.flatMap((word, j) => (hides(row, j) ? [] : [{ ...term({ word }, `${of}:${row}:${j}`), own: j === column }]));
    const largest = Math.max(...open.map((one) => one.term));
    return { rule: "softmax", terms: open.map((one) => ({ ...one, term: Math.exp(one.term - largest) })), hidden: hides(row, column) };
  };

  // Each word's value times its weight.
  const mixture = (weights, values, labels) => (row, column) => {
    const terms = labels.map((word, j) => term({ word }, `${weights}:${row}:${j}`, `${values}:${j}:${column}`));
    return { rule: "sum", kind: "mixture", terms };
  };

  // The numbers at the same place of several arrays: { array: what its row of the card is called }.
  const sum = (kind, parts) => (row, column) => {
    const terms = Object.entries(parts).map(([array, part]) => term({ part }, `${array}:${row}:${column}`));
    return { rule: "sum", kind, terms };
  };

  // A pair of numbers, rotated by the angle of its position.
  const rotation = (before) => (row, column) => {
    const even = column - (column % 2);
    const [a, b, sine, cosine] = [`${before}:${row}:${even}`, `${before}:${row}:${even + 1}`, `pos:${row}:${even}`, `pos:${row}:${even + 1}`];
    if (column % 2) return { rule: "sum", kind: "rotation", terms: [term({ part: "first" }, a, sine), term({ part: "second" }, b, cosine)] };
    const less = term({ part: "less second" }, b, sine);
    return { rule: "sum", kind: "rotation", terms: [term({ part: "first" }, a, cosine), { ...less, term: -less.term }] };
  };

  // A word's learned vector, scaled, and its position's where the kind is "vector with position".
  const embedded = (kind, tokens, table, width) => (row, column) => {
    const vector = term({ part: "vector" }, `L.${table}:${tokens[row]}:${column}`);
    const scaled = { ...vector, times: Math.sqrt(width), term: Math.sqrt(width) * vector.term };
    const position = kind === "vector with position" ? [term({ part: "position" }, `pos:${row}:${column}`)] : [];
    return { rule: "sum", kind, terms: [scaled, ...position] };
  };

  const keepPositions = (width, row) => keep("pos", row, (at, column) => {
    return { rule: "wave", terms: [], angle: at / 10000 ** ((column - (column % 2)) / width) };
  });

  // The norm n of a side, with the mean and the spread of each of its rows.
  function keepNorm(side, n, of, rows, output, layer, isOff = false) {
    const [means, spreads, width] = [`${side}.m${n}`, `${side}.d${n}`, rows[0].length];
    keep(means, (row) => rows[row] && [mean(rows[row])], (row) => ({ rule: "mean", terms: numbered(width, (c) => [`${of}:${row}:${c}`]) }));
    keep(spreads, (row) => rows[row] && [spread(rows[row])], (row) => {
      const middle = value(`${means}:${row}:0`);
      const terms = numbered(width, (c) => [`${of}:${row}:${c}`]);
      return { rule: "spread", terms: terms.map((one) => ({ ...one, term: (one.term - middle) ** 2 })) };
    });
    keep(`${side}.n${n}`, output, isOff ? sum("no norm", { [of]: "same" }) : (row, column) => {
      const ids = { number: `${of}:${row}:${column}`, mean: `${means}:${row}:0`, spread: `${spreads}:${row}:0`, gamma: `L.${layer}gamma${n}:0:${column}`, beta: `L.${layer}beta${n}:0:${column}` };
      return { rule: "norm", terms: Object.entries(ids).map(([label, id]) => term(label, id)) };
    });
  }

  // All heads of an attention: queries from the rows x, keys and values from memory. `find` is each head's rule.
  function keepAttention(prefix, { heads, output }, x, memory, layer, { labels, hides, divisor, silent = () => false, isRotated = false }) {
    const [width, headWidth] = [output[0].length, heads[0].query[0].length];
    const names = (letter, head) => `${prefix}${letter}.${head}`;
    heads.forEach((head, i) => {
      const [q, k, v, s, w, o] = [..."qkvswo"].map((letter) => names(letter, i));
      const projected = (from, letter) => product(inRow(from), entry(`${layer}w_${letter}`, i * headWidth), width);
      const unrotated = [names("uq", i), names("uk", i)];
      if (isRotated) {
        keep(unrotated[0], head.unrotated.query, projected(x, "q"));
        keep(unrotated[1], head.unrotated.key, projected(memory, "k"));
      }
      keep(q, head.query, isRotated ? rotation(unrotated[0]) : projected(x, "q"));
      keep(k, head.key, isRotated ? rotation(unrotated[1]) : projected(memory, "k"));
      keep(v, head.value, projected(memory, "v"));
      keep(s, head.scores, scores(q, k, headWidth, divisor));
      keep(w, head.weights, softmax(s, labels, hides));
      keep(o, head.output, silent(i) ? () => ({ rule: "off", terms: [] }) : mixture(w, v, labels));
    });
    const piece = (row, c) => `${names("o", Math.floor(c / headWidth))}:${row}:${c % headWidth}`;
    keep(`${prefix}a`, output, product(piece, entry(`${layer}w_o`), width));
  }

  function keepFeedForward(side, { hidden, output }, from, layer) {
    const [width, neurons] = [output[0].length, hidden[0].length];
    keep(`${side}.h`, hidden, product(inRow(from), entry(`${layer}w1`), width, { bias: `${layer}b1`, rule: "neuron" }));
    keep(`${side}.f`, output, product(inRow(`${side}.h`), entry(`${layer}w2`), neurons, { bias: `${layer}b2` }));
  }

  const exists = (id) => value(id) !== undefined;
  const matrix = (name) => parameters[name];
  return { value, explain, exists, matrix, term, keep, keepPositions, keepNorm, keepAttention, keepFeedForward, product, softmax, sum, embedded };
}

// The value once more, from the operands alone.
export function recompute({ rule, terms, divisor = 1, angle, column, hidden }) {
  const total = terms.reduce((sum, { term }) => sum + term, 0);
  if (rule === "sum") return total / divisor;
  if (rule === "neuron") return Math.max(0, total);
  if (rule === "softmax") return hidden ? 0 : terms.find(({ own }) => own).term / total;
  if (rule === "mean") return total / terms.length;
  if (rule === "spread") return Math.sqrt(total / terms.length + EPS);
  if (rule === "wave") return column % 2 ? Math.cos(angle) : Math.sin(angle);
  if (rule === "off") return 0;
  if (rule === "norm") {
    const [number, of, by, gamma, beta] = terms.map(({ factors }) => factors[0].value);
    return (gamma * (number - of)) / by + beta;
  }
  return undefined; // learned
}

// The operand that had most to do with the value: of the largest term, what was computed rather than learned.
export function largest({ rule, terms }) {
  if (!terms.length) return null;
  const most = rule === "softmax" ? terms.find(({ own }) => own) ?? terms[0]
    : rule === "norm" ? terms[0] : terms.reduce((best, one) => (Math.abs(one.term) > Math.abs(best.term) ? one : best));
  return (most.factors.find(({ id }) => !id.startsWith("L.")) ?? most.factors[0]).id;
}
