import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Visit } from '#access/page.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, SITE, withGate } from './gate.ts';
import { openJobTools, openWorker, getOperation } from '../support/engine/queue.ts';
import { serves } from '../support/engine/crawl-modes.ts';

/** A site whose seed responds only when it is released. */
function holdsStart() {
  const gone = Promise.withResolvers<void>();
  const came: (() => void)[] = [];
  const site = serves((path) => (path === '/robots.txt' ? null : { links: [] }));
  let starts = 0;
  const visit: Visit = async (request, signal) => {
    if (request.url.pathname === '/') {
      starts += 1;
      for (const look of came) look();
      await Promise.race([gone.promise, once(signal, 'abort')]);
      signal.throwIfAborted();
    }
    return site(request, signal);
  };
  return {
    visit,
    letGo: gone.resolve,
    async untilStarts(count: number): Promise<void> {
      await new Promise<void>((resolve) => {
        const look = (): void => (starts >= count ? resolve() : undefined);
        came.push(look);
        look();
      });
    },
  };
}

async function submit(gate: Gate, kind: string, input: object, as = gate.tenant): Promise<string> {
  const { answer, error } = await gate.ask(getOperation('jobs.submit'), { kind, input }, { as });
  if (answer === null) throw error ?? new Error('no answer');
  return String(answer.body['id']);
}

async function ended(gate: Gate, id: string, as = gate.tenant): Promise<string> {
  const { signal } = new AbortController();
  return (await gate.queue.jobs.waitForEnd(as, id, { ms: 30_000, signal })).record.status;
}

const CRAWL = { url: SITE, delay_ms: 0 };

onEveryStore('crawls that only wait for their hosts do not block other jobs', async (store) => {
  const held = holdsStart();
  await withGate({ store, tierVisits: { http: held.visit } }, async (gate) => {
    const crawls = [
      await submit(gate, 'crawl', CRAWL),
      await submit(gate, 'map', CRAWL),
      await submit(gate, 'crawl', CRAWL),
      await submit(gate, 'map', CRAWL),
    ];
    const worker = openWorker(gate, 'w1', 3);
    for (const path of ['one', 'two', 'three']) {
      const id = await submit(gate, 'fetch', { url: `${SITE}${path}` });
      assert.equal(await ended(gate, id), 'completed');
    }
    await held.untilStarts(crawls.length);
    held.letGo();
    for (const id of crawls) assert.equal(await ended(gate, id), 'completed');
    await worker.drain();
  });
});

onEveryStore('crawls of slow links of two tenants do not block the crawl of a third', async (store) => {
  const held = holdsStart();
  await withGate({ store, tierVisits: { http: held.visit } }, async (gate) => {
    const [slow, other] = [gate.tenant, await gate.tenants.create('other', 'starter')];
    const third = await gate.tenants.create('third', 'starter');
    const crawls = [];
    for (const as of [slow, slow, slow, slow, other, other]) crawls.push(await submit(gate, 'crawl', CRAWL, as));
    const worker = openWorker(gate, 'w1', 2);
    await held.untilStarts(1);
    const id = await submit(gate, 'crawl', { ...CRAWL, url: `${SITE}one`, max_pages: 1 }, third);
    assert.equal(await ended(gate, id, third), 'completed');
    const states = await Promise.all(
      crawls.slice(0, 4).map(async (crawl) => (await openJobTools(gate).show(crawl)).status),
    );
    assert.ok(!states.includes('completed'));
    held.letGo();
    await worker.drain();
  });
});

onEveryStore('if crawls of others hold all slots, one of them yields and continues later', async (store) => {
  const held = holdsStart();
  let pass: (() => void) | null = null;
  const http: Visit = async (request, signal) => {
    if (request.url.pathname === '/one') pass?.();
    return held.visit(request, signal);
  };
  await withGate({ store, tierVisits: { http } }, async (gate) => {
    pass = () => gate.clock.pass(1_000);
    const [slow, other] = [gate.tenant, await gate.tenants.create('other', 'starter')];
    const third = await gate.tenants.create('third', 'starter');
    const crawls: [string, string][] = [];
    for (const as of [slow, slow, other]) crawls.push([await submit(gate, 'crawl', CRAWL, as), as]);
    const worker = openWorker(gate, 'w1', 1);
    await held.untilStarts(crawls.length);
    const id = await submit(gate, 'crawl', { ...CRAWL, url: `${SITE}one`, max_pages: 1 }, third);
    assert.equal(await ended(gate, id, third), 'completed');
    held.letGo();
    for (const [crawl, as] of crawls) assert.equal(await ended(gate, crawl, as), 'completed');
    const [paused] = await gate.db.query('select sum(paused_ms) as n from jobs');
    assert.ok(Number(paused?.['n']) >= 1_000, 'the time that it waited is not its own');
    await worker.drain();
  });
});

onEveryStore('the jobs of a tenant stay within the limit of its plan even if they only wait', async (store) => {
  const held = holdsStart();
  const plan = 'free';
  await withGate({ store, plan, tierVisits: { http: held.visit }, limits: { running_jobs: 2 } }, async (gate) => {
    const crawls = [];
    for (let at = 0; at < 4; at += 1) crawls.push(await submit(gate, 'crawl', CRAWL));
    const worker = openWorker(gate, 'w1', 8);
    await held.untilStarts(2);
    const other = await gate.tenants.create('other', plan);
    // When a later job of another tenant has started and ended, the worker has checked the queue again.
    const id = await submit(gate, 'fetch', { url: `${SITE}one` }, other);
    assert.equal(await ended(gate, id, other), 'completed');
    const states = await Promise.all(crawls.map(async (crawl) => (await openJobTools(gate).show(crawl)).status));
    assert.deepEqual(states.toSorted(), ['queued', 'queued', 'running', 'running']);
    held.letGo();
    for (const crawl of crawls) assert.equal(await ended(gate, crawl), 'completed');
    await worker.drain();
  });
});

onEveryStore('a worker with one slot runs crawls in it, and fetches can use all slots', async (store) => {
  const held = holdsStart();
  await withGate({ store, tierVisits: { http: held.visit } }, async (gate) => {
    const fetches = [];
    for (let at = 0; at < 3; at += 1) fetches.push(await submit(gate, 'fetch', { url: SITE }));
    const wide = openWorker(gate, 'w1', 3);
    await held.untilStarts(3);
    held.letGo();
    for (const id of fetches) assert.equal(await ended(gate, id), 'completed');
    await wide.drain();
    const narrow = openWorker(gate, 'w2', 1);
    assert.equal(await ended(gate, await submit(gate, 'crawl', CRAWL)), 'completed');
    await narrow.drain();
  });
});
