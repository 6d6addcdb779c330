// What axe finds on the page, as one line for each element; evaluated by test_pages.py, with axe loaded. It leaves the
// page as it looks, but without what axe need not see, so nothing else can be tested there afterwards.
// Axe's time goes into the number of elements, and into how each text stands out from what is behind it. So of texts
// outside the demos that share colour, size, weight, part of the page and everything painted behind them three are
// measured for all, and of the others' formulas and code the text is left; single letters axe leaves undecided.
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
  // Whoever listens is told a formula by its MathML; its drawn copy is hidden from them, and keeps its place here.
  const kept = `[${MEASURED}], :has([${MEASURED}], a, [id], [tabindex])`;
  const copies = [...document.querySelectorAll(`.katex-html:not(${kept})`)];
  const sizes = copies.map((copy) => copy.getBoundingClientRect());
  copies.forEach((copy, i) => {
    copy.replaceChildren();
    const { width, height } = sizes[i];
    Object.assign(copy.style, { display: "inline-block", width: `${width}px`, height: `${height}px` });
  });
  for (const math of document.querySelectorAll(".katex-mathml")) math.replaceChildren(math.textContent);
  for (const token of document.querySelectorAll(`pre span:not([${MEASURED}], [id], :has(*))`)) {
    token.replaceWith(token.textContent);
  }
  axe.configure({ noHtml: true, rules: [{ id: "color-contrast", selector: `[${MEASURED}]` }] });
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  const html = (target) => document.querySelector(target)?.outerHTML.slice(0, 120);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target} ${html(target[0])}`));
}
