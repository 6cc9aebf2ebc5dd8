import assert from 'node:assert/strict';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { inEachMode, MODES, serves, type Site } from '../support/engine/crawl-modes.ts';

const NAMES = ['home', 'about', 'shop', 'contact', 'press'];
const ROWS = MODES.slice(0, 2);

/** Each visit creates a new session id, which every link of the page contains. */
function withSessions(
  toPath: (name: string, session: string) => string,
  nameIn: (path: string) => string | undefined,
): Site {
  let visits = 0;
  return (path) => {
    const name = path === '/' ? 'home' : nameIn(path);
    if (name === undefined || !NAMES.includes(name)) return null;
    visits += 1;
    const session = (visits * 7919).toString(36).padStart(6, 'x');
    return { links: NAMES.map((one) => toPath(one, session)), title: name, says: `This is the page ${name}.` };
  };
}

/** Trap sites: their responses, their pages, and the maximum number of requests. */
const TRAPS: readonly (readonly [what: string, site: () => Site, pages: number, requests: number])[] = [
  ...['SID', 'PHPSESSID', 'jsessionid', 'CFTOKEN', 'ASPSESSIONIDQABC', 'sessionid'].map(
    (name) =>
      [
        `a session in the parameter ${name}`,
        () =>
          withSessions(
            (one, session) => `/${one}?${name}=a1${session}9f`,
            (path) => /^\/(\w+)\?/.exec(path)?.[1],
          ),
        5,
        6,
      ] as const,
  ),
  [
    'a session in a path parameter',
    () =>
      withSessions(
        (one, session) => `/${one};SID=${session}`,
        (path) => /^\/(\w+);/.exec(path)?.[1],
      ),
    5,
    6,
  ],
  [
    'a session in an unknown parameter',
    () =>
      withSessions(
        (one, session) => `/${one}?visit=${session}`,
        (path) => /^\/(\w+)\?/.exec(path)?.[1],
      ),
    5,
    250,
  ],
  [
    'a session in a path segment',
    () =>
      withSessions(
        (one, session) => `/${session}/${one}`,
        (path) => /^\/\w+\/(\w+)$/.exec(path)?.[1],
      ),
    5,
    250,
  ],
  [
    'an additional slash per link',
    () => (path) =>
      path === '/' ? { links: ['/a'] } : /^\/+a$/.test(path) ? { links: [`/${path}`], title: 'A', says: 'A' } : null,
    2,
    8,
  ],
  [
    'accumulating relative links',
    () => (path) =>
      path.startsWith('/robots') || path.startsWith('/sitemap')
        ? null
        : { links: ['news/', 'team/', 'jobs/'], title: 'Mill', says: `At ${path.split('/').at(-2)}` },
    4,
    250,
  ],
  [
    'a growing query',
    () => (path) =>
      path.startsWith('/robots')
        ? null
        : {
            links: [
              `${path}${path.includes('?') ? '&' : '?'}tag=${path.length}`,
              `${path}${path.includes('?') ? '&' : '?'}sort=${path.length}`,
            ],
            title: 'Mill',
            says: 'The list.',
          },
    1,
    150,
  ],
];

for (const [what, site, pages, requests] of TRAPS) {
  const asked: string[] = [];
  let trap = site();
  inEachMode(
    `a site with ${what} is crawled completely with few requests`,
    { kind: 'crawl', modes: ROWS, options: { tierVisits: { http: serves((path) => trap(path), asked) } } },
    async (crawl) => {
      asked.length = 0;
      trap = site();
      const all = Crawled.parse(await crawl({ sitemap: 'skip', respect_robots: false }));
      assert.equal(all.pages.length, pages, listStoredPaths(all).join(' '));
      assert.ok(asked.length <= requests, `${asked.length} requests for ${pages} pages`);
      checkSum(all);
    },
  );
}

/** A shop of many products below one pattern, over paged lists, with a calendar and print versions that repeat. */
const PRODUCTS = 1200;
const DAYS = 240;
const shop: Site = (path) => {
  const at = (pattern: RegExp): number | null => (pattern.test(path) ? Number(pattern.exec(path)?.[1]) : null);
  const list = path === '/' ? 0 : at(/^\/list\?page=(\d+)$/);
  if (list !== null) {
    const items = Array.from({ length: 20 }, (_, place) => list * 20 + place).filter((item) => item < PRODUCTS);
    const next = items.length === 20 ? [`/list?page=${list + 1}`] : [];
    return { links: ['/calendar/1', ...items.map((item) => `/product/${item}`), ...next], says: `List ${list}` };
  }
  const product = at(/^\/product\/(\d+)$/);
  if (product !== null) return { links: [`/print/${product}`], says: `Product ${product} of the mill.` };
  const printed = at(/^\/print\/(\d+)$/);
  if (printed !== null)
    return {
      links: [`/print/${printed}?large=1`],
      says: `Product ${printed} of the mill.`,
      title: `Page /product/${printed}`,
    };
  const day = at(/^\/calendar\/(\d+)$/);
  if (day !== null && day <= DAYS)
    return { links: day < DAYS ? [`/calendar/${day + 1}`] : [], says: `Day ${day}: no event.` };
  return null;
};
inEachMode(
  'a large shop with lists, a calendar and print versions is crawled completely',
  { kind: 'crawl', modes: ['sqlite'], options: { tierVisits: { http: serves(shop) } } },
  async (crawl) => {
    const all = Crawled.parse(await crawl({ sitemap: 'skip', max_pages: 10_000 }));
    const counted = (part: string): number => listStoredPaths(all).filter((path) => path.startsWith(part)).length;
    assert.deepEqual([counted('/product/'), counted('/calendar/'), all.stop_reason], [PRODUCTS, DAYS, 'exhausted']);
    checkSum(all);
  },
);
