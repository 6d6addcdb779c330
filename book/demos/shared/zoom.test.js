import assert from "node:assert/strict";
import { test } from "node:test";
import { flight } from "./zoom.js";

test("a number flies from where it is small to its own place", () => {
  assert.deepEqual(flight([120, 300], [100, 40], 0.5), [
    "translate(20px, 260px) translate(-50%, -50%) scale(0.5)",
    "translate(0px, 0px) translate(-50%, -50%) scale(1)",
  ]);
});
