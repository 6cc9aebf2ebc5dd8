import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { loadPlans, type PlanName } from '#engine/identity/plans.ts';
import { at, listAt, textAt } from '#support/members.ts';
import type { Answered } from '#support/quern.ts';
import { openWorld, type World } from '#support/world.ts';

const PAGE = '/articles/bridge-closed-on-sunday';
const NO_LIMITS = { daily_cap: null, concurrent_requests: null, requests_per_minute: null };

const folder = mkdtempSync(join(tmpdir(), 'quern-plans-'));
let world: World;
before(async () => {
  world = await openWorld({ QUERN_PLANS_FILE: writePlans() });
});
after(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

/** The built-in plans, with one narrow limit in each paid plan. */
function writePlans(): string {
  const { free, starter, pro, scale, unlimited } = loadPlans(null);
  const plans = {
    free,
    starter: { ...starter, ...NO_LIMITS, credits_per_month: 133 },
    pro: { ...pro, daily_cap: 6, concurrent_requests: 2 },
    scale: { ...scale, concurrent_requests: 1, credits_per_month: 1 },
    unlimited,
  };
  const named = Object.entries(plans).map(([name, { name: _name, ...limits }]) => [name, limits]);
  const file = join(folder, 'plans.json');
  writeFileSync(file, JSON.stringify(Object.fromEntries(named)));
  return file;
}

async function keyFor(plan: PlanName): Promise<string> {
  return (await world.makeKey(plan)).key;
}

function getErrorCode({ body }: Answered): unknown {
  return at(body, 'error.code') ?? 'ok';
}

async function fetchUsage(key: string): Promise<Answered['body']> {
  return (await world.call('/v1/usage', undefined, key)).body;
}

suite('plans', { concurrency: true }, () => {
  test('a missing plan feature is reported before an invalid query', async () => {
    const free = await keyFor('free');
    const paid = await keyFor('unlimited');
    for (const query of ['limit=1&limit=2', 'limit=', 'a[b]=1', 'x=%ff', 'y=%00']) {
      const path = `/v1/codehost/repos?${query}`;
      assert.equal(getErrorCode(await world.call(path, undefined, free)), 'plan_upgrade_required', query);
      assert.equal(getErrorCode(await world.call(path, undefined, paid)), 'invalid_request', query);
    }
  });

  test('the requested URL is normalized in the same way as the final URL', async () => {
    const shouted = world.site.replace('http', 'HTTP').replace('127.0.0.1', '127.1');
    const { body } = await world.call('/v1/fetch', { url: shouted });
    assert.equal(textAt(body, 'url'), textAt(body, 'final_url'));
    const crawled = await world.call('/v1/crawl', { url: shouted, max_pages: 1 });
    assert.equal(textAt(crawled.body, 'url'), textAt(crawled.body, 'pages.0.final_url'));
    const mapped = await world.call('/v1/map', { url: shouted, max_urls: 1, max_depth: 0 });
    assert.equal(textAt(mapped.body, 'url'), textAt(crawled.body, 'url'));
  });

  test('limits of the Free plan are checked before any work, and a refusal costs nothing', async () => {
    const key = await keyFor('free');
    for (const [path, options, status, code] of [
      ['http://10.0.0.1/', { proxy: 'stealth' }, 400, 'invalid_request'],
      [PAGE, { proxy: 'stealth', use_proxy: true, ouput: [] }, 400, 'invalid_request'],
      [PAGE, { proxy: 'basic', use_proxy: true }, 400, 'invalid_request'],
      [PAGE, { proxy: 'auto' }, 402, 'plan_upgrade_required'],
      [PAGE, { proxy: 'stealth' }, 402, 'plan_upgrade_required'],
      [PAGE, { use_proxy: true }, 402, 'plan_upgrade_required'],
      ['/blocked/403', {}, 402, 'free_plan_proxy_required'],
    ] as const) {
      const answer = await world.fetch(path, options, key);
      assert.deepEqual([answer.status, getErrorCode(answer)], [status, code], JSON.stringify(options));
      assert.equal(answer.headers.get('x-credits-used'), '0');
      assert.equal(answer.headers.get('x-credits-remaining'), '31000');
    }
    const blocked = await world.fetch('/blocked/403', {}, key);
    assert.deepEqual(blocked.body['diagnostics'], { outcome: 'failed', retryable: false, blocked: true });
    const late = await world.fetch('/slow?ms=5000', { timeout_ms: 1000 }, key);
    assert.deepEqual(late.body['diagnostics'], { outcome: 'failed', retryable: true, timed_out: true });
    assert.doesNotMatch(textAt(late.body, 'error.message'), /stealth/);
    assert.equal((await world.fetch(PAGE, { proxy: 'basic' }, key)).headers.get('x-credits-remaining'), '30998');
  });

  test('a paid key may use higher access tiers, and the error says what this instance lacks', async () => {
    const key = await keyFor('starter');
    assert.deepEqual(getErrorCode(await world.fetch(PAGE, { proxy: 'auto' }, key)), 'ok');
    assert.equal(getErrorCode(await world.fetch('/blocked/403', {}, key)), 'target_blocked');
    const stealth = await world.fetch(PAGE, { proxy: 'stealth' }, key);
    assert.deepEqual([stealth.status, getErrorCode(stealth)], [503, 'backend_unavailable']);
    assert.equal(stealth.headers.get('retry-after'), null);
    const late = await world.fetch('/slow?ms=5000', { timeout_ms: 1000 }, key);
    assert.match(textAt(late.body, 'error.message'), /proxy stealth or a larger timeout_ms/);
    assert.equal((await world.fetch(PAGE, { timeout_ms: 259_200_001 }, key)).status, 202);
  });

  test('of 400 concurrent calls on a balance of 133 exactly 66 are served, and 1 credit remains', async () => {
    const key = await keyFor('starter');
    const answers = await Promise.all(Array.from({ length: 400 }, async () => world.fetch(PAGE, {}, key)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 66);
    assert.equal(answers.filter((answer) => getErrorCode(answer) === 'credits_exhausted').length, 334);
    const { credits_used, credits_reserved, credits_remaining } = await fetchUsage(key);
    assert.deepEqual([credits_used, credits_reserved, credits_remaining], [132, 0, 1]);
    const history = await world.call('/v1/usage/history?by=operation', undefined, key);
    assert.deepEqual(history.body['data'], [{ date: null, operation: 'fetch', calls: 66, credits: 132 }]);
  });

  test('with a balance below the price, paid work is refused and free calls are served', async () => {
    const key = await keyFor('scale');
    const refused = await world.fetch(PAGE, {}, key);
    assert.deepEqual([refused.status, getErrorCode(refused)], [402, 'credits_exhausted']);
    assert.match(textAt(refused.body, 'error.message'), /2 credits are needed and 1 are left/);
    for (const path of ['/v1/usage', '/v1/requests', '/v1/capabilities', '/v1/usage/history']) {
      const { status, headers } = await world.call(path, undefined, key);
      assert.deepEqual([status, headers.get('x-credits-used'), headers.get('x-credits-remaining')], [200, '0', '1']);
    }
  });

  test('work beyond the daily cap is refused until midnight UTC', async () => {
    const key = await keyFor('pro');
    const codes = [];
    for (let count = 0; count < 4; count += 1) codes.push(getErrorCode(await world.fetch(PAGE, {}, key)));
    assert.deepEqual(codes, ['ok', 'ok', 'ok', 'daily_credit_cap_exceeded']);
    const refused = await world.fetch(PAGE, {}, key);
    assert.equal(refused.status, 429);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 0 && wait <= 24 * 3600);
  });

  test('the 21st request of a Free key in a minute is refused, and responses have rate limit headers', async () => {
    const key = await keyFor('free');
    const answers = [];
    for (let count = 0; count < 21; count += 1) answers.push(await world.call('/v1/usage', undefined, key));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array.from({ length: 20 }, () => 200), 429],
    );
    assert.equal(answers[0]?.headers.get('ratelimit-policy'), '"default";q=20;w=60');
    const last = answers[20];
    assert.equal(last && getErrorCode(last), 'rate_limited');
    assert.match(last?.headers.get('retry-after') ?? '', /^([1-9]|[1-5]\d|60)$/);
    // Waiting does not help here.
    const beyond = await world.call('/v1/codehost/user?username=ilse-miller', undefined, key);
    assert.equal(beyond.status, 402);
    assert.equal(getErrorCode(beyond), 'plan_upgrade_required');
  });

  test('a call beyond the concurrency limit is refused, and served when another has ended', async () => {
    const key = await keyFor('pro');
    const running = [1, 2].map(async () => world.fetch('/slow?ms=5000', {}, key));
    while ((await fetchUsage(key))['credits_reserved'] !== 4) await new Promise((resolve) => setTimeout(resolve, 20));
    const refused = await world.fetch(PAGE, {}, key);
    assert.deepEqual([refused.status, getErrorCode(refused)], [429, 'concurrency_limit_exceeded']);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.deepEqual((await Promise.all(running)).map(getErrorCode), ['ok', 'ok']);
    assert.equal(getErrorCode(await world.fetch(PAGE, {}, key)), 'ok');
    assert.equal((await fetchUsage(key))['credits_used'], 6);
  });

  test("a list has only the tenant's own rows, for any query", async () => {
    const [key, other] = [await keyFor('starter'), await world.makeKey('starter')];
    await world.fetch(PAGE, {}, other.key);
    for (const path of ['/v1/requests', '/v1/usage/history']) {
      assert.deepEqual(listAt((await world.call(path, undefined, key)).body, 'data'), [], path);
      for (const query of [`tenant_id=${other.tenant}`, `owner=${other.tenant}`, 'cursor=AAAA']) {
        assert.equal(getErrorCode(await world.call(`${path}?${query}`, undefined, key)), 'invalid_request', query);
      }
    }
  });

  test("the id of another tenant's request is unknown", async () => {
    const [key, other] = [await keyFor('starter'), await keyFor('starter')];
    const id = textAt((await world.fetch(PAGE, {}, other)).body, 'request_id');
    assert.equal((await world.call(`/v1/requests/${id}`, undefined, other)).status, 200);
    const foreign = await world.call(`/v1/requests/${id}`, undefined, key);
    const unknown = await world.call(`/v1/requests/${id.replace(/.{4}$/, '0000')}`, undefined, key);
    assert.deepEqual([foreign.status, unknown.status], [404, 404]);
    assert.deepEqual([getErrorCode(foreign), getErrorCode(unknown)], ['not_found', 'not_found']);
  });

  test('a client that disconnects pays nothing', async () => {
    const key = await keyFor('starter');
    const gone = new AbortController();
    const asked = fetch(`${world.service.origin}/v1/fetch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${world.site}/slow?ms=20000` }),
      signal: gone.signal,
    });
    while ((await fetchUsage(key))['credits_reserved'] !== 2) await new Promise((resolve) => setTimeout(resolve, 20));
    gone.abort();
    await assert.rejects(asked);
    while ((await fetchUsage(key))['credits_reserved'] !== 0) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal((await fetchUsage(key))['credits_used'], 0);
  });
});
