import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openObserver } from '#compose/observer.ts';
import { fetchPage } from '#features/fetch/operation.ts';
import { findUrlHost, type ServiceEvent } from '#kernel/events.ts';
import { Tally } from '#kernel/metric.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { withSending } from '../support/engine/deliveries.ts';
import { openJobTools, openWorker } from '../support/engine/queue.ts';
import { onEveryStore } from '../support/store.ts';
import { brings, type Gate, type GateOptions, isBlocked, SITE, timesOut, withGate } from './gate.ts';

type EventOf<T extends ServiceEvent['type']> = Extract<ServiceEvent, { readonly type: T }>;

function listEvents<T extends ServiceEvent['type']>(gate: Pick<Gate, 'events'>, type: T): readonly EventOf<T>[] {
  return gate.events.filter((event): event is EventOf<T> => event.type === type);
}

function onGate(title: string, options: GateOptions, work: (gate: Gate) => Promise<void>): void {
  onEveryStore(title, async (store) => withGate({ store, ...options }, work));
}

/** The event of the first attempt that ends. */
async function jobEvent(gate: Gate): Promise<EventOf<'job'>> {
  for (;;) {
    const [event] = listEvents(gate, 'job');
    if (event !== undefined) return event;
    await gate.queue.notifications.next('nothing', 10, new AbortController().signal);
  }
}

onGate('a completed job is logged with its host, tenant and wait', { tierVisits: { http: brings() } }, async (gate) => {
  const id = await openJobTools(gate).queued({ url: `${SITE}path?token=hunter2` });
  gate.clock.pass(3000);
  const worker = openWorker(gate);
  const event = await jobEvent(gate);
  await worker.drain();
  const { operation, outcome, code, host, tenant, attempt, owner } = event;
  assert.deepEqual([event.id, operation, outcome, code], [id, 'fetch', 'completed', null]);
  assert.deepEqual([host, tenant, attempt, owner], ['mill.example', gate.tenant, 1, null]);
  assert.ok(event.waitedMs >= 3000);
  assert.deepEqual(listEvents(gate, 'charge'), [{ type: 'charge', operation: 'fetch', credits: 2 }]);
  assert.ok(!JSON.stringify(gate.events).includes('hunter2'));
});

onGate('a job that fails finally is logged with its code', { tierVisits: { http: isBlocked } }, async (gate) => {
  await openJobTools(gate).queued({ proxy: 'basic' });
  const worker = openWorker(gate);
  const { outcome, code } = await jobEvent(gate);
  await worker.drain();
  assert.deepEqual([outcome, code], ['failed', 'target_blocked']);
  const [block] = listEvents(gate, 'attempt');
  assert.deepEqual(
    [block?.host, block?.tier, block?.outcome, block?.isBlock],
    ['mill.example', 'http', 'blocked', true],
  );
  assert.deepEqual(listEvents(gate, 'charge'), []);
});

const isAway = async () => {
  throw new Error('a bug');
};

onGate('a retry of a job is logged', { tierVisits: { http: isAway } }, async (gate) => {
  await openJobTools(gate).queued();
  const worker = openWorker(gate);
  const { outcome, code } = await jobEvent(gate);
  await worker.drain();
  assert.deepEqual([outcome, code], ['again', 'internal_error']);
});

onGate('the cancellation of a running job is logged', { tierVisits: { http: timesOut } }, async (gate) => {
  const id = await openJobTools(gate).queued();
  const worker = openWorker(gate);
  while ((await openJobTools(gate).show(id)).status !== 'running')
    await gate.queue.notifications.next('nothing', 10, new AbortController().signal);
  await openJobTools(gate).cancel(id);
  const { outcome } = await jobEvent(gate);
  await worker.drain();
  assert.equal(outcome, 'cancelled');
});

onGate('a job whose worker died is logged by the worker that takes it over', {}, async (gate) => {
  const id = await openJobTools(gate).queued();
  const { leases } = gate.queue;
  for (const outcome of ['again', 'again', 'again', 'again', 'failed'] as const) {
    const [claimed] = await leases.claim('w1', 1);
    assert.equal(claimed?.row.id, id);
    gate.clock.pass(31_000);
    await leases.recover(null, async () => gate.plan);
    const event = listEvents(gate, 'job').at(-1);
    assert.deepEqual([event?.id, event?.outcome, event?.reason], [id, outcome, 'worker_died']);
  }
});

onGate(
  'a cached page counts as a hit, a fetched one as a miss, and a call without the cache as neither',
  { tierVisits: { http: brings() } },
  async (gate) => {
    for (const max_age_ms of [0, 60_000, 60_000]) await gate.ask(fetchPage, { url: SITE, max_age_ms });
    const results = listEvents(gate, 'cache').map(({ result }) => result);
    assert.deepEqual(results, ['hit', 'hit']);
    await gate.ask(fetchPage, { url: `${SITE}other`, max_age_ms: 60_000 });
    assert.equal(listEvents(gate, 'cache').at(-1)?.result, 'miss');
    assert.deepEqual(
      listEvents(gate, 'charge').map(({ credits }) => credits),
      [2, 1, 1, 2],
    );
  },
);

onEveryStore('each delivery attempt is logged with its host, but never with the query of its URL', async (store) => {
  let status = 500;
  await using site = await startHttpServer((_request, response) => {
    response.statusCode = status;
    response.end();
  });
  await withSending(store, {}, async (sending) => {
    sending.start();
    await sending.hook('mon_1', { url: `${site.origin}/in?key=hunter2` });
    const failed = await sending.enqueue('mon_1');
    await sending.until(failed, ({ attempts }) => attempts.length === 1);
    status = 200;
    const id = await sending.enqueue('mon_1');
    await sending.until(id, (record) => record.status === 'succeeded');
    const host = new URL(site.origin).host;
    assert.deepEqual(
      sending.events.map(
        (event) => event.type === 'delivery' && [event.id, event.owner, event.host, event.outcome, event.status],
      ),
      [
        [failed, 'mon_1', host, 'pending', 500],
        [id, 'mon_1', host, 'succeeded', 200],
      ],
    );
    assert.ok(!JSON.stringify(sending.events).includes('hunter2'));
  });
});

test('jobs, runs, deliveries and blocks log one line each; other attempts and pages log at debug level', () => {
  const lines: unknown[] = [];
  const note = (level: string) => (facts: unknown, text: unknown) => void lines.push([level, facts, text]);
  const { observe } = openObserver({ info: note('info'), debug: note('debug') });
  const attempt = {
    type: 'attempt',
    call: 'req_1',
    tenant: 'ten_1',
    host: 'a.example',
    tier: 'http',
    reason: null,
    status: 200,
    durationMs: 5,
    bytes: 9,
  } as const;
  observe({ ...attempt, outcome: 'ok', isBlock: false });
  observe({ ...attempt, outcome: 'blocked', isBlock: true });
  observe({ type: 'run', id: 'run_1', monitor: 'mon_1', tenant: 'ten_1', status: 'failed', code: 'timeout' });
  observe({ type: 'pages', call: 'job:job_1', tenant: 'ten_1', operation: 'crawl', fates: { stored: 3 } });
  const delivery = { id: 'dlv_1', owner: 'mon_1', sent: 'monitor.digest', host: 'hooks.example', status: 500 } as const;
  const more = { outcome: 'pending', reason: 'status', attempt: 1 } as const;
  observe({ type: 'delivery', ...delivery, ...more, durationMs: 7 });
  observe({ type: 'cache', result: 'hit' });
  observe({ type: 'charge', operation: 'fetch', credits: 2 });
  const facts = {
    call: 'req_1',
    tenant: 'ten_1',
    host: 'a.example',
    tier: 'http',
    reason: null,
    status: 200,
    duration_ms: 5,
    bytes: 9,
  };
  assert.deepEqual(lines, [
    ['debug', { event: 'attempt', ...facts, outcome: 'ok', is_block: false }, 'a page was asked for'],
    ['info', { event: 'block', ...facts, outcome: 'blocked', is_block: true }, 'blocked'],
    [
      'info',
      { event: 'run', id: 'run_1', monitor: 'mon_1', tenant: 'ten_1', status: 'failed', code: 'timeout' },
      'a run of a monitor ended',
    ],
    [
      'debug',
      { event: 'pages', call: 'job:job_1', tenant: 'ten_1', operation: 'crawl', fates: { stored: 3 } },
      'pages of a crawl were committed',
    ],
    ['info', { event: 'delivery', ...delivery, ...more, duration_ms: 7 }, 'a delivery was attempted'],
  ]);
});

test('logs contain the host without user, path and query, and nothing of an invalid URL', () => {
  assert.equal(findUrlHost('https://user:pw@shop.example:8443/a?key=1#x'), 'shop.example:8443');
  for (const text of ['shop.example', '', 'data:text/html,x', 7, null, undefined, {}])
    assert.equal(findUrlHost(text), null);
});

test('a counter with too many distinct labels counts the rest together', () => {
  const tally = new Tally();
  for (let at = 0; at < 2500; at += 1) tally.add([`kind-${at}`, 'done']);
  tally.add(['kind-1', 'done'], 4);
  const samples = tally.samples();
  assert.equal(samples.length, 2001);
  assert.deepEqual(
    samples.find(([[kind]]) => kind === 'kind-1'),
    [['kind-1', 'done'], 5],
  );
  assert.deepEqual(samples.at(-1), [['other', 'other'], 500]);
});
