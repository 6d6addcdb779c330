// Makes one style sheet and some scripts of many. Reads a job from stdin, writes the result to stdout, both as JSON:
//   { styles: [path], used, words: [word], unused: [word], folder, scripts: { name: [path] } }
//   → { css, scripts: { name: code } }
// Styles keep their order, lose the rules that nothing on a page and no word of a script can match, and name files from
// the folder.
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { build, transform } from "esbuild";
import { PurgeCSS } from "purgecss";

const job = JSON.parse(readFileSync(0, "utf8"));

const filesFromFolder = {
  name: "files-from-folder",
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
      if (kind !== "url-token" || /^(data:|#)/.test(path)) return undefined;
      return { path: relative(job.folder, resolve(dirname(importer), path)).replaceAll("\\", "/"), external: true };
    });
  },
};

async function bundled(styles) {
  const contents = styles.map((path) => `@import ${JSON.stringify(path)};`).join("\n");
  const { outputFiles } = await build({
    stdin: { contents, loader: "css", resolveDir: process.cwd() },
    bundle: true,
    write: false,
    charset: "utf8",
    logLevel: "error",
    plugins: [filesFromFolder],
  });
  return outputFiles[0].text;
}

const wordsOf = (code) => code.match(/[\w-]+/g) ?? [];

async function purged(css, words) {
  const used = { ...job.used, attributes: job.used, undetermined: words };
  const [{ css: kept }] = await new PurgeCSS().purge({
    content: [{ raw: "everything", extension: "used" }],
    css: [{ raw: css }],
    extractors: [{ extensions: ["used"], extractor: () => used }],
    fontFace: false, // KaTeX names its font in a shorthand, which PurgeCSS does not read
    keyframes: true, // but for those that a script names
    variables: true, // but for those that a page or a script names
    safelist: { keyframes: words, variables: [...job.used.variables, ...words.filter((word) => word.startsWith("--"))] },
  });
  return (await transform(kept, { loader: "css", minify: true, charset: "utf8", legalComments: "none" })).code;
}

// Not a module: each script keeps what it declares for those behind it. What it only tells the console is left out.
const QUIET = ["console.log", "console.debug", "console.info"];

async function joined(paths) {
  const options = { minify: true, charset: "utf8", legalComments: "none", pure: QUIET };
  const codes = await Promise.all(paths.map((path) => transform(readFileSync(path, "utf8"), options)));
  return codes.map(({ code }) => code).join("");
}

const named = Object.entries(job.scripts).map(async ([name, paths]) => [name, await joined(paths)]);
const scripts = Object.fromEntries(await Promise.all(named));
// A script may give an element any of its words as a class; what stood in comments is gone by now.
const unused = new Set(job.unused);
const words = [...job.words, ...Object.values(scripts).flatMap(wordsOf)].filter((word) => !unused.has(word));
process.stdout.write(JSON.stringify({ css: await purged(await bundled(job.styles), words), scripts }));
