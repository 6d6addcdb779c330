// What axe finds on the page, as one line for each element; evaluated by test_pages.py, with axe loaded.
// Most of axe's time goes into how each text stands out from what is behind it. So of texts outside the demos that
// share colour, size, weight, part of the page and everything painted behind them three are measured for all; single
// letters axe leaves undecided. The copies of formulas that are hidden from who listens are left out, but for what is
// measured or holds a link or a name.
async () => {
  const MEASURED = "data-measured";
  const PARTS = "header, nav, aside, main, footer, dialog, article";
  const known = new Map([[document.documentElement.parentNode, { behind: "", alone: false }]]);
  const look = (node) => {
    const style = getComputedStyle(node);
    const above = known.get(node.parentNode);
    const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode].join();
    const behind = own === "rgba(0, 0, 0, 0),none,1,none,normal" ? above.behind : `${above.behind}\n${own}`;
    const alone = above.alone || node.matches(".demo") || ["absolute", "fixed"].includes(style.position);
    known.set(node, { behind, alone });
    const letters = [style.color, style.fontSize, style.fontWeight, style.textShadow, style.webkitTextStroke].join();
    return { alone, key: `${letters}\n${node.parentElement?.closest(PARTS)?.className}${behind}` };
  };
  const seen = new Map();
  for (const node of document.querySelectorAll("*")) {
    const { alone, key } = look(node);
    const isText = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!isText || node.textContent.trim().length < 2 || node.closest(".katex-mathml")) continue;
    if (!alone && seen.get(key) === 3) continue;
    if (!node.checkVisibility({ visibilityProperty: true })) continue;
    node.setAttribute(MEASURED, "");
    seen.set(key, (seen.get(key) ?? 0) + !alone);
  }
  const kept = `[${MEASURED}], :has([${MEASURED}], a, [id], [tabindex])`;
  const exclude = [...document.querySelectorAll(`.katex-html:not(${kept})`)];
  axe.configure({ rules: [{ id: "color-contrast", selector: `[${MEASURED}]` }] });
  const { violations } = await axe.run({ include: document, exclude }, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target }) => `${id}: ${target} ${html.slice(0, 120)}`));
}
