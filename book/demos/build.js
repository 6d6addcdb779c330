// Bundles the demos: every folder here that has an ES module and a style of its own name.
//   static/<demo>.js, .css   all of a demo in one ES module and one style, for notebooks
//   static/page/             the same as classic scripts for the book, whose pages may be opened from disk: one script
//                            a demo, and shared.js with what most of them need, which a reader loads once
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = fileURLToPath(new URL(".", import.meta.url));
const sourceOf = (demo) => `${folder}${demo}/${demo}`;
const demos = readdirSync(folder).filter((name) => existsSync(`${sourceOf(name)}.js`));
const FEW = 4; // demos that may each carry their own copy of a part
const SHARED_STYLE = "shared/demo.css"; // the first import of every style

const options = {
  bundle: true,
  minify: true,
  charset: "utf8",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
};

const inFolder = (path) => relative(folder, path).replaceAll(sep, "/");

// "shared/numbers.js" for a module of ours, "d3-selection" for one of a package: all of its files go together.
const partOf = (input) => input.match(/node_modules\/([^/]+)/)?.[1] ?? inFolder(input);

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
    onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
      const part = path.startsWith(".") ? inFolder(join(resolveDir, path)) : path;
      if (kind === "import-rule" && part === SHARED_STYLE) return { path, namespace: "no-style" };
      return parts.includes(part) ? { path: part, namespace: "shared" } : undefined;
    });
    onLoad({ filter: /.*/, namespace: "no-style" }, () => ({ contents: "", loader: "css" }));
    // One constant a name, which the bundler drops where nobody imports it.
    onLoad({ filter: /.*/, namespace: "shared" }, async ({ path }) => {
      const names = Object.keys(await import(path.endsWith(".js") ? join(folder, path) : path));
      const exported = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => part.${name})();`);
      return { contents: [`const part = globalThis.demoParts[${JSON.stringify(path)}];`, ...exported].join("\n") };
    });
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

async function buildForPage(demo, parts) {
  const plugins = [fromShared(parts)];
  const styled = await build({ ...options, entryPoints: [`${sourceOf(demo)}.css`], plugins, write: false });
  const css = JSON.stringify(styled.outputFiles[0].text.trim());
  const contents = `import widget from "./${demo}/${demo}.js";\n(globalThis.demoCode ??= {}).${demo} = { widget, css: ${css} };`;
  await build({ ...options, ...stdin(contents), plugins, outfile: `${folder}static/page/${demo}.js` });
}

rmSync(`${folder}static`, { recursive: true, force: true });
mkdirSync(`${folder}static/page`, { recursive: true });
const { metafile } = await build({
  ...options,
  entryPoints: demos.flatMap((demo) => [".js", ".css"].map((kind) => ({ in: sourceOf(demo) + kind, out: demo }))),
  outdir: `${folder}static`,
  format: "esm",
  metafile: true,
});
const parts = sharedParts(metafile);
await Promise.all([buildShared(parts), ...demos.map((demo) => buildForPage(demo, parts))]);
