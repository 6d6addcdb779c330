// What every page does besides its demos: opens the toggle that a link leads into, keeps in place what is read, copies code,
// opens all listings where a page offers it, lets the keyboard scroll.

function nameInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return ""; // a lone % names nothing
  }
}

const target = () => document.getElementById(nameInAddress());

// Where people slip was the end of a chapter, and is a page of its own now: old links are led on.
function leadToSlips() {
  const page = document.querySelector("a.where-people-slip");
  const isOld = /^#(where-people-slip$|slip-)/.test(location.hash);
  if (page && isOld) location.replace(page.href + location.hash.replace("#where-people-slip", ""));
}

function openTarget() {
  if (!target()) return leadToSlips();
  const toggle = target().closest("details:not([open])");
  if (!toggle) return;
  toggle.open = true;
  target().scrollIntoView();
}

addEventListener("hashchange", () => {
  openTarget();
  const isAtTheTop = target() && Math.abs(topOf(target())) < innerHeight / 4; // Back shows what was read, wherever that is
  if (isAtTheTop) hold(target(), at(topOf(target()) / innerHeight), 1000);
});
openTarget();

// The text that is read stays where it is when the window gets another width, such as a telephone that is turned or a
// page that is enlarged; and a page that is opened again, by Reload, by Back or by a telephone that had forgotten it,
// shows it again. The browser remembers pixels, and keeps nothing in place while margins change with the width.
const TEXT = "article :is(h1, h2, h3, p, li, dt, tr, pre, figure, summary):not(summary *, .demo *, .demo-waits)"; // demos come late
const READ = `read on ${location.pathname}`;
const topOf = (node) => node.getBoundingClientRect().top;

// What stands at a quarter of the window's height, else the next text.
function whatIsRead(kinds) {
  const [line, all] = [innerHeight / 4, [...document.querySelectorAll(TEXT)]];
  const there = document.elementFromPoint(innerWidth / 2, line);
  const follows = (node) => there?.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING && topOf(node) > line;
  return there?.closest(kinds) ?? all.find(follows) ?? all.at(-1);
}

// Keeps a node in its place until all around it is laid out, or the reader goes somewhere else.
const ELSEWHERE = ["wheel", "touchstart", "pointerdown", "keydown"];
let held;
async function hold(node, place, duration) {
  held?.abort();
  const mine = held = new AbortController();
  for (const act of ELSEWHERE) addEventListener(act, () => mine.abort(), mine);
  const { hash } = location;
  const isThere = () => node.getClientRects().length; // a demo may have drawn itself anew
  const isToBeHeld = () => !mine.signal.aborted && location.hash === hash && isThere();
  for (const end = performance.now() + duration; performance.now() < end && isToBeHeld(); ) {
    place(node);
    await new Promise(requestAnimationFrame);
  }
  mine.abort();
  noteWhatIsRead();
}

// Puts a node at a share of the window's height.
const at = (share) => (node) => scrollBy(0, topOf(node) - share * innerHeight);

let [width, read, scrolled] = [innerWidth, null];
const noteWhatIsRead = () => {
  if (held?.signal.aborted === false) return;
  const node = scrollY > 0 && whatIsRead(`${TEXT}, .demo *`);
  read = node && [node, at(topOf(node) / innerHeight)];
};
addEventListener("scroll", () => {
  clearTimeout(scrolled);
  scrolled = setTimeout(noteWhatIsRead, 150);
});
addEventListener("resize", () => {
  const isCovered = document.querySelector(":popover-open"); // by a demo in the whole window, which no scrolling moves
  if (innerWidth !== width && read && !isCovered) hold(...read, 1000);
  width = innerWidth;
});

function keepWhatIsRead() {
  const node = whatIsRead(TEXT);
  if (!node) return;
  const index = [...document.querySelectorAll(TEXT)].indexOf(node);
  sessionStorage.setItem(READ, JSON.stringify([index, topOf(node) / innerHeight]));
}

async function showWhatWasRead([index, share]) {
  const node = document.querySelectorAll(TEXT)[index];
  if (!node) return;
  node.closest("details:not([open]) > :not(summary)")?.parentElement.setAttribute("open", "");
  history.scrollRestoration = "manual";
  await hold(node, at(share), 2000);
  history.scrollRestoration = "auto"; // Back within the page is the browser's
}

const isAgain = ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type);
if (!isAgain && target()) hold(target(), (node) => node.scrollIntoView(), 2000);

try {
  const kept = sessionStorage.getItem(READ);
  for (const leaving of ["visibilitychange", "pagehide"]) addEventListener(leaving, keepWhatIsRead);
  if (isAgain && kept) showWhatWasRead(JSON.parse(kept));
} catch {
  // a page that may store nothing begins where the browser lets it begin
}

// Folded listings are opened one by one, or all at once, and folded again, where a page offers it.
const opener = document.querySelector("button.opens-listings");
if (opener) opener.hidden = false;
opener?.addEventListener("click", () => {
  const listings = [...document.querySelectorAll("article details.hide")];
  const isToOpen = listings.some(({ open }) => !open);
  for (const one of listings) one.open = isToOpen;
  opener.textContent = isToOpen ? "Fold all listings" : "Open all listings";
});

// JupyterLite needs a server: in a book opened from disk, links to it are removed.
if (location.protocol === "file:") document.querySelectorAll(".from-a-server").forEach((node) => node.remove());

// Furo marks in its table of contents where the reader is. To do so it lays out the whole page, which takes half a
// second on a telephone: not where the table is folded away.
const contents = document.querySelector(".toc-scroll");
if (contents && getComputedStyle(contents.closest(".toc-drawer")).position === "fixed") {
  contents.classList.remove("toc-scroll");
  addEventListener("DOMContentLoaded", () => contents.classList.add("toc-scroll")); // the window hears of it last
}

// Without https a page has no clipboard of its own; what is selected can still be copied.
function copySelected(value) {
  const area = Object.assign(document.createElement("textarea"), { value, readOnly: true });
  area.style.cssText = "position: fixed; opacity: 0";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

async function copyText(text) {
  return (await navigator.clipboard?.writeText(text).then(() => true, () => copySelected(text))) ?? copySelected(text);
}

for (const block of document.querySelectorAll("article .highlight")) {
  const button = Object.assign(document.createElement("button"), { className: "copybtn", type: "button", textContent: "Copy" });
  button.addEventListener("click", async () => {
    button.textContent = (await copyText(block.querySelector("pre").innerText.trimEnd())) ? "Copied" : "Failed";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  block.append(button);
}

// The keyboard scrolls what it can reach: a block that is wider than its place gets a tab stop. So does one far below
// until it is laid out, since nobody has measured it.
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
});
document.querySelectorAll("article :is(pre, .cell_output > .output, .table-wrapper, .katex-display)").forEach((block) => {
  block.tabIndex = 0;
  widths.observe(block);
});
