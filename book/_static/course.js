// What every page does besides its demos: opens the toggle that a link leads into, copies code, lets the keyboard scroll.

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
