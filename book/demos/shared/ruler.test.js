import assert from "node:assert/strict";
import { test } from "node:test";
import { metAt } from "./ruler.js";

const passed = ["decoder l", "decoder c", "decoder c", "parameters", "decoder 3"].map((box) => ({ box }));

test("a level carries the last number met there and how many there were", () => {
  assert.deepEqual(metAt(passed, "decoder c"), { last: 2, count: 2, isPresent: false });
  assert.deepEqual(metAt(passed, "parameters"), { last: 3, count: 1, isPresent: false });
  assert.deepEqual(metAt(passed, "encoder a"), { last: -1, count: 0, isPresent: false });
});

test("the number on the card leads nowhere", () => {
  assert.ok(metAt(passed, "decoder 3").isPresent);
  assert.ok(!metAt([], "decoder l").isPresent);
});
