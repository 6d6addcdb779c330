// The stops of Row by row's scrubber: in each step one column after the other of the chosen row, then all rows.
export const STAGES = ["query", "key", "value", "scores", "weights", "output"];

// How many stops a step has for one row: softmax works on a whole row, first as one bar, then as weights.
export const columnsOf = (stage, { query, value, words }) =>
  ({ query: query[0].length, key: query[0].length, value: value[0].length, scores: words.length, weights: 2, output: value[0].length })[stage];

export const countOf = (all) => STAGES.reduce((sum, stage) => sum + columnsOf(stage, all) + 1, 0);

// { stage, column, whole } of a stop; in the step of the weights a column stays what it was.
export function stopAt(place, all, column) {
  let left = Math.max(0, Math.min(place, countOf(all) - 1));
  for (const stage of STAGES) {
    const columns = columnsOf(stage, all);
    if (left > columns) {
      left -= columns + 1;
      continue;
    }
    const whole = left === columns;
    if (stage === "weights") return { stage, column, whole, bar: left === 0 };
    return { stage, column: Math.min(left, columns - 1), whole, bar: false };
  }
  throw new RangeError(`expected a place from 0 to ${countOf(all) - 1}, got ${place}`);
}

export function placeOf({ stage, column, whole, bar }, all) {
  const before = STAGES.slice(0, STAGES.indexOf(stage)).reduce((sum, name) => sum + columnsOf(name, all) + 1, 0);
  const columns = columnsOf(stage, all);
  if (whole) return before + columns;
  if (stage === "weights") return before + (bar ? 0 : 1);
  return before + Math.min(column, columns - 1);
}

// The first stop and the last of each step, as marks below the scrubber.
export function marks(all) {
  let first = 0;
  return STAGES.map((stage) => {
    const mark = { stage, first, last: first + columnsOf(stage, all) };
    first = mark.last + 1;
    return mark;
  });
}
