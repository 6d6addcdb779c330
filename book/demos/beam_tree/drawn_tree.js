// A tree of words, from left to right: as wide an edge as a beginning is likely, one row for each end.
const HEIGHT = 40; // pixels for each row

// Where each row of a preorder walk is: its depth, and a place between the first and the last end below it.
export function placed(rows) {
  const places = rows.map(({ depth }) => ({ depth, y: null, parent: -1, ends: [] }));
  const above = [];
  let ends = 0;
  rows.forEach(({ depth }, i) => {
    above.length = depth;
    places[i].parent = depth ? above[depth - 1] : -1;
    above[depth] = i;
    const isEnd = i + 1 === rows.length || rows[i + 1].depth <= depth;
    if (!isEnd) return;
    for (const over of above) places[over].ends.push(ends);
    ends += 1;
  });
  for (const place of places) place.y = (place.ends[0] + place.ends.at(-1)) / 2 + 0.5;
  return { places, ends, deepest: Math.max(...rows.map(({ depth }) => depth), 1) };
}

export function drawnTree(root, format) {
  const box = root.append("div").attr("class", "drawn").attr("aria-hidden", "true"); // the table says the same
  const svg = box.append("svg").attr("preserveAspectRatio", "none");
  return (rows, greedy) => {
    const { places, ends, deepest } = placed(rows);
    const x = (depth) => (100 * (depth + 0.5)) / (deepest + 1);
    box.style("height", `${ends * HEIGHT}px`);
    svg.attr("viewBox", `0 0 100 ${ends}`);
    const edges = rows.flatMap((row, i) => (row.depth ? [{ ...row, from: places[places[i].parent], to: places[i] }] : []));
    const path = ({ from, to }) => {
      const [start, end] = [x(from.depth), x(to.depth)];
      const middle = (start + end) / 2;
      return `M${start} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${end} ${to.y}`;
    };
    svg.selectAll("path.edge").data(edges).join("path").attr("class", ({ state }) => `edge ${state}`).attr("d", path)
      .style("stroke-width", ({ total }) => `${1.5 + 14 * Math.exp(total)}px`);
    svg.selectAll("path.greedy").data(edges.filter(({ node }) => greedy.has(node))).join("path").attr("class", "greedy").attr("d", path);
    const nodes = rows.map((row, i) => ({ ...row, ...places[i], isOver: row.word === "end" }));
    const node = box.selectAll("div.node").data(nodes).join((enter) => enter.append("div").call((made) => {
      made.append("b");
      made.append("small");
    }));
    node.attr("class", ({ state, isOver }) => `node ${state}${isOver ? " over" : ""}`);
    node.style("left", ({ depth }) => `${x(depth)}%`).style("top", ({ y }) => `${y * HEIGHT}px`);
    node.select("b").text(({ word, isOver }) => (isOver ? "✓ end" : word));
    node.select("small").text(({ depth, total }) => (depth ? format(total) : ""));
  };
}
