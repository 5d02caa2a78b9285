// Keeps the page, so that it opens without a network after the first visit.

/* global FILES, VERSION */
const cache = `skirmish-${VERSION}`;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cache).then((kept) => kept.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith('skirmish-') && name !== cache).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== self.location.origin) return;
  event.respondWith(
    caches.open(cache).then(async (kept) => (await kept.match(event.request, { ignoreSearch: true })) ?? fetch(event.request)),
  );
});
