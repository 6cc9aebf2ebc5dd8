import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { z } from 'zod';
import type { Artifact, Visit } from '#access/page.ts';
import { showArtifact } from '#features/jobs/operations.ts';
import { StoreUnavailable } from '#store/db.ts';
import { at, textAt } from '../support/members.ts';
import { inTemporaryFolder } from '../support/store.ts';
import { oneMinute } from '../support/minute.ts';
import { brings, buildTestPage, type Gate, type GateOptions, SITE, withGate } from './gate.ts';
import { checkBooks, getOperation, openJobTools, runClaimed } from '../support/engine/queue.ts';

const DAY_MS = 24 * 3600 * 1000;
const GOES_ON = new AbortController().signal;
const SHOT: Artifact = {
  kind: 'screenshot',
  contentType: 'image/png',
  bytes: new TextEncoder().encode('picture'),
  size: { width: 4, height: 3 },
};
const PDF: Artifact = {
  kind: 'pdf',
  contentType: 'application/pdf',
  bytes: new TextEncoder().encode('paper'),
  size: null,
};
const RUNGS = { http: brings(), browser: brings({ artifacts: [SHOT, PDF] }) };
const FILES = { output: ['screenshot', 'pdf'] };

async function listObjects({ objects, space }: Gate): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const some of objects?.list(`${space}/files`) ?? []) keys.push(...some);
  return keys;
}

async function readAs(gate: Gate, id: string, as = gate.tenant) {
  const { code, answer } = await gate.ask(showArtifact, { id }, { as });
  const stream = answer?.stream ?? null;
  const bytes = stream === null ? null : await buffer(stream.pieces);
  return { code, type: stream?.type, text: bytes?.toString() ?? null, headers: answer?.headers ?? {} };
}

/** With files and with rows, on both stores. */
const PLACES: readonly Pick<GateOptions, 'store' | 'artifacts'>[] = [
  {},
  { artifacts: { kind: 'rows' } },
  { store: 'postgres' },
  { store: 'postgres', artifacts: { kind: 'rows' } },
];

test('screenshots and PDFs are members of the answer, and only the same tenant can read their bytes', async () => {
  for (const place of PLACES) {
    await withGate({ ...place, tierVisits: RUNGS }, async (gate) => {
      const { answer } = await gate.fetch(FILES);
      const body = answer?.body ?? {};
      const id = textAt(body, 'screenshot.id');
      assert.match(id, /^art_[0-9a-z]{26}$/);
      assert.deepEqual(at(body, 'screenshot'), {
        id,
        url: `/v1/artifacts/${id}`,
        content_type: 'image/png',
        bytes: 7,
        width: 4,
        height: 3,
        expires_at: '2026-11-28T12:00:00.000Z',
      });
      assert.deepEqual(await readAs(gate, id), {
        code: 'ok',
        type: 'image/png',
        text: 'picture',
        headers: { 'content-disposition': `attachment; filename="${id}.png"`, 'content-length': '7' },
      });
      assert.equal((await readAs(gate, textAt(body, 'pdf.id'))).text, 'paper');
      const stranger = await gate.tenants.create('other', 'starter');
      assert.equal((await readAs(gate, id, stranger)).code, 'not_found');
      assert.equal((await readAs(gate, 'art_1')).code, 'not_found');
    });
  }
});

test('an artifact expires, its bytes are deleted, and its row is deleted later', async (t) => {
  for (const place of PLACES.slice(0, 2)) {
    await withGate({ ...place, tierVisits: RUNGS }, async (gate) => {
      const { answer } = await gate.fetch(FILES);
      const id = textAt(answer?.body ?? {}, 'screenshot.id');
      gate.clock.pass(7 * DAY_MS - 1);
      await gate.artifacts.tidy();
      assert.equal((await readAs(gate, id)).code, 'ok');
      gate.clock.pass(1);
      assert.equal((await readAs(gate, id)).code, 'result_expired');
      await inTemporaryFolder(async (dataDir) => {
        assert.deepEqual(await oneMinute(t, gate, { dataDir, quota: { bytes: 1000 } }), []);
      });
      assert.deepEqual(await listObjects(gate), []);
      assert.deepEqual(await gate.db.query('select id from artifacts where packed is not null'), []);
      assert.equal((await readAs(gate, id)).code, 'result_expired');
      gate.clock.pass(91 * DAY_MS);
      await gate.artifacts.tidy();
      assert.equal((await readAs(gate, id)).code, 'not_found');
    });
  }
});

test('a call that fails after storing files leaves no files and charges nothing', async () => {
  await withGate({ tierVisits: RUNGS, limits: { concurrent_requests: 1 } }, async (gate) => {
    const gone = new AbortController();
    const keeping = gate.artifacts.begin({ tenant: gate.tenant, plan: gate.plan, jobId: null });
    await keeping.store(SHOT);
    assert.equal((await listObjects(gate)).length, 1);
    await keeping.discard(new StoreUnavailable());
    assert.equal((await listObjects(gate)).length, 1);
    await keeping.discard(new Error('failed'));
    assert.deepEqual(await listObjects(gate), []);
    gone.abort();
    assert.notEqual((await gate.fetch(FILES, { signal: gone.signal })).code, 'ok');
    assert.deepEqual(await listObjects(gate), []);
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

test('an object without a row is deleted once no running call can refer to it', async () => {
  await withGate({ tierVisits: RUNGS }, async (gate) => {
    await gate.fetch(FILES);
    await gate.artifacts.begin({ tenant: gate.tenant, plan: gate.plan, jobId: null }).store(PDF);
    await gate.results.sweep(GOES_ON);
    await gate.artifacts.sweep(GOES_ON);
    assert.equal((await listObjects(gate)).length, 3);
    gate.clock.pass(2 * DAY_MS);
    await gate.artifacts.sweep(GOES_ON);
    assert.equal((await listObjects(gate)).length, 2);
    assert.equal(await gate.diskUsage.measureBytes(), 12);
  });
});

test('deleting a job deletes its artifacts immediately', async () => {
  await withGate({ tierVisits: RUNGS }, async (gate) => {
    const jobs = openJobTools(gate);
    const id = await jobs.queued(FILES);
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed !== undefined);
    assert.equal(await runClaimed(gate, claimed), 'ok');
    const { answer } = await jobs.result(id);
    const shot = textAt(answer?.body ?? {}, 'screenshot.id');
    assert.equal((await readAs(gate, shot)).code, 'ok');
    await jobs.cancel(id);
    assert.equal((await readAs(gate, shot)).code, 'result_expired');
    await checkBooks(gate);
  });
});

test('artifacts reduce the space available to the cache', async (t) => {
  await withGate({ tierVisits: RUNGS }, async (gate) => {
    await gate.fetch({ url: 'https://mill.example/kept' });
    const cached = await gate.pageCache.measureBytes();
    assert.ok(cached > 0);
    await inTemporaryFolder(async (dataDir) => {
      await oneMinute(t, gate, { dataDir, quota: { bytes: cached + 11 } });
      assert.equal(await gate.pageCache.measureBytes(), cached);
      await gate.fetch(FILES);
      await oneMinute(t, gate, { dataDir, quota: { bytes: cached + 11 } });
      assert.equal(await gate.pageCache.measureBytes(), 0);
    });
  });
});

const Results = z.looseObject({
  results: z.array(z.looseObject({ url: z.string(), screenshot: z.looseObject({ id: z.string() }).nullish() })),
});
const BATCH = { urls: ['a', 'b', 'c'].map((path) => SITE + path), output: ['screenshot'], delay_ms: 0 };

/** Submits a batch, runs it and returns its results. */
async function runBatchJob(gate: Gate) {
  const { answer } = await gate.ask(getOperation('jobs.submit'), { kind: 'fetch.batch', input: BATCH });
  const id = textAt(answer?.body, 'id');
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  const code = await runClaimed(gate, claimed);
  const result = await openJobTools(gate).result(id);
  return { id, code, results: Results.safeParse(result.answer?.body).data?.results ?? [] };
}

test('each page of a batch has its own screenshot, which is deleted with the job', async () => {
  for (const place of PLACES) {
    await withGate({ ...place, tierVisits: RUNGS }, async (gate) => {
      const { id, code, results } = await runBatchJob(gate);
      assert.equal(code, 'ok');
      const shots = results.map(({ screenshot }) => screenshot?.id ?? '');
      assert.equal(new Set(shots).size, 3);
      for (const shot of shots) assert.equal((await readAs(gate, shot)).text, 'picture');
      const stranger = await gate.tenants.create('other', 'starter');
      assert.equal((await readAs(gate, shots[0] ?? '', stranger)).code, 'not_found');
      assert.deepEqual(await gate.spent(), [6, 0]);
      await openJobTools(gate).cancel(id);
      for (const shot of shots) assert.equal((await readAs(gate, shot)).code, 'result_expired');
      await checkBooks(gate);
    });
  }
});

/** A browser that makes no screenshot of the page /b. */
const takesMostShots: Visit = async ({ url }) =>
  buildTestPage({ url: url.href, text: `<p>${url.href}`, artifacts: url.pathname === '/b' ? [] : [SHOT] });

test('screenshots of an inline batch and of a crawl can be read, and a page without one has null', async () => {
  await withGate({ tierVisits: { http: brings(), browser: takesMostShots } }, async (gate) => {
    const { answer } = await gate.ask(getOperation('fetch.batch'), BATCH);
    const { results } = Results.parse(answer?.body);
    const without = results.filter(({ screenshot }) => screenshot === null);
    assert.deepEqual([results.length, without.map(({ url }) => url)], [3, [`${SITE}b`]]);
    for (const { screenshot } of results)
      if (screenshot) assert.equal((await readAs(gate, screenshot.id)).text, 'picture');
    const { answer: crawled } = await gate.ask(getOperation('crawl'), {
      ...BATCH,
      screenshot: { full_page: true },
      respect_robots: false,
    });
    const shot = textAt(crawled?.body, 'pages.0.screenshot.id');
    assert.equal((await readAs(gate, shot)).text, 'picture');
    const { error } = await gate.ask(getOperation('crawl'), { url: SITE, screenshot: {} });
    assert.match(String(error?.message), /^screenshot: add screenshot to output to use it$/);
  });
});

test('a duplicate in a crawl leaves no screenshot', async () => {
  await withGate({ tierVisits: RUNGS }, async (gate) => {
    const { answer } = await gate.ask(getOperation('jobs.submit'), {
      kind: 'crawl',
      input: { ...BATCH, respect_robots: false },
    });
    const [claimed] = await gate.queue.leases.claim('w1', 1);
    assert.ok(claimed !== undefined);
    assert.equal(await runClaimed(gate, claimed), 'ok');
    const { answer: result } = await openJobTools(gate).result(textAt(answer?.body, 'id'));
    assert.equal(at(result?.body, 'stats.fetched'), 1);
    assert.equal((await listObjects(gate)).length, 1);
    assert.equal((await gate.db.query('select id from artifacts')).length, 1);
  });
});
