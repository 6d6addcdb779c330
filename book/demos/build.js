// Bundles the demos into static/: every Python class here that has an ES module and a style of the same name.
import { readdirSync } from "node:fs";
import { build } from "esbuild";

const folder = new URL(".", import.meta.url).pathname;
const files = new Set(readdirSync(folder));
const stems = [...files].filter((name) => name.endsWith(".py")).map((name) => name.slice(0, -3));
const demos = stems.filter((stem) => files.has(`${stem}.js`));

await build({
  entryPoints: demos.flatMap((stem) => [`${folder}${stem}.js`, `${folder}${stem}.css`]),
  outdir: `${folder}static`,
  bundle: true,
  minify: true,
  format: "esm",
  charset: "utf8",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
});
