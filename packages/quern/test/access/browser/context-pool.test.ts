import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BROWSERS, browserTest, FOOTER, openRendered, type Pages, getPageText } from '../../support/rendered.ts';

const LATE_MS = 1_000;

const PAGES: Pages = {
  /** Shows data of the previous page in the same context, and stores some itself. */
  '/bakes': (_, response) =>
    response
      .writeHead(200, { 'set-cookie': 'seen=1', 'content-type': 'text/html' })
      .end(`<p id="kept"></p>${FOOTER}<script>kept.textContent = localStorage.seen; localStorage.seen = 1;</script>`),
  '/late': `<p>mill</p><script>setTimeout(() => fetch('/asked-late'), ${LATE_MS})</script>`,
  /** Navigates elsewhere after half a second, by script and by refresh. */
  '/restless': `<meta http-equiv="refresh" content="1; url=/bakes"><p>mill</p><script>
    setInterval(() => { if (performance.now() > 500) location.href = '/bakes'; }, 1);
    onbeforeunload = () => 'stay';
  </script>`,
  /** Is led elsewhere by a frame, from a moment on at which the next page is under way. */
  '/framed': `<p>mill</p><iframe srcdoc="<script>
    setInterval(() => { if (performance.now() > 400) parent.location.href = '/bakes'; }, 1);
  </script>"></iframe>`,
  '/slow': (_, response) =>
    void setTimeout(
      () => response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>slow</p>${FOOTER}`),
      LATE_MS / 2,
    ),
  /** Registers a service worker that receives all later requests of the site. */
  '/worked': `<p id="said"></p><script>
    navigator.serviceWorker.register('/worker').then(() => navigator.serviceWorker.ready).then(() => said.textContent = 'ready');
  </script>`,
  '/worker': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(`
      onactivate = (event) => event.waitUntil(clients.claim());
      onfetch = (event) => event.respondWith(fetch(event.request));
    `),
  '/plain': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('rye'),
  '/said': `<p id="said"></p><script>said.textContent = 'at ' + location.hash;</script>`,
  '/refused': (_, response) => response.writeHead(403, { 'content-type': 'text/html' }).end('<p>no'),
  '/held': () => undefined,
};

let rendered: Awaited<ReturnType<typeof openRendered>>;
before(async () => {
  if (BROWSERS !== null) rendered = await openRendered(PAGES, { slots: 1 });
});
after(async () => {
  if (BROWSERS !== null) await rendered.close();
});

/** Whether a visit sees, and sends to the site, data of an earlier one. */
async function isKnown(job: string | undefined): Promise<boolean> {
  const html = getPageText(await rendered.visit('/bakes', { job }));
  const isSaid = html.includes('<p id="kept">1</p>');
  assert.equal(rendered.visits('/bakes').at(-1)?.headers.cookie === 'seen=1', isSaid);
  return isSaid;
}

browserTest(
  'pages of one job reuse one context, and pages of different jobs and of calls never share one',
  async () => {
    const known = [];
    for (const job of ['rye', 'rye', 'wheat', undefined, 'rye', 'wheat', undefined]) known.push(await isKnown(job));
    assert.deepEqual(known, [false, true, false, false, true, true, false]);
  },
);

browserTest('the 21st page of a job starts with a new context', async () => {
  const strangers = [];
  for (let page = 1; page <= 22; page += 1) if (!(await isKnown('oats'))) strangers.push(page);
  assert.deepEqual(strangers, [1, 21]);
});

browserTest('two hosts of one job share no data', async () => {
  const other = await openRendered(PAGES);
  try {
    assert.equal(await isKnown('barley'), false);
    assert.doesNotMatch(getPageText(await rendered.visit(`${other.origin}/bakes`, { job: 'barley' })), /id="kept">1/);
    assert.equal(other.visits('/bakes').at(-1)?.headers.cookie, undefined);
  } finally {
    await other.close();
  }
});

browserTest('a page is inactive after it is left, even if its context is reused', async () => {
  await rendered.visit('/late', { job: 'spelt' });
  await delay(2 * LATE_MS);
  assert.equal(rendered.visits('/asked-late').length, 0);
});

browserTest('a pending navigation of a page does not affect the next page', async () => {
  for (const pause of [0, 200, LATE_MS]) {
    await rendered.visit('/restless', { job: 'durum' });
    await delay(pause);
    const page = await rendered.visit('/said', { job: 'durum' });
    assert.equal(page.url, `${rendered.origin}/said`);
    assert.match(getPageText(page), /<p id="said">at <\/p>/);
  }
});

browserTest('a frame of a page does not navigate the next page', async () => {
  for (const pause of [0, 50, 100, 150, 200]) {
    await rendered.visit('/framed', { job: 'einkorn' });
    await delay(pause);
    assert.equal((await rendered.visit('/slow', { job: 'einkorn' })).url, `${rendered.origin}/slow`);
  }
});

browserTest('pages that differ only in their fragment are each loaded', async () => {
  const said = [];
  for (const at of ['#rye', '#oats', '#oats', '']) {
    said.push(/at [^<]*/.exec(getPageText(await rendered.visit(`/said${at}`, { job: 'teff' })))?.[0]);
  }
  assert.deepEqual(said, ['at #rye', 'at #oats', 'at #oats', 'at ']);
});

browserTest('a page is loaded normally if its site has registered a service worker', async () => {
  for (const job of ['barley', 'barley', 'barley']) {
    const page = await rendered.visit('/worked', {
      job,
    });
    assert.deepEqual([page.status, getPageText(page).includes('>ready<')], [200, true]);
  }
});

browserTest('scripts run in the page after one that the browser does not display', async () => {
  for (const path of ['/said', '/plain', '/said']) {
    assert.match(getPageText(await rendered.visit(path, { job: 'spelt' })), path === '/plain' ? /^rye$/ : />at </);
  }
});

browserTest('content from before a failed or rejected page is not visible after it', async () => {
  await isKnown('emmer');
  await rendered.visit('/refused', { job: 'emmer' });
  assert.equal(await isKnown('emmer'), false);
  await isKnown('millet');
  await assert.rejects(async () => rendered.visit('/held', { job: 'millet' }, AbortSignal.timeout(500)));
  assert.equal(await isKnown('millet'), false);
});
