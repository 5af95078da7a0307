// Keeps the files of /proof, so that documents are checked without a network. `version` and `files` are put before this
// text.
const cacheName = `proof-${version}`;

self.addEventListener('install', (event) => {
  event.waitUntil(keep());
});
self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOlder());
});
self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isKept = origin === location.origin && event.request.method === 'GET' && files.includes(pathname);
  if (isKept) event.respondWith(find(pathname, event.request));
});

async function keep() {
  const cache = await caches.open(cacheName);
  await cache.addAll(files.map((path) => new Request(path, { cache: 'no-cache' })));
  await self.skipWaiting();
}

async function forgetOlder() {
  const older = (await caches.keys()).filter((name) => name.startsWith('proof-') && name !== cacheName);
  await Promise.all(older.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** One version of all files: what is kept comes first. */
async function find(pathname, request) {
  return (await (await caches.open(cacheName)).match(pathname)) ?? fetch(request);
}
