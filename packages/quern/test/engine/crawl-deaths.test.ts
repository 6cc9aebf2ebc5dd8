import assert from 'node:assert/strict';
import type { Visit } from '#access/page.ts';
import { JobStopped } from '#engine/jobs/lease.ts';
import { onEveryStore } from '../support/store.ts';
import { Crawled, listStoredPaths } from '../support/engine/crawl-result.ts';
import { type Gate, SITE, withGate } from './gate.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import { hangsAt, serves, type Site } from '../support/engine/crawl-modes.ts';

const PAGES = 40;
const DEADLY = '/p25';

/** A chain of small groups: each page links to the next ten. */
const long: Site = (path) => {
  const at = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1]);
  if (Number.isNaN(at)) return null;
  const next = Array.from({ length: 10 }, (_, step) => at + step + 1).filter((n) => n < PAGES);
  return { links: next.map((n) => `/p${n}`) };
};
const ALL = Array.from({ length: PAGES }, (_, at) => (at === 0 ? '/' : `/p${at}`)).toSorted();

async function submit(gate: Gate, kind = 'crawl', more: object = {}): Promise<string> {
  const input = { url: SITE, delay_ms: 0, ...more };
  const { answer, error } = await gate.ask(getOperation('jobs.submit'), { kind, input });
  if (answer === null) throw error ?? new Error('no answer');
  return String(answer.body['id']);
}

async function claim(gate: Gate, worker: string) {
  const [claimed] = await gate.queue.leases.claim(worker, 1);
  assert.ok(claimed !== undefined);
  return claimed;
}

/** Lets the lease of the current owner of the job expire. */
async function letDie(gate: Gate): Promise<void> {
  gate.clock.pass(31_000);
  await gate.queue.leases.recover(null, async () => gate.plan);
  gate.clock.pass(1000);
}

/** A tier whose visits of one page never end, as if the page had killed the process. Reports these and all concurrent visits. */
function killsAt(deadly: string, visit: Visit) {
  const over = Promise.withResolvers<void>();
  let came = Promise.withResolvers<number>();
  let underWay = 0;
  return {
    end: over.resolve,
    /** The next death, with the number of other pages that are being visited. */
    async next(): Promise<number> {
      const others = await came.promise;
      came = Promise.withResolvers<number>();
      return others;
    },
    visit: (async (request, signal) => {
      if (request.url.pathname === deadly) {
        came.resolve(underWay);
        await over.promise;
      }
      underWay += 1;
      try {
        return await visit(request, signal);
      } finally {
        underWay -= 1;
      }
    }) satisfies Visit,
  };
}

onEveryStore('only a page that kills its processes is given up, and the crawl continues', async (store) => {
  const deadly = killsAt(DEADLY, serves(long));
  await withGate({ store, tierVisits: { http: deadly.visit } }, async (gate) => {
    const id = await submit(gate, 'crawl', { max_pages: 1000 });
    const zombies: Promise<string>[] = [];
    const others: number[] = [];
    for (let life = 0; ; life += 1) {
      assert.ok(life < 10, 'the page is never given up');
      const running = runClaimed(gate, await claim(gate, `w${life}`));
      const died = await Promise.race([deadly.next(), running.then(() => null)]);
      if (died === null) break;
      others.push(died);
      zombies.push(running);
      await letDie(gate);
    }
    deadly.end();
    assert.deepEqual(new Set(await Promise.all(zombies)), new Set(['lost']));
    const { status, progress } = await openJobTools(gate).show(id);
    assert.deepEqual([status, progress.completed, progress.failed], ['completed', PAGES - 1, 1]);
    const { answer } = await openJobTools(gate).result(id, { limit: 1000 });
    const crawled = Crawled.parse(answer?.body);
    assert.deepEqual(
      listStoredPaths(crawled),
      ALL.filter((path) => path !== DEADLY),
    );
    assert.deepEqual(
      crawled.errors.map(({ url, code }) => [url, code]),
      [[new URL(DEADLY, SITE).href, 'internal_error']],
    );
    assert.deepEqual([crawled.complete, crawled.stop_reason], [false, 'exhausted']);
    // From its third visit on the page is visited alone, so that no other page is blamed.
    assert.deepEqual([others.length, ...others.slice(2)], [4, 0, 0]);
    assert.deepEqual(await gate.spent(), [(PAGES - 1) * 2, 0]);
    await checkBooks(gate);
  });
});

/** Runs a crawl up to the page that hangs, and lets its worker die; returns the outcome of the dead worker. */
async function dieInTheMiddle(gate: Gate, death: ReturnType<typeof hangsAt>['death'], id: string) {
  const running = runClaimed(gate, await claim(gate, 'w0'));
  await death.came;
  while ((await openJobTools(gate).show(id)).progress.completed === 0) gate.clock.pass(1);
  await letDie(gate);
  return async () => {
    death.end();
    return running;
  };
}

for (const kind of ['crawl', 'map'])
  onEveryStore(`a ${kind} with stored pages completes with them after five deaths, and says why`, async (store) => {
    const { visit, death } = hangsAt(DEADLY, serves(long));
    await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
      const most = kind === 'crawl' ? { max_pages: 1000 } : { max_urls: 1000, max_depth: 100 };
      const id = await submit(gate, kind, most);
      const endOfDead = await dieInTheMiddle(gate, death, id);
      for (let life = 0; (await openJobTools(gate).show(id)).stop_reason === undefined; life += 1) {
        assert.ok(life < 5, 'the job is never ended');
        await claim(gate, `w${life}`);
        await letDie(gate);
      }
      const { progress, error } = await openJobTools(gate).show(id);
      assert.ok(progress.completed > 0);
      assert.equal(await runClaimed(gate, await claim(gate, 'last')), 'ok');
      const record = await openJobTools(gate).show(id);
      assert.deepEqual([record.status, record.stop_reason, error], ['completed', 'interrupted', null]);
      assert.equal(record.progress.completed, progress.completed);
      const { answer } = await openJobTools(gate).result(id, { limit: 1000 });
      const { complete, stop_reason: why, pages, urls } = answer?.body ?? {};
      assert.deepEqual([complete, why], [false, 'interrupted']);
      const list = kind === 'crawl' ? pages : urls;
      assert.equal(await endOfDead(), 'lost');
      assert.ok(Array.isArray(list) && list.length >= progress.completed && list.length < PAGES);
      const credits = kind === 'crawl' ? list.length * 2 : 1 + Math.ceil(list.length / 100);
      assert.deepEqual(await gate.spent(), [credits, 0]);
      assert.equal(record.usage?.credits, credits);
      await checkBooks(gate);
    });
  });

onEveryStore('a crawl with stored pages completes if it cannot be paid when it resumes', async (store) => {
  const { visit, death } = hangsAt(DEADLY, serves(long));
  await withGate({ store, tierVisits: { http: visit }, limits: { credits_per_month: 100 } }, async (gate) => {
    const id = await submit(gate, 'crawl', { max_pages: 1000 });
    const stop = new AbortController();
    const running = runClaimed(gate, await claim(gate, 'w0'), stop.signal);
    await death.came;
    stop.abort(new JobStopped('drained'));
    death.end();
    await running;
    while ((await gate.fetch()).code === 'ok');
    assert.equal(await runClaimed(gate, await claim(gate, 'w1')), 'credits_exhausted');
    assert.equal(await runClaimed(gate, await claim(gate, 'w2')), 'ok');
    const { status, stop_reason: why, progress, usage } = await openJobTools(gate).show(id);
    assert.deepEqual([status, why, usage?.credits], ['completed', 'credits_exhausted', progress.completed * 2]);
    assert.ok(progress.completed > 0);
    assert.deepEqual(await gate.spent(), [100, 0]);
    await checkBooks(gate);
  });
});

onEveryStore('a crawl that stored no page says so in its progress', async (store) => {
  await withGate({ store, tierVisits: { http: serves(() => null) } }, async (gate) => {
    const id = await submit(gate);
    assert.equal(await runClaimed(gate, await claim(gate, 'w0')), 'ok');
    const { status, progress } = await openJobTools(gate).show(id);
    assert.deepEqual([status, progress], ['completed', { discovered: 1, completed: 0, failed: 1, pending: 0 }]);
    await checkBooks(gate);
  });
});
