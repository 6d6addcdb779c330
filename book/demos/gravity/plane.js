// A plane with two axes of equal scale: where a vector is on the screen, what an arrow looks like, where a label fits.

// Both axes go this far, and the trait in Python with them. Little happens between words that point apart.
export const LOWEST = -1;
export const HIGHEST = 3;

export const OUTSIDE = 18; // pixels on the left and below: the numbers and names of the axes, which nothing covers
export const LARGEST = 0.36; // of a unit: the radius of the heaviest disc
const RIM_ROOM = 2; // pixels between a disc at the border and the edge of the ground

// A drag goes in steps that can still be read and checked by hand.
const STEPS_A_UNIT = 20;

const between = (lowest, value, highest) => Math.min(Math.max(value, lowest), highest);

const inside = (value) => between(LOWEST, value, HIGHEST);

// width: of the whole drawing, in pixels.
export function plane(width) {
  // Around the range there is room for the largest disc, so that none overhangs.
  const unit = (width - OUTSIDE - 2 * RIM_ROOM) / (HIGHEST - LOWEST + 2 * LARGEST);
  const side = (HIGHEST - LOWEST) * unit;
  const rim = LARGEST * unit + RIM_ROOM;
  const [left, top] = [OUTSIDE + rim, rim];
  const snap = (value) => inside(Math.round(value * STEPS_A_UNIT) / STEPS_A_UNIT);
  return {
    width,
    unit,
    height: width,
    holds: ([x, y]) => x >= 0 && x <= width && y >= 0 && y <= width,
    edges: { left, right: left + side, top, bottom: top + side },
    ground: { left: OUTSIDE, right: width, top: 0, bottom: width - OUTSIDE },
    toPixels: ([x, y]) => [left + (x - LOWEST) * unit, top + (HIGHEST - y) * unit],
    toVector: ([x, y]) => [snap((x - left) / unit + LOWEST), snap(HIGHEST - (y - top) / unit)],
  };
}

// Where a key moves a vector: a tenth, with Shift a half, and never out of the plane.
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export function nudge(key, shift, vector) {
  const by = shift ? 0.5 : 0.1;
  const whole = (value) => Math.round(value * 1e6) / 1e6; // 0.1 + 0.2 is to be 0.3
  return WAYS[key] ? vector.map((value, i) => inside(whole(value + by * WAYS[key][i]))) : null;
}

export const distance = (a, b) => Math.hypot(b[0] - a[0], b[1] - a[1]);

const along = (a, b, share) => [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];

// A spring from the edge of one disc to that of another, in pixels: six round turns, however long it is.
const TURNS = 6;
const BENDS = 10; // points of a turn

export function coil(a, b, gapA, gapB) {
  const length = distance(a, b);
  const free = length - gapA - gapB;
  if (free < 4) return "";
  const wide = Math.min(5, free / 6);
  const at = (share, across) => {
    const [x, y] = along(a, b, (gapA + share * free) / length);
    const [right, down] = [(b[1] - a[1]) / length, (a[0] - b[0]) / length];
    return `${(x + across * right).toFixed(1)} ${(y + across * down).toFixed(1)}`;
  };
  const bends = Array.from({ length: TURNS * BENDS - 1 }, (_, i) => {
    const share = (i + 1) / (TURNS * BENDS);
    return at(share, wide * Math.sin(2 * Math.PI * TURNS * share));
  });
  return `M${[at(0, 0), ...bends, at(1, 0)].join("L")}`;
}

// Around a dot, the most usual place for a label first; where it is crowded, farther out.
const SIDES = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1], [-1, 1]];
const FARTHER = [0, 20, 45, 90]; // pixels
const A_RING = 8;
const BACKWARDS = 10; // the price of the side that a label is to stay away from
const SHARES = Array.from({ length: 11 }, (_, i) => i / 10);
const RIM = 0.8; // of a disc's radius: about there a label begins to cover it
const AIR = 4; // between a label and a line, and between two labels side by side

// The centre of each label: inside the edges and beside its dot, off the other labels, off the dots and off the lines,
// as far as that can be had. away: from the middle of a dot to its label; sizes: width and height; lines: pairs of
// points.
// discs: what no label may cover, each with its dot and its size; headings: the side on which a label is wanted, or null.
export function placeLabels(dots, away, sizes, lines, edges, discs = [], headings = []) {
  const onDiscs = discs.flatMap(({ dot: [x, y], size }) => [[x, y], ...SIDES.map(([right, down]) => [x + RIM * right * size, y + RIM * down * size])]);
  const onLines = lines.flatMap(([a, b]) => SHARES.map((share) => along(a, b, share)));
  const placed = [];
  const cost = (box) => {
    const onBox = (points) => points.filter(([x, y]) => covers(box, x, y)).length;
    return 40 * placed.filter((other) => overlap(box, other)).length + 10 * onBox(dots) + 9 * onBox(onDiscs) + onBox(onLines);
  };
  dots.forEach((dot, i) => {
    const boxes = (more) =>
      SIDES.map((side) => ({ ...boxInside(edges, beside(dot, away[i] + more, sizes[i], side), sizes[i]), fee: fee(side, headings[i]) }));
    placed.push(cheapest(boxes, cost));
  });
  return placed.map(({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2]);
}

// A place farther out has a price, so most labels are placed before the crowded ones' boxes are looked at.
function cheapest(boxes, cost) {
  let best = { price: Infinity };
  for (const [ring, more] of FARTHER.entries()) {
    if (best.price <= A_RING * ring) break;
    for (const box of boxes(more)) {
      const price = cost(box) + box.fee + A_RING * ring;
      if (price < best.price) best = { box, price };
    }
  }
  return best.box;
}

function fee(side, heading) {
  const length = heading ? Math.hypot(...heading) : 0;
  if (!length) return 0;
  return (BACKWARDS * (1 - (side[0] * heading[0] + side[1] * heading[1]) / (Math.hypot(...side) * length))) / 2;
}

const beside = ([x, y], away, [width, height], [sideways, down]) => [
  x + sideways * (away + width / 2),
  y + down * (away + height / 2),
];

function boxInside(edges, [x, y], [width, height]) {
  const left = between(edges.left, x - width / 2, edges.right - width);
  const top = between(edges.top, y - height / 2, edges.bottom - height);
  return { left, right: left + width, top, bottom: top + height };
}

const covers = ({ left, right, top, bottom }, x, y) =>
  x > left - AIR && x < right + AIR && y > top - AIR && y < bottom + AIR;

const overlap = (a, b) => a.left < b.right + AIR && b.left < a.right + AIR && a.top < b.bottom && b.top < a.bottom;
