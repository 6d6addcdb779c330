// Where a key moves the chosen cell, inside a matrix of so many rows and columns.
export function move(key, { row, column }, rows, columns) {
  const to = (r, c) => ({ row: Math.min(Math.max(r, 0), rows - 1), column: Math.min(Math.max(c, 0), columns - 1) });
  if (key === "ArrowRight") return to(row, column + 1);
  if (key === "ArrowLeft") return to(row, column - 1);
  if (key === "ArrowDown") return to(row + 1, column);
  if (key === "ArrowUp") return to(row - 1, column);
  if (key === "Home") return to(row, 0);
  if (key === "End") return to(row, columns - 1);
  return null;
}
