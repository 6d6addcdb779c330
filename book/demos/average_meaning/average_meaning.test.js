import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL, averageMeaning, describe, look, nearestCount } from "./average_meaning.js";

const close = (got, wanted, within = 1e-12) => assert.ok(Math.abs(got - wanted) <= within, `${got} is not ${wanted}`);

test("9,000 sentences on the fruit and 1,000 on the company make apple [0.9, 0.1]", () => {
  assert.deepEqual(averageMeaning([[1, 0], [0, 1]], [9000, 1000]), [0.9, 0.1]);
  const { senses: [fruit, company] } = look({ fruit: 9000 });
  close(fruit.cosine, 0.9939, 5e-5);
  close(company.cosine, 0.1104, 5e-5);
  close(fruit.distance, 0.1 * Math.SQRT2);
  close(company.distance, 0.9 * Math.SQRT2);
});

test("senses of any number and width are weighed by their uses", () => {
  assert.deepEqual(averageMeaning([[4, 0], [0, 2], [1, 1]], [1, 1, 2]), [1.5, 1]);
});

test("a drag ends at the nearest place between the senses, in hundreds of sentences", () => {
  assert.equal(nearestCount([0.9, 0.1]), 9000);
  assert.equal(nearestCount([1, 1]), 5000);
  assert.equal(nearestCount([5, -3]), ALL);
  assert.equal(nearestCount([-1, 0.5]), 0);
  assert.equal(nearestCount([0.9011, 0.1]), 9000);
});

test("what is said names both distances, and the ends have their own sentences", () => {
  assert.match(describe({ fruit: 9000 }), /9,000 sentences .* \[0\.9, 0\.1\]: 0\.1414 from the fruit and 1\.2728/);
  assert.match(describe({ fruit: 9000 }), /“apple makes great phones” it is still mostly a fruit/);
  assert.match(describe({ fruit: 100 }), /still mostly a company/);
  assert.match(describe({ fruit: 5000 }), /right for no sentence at all/);
  for (const fruit of [0, ALL]) assert.match(describe({ fruit }), /one sense only/);
});
