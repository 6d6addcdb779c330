// How the demos write numbers: short in a cell, four decimals in a sentence, always with a true minus sign.

const withMinus = (text) => text.replace("-", "−");

const power = (value, digits) => value.toExponential(digits).replace("e+", "e");

// Rounding noise such as 2.9999999999999996 is written as the whole number that it stands for. No more than that:
// a weight that only comes near 0 or 1 keeps its decimals.
const isWhole = (value) => Math.abs(value - Math.round(value)) <= 4 * Number.EPSILON * Math.abs(value);

export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e5) return withMinus(power(value, 1));
  if (isWhole(value)) return withMinus(String(Math.round(value)));
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return withMinus(value.toFixed(digits).replace(/^(-?)0\./, "$1."));
}

export function long(value) {
  if (Math.abs(value) >= 1e6) return withMinus(power(value, 3));
  return withMinus(isWhole(value) ? String(Math.round(value)) : value.toFixed(4));
}

export const vector = (values) => `[${values.map((value) => withMinus(String(+value.toFixed(4)))).join(",\u00a0")}]`;

export const percent = (share) => `${(100 * share).toFixed(1)}%`;
