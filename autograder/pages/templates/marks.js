// Sorts the marks by a column, and shows only the rows with some words. Without it the page holds the same tables.
const tables = [...document.querySelectorAll("table.sortable")];
const valueOf = (cell) => (cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value));
const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));

for (const table of tables) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    const wrap = () => { button.append(...head.childNodes); head.append(button); };
    wrap();
    addEventListener("beforeprint", () => button.replaceWith(...button.childNodes)); // else only the first page has a head
    addEventListener("afterprint", wrap);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => compare(valueOf(a.cells[place]), valueOf(b.cells[place])) * (down ? -1 : 1));
      table.tBodies[0].append(...rows);
    });
  });
}

const find = document.querySelector(".find");
const rows = tables.flatMap((table) => [...table.tBodies[0].rows]);
find.hidden = false;
find.querySelector("input").addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/);
  for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  const shown = rows.filter((row) => !row.hidden).length;
  find.querySelector("output").textContent = target.value.trim() ? `${shown} of ${rows.length} students` : "";
});
