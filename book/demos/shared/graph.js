// Every number of a model's run as a node: its value, the rule that made it, and the numbers that went in.
//
// A node's name is array:row:column, short enough for an address. An array is named by its side with a number (d2: what
// the decoder computes when it writes word 2, counted from 0), what it holds, and the head: d2.q.0. A learned number is
// L.encoder.0.w_q:row:column. What the arrays of a model hold is said where they are made: nodes.js, gpt_nodes.js.
//
// A row may also be asked as a whole, along a direction: ~array:row is the sum of its numbers, each times the
// direction's. The direction comes from what was asked before, such as the column of a matrix, and a step down carries it
// along: whatever multiplies it is a factor of a term, so that a row along a direction is a sum of a few terms with
// names (a head, a word, a part of a layer) and not of 64 without. d1.l:1:82-149 is the logit of word 82 less that of 149.
const EPS = 1e-5;

const mean = (row) => row.reduce((sum, value) => sum + value, 0) / row.length;
const spread = (row) => {
  const middle = mean(row);
  return Math.sqrt(mean(row.map((value) => (value - middle) ** 2)) + EPS);
};

export function parse(id) {
  const [array, row = 0, place = "0"] = id.replace("~", "").split(":");
  const [column, rival] = place.split("-");
  const is = { isRow: id[0] === "~", ...(rival ? { rival: +rival } : {}) };
  if (array.startsWith("L.")) return { array, side: "L", key: array.slice(2), row: +row, column: +column, ...is };
  const [side, key = side, head] = array.split(".");
  const [, letters, turn] = side.match(/^(\D*)(\d*)/);
  return { array, side: letters, turn: turn === "" ? null : +turn, key, head: head === undefined ? null : +head, row: +row, column: +column, ...is };
}

// Name the numbers of an array's row: (row, c) -> its node.
export const inRow = (array) => (row, c) => `${array}:${row}:${c}`;
export const entry = (matrix, first = 0) => (c, column) => `L.${matrix}:${c}:${first + column}`;

export const dot = (row, direction) => row.reduce((sum, value, c) => sum + value * direction[c], 0);

// A matrix times a direction: the direction in which its rows have to be asked. Of a head, `first` is its first column.
const through = (matrix, direction, first = 0) =>
  matrix.map((row) => direction.reduce((sum, value, k) => sum + row[first + k] * value, 0));

const unit = (width, at) => Array.from({ length: width }, (_, c) => (c === at ? 1 : 0));

// The arrays of one run. Each is kept with its rows, with what made a number of it: (row, column) -> its rule, its terms,
// and of a sum its kind, for which number_words.js has the words; and with what made a row of it along a direction.
export function graphOf(parameters) {
  const arrays = new Map();

  // `rows` are an array of rows, or a function from a row's place to the row.
  function keep(name, rows, made, madeAlong, network) {
    arrays.set(name, { rowAt: typeof rows === "function" ? rows : (row) => rows[row], made, madeAlong, network });
  }

  function rowAt(array, row) {
    if (!array.startsWith("L.")) return arrays.get(array)?.rowAt(row);
    const numbers = parameters[array.slice(2)];
    return Array.isArray(numbers?.[0]) ? numbers[row] : numbers;
  }

  function value(id) {
    const { array, row, column, rival } = parse(id);
    const numbers = rowAt(array, row);
    return rival === undefined ? numbers?.[column] : numbers?.[column] - numbers?.[rival];
  }

  // A node is the name of a number, or a row and its direction: { id, direction }.
  function explain(node) {
    const { id, direction } = typeof node === "string" ? { id: node } : node;
    const at = parse(id);
    if (at.side === "L") return direction ? learnedRow(id, at, direction) : { id, ...at, value: value(id), rule: "learned", terms: [] };
    const { made, madeAlong } = arrays.get(at.array);
    if (!direction) return { id, ...at, value: value(id), ...made(at.row, at.column, at.rival) };
    return { id, direction, ...at, value: dot(rowAt(at.array, at.row), direction), ...madeAlong(at.row, direction) };
  }

  // A learned row along a direction: its numbers, each times the direction's.
  function learnedRow(id, at, direction) {
    const terms = direction.flatMap((value, c) => (value ? [term({ number: c + 1, of: direction.length }, `${at.array}:${at.row}:${c}`, { value })] : []));
    return { id, direction, ...at, value: dot(rowAt(at.array, at.row), direction), rule: "learned", terms };
  }

  // One summand: nodes whose values are multiplied; `over` divides. A number without a name is a fixed one.
  function term(label, ...ids) {
    const factors = ids.map((id) => (typeof id === "string" ? { id, value: value(id) } : id));
    return { label, factors, term: factors.reduce((product, one) => product * one.value, 1) };
  }

  const along = (array, row, direction) => ({ id: `~${array}:${row}`, direction, value: dot(rowAt(array, row), direction) });
  const over = (id) => ({ id, value: 1 / value(id), over: true });

  // The rows that a number is of or was made from, each with the direction in which it is that number; none at the bottom.
  // A score is one of two: of a query's row along the key, and of a key's along the query.
  function wholes(id) {
    const { array, row, column, rival } = parse(id);
    const kept = arrays.get(array);
    const { whole, kind, terms, divisor } = explain(id);
    if (whole) return whole;
    if (kind === "score") {
      return terms[0].factors.map((_, at) => {
        const [own, other] = [at, 1 - at].map((i) => parse(terms[0].factors[i].id));
        return along(own.array, own.row, rowAt(other.array, other.row).map((one) => one / divisor));
      });
    }
    return kept?.madeAlong && rival === undefined ? [along(array, row, unit(rowAt(array, row).length, column))] : [];
  }

  const numbered = (count, ids) => Array.from({ length: count }, (_, c) => term({ number: c + 1, of: count }, ...ids(c)));

  // Σ over c of row[c] · matrix[c][column], plus a bias: most of a Transformer. `whole` is the same by its row.
  const product = (from, weight, count, { bias, rule = "sum", whole } = {}) => (row, column) => {
    const terms = numbered(count, (c) => [from(row, c), weight(c, column)]);
    return { rule, kind: "product", terms: bias ? [...terms, term("bias", `L.${bias}:0:${column}`)] : terms, whole: whole?.(row, column) };
  };

  const columnOf = (matrix, column) => parameters[matrix].map((row) => row[column]);

  // The logits of a row: each from a number of the row `of`; of a pair, the one less the other.
  const votes = (of, weight, count, directionOf, bias) => {
    const single = product(inRow(of), weight, count, { bias, whole: (row, column) => [along(of, row, directionOf(column))] });
    return (row, column, rival) => {
      if (rival === undefined) return single(row, column);
      const [one, other] = [column, rival].map(directionOf);
      const { terms } = explain(along(of, row, one.map((value, c) => value - other[c])));
      if (bias) terms.push(term({ part: "biases" }, along(`L.${bias}`, 0, parameters[bias].map((_, c) => (c === column) - (c === rival)))));
      return { rule: "sum", kind: "pair", terms };
    };
  };

  const scores = (query, key, width, divisor) => (row, column) => {
    const terms = numbered(width, (c) => [`${query}:${row}:${c}`, `${key}:${column}:${c}`]);
    return { rule: "sum", kind: "score", terms, divisor };
  };

  // Over the scores of a row that are not hidden, one a label.
  const softmax = (of, labels, hides = () => false) => (row, column) => {
    const open = labels.flatMap((word, j) => (hides(row, j) ? [] : [{ ...term({ word, at: j }, `${of}:${row}:${j}`), own: j === column }]));
    const largest = Math.max(...open.map((one) => one.term));
    return { rule: "softmax", terms: open.map((one) => ({ ...one, term: Math.exp(one.term - largest) })), hidden: hides(row, column) };
  };

  // Each word's value times its weight.
  const mixture = (weights, values, labels) => (row, column) => {
    const terms = labels.map((word, j) => term({ word, at: j }, `${weights}:${row}:${j}`, `${values}:${j}:${column}`));
    return { rule: "sum", kind: "mixture", terms };
  };

  // The numbers at the same place of several arrays: { array: what its row of the card is called }.
  const sum = (kind, parts) => (row, column) => {
    const terms = Object.entries(parts).map(([array, part]) => term({ part }, `${array}:${row}:${column}`));
    return { rule: "sum", kind, terms };
  };

  const sumAlong = (kind, parts) => (row, direction) => {
    const terms = Object.entries(parts).map(([array, part]) => term({ part }, along(array, row, direction)));
    return { rule: "sum", kind: `row, ${kind}`, terms };
  };

  const keepSum = (name, rows, kind, parts) => keep(name, rows, sum(kind, parts), sumAlong(kind, parts));

  // A pair of numbers, rotated by the angle of its position.
  const rotation = (before) => (row, column) => {
    const even = column - (column % 2);
    const [a, b, sine, cosine] = [`${before}:${row}:${even}`, `${before}:${row}:${even + 1}`, `pos:${row}:${even}`, `pos:${row}:${even + 1}`];
    if (column % 2) return { rule: "sum", kind: "rotation", terms: [term({ part: "first" }, a, sine), term({ part: "second" }, b, cosine)] };
    return { rule: "sum", kind: "rotation", terms: [term({ part: "first" }, a, cosine), term({ part: "less second" }, b, sine, { value: -1 })] };
  };

  // The row before it was rotated, along the direction rotated back.
  const rotatedAlong = (before) => (row, direction) => {
    const angles = rowAt("pos", row);
    const back = direction.map((value, c) => (c % 2 ? value * angles[c] - direction[c - 1] * angles[c - 1] : value * angles[c + 1] + direction[c + 1] * angles[c]));
    return { rule: "sum", kind: "row, rotation", terms: [term({ part: "row" }, along(before, row, back))] };
  };

  // A word's learned vector, scaled, and its position's where the kind is "vector with position".
  function keepEmbedded(name, rows, kind, tokens, table, width) {
    const made = (vector, position) => {
      const scaled = { ...vector, times: Math.sqrt(width), factors: [...vector.factors, { value: Math.sqrt(width), isRoot: true }], term: Math.sqrt(width) * vector.term };
      return { rule: "sum", terms: kind === "vector with position" ? [scaled, position()] : [scaled] };
    };
    keep(name, rows, (row, column) => ({
      kind,
      ...made(term({ part: "vector" }, `L.${table}:${tokens[row]}:${column}`), () => term({ part: "position" }, `pos:${row}:${column}`)),
    }), (row, direction) => ({
      kind: `row, ${kind}`,
      ...made(term({ part: "vector" }, along(`L.${table}`, tokens[row], direction)), () => term({ part: "position" }, along("pos", row, direction))),
    }));
  }

  const keepPositions = (width, row) => keep("pos", row, (at, column) => {
    return { rule: "wave", terms: [], angle: at / 10000 ** ((column - (column % 2)) / width) };
  }, () => ({ rule: "wave", terms: [] }));

  // The norm n of a side, with the mean and the spread of each of its rows.
  function keepNorm(side, n, of, rows, output, layer, isOff = false) {
    const [means, spreads, width] = [`${side}.m${n}`, `${side}.d${n}`, rows[0].length];
    keep(means, (row) => rows[row] && [mean(rows[row])], (row) => ({ rule: "mean", terms: numbered(width, (c) => [`${of}:${row}:${c}`]) }));
    keep(spreads, (row) => rows[row] && [spread(rows[row])], (row) => {
      const middle = value(`${means}:${row}:0`);
      const terms = numbered(width, (c) => [`${of}:${row}:${c}`]);
      return { rule: "spread", terms: terms.map((one) => ({ ...one, term: (one.term - middle) ** 2 })) };
    });
    const [gamma, beta] = [`${layer}gamma${n}`, `${layer}beta${n}`];
    const parts = (row, direction) => explain(along(of, row, direction)).terms; // of the sum that the norm received
    if (isOff) {
      keep(`${side}.n${n}`, output, sum("no norm", { [of]: "same" }), (row, direction) => ({ rule: "sum", kind: "row, no norm", terms: parts(row, direction) }));
      return;
    }
    keep(`${side}.n${n}`, output, (row, column) => {
      const ids = { number: `${of}:${row}:${column}`, mean: `${means}:${row}:0`, spread: `${spreads}:${row}:0`, gamma: `L.${gamma}:0:${column}`, beta: `L.${beta}:0:${column}` };
      return { rule: "norm", terms: Object.entries(ids).map(([label, id]) => term(label, id)) };
    }, (row, direction) => {
      const stretched = direction.map((value, c) => value * parameters[gamma][c]);
      const middle = mean(stretched); // what takes the mean out of the direction takes it out of the row
      const centred = stretched.map((value) => value - middle);
      const divided = parts(row, centred).map(({ label, factors }) => term(label, ...factors, over(`${spreads}:${row}:0`)));
      return { rule: "sum", kind: "row, norm", terms: [...divided, term("beta", along(`L.${beta}`, 0, direction))] };
    });
  }

  // All heads of an attention: queries from the rows x, keys and values from memory. `find` is each head's rule.
  function keepAttention(prefix, { heads, output }, x, memory, layer, { labels, hides, divisor, silent = () => false, isRotated = false }) {
    const [width, headWidth] = [output[0].length, heads[0].query[0].length];
    const names = (letter, head) => `${prefix}${letter}.${head}`;
    const w_o = `${layer}w_o`;
    heads.forEach((head, i) => {
      const [q, k, v, s, w, o] = [..."qkvswo"].map((letter) => names(letter, i));
      const first = i * headWidth;
      const keepProjected = (name, rows, from, letter) => {
        const matrix = `${layer}w_${letter}`;
        keep(name, rows, product(inRow(from), entry(matrix, first), width, { whole: (row, column) => [along(from, row, columnOf(matrix, first + column))] }),
          (row, direction) => ({ rule: "sum", kind: "row, product", terms: [term({ part: "row" }, along(from, row, through(parameters[matrix], direction, first)))] }));
      };
      const keepTurned = (name, rows, before, turned, from, letter) => {
        keepProjected(before, rows, from, letter);
        keep(name, turned, rotation(before), rotatedAlong(before));
      };
      if (isRotated) {
        keepTurned(q, head.unrotated.query, names("uq", i), head.query, x, "q");
        keepTurned(k, head.unrotated.key, names("uk", i), head.key, memory, "k");
      } else {
        keepProjected(q, head.query, x, "q");
        keepProjected(k, head.key, memory, "k");
      }
      keepProjected(v, head.value, memory, "v");
      keep(s, head.scores, scores(q, k, headWidth, divisor));
      keep(w, head.weights, softmax(s, labels, hides));
      const off = () => ({ rule: "off", terms: [] });
      // What a word offers along a direction is asked of its own row: what made its value is in the direction.
      const offers = (row, direction) => {
        const asked = through(parameters[`${layer}w_v`], direction, first);
        return { rule: "sum", kind: "row, mixture", terms: labels.map((word, j) => term({ word, at: j }, `${w}:${row}:${j}`, along(memory, j, asked))) };
      };
      keep(o, head.output, silent(i) ? off : mixture(w, v, labels), silent(i) ? off : offers);
    });
    const piece = (row, c) => `${names("o", Math.floor(c / headWidth))}:${row}:${c % headWidth}`;
    keep(`${prefix}a`, output, product(piece, entry(w_o), width), (row, direction) => {
      const asked = through(parameters[w_o], direction);
      const terms = heads.map((_, i) => term({ head: i }, along(names("o", i), row, asked.slice(i * headWidth, (i + 1) * headWidth))));
      return { rule: "sum", kind: "row, heads", terms };
    });
  }

  function keepFeedForward(side, { hidden, output }, from, layer) {
    const [width, neurons] = [output[0].length, hidden[0].length];
    const [w1, b1, w2, b2] = ["w1", "b1", "w2", "b2"].map((name) => layer + name);
    const cells = `${side}.h`;
    keep(cells, hidden, product(inRow(from), entry(w1), width, { bias: b1, rule: "neuron" }), (row, direction) => {
      const neuron = direction.indexOf(1);
      return { rule: "neuron", kind: "row, product", terms: [term({ part: "row" }, along(from, row, columnOf(w1, neuron))), term("bias", `L.${b1}:0:${neuron}`)] };
    });
    keep(`${side}.f`, output, product(inRow(cells), entry(w2), neurons, { bias: b2 }), (row, direction) => {
      const says = through(parameters[w2], direction);
      const terms = says.map((value, c) => term({ number: c + 1, of: neurons }, `${cells}:${row}:${c}`, { value }));
      return { rule: "sum", kind: "row, neurons", terms: [...terms, term("bias", along(`L.${b2}`, 0, direction))] };
    }, { from, w1, b1, w2 });
  }

  // What a feed-forward network's neurons hold before ReLU, what each of them says along the direction of a node of its
  // output, and whose row they read; null for any other node.
  function networkOf({ id, direction }) {
    const { array, row } = parse(id);
    const { network } = arrays.get(array) ?? {};
    if (!network || !direction) return null;
    const { from, w1, b1, w2 } = network;
    const came = rowAt(from, row);
    const before = parameters[b1].map((bias, c) => came.reduce((sum, value, r) => sum + value * parameters[w1][r][c], bias));
    const readAlong = (weights) => through(parameters[w1], weights); // a weight a neuron -> the direction of the row that they read
    return { before, says: through(parameters[w2], direction), from, row, readAlong };
  }

  const exists = (id) => value(id) !== undefined && !Number.isNaN(value(id));
  const matrix = (name) => parameters[name];
  return { value, explain, exists, matrix, along, wholes, networkOf, keep, keepSum, keepEmbedded, keepPositions, keepNorm, keepAttention, keepFeedForward, softmax, votes };
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
