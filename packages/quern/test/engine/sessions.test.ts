import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createHttp } from '#access/http/http.ts';
import { DESKTOP_PROFILE } from '#access/http/browser-headers.ts';
import { DEFAULT_LIMITS } from '#access/limits.ts';
import type { Visit } from '#access/page.ts';
import { MAX_SESSIONS } from '#engine/sessions/saved-sessions.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { StoreKind } from '#store/db.ts';
import { guardWith } from '#testkit/visitor.ts';
import { type LoginSite, openLoginSite } from '../support/login-site.ts';
import { at, listAt, textAt } from '../support/members.ts';
import { getOperation, openJobTools, runClaimed } from '../support/engine/queue.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, withGate } from './gate.ts';

const DAY = 24 * 3_600_000;
const NAMES = 'ann.mill.example,shop.mill.example,mill.example,other.example';

type World = { readonly gate: Gate; readonly site: LoginSite; readonly url: (path: string, host?: string) => string };

async function resolveAllowed() {
  return { addresses: [{ address: '127.0.0.1', family: 4 as const }], ttlMs: 0 };
}

/** The gate with the real tier `http`, and a site that responds under any host name. */
async function inWorld(store: StoreKind, work: (world: World) => Promise<void>): Promise<void> {
  await using site = await openLoginSite();
  const allow = NAMES.split(',')
    .map((name) => `${name}:${site.port}`)
    .join();
  const { guard } = guardWith({ allow, resolveAllowed });
  const http = createHttp({
    guard,
    limits: DEFAULT_LIMITS,
    profile: DESKTOP_PROFILE,
    clock: SYSTEM_CLOCK,
    authorities: [],
  });
  const visit: Visit = async (request, signal) => http.visit(request, signal);
  const limits = { concurrent_requests: 16 };
  await withGate({ store, allow, limits, tierVisits: { http: visit }, at: new Date().toISOString() }, async (gate) =>
    work({ gate, site, url: (path, host = 'mill.example') => `http://${host}:${site.port}${path}` }),
  ).finally(async () => http.close());
}

type Raw = Readonly<Record<string, unknown>>;

async function ask(gate: Gate, id: string, raw: Raw, more: Parameters<Gate['ask']>[2] = {}): Promise<Raw> {
  const { answer, error } = await gate.ask(getOperation(id), raw, more);
  if (answer === null) throw error ?? new Error('no answer');
  return answer.body;
}

const cookie = (name: string, value: string, more: Raw = {}): Raw => ({ name, value, domain: 'mill.example', ...more });

async function importSid({ gate, site }: World, name: string, more: Raw = {}): Promise<string> {
  const sid = site.open();
  await ask(gate, 'sessions.import', { name, cookies: [cookie('sid', sid, more)] });
  return sid;
}

const setting = (...cookies: readonly string[]): string =>
  `/sets?${cookies.map((one) => `c=${encodeURIComponent(one)}`).join('&')}`;

onEveryStore('cookies set by responses are sent with later calls of the session only', async (kind) => {
  await inWorld(kind, async ({ gate, site, url }) => {
    await gate.fetch({ url: url(setting('a=1', 'b=2; Path=/deep', 'c=3; Secure', 'd=4; Max-Age=0')), session: 's' });
    await gate.fetch({ url: url('/open'), session: 's' });
    await gate.fetch({ url: url('/open'), session: 'other' });
    await gate.fetch({ url: url('/open') });
    assert.deepEqual(site.cookiesAt('/open'), ['a=1', '', '']);
    await gate.fetch({ url: url('/deep/open'), session: 's' });
    assert.deepEqual(site.cookiesAt('/deep/open'), ['b=2; a=1']);
  });
});

onEveryStore('a session belongs to its tenant: another one sees, uses and deletes only its own', async (kind) => {
  await inWorld(kind, async (world) => {
    const { gate, site, url } = world;
    const sid = await importSid(world, 'shop');
    const as = await gate.tenants.create('other', 'starter');
    assert.equal((await gate.ask(getOperation('sessions.show'), { name: 'shop' }, { as })).code, 'not_found');
    assert.equal((await gate.ask(getOperation('sessions.delete'), { name: 'shop' }, { as })).code, 'not_found');
    assert.deepEqual(listAt(await ask(gate, 'sessions.list', {}, { as }), 'data'), []);
    await gate.fetch({ url: url('/open'), session: 'shop' }, { as });
    await gate.fetch({ url: url('/open'), session: 'shop' });
    assert.deepEqual(site.cookiesAt('/open'), ['', `sid=${sid}`]);
    const names = listAt(await ask(gate, 'sessions.list', {}, { as }), 'data').map((one) => at(one, 'cookies'));
    assert.deepEqual(names, [0]);
  });
});

onEveryStore('sessions are stored encrypted, and shown without values', async (kind) => {
  await inWorld(kind, async ({ gate, url }) => {
    const origins = [{ origin: 'https://mill.example', localStorage: [{ name: 'token', value: 'canary-storage' }] }];
    await ask(gate, 'sessions.import', { name: 's', cookies: [cookie('sid', 'canary-cookie')], origins });
    await gate.fetch({ url: url('/open'), session: 's' });
    const rows = JSON.stringify(await gate.db.query('select * from sessions'));
    assert.doesNotMatch(rows, /canary|mill\.example|sid/);
    const shown = await ask(gate, 'sessions.show', { name: 's' });
    assert.doesNotMatch(JSON.stringify(shown), /canary/);
    assert.deepEqual(at(shown, 'hosts'), ['mill.example']);
    assert.deepEqual(
      listAt(shown, 'cookie_list').map((one) => [at(one, 'name'), at(one, 'host'), at(one, 'bytes')]),
      [['sid', 'mill.example', 16]],
    );
    assert.deepEqual(listAt(shown, 'storage_list'), [{ origin: 'https://mill.example', items: 1, bytes: 19 }]);
  });
});

onEveryStore('a used session stays, and an unused one is deleted when its days are over', async (kind) => {
  await inWorld(kind, async (world) => {
    const { gate, url } = world;
    await importSid(world, 'used');
    await ask(gate, 'sessions.import', { name: 'short', idle_days: 2 });
    for (let times = 0; times < 3; times += 1) {
      gate.clock.pass(20 * DAY);
      await gate.fetch({ url: url('/account'), session: 'used' });
    }
    const names = async () => listAt(await ask(gate, 'sessions.list', {}), 'data').map((one) => textAt(one, 'name'));
    assert.deepEqual(await names(), ['used']);
    assert.equal((await gate.ask(getOperation('sessions.show'), { name: 'short' })).code, 'not_found');
    gate.clock.pass(31 * DAY);
    assert.deepEqual(await names(), []);
    const [round] = gate.rounds.filter(({ name }) => name === 'sessions');
    await round?.run(new AbortController().signal);
    assert.deepEqual(await gate.db.query('select name from sessions'), []);
    const { answer } = await gate.fetch({ url: url('/account'), session: 'used' });
    assert.match(textAt(answer?.body, 'markdown'), /Log in/);
  });
});

onEveryStore('concurrent calls merge their changes and lose no cookie', async (kind) => {
  await inWorld(kind, async ({ gate, site, url }) => {
    const counts = Array.from({ length: 12 }, (_, n) => n);
    const ended = await Promise.all(
      counts.map(async (n) => gate.fetch({ url: url(setting(`c${n}=${n}; Path=/`)), session: 's' })),
    );
    assert.deepEqual([...new Set(ended.map(({ code }) => code))].toSorted(), ['ok']);
    await gate.fetch({ url: url('/open'), session: 's' });
    const [sent = ''] = site.cookiesAt('/open');
    assert.deepEqual(sent.split('; ').toSorted(), counts.map((n) => `c${n}=${n}`).toSorted());
  });
});

onEveryStore('a deleted session starts empty, and a running call does not restore it', async (kind) => {
  await inWorld(kind, async (world) => {
    const { gate, site, url } = world;
    await importSid(world, 's');
    const held = site.hold('/sets');
    const fetching = gate.fetch({ url: url(setting('late=1')), session: 's' });
    await held.came;
    await ask(gate, 'sessions.delete', { name: 's' });
    held.go();
    assert.equal((await fetching).code, 'ok');
    assert.equal((await gate.ask(getOperation('sessions.show'), { name: 's' })).code, 'not_found');
    assert.equal((await gate.ask(getOperation('sessions.delete'), { name: 's' })).code, 'not_found');
    await gate.fetch({ url: url('/open'), session: 's' });
    assert.deepEqual(site.cookiesAt('/open'), ['']);
  });
});

onEveryStore('a crawl stays logged in if the site rotates the session id, and so does the next call', async (kind) => {
  await inWorld(kind, async (world) => {
    const { gate, url } = world;
    await importSid(world, 'turns');
    const input = { url: url('/turns'), session: 'turns', delay_ms: 50 };
    const crawled = await ask(gate, 'crawl', input);
    assert.equal(listAt(crawled, 'pages').length, 7);
    for (const page of listAt(crawled, 'pages')) assert.match(textAt(page, 'markdown'), /Welcome Ann/);
    const { answer } = await gate.fetch({ url: url('/account'), session: 'turns' });
    assert.match(textAt(answer?.body, 'markdown'), /Welcome Ann/);
  });
});

onEveryStore('jobs and monitor runs use the session, and a cancelled job leaves it unchanged', async (kind) => {
  await inWorld(kind, async (world) => {
    const { gate, site, url } = world;
    const sid = await importSid(world, 's');
    const jobs = openJobTools(gate);
    const id = await jobs.queued({ url: url('/account'), session: 's' });
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed !== undefined);
    assert.equal(await runClaimed(gate, claimed), 'ok');
    assert.match(textAt((await jobs.result(id)).answer?.body, 'markdown'), /Welcome Ann/);

    const extract = { heading: { selector: 'h1', type: 'string' } };
    const monitor = await ask(gate, 'monitors.create', { url: url('/account'), extract, session: 's' });
    const [run] = await gate.queue.leases.claim('w1', 1);
    assert.ok(run !== undefined);
    assert.equal(await runClaimed(gate, run), 'ok');
    const latest = await ask(gate, 'monitors.runs.latest', { id: monitor['id'] });
    assert.match(JSON.stringify(latest), /Welcome Ann/);

    const gone = await jobs.queued({ url: url('/account'), session: 's' });
    assert.equal((await jobs.cancel(gone)).code, 'ok');
    assert.equal(await gate.queue.leases.claim('w1', 1).then((found) => found.length), 0);
    await gate.fetch({ url: url('/open'), session: 's' });
    assert.deepEqual(site.cookiesAt('/open'), [`sid=${sid}`]);
  });
});

test('a page fetched in a session is not cached for anyone', async () => {
  await inWorld('sqlite', async (world) => {
    const { gate, url } = world;
    await importSid(world, 's');
    await gate.fetch({ url: url('/account'), session: 's' });
    assert.equal(await gate.pageCache.measureBytes(), 0);
    const { answer } = await gate.fetch({ url: url('/account'), max_age_ms: DAY });
    assert.match(textAt(answer?.body, 'markdown'), /Log in/);
    const again = await gate.fetch({ url: url('/account'), max_age_ms: DAY, session: 's' });
    assert.equal(again.answer?.usage?.tier, 'http');
    assert.match(textAt(again.answer?.body, 'markdown'), /Welcome Ann/);
  });
});

test('cookies of the call override those of the session, and are not stored', async () => {
  await inWorld('sqlite', async (world) => {
    const { gate, site, url } = world;
    const sid = await importSid(world, 's');
    const cookies = [
      { name: 'sid', value: 'mine' },
      { name: 'more', value: 'm' },
    ];
    await gate.fetch({ url: url('/open'), session: 's', cookies });
    await gate.fetch({ url: url('/open'), session: 's' });
    assert.deepEqual(site.cookiesAt('/open'), ['sid=mine; more=m', `sid=${sid}`]);
  });
});

test('a cookie stays with its host, whatever domain it sets and wherever it redirects', async () => {
  await inWorld('sqlite', async ({ gate, site, url }) => {
    const said = setting(
      'own=1',
      'wide=1; Domain=mill.example',
      'all=1; Domain=example',
      'far=1; Domain=other.example',
    );
    await gate.fetch({ url: url(said, 'shop.mill.example'), session: 's' });
    for (const host of ['shop.mill.example', 'ann.mill.example', 'mill.example', 'other.example'])
      await gate.fetch({ url: url('/open', host), session: 's' });
    assert.deepEqual(site.cookiesAt('/open'), ['own=1; wide=1', 'wide=1', 'wide=1', '']);
  });
});

test('an import accepts browser exports, merges them, and rejects cookies that no site could set', async () => {
  await inWorld('sqlite', async ({ gate, site, url }) => {
    const soon = Math.round(gate.clock.now() / 1000) + 3600;
    await ask(gate, 'sessions.import', {
      name: 's',
      cookies: [
        {
          name: 'play',
          value: '1',
          domain: 'mill.example',
          path: '/',
          expires: -1,
          httpOnly: true,
          secure: false,
          sameSite: 'Lax',
        },
        {
          name: 'wide',
          value: '2',
          domain: '.mill.example',
          expirationDate: soon + 0.5,
          hostOnly: false,
          session: false,
          storeId: '0',
          sameSite: 'no_restriction',
        },
        { name: 'old', value: '3', domain: 'mill.example', expires: 1_000_000_000 },
      ],
    });
    await ask(gate, 'sessions.import', { name: 's', cookies: [cookie('late', '4')] });
    await gate.fetch({ url: url('/open'), session: 's' });
    await gate.fetch({ url: url('/open', 'shop.mill.example'), session: 's' });
    assert.deepEqual(site.cookiesAt('/open'), ['play=1; wide=2; late=4', 'wide=2']);

    const many = Array.from({ length: 51 }, (_, n) => cookie(`c${n}`, '1'));
    const large = { origin: 'https://mill.example', localStorage: [{ name: 'x', value: 'x'.repeat(600_000) }] };
    const bad: readonly (readonly [Raw, RegExp])[] = [
      [{ cookies: [cookie('a', '1', { domain: '.co.uk' })] }, /cookies\.0: \.co\.uk cannot set/],
      [{ cookies: [cookie('a', '1', { domain: 'mill.example/x' })] }, /cookies\.0/],
      [{ cookies: [cookie('a', '1', { domain: 'user@mill.example' })] }, /cookies\.0/],
      [{ cookies: [cookie('a;b', '1')] }, /cookies\.0/],
      [{ cookies: [cookie('a', '1; Domain=other.example')] }, /cookies\.0/],
      [{ cookies: [cookie('a', '1\r\nset-cookie: b=2')] }, /cookies\.0/],
      [{ cookies: [cookie('__Host-a', '1', { path: '/deep' })] }, /cookies\.0/],
      [{ cookies: [cookie('a', 'x'.repeat(5000))] }, /cookies\.0\.value/],
      [{ cookies: many }, /50 of each/],
      [{ origins: [large] }, /512 KiB/],
      [{ origins: [{ origin: 'file:///etc', localStorage: [] }] }, /origins\.0\.origin/],
      [{ origins: [{ origin: 'https://mill.example/path', localStorage: [] }] }, /origins\.0\.origin/],
      [{ idle_days: 91 }, /idle_days: must be at most 90/],
      [{ idle_days: 0 }, /idle_days/],
      [{ name: '../x' }, /name/],
      [{ name: 'x'.repeat(65) }, /name/],
      [{ name: '' }, /name/],
      [{ name: 'a b' }, /name/],
      [{ export: true }, /export/],
    ];
    for (const [raw, message] of bad) {
      const { code, error } = await gate.ask(getOperation('sessions.import'), { name: 'bad', ...raw });
      assert.equal(code, 'invalid_request', JSON.stringify(raw).slice(0, 200));
      assert.match(error?.message ?? '', message);
    }
    for (const session of ['../x', 'x'.repeat(65), '', 'ä', 7, null])
      assert.equal((await gate.fetch({ url: url('/open'), session })).code, 'invalid_request', String(session));
    assert.deepEqual(
      listAt(await ask(gate, 'sessions.list', {}), 'data').map((one) => textAt(one, 'name')),
      ['s'],
    );
  });
});

test('the number of sessions per tenant is limited, and their list shows each once', async () => {
  await inWorld('sqlite', async ({ gate, url }) => {
    for (let n = 0; n < MAX_SESSIONS; n += 1) await ask(gate, 'sessions.import', { name: `s${n}` });
    const { code, error } = await gate.fetch({ url: url('/open'), session: 'more' });
    assert.deepEqual(
      [code, error?.message],
      ['invalid_request', 'session: the limit of 100 sessions is reached; delete one first'],
    );
    assert.deepEqual(await gate.spent(), [0, 0]);
    const seen: string[] = [];
    for (let cursor: unknown; cursor !== null;) {
      const page = await ask(gate, 'sessions.list', { limit: 30, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...listAt(page, 'data').map((one) => textAt(one, 'name')));
      cursor = page['next_cursor'];
    }
    assert.equal(new Set(seen).size, MAX_SESSIONS);
    assert.equal(seen.length, MAX_SESSIONS);
  });
});

test('a site that sets endless cookies fills a session only to its limit, and the last ones stay', async () => {
  await inWorld('sqlite', async ({ gate, site, url }) => {
    for (let n = 0; n < 8; n += 1) {
      const cookies = Array.from({ length: 10 }, (_, m) => `c${n * 10 + m}=${'x'.repeat(30)}`);
      await gate.fetch({ url: url(setting(...cookies)), session: 's' });
    }
    await gate.fetch({ url: url(setting(`large=${'x'.repeat(5000)}`)), session: 's' });
    await gate.fetch({ url: url('/open'), session: 's' });
    const [sent = ''] = site.cookiesAt('/open');
    const names = sent.split('; ').map((one) => one.split('=')[0]);
    assert.equal(names.length, 50);
    assert.deepEqual([names.includes('c79'), names.includes('c29'), names.includes('large')], [true, false, false]);
  });
});

test('the archive of a crawl in a session contains no cookie values of the session', async () => {
  await inWorld('sqlite', async (world) => {
    const { gate, url } = world;
    await importSid(world, 'turns');
    const submitted = await ask(gate, 'crawl', { url: url('/turns'), session: 'turns', delay_ms: 50, archive: true });
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed !== undefined);
    assert.equal(await runClaimed(gate, claimed), 'ok');
    const { answer } = await openJobTools(gate).result(textAt(submitted, 'id'), { format: 'warc' });
    const chunks: Buffer[] = [];
    for await (const piece of answer?.stream?.pieces ?? []) chunks.push(Buffer.from(piece));
    const text = gunzipSync(Buffer.concat(chunks)).toString('latin1');
    assert.match(text, /set-cookie: \*{8}/i);
    assert.doesNotMatch(text, /sid=/);
  });
});
