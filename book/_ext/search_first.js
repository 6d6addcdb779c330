// On the search page, before Sphinx looks: the query in the glossary's words, misspelt or not, and its entry on top.
// In what Sphinx shows of a page, a formula is there once, as one types it: KaTeX holds it as LaTeX and as MathML, too.
(() => {
  // Of which elements, before which of their parts, which sign.
  const SIGNS = [
    ["msqrt", 0, "√"], ["mfrac", 1, "/"], ["msub", 1, "_"], ["msup", 1, "^"], ["msubsup", 1, "_"], ["msubsup", 2, "^"],
  ];

  function asText(formula) {
    const math = formula.querySelector("math");
    math.querySelectorAll("annotation").forEach((node) => node.remove());
    for (const [name, part, sign] of SIGNS) math.querySelectorAll(name).forEach((node) => node.children[part].before(sign));
    return math.textContent;
  }

  // Sphinx's sentences, which know nothing of one page or of a book without categories; not those in another language.
  const SAID = {
    "Search finished, found ${resultCount} page(s) matching the search query.": "Pages found: ${resultCount}.",
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.":
      "No page has all of these words: try fewer.",
  };

  addEventListener("DOMContentLoaded", () => {
    for (const [theirs, ours] of Object.entries(SAID)) Documentation.TRANSLATIONS[theirs] ||= ours;
    const told = document.querySelector("#search-results .search-summary"); // that nothing was found is told by now
    if (told?.textContent in SAID) told.textContent = SAID[told.textContent];
    const textOf = Search.htmlToText;
    Search.htmlToText = (html, anchor) => {
      const page = new DOMParser().parseFromString(html, "text/html");
      // Or their words run together.
      page.querySelectorAll("td, th, button, label, legend, li, p, mtd").forEach((node) => node.append(" "));
      page.querySelectorAll("br").forEach((node) => node.after(" "));
      page.querySelectorAll(".katex").forEach((formula) => formula.replaceWith(asText(formula)));
      return textOf(page.documentElement.outerHTML, anchor);
    };
  });

  const { entries, synonyms } = globalThis.glossary;
  const address = new URL(location.href);
  const typed = address.searchParams.get("q") ?? "";
  const plain = (text) =>
    text.toLowerCase().replace(/[?!.,"“”]/g, " ").replace(/\s+/g, " ").trim()
      .replace(/^(what|who|how|why) (is|are|does|do)( an?| the)? /, "").replace(/ (work|mean)$/, "");

  // How many letters to add, drop, change or swap to make one word of the other.
  function distance(a, b) {
    const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
    for (let i = 1; i <= a.length; i++) {
      rows.push([i]);
      for (let j = 1; j <= b.length; j++) {
        const changed = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
        const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        rows[i].push(Math.min(changed, rows[i - 1][j] + 1, rows[i][j - 1] + 1, isSwap ? rows[i - 2][j - 2] + 1 : Infinity));
      }
    }
    return rows[a.length][b.length];
  }

  const names = new Map(entries.map((entry) => [plain(entry.term), entry]));
  for (const [word, term] of Object.entries(synonyms)) if (names.has(plain(term))) names.set(word, names.get(plain(term)));

  function nearest(query) {
    if (names.has(query)) return query;
    if (names.has(query.replace(/s$/, ""))) return query.replace(/s$/, "");
    const allowed = query.length < 5 ? 0 : query.length < 9 ? 1 : 2;
    const near = [...names.keys()].map((name) => [distance(query, name), name]).sort((a, b) => a[0] - b[0]);
    return near[0] && near[0][0] <= allowed ? near[0][1] : null;
  }

  const query = plain(typed);
  const name = query ? nearest(query) : null;
  if (!query) return;
  // Sphinx reads the query from the address: it gets the words without the question around them, spelt right.
  const asked = name ? plain(names.get(name).term) : query;
  if (asked !== typed) {
    address.searchParams.set("q", asked);
    history.replaceState(null, "", address);
  }
  if (!name) return;
  const entry = names.get(name);
  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  addEventListener("DOMContentLoaded", () => {
    const title = element("h2", {}, element("a", { href: `glossary.html#${entry.anchor}` }, entry.term));
    const box = element("section", { className: "search-first" }, title, element("p", {}, entry.said));
    if (entry.page) box.append(element("p", {}, "Explained in ", element("a", { href: `${entry.page}.html` }, entry.title)));
    if (name !== query) box.prepend(element("p", { className: "typed" }, `You typed “${typed}”.`));
    document.getElementById("search-results").before(box);
  });
})();
