// Makes one page for print of all pages of the built book. Runs in the browser: assembleBook(pages), writeNumbers(…).
// Every id gets its page's name in front, so that no two are alike and each link finds its own place.
(() => {
  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
  const NAMING = ["for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "headers"];
  const ON_SCREEN =
    ".assignment-button, .from-a-server, .offline, .page-notebook, a.headerlink, noscript, .toctree-wrapper, " +
    "p:has(.where-people-slip), .predict :is(.answering, .told, .choices input, [hidden])";

  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };

  async function read(name) {
    const answer = await fetch(`${name}.html`);
    if (!answer.ok) throw new Error(`expected the page ${name}.html in the built book, found none: run \`make book\``);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }

  const idOf = (page, id) => (id ? `${page}--${id}` : page);

  function renameIds(page, article) {
    for (const node of article.querySelectorAll("[id]")) node.id = idOf(page, node.id);
    for (const name of NAMING) {
      for (const node of article.querySelectorAll(`[${name}]`)) {
        const ids = node.getAttribute(name).split(/\s+/);
        node.setAttribute(name, ids.map((id) => idOf(page, id)).join(" "));
      }
    }
    for (const node of article.querySelectorAll("[fill^='url(#'], [marker-end^='url(#'], [clip-path^='url(#']")) {
      for (const { name, value } of [...node.attributes]) {
        node.setAttribute(name, value.replace(/^url\(#([^)]*)\)$/, (_, id) => `url(#${idOf(page, id)})`));
      }
    }
  }

  // A link to a page of the book leads to its place in this one; one to a file of the website leads nowhere on paper.
  function turnLinksInside(page, article, pages) {
    for (const link of article.querySelectorAll("a[href]")) {
      const href = link.getAttribute("href");
      if (/^[a-z]+:/i.test(href)) continue;
      const [file, anchor = ""] = href.split("#");
      const target = file === "" ? page : file.replace(/\.html$/, "");
      if (pages.includes(target)) link.setAttribute("href", `#${idOf(target, decodeURIComponent(anchor))}`);
      else link.removeAttribute("href");
    }
  }

  function openCode(article) {
    for (const toggle of article.querySelectorAll("details.hide")) toggle.replaceWith(...toggle.childNodes);
  }

  // A toggle that is no answer: what is in it stays where it is, under its name.
  function openOthers(article) {
    for (const toggle of article.querySelectorAll("details:not(.toggle)")) {
      const summary = toggle.querySelector(":scope > summary");
      const title = element("p", { class: "opened-name" }, ...summary.childNodes);
      summary.remove();
      toggle.replaceWith(element("div", { class: "opened" }, title, ...toggle.childNodes));
    }
  }

  // What is asked in a question, else the heading above it.
  function questionOf(toggle) {
    const legend = toggle.closest(".predict")?.querySelector("legend");
    if (legend) return legend.textContent;
    for (let node = toggle.previousElementSibling; node; node = node.previousElementSibling) {
      const strong = node.matches("p") ? node.querySelector(":scope > strong:first-child") : null;
      const found = strong?.textContent.match(/^Question \d+/);
      if (found) return found[0];
      if (strong || node.matches("h1, h2, h3")) break;
    }
    const heading = toggle.closest("section").querySelector(":scope > :is(h1, h2, h3)");
    return heading.textContent.trim();
  }

  const pageNumber = (id) => element("span", { class: "page-number", "data-of": id }, "000");

  // Answers go to the end of their page, with the way there and back; other toggles stay where they are, open.
  function moveAnswers(page, article) {
    const answers = element("section", { class: "answers" }, element("h2", { id: `${page}--answers-` }, "Answers"));
    for (const [i, toggle] of [...article.querySelectorAll("details.toggle")].entries()) {
      const name = toggle.querySelector(":scope > summary");
      name.remove();
      const content = element("div", {}, ...toggle.childNodes);
      if (!/^Answers?$/.test(name.textContent.trim())) {
        const title = element("p", { class: "opened-name" }, ...name.childNodes);
        toggle.replaceWith(element("div", { class: "opened" }, title, content));
        continue;
      }
      const [there, here] = [`${page}--answer-${i}`, `${page}--asked-${i}`];
      const from = element("a", { href: `#${here}` }, "page ", pageNumber(here));
      answers.append(element("h3", { id: there }, questionOf(toggle), " ", element("small", {}, from)), content);
      const to = element("a", { href: `#${there}` }, `${name.textContent.trim()} on page `, pageNumber(there));
      toggle.replaceWith(element("p", { class: "answer-at", id: here }, to));
    }
    if (answers.children.length > 1) (article.querySelector("section") ?? article).append(answers);
  }

  const placeOf = (demo) => `place-of-${demo}`;

  // A demo's code brings its styles along: what one of them changes of what all share must not reach the others.
  function confineStyles() {
    const confined = ({ css, ...rest }, demo) => ({ ...rest, css: `@scope (.${placeOf(demo)}) { ${css} }` });
    const set = (known, demo, code) => Reflect.set(known, demo, demo === "shared" ? code : confined(code, demo));
    globalThis.demoCode = new Proxy({}, { set });
  }

  // The pages' states become one, and their demos' code is loaded once.
  function takeState(page, parsed, all) {
    const saved = parsed.querySelector(STATE);
    const known = saved ? JSON.parse(saved.textContent).state : {};
    for (const [id, entry] of Object.entries(known)) all[idOf(page, id)] = entry;
    for (const place of parsed.querySelectorAll(VIEW)) {
      const view = JSON.parse(place.textContent);
      place.parentElement.classList.add(placeOf(known[view.model_id].state._code.demo));
      place.textContent = JSON.stringify({ ...view, model_id: idOf(page, view.model_id) });
    }
    parsed.querySelectorAll(`${STATE}, article script[src], link[rel="preload"]`).forEach((node) => node.remove());
  }

  function takeHead(parsed, base) {
    for (const node of parsed.querySelectorAll('head link[rel="stylesheet"], head style')) {
      const known = [...document.head.children].some((other) => other.isEqualNode(node));
      if (!known) document.head.insertBefore(document.importNode(node, true), base);
    }
  }

  // The header of each page says which chapter it belongs to: CSS gives each chapter a kind of page of its own.
  function nameOfPages(number, title) {
    const name = `part${number}`;
    return `@page ${name} { @top-left { content: ${JSON.stringify(title)}; } }\n.${name} { page: ${name}; }`;
  }

  function contents(parts) {
    const list = element("ol", {});
    for (const { page, title, sections } of parts) {
      const row = (name, id) => element("a", { href: `#${id}` }, element("span", {}, name), pageNumber(id));
      const inner = element("ol", {}, ...sections.map(([name, id]) => element("li", {}, row(name, id))));
      list.append(element("li", {}, row(title, page), inner));
    }
    return element("nav", { class: "book-contents", id: "contents" }, element("h1", {}, "Contents"), list);
  }

  function part(page, number, parsed, pages) {
    const article = parsed.querySelector("article");
    article.querySelectorAll(`${ON_SCREEN}, details.hide > summary`).forEach((node) => node.remove());
    article.querySelectorAll("img[loading]").forEach((node) => node.removeAttribute("loading"));
    renameIds(page, article);
    turnLinksInside(page, article, pages);
    openCode(article);
    openOthers(article);
    moveAnswers(page, article);
    const heading = article.querySelector("h1");
    if (number === 0) heading.textContent = "Introduction";
    const sections = [...article.querySelectorAll("section > h2")]
      .map((title) => [title.textContent.trim(), title.id || title.closest("section[id], section").id])
      .filter(([, id]) => id);
    const title = heading.textContent.trim();
    const made = element("article", { class: `part part${number}`, id: page, "aria-label": title });
    made.append(...[...article.childNodes].map((node) => document.importNode(node, true)));
    return { page, title, sections, made, style: nameOfPages(number, title) };
  }

  function cover(parsed, { author, version, licence }) {
    const title = parsed.querySelector("article h1").cloneNode(true);
    title.querySelectorAll("a.headerlink").forEach((node) => node.remove());
    const line = (text) => element("p", {}, text);
    return element("header", { class: "cover" },
      element("p", { class: "cover-title" }, title.textContent.trim()), line(author), line(version), line(licence));
  }

  // Read the pages one after the other, and put them in this page; the first one is the book's own first page.
  globalThis.assembleBook = async (pages, imprint) => {
    const state = {}, parts = [], base = document.head.querySelector("#paper");
    for (const [number, page] of pages.entries()) {
      const parsed = await read(page);
      if (number === 0) document.body.append(cover(parsed, imprint));
      takeHead(parsed, base);
      takeState(page, parsed, state);
      parts.push(part(page, number, parsed, pages));
    }
    confineStyles();
    const book = element("main", {}, ...parts.map(({ made }) => made));
    document.head.append(element("style", {}, parts.map(({ style }) => style).join("\n")));
    document.body.append(contents(parts), book);
    const type = "application/vnd.jupyter.widget-state+json";
    document.body.append(element("script", { type }, JSON.stringify({ state })));
    await document.fonts.ready;
  };

  // Write the page on which each place came out. Errors: a place that is on no page.
  globalThis.writeNumbers = (numbers) => {
    for (const node of document.querySelectorAll(".page-number")) {
      if (!(node.dataset.of in numbers)) throw new Error(`expected ${node.dataset.of} on a page, found it on none`);
      node.textContent = numbers[node.dataset.of];
    }
  };

  // How wide a block is at its zoom: formulas hide how far the stretched strokes of their braces reach.
  function widthOf(block, zoom) {
    const parts = block.matches(".katex-display") ? [...block.querySelectorAll(".base")] : [];
    if (!parts.length) return Math.max(block.scrollWidth * zoom, block.getBoundingClientRect().width);
    const boxes = parts.map((part) => part.getBoundingClientRect());
    return Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
  }

  // Make what is wider than the page as much smaller as it takes; return what was made smaller, and to what share.
  globalThis.fitToPage = () => {
    const found = [];
    const blocks = ".part :is(pre, table, .tables, .katex-display, .transformer-map, img, .demo)";
    for (const block of document.querySelectorAll(blocks)) {
      const demo = block.parentElement.closest(".demo");
      if (demo && !block.matches("table")) continue;
      const room = demo ? demo.clientWidth - 32 : block.parentElement.getBoundingClientRect().width; // 32: its padding
      const zoom = Number(getComputedStyle(block).zoom);
      const wide = widthOf(block, zoom);
      if (wide <= room + 1) continue;
      block.style.zoom = Math.floor((100 * zoom * room) / wide) / 100;
      found.push([block.closest(".part").id, `${block.tagName} ${block.className}`, Number(block.style.zoom)]);
    }
    return found;
  };
})();
