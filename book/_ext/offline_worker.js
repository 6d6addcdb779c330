// Keeps the book for reading without a network. EDITION and FILES are written above by the build.
const BOOK = EDITION.split(" ")[0];

async function keep() {
  const cache = await caches.open(EDITION);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await self.skipWaiting();
}

async function forgetOlder() {
  for (const name of await caches.keys()) {
    if (name.startsWith(`${BOOK} `) && name !== EDITION) await caches.delete(name);
  }
  await self.clients.claim();
}

async function answer(request) {
  const address = request.url.split(/[?#]/)[0];
  const cache = await caches.open(EDITION);
  const kept = await cache.match(address.endsWith("/") ? `${address}index.html` : address, { ignoreSearch: true });
  return kept ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOlder()));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(self.registration.scope)) {
    event.respondWith(answer(event.request));
  }
});
