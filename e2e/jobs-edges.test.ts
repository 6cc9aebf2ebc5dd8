import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startSite } from '#demo/site.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { at, textAt } from '#support/members.ts';
import { KEY } from '#support/quern.ts';
import { openWorld, type World } from '#support/world.ts';

const ARTICLE = '/articles/a-year-at-the-mill';
const NOON = '2031-02-03T12:00:00Z';
const LONG_AFTER = '2031-03-20T12:00:00Z';

const folder = mkdtempSync(join(tmpdir(), 'quern-edges-'));
const clock = join(folder, 'clock');
let world: World;
/** Nothing listens there and the clock is stopped, so a job for it waits for its second attempt forever. */
let nowhere = '';

before(async () => {
  const { free, starter, pro, scale, unlimited } = loadPlans(null);
  const none = { requests_per_minute: null, daily_cap: null };
  const plans = {
    free: { ...free, ...none, queued_jobs: 1, job_timeout_ms: 40_000 },
    starter: { ...starter, ...none },
    pro: { ...pro, ...none, concurrent_requests: null, credits_per_month: 2 },
    scale,
    unlimited,
  };
  const named = Object.entries(plans).map(([name, { name: _name, ...limits }]) => [name, limits]);
  writeFileSync(join(folder, 'plans.json'), JSON.stringify(Object.fromEntries(named)));
  writeFileSync(clock, NOON);
  const closed = await startSite({ port: 0 });
  await closed.close();
  nowhere = closed.origin;
  world = await openWorld({
    QUERN_PLANS_FILE: join(folder, 'plans.json'),
    QUERN_CLOCK_FILE: clock,
    QUERN_ALLOW_TARGETS: new URL(nowhere).host,
  });
});
after(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

type Init = { readonly method?: string; readonly body?: unknown; readonly key?: string; readonly headers?: object };
type Reply = { readonly status: number; readonly headers: Headers; readonly body: unknown; readonly code: unknown };

async function send(path: string, { method, body, key = KEY, headers = {} }: Init = {}): Promise<Reply> {
  const answer = await fetch(world.service.origin + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(120_000),
  });
  const text = await answer.text();
  const read: unknown = text.startsWith('{') ? JSON.parse(text) : text;
  return { status: answer.status, headers: answer.headers, body: read, code: at(read, 'error.code') };
}

async function submit(url: string, key = KEY): Promise<string> {
  const { status, body } = await send('/v1/jobs', { body: { kind: 'fetch', input: { url } }, key });
  assert.equal(status, 202, JSON.stringify(body));
  return textAt(body, 'id');
}

/** Waits until the job has that state and, if it must stay queued, has been attempted. */
async function until(id: string, status: string, key = KEY): Promise<string> {
  const patience = AbortSignal.timeout(120_000);
  for (;;) {
    patience.throwIfAborted();
    const { body } = await send(`/v1/jobs/${id}`, { key });
    if (at(body, 'status') === status && at(body, 'attempt') !== 0) return id;
    await wait(10);
  }
}

/** A job in each state, of one tenant. */
const REACH: Readonly<Record<string, (key?: string) => Promise<string>>> = {
  queued: async (key) => until(await submit(nowhere, key), 'queued', key),
  running: async (key) => until(await submit(`${world.site}/slow?ms=20000`, key), 'running', key),
  completed: async (key) => until(await submit(world.site + ARTICLE, key), 'completed', key),
  failed: async (key) => until(await submit(`${world.site}/blocked/403`, key), 'failed', key),
  async cancelled(key) {
    const id = await until(await submit(`${world.site}/slow?ms=20000`, key), 'running', key);
    assert.equal((await send(`/v1/jobs/${id}`, { method: 'DELETE', key })).status, 202);
    return until(id, 'cancelled', key);
  },
};

async function reach(status: string, key?: string): Promise<string> {
  const made = await REACH[status]?.(key);
  assert.ok(made !== undefined);
  return made;
}

suite('edge cases of the jobs API', { concurrency: 4 }, () => {
  test('a submission that cannot run is rejected with the name of the invalid member', async () => {
    const url = world.site + ARTICLE;
    const refusals: readonly (readonly [unknown, RegExp])[] = [
      [{ kind: 'fetsh', input: { url } }, /^kind: fetsh is not known; the nearest is fetch$/],
      [{ kind: 'usage', input: {} }, /^kind: usage is not known/],
      [{ kind: 'jobs.submit', input: { kind: 'fetch', input: { url } } }, /^kind: jobs\.submit is not known/],
      [{ kind: '__proto__', input: { url } }, /^kind: __proto__ is not known/],
      [{ kind: 'fetch', input: { kind: 'fetch', input: { url } } }, /^(?:kind|input|input\.url): /],
      [{ kind: 'fetch', input: [] }, /^input: /],
      [{ kind: 'fetch' }, /^input: /],
      [{ kind: 'fetch', input: { url }, max_credits: 1 }, /^max_credits: the cheapest outcome .* costs 2$/],
      [{ kind: 'fetch', input: { url }, max_credits: 0 }, /^max_credits: /],
      [{ kind: 'fetch', input: { url }, max_credits: '5' }, /^max_credits: /],
    ];
    for (const [body, says] of refusals) {
      const { status, code, body: answer } = await send('/v1/jobs', { body });
      assert.deepEqual([status, code], [400, 'invalid_request'], JSON.stringify(body));
      assert.match(textAt(answer, 'error.message'), says);
    }
    const { key } = await world.makeKey('free');
    const long = { kind: 'fetch', input: { url, timeout_ms: 40_001 } };
    const { status, body } = await send('/v1/jobs', { body: long, key });
    assert.equal(status, 202);
    assert.match(
      textAt(body, 'warnings.0.message'),
      /^timeout_ms: limited to 40000 ms, the longest job time of plan free/,
    );
  });

  test('a submission beyond queued_jobs gets Retry-After, and succeeds when one job has left the queue', async () => {
    const { key } = await world.makeKey('free');
    const id = await reach('queued', key);
    for (const [path, body] of [
      ['/v1/jobs', { kind: 'fetch', input: { url: world.site + ARTICLE } }],
      ['/v1/fetch', { url: world.site + ARTICLE, timeout_ms: 39_000 }],
    ] as const) {
      const full = await send(path, { body, key });
      assert.deepEqual([full.status, full.code], [429, 'queue_full']);
      assert.match(full.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal(at(full.body, 'diagnostics.retryable'), true);
    }
    assert.equal((await send(`/v1/jobs/${id}`, { method: 'DELETE', key })).status, 200);
    await reach('completed', key);
  });

  test('reading the result of a job without one returns an error for the state of the job', async () => {
    for (const [state, status, code] of [
      ['queued', 409, 'job_not_finished'],
      ['running', 409, 'job_not_finished'],
      ['failed', 409, 'job_failed'],
      ['cancelled', 409, 'job_cancelled'],
    ] as const) {
      const id = await reach(state);
      const answer = await send(`/v1/jobs/${id}/result`);
      assert.deepEqual([answer.status, answer.code], [status, code], state);
      const isEarly = code === 'job_not_finished';
      assert.equal(answer.headers.get('retry-after') !== null, isEarly, state);
      const gone = await send(`/v1/jobs/${id}`, { method: 'DELETE' });
      assert.equal(gone.status, { queued: 200, running: 202, failed: 204, cancelled: 204 }[state], state);
    }
  });

  test('DELETE on a finished job deletes it, and is idempotent', async () => {
    const id = await reach('completed');
    for (let time = 0; time < 3; time += 1) {
      const { status, body, headers } = await send(`/v1/jobs/${id}`, { method: 'DELETE' });
      assert.deepEqual([status, body, headers.get('content-type')], [204, '', null]);
    }
    const { body } = await send(`/v1/jobs/${id}`);
    assert.deepEqual([at(body, 'status'), at(body, 'input'), at(body, 'usage.credits')], ['expired', null, 2]);
    const result = await send(`/v1/jobs/${id}/result`);
    assert.deepEqual([result.status, result.code], [410, 'result_expired']);
  });

  test("another tenant's job is reported as unknown by every route", async () => {
    const { key } = await world.makeKey('starter');
    const own = await reach('completed');
    const unknown = own.replace(/.{6}$/, 'zzzzzz');
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '?wait_ms=1000'],
      ['GET', '/result'],
      ['GET', '/result?partial=true'],
      ['GET', '/events'],
      ['DELETE', ''],
    ] as const) {
      const says = [own, unknown].map(async (id) => {
        const { status, body, headers } = await send(`/v1/jobs/${id}${rest}`, { method, key });
        return { status, message: textAt(body, 'error.message').replace(id, 'ID'), type: headers.get('content-type') };
      });
      const [foreign, missing] = await Promise.all(says);
      assert.deepEqual(foreign, missing);
      assert.equal(foreign?.status, 404, `${method} ${rest}`);
    }
    assert.equal((await send(`/v1/jobs/${own}/result`)).status, 200);
  });

  test('a cursor works only for its list, tenant and filters, and a list has only jobs of its tenant', async () => {
    const [own, other] = [(await world.makeKey('starter')).key, (await world.makeKey('starter')).key];
    const ids: string[] = [];
    for (let job = 0; job < 3; job += 1) ids.push(await reach('completed', own));
    // The clock is stopped, so the order of the three is random.
    const newest = ids.toSorted().toReversed();
    const first = await send('/v1/jobs?limit=2', { key: own });
    assert.deepEqual([at(first.body, 'data.0.id'), at(first.body, 'data.1.id')], newest.slice(0, 2));
    const cursor = textAt(first.body, 'next_cursor');
    const last = await send(`/v1/jobs?limit=2&cursor=${cursor}`, { key: own });
    assert.deepEqual([at(last.body, 'data.0.id'), at(last.body, 'next_cursor')], [newest[2], null]);
    for (const [path, key] of [
      [`/v1/jobs?cursor=${cursor}`, other],
      [`/v1/jobs?cursor=${cursor}&status=completed`, own],
      [`/v1/requests?cursor=${cursor}`, own],
      [`/v1/jobs?cursor=${cursor.slice(0, -2)}`, own],
      [`/v1/jobs?cursor=${Buffer.from(`${'0'.repeat(16)}${newest[0]}`).toString('base64url')}`, own],
      ['/v1/jobs?tenant_id=local', own],
      ['/v1/jobs?status=done', own],
      ['/v1/jobs?from=yesterday', own],
      ['/v1/jobs?limit=1001', own],
    ] as const) {
      const { status, code } = await send(path, { key });
      assert.deepEqual([status, code], [400, 'invalid_request'], path);
    }
    assert.deepEqual(at((await send('/v1/jobs', { key: other })).body, 'data'), []);
  });

  test('an idempotency key is 1 to 255 printable characters', async () => {
    const body = { url: world.site + ARTICLE };
    for (const key of ['k'.repeat(256), 'a\tb', 'schlüssel', '']) {
      const { status, body: answer } = await send('/v1/fetch', { body, headers: { 'idempotency-key': key } });
      assert.equal(status, 400, key);
      assert.match(textAt(answer, 'error.message'), /^Idempotency-Key: /);
    }
    const longest = { 'idempotency-key': 'k'.repeat(255) };
    assert.equal((await send('/v1/fetch', { body, headers: longest })).status, 200);
  });

  test('an Idempotency-Key replays the whole response of a job, and a different body is a conflict', async () => {
    const input = { url: world.site + ARTICLE, timeout_ms: 200_000 };
    for (const [path, body, other] of [
      ['/v1/jobs', { kind: 'fetch', input }, { kind: 'fetch', input: { ...input, max_age_ms: 5 } }],
      ['/v1/fetch', input, { ...input, max_age_ms: 5 }],
    ] as const) {
      const headers = { 'idempotency-key': `replay ${path}` };
      const first = await send(path, { body, headers });
      assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [202, null]);
      await until(textAt(first.body, 'id'), 'completed');
      const second = await send(path, { body, headers });
      assert.deepEqual([second.status, second.headers.get('idempotent-replayed')], [202, 'true']);
      assert.equal(second.headers.get('location'), first.headers.get('location'));
      assert.equal(second.headers.get('x-request-id'), first.headers.get('x-request-id'));
      assert.deepEqual(second.body, first.body);
      const conflict = await send(path, { body: other, headers });
      assert.deepEqual([conflict.status, conflict.code], [409, 'idempotency_conflict']);
    }
  });

  test('a repeated call waits for the response of the first, and only one is charged', async () => {
    const { key } = await world.makeKey('starter');
    const call = { body: { url: `${world.site}/slow?ms=600` }, headers: { 'idempotency-key': 'in flight' }, key };
    const answers = await Promise.all([1, 2, 3].map(async () => send('/v1/fetch', call)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 2);
    assert.equal(at((await send('/v1/usage', { key })).body, 'credits_used'), 2);
  });

  test('after a key is revoked its jobs continue, new calls are refused, and open streams end', async () => {
    const { key, keyId, tenant } = await world.makeKey('starter');
    const { key: spare } = await world.operate(async ({ keys }) => keys.add(tenant, 'spare'));
    const waiting = await reach('queued', key);
    const running = await until(await submit(`${world.site}/slow?ms=4000`, key), 'running', key);
    const stream = await fetch(`${world.service.origin}/v1/jobs/${waiting}/events`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await world.operate(async ({ keys }) => keys.revoke(keyId));
    const refused = await send(`/v1/jobs/${running}`, { key });
    assert.deepEqual([refused.status, refused.code], [401, 'invalid_api_key']);
    assert.doesNotMatch(await stream.text(), /event: end/);
    await until(running, 'completed', spare);
    assert.equal((await send(`/v1/jobs/${running}/result`, { key: spare })).status, 200);
    assert.equal((await send(`/v1/jobs/${waiting}`, { method: 'DELETE', key: spare })).status, 200);
  });

  test('hundreds of clients follow one job: disconnected ones are released, the others get its end once', async () => {
    const { key } = await world.makeKey('pro');
    const id = await reach('queued', key);
    const leave = new AbortController();

    async function follow(signal: AbortSignal): Promise<string> {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${world.service.origin}/v1/jobs/${id}/events`, { headers, signal });
      return answer.text();
    }

    async function untilOpen(least: number, most: number): Promise<void> {
      for (;;) {
        const metrics = String((await send('/metrics')).body);
        const open = Number(/^quern_requests_in_flight (\d+)$/m.exec(metrics)?.[1]);
        if (open >= least && open <= most) return;
        await wait(20);
      }
    }

    const stays = Array.from({ length: 90 }, async () => follow(AbortSignal.timeout(120_000)));
    const leaves = Array.from({ length: 90 }, async () => assert.rejects(follow(leave.signal)));
    await untilOpen(180, Infinity);
    leave.abort();
    await Promise.all(leaves);
    // Apart from the remaining followers there are a few calls of other tests.
    await untilOpen(90, 179);
    assert.equal((await send(`/v1/jobs/${id}`, { method: 'DELETE', key })).status, 200);
    for (const told of await Promise.all(stays)) {
      assert.match(told, /^event: progress\nid: \d+\n/);
      assert.equal(told.split('event: end\n').length, 2);
    }
  });

  test('a job cancelled at about the time of its completion is charged only if it completed', async () => {
    const { key } = await world.makeKey('starter');
    const said = new Map<number, number>();

    async function race(round: number): Promise<void> {
      const id = await submit(world.site + ARTICLE, key);
      await wait(round);
      const { status } = await send(`/v1/jobs/${id}`, { method: 'DELETE', key });
      said.set(status, (said.get(status) ?? 0) + 1);
      const ends = status === 204 ? 'expired' : 'cancelled';
      const { body } = await send(`/v1/jobs/${id}?wait_ms=20000`, { key });
      assert.deepEqual([at(body, 'status'), at(body, 'usage.credits')], [ends, status === 204 ? 2 : undefined]);
    }

    for (let round = 0; round < 10; round += 1)
      await Promise.all([0, 1, 2, 3].map(async (one) => race(4 * round + one)));
    const { body } = await send('/v1/usage', { key });
    assert.deepEqual([at(body, 'credits_used'), at(body, 'credits_reserved')], [2 * (said.get(204) ?? 0), 0]);
    assert.deepEqual(new Set(said.keys()).difference(new Set([200, 202, 204])), new Set());
  });

  test('a top-up during many refused calls applies to the next call', async () => {
    const { key, tenant } = await world.makeKey('pro');
    const body = { url: world.site + ARTICLE };
    assert.equal((await send('/v1/fetch', { body, key })).status, 200);
    const over = new AbortController();
    const refused = Array.from({ length: 6 }, () => 0);
    const storm = refused.map(async (_, caller) => {
      while (!over.signal.aborted)
        if ((await send('/v1/fetch', { body, key })).status === 402) refused[caller] = (refused[caller] ?? 0) + 1;
    });
    while (refused.includes(0)) await wait(20);
    await world.operate(async ({ tenants }) => tenants.topUp(tenant, 200_000));
    const next = await send('/v1/fetch', { body, key });
    over.abort();
    assert.equal(next.status, 200);
    await Promise.all(storm);
  });

  test('a plan change during a job affects neither its outcome nor its price', async () => {
    const { key, tenant } = await world.makeKey('starter');
    const input = { url: `${world.site}/slow?ms=4000`, proxy: 'auto', timeout_ms: 41_000 };
    const { body } = await send('/v1/jobs', { body: { kind: 'fetch', input }, key });
    const id = await until(textAt(body, 'id'), 'running', key);
    await world.operate(async ({ tenants }) => tenants.update(tenant, { plan: 'free' }));
    await until(id, 'completed', key);
    assert.equal(at((await send(`/v1/jobs/${id}`, { key })).body, 'usage.credits'), 2);
  });
});

test('an expired result is deleted, and the job has the status expired', async () => {
  const id = await reach('completed');
  writeFileSync(clock, LONG_AFTER);
  await until(id, 'expired');
  const { body } = await send(`/v1/jobs/${id}`);
  assert.deepEqual([at(body, 'status'), at(body, 'input'), at(body, 'result')], ['expired', null, undefined]);
  for (const query of ['', '?partial=true']) {
    const { status, code } = await send(`/v1/jobs/${id}/result${query}`);
    assert.deepEqual([status, code], [410, 'result_expired']);
  }
  const listed = await send('/v1/jobs?status=expired&limit=1000');
  assert.match(JSON.stringify(listed.body), new RegExp(id));
  const events = await send(`/v1/jobs/${id}/events`);
  assert.match(String(events.body), /^event: end\nid: \d+\ndata: .*"status":"expired"/);
});
