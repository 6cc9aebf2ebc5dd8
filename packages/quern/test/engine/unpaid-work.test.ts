import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { UnpaidWork } from '#engine/call/unpaid-work.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { ServiceError } from '#kernel/errors.ts';
import { buildFailure } from '#access/failure.ts';
import { clockAt } from '../support/clock.ts';
import { getOperation } from '../support/engine/queue.ts';
import { brings, SITE, withGate } from './gate.ts';

const PLANS = loadPlans(null);
const FREE = { tenant: 'mill', plan: { ...PLANS.free, unpaid_seconds_per_hour: 600 } };
/** A browser that works for a while and fails. */
async function fails(): Promise<never> {
  await setTimeout(60);
  throw buildFailure('unreachable', 'the target could not be reached');
}

const NOTHING = { attempts: [], readMs: 0, tokens: { input: 0, output: 0 } };

test('browser and parser time, tokens and proxy bytes count, and decay over time', () => {
  let now = 0;
  const unpaid = new UnpaidWork(clockAt(() => now));
  unpaid.add(FREE, {
    attempts: [
      { tier: 'http', duration_ms: 60_000, bytes: 9_000_000 },
      { tier: 'browser', duration_ms: 20_000, bytes: 9_000_000 },
      { tier: 'proxy', duration_ms: 20_000, bytes: 3 * 1024 * 1024 },
    ],
    readMs: 5_000,
    tokens: { input: 900, output: 100 },
  });
  assert.equal(unpaid.computeLevel(FREE), 20 + 3 + 5 + 10);
  assert.equal(unpaid.computeLevel({ ...FREE, tenant: 'other' }), 0);
  now += 60_000;
  assert.equal(unpaid.computeLevel(FREE), 28);
  now += 3_600_000;
  assert.equal(unpaid.computeLevel(FREE), 0);
});

test('above its allowance a tenant waits, and above twice the allowance it is rejected until decay', () => {
  let now = 0;
  const unpaid = new UnpaidWork(clockAt(() => now));
  const add = (seconds: number): void => unpaid.add(FREE, { ...NOTHING, readMs: seconds * 1000 });
  add(600);
  assert.equal(unpaid.computeDelayMs(FREE), 0);
  add(300);
  assert.equal(unpaid.computeDelayMs(FREE), 5_000);
  unpaid.assertAllowance(FREE);
  add(900);
  let seconds = 0;
  assert.throws(
    () => unpaid.assertAllowance(FREE),
    (error) => {
      assert.ok(error instanceof ServiceError);
      seconds = error.retryAfterSeconds ?? 0;
      return error.code === 'rate_limited' && error.message.includes('unpaid_seconds_per_hour');
    },
  );
  now += seconds * 1000;
  unpaid.assertAllowance(FREE);
  unpaid.add({ tenant: 'operator', plan: PLANS.unlimited }, { ...NOTHING, readMs: 1e9 });
  unpaid.assertAllowance({ tenant: 'operator', plan: PLANS.unlimited });
});

test('usage contains the level, and above twice the allowance calls and jobs return 429', async () => {
  const limits = { unpaid_seconds_per_hour: 1 };
  await withGate({ plan: 'starter', limits }, async (gate) => {
    const usage = async () =>
      z.looseObject({ unpaid_seconds: z.number() }).parse((await gate.ask(getOperation('usage'), {})).answer?.body);
    assert.equal((await usage()).unpaid_seconds, 0);
    gate.unpaid.add({ tenant: gate.tenant, plan: gate.plan }, { ...NOTHING, readMs: 2_500 });
    assert.ok((await usage()).unpaid_seconds >= 2);
    const { code, error } = await gate.fetch();
    assert.deepEqual([code, error?.status], ['rate_limited', 429]);
    assert.ok((error?.retryAfterSeconds ?? 0) > 0);
    const crawl = { kind: 'crawl', input: { url: 'https://mill.example/' } };
    assert.equal((await gate.ask(getOperation('jobs.submit'), crawl)).code, 'rate_limited');
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

test('a free call counts the work it used, and a paid one counts nothing', async () => {
  await withGate({ tierVisits: { browser: fails } }, async (gate) => {
    const own = { tenant: gate.tenant, plan: gate.plan };
    assert.notEqual((await gate.fetch({ wait_for_selector: 'h1' })).code, 'ok');
    assert.ok(gate.unpaid.computeLevel(own) > 0.01);
  });
  await withGate({}, async (gate) => {
    await gate.fetch();
    assert.equal(gate.unpaid.computeLevel({ tenant: gate.tenant, plan: gate.plan }), 0);
  });
});

test('crawled pages that are not stored count with their parsing time, and stored ones do not', async () => {
  const tierVisits = {
    http: brings({ text: '<html><head><meta name="robots" content="noindex"></head><body><h1>Rye</h1></body></html>' }),
  };
  await withGate({ tierVisits, siteReadMs: 60_000 }, async (gate) => {
    await gate.ask(getOperation('crawl'), { url: SITE });
    assert.ok(gate.unpaid.computeLevel({ tenant: gate.tenant, plan: gate.plan }) > 20);
  });
  await withGate({ siteReadMs: 60_000 }, async (gate) => {
    assert.equal((await gate.ask(getOperation('crawl'), { url: SITE })).code, 'ok');
    assert.equal(gate.unpaid.computeLevel({ tenant: gate.tenant, plan: gate.plan }), 0);
  });
});
