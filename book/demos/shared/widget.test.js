import assert from "node:assert/strict";
import { test } from "node:test";
import { assign, follow, toldApart } from "./widget.js";

function model(state) {
  const listeners = {};
  return {
    get: (name) => state[name],
    set(name, value) {
      if (Object.is(state[name], value)) return;
      state[name] = value;
      for (const listener of listeners[`change:${name}`] ?? []) listener();
    },
    on: (event, listener) => (listeners[event] ??= new Set()).add(listener),
    off: (event, listener) => listeners[event].delete(listener),
    save_changes() {},
  };
}

test("traits that are set at once are drawn once, when all are set", () => {
  const here = model({ a: 1, b: 1 });
  const drawn = [];
  const stop = follow(here, ["a", "b"], () => drawn.push([here.get("a"), here.get("b")]));
  assign(here, { a: 2, b: 2 });
  assign(here, { a: 2, b: 2 });
  here.set("b", 3);
  stop();
  assign(here, { a: 5 });
  assert.deepEqual(drawn, [[1, 1], [2, 2], [2, 3]]);
});

test("a listener that fails does not stop later drawings", () => {
  const here = model({ a: 1 });
  const drawn = [];
  follow(here, ["a"], () => drawn.push(here.get("a")));
  here.on("change:a", () => {
    if (here.get("a") === 2) throw new Error("not ours");
  });
  assert.throws(() => assign(here, { a: 2 }), /not ours/);
  assign(here, { a: 3 });
  assert.deepEqual(drawn, [1, 3]);
});

test("options with the same words are told apart, and only these", () => {
  assert.deepEqual(toldApart(["the", "lion", "in", "the", "the"]), ["the, 1 of 3", null, null, "the, 2 of 3", "the, 3 of 3"]);
});
