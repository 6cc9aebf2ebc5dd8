import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import type { Visit } from '#access/page.ts';
import type { ClaimedJob } from '#engine/jobs/lease.ts';
import { StoreUnavailable } from '#store/db.ts';
import { parseStorageUrl } from '../support/bucket.ts';
import { serves, type Site } from '../support/engine/crawl-modes.ts';
import { createMonitorCalls, openShop, runAll } from '../support/engine/monitoring.ts';
import { checkBooks, openJobTools, openWorker, getOperation, runClaimed } from '../support/engine/queue.ts';
import { until } from '../support/fleet.ts';
import { breakable } from '../support/outage.ts';
import { inTemporaryFolder, onEveryStore } from '../support/store.ts';
import { type Gate, buildTestPage, SITE, withGate } from './gate.ts';

const MINUTE = 60_000;
const Segments = z.object({ segments: z.number(), discovered: z.number(), completed: z.number() });

/** A page whose result is too large for a row, even compressed. */
const large: Visit = async ({ url }) =>
  buildTestPage({ url: url.href, text: `<p>${randomBytes(200_000).toString('base64')}</p>` });

/** A results folder that can be unavailable, like a bucket or a volume. */
async function withResults(work: (results: ResultsFolder) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (base) => {
    const folder = join(base, 'results');
    await mkdir(folder);
    await work({
      place: { kind: 'folder', folder },
      async takeAway() {
        await rename(folder, join(base, 'elsewhere'));
        await writeFile(folder, 'no folder');
      },
      async bringBack() {
        await rm(folder);
        await rename(join(base, 'elsewhere'), folder);
      },
    });
  });
}

type ResultsFolder = {
  readonly place: { readonly kind: 'folder'; readonly folder: string };
  readonly takeAway: () => Promise<void>;
  readonly bringBack: () => Promise<void>;
};

async function claimOne(gate: Gate): Promise<ClaimedJob> {
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined, 'a job is due');
  return claimed;
}

/** Runs the next job once, and advances the clock past its next wait. */
async function tryOnce(gate: Gate): Promise<string> {
  const code = await runClaimed(gate, await claimOne(gate));
  gate.clock.pass(2 * MINUTE);
  return code;
}

onEveryStore(
  'a job whose result cannot be stored waits, says why, and loses neither attempts nor time',
  async (store) => {
    await withResults(async ({ place, takeAway, bringBack }) => {
      await withGate({ store, artifacts: place, tierVisits: { http: large } }, async (gate) => {
        const id = await openJobTools(gate).queued({ output: ['html'], timeout_ms: 30_000 });
        const since = new Date(gate.clock.now()).toISOString();
        await takeAway();
        for (const tries of [1, 2, 3, 4, 5, 6, 7]) {
          assert.equal(await tryOnce(gate), 'backend_unavailable');
          const { status, attempt, waiting, error } = await openJobTools(gate).show(id);
          assert.deepEqual([status, attempt, error], ['queued', 0, null]);
          assert.deepEqual([waiting?.for, waiting?.since, waiting?.tries], ['results', since, tries]);
        }
        assert.deepEqual(await gate.queueState.listStoreWaits(), [
          { part: 'results', jobs: 1, longestMs: 14 * MINUTE },
        ]);
        await bringBack();
        assert.equal(await tryOnce(gate), 'ok');
        const { status, attempt, waiting } = await openJobTools(gate).show(id);
        assert.deepEqual([status, attempt, waiting], ['completed', 1, undefined]);
        assert.deepEqual(await gate.queueState.listStoreWaits(), []);
        assert.deepEqual(await gate.spent(), [2, 0]);
        await checkBooks(gate);
      });
    });
  },
);

onEveryStore('a store outage of more than an hour fails a job like any other error', async (store) => {
  await withResults(async ({ place, takeAway }) => {
    await withGate({ store, artifacts: place, tierVisits: { http: large } }, async (gate) => {
      const id = await openJobTools(gate).queued({ output: ['html'] });
      await takeAway();
      await tryOnce(gate);
      gate.clock.pass(60 * MINUTE);
      const attempts: number[] = [];
      for (let status = 'queued'; status === 'queued';) {
        assert.equal(await tryOnce(gate), 'backend_unavailable');
        const job = await openJobTools(gate).show(id);
        attempts.push(job.attempt);
        ({ status } = job);
      }
      assert.deepEqual(attempts, [1, 2, 3, 4, 5]);
      const { status, error, waiting } = await openJobTools(gate).show(id);
      assert.deepEqual([status, error?.code, waiting], ['failed', 'backend_unavailable', undefined]);
      assert.deepEqual(await gate.spent(), [0, 0]);
    });
  });
});

const PAGES = 120;

/** A chain of groups of pages, so large that the pages of one commit do not fit into a row. */
const bulky: Site = (path) => {
  const at = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1]);
  if (Number.isNaN(at)) return null;
  const next = Array.from({ length: 10 }, (_, step) => at + step + 1).filter((n) => n < PAGES);
  return { links: next.map((n) => `/p${n}`), says: randomBytes(20_000).toString('base64') };
};

const ORDER = { kind: 'crawl', input: { url: SITE, delay_ms: 0, max_pages: 1000 } };

async function submitCrawl(gate: Gate): Promise<string> {
  const { answer, error } = await gate.ask(getOperation('jobs.submit'), ORDER);
  if (answer === null) throw error ?? new Error('no answer');
  return String(answer.body['id']);
}

async function assertWhole(gate: Gate, id: string): Promise<void> {
  const { status, attempt, stop_reason: reason, progress } = await openJobTools(gate).show(id);
  assert.deepEqual([status, attempt, reason, progress.completed], ['completed', 1, undefined, PAGES]);
  const { answer } = await openJobTools(gate).result(id);
  assert.deepEqual([answer?.body['complete'], answer?.body['stop_reason']], [true, 'exhausted']);
  assert.deepEqual(await gate.spent(), [PAGES * 2, 0]);
  await checkBooks(gate);
}

onEveryStore('a crawl continues after ten failed attempts to store results, and misses no page', async (store) => {
  await withResults(async ({ place, takeAway, bringBack }) => {
    let visits = 0;
    const site = serves(bulky);
    const http: Visit = async (...asked) => {
      visits += 1;
      if (visits === 60) await takeAway();
      return site(...asked);
    };
    await withGate({ store, artifacts: place, tierVisits: { http } }, async (gate) => {
      const id = await submitCrawl(gate);
      for (let tries = 0; tries < 10; tries += 1) assert.equal(await tryOnce(gate), 'backend_unavailable');
      const { status, waiting } = await openJobTools(gate).show(id);
      assert.deepEqual([status, waiting?.for], ['queued', 'results']);
      await bringBack();
      assert.equal(await tryOnce(gate), 'ok');
      await assertWhole(gate, id);
    });
  });
});

onEveryStore('a crawl keeps its lease and continues by itself after a database outage', async (store) => {
  await breakable(store, async (outage, through) => {
    let visits = 0;
    const site = serves(bulky);
    const http: Visit = async (...asked) => {
      visits += 1;
      if (visits === 60) await outage.begin();
      return site(...asked);
    };
    await withGate({ store, through, tierVisits: { http } }, async (gate) => {
      const id = await submitCrawl(gate);
      const worker = openWorker(gate);
      await until('the end of the attempt is owed', async () => worker.counts().owed === 1);
      // Longer than any lease: no worker may take over the job as if its worker were dead.
      gate.clock.pass(2 * MINUTE);
      await outage.end();
      await until('the end of the attempt is written', async () => worker.counts().owed === 0);
      gate.clock.pass(2 * MINUTE);
      await until('the crawl has ended', async () => (await openJobTools(gate).show(id)).status === 'completed');
      await worker.drain();
      await assertWhole(gate, id);
    });
  });
});

test('a crawl continues when its full database has space again', async () => {
  const opened = Promise.withResolvers<Gate>();
  const hasBegun = Promise.withResolvers<void>();
  const setPages = async (most: number): Promise<void> =>
    void (await (await opened.promise).db.query(`pragma max_page_count = ${most}`));
  let visits = 0;
  const site = serves(bulky);
  const http: Visit = async (...asked) => {
    visits += 1;
    if (visits === 60) await setPages(1).then(hasBegun.resolve);
    return site(...asked);
  };
  await withGate({ tierVisits: { http }, artifacts: { kind: 'rows' } }, async (gate) => {
    opened.resolve(gate);
    const id = await submitCrawl(gate);
    const worker = openWorker(gate);
    await hasBegun.promise;
    const waits = async (): Promise<boolean> =>
      worker.counts().owed === 1 || (await openJobTools(gate).show(id)).waiting?.for === 'database';
    await until('the crawl waits', waits);
    for (let tries = 0; tries < 8; tries += 1) {
      gate.clock.pass(2 * MINUTE);
      gate.queue.notifications.notifyHere('queue');
      await until('the crawl waits again', waits);
    }
    await setPages(1_000_000);
    await until('the crawl has ended', async () => {
      gate.clock.pass(2 * MINUTE);
      return (await openJobTools(gate).show(id)).status === 'completed';
    });
    await worker.drain();
    await assertWhole(gate, id);
  });
});

onEveryStore(
  'a worker that stops during a database outage requeues its jobs when the database is back',
  async (store) => {
    await breakable(store, async (outage, through) => {
      const http: Visit = async ({ url }) => {
        await outage.begin();
        return buildTestPage({ url: url.href });
      };
      await withGate({ store, through, tierVisits: { http } }, async (gate) => {
        const id = await openJobTools(gate).queued();
        const worker = openWorker(gate);
        await until('the end of the attempt is owed', async () => worker.counts().owed === 1);
        await outage.end();
        await worker.drain();
        const { status, attempt, waiting } = await openJobTools(gate).show(id);
        assert.deepEqual([status, attempt, waiting?.for], ['queued', 0, 'database']);
        await checkBooks(gate);
      });
    });
  },
);

onEveryStore(
  'a job that has acted on a page waits for the store in its slot, and records each step once',
  async (store) => {
    await breakable(store, async (outage, through) => {
      await withGate({ store, through }, async (gate) => {
        const id = await openJobTools(gate).queued();
        const lease = gate.queue.leases.buildLease(await claimOne(gate), gate.plan, new AbortController().signal);
        await lease.reportProgress([], { begun: 1, completed: 0, failed: 0 });
        await outage.begin();
        const second = [[{ step: 1 }], { begun: 2, completed: 1, failed: 0 }] as const;
        const noted = lease.reportProgress(...second);
        await assert.rejects(async () => gate.db.query('update jobs set version = version'), StoreUnavailable);
        await outage.end();
        await noted;
        // As after a commit whose confirmation was lost.
        await lease.reportProgress(...second);
        const [row] = await gate.db.query('select segments, discovered, completed from jobs where id = $1', [id]);
        assert.deepEqual(Segments.parse(row), { segments: 1, discovered: 2, completed: 1 });
      });
    });
  },
);

onEveryStore('a monitor run interrupted four times by the store is neither skipped nor failed', async (store) => {
  const { tierVisits } = openShop();
  await breakable(store, async (outage, through) => {
    let left = 4;
    const http: Visit = async (...asked) => {
      left -= 1;
      if (left >= 0) await outage.begin();
      return tierVisits.http(...asked);
    };
    await withGate({ store, through, tierVisits: { http } }, async (gate) => {
      const monitors = createMonitorCalls(gate);
      const id = await monitors.made();
      gate.clock.pass(60 * MINUTE);
      await gate.queue.ticks.tick();
      for (const _ of [1, 2, 3, 4]) {
        const worker = openWorker(gate);
        await until('the end of the attempt is owed', async () => worker.counts().owed === 1);
        await outage.end();
        await worker.drain();
        gate.clock.pass(2 * MINUTE);
      }
      await runAll(gate);
      const runs = await monitors.runs(id);
      assert.deepEqual(
        runs.map(({ status, attempt }) => [status, attempt]),
        [['completed', 1]],
      );
    });
  });
});

test('a bucket that returns 500, rejects the key or is missing makes jobs wait without counting attempts', async () => {
  let status = 500;
  const bucket = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end('<Error><Code>AccessDenied</Code></Error>'));
  }).listen(0, '127.0.0.1');
  await once(bucket, 'listening');
  const address = bucket.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const place = parseStorageUrl(`s3://key:secret@results?endpoint=http://127.0.0.1:${port}`);
  await withGate({ artifacts: place, tierVisits: { http: large } }, async (gate) => {
    const id = await openJobTools(gate).queued({ output: ['html'] });
    for (const next of [403, 0, 0]) {
      assert.equal(await tryOnce(gate), 'backend_unavailable');
      status = next;
      if (next === 0) {
        bucket.closeAllConnections();
        bucket.close();
      }
    }
    const { status: state, attempt, waiting } = await openJobTools(gate).show(id);
    assert.deepEqual([state, attempt, waiting?.for, waiting?.tries], ['queued', 0, 'results', 3]);
  });
});
