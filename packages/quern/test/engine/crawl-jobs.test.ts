import assert from 'node:assert/strict';
import { z } from 'zod';
import { buildFailure } from '#access/failure.ts';
import type { Visit } from '#access/page.ts';
import { buildCrawlRetention } from '#features/crawl/run/crawl-retention.ts';
import { type ClaimedJob, JobStopped } from '#engine/jobs/lease.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, SITE, withGate } from './gate.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import { hangsAt, serves, type Site, takenOver } from '../support/engine/crawl-modes.ts';

const PAGES = 120;
const Part = z.looseObject({ pages: z.array(z.looseObject({ url: z.string() })) });

/** A chain of small groups: each page links to the next ten. */
const long: Site = (path) => {
  const at = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1]);
  if (Number.isNaN(at)) return null;
  const next = Array.from({ length: 10 }, (_, step) => at + step + 1).filter((n) => n < PAGES);
  return { links: next.map((n) => `/p${n}`) };
};

const ORDER = { kind: 'crawl', input: { url: SITE, delay_ms: 0, max_pages: 1000 } };

function listUrls(body: unknown): readonly string[] {
  return Part.parse(body)
    .pages.map(({ url }) => url)
    .toSorted();
}

/** Submits the crawl and claims it. */
async function begin(gate: Gate): Promise<{ readonly id: string; readonly claimed: ClaimedJob }> {
  const submitted = await gate.ask(getOperation('jobs.submit'), ORDER);
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  return { id: String(submitted.answer?.body['id']), claimed };
}

const WHOLE = Array.from({ length: PAGES }, (_, at) => (at === 0 ? SITE : `${SITE}p${at}`)).toSorted();

onEveryStore('a crawl whose seed failed is not retried', async (store) => {
  let visits = 0;
  const http: Visit = async () => {
    visits += 1;
    throw buildFailure('unreachable', 'the target could not be reached: the connection was refused');
  };
  await withGate({ store, tierVisits: { http } }, async (gate) => {
    const { id, claimed } = await begin(gate);
    assert.equal(await runClaimed(gate, claimed), 'target_unreachable');
    const { status, attempt, error } = await openJobTools(gate).show(id);
    // Only robots.txt is requested once more.
    assert.deepEqual([status, attempt, visits], ['failed', 1, 2]);
    assert.match(error?.message ?? '', /the connection was refused$/);
    await checkBooks(gate);
  });
});

onEveryStore(
  'a crawl resumes after its worker dies, stores and charges each page once, and deletes its frontier',
  async (store) => {
    const asked: string[] = [];
    const { visit, death } = hangsAt('/p60', serves(long, asked));
    await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
      const body = await takenOver(gate, { kind: 'crawl', death }, { max_pages: 1000 });
      assert.deepEqual(listUrls(body), WHOLE);
      assert.deepEqual(await gate.spent(), [PAGES * 2, 0]);
      // Pages that were committed before the death are not fetched again, only those that were claimed then.
      assert.ok(asked.length < PAGES * 2, `${asked.length} visits`);
      await checkBooks(gate);
      const left = async (): Promise<number> => {
        const tables = ['crawls', 'crawl_urls', 'crawl_keys', 'crawl_hosts', 'crawl_members'];
        const rows = await Promise.all(tables.map(async (table) => gate.db.query(`select crawl from ${table}`)));
        return rows.flat().length;
      };
      assert.ok((await left()) > PAGES);
      await buildCrawlRetention(gate).tidy();
      assert.equal(await left(), 0);
    });
  },
);

onEveryStore(
  'a crawl is one call in the history, and all of its charges are refunded together, once',
  async (store) => {
    await withGate({ store, tierVisits: { http: serves(long) } }, async (gate) => {
      const { id, claimed } = await begin(gate);
      assert.equal(await runClaimed(gate, claimed), 'ok');
      // The entries of a long crawl may belong to several days.
      const [last] = await gate.db.query("select key from ledger where kind = 'part' order by key desc limit 1");
      await gate.db.query("update ledger set day = '2026-11-20' where key = $1", [String(last?.['key'])]);
      const [moved] = await gate.db.query("select sum(credits) as n from ledger where day = '2026-11-20'");
      const credits = Number(moved?.['n']);
      await gate.db.query('update tenants set day_used = day_used - $1', [credits]);
      await gate.db.query('update ledger_days set credits = credits - $1', [credits]);
      await gate.db.query(
        `insert into ledger_days (tenant_id, day, operation, calls, credits) values ($1, '2026-11-20', 'crawl', 0, $2)`,
        [gate.tenant, credits],
      );
      const span = { tenant: gate.tenant, from: '2026-11-01', to: '2026-11-30', after: null, limit: 10 };
      const [crawls] = await gate.accounts.listSpending({ ...span, by: 'operation' });
      assert.deepEqual([crawls?.operation, crawls?.calls, crawls?.credits], ['crawl', 1, PAGES * 2]);
      assert.equal(await gate.tenants.refund(gate.tenant, id), PAGES * 2);
      assert.deepEqual(await gate.spent(), [0, 0]);
      await assert.rejects(gate.tenants.refund(gate.tenant, id), { code: 'invalid_request' });
      await checkBooks(gate);
    });
  },
);

/** Runs a crawl up to the visit that hangs. */
async function untilHeld(gate: Gate, death: ReturnType<typeof hangsAt>['death']) {
  const { id, claimed } = await begin(gate);
  const stop = new AbortController();
  const running = runClaimed(gate, claimed, stop.signal);
  await death.came;
  return { id, stop, running };
}

onEveryStore('a cancelled crawl keeps and charges its pages, and releases the other credits', async (store) => {
  const { visit, death } = hangsAt('/p60', serves(long));
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const { id, stop, running } = await untilHeld(gate, death);
    await openJobTools(gate).cancel(id);
    stop.abort(new JobStopped('cancelled'));
    death.end();
    await running;
    const record = await openJobTools(gate).show(id);
    assert.equal(record.status, 'cancelled');
    const part = await openJobTools(gate).result(id, { partial: true, limit: 1000 });
    const kept = listUrls(part.answer?.body);
    assert.ok(kept.length > 0 && kept.length < PAGES);
    assert.deepEqual(await gate.spent(), [kept.length * 2, 0]);
    assert.equal(record.usage?.credits, kept.length * 2);
    await checkBooks(gate);
  });
});

onEveryStore('the charges of a crawl can be refunded after it has ended, all at once', async (store) => {
  const { visit, death } = hangsAt('/p60', serves(long));
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const { id, stop, running } = await untilHeld(gate, death);
    await assert.rejects(gate.tenants.refund(gate.tenant, id), /job_\w+ is running; cancel it, or wait for its end/);
    stop.abort(new JobStopped('drained'));
    death.end();
    await running;
    const [used] = await gate.spent();
    assert.ok(used > 0);
    await assert.rejects(gate.tenants.refund(gate.tenant, id), /is queued/);
    const [again] = await gate.queue.leases.claim('w2', 1);
    assert.ok(again !== undefined);
    assert.equal(await runClaimed(gate, again), 'ok');
    assert.equal(await gate.tenants.refund(gate.tenant, id), PAGES * 2);
    assert.deepEqual(await gate.spent(), [0, 0]);
    await checkBooks(gate);
  });
});

onEveryStore('a crawl requeued by a stopping service is resumed by the next one', async (store) => {
  const { visit, death } = hangsAt('/p60', serves(long));
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const { id, stop, running } = await untilHeld(gate, death);
    stop.abort(new JobStopped('drained'));
    death.end();
    await running;
    assert.equal((await openJobTools(gate).show(id)).status, 'queued');
    const [again] = await gate.queue.leases.claim('w2', 1);
    assert.ok(again !== undefined);
    assert.equal(await runClaimed(gate, again), 'ok');
    assert.deepEqual(listUrls((await openJobTools(gate).result(id, { limit: 1000 })).answer?.body), WHOLE);
    assert.deepEqual(await gate.spent(), [PAGES * 2, 0]);
    await checkBooks(gate);
  });
});

onEveryStore('all processes work on a shared crawl, and each page is visited by one', async (store) => {
  const asked: string[] = [];
  const { visit, death } = hangsAt('/p20', serves(long, asked));
  await withGate({ store, tierVisits: { http: visit } }, async (gate) => {
    const { id, claimed } = await begin(gate);
    const owner = runClaimed(gate, claimed);
    await death.came;
    await gate.assist({ ...ORDER, jobId: id });
    death.end();
    assert.equal(await owner, 'ok');
    assert.deepEqual(listUrls((await openJobTools(gate).result(id, { limit: 1000 })).answer?.body), WHOLE);
    assert.deepEqual(await gate.spent(), [PAGES * 2, 0]);
    assert.equal(asked.filter((path) => /^\/p\d+$/.test(path)).length, PAGES - 1);
    await checkBooks(gate);
  });
});
