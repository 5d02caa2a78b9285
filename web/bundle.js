// Puts the page together in a folder: `node bundle.js SITE`.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const site = resolve(process.argv[2]);

// The script of the program's own pages, as a function of the document and the window that it works in.
const keys = {
  name: 'keys',
  setup(steps) {
    const script = join(here, '../src/output/html/templates/keys.js');
    steps.onResolve({ filter: /^keys$/ }, () => ({ path: script, namespace: 'keys' }));
    steps.onLoad({ filter: /./, namespace: 'keys' }, () => ({
      contents: `export function attach(document, window) {\n${readFileSync(script, 'utf8')}\n}`,
    }));
  },
};

/** Files that are there without being put: the engine. */
const files = new Set(['engine.wasm'].filter((name) => existsSync(join(site, name))));

/** Writes a file if it has another content: a program that holds it is compiled again only if need be. */
function write(place, content) {
  mkdirSync(dirname(place), { recursive: true });
  if (!existsSync(place) || !readFileSync(place).equals(Buffer.from(content))) writeFileSync(place, content);
}

function put(name, content) {
  files.add(name);
  write(join(site, name), content);
}

async function bundle(names, options) {
  const entryPoints = names.map((name) => join(here, 'src', name));
  const usual = { bundle: true, minify: true, target: 'es2022', outdir: site, logLevel: 'warning', plugins: [keys], write: false };
  const { outputFiles } = await build({ ...usual, entryPoints, ...options });
  return outputFiles.map(({ path, contents }) => [relative(site, path), contents]);
}

const putAll = (all) => all.forEach(([name, contents]) => put(name, contents));

const scenarios = readdirSync(join(here, '../scenarios')).filter((name) => name.endsWith('.toml')).sort();
const listed = scenarios.map((name) => {
  const text = readFileSync(join(here, '../scenarios', name), 'utf8');
  put(join('scenarios', name), text);
  return { name, title: /^title = "(.*)"/m.exec(text)?.[1] ?? name };
});
put('scenarios.json', JSON.stringify({ saves: false, first: 'multi-attacker.toml', scenarios: listed }));
for (const name of ['index.html', 'icon.svg']) put(name, readFileSync(join(here, name)));
putAll(await bundle(['main.js', 'worker.js', 'style.css'], { format: 'esm' }));

// It keeps all files of this very page.
const hash = createHash('sha256');
const kept = [...files].sort();
for (const name of kept) hash.update(name).update(readFileSync(join(site, name)));
const define = { FILES: JSON.stringify(['./', ...kept]), VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)) };
putAll(await bundle(['offline.js'], { format: 'iife', define }));

for (const entry of readdirSync(site, { recursive: true, withFileTypes: true })) {
  const place = join(entry.parentPath ?? entry.path, entry.name);
  if (entry.isFile() && !files.has(relative(site, place))) rmSync(place);
}
