// Serves the built page on this machine alone: `node web/serve.js [PORT]`.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.toml': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

const here = dirname(fileURLToPath(import.meta.url));

/** Serves a folder, on any free port if `port` is 0; returns the server once it listens. */
export function serve(site, port = 0) {
  const server = createServer((request, response) => {
    try {
      const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
      const file = join(site, path.endsWith('/') ? `${path}index.html` : path);
      const content = readFileSync(file);
      response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', 'Cache-Control': 'no-cache' });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((listening) => server.listen(port, '127.0.0.1', () => listening(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(resolve(here, 'site'), Number(process.argv[2] ?? 8000));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
