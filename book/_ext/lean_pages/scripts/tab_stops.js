// Gives what can be scrolled sideways a tab stop, as the theme's function of the same purpose does, without its price:
// that one measures and writes in turns, which lays the page out again for each, sections far below included, as soon as
// the page is there and 300 milliseconds after every touch of a demo. Here all of a turn is measured before any is
// written, a few at a time while the page is idle, and after a change only what has changed.
{
  const SCROLLED = "pre, .cell_output > .output, .pst-scrollable-table-container";
  const FEW = 8;
  const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
  const waiting = new Set();

  const overflows = (el) => el.scrollWidth > el.clientWidth || el.scrollHeight > el.clientHeight;

  function turn() {
    const some = [...waiting].slice(0, FEW);
    const stops = some.map((el) => (overflows(el) ? 0 : -1));
    some.forEach((el, i) => {
      waiting.delete(el);
      if (el.tabIndex !== stops[i] || !el.hasAttribute("tabindex")) el.tabIndex = stops[i];
    });
    if (waiting.size) whenIdle(turn);
  }

  function measure(elements) {
    const idle = waiting.size === 0;
    for (const el of elements) waiting.add(el);
    if (idle && waiting.size) whenIdle(turn);
  }

  const inside = (node) => node.querySelectorAll(SCROLLED);
  const every = () => measure(inside(document));
  const around = (node) => measure([...inside(node), ...[node.closest(SCROLLED)].filter(Boolean)]);

  addEventListener("load", () => {
    every();
    addEventListener("resize", every);
    addEventListener("toggle", ({ target }) => around(target), true); // what is folded has no width before
    const main = document.getElementById("main-content");
    const changed = new MutationObserver((changes) => new Set(changes.map(({ target }) => target)).forEach(around));
    if (main) changed.observe(main, { subtree: true, childList: true });
  });
}
