import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { z } from 'zod';
import { describeInput } from '#engine/call/validation.ts';
import { bindWork } from '#engine/call/bound-operation.ts';
import { declareWork } from '#engine/call/operation.ts';
import { StoreUnavailable } from '#store/db.ts';
import { brings, type GateOptions, isBlocked, timesOut, withGate } from './gate.ts';

/** An operation for paid plans, whose option gate refuses `proxy`. */
const paidWork = bindWork(
  declareWork({
    id: 'paid',
    route: 'POST /v1/paid',
    summary: 'Work for paid plans',
    plan: 'starter',
    price: { base: 2, cacheHit: 1, perTier: true },
    errors: [],
    input: z.strictObject({ count: z.int() }),
    output: z.object({ count: z.int() }),
    example: { count: 1 },
  }),
  {
    admit: () => ({ timeoutMs: 30_000, tiers: ['http'], cheapest: 2, maxCredits: null }),
    run: async ({ count }) => ({ body: { count }, tier: 'http' }),
  },
);

test('the plan gate of an operation comes before validation', async () => {
  await withGate({ plan: 'free', more: [paidWork] }, async ({ ask, spent }) => {
    assert.equal((await ask(paidWork.operation, { count: 'many' })).code, 'plan_upgrade_required');
    assert.deepEqual(await spent(), [0, 0]);
  });
  await withGate({ more: [paidWork] }, async ({ ask }) => {
    assert.equal((await ask(paidWork.operation, { count: 'many' })).code, 'invalid_request');
    assert.equal((await ask(paidWork.operation, { count: 1 })).code, 'ok');
  });
});

/** An operation whose parameter `count` has an alias, and whose response does not always match the declaration. */
const aliasedWork = bindWork(
  declareWork({
    id: 'aliased',
    route: 'POST /v1/aliased',
    summary: 'Work by another name',
    plan: 'free',
    price: { base: 2, cacheHit: 1, perTier: true },
    errors: [],
    input: z.strictObject({ count: z.int() }),
    aliases: { count: ['many'] },
    output: z.object({ count: z.int().max(9) }),
    example: { count: 1 },
  }),
  {
    admit: () => ({ timeoutMs: 30_000, tiers: ['http'], cheapest: 2, maxCredits: null }),
    run: async ({ count }) => ({ body: { count, besides: 1 }, tier: 'http' }),
  },
);

test('a member can be given by its aliases, and the answer is still checked', async () => {
  await withGate({ more: [aliasedWork] }, async ({ ask }) => {
    for (const input of [{ count: 1 }, { many: 1 }, { many: 1, count: 1 }]) {
      assert.equal((await ask(aliasedWork.operation, input)).answer?.body['count'], 1);
    }
    assert.ok(!Object.hasOwn((await ask(aliasedWork.operation, { many: 1 })).answer?.body ?? {}, 'besides'));
    const refused = [
      [{ many: 10 }, 'internal_error', /./],
      [{ many: 1, count: 2 }, 'invalid_request', /^many: is an alias of count, and the two differ/],
      [{}, 'invalid_request', /^count: is missing/],
    ] as const;
    for (const [input, expected, says] of refused) {
      const { code, error } = await ask(aliasedWork.operation, input);
      assert.equal(code, expected);
      assert.match(error?.message ?? '', says);
    }
    assert.deepEqual(Object.keys(z.toJSONSchema(describeInput(aliasedWork.operation)).properties ?? {}), [
      'count',
      'many',
    ]);
  });
});

/** Each row passes all steps before the named one, so only that step or a later one can refuse it. */
const ORDER: readonly (readonly [string, GateOptions, Readonly<Record<string, unknown>>, string])[] = [
  [
    'validation before the option gate',
    { plan: 'free', limits: { credits_per_month: 1 } },
    { proxy: 'stealth', output: ['paper'] },
    'invalid_request',
  ],
  [
    'the target before the option gate',
    { plan: 'free', limits: { credits_per_month: 1 } },
    { proxy: 'stealth', url: 'http://10.0.0.1/' },
    'invalid_request',
  ],
  [
    'the option gate before the queue',
    { plan: 'free', limits: { queued_jobs: 1 } },
    { proxy: 'auto', timeout_ms: 30_001 },
    'plan_upgrade_required',
  ],
  [
    'the option gate before credits',
    { plan: 'free', limits: { credits_per_month: 1, daily_cap: 1 } },
    { proxy: 'auto' },
    'plan_upgrade_required',
  ],
  [
    'credits before the daily cap',
    { limits: { credits_per_month: 1, daily_cap: 1, concurrent_requests: 1 } },
    {},
    'credits_exhausted',
  ],
  ['the daily cap before concurrency', { limits: { daily_cap: 1 } }, {}, 'daily_credit_cap_exceeded'],
];

for (const [what, options, raw, code] of ORDER) {
  test(`order of checks: ${what}`, async () => {
    await withGate(options, async ({ fetch, spent, visits }) => {
      assert.equal((await fetch(raw)).code, code);
      assert.deepEqual(await spent(), [0, 0]);
      assert.equal(visits.length, 0);
    });
  });
}

test('order of checks: the daily cap comes before the concurrency limit, which releases its reservation', async () => {
  const held = Promise.withResolvers<void>();
  const tierVisits = {
    http: async (...[request, signal]: Parameters<typeof isBlocked>) => {
      await held.promise;
      return brings()(request, signal);
    },
  };
  await withGate(
    { limits: { concurrent_requests: 1, daily_cap: 4 }, tierVisits },
    async ({ fetch, spent, balance }) => {
      const first = fetch();
      await until(async () => (await balance()).credits_reserved === 2);
      const second = await fetch();
      assert.deepEqual([second.code, second.error?.retryAfterSeconds], ['concurrency_limit_exceeded', 1]);
      assert.deepEqual(await spent(), [0, 2]);
      assert.equal((await fetch({ proxy: 'stealth' })).code, 'daily_credit_cap_exceeded');
      held.resolve();
      assert.equal((await first).code, 'ok');
      assert.equal((await fetch()).code, 'ok');
      assert.deepEqual(await spent(), [4, 0]);
    },
  );
});

test('a tenant at its concurrency limit does not block another', async () => {
  await withGate(
    { limits: { concurrent_requests: 1 }, tierVisits: { http: timesOut } },
    async ({ fetch, tenants, spent }) => {
      const other = await tenants.create('other', 'starter');
      const gone = new AbortController();
      const held = fetch({}, { signal: gone.signal });
      await until(async () => (await spent())[1] === 2);
      const beside = fetch({}, { signal: gone.signal, as: other });
      gone.abort();
      assert.deepEqual([(await held).code, (await beside).code], ['timeout', 'timeout']);
    },
  );
});

test('whatever fails, nothing is charged and nothing stays reserved', async () => {
  const failures: readonly (readonly [GateOptions, Readonly<Record<string, unknown>>, string])[] = [
    [{}, { ouput: [] }, 'invalid_request'],
    [{ plan: 'free' }, { proxy: 'auto' }, 'plan_upgrade_required'],
    [{ limits: { credits_per_month: 1 } }, {}, 'credits_exhausted'],
    [{ limits: { daily_cap: 1 } }, {}, 'daily_credit_cap_exceeded'],
    [{ tierVisits: { http: isBlocked } }, {}, 'target_blocked'],
    [{ tierVisits: { http: isBlocked }, plan: 'free' }, {}, 'free_plan_proxy_required'],
    [{ tierVisits: {} }, {}, 'backend_unavailable'],
    [{ tierVisits: { http: timesOut } }, { timeout_ms: 1000, proxy: 'basic' }, 'timeout'],
    [{ tierVisits: { http: brings({ contentType: 'application/pdf', text: '%PDF-1.7' }) } }, {}, 'unsupported_content'],
    [
      {},
      {
        output: ['json'],
        extract: { schema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } },
      },
      'extraction_failed',
    ],
    [
      {
        read: async () => {
          throw new Error('a bug');
        },
      },
      {},
      'internal_error',
    ],
    [
      {
        read: async () => {
          throw new StoreUnavailable('disk full');
        },
      },
      {},
      'backend_unavailable',
    ],
  ];
  await Promise.all(
    failures.map(async ([options, raw, code]) =>
      withGate(options, async ({ fetch, spent, requestLog, tenant }) => {
        const failed = await fetch(raw);
        assert.equal(failed.code, code);
        assert.deepEqual(await spent(), [0, 0], code);
        const logged = await requestLog.find(tenant, 'req_0001');
        assert.deepEqual(
          [logged?.code, logged?.credits, logged?.tier, logged?.status],
          [code, 0, null, failed.error?.status],
        );
      }),
    ),
  );
});

test('a caller that disconnects pays nothing, even if its answer was ready', async () => {
  const gone = new AbortController();
  await withGate(
    {
      read: async () => {
        gone.abort();
        throw gone.signal.reason;
      },
    },
    async ({ fetch, spent }) => {
      assert.equal((await fetch({}, { signal: gone.signal })).code, 'timeout');
      assert.deepEqual(await spent(), [0, 0]);
    },
  );
  const late = new AbortController();
  const tierVisits = {
    http: async (...[request, signal]: Parameters<typeof isBlocked>) => {
      setImmediate(() => late.abort());
      await once(late.signal, 'abort');
      return brings()(request, signal);
    },
  };
  await withGate({ tierVisits }, async ({ fetch, spent }) => {
    assert.equal((await fetch({}, { signal: late.signal })).code, 'timeout');
    assert.deepEqual(await spent(), [0, 0]);
  });
});

test('an answer has its cost and the remaining credits, and the log has the call with its attempts', async () => {
  await withGate({ limits: { credits_per_month: 100 } }, async ({ fetch, requestLog, tenant }) => {
    const { answer } = await fetch({ use_proxy: false });
    assert.deepEqual(answer?.usage, { credits: 2, base: 2, surcharge: 0, tier: 'http' });
    assert.equal(answer?.remaining, 98);
    assert.deepEqual(answer?.deprecated, ['use_proxy']);
    assert.deepEqual(listCodes(answer?.body['warnings']), ['deprecated']);
    assert.equal(answer?.body['request_id'], 'req_0001');
    const logged = await requestLog.find(tenant, 'req_0001');
    assert.deepEqual([logged?.status, logged?.credits, logged?.tier], [200, 2, 'http']);
    assert.deepEqual(logged?.attempts, answer?.body['attempts']);
  });
});

test('a page that takes too long to parse is reported as a timeout with its reason', async () => {
  await withGate(
    {
      read: async (_request, { signal }) => {
        await once(signal, 'abort');
        throw signal.reason;
      },
    },
    async ({ fetch, spent }) => {
      const { code, error } = await fetch({ timeout_ms: 1000 });
      assert.equal(code, 'timeout');
      assert.match(error?.message ?? '', /reading it took too long/);
      assert.deepEqual(await spent(), [0, 0]);
    },
  );
});

function listCodes(warnings: unknown): readonly unknown[] {
  return Array.isArray(warnings) ? warnings.map((warning: { readonly code: unknown }) => warning.code) : [];
}

/** Waits until another call makes a condition true. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
