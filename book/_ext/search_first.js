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
  const said = () => ({
    "Search finished, found ${resultCount} page(s) matching the search query.": "Pages found: ${resultCount}.",
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.":
      query.includes(" ") ? "No page has all of these words: try fewer." : "No page has this word: try another.",
  });

  // On the document, as Sphinx does it: this runs first, and Sphinx searches with what it finds changed.
  document.addEventListener("DOMContentLoaded", () => {
    for (const [theirs, ours] of Object.entries(said())) Documentation.TRANSLATIONS[theirs] ||= ours;
    const textOf = Search.htmlToText;
    Search.htmlToText = (html, anchor) => {
      const page = new DOMParser().parseFromString(html, "text/html");
      // What is said of pictures, and of wrong answers.
      page.querySelectorAll("noscript, .map-strip, svg, .predict [hidden], .answering").forEach((node) => node.remove());
      // Or their words run together.
      page.querySelectorAll("td, th, button, label, legend, li, p, mtd").forEach((node) => node.append(" "));
      page.querySelectorAll("br").forEach((node) => node.after(" "));
      page.querySelectorAll(".katex").forEach((formula) => formula.replaceWith(asText(formula)));
      page.querySelectorAll("dt[id]:has(+ dd)").forEach((term) => term.append(": ", term.nextElementSibling.textContent));
      return textOf(page.documentElement.outerHTML, anchor);
    };
    Search._performSearch = leadingThere(Search._performSearch);
    const search = Search.query;
    Search.query = (words) => search(words.split(" ").map(inTwo).join(" "));
  });

  // A word that no page has may be two that pages have, and a kind of the second, which a heading then has: multihead.
  function inTwo(word) {
    const { terms, titleterms } = Search._index;
    const [stemmer, known] = [new Stemmer(), new Set([terms, titleterms].flatMap(Object.keys))];
    const stem = (part) => stemmer.stemWord(part);
    if ([...known].some((term) => term.includes(stem(word)))) return word;
    for (let k = 3; k <= word.length - 3; k++) {
      const [one, other] = [word.slice(0, k), word.slice(k)];
      if (known.has(stem(one)) && Object.hasOwn(titleterms, stem(other))) return `${one} ${other}`;
    }
    return word;
  }

  // A page is opened at the section whose heading has all the words, where its title has not. An entry of the glossary has
  // its name, and is not repeated below the box on top.
  function leadingThere(search) {
    const stemmer = new Stemmer();
    const hasAll = (terms, title) => {
      const stems = splitQuery(title.toLowerCase()).map((word) => stemmer.stemWord(word));
      return [...terms].every((term) => stems.includes(term));
    };
    const sectionOf = (page, terms) => {
      const { alltitles, docnames } = Search._index;
      return Object.entries(alltitles).filter(([heading]) => hasAll(terms, heading))
        .flatMap(([heading, places]) => places.map(([place, id]) => [heading, id, docnames[place]]))
        .filter(([, id, where]) => id && where === page).sort(([one], [other]) => one.length - other.length)[0];
    };
    const named = (terms) => ([page, title, anchor, ...rest]) => {
      const term = entries.find((entry) => anchor === `#${entry.anchor}`)?.term;
      if (term) return [page, `${title} > ${term}`, anchor, ...rest];
      const section = anchor || hasAll(terms, title) ? null : sectionOf(page, terms);
      return section ? [page, `${title} > ${section[0]}`, `#${section[1]}`, ...rest] : [page, title, anchor, ...rest];
    };
    return (asked, terms, ...others) => { // the last is shown first
      const isTitled = (page) => hasAll(terms, Search._index.titles[Search._index.docnames.indexOf(page)]);
      const found = search(asked, terms, ...others).map(named(terms))
        .filter(([page, , anchor]) => anchor !== `#${onTop?.anchor}` && (anchor || isTitled(page) || !isApart(page)));
      const isLast = ([page, , anchor], k) => found.findLastIndex((one) => one[0] === page && one[2] === anchor) === k;
      return found.filter(isLast).map((one) => [rank(one, isTitled), one]).sort(byRank).map(([, one]) => one);
    };
  }

  // What answers best has the largest numbers: pages with the words in their title, the page that the box names, then
  // headings before text. Among equals the parts of the book come in their order, and so do the pages of a part, except
  // where Sphinx found more on one. The changelog is last.
  function rank([page, , anchor, , score], isTitled) {
    const part = pages.findIndex((part) => part.includes(page));
    const [inBook, place] = [part < 0 ? pages.length : part, pages.flat().indexOf(page)];
    const titled = part >= 0 && isTitled(page); // the first page is in no part, and its title is the book's
    const isItsPlace = titled === (anchor === "");
    return [page !== "changelog", titled, page === onTop?.page, isItsPlace, -inBook, score, -place];
  }

  function byRank([one], [other]) {
    const k = one.findIndex((number, i) => number !== other[i]);
    return k < 0 ? 0 : one[k] - other[k];
  }

  // Where a chapter teaches what was asked, the pages on teaching answer by a heading, not by words somewhere in them.
  function isApart(page) {
    return Boolean(onTop?.page) && pages.some((part) => part.includes("instructors") && part.includes(page));
  }

  const { entries, synonyms, pages } = globalThis.glossary;
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
  const onTop = name ? names.get(name) : null;
  if (!query) return;
  // Sphinx reads the query from the address: it gets the words without the question around them, spelt right.
  const asked = onTop ? plain(onTop.term) : query;
  if (asked !== typed) {
    address.searchParams.set("q", asked);
    history.replaceState(null, "", address);
  }
  if (!onTop) return;
  const element = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  addEventListener("DOMContentLoaded", () => {
    const title = element("h2", {}, element("a", { href: `glossary.html#${onTop.anchor}` }, onTop.term));
    const box = element("section", { className: "search-first" }, title, element("p", {}, onTop.said));
    if (onTop.page) box.append(element("p", {}, "Explained in ", element("a", { href: `${onTop.page}.html` }, onTop.title)));
    if (name !== query) box.prepend(element("p", { className: "typed" }, `You typed “${typed}”.`));
    document.getElementById("search-results").before(box);
  });
})();
