// Puts the page together in a folder: `node bundle.js FOLDER`.

import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const site = resolve(process.argv[2]);
const usual = { bundle: true, format: 'esm', minify: true, target: 'es2022', outdir: site, logLevel: 'warning' };

const scenarios = readdirSync(join(here, '../scenarios')).filter((name) => name.endsWith('.toml')).sort();
mkdirSync(join(site, 'scenarios'), { recursive: true });
const listed = scenarios.map((name) => {
  const text = readFileSync(join(here, '../scenarios', name), 'utf8');
  copyFileSync(join(here, '../scenarios', name), join(site, 'scenarios', name));
  return { name, title: /^title = "(.*)"/m.exec(text)?.[1] ?? name };
});
writeFileSync(join(site, 'scenarios.json'), JSON.stringify(listed));
for (const name of ['index.html', 'icon.svg']) copyFileSync(join(here, name), join(site, name));
await build({ ...usual, entryPoints: ['main.js', 'worker.js', 'style.css'].map((name) => join(here, 'src', name)) });

const files = readdirSync(site, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(site.length + 1))
  .sort();
const hash = createHash('sha256');
for (const name of files) hash.update(name).update(readFileSync(join(site, name)));
await build({
  ...usual,
  format: 'iife',
  entryPoints: [join(here, 'src/offline.js')],
  define: { FILES: JSON.stringify(['./', ...files]), VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)) },
});
