// Bundles the demos: every Python class here that has an ES module and a style of the same name.
//   static/<demo>.js, .css   all of a demo in one ES module and one style, for notebooks
//   static/page/             the same as classic scripts for the book, whose pages may be opened from disk: one script
//                            a demo, and shared.js with what most of them need, which a reader loads once
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = fileURLToPath(new URL(".", import.meta.url));
const files = new Set(readdirSync(folder));
const stems = [...files].filter((name) => name.endsWith(".py")).map((name) => name.slice(0, -3));
const demos = stems.filter((stem) => files.has(`${stem}.js`));
const FEW = 4; // demos that may each carry their own copy of a part
const SHARED_STYLE = "demo.css"; // the first import of every style

const options = {
  bundle: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
};

// "numbers.js" for a module of ours, "d3-selection" for one of a package: all of its files go together.
const partOf = (input) => input.match(/node_modules\/([^/]+)/)?.[1] ?? basename(input);

// A part that most demos import; what it imports is imported by as many, so nothing is there twice.
function sharedParts({ outputs }) {
  const users = new Map();
  for (const [output, { inputs }] of Object.entries(outputs)) {
    if (!output.endsWith(".js")) continue;
    for (const part of new Set(Object.keys(inputs).map(partOf))) users.set(part, (users.get(part) ?? 0) + 1);
  }
  return [...users].filter(([, count]) => count > FEW).map(([part]) => part).sort();
}

const asImport = (part) => (part.endsWith(".js") ? `./${part}` : part);
const stdin = (contents) => ({ stdin: { contents, resolveDir: folder }, format: "iife", write: true });

const fromShared = (parts) => ({
  name: "from-shared",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, kind }) => {
      if (kind === "import-rule" && basename(path) === SHARED_STYLE) return { path, namespace: "no-style" };
      const part = path.startsWith("./") ? basename(path) : path;
      return parts.includes(part) ? { path: part, namespace: "shared" } : undefined;
    });
    onLoad({ filter: /.*/, namespace: "no-style" }, () => ({ contents: "", loader: "css" }));
    onLoad({ filter: /.*/, namespace: "shared" }, ({ path }) => ({
      contents: `module.exports = globalThis.demoParts[${JSON.stringify(path)}];`,
    }));
  },
});

async function buildShared(parts) {
  const style = await build({ ...options, entryPoints: [`${folder}${SHARED_STYLE}`], write: false });
  const names = parts.map((part, i) => `${JSON.stringify(part)}: part${i}`);
  const contents = [
    ...parts.map((part, i) => `import * as part${i} from ${JSON.stringify(asImport(part))};`),
    `globalThis.demoParts = { ${names.join(", ")} };`,
    `(globalThis.demoCode ??= {}).shared = { css: ${JSON.stringify(style.outputFiles[0].text.trim())} };`,
  ].join("\n");
  await build({ ...options, ...stdin(contents), outfile: `${folder}static/page/shared.js` });
}

async function buildForPage(stem, parts) {
  const plugins = [fromShared(parts)];
  const styled = await build({ ...options, entryPoints: [`${folder}${stem}.css`], plugins, write: false });
  const css = JSON.stringify(styled.outputFiles[0].text.trim());
  const contents = `import widget from "./${stem}.js";\n(globalThis.demoCode ??= {}).${stem} = { widget, css: ${css} };`;
  await build({ ...options, ...stdin(contents), plugins, outfile: `${folder}static/page/${stem}.js` });
}

rmSync(`${folder}static`, { recursive: true, force: true });
mkdirSync(`${folder}static/page`, { recursive: true });
const { metafile } = await build({
  ...options,
  entryPoints: demos.flatMap((stem) => [`${folder}${stem}.js`, `${folder}${stem}.css`]),
  outdir: `${folder}static`,
  format: "esm",
  metafile: true,
});
const parts = sharedParts(metafile);
await Promise.all([buildShared(parts), ...demos.map((stem) => buildForPage(stem, parts))]);
