// Where each tile of Row by row is, in pixels: first the words and the three products that make Q, K and V; then Q on
// the left, K upright above, V upright below, so that a word is one row and one column, and the outputs on the right.
// Above each row of what a row is carried along there is a lane: in it the row comes to rest, number over number.
const CAPTION = 18;
const UPRIGHT = 58; // the words above the columns
const NARROW = 440; // pixels: there all is tighter
const [LARGEST_WIDTH, LARGEST_HEIGHT] = [40, 30];
const FLAT = 1.8; // a tile is at most so many times as wide as high
const LANE = 0.8; // of a tile's height

// scene: "projections" or "attention". Returns { width, height, blocks: name -> { x, y, cell, high, lane, transposed,
// rows, columns } }; width and height are those of the larger scene, so that nothing jumps between the two.
export function layout(scene, { words, x, query, value }, room) {
  const [n, d, k, v] = [words.length, x[0].length, query[0].length, value[0].length];
  const isNarrow = room < NARROW;
  const longest = Math.max(...words.map((word) => word.length));
  const aside = isNarrow ? Math.min(50, Math.max(28, 7.6 * longest + 8)) : 64;
  const space = { gap: isNarrow ? 5 : 14, names: Math.ceil(aside), tall: isNarrow ? 480 : 560, room };
  const both = { projections: projections(n, d, k, v, space), attention: attention(n, k, v, space) };
  const [width, height] = ["width", "height"].map((key) => Math.max(...Object.values(both).map((one) => one[key])));
  const { blocks, names, heads, width: own } = both[scene];
  const by = Math.floor((width - own) / 2);
  const shifted = Object.fromEntries(Object.entries(blocks).map(([name, one]) => [name, { ...one, x: one.x + by }]));
  return { width, height, blocks: shifted, names: { ...names, x: by, width: space.names - 4 }, heads: heads && { ...heads, x: heads.x + by } };
}

function sizes(across, rows, lanes, fixed, { room, tall }) {
  const high = Math.floor(Math.min(LARGEST_HEIGHT, (tall - fixed[1]) / (rows + lanes * LANE)));
  const cell = Math.max(11, Math.floor(Math.min(LARGEST_WIDTH, (room - fixed[0]) / across, FLAT * high)));
  const size = Math.max(9, Math.min(high, cell));
  return { cell, high: size, lane: Math.round(LANE * size) };
}

function projections(n, d, k, v, space) {
  const { gap, names } = space;
  const { cell, high, lane } = sizes(d + 2 * k + v, n + d, d, [names + 4 * gap, 2 * CAPTION + gap + 4], space);
  const across = [k, k, v];
  const top = CAPTION;
  const bottom = top + d * (high + lane) + gap + CAPTION;
  const plain = (x, y, rows, columns) => ({ x, y, cell, high, lane: 0, rows, columns, transposed: false });
  const blocks = { x: plain(names, bottom, n, d) };
  let left = names + d * cell + gap;
  for (const [i, [w, made]] of [["w_q", "query"], ["w_k", "key"], ["w_v", "value"]].entries()) {
    blocks[w] = { ...plain(left, top, d, across[i]), lane };
    blocks[made] = plain(left, bottom, n, across[i]);
    left += across[i] * cell + gap;
  }
  return { width: left, height: bottom + n * high + 4, blocks, names: { y: bottom, cell: high } };
}

function attention(n, k, v, space) {
  const { gap, names } = space;
  const { cell, high, lane } = sizes(k + n + v, k + n + v, k + v, [names + 3 * gap, UPRIGHT + 2 * CAPTION + 2 * gap], space);
  const left = names + k * cell + gap;
  const top = UPRIGHT + CAPTION + k * (high + lane) + gap;
  const right = left + n * cell + gap;
  const below = top + n * high + Math.max(gap, 9) + CAPTION - 6;
  const block = (x, y, rows, columns, others = {}) => ({ x, y, cell, high, lane: 0, rows, columns, transposed: false, ...others });
  return {
    width: right + v * cell + gap,
    height: below + v * (high + lane) + 4,
    names: { y: top, cell: high },
    heads: { x: left, y: UPRIGHT, cell },
    blocks: {
      query: block(names, top, n, k),
      key: block(left, UPRIGHT + CAPTION, n, k, { transposed: true, lane }),
      scores: block(left, top, n, n),
      value: block(left, below, n, v, { transposed: true, lane }),
      output: block(right, top, n, v),
    },
  };
}

// The upper left corner of a tile; its lane is above it.
export function corner({ x, y, cell, high, lane, transposed }, row, column) {
  const [across, down] = transposed ? [row, column] : [column, row];
  return [x + across * cell, y + down * (high + lane) + lane];
}

export const extent = ({ rows, columns, cell, high, lane, transposed }) =>
  transposed ? [rows * cell, columns * (high + lane)] : [columns * cell, rows * (high + lane)];

// Which tile is at a place of the drawing: [matrix, row, column], or null.
export function tileAt({ blocks }, [x, y]) {
  for (const [name, block] of Object.entries(blocks)) {
    const [across, down] = [Math.floor((x - block.x) / block.cell), Math.floor((y - block.y) / (block.high + block.lane))];
    const [row, column] = block.transposed ? [across, down] : [down, across];
    if (row >= 0 && column >= 0 && row < block.rows && column < block.columns) return [name, row, column];
  }
  return null;
}

// The row and the column that cross in a cell, and those that it was made of: { x, y, width, height } each.
const MADE_OF = { query: ["x", "w_q"], key: ["x", "w_k"], value: ["x", "w_v"], scores: ["query", "key"], output: ["scores", "value"] };

export function bandsOf([name, row, column], blocks) {
  const [left, other] = (MADE_OF[name] ?? []).map((one) => blocks[one]);
  const bands = [band(blocks[name], { row }), band(blocks[name], { column })];
  if (!left || !other) return bands;
  return [...bands, band(left, { row }), band(other, name === "scores" ? { row: column } : { column })];
}

// The tiles of one row or of one column.
function band(block, { row, column }) {
  const [x, y] = corner(block, row ?? 0, column ?? 0);
  const [rows, columns] = [row === undefined ? block.rows : 1, column === undefined ? block.columns : 1];
  const [across, down] = block.transposed ? [rows, columns] : [columns, rows];
  return { x: x - 1, y: y - 1, width: across * block.cell + 2, height: down * block.high + (down - 1) * block.lane + 2 };
}
