// The service worker of a site: after the first visit, all files come from the browser. `scripts/web` writes their list
// and a version in front of this text, so that a changed site is fetched anew, as a whole.
declare const kSite: { version: string; files: string[] };

// Of the scope of service workers, which TypeScript's declarations of pages lack.
interface Event_ extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetch extends Event {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

const kPrefix = 'rgtrans ';
const kName = kPrefix + kSite.version;

self.addEventListener('install', (event) => {
  const files = kSite.files.map((file) => new Request(file, { cache: 'no-cache' }));
  (event as Event_).waitUntil(caches.open(kName).then((cache) => cache.addAll(files)));
});
self.addEventListener('activate', (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(kPrefix) && name !== kName) await caches.delete(name);
    }
  };
  (event as Event_).waitUntil(forget());
});
self.addEventListener('fetch', (event) => {
  const { request } = event as Fetch;
  const kept = caches.open(kName).then((cache) => cache.match(request, { ignoreSearch: true }));
  (event as Fetch).respondWith(kept.then((answer) => answer ?? fetch(request)));
});
