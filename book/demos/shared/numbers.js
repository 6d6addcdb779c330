// How the demos write numbers: short in a cell, four decimals in a sentence, always with a true minus sign, and as the
// chapters do: 0 or 1 without decimals only where it is exact.

const tidy = (text) => text.replace("-", "−");

const power = (value, digits) => tidy(value.toExponential(digits).replace("e+", "e"));

// Rounding noise such as 2.9999999999999996 is written as the whole number that it should be. No more than that:
// a weight that only comes near 0 or 1 keeps its decimals.
const isWhole = (value) => Math.abs(value - Math.round(value)) <= 4 * Number.EPSILON * Math.abs(value);

export function short(value) {
  const size = Math.abs(value);
  if (size === Infinity) return value < 0 ? "−∞" : "∞";
  if (size >= 1e5) return power(value, 1);
  if (isWhole(value)) return tidy(String(Math.round(value)));
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return tidy(value.toFixed(digits));
}

export function long(value) {
  if (Math.abs(value) >= 1e6) return power(value, 3);
  return tidy(isWhole(value) ? String(Math.round(value)) : value.toFixed(4));
}

// Two decimals, for a number that is only looked at: a whole one has none.
export const near = (value) => tidy(isWhole(value) ? String(Math.round(value)) : value.toFixed(2));

// A setting that the reader chose, such as 2.3: as many decimals as it has.
export const setting = (value) => tidy(String(+value.toFixed(4)));

export const vector = (values) => `[${values.map(long).join(",\u00a0")}]`;

// A share that is rounded to nothing or to everything would say what softmax never gives.
export function percent(share) {
  if (share < 0.001) return "less than 0.1%";
  return share > 0.999 ? "more than 99.9%" : `${(100 * share).toFixed(1)}%`;
}

// A weight among several is never nothing or everything: it keeps its decimals even where float64 rounds it to 0 or 1.
export const share = (weight) => tidy(weight.toFixed(4));

// A number that dies away is never written as nothing: it keeps its first digits, down to where only rounding is left.
export function fading(value) {
  if (value < 1e-12) return "<1e−12";
  if (value < 1e-4) return power(value, 1);
  return value < 0.001 ? tidy(value.toPrecision(3)) : long(value);
}
