import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { startMockSites, type MockSites } from '#demo/sites/mock-sites.ts';
import { SOCIALNET_PAGES } from '#demo/sites/socialnet.ts';
import { openSqlite } from '#store/sqlite.ts';
import { at, listAt, textAt } from '#support/members.ts';
import { type Line, openScriptedModel } from '#support/model.ts';
import { openHttpProxy } from '#support/proxies.ts';
import { KEY, type RunningService, serveQuern } from '#support/quern.ts';
import { BROWSERS, browserTest } from '#support/rendered.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '#support/store.ts';

const SHELL = `<!doctype html><title>Mill</title><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>
  <script>fetch('/grain').then((one) => one.text()).then((text) => { root.innerHTML = '<h1>Grain</h1><p>' + text; })</script>`;
const GRAIN = 'Rye and wheat, ground between two stones. '.repeat(10);

/** A page that its script fills, for every visitor or for those from one address. */
async function openMill(only?: string) {
  const asked: string[] = [];
  const site = await startHttpServer((request, response) => {
    if (only !== undefined && request.socket.remoteAddress !== only) return response.writeHead(403).end('no');
    asked.push(request.url ?? '');
    const isGrain = request.url === '/grain';
    return response
      .writeHead(200, { 'content-type': isGrain ? 'text/plain' : 'text/html' })
      .end(isGrain ? GRAIN : SHELL);
  });
  return Object.assign(site, { asked });
}

const LATE = `<!doctype html><title>Oven</title><body><h1>Bread</h1><p>${'Baked in the morning. '.repeat(40)}</p>
  <script>setTimeout(() => { const one = document.createElement('p'); one.id = 'price'; one.textContent = 'Loaf: 4.20';
    document.body.append(one); }, 2000)</script>`;

/** One document whose script shows the hash route. */
const ROUTED = `<!doctype html><title>Counter</title><a href="#/rye">Rye</a> <a href="#/wheat">Wheat</a> <a href="#root">Down</a><main id="root"></main>
  <script>const show = () => { const name = location.hash.slice(2) || 'all'; document.title = name;
    root.innerHTML = '<h1>' + name + '</h1><p>' + ('Flour of ' + name + ' is sold by the sack. ').repeat(20) + '</p>'; };
    addEventListener('hashchange', show); show();</script>`;

const FORM =
  '<!doctype html><title>Order</title><form action="/form"><input name="word" aria-label="Word"><button>Send</button></form>';
const SECRET = 'canary-grindstone-77';
/** The tool calls of the model, one per step. */
const ORDERS: readonly Line[] = [
  { calls: [{ name: 'type', input: { element: 1, text: '{{word}}' } }] },
  { calls: [{ name: 'click', input: { element: 2 } }] },
  { calls: [{ name: 'finish', input: { success: true, result: 'It is sent.' } }] },
];

/** Shared by most tests, because starting a service and a browser is slow. */
const stage = new AsyncDisposableStack();
let service: RunningService;
let mill: Awaited<ReturnType<typeof openMill>>;
let distant: Awaited<ReturnType<typeof openMill>>;
let oven: Awaited<ReturnType<typeof startHttpServer>>;
let sites: MockSites;
let dataDir: string;

before(async () => {
  if (BROWSERS === null) return;
  dataDir = await mkdtemp(join(tmpdir(), 'quern-test-'));
  stage.defer(async () => rm(dataDir, { recursive: true, force: true }));
  mill = stage.use(await openMill());
  distant = stage.use(await openMill('127.0.0.2'));
  oven = stage.use(
    await startHttpServer((request, response) => {
      if (request.url?.startsWith('/never') === true) return undefined;
      if (request.url === '/routed') return response.writeHead(200, { 'content-type': 'text/html' }).end(ROUTED);
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(request.url?.startsWith('/form') === true ? FORM : LATE);
    }),
  );
  sites = await startMockSites([SOCIALNET_PAGES]);
  stage.defer(async () => sites.close());
  const model = stage.use(await openScriptedModel(ORDERS));
  const proxy = stage.use(await openHttpProxy({ auth: 'rye:canary-millstone' }));
  service = stage.use(
    await serveQuern(dataDir, {
      QUERN_ALLOW_TARGETS: [sites.allow, ...[mill, distant, oven].map(({ port }) => `127.0.0.1:${port}`)].join(','),
      QUERN_SITES_FILE: sites.file,
      QUERN_CHROMIUM: BROWSERS.full.path,
      QUERN_PROXIES_RESIDENTIAL: proxy.url,
      QUERN_MODEL_URL: model.url,
      QUERN_MODEL: 'miller-1',
      QUERN_LOG_LEVEL: 'debug',
    }),
  );
});
after(async () => stage.disposeAsync());

browserTest('the browser tier serves a page that needs JavaScript, without a surcharge', async () => {
  const { body: known } = await service.call('/v1/capabilities');
  assert.deepEqual(at(known, 'tiers.browser'), { available: true });
  const { status, body } = await service.call('/v1/fetch', { url: mill.origin, timeout_ms: 30_000 });
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(textAt(body, 'markdown'), /Rye and wheat/);
  assert.deepEqual(at(body, 'usage'), { credits: 2, base: 2, surcharge: 0, tier: 'browser' });
  assert.deepEqual(
    mill.asked.filter((path) => path !== '/favicon.ico'),
    ['/', '/grain'],
  );
});

browserTest('a stealth fetch uses a browser behind a residential proxy', async () => {
  const { status, body } = await service.call('/v1/fetch', {
    url: distant.origin,
    proxy: 'stealth',
    timeout_ms: 30_000,
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(textAt(body, 'markdown'), /Rye and wheat/);
  assert.deepEqual(at(body, 'usage'), { credits: 67, base: 2, surcharge: 65, tier: 'proxy_browser' });
  assert.deepEqual(
    listAt(body, 'attempts').map((attempt) => [at(attempt, 'tier'), at(attempt, 'outcome')]),
    [['proxy_browser', 'ok']],
  );
  assert.doesNotMatch(`${service.out()}${service.err()}`, /canary/);
});

browserTest('wait_for_selector returns the page when the selector matches', async () => {
  const { status, body } = await service.call('/v1/fetch', {
    url: oven.origin,
    wait_for_selector: '#price',
    output: ['text'],
    timeout_ms: 30_000,
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(textAt(body, 'text'), /Loaf: 4\.20/);
  assert.equal(at(body, 'usage.tier'), 'browser');
  const never = { url: oven.origin, wait_for_selector: '#cake', proxy: 'basic', timeout_ms: 8_000 };
  const { status: late, body: refusal } = await service.call('/v1/fetch', never);
  assert.equal(late, 504, JSON.stringify(refusal));
  assert.match(textAt(refusal, 'error.message'), /^nothing matched wait_for_selector in time; use a larger timeout_ms/);
});

browserTest('a crawl of hash routes has the rendered content of each route', async () => {
  const start = `${oven.origin}/routed`;
  const routes = [start, `${start}#/rye`, `${start}#/wheat`];
  const rules = { sitemap: 'skip', delay_ms: 0, timeout_ms: 30_000 };
  for (const order of [
    { url: start, hash_routes: true },
    { urls: routes, fetch: { wait_ms: 10 } },
  ]) {
    const { status, body } = await service.call('/v1/crawl', { ...rules, ...order });
    assert.equal(status, 200, JSON.stringify(body));
    const pages = listAt(body, 'pages').map((page) => [textAt(page, 'final_url'), textAt(page, 'metadata.title')]);
    assert.deepEqual(Object.fromEntries(pages), {
      [start]: 'all',
      [`${start}#/rye`]: 'rye',
      [`${start}#/wheat`]: 'wheat',
    });
    const markdown = listAt(body, 'pages').map((page) => textAt(page, 'markdown'));
    assert.ok(markdown.some((text) => text.includes('Flour of wheat')));
  }
});

browserTest('the ad library is read while it scrolls, after a challenge that its own script solves', async () => {
  const ask = async (path: string) => service.call(`/v1/socialnet/adLibrary/${path}&timeout_ms=60000`);
  const first = await ask('search/ads?q=flour&limit=30');
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const ids = listAt(first.body, 'ads').map((ad) => textAt(ad, 'id'));
  assert.deepEqual([ids.length, ids[0], ids[29]], [30, '800100000000001', '800100000000030']);
  assert.deepEqual(
    [at(first.body, 'total_count'), at(first.body, 'partial'), at(first.body, 'usage')],
    [45, false, { credits: 15, base: 15, surcharge: 0, tier: 'browser' }],
  );
  const cursor = encodeURIComponent(textAt(first.body, 'next_cursor'));
  const [rest, company, single, gone, none] = await Promise.all([
    ask(`search/ads?search=flour&limit=30&cursor=${cursor}`),
    ask('company/ads?url=https://www.facebook.com/harrowmill&limit=5'),
    ask('ad?id=800100000000001'),
    ask('ad?id=800100000000099'),
    ask('search/ads?search=sawdust'),
  ]);
  assert.deepEqual(
    [listAt(rest.body, 'ads').map((ad) => textAt(ad, 'id').slice(-2)), at(rest.body, 'next_cursor')],
    [Array.from({ length: 15 }, (_, n) => String(31 + n)), null],
  );
  assert.deepEqual([company.status, listAt(company.body, 'ads').length], [200, 5], JSON.stringify(company.body));
  assert.equal(at(single.body, 'ad.transparency.eu.total_reach'), 1204, JSON.stringify(single.body));
  assert.deepEqual([gone.status, at(gone.body, 'error.code')], [404, 'not_found']);
  assert.deepEqual([none.status, at(none.body, 'ads')], [200, []]);
  const locked = await ask('search/ads?search=locked+mill');
  assert.deepEqual(
    [locked.status, at(locked.body, 'error.code')],
    [502, 'target_blocked'],
    JSON.stringify(locked.body),
  );
  const late = await service.call('/v1/socialnet/adLibrary/search/ads?search=late+mill&timeout_ms=2000');
  assert.deepEqual([late.status, at(late.body, 'error.code')], [504, 'timeout']);
  assert.match(textAt(late.body, 'error.message'), /submit it as a job .*"socialnet\.adLibrary\.search\.ads"/);
});

browserTest('a screenshot and a PDF can be downloaded with the key, also after a restart', async () => {
  await inTemporaryFolder(async (folder) => {
    await using site = await openMill();
    const settings = {
      QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
      QUERN_CHROMIUM: BROWSERS?.full.path ?? '',
    };
    const urls: string[] = [];
    {
      await using own = await serveQuern(folder, settings);
      const { status, body } = await own.call('/v1/fetch', {
        url: site.origin,
        output: ['markdown', 'screenshot', 'pdf'],
        screenshot: { format: 'png' },
        device: 'mobile',
        timeout_ms: 60_000,
      });
      assert.equal(status, 200, JSON.stringify(body));
      assert.match(textAt(body, 'markdown'), /Rye and wheat/);
      const shot = await download(own.origin + textAt(body, 'screenshot.url'));
      assert.equal(shot.headers.get('content-type'), 'image/png');
      assert.equal(shot.headers.get('x-content-type-options'), 'nosniff');
      assert.match(shot.headers.get('content-disposition') ?? '', /^attachment; filename="art_\w+\.png"$/);
      assert.equal(shot.bytes.length, at(body, 'screenshot.bytes'));
      // The header of a PNG contains its size.
      assert.deepEqual(
        [shot.bytes.readUInt32BE(16), shot.bytes.readUInt32BE(20)],
        [at(body, 'screenshot.width'), at(body, 'screenshot.height')],
      );
      urls.push(textAt(body, 'screenshot.url'), textAt(body, 'pdf.url'));
    }
    await using own = await serveQuern(folder, settings);
    const [shot = '', pdf = ''] = urls;
    assert.equal((await download(own.origin + shot)).bytes.toString('latin1', 1, 4), 'PNG');
    assert.equal((await download(own.origin + pdf)).bytes.toString('latin1', 0, 5), '%PDF-');
    const nameless = await fetch(own.origin + shot, { signal: AbortSignal.timeout(30_000) });
    assert.equal(nameless.status, 401);
  });
});

/** Every row of every table, and every file stored next to the database. */
async function readKept(): Promise<string> {
  const db = openSqlite(join(dataDir, 'quern.db'), { sync: 'normal' });
  const tables = await db.query("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'");
  const rows = await Promise.all(tables.map(async ({ name }) => db.query(`select * from ${String(name)}`)));
  await db.close();
  const found = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = found.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const bytes = await Promise.all(files.map(async (file) => readFile(file, 'latin1')));
  return `${JSON.stringify(rows)}\n${bytes.join('\n')}`;
}

async function waitForRecord(id: string, isThere: (record: unknown) => boolean): Promise<unknown> {
  const late = AbortSignal.timeout(60_000);
  for (;;) {
    late.throwIfAborted();
    const { body } = await service.call(`/v1/jobs/${id}?wait_ms=200`);
    if (isThere(body)) return body;
  }
}

browserTest(
  'variable values appear in no row, log line or metric, tokens are counted, and a stop ends the session',
  async () => {
    const form = { url: `${oven.origin}/form`, proxy: 'basic', variables: { word: SECRET } };
    const asked = await service.call('/v1/interact', { ...form, prompt: 'Send the word.' });
    assert.deepEqual([at(asked.body, 'completed'), at(asked.body, 'result')], [true, 'It is sent.']);
    assert.match(textAt(asked.body, 'final_url'), /word=\{\{word\}\}/);
    const typing = [
      { type: 'type', target: { label: 'Word' }, text: '{{word}}' },
      { type: 'evaluate', name: 'x', script: 'nobody[document.querySelector("input").value]', optional: true },
      { type: 'wait', ms: 30_000 },
    ];
    const submit = async (input: object): Promise<string> =>
      textAt((await service.call('/v1/jobs', { kind: 'interact', input: { ...form, ...input } })).body, 'id');
    const begun = await submit({ actions: typing, timeout_ms: 100_000 });
    await waitForRecord(begun, (record) => at(record, 'progress.discovered') === typing.length);
    const waiting = await submit({ url: `${oven.origin}/never`, actions: typing, timeout_ms: 100_000 });
    await waitForRecord(waiting, (record) => at(record, 'status') === 'running');
    const { body: partial } = await service.call(`/v1/jobs/${begun}/result?partial=true`);
    const { body: log } = await service.call('/v1/requests?operation=interact');
    const [logged] = listAt(log, 'data');
    assert.deepEqual([at(logged, 'input_tokens'), at(logged, 'output_tokens')], [300, 30]);
    const metrics = await (await fetch(`${service.origin}/metrics`, { signal: AbortSignal.timeout(30_000) })).text();
    assert.match(metrics, /quern_model_tokens_total\{direction="input"\} 300\n/);
    assert.match(metrics, /quern_model_questions_total\{result="answered"\} 3\n/);
    service.signal('SIGTERM');
    await service.ended;
    const db = openSqlite(join(dataDir, 'quern.db'), { sync: 'normal' });
    const rows = await db.query('select id, status, attempt, error_message from jobs order by id');
    await db.close();
    assert.deepEqual(
      rows.map(({ id, status, attempt }) => [id, status, attempt]),
      [
        [begun, 'failed', 1],
        [waiting, 'queued', 0],
      ],
    );
    assert.match(String(rows[0]?.['error_message']), /stopped after its first action/);
    const kept = await readKept();
    assert.ok(kept.includes(begun) && service.err().includes('/v1/interact'));
    const places = {
      kept,
      metrics,
      log: service.out() + service.err(),
      said: JSON.stringify([asked.body, partial, log]),
    };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(!text.includes('grindstone') && !text.includes('enotsdnirg'), `it is in ${place}`);
    }
  },
);

async function download(url: string) {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${KEY}` },
    signal: AbortSignal.timeout(30_000),
  });
  assert.equal(answer.status, 200);
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}
