// A tree of words, from left to right: as wide an edge as a beginning is likely. Branches lie as close as they can.
import { between, glide } from "../shared/motion.js";

const HEIGHT = 380; // pixels, however many rows there are
const ROW = 44; // at most
const COLUMN = 64; // at least: room for a word
const DENSE = 32; // in a row lower than that a node has no room for its number

// Where each row of a preorder walk is: its depth, its parent's place in the walk, and y, in rows. A branch is as far
// down as the one above it makes it go, column by column, and a word is in the middle of those that follow it.
export function placed(rows) {
  const places = rows.map(({ depth }) => ({ depth, y: 0, parent: -1, children: [] }));
  const above = [];
  rows.forEach(({ depth }, i) => {
    above[depth] = i;
    if (!depth) return;
    places[i].parent = above[depth - 1];
    places[above[depth - 1]].children.push(i);
  });
  const edges = outline(places, 0);
  const top = Math.min(...edges.map(([first]) => first));
  const down = (i, by) => {
    places[i].y += by;
    places[i].children.forEach((child) => down(child, places[i].y));
  };
  down(0, 0.5 - top);
  const bottom = Math.max(...edges.map(([, last]) => last));
  return { places, rows: bottom - top + 1, deepest: Math.max(edges.length - 1, 1) };
}

// The first and the last row of a branch in each of its columns, counted from its own word, whose children get their
// places there.
function outline(places, i) {
  const { children } = places[i];
  const edges = [];
  for (const child of children) {
    const own = outline(places, child);
    const down = Math.max(...own.map(([first], column) => (edges[column] ? edges[column][1] + 1 - first : -Infinity)));
    places[child].y = Number.isFinite(down) ? down : 0;
    own.forEach(([first, last], column) => {
      edges[column] = [edges[column]?.[0] ?? first + places[child].y, last + places[child].y];
    });
  }
  const middle = children.length ? (places[children[0]].y + places[children.at(-1)].y) / 2 : 0;
  for (const child of children) places[child].y -= middle;
  return [[0, 0], ...edges.map((edge) => edge.map((row) => row - middle))];
}

// go(node) is told which word was clicked.
export function drawnTree(root, format, go) {
  const frame = root.append("div").attr("class", "frame").attr("tabindex", -1).attr("aria-hidden", "true"); // the table says the same
  const box = frame.append("div").attr("class", "drawn").style("height", `${HEIGHT}px`);
  const svg = box.append("svg");
  let at = new Map(); // where each word is now
  let stop = () => {};
  let redraw = () => {};
  const show = (data, greedy, points) => {
    at = new Map(data.map(({ node }, i) => [node, points[i]]));
    drawEdges(svg, data, greedy, points);
    box.selectAll("div.node").style("translate", (_, i) => `calc(${points[i][0]}px - 50%) calc(${points[i][1]}px - 50%)`);
  };
  // A new word grows out of the one that it follows, and the newest are in view.
  const draw = (rows, greedy) => {
    stop();
    const { clientWidth: room, scrollLeft: left } = frame.node();
    const { data, goals, width, isDense } = measured(rows, room);
    box.style("width", `${width}px`).classed("dense", isDense);
    drawNodes(box, data, format, go);
    const starts = data.map(({ node, parent }, i) => at.get(node) ?? at.get(data[parent]?.node) ?? goals[i]);
    show(data, greedy, starts);
    stop = glide((share) => {
      show(data, greedy, between(starts, goals, share));
      frame.node().scrollLeft = left + share * (Math.max(0, width - room) - left);
    });
  };
  new ResizeObserver(() => redraw()).observe(frame.node());
  return (rows, greedy) => {
    redraw = () => draw(rows, greedy);
    redraw();
  };
}

// The words with their places, and where each is to be, in pixels.
function measured(rows, room) {
  const { places, rows: height, deepest } = placed(rows);
  const column = Math.max(COLUMN, room / (deepest + 1));
  const row = Math.min(ROW, HEIGHT / height);
  const upper = (HEIGHT - row * height) / 2;
  const data = rows.map((one, i) => ({ ...one, ...places[i], isOver: one.word === "end" }));
  const goals = data.map(({ depth, y }) => [column * (depth + 0.5), upper + row * y]);
  return { data, goals, width: column * (deepest + 1), isDense: row < DENSE };
}

function drawNodes(box, data, format, go) {
  const node = box.selectAll("div.node").data(data, ({ node }) => node).join((enter) => enter.append("div").call((made) => {
    made.append("b");
    made.append("small");
  })).order();
  node.attr("class", ({ state, isOver }) => `node ${state}${isOver ? " over" : ""}`).on("click", (_, { node }) => go(node));
  node.select("b").text(({ word, isOver }) => (isOver ? "✓ end" : word));
  node.select("small").text(({ depth, total }) => (depth ? format(total) : ""));
}

function drawEdges(svg, data, greedy, points) {
  const edges = data.flatMap((one, i) => (one.depth ? [{ ...one, from: points[one.parent], to: points[i] }] : []));
  const path = ({ from: [x, y], to: [u, v] }) => `M${x} ${y}C${(x + u) / 2} ${y} ${(x + u) / 2} ${v} ${u} ${v}`;
  svg.selectAll("path.edge").data(edges).join("path").attr("class", ({ state }) => `edge ${state}`).attr("d", path)
    .style("stroke-width", ({ total }) => `${1.5 + 14 * Math.exp(total)}px`);
  svg.selectAll("path.greedy").data(edges.filter(({ node }) => greedy.has(node))).join("path").attr("class", "greedy").attr("d", path);
}
