import assert from 'node:assert/strict';
import type { Visit } from '#access/page.ts';
import { checkSum, Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { type Answer, inEachMode, type Mode, serves } from '../support/engine/crawl-modes.ts';
import { buildTestPage, SITE } from './gate.ts';

const LEAVES = Array.from({ length: 21 }, (_, at) => `/p${at}`);
const UNSAFE = [
  '/logout',
  '/users/sign_out',
  '/items/4/delete',
  '/unsubscribe',
  '/?add-to-cart=12',
  '/wp-login.php?action=logout',
];
const ARTICLES = ['/docs/how-to-logout-of-a-session', '/blog/deleting-files'];
const CONTENT = ['/', '/leave', ...LEAVES, ...ARTICLES];
const COOKIES = { fetch: { cookies: [{ name: 'sid', value: '1' }] } };
const INLINE: readonly Mode[] = ['inline'];

const asked: string[] = [];
const site = serves((path): Answer | null => {
  if (path === '/leave') return { to: '/logout' };
  if (path === '/') return { links: ['/leave', ...UNSAFE, ...LEAVES, ...ARTICLES] };
  return [...LEAVES, ...ARTICLES, ...UNSAFE].includes(path) ? { links: [] } : null;
}, asked);

const WITH_LOGIN: Readonly<Record<string, object>> = {
  cookies: COOKIES,
  'a login header': { fetch: { headers: { Authorization: 'Bearer abc' } } },
  'a key in a header': { fetch: { headers: { 'x-api-key': 'abc' } } },
};

for (const [what, input] of Object.entries(WITH_LOGIN)) {
  inEachMode(
    `a crawl with ${what} follows no link that logs out or changes data, and says so`,
    { kind: 'crawl', options: { tierVisits: { http: site } } },
    async (crawl) => {
      asked.length = 0;
      const end = Crawled.parse(await crawl({ sitemap: 'skip', ...input }));
      assert.deepEqual(
        asked.filter((path) => UNSAFE.includes(path)),
        [],
      );
      assert.deepEqual(listStoredPaths(end), CONTENT.filter((path) => path !== '/leave').toSorted());
      assert.equal(end.skipped['action'], UNSAFE.length + 1);
      assert.deepEqual([end.stop_reason, end.complete], ['exhausted', true]);
      assert.match(end.warnings.map(({ message }) => message).join(), /follow_actions/);
      checkSum(end);
    },
  );
}

for (const [what, input] of Object.entries({
  'without a login': {},
  'with a login and follow_actions': { ...COOKIES, follow_actions: true },
}))
  inEachMode(
    `a crawl ${what} follows all links`,
    { kind: 'crawl', modes: INLINE, options: { tierVisits: { http: site } } },
    async (crawl) => {
      asked.length = 0;
      const end = Crawled.parse(await crawl({ sitemap: 'skip', exclude: ['/p*'], ...input }));
      assert.ok(UNSAFE.every((path) => asked.includes(path)));
      assert.equal(end.skipped['action'], 0);
    },
  );

inEachMode(
  'a seed that looks like a logout link is visited',
  { kind: 'crawl', modes: INLINE, options: { tierVisits: { http: site } } },
  async (crawl) => {
    const end = Crawled.parse(await crawl({ url: `${SITE}logout`, sitemap: 'skip', ...COOKIES }));
    assert.deepEqual(listStoredPaths(end), ['/logout']);
  },
);

inEachMode(
  'a map with cookies visits no logout link',
  { kind: 'map', modes: INLINE, options: { tierVisits: { http: site } } },
  async (map) => {
    asked.length = 0;
    const { urls } = await map({ sources: ['links'], ...COOKIES });
    assert.deepEqual(
      asked.filter((path) => UNSAFE.includes(path)),
      [],
    );
    assert.ok(Array.isArray(urls) && urls.length > LEAVES.length);
  },
);

const FORM =
  '<title>Log in</title><h1>Members only</h1><form><input name="user"><input type="password" name="p"></form>';
const GOOD = 5;

type LoggedOut = (url: URL) => ReturnType<typeof buildTestPage>;

/** The site; its session ends after the given number of pages. */
function endingAfter(good: number, loggedOut: LoggedOut): Visit {
  let pages = 0;
  return async (request, signal) => {
    const { pathname } = request.url;
    if (pathname === '/') pages = 0;
    if (!pathname.startsWith('/p')) return site(request, signal);
    pages += 1;
    return pages > good ? loggedOut(request.url) : site(request, signal);
  };
}

const LOGINS: Readonly<Record<string, LoggedOut>> = {
  'become login forms': (url) => buildTestPage({ url: url.href, text: FORM }),
  'redirect to a login': (url) =>
    buildTestPage({ url: new URL('/login?next=1', url).href, text: '<h1>Welcome</h1>'.repeat(9) }),
  'become login forms in German': (url) =>
    buildTestPage({
      url: url.href,
      text: `<h1>Bitte anmelden</h1>${'Wort '.repeat(60)}<form><input type=password></form>`,
    }),
};

for (const [what, loggedOut] of Object.entries(LOGINS)) {
  inEachMode(
    `a crawl with a login whose pages ${what} stops with the reason and stores none of them`,
    { kind: 'crawl', options: { tierVisits: { http: endingAfter(GOOD, loggedOut) } } },
    async (crawl, gate) => {
      const end = Crawled.parse(await crawl({ sitemap: 'skip', ...COOKIES }));
      assert.deepEqual([end.stop_reason, end.complete], ['login_required', false]);
      assert.equal(end.pages.filter(({ url }) => url.startsWith(`${SITE}p`)).length, GOOD);
      assert.ok((end.skipped['login'] ?? 0) >= 5);
      assert.match(end.warnings.map(({ code }) => code).join(), /auth_required/);
      checkSum(end);
      assert.deepEqual(await gate.spent(), [end.pages.length * 2, 0]);
    },
  );
}

const formAt: Visit = async (request, signal) =>
  request.url.pathname === '/p3' ? buildTestPage({ url: request.url.href, text: FORM }) : site(request, signal);

inEachMode(
  'a crawl with a login skips a single login form and continues',
  { kind: 'crawl', modes: INLINE, options: { tierVisits: { http: formAt } } },
  async (crawl) => {
    const end = Crawled.parse(await crawl({ sitemap: 'skip', ...COOKIES }));
    assert.deepEqual([end.skipped['login'], end.complete], [1, false]);
    assert.equal(listStoredPaths(end).includes('/p20'), true);
  },
);

inEachMode(
  'a crawl without a login stores login forms',
  { kind: 'crawl', modes: INLINE, options: { tierVisits: { http: formAt } } },
  async (crawl) => {
    const end = Crawled.parse(await crawl({ sitemap: 'skip' }));
    assert.deepEqual([end.skipped['login'], listStoredPaths(end).includes('/p3')], [0, true]);
  },
);

const settings = buildTestPage({
  text: `<h1>Settings</h1>${'<p>How this account is shown to others, and by whom.</p>'.repeat(40)}<input type=password>`,
});

inEachMode(
  'a page of settings with a field for a password is stored by a crawl with a login',
  {
    kind: 'crawl',
    modes: INLINE,
    options: {
      tierVisits: {
        http: async (request, signal) =>
          request.url.pathname === '/p3'
            ? { ...settings, url: request.url.href, body: settings.body.slice() }
            : site(request, signal),
      },
    },
  },
  async (crawl) => {
    const end = Crawled.parse(await crawl({ sitemap: 'skip', ...COOKIES }));
    assert.equal(listStoredPaths(end).includes('/p3'), true);
  },
);
