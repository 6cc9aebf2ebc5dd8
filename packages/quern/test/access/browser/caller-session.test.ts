import assert from 'node:assert/strict';
import { type StoredCookie, WebSession } from '#access/web-session.ts';
import { browserTest, openRendered, type Pages, getPageText } from '#support/rendered.ts';

const says = (expression: string): string => `<p id="said"></p><script>said.textContent = ${expression}</script>`;
const CLEARED = 'localStorage.clear(); document.cookie = "gone=; max-age=0; path=/"; ';

const PAGES: Pages = {
  '/': says("'[' + document.cookie + '][' + localStorage.getItem('token') + ']'"),
  '/sets': (request, response) =>
    void response
      .setHeader('set-cookie', ['a=2; Path=/; HttpOnly; SameSite=Strict; Max-Age=600', 'new=1'])
      .setHeader('content-type', 'text/html')
      .end(
        `<p>${request.headers.cookie ?? 'none'} ${'grain '.repeat(60)}<script>localStorage.setItem('more', '2')</script>`,
      ),
  '/clears': `<script>${CLEARED} location.href = '/after'</script>`,
  '/after': says("'left ' + localStorage.length"),
  '/file': (_, response) =>
    void response.setHeader('set-cookie', 'file=1').setHeader('content-type', 'application/json').end('{"a":1}'),
};

const own = (name: string, value: string, more: Partial<StoredCookie> = {}): StoredCookie => ({
  name,
  value,
  domain: '127.0.0.1',
  hostOnly: true,
  path: '/',
  secure: false,
  ...more,
});

const TOKEN: readonly (readonly [string, string])[] = [['token', 'grist']];

/** A session with cookies, and with a token in the storage of an origin. */
function buildSession(origin: string, cookies: readonly StoredCookie[]): WebSession {
  return new WebSession({ cookies, storage: new Map([[origin, new Map(TOKEN)]]) });
}

function withSite(work: (site: Awaited<ReturnType<typeof openRendered>>) => Promise<void>): () => Promise<void> {
  return async () => {
    const site = await openRendered(PAGES);
    await work(site).finally(async () => site.close());
  };
}

browserTest(
  'a page sees the cookies and storage of its session, and leaves them unchanged if it sets nothing',
  withSite(async ({ origin, html }) => {
    const expires = Math.round(Date.now() / 1000 + 3600) * 1000;
    const kept = own('kept', '1', { httpOnly: true, sameSite: 'strict', expires });
    const other = { ...own('other', '1'), domain: 'other.example' };
    const wide = { ...own('wide', '1', { secure: true, sameSite: 'none' }), domain: 'mill.example', hostOnly: false };
    const session = buildSession(origin, [own('a', '1'), kept, other, wide]);
    assert.match(await html('/', { session }), /\[a=1\]\[grist\]/);
    assert.equal(session.takeChange(), null);
  }),
);

browserTest(
  'data set by the response and scripts of a page is stored in the session',
  withSite(async ({ origin, visit }) => {
    const session = buildSession(origin, [own('a', '1')]);
    await visit('/sets', { session });
    const found = new Map(session.cookies().map((one) => [one.name, one]));
    assert.deepEqual([...found.keys()].toSorted(), ['a', 'new']);
    const { value, httpOnly, sameSite, expires = 0 } = found.get('a') ?? own('', '');
    assert.deepEqual([value, httpOnly, sameSite, expires > Date.now()], ['2', true, 'strict', true]);
    assert.deepEqual(session.storage().get(origin), new Map([...TOKEN, ['more', '2']]));
    await visit('/file', { session });
    assert.ok(session.cookies().some(({ name }) => name === 'file'));
  }),
);

browserTest(
  'data cleared by a page stays cleared on the page it navigates to, and in the session',
  withSite(async ({ origin, html }) => {
    const session = buildSession(origin, [own('gone', '1'), own('stays', '1')]);
    assert.match(await html('/clears', { session }), /left 0/);
    assert.deepEqual(
      session.cookies().map(({ name }) => name),
      ['stays'],
    );
    assert.equal(session.storage().size, 0);
  }),
);

browserTest(
  'a cookie of the call overrides that of the session, and is not stored',
  withSite(async ({ origin, visit }) => {
    const session = buildSession(origin, [own('a', 'session'), own('b', '1')]);
    const cookies = [
      { name: 'a', value: 'call' },
      { name: 'c', value: 'call' },
    ];
    const page = await visit('/', { session, cookies });
    assert.match(getPageText(page), /\[(?=.*a=call)(?=.*b=1)(?=.*c=call)(?!.*session).*\]\[grist\]/);
    assert.deepEqual(
      session.cookies().map(({ name, value }) => `${name}=${value}`),
      ['a=session', 'b=1'],
    );
  }),
);

browserTest(
  'a cookie that the browser rejects does not affect the others',
  withSite(async ({ origin, html }) => {
    const session = buildSession(origin, [own('__Host-x', '1'), own('a', '1'), own('bad', 'x\u0001y')]);
    assert.match(await html('/', { session }), /\[a=1\]\[grist\]/);
    assert.equal(session.cookies().length, 3);
  }),
);

browserTest(
  'pages of a crawl in a session share no context, and each starts with the data of the session',
  withSite(async ({ origin, html }) => {
    const session = buildSession(origin, [own('a', '1')]);
    assert.match(await html('/', { session, job: 'job' }), /\[a=1\]\[grist\]/);
    assert.match(await html('/', { job: 'job' }), /\[\]\[null\]/);
  }),
);
