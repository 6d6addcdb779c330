// Where each tile of Row by row is, in pixels: first the words and the three products that make Q, K and V; then Q on
// the left, K upright above, V upright below, so that a word is one row and one column, and the outputs on the right.
const GAP = 14; // between two matrices
const NAMES = 64; // the words' room on the left
const UPRIGHT = 58; // and above
const CAPTION = 18;

// scene: "projections" or "attention". Returns { width, height, blocks: name -> { x, y, cell, transposed, rows, columns } }.
export function layout(scene, { words, x, query, value }, room) {
  const [n, d, k, v] = [words.length, x[0].length, query[0].length, value[0].length];
  return scene === "projections" ? projections(n, d, k, v, room) : attention(n, k, v, room);
}

const fit = (room, cells, fixed, most) => Math.max(11, Math.min(most, Math.floor((room - fixed) / cells)));

function projections(n, d, k, v, room) {
  const cell = fit(room, d + 2 * k + v, NAMES + 4 * GAP, Math.min(26, Math.floor(440 / (n + d))));
  const across = [k, k, v];
  const top = CAPTION;
  const bottom = top + d * cell + GAP + CAPTION;
  const blocks = { x: block(NAMES, bottom, cell, n, d) };
  let left = NAMES + d * cell + GAP;
  for (const [i, [w, made]] of [["w_q", "query"], ["w_k", "key"], ["w_v", "value"]].entries()) {
    blocks[w] = block(left, top, cell, d, across[i]);
    blocks[made] = block(left, bottom, cell, n, across[i]);
    left += across[i] * cell + GAP;
  }
  return { width: left, height: bottom + n * cell + 4, blocks, names: { y: bottom, cell } };
}

function attention(n, k, v, room) {
  const cell = fit(room, k + n + v, NAMES + 3 * GAP, Math.min(34, Math.floor(400 / (k + n + v))));
  const left = NAMES + k * cell + GAP;
  const top = UPRIGHT + CAPTION + k * cell + GAP;
  const right = left + n * cell + GAP;
  const below = top + n * cell + GAP + CAPTION - 6;
  return {
    width: right + v * cell + GAP,
    height: below + v * cell + 4,
    names: { y: top, cell },
    heads: { x: left, y: UPRIGHT, cell },
    blocks: {
      query: block(NAMES, top, cell, n, k),
      key: { ...block(left, UPRIGHT + CAPTION, cell, n, k), transposed: true },
      scores: block(left, top, cell, n, n),
      value: { ...block(left, below, cell, n, v), transposed: true },
      output: block(right, top, cell, n, v),
    },
  };
}

const block = (x, y, cell, rows, columns) => ({ x, y, cell, rows, columns, transposed: false });

// The upper left corner of a tile.
export const corner = ({ x, y, cell, transposed }, row, column) =>
  transposed ? [x + row * cell, y + column * cell] : [x + column * cell, y + row * cell];
