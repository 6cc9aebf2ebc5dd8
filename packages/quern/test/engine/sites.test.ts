import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServedEndpoint } from '#features/sites/endpoint.ts';
import { listHealth, observeReading } from '#features/sites/health.ts';
import { NO_SETTINGS, type SiteSettings } from '#sites/framework/site.ts';
import type { FakeTiers } from '../support/tiers.ts';
import { type Gate, isBlocked, isLate, withGate } from './gate.ts';
import {
  filled,
  hidden,
  listed,
  MILL,
  paired,
  queried,
  readMill,
  rendered,
  says,
  several,
  single,
} from '../support/engine/mill-site.ts';

type Settled = Partial<SiteSettings>;

async function withMill(
  tierVisits: FakeTiers,
  work: (gate: Gate) => Promise<void>,
  settled: Settled = {},
): Promise<void> {
  const sites = { mill: { ...NO_SETTINGS, ...settled } };
  await withGate({ tierVisits, endpoints: MILL, readSource: readMill, sites }, work);
}

/** The result of a call as one line: the code, or the tier, the record and its warnings. */
async function callForLine(
  gate: Gate,
  endpoint: ServedEndpoint,
  raw: unknown = { id: '1' },
  as = gate.tenant,
): Promise<string> {
  const { answer, error } = await gate.ask(endpoint.operation, raw, { as });
  if (answer === null) return `${error?.code ?? ''}: ${error?.message ?? ''}`;
  const { sack, partial } = answer.body;
  return `${answer.usage?.tier} ${answer.usage?.credits} ${JSON.stringify(sack)}${partial === true ? ' partial' : ''}`;
}

const RYE = { id: '1', grain: 'rye', kilos: 25 };
const SACK = '{"id":"1","grain":"rye","kilos":25,"note":null}';

type Row = readonly [says: string, endpoint: ServedEndpoint, pages: Readonly<Record<string, unknown>>, came: RegExp];

const ROWS: readonly Row[] = [
  ['a record is answered', single, { '/page/1': RYE }, /^http 15 \{"id":"1","grain":"rye"/],
  [
    'another record is unusable',
    single,
    { '/page/1': { ...RYE, id: '2' } },
    /^unusable_response: .*the sack asked for/,
  ],
  ['what throws is unusable', single, { '/page/1': { say: 'bug' } }, /^unusable_response: .*boom/],
  ['what is gone is not found', single, { '/page/1': { say: 'gone' } }, /^not_found: mill: it was eaten/],
  ['a 404 is not found', single, { '/page/1': 404 }, /^not_found/],
  ['a 451 is not found', single, { '/page/1': 451 }, /^not_found: .*legal/],
  ['a 429 is the limit of the site', single, { '/page/1': 429 }, /^target_rate_limited/],
  ['a 500 is unusable', single, { '/page/1': 500 }, /^unusable_response: .*answers 500/],
  ['a wall of the site is a block', single, { '/page/1': { wall: true } }, /^target_blocked/],
  [
    'a further page is read',
    single,
    { '/page/1': { say: 'more' }, '/more/1': RYE },
    /"note":"\{\\"from\\":\\"http:\/\/mill.example\/page\/1/,
  ],
  [
    'pages without end are not followed',
    single,
    { '/page/1': { say: 'endless' }, '/endless/1': { say: 'endless' } },
    /^unusable_response: .*further pages/,
  ],
  ['a consent page is answered once', single, { '/page/1': { say: 'consent' }, '/page/1?agreed': RYE }, /^http 15/],
  [
    'one that asks again is a wall',
    single,
    { '/page/1': { say: 'consent' }, '/page/1?agreed': { say: 'consent' } },
    /^target_blocked/,
  ],
  ['what is left out is said', single, { '/page/1': { ...RYE, say: 'partly' } }, /partial$/],
  [
    'the first source that serves is taken',
    several,
    { '/first/1': RYE, '/second/1': { say: 'gone' } },
    /^http 15 .*25,"note":null\}$/,
  ],
  ['the next source follows', several, { '/first/1': {}, '/second/1': RYE }, /^http 15 .*partial$/],
  ['what is gone ends it', several, { '/first/1': { say: 'gone' }, '/second/1': RYE }, /^not_found/],
  ['what only this source lacks does not', several, { '/first/1': { say: 'elsewhere' }, '/second/1': RYE }, /^http 15/],
  [
    'a limit counts more than a lack',
    several,
    { '/first/1': { say: 'elsewhere' }, '/second/1': { say: 'slow down' } },
    /^target_rate_limited/,
  ],
  ['a lack counts more than a bad page', several, { '/first/1': {}, '/second/1': { say: 'elsewhere' } }, /^not_found/],
  [
    'a bad page counts more than a wall',
    several,
    { '/first/1': {}, '/second/1': { wall: true } },
    /^unusable_response/,
  ],
  [
    'walls everywhere are a block',
    several,
    { '/first/1': { wall: true }, '/second/1': { wall: true } },
    /^target_blocked/,
  ],
  [
    'gaps are filled',
    filled,
    { '/first/1': { id: '1', grain: 'rye' }, '/second/1': { ...RYE, grain: 'oats' } },
    /"grain":"rye","kilos":25/,
  ],
  ['without gaps nothing more is asked', filled, { '/first/1': RYE }, /"grain":"rye","kilos":25/],
];

test('the caller gets the answer of the sources, and pays only for a record', async () => {
  let pages: Readonly<Record<string, unknown>> = {};
  await withMill({ http: async (request, signal) => says(pages)(request, signal) }, async (gate) => {
    for (const [name, endpoint, given, came] of ROWS) {
      pages = given;
      // Tenants do not share what they learned about hosts.
      const as = await gate.tenants.create(name, 'starter');
      const line = await callForLine(gate, endpoint, { id: '1' }, as);
      assert.match(line, came, name);
      const { credits_used: used, credits_reserved: reserved } = await gate.accounts.readBalance(as, gate.plan);
      assert.deepEqual([used, reserved], [line.startsWith('http') ? 15 : 0, 0], name);
    }
  });
});

test('an optional page of a record may fail, and the answer names the failed request', async () => {
  const first = { '/page/1': { ...RYE, say: 'notes' } };
  await withMill({ http: says({ ...first, '/notes/1': RYE }) }, async (gate) =>
    assert.equal(await callForLine(gate, single), `http 15 ${SACK.replace('null', String.raw`"\"noted\""`)}`),
  );
  const failures: readonly (readonly [unknown, RegExp])[] = [
    [403, /the site answers 403/],
    [404, /the site answers 404/],
    [429, /limits the rate/],
    [{ wall: true }, /login_wall/],
    [{ say: 'bug' }, /boom/],
    [{}, /the sack asked for/],
    [{ say: 'endless' }, /more than 4 further pages/],
  ];
  for (const [page, why] of failures) {
    await withMill({ http: says({ ...first, '/notes/1': page, '/endless/1': { say: 'endless' } }) }, async (gate) => {
      const { answer, error } = await gate.ask(single.operation, { id: '1' });
      assert.equal(error, null);
      assert.deepEqual(answer?.body['sack'], JSON.parse(SACK));
      assert.equal(answer?.body['partial'], true);
      const warnings = JSON.stringify(answer?.body['warnings']);
      assert.match(warnings, /the note is left out.*the request for \/(?:notes|endless)\/1 failed: /);
      assert.match(warnings, why);
      assert.deepEqual(await gate.spent(), [15, 0]);
    });
  }
});

test('an optional page that arrives too late is omitted', async () => {
  const page = says({ '/page/1': { ...RYE, say: 'notes' } });
  const hangs: FakeTiers['http'] = async (request, signal) =>
    request.url.pathname === '/page/1' ? page(request, signal) : isLate(request, signal);
  await withMill({ http: hangs }, async (gate) =>
    assert.match(await callForLine(gate, single), /^http 15 .* partial$/),
  );
});

test('the error of several sources lists the outcome of each', async () => {
  const pages = { '/first/1': { wall: true }, '/second/1': {} };
  await withMill({ http: says(pages) }, async (gate) =>
    assert.match(
      await callForLine(gate, several),
      /^unusable_response: .*\(first: blocked, login_wall; second: the sack asked for\)$/,
    ),
  );
});

test('a record uses at most five pages, plus one for a consent page', async () => {
  const endless = { '/endless/1': { say: 'endless' } };
  for (const [pages, visits] of [
    [{ '/page/1': { say: 'endless' }, ...endless }, 5],
    [{ '/page/1': { say: 'consent' }, '/page/1?agreed': { say: 'endless' }, ...endless }, 6],
  ] as const)
    await withMill({ http: says(pages) }, async (gate) => {
      assert.match(await callForLine(gate, single), /^unusable_response: .*more than 4 further pages/);
      assert.equal(gate.visits.length, visits);
    });
});

test('a block escalates tiers, a rate limit uses a proxy, and an invalid data page is not retried', async () => {
  const good = says({ '/page/1': RYE });
  const wall = says({ '/page/1': { wall: true } });
  const limit = says({ '/page/1': { say: 'slow down' } });
  const table: readonly (readonly [FakeTiers, string])[] = [
    [{ http: wall, browser: good }, `browser 15 ${SACK}`],
    [{ http: wall, browser: wall, proxy: good }, `proxy 15 ${SACK}`],
    [{ http: isBlocked, browser: isLate, proxy: isBlocked, proxy_browser: good }, `proxy_browser 15 ${SACK}`],
    [{ http: limit, browser: isLate, proxy: good }, `proxy 15 ${SACK}`],
  ];
  for (const [tierVisits, expected] of table)
    await withMill(tierVisits, async (gate) => assert.equal(await callForLine(gate, single), expected));
  await withMill({ http: says({}), browser: good }, async (gate) => {
    assert.match(await callForLine(gate, single), /^unusable_response/);
    assert.equal(gate.visits.length, 1);
  });
});

test('each page is parsed once, whether it is fetched, cached, blocked, thin, or asks for a further one', async () => {
  const parsed: string[] = [];
  const readSource = (order: Parameters<typeof readMill>[0]) => {
    parsed.push(new URL(order.page.url).pathname);
    return readMill(order);
  };
  const tierVisits = {
    http: says({
      '/page/1': RYE,
      '/page/2': { id: '2', say: 'more' },
      '/more/2': { ...RYE, id: '2' },
      '/page/3': { wall: true },
      '/page/4': { say: 'gone' },
    }),
    browser: says({ '/page/3': { ...RYE, id: '3' } }),
  };
  await withGate({ tierVisits, endpoints: MILL, readSource }, async (gate) => {
    const table: readonly (readonly [string, readonly string[]])[] = [
      ['1', ['/page/1']],
      // From the cache.
      ['1', ['/page/1']],
      ['2', ['/page/2', '/more/2']],
      ['3', ['/page/3', '/page/3']],
      ['4', ['/page/4']],
      ['5', ['/page/5']],
    ];
    for (const [id, expected] of table) {
      await gate.ask(single.operation, { id, max_age_ms: 60_000 });
      assert.deepEqual(parsed.splice(0), expected);
    }
  });
});

test('every source is tried with its cheapest tier before a stronger tier is used', async () => {
  const wall = says({ '/first/1': { wall: true }, '/second/1': { wall: true } });
  await withMill({ http: wall, browser: says({ '/first/1': RYE }) }, async (gate) => {
    assert.equal(await callForLine(gate, several), `browser 15 ${SACK}`);
    assert.deepEqual(
      gate.visits.map(({ url }) => url.pathname),
      ['/first/1', '/second/1', '/first/1'],
    );
  });
});

test('a list is collected to its limit, and a cursor continues in the middle of a page', async () => {
  await withMill({ http: says({}) }, async (gate) => {
    const seen: number[] = [];
    let cursor: unknown;
    for (const most of [4, 2, 50]) {
      const { answer, error } = await gate.ask(listed.operation, {
        q: 'rye',
        per_page: most,
        ...(typeof cursor === 'string' ? { cursor } : {}),
      });
      assert.equal(error, null);
      const { sacks, total, next_cursor: next } = answer?.body ?? {};
      assert.equal(total, 10);
      assert.ok(Array.isArray(sacks));
      for (const { n } of sacks) seen.push(Number(n));
      cursor = next;
      if (most < 50) assert.equal(sacks.length, most);
    }
    assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(cursor, null);
    assert.deepEqual(await gate.spent(), [45, 0]);
    assert.equal(gate.visits[0]?.url.href, 'http://mill.example/list?q=rye&hash=h1');
  });
});

test('parallel lists are paged together, up to the requested length', async () => {
  await withMill({ http: says({ '/pair': RYE }) }, async (gate) => {
    const first = await gate.ask(paired.operation, { search: 'rye' });
    assert.deepEqual(first.answer?.body['found'], { sacks: [1, 2], carts: null });
    const cursor = String(first.answer?.body['next_cursor']);
    const second = await gate.ask(paired.operation, { search: 'rye', limit: 50, cursor });
    assert.deepEqual(second.answer?.body['found'], { sacks: [3], carts: null });
    assert.equal(second.answer?.body['next_cursor'], null);
    assert.equal(gate.visits.length, 2);
  });
});

test('parallel lists are empty if all of them are', async () => {
  const seen: unknown[] = [];
  const work = {
    tenant: 'one',
    observe: (_id: string, seenNow: object) => seen.push('isEmpty' in seenNow && seenNow.isEmpty),
  };
  for (const found of [
    { sacks: [], carts: null },
    { sacks: [1], carts: [] },
    { sacks: [], carts: [] },
  ]) {
    const read = async () => ({ source: 'page', record: { found } });
    await observeReading(paired, work, { read, canBeEmpty: false });
  }
  assert.deepEqual(seen, [true, false, true]);
});

test('a source without a backend does not count against the site if another source answered', async () => {
  await withMill({ http: says({ '/pair': { wall: true } }) }, async (gate) => {
    assert.equal((await gate.ask(paired.operation, { search: 'rye' })).code, 'target_blocked');
  });
});

test('a forged cursor, or one of other parameters or another tenant, is rejected', async () => {
  await withMill({ http: says({}) }, async (gate) => {
    const { answer } = await gate.ask(listed.operation, { search: 'rye' });
    const cursor = String(answer?.body['next_cursor']);
    const other = await gate.tenants.create('other', 'starter');
    assert.equal((await gate.ask(listed.operation, { search: 'rye', cursor })).code, 'ok');
    assert.equal((await gate.ask(listed.operation, { search: 'oats', cursor })).code, 'invalid_request');
    assert.equal((await gate.ask(listed.operation, { search: 'rye', cursor: `${cursor}x` })).code, 'invalid_request');
    assert.equal((await gate.ask(listed.operation, { search: 'rye', cursor }, { as: other })).code, 'invalid_request');
  });
});

test('an empty result is an answer, and two names of one parameter must agree', async () => {
  await withMill({ http: says({}) }, async (gate) => {
    const { answer } = await gate.ask(listed.operation, { search: 'nothing' });
    assert.deepEqual([answer?.body['sacks'], answer?.body['total'], answer?.body['next_cursor']], [[], null, null]);
    assert.equal((await gate.ask(listed.operation, { q: 'rye', query: 'rye' })).code, 'ok');
    const differ = await gate.ask(listed.operation, { q: 'rye', query: 'oats' });
    assert.match(differ.error?.message ?? '', /two differ/);
    assert.match((await gate.ask(listed.operation, {})).error?.message ?? '', /^search: /);
    assert.match(
      (await gate.ask(listed.operation, { serch: 'rye' })).error?.message ?? '',
      /nearest known name is search/,
    );
    assert.match((await gate.ask(listed.operation, { search: 'rye', limit: 51 })).error?.message ?? '', /^limit: /);
  });
});

test('a cached page is served at the same price, and pages without a record are never cached', async () => {
  let answered = 0;
  const pages = [{ wall: true }, RYE, { ...RYE, grain: 'oats' }];
  const http = says({});
  const tierVisits: FakeTiers = {
    http: async (request, signal) =>
      says({ '/page/1': pages[answered++] })(request, signal).then(async (page) => page ?? http(request, signal)),
  };
  await withMill(tierVisits, async (gate) => {
    const raw = { id: '1', max_age_ms: 60_000 };
    assert.match(await callForLine(gate, single, raw), /^target_blocked/);
    assert.equal(await callForLine(gate, single, raw), `http 15 ${SACK}`);
    assert.equal(await callForLine(gate, single, raw), `cache 15 ${SACK}`);
    assert.match(await callForLine(gate, single), /oats/);
  });
});

test('the operator configures origins, tiers, constants, credentials and the cache', async () => {
  const http = says({ '/page/1': RYE, '/third/1': RYE });
  const settled: Settled = {
    tiers: ['http'],
    constants: { hash: 'h2' },
    credentials: { secret: 's' },
    cacheSeconds: 60,
  };
  await withMill(
    { http, browser: http },
    async (gate) => {
      assert.equal(await callForLine(gate, single), `http 15 ${SACK}`);
      assert.equal(await callForLine(gate, single), `cache 15 ${SACK}`);
      assert.match(await callForLine(gate, single, { id: '1', max_age_ms: 0 }), /^http/);
      assert.equal(await callForLine(gate, several), `http 15 ${SACK}`);
      assert.match(await callForLine(gate, rendered), /^backend_unavailable/);
      await gate.ask(listed.operation, { search: 'rye' });
      assert.match(gate.visits.at(-1)?.url.search ?? '', /hash=h2/);
    },
    settled,
  );
  await withMill(
    { http },
    async (gate) => {
      for (let at = 0; at < 2; at += 1)
        assert.match(await callForLine(gate, single, { id: '1', max_age_ms: 60_000 }), /^http/);
      assert.match(await callForLine(gate, several), /^unusable_response/);
    },
    { cacheSeconds: 0 },
  );
});

test('a query uses only HTTP, and a source that needs a browser uses only a browser', async () => {
  const wall = says({ '/query': { wall: true } });
  const captures = [{ name: 'sack', url: 'http://mill.example/a.json', status: 200, text: 'rye' }];
  await withMill({ http: wall, browser: says({ '/query': RYE }), proxy: says({ '/query': RYE }) }, async (gate) => {
    assert.equal(await callForLine(gate, queried), `proxy 15 ${SACK}`);
    const [first] = gate.visits;
    const sent = { method: 'POST', body: '{"id":"1"}', contentType: 'application/json', once: null };
    assert.deepEqual(first?.submission, sent);
    assert.deepEqual(first.headers, { 'x-mill': 'yes' });
  });
  await withMill({ http: isBlocked, browser: says({}, { captures }) }, async (gate) => {
    assert.equal(await callForLine(gate, rendered), 'browser 15 {"id":"1","grain":"rye","kilos":null,"note":null}');
    assert.equal(gate.visits.length, 1);
    assert.deepEqual(gate.visits[0]?.captures, [{ name: 'sack', path: /\.json$/ }]);
    // A cached copy of the page would lack the requests that it made.
    await gate.ask(rendered.operation, { id: '1', max_age_ms: 60_000 });
    assert.equal(gate.visits.length, 2);
  });
});

test('long waits become jobs, plans without site operations are rejected, and work without a route is a job', async () => {
  await withMill({ http: says({ '/page/1': RYE }) }, async (gate) => {
    const { answer } = await gate.ask(single.operation, { id: '1', timeout_ms: 100_000 });
    assert.equal(answer?.status, 202);
    assert.equal(answer.body['kind'], 'mill.single');
    assert.equal(hidden.operation.route, null);
    assert.equal(single.operation.route, 'GET /v1/mill/single');
  });
  await withGate({ plan: 'free', readSource: readMill, endpoints: [single] }, async (gate) => {
    assert.equal((await gate.ask(single.operation, { id: 1 })).code, 'plan_upgrade_required');
    assert.equal(gate.visits.length, 0);
  });
});

test('an endpoint with missing fields is degraded, a repeatedly failing one is broken, and both are reported', async () => {
  let page: unknown = RYE;
  await withMill({ http: async (request, signal) => says({ '/first/1': page })(request, signal) }, async (gate) => {
    const { id } = several.operation;
    const level = async (): Promise<unknown> => {
      await gate.siteHealth.close();
      return (await listHealth(gate.db)).find(({ endpoint }) => endpoint === id)?.level;
    };
    for (let at = 0; at < 60; at += 1)
      gate.siteHealth.observe(id, {
        by: gate.tenant,
        kind: 'served',
        source: 'first',
        isEmpty: false,
        filled: new Map([['sack.grain', true]]),
      });
    assert.equal(await callForLine(gate, several), `http 15 ${SACK}`);
    assert.equal(await level(), 'good');
    for (let at = 0; at < 15; at += 1)
      gate.siteHealth.observe(id, {
        by: gate.tenant,
        kind: 'served',
        source: 'first',
        isEmpty: false,
        filled: new Map([['sack.grain', false]]),
      });
    assert.equal(await level(), 'degraded');
    page = {};
    for (let at = 0; at < 5; at += 1) await callForLine(gate, several);
    assert.equal(await level(), 'broken');
    assert.deepEqual(gate.warned, [`${id} is degraded, was good`, `${id} is broken, was degraded`]);
    const [row] = await listHealth(gate.db);
    assert.equal(row?.last_failure, 'unusable_response');
    assert.equal(row.source, 'first');
  });
});

test('missing items of one tenant do not make an endpoint broken; those of several or its example do', async () => {
  const failures = [
    { asked: [['one', '7']], times: 19, level: 'good' },
    { asked: [['one', '7']], times: 20, level: 'broken' },
    {
      asked: [
        ['one', '7'],
        ['two', '7'],
      ],
      times: 2,
      level: 'good',
    },
    {
      asked: [
        ['one', '7'],
        ['two', '7'],
      ],
      times: 3,
      level: 'broken',
    },
    { asked: [['one', '1']], times: 5, level: 'broken' },
  ] as const;
  for (const { asked, times, level } of failures)
    await withMill({ http: says({ '/first/7': {}, '/first/1': {} }) }, async (gate) => {
      const tenants = new Map<string, string>();
      for (let at = 0; at < times; at += 1)
        for (const [name, id] of asked) {
          const tenant = tenants.get(name) ?? (await gate.tenants.create(name, 'starter'));
          tenants.set(name, tenant);
          await callForLine(gate, several, { id }, tenant);
        }
      await gate.siteHealth.close();
      const [row] = await listHealth(gate.db);
      assert.deepEqual([row?.failed_in_row, row?.level], [times * asked.length, level]);
    });
});
