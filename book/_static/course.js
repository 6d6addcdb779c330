// What every page does besides its demos: opens the toggle that a link leads into, shows again what was read, copies code,
// lets the keyboard scroll.

function nameInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return ""; // a lone % names nothing
  }
}

function openTarget() {
  const target = document.getElementById(nameInAddress());
  const toggle = target?.closest("details:not([open])");
  if (!toggle) return;
  toggle.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", openTarget);
openTarget();

// A page that is opened again, by Reload, by Back or by a telephone that had forgotten it, shows the text that was read.
// The browser remembers pixels, and for a while what stands above has not yet the height that it had.
const TEXT = "article :is(h1, h2, h3, p, li, dt, tr, pre, figure, summary):not(summary *, .demo *)"; // demos come later
const READ = `read on ${location.pathname}`;
const topOf = (node) => node.getBoundingClientRect().top;

function keepWhatIsRead() {
  const [line, all] = [innerHeight / 4, [...document.querySelectorAll(TEXT)]];
  const there = document.elementFromPoint(innerWidth / 2, line);
  const follows = (node) => there?.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING && topOf(node) > line;
  const node = there?.closest(TEXT) ?? all.find(follows) ?? all.at(-1);
  if (node) sessionStorage.setItem(READ, JSON.stringify([all.indexOf(node), topOf(node)]));
}

async function showWhatWasRead([index, top]) {
  const node = document.querySelectorAll(TEXT)[index];
  node?.closest("details:not([open]) > :not(summary)")?.parentElement.setAttribute("open", "");
  let isDone = !node;
  const acts = ["wheel", "touchstart", "pointerdown", "keydown"]; // then the reader goes somewhere else
  for (const act of acts) addEventListener(act, () => { isDone = true; }, { once: true });
  history.scrollRestoration = "manual";
  for (const end = performance.now() + 2000; performance.now() < end && !isDone; ) {
    scrollBy(0, topOf(node) - top);
    await new Promise(requestAnimationFrame);
  }
  history.scrollRestoration = "auto"; // Back within the page is the browser's
}

try {
  const read = sessionStorage.getItem(READ);
  for (const leaving of ["visibilitychange", "pagehide"]) addEventListener(leaving, keepWhatIsRead);
  const isAgain = ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type);
  if (read && isAgain) showWhatWasRead(JSON.parse(read));
} catch {
  // a page that may store nothing begins where the browser lets it begin
}

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

// The keyboard scrolls what it can reach: a block that is wider than its place gets a tab stop.
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
});
document.querySelectorAll("article :is(pre, .cell_output > .output, .table-wrapper, .katex-display)").forEach((block) => widths.observe(block));
