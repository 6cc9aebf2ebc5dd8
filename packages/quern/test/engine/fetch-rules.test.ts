import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { ServiceError } from '#kernel/errors.ts';
import type { FakeTiers } from '../support/tiers.ts';
import { getOperation } from '../support/engine/queue.ts';
import { brings, type GateOptions, isBlocked, isLate, SITE, timesOut, withGate } from './gate.ts';

/** The error of one call; fails if the call succeeds. */
async function callForError(options: GateOptions, raw: Readonly<Record<string, unknown>>): Promise<ServiceError> {
  const refusals: ServiceError[] = [];
  await withGate(options, async ({ fetch, spent }) => {
    const { error } = await fetch(raw);
    if (error !== null) refusals.push(error);
    assert.deepEqual(await spent(), [0, 0]);
  });
  const [refusal] = refusals;
  if (refusal === undefined) throw new Error('the call was answered');
  return refusal;
}

test('use_proxy means stealth, and is invalid together with any other proxy value on every plan', async () => {
  for (const plan of ['free', 'starter'] as const) {
    for (const proxy of ['basic', 'auto']) {
      const { code, message } = await callForError({ plan }, { use_proxy: true, proxy });
      assert.equal(code, 'invalid_request');
      assert.match(message, /^use_proxy: /);
    }
  }
  await withGate({ tierVisits: { proxy_browser: brings() } }, async ({ fetch }) => {
    for (const raw of [{ use_proxy: true }, { use_proxy: true, proxy: 'stealth' }]) {
      assert.equal((await fetch(raw)).answer?.usage?.tier, 'proxy_browser');
    }
  });
  await withGate({ plan: 'free' }, async ({ fetch }) => {
    assert.equal((await fetch({ use_proxy: false, proxy: 'basic' })).code, 'ok');
  });
});

test('on the Free plan auto, stealth and use_proxy require an upgrade on every instance', async () => {
  const all: FakeTiers = { http: brings(), browser: brings(), proxy: brings(), proxy_browser: brings() };
  for (const tierVisits of [{ http: brings() }, all]) {
    for (const raw of [{ proxy: 'auto' }, { proxy: 'stealth' }, { use_proxy: true }]) {
      assert.equal((await callForError({ plan: 'free', tierVisits }, raw)).code, 'plan_upgrade_required');
    }
  }
});

test('the Free plan never escalates to a proxy, and defaults to basic', async () => {
  const proxy = brings({ text: 'by proxy' });
  const tierVisits: FakeTiers = { http: isBlocked, browser: isBlocked, proxy, proxy_browser: proxy };
  for (const raw of [{}, { proxy: 'basic' }]) {
    await withGate({ plan: 'free', tierVisits }, async ({ fetch, visits }) => {
      const { code, error } = await fetch(raw);
      assert.deepEqual([code, error?.status, error?.retryable], ['free_plan_proxy_required', 402, false]);
      assert.equal(visits.length, 2);
    });
  }
});

test('a block on a paid plan is target_blocked, and retryable if a tier was not tried', async () => {
  const onlyHttp = await callForError({ tierVisits: { http: isBlocked } }, {});
  assert.deepEqual([onlyHttp.code, onlyHttp.status, onlyHttp.retryable], ['target_blocked', 502, false]);
  const basic = await callForError({ tierVisits: { http: isBlocked, proxy: brings() } }, { proxy: 'basic' });
  assert.deepEqual([basic.code, basic.retryable], ['target_blocked', true]);
  assert.match(basic.message, /another proxy value/);
});

test('a block combined with a timeout is reported as target_blocked', async () => {
  const tierVisits: FakeTiers = { http: isBlocked, browser: isLate };
  const { code } = await callForError({ tierVisits }, {});
  assert.equal(code, 'target_blocked');
});

test('timeouts alone are reported as a timeout, with a hint if a stronger tier could help', async () => {
  const tierVisits = { http: isLate };
  const cases: readonly (readonly [GateOptions, Readonly<Record<string, unknown>>, boolean])[] = [
    [{ tierVisits }, {}, true],
    [{ tierVisits }, { proxy: 'auto' }, true],
    [{ tierVisits }, { proxy: 'basic' }, false],
    [{ tierVisits: { proxy_browser: isLate } }, { proxy: 'stealth' }, false],
    [{ tierVisits, plan: 'free' }, {}, false],
  ];
  await Promise.all(
    cases.map(async ([options, raw, hint]) => {
      const { code, status, retryable, message } = await callForError(options, raw);
      assert.deepEqual([code, status, retryable], ['timeout', 504, true]);
      assert.match(message, /a larger timeout_ms/);
      assert.equal(message.includes('proxy stealth'), hint, message);
    }),
  );
});

for (const kind of ['crawl', 'map'])
  test(`a ${kind} in which every page times out has the same hint as a fetch`, async () => {
    const tierVisits = { http: timesOut };
    const cases: readonly (readonly [GateOptions, Readonly<Record<string, unknown>>, boolean])[] = [
      [{ tierVisits }, {}, true],
      [{ tierVisits }, { proxy: 'auto' }, true],
      [{ tierVisits: { http: isLate } }, {}, true],
      [{ tierVisits }, { proxy: 'basic' }, false],
      [{ tierVisits: { proxy_browser: timesOut } }, { proxy: 'stealth' }, false],
      [{ tierVisits: { http: isBlocked, proxy_browser: timesOut } }, {}, false],
      [{ tierVisits, plan: 'free' }, {}, false],
    ];
    await Promise.all(
      cases.map(async ([options, raw, hint]) =>
        withGate(options, async ({ ask, spent }) => {
          const { code, error } = await ask(getOperation(kind), {
            url: SITE,
            respect_robots: false,
            timeout_ms: 700,
            ...(kind === 'map' ? { sources: ['links'] } : {}),
            ...raw,
          });
          const said = `${JSON.stringify(raw)}: ${error?.message}`;
          assert.deepEqual([code, error?.status, error?.retryable], ['timeout', 504, true], said);
          assert.match(error?.message ?? '', /a larger timeout_ms/);
          assert.equal(error?.message.includes('proxy stealth'), hint, said);
          assert.deepEqual(await spent(), [0, 0]);
        }),
      ),
    );
  });

const readsForever: GateOptions['read'] = async (_request, { signal }) => {
  await once(signal, 'abort');
  throw signal.reason;
};

test('a page that takes too long to parse has the timeout hint', async () => {
  const read = readsForever;
  const { code, message } = await callForError({ read }, { timeout_ms: 500 });
  assert.deepEqual([code, message.includes('proxy stealth')], ['timeout', true], message);
  assert.doesNotMatch((await callForError({ read }, { timeout_ms: 500, proxy: 'basic' })).message, /stealth/);
});

test('stealth without a proxy tier reports what is missing and costs nothing', async () => {
  const { code, status, message } = await callForError({}, { proxy: 'stealth' });
  assert.deepEqual([code, status], ['backend_unavailable', 503]);
  assert.match(message, /no tier proxy_browser/);
});

test('stealth starts at the hardened browser and is charged for it', async () => {
  const tierVisits: FakeTiers = { http: brings(), proxy_browser: brings() };
  await withGate({ tierVisits, limits: { credits_per_month: 67 } }, async ({ fetch, visits, spent }) => {
    const { answer } = await fetch({ proxy: 'stealth' });
    assert.deepEqual(answer?.usage, { credits: 67, base: 2, surcharge: 65, tier: 'proxy_browser' });
    assert.equal(answer?.remaining, 0);
    assert.equal(visits.length, 1);
    assert.deepEqual(await spent(), [67, 0]);
  });
});

test('only the tier that served the page is charged, whatever was tried before', async () => {
  const tierVisits: FakeTiers = { http: isBlocked, browser: isBlocked, proxy: brings() };
  await withGate({ tierVisits }, async ({ fetch, spent }) => {
    const { answer } = await fetch();
    assert.deepEqual(answer?.usage, { credits: 10, base: 2, surcharge: 8, tier: 'proxy' });
    const attempts = answer?.body['attempts'];
    assert.ok(Array.isArray(attempts));
    assert.deepEqual(
      attempts.map(({ tier, outcome }: { tier: unknown; outcome: unknown }) => [tier, outcome]),
      [
        ['http', 'blocked'],
        ['browser', 'blocked'],
        ['proxy', 'ok'],
      ],
    );
    assert.deepEqual(await spent(), [10, 0]);
  });
});

test('a browser attempt that did not serve the page costs no more than plain HTTP', async () => {
  await withGate(
    { tierVisits: { http: isBlocked, browser: brings() }, limits: { credits_per_month: 2 } },
    async (gate) => {
      const { answer } = await gate.fetch();
      assert.deepEqual(answer?.usage, { credits: 2, base: 2, surcharge: 0, tier: 'browser' });
    },
  );
});

test('the ladder stops before a tier above the balance, and reports the needed and remaining credits', async () => {
  const tierVisits: FakeTiers = { http: isBlocked, proxy: brings() };
  await withGate(
    { tierVisits, limits: { credits_per_month: 9 } },
    async ({ fetch, visits, spent, requestLog, tenant }) => {
      const { code, error } = await fetch();
      assert.equal(code, 'credits_exhausted');
      assert.match(error?.message ?? '', /10 credits are needed and 9 are left/);
      assert.equal(visits.length, 1);
      assert.deepEqual(await spent(), [0, 0]);
      const logged = await requestLog.find(tenant, 'req_0001');
      assert.ok(Array.isArray(logged?.attempts));
      assert.equal(logged.attempts.length, 1);
    },
  );
  await withGate({ tierVisits, limits: { daily_cap: 9 } }, async ({ fetch, visits, spent }) => {
    assert.equal((await fetch()).code, 'daily_credit_cap_exceeded');
    assert.equal(visits.length, 1);
    assert.deepEqual(await spent(), [0, 0]);
  });
});

test('max_credits stops the ladder with target_blocked, and is invalid below the cheapest outcome', async () => {
  const tierVisits: FakeTiers = { http: isBlocked, proxy: brings() };
  await withGate({ tierVisits }, async ({ fetch, visits, spent }) => {
    const { code, error } = await fetch({ max_credits: 9 });
    assert.deepEqual([code, error?.status], ['target_blocked', 502]);
    assert.match(error?.message ?? '', /max_credits is 9/);
    assert.match(error?.message ?? '', /costs 10/);
    assert.equal(visits.length, 1);
    assert.deepEqual(await spent(), [0, 0]);
    assert.equal((await fetch({ max_credits: 10 })).answer?.usage?.credits, 10);
    assert.match((await fetch({ max_credits: 1 })).error?.message ?? '', /^max_credits: .* 2$/);
    assert.match((await fetch({ max_credits: 66, proxy: 'stealth' })).error?.message ?? '', /^max_credits: .* 67$/);
    assert.equal((await fetch({ max_credits: 0 })).code, 'invalid_request');
  });
});

test('a timeout above the inline limit of the plan creates a job, and one within it does not', async () => {
  for (const [plan, limit] of [
    ['free', 30_000],
    ['starter', 60_000],
  ] as const) {
    await withGate({ plan }, async ({ fetch }) => {
      assert.equal((await fetch({ timeout_ms: limit })).answer?.status, 200);
      assert.equal((await fetch({ timeout_ms: limit + 1 })).answer?.status, 202);
    });
  }
});

test('50 selectors are accepted; an invalid one or a 51st is reported before any request', async () => {
  const many = Array.from({ length: 50 }, (_, at) => `p:nth-child(${at + 1})`);
  await withGate({}, async ({ fetch, visits }) => {
    assert.equal((await fetch({ exclude_selectors: many })).code, 'ok');
    assert.match((await fetch({ include_selectors: ['p', 'p['] })).error?.message ?? '', /^include_selectors\.1: /);
    assert.match((await fetch({ include_selectors: [...many, 'p'] })).error?.message ?? '', /^include_selectors: /);
    assert.equal(visits.length, 1);
  });
});

test('connection headers, cookies among headers and invalid cookies are rejected by name', async () => {
  await withGate({}, async ({ fetch, visits }) => {
    for (const name of ['Host', 'cookie', 'Content-Length', 'Proxy-Authorization', 'TE', 'Connection', 'a b']) {
      const { code, error } = await fetch({ headers: { [name]: 'x' } });
      assert.equal(code, 'invalid_request', name);
      assert.ok(error?.message.startsWith(`headers.${name}: `), name);
    }
    const broken: readonly Readonly<Record<string, unknown>>[] = [
      { headers: { accept: 'a\r\nx: y' } },
      { headers: { Accept: 'a', accept: 'b' } },
      { cookies: [{ name: 'a', value: 'x; y' }] },
      { cookies: [{ name: 'a', value: 'x', domain: 'example.com' }] },
    ];
    for (const raw of broken) assert.equal((await fetch(raw)).code, 'invalid_request');
    assert.equal(visits.length, 0);
    assert.equal((await fetch({ headers: { Accept: 'a' }, cookies: [{ name: 'a', value: 'b' }] })).code, 'ok');
    assert.deepEqual(visits[0]?.headers, { accept: 'a' });
    assert.deepEqual(visits[0]?.cookies, [{ name: 'a', value: 'b' }]);
  });
});
