import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import type { Visit } from '#access/page.ts';
import type { RunningLoop } from '#engine/call/feature.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { type Db, type Queryable, StoreUnavailable } from '#store/db.ts';
import { openJobTools, getOperation, runClaimed } from '#support/engine/queue.ts';
import { until } from '#support/fleet.ts';
import { createMonitorCalls, pass, runAll } from '#support/engine/monitoring.ts';
import { inTemporaryFolder, onEveryStore } from '#support/store.ts';
import { type Gate, type GateOptions, buildTestPage, withGate } from '../engine/gate.ts';
import { readPageWithTree } from '#extract/read-page.ts';
import { type IndexBuilderParts, IndexBuilder } from '#features/search/index/index-builder.ts';
import { type ProgressStep, type PreparedBatch, SearchIndex } from '#features/search/index/search-index.ts';
import { openSqliteIndex } from '#features/search/index/sqlite-index.ts';
import { ANY_TIME, findUrls, indexBeside, searchWith } from './search-index.ts';

const Found = z.looseObject({
  meta_data: z.looseObject({ engines: z.array(z.looseObject({ name: z.string(), status: z.string() })) }),
  organic_results: z.array(
    z.looseObject({ url: z.string(), title: z.string(), description: z.string(), position: z.int() }),
  ),
});

const TEXTS: Readonly<Record<string, string>> = {
  '/': '<title>The mill</title><h1>The mill</h1><p>It stands by the river since 1780.</p><a href="/rye">Rye</a> <a href="/oats">Oats</a>',
  '/rye': '<title>Rye</title><h1>Rye</h1><p>Rye is ground between two stones into dark flour for bread.</p>',
  '/beans': '<title>Beans</title><h1>Beans</h1><p>Beans are split between the same stones, set wider.</p>',
  '/oats': '<title>Oats</title><h1>Oats</h1><p>Oats are hulled first, then rolled or cut for porridge.</p>',
};

const site: Visit = async ({ url }) => {
  const text = TEXTS[url.pathname];
  if (url.pathname === '/stock')
    return buildTestPage({ url: url.href, contentType: 'application/json', text: '{"rye":"dark flour"}' });
  return buildTestPage({ url: url.href, ...(text === undefined ? { status: 404, text: 'none' } : { text }) });
};

/** Markdown needs no parser. */
const NOT_READ = async (): Promise<never> => assert.fail('nothing is parsed');

/** Runs work while the loops of the search feature run, as in a process with a worker. */
async function whileBuilding(gate: Gate, work: () => Promise<void>): Promise<void> {
  const ofSearch = gate.features.filter(({ operations }) =>
    operations.some(({ operation }) => operation.id === 'fast-search'),
  );
  const loops = ofSearch.flatMap(({ loops: own = [] }) => own);
  const running: RunningLoop[] = loops.map((loop) => loop.start({ id: 'here', isAlone: true }));
  await work().finally(async () => Promise.all(running.map(async (one) => one.close())));
}

/** A gate with the site, with the index on and its loops running. */
async function withSearch(options: GateOptions, work: (gate: Gate) => Promise<void>): Promise<void> {
  await withGate({ tierVisits: { http: site }, search: searchWith(), ...options }, async (gate) =>
    whileBuilding(gate, async () => work(gate)),
  );
}

async function search(gate: Gate, words: string): Promise<z.output<typeof Found>> {
  const { answer, error } = await gate.ask(getOperation('fast-search'), { search: words });
  if (answer === null) throw error ?? new Error('no answer');
  return Found.parse(answer.body);
}

async function untilFound(gate: Gate, words: string, urls: readonly string[]): Promise<void> {
  let found: readonly string[] = [];
  await until(`${words} finds ${urls.join(' ')}`, async () => {
    found = (await search(gate, words)).organic_results.map(({ url }) => new URL(url).pathname);
    return JSON.stringify(found) === JSON.stringify(urls);
  });
}

async function crawl(gate: Gate, output: readonly string[]): Promise<string> {
  const input = { url: 'https://mill.example/', output, respect_robots: false };
  const { answer, error } = await gate.ask(getOperation('jobs.submit'), { kind: 'crawl', input });
  if (answer === null) throw error ?? new Error('no answer');
  const [claimed] = await gate.queue.leases.claim('w', 1);
  assert.ok(claimed !== undefined);
  await runClaimed(gate, claimed);
  return String(answer.body['id']);
}

onEveryStore('pages of a crawl are found after its end, until its result is deleted', async (store) => {
  await withSearch({ store }, async (gate) => {
    await crawl(gate, ['markdown']);
    await untilFound(gate, 'porridge', ['/oats']);
    const { organic_results: results, meta_data: meta } = await search(gate, 'dark flour');
    assert.equal(results[0]?.title, 'Rye');
    assert.match(results[0]?.description ?? '', /between two stones into dark flour/);
    assert.deepEqual(
      meta.engines.map(({ name, status }) => [name, status]),
      [['index', 'ok']],
    );
    gate.clock.set('2027-11-21T12:00:00Z');
    assert.deepEqual((await search(gate, 'porridge')).organic_results, []);
    const tidy = gate.rounds.find(({ name }) => name === 'search_index');
    for (const { run } of gate.rounds) await run(AbortSignal.timeout(60_000));
    assert.ok(tidy !== undefined);
  });
});

function listPages(...paths: readonly string[]) {
  return { urls: paths.map((path) => `https://mill.example${path}`), output: ['markdown'] };
}

onEveryStore('pages of a batch are found, those of a job and those of a call', async (store) => {
  await withSearch({ store }, async (gate) => {
    const { answer, error } = await gate.ask(getOperation('jobs.submit'), {
      kind: 'fetch.batch',
      input: listPages('/rye', '/nothing'),
    });
    if (answer === null) throw error ?? new Error('no answer');
    const [claimed] = await gate.queue.leases.claim('w', 1);
    assert.ok(claimed !== undefined);
    await runClaimed(gate, claimed);
    await untilFound(gate, 'dark flour', ['/rye']);
    await gate.ask(getOperation('fetch.batch'), listPages('/oats'));
    await untilFound(gate, 'porridge', ['/oats']);
    await openJobTools(gate).cancel(String(answer.body['id']));
    await untilFound(gate, 'dark flour', []);
  });
});

test('a fetched page is indexed from its cached copy, HTML by its text, and JSON never', async () => {
  await withSearch({}, async (gate) => {
    await gate.fetch({ url: 'https://mill.example/stock' });
    await gate.fetch({ url: 'https://mill.example/rye' });
    await untilFound(gate, 'dark flour', ['/rye']);
    await crawl(gate, ['html']);
    await untilFound(gate, 'porridge', ['/oats']);
  });
});

onEveryStore('a cached copy is found whatever its time, and replaces an earlier one', async (store) => {
  await withSearch({ store }, async (gate) => {
    await gate.fetch({ url: 'https://mill.example/rye' });
    await untilFound(gate, 'dark flour', ['/rye']);
    const [before] = await gate.db.query('select file from cached_pages');
    gate.clock.pass(3_600_000);
    await gate.fetch({ url: 'https://mill.example/beans' });
    await untilFound(gate, 'split', ['/beans']);
    // A commit may happen minutes after the time of its copy, and clocks can be set back.
    gate.clock.set('2026-11-20T12:00:00Z');
    await gate.fetch({ url: 'https://mill.example/oats' });
    await untilFound(gate, 'porridge', ['/oats']);
    await gate.fetch({ url: 'https://mill.example/rye' });
    await until('the copy is another', async () => {
      const rows = await gate.db.query('select file from cached_pages');
      return rows.length === 3 && rows.every(({ file }) => file !== before?.['file']);
    });
    await untilFound(gate, 'dark flour', ['/rye']);
  });
});

/** A builder for the index of a gate, with parts that a test may override. */
function createBuilder(gate: Gate, index: SearchIndex, given: Partial<IndexBuilderParts> = {}) {
  const reported: unknown[] = [];
  const parts = { ...gate, index, folder: '', read: NOT_READ, report: (error: unknown) => void reported.push(error) };
  return { builder: new IndexBuilder({ ...parts, ...given }, ANY_TIME), reported };
}

test('pages of an inline crawl are indexed from their cached copies', async () => {
  const input = { url: 'https://mill.example/', output: ['markdown'], respect_robots: false };
  await withSearch({}, async (gate) => {
    const { error } = await gate.ask(getOperation('crawl'), input);
    assert.equal(error, null);
    await untilFound(gate, 'porridge', ['/oats']);
    assert.equal((await gate.db.query('select file from cached_pages')).length, 3);
  });
  await withGate({ tierVisits: { http: site } }, async (gate) => {
    await gate.ask(getOperation('crawl'), input);
    assert.deepEqual(await gate.db.query('select file from cached_pages'), []);
  });
});

test('a deleted index is rebuilt from stored results', async () => {
  let folder = '';
  const opened = (db: Db, place: string) => {
    folder = place;
    return searchWith()(db, place);
  };
  await withGate({ tierVisits: { http: site }, search: opened }, async (gate) => {
    let id = '';
    await whileBuilding(gate, async () => {
      id = await crawl(gate, ['markdown']);
      await gate.fetch({ url: 'https://mill.example/beans' });
      await untilFound(gate, 'porridge', ['/oats']);
      await untilFound(gate, 'split', ['/beans']);
    });
    for (const suffix of ['', '-wal', '-shm']) await rm(join(folder, `search.db${suffix}`), { force: true });
    assert.equal((await openJobTools(gate).result(id, { limit: 1 })).error, null);
    const anew = indexBeside(gate.db, folder);
    const { builder, reported } = createBuilder(gate, anew, {
      read: async (request) => readPageWithTree(request).reading,
    });
    assert.equal(await builder.indexPending(), false);
    assert.deepEqual(reported, []);
    assert.deepEqual(await findUrls(anew, 'porridge', gate.tenant), ['mill.example/oats']);
    assert.deepEqual(await findUrls(anew, 'split', gate.tenant), ['mill.example/beans']);
    await anew.close();
  });
});

/** Runs work on a gate with crawls that are not indexed yet. */
async function withCrawls(count: number, work: (gate: Gate, ids: readonly string[], folder: string) => Promise<void>) {
  await withGate({ tierVisits: { http: site } }, async (gate) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await crawl(gate, ['markdown']));
    await inTemporaryFolder(async (folder) => work(gate, ids, folder));
  });
}

test('rebuilding a deleted index marks each job once', async () => {
  await withCrawls(1, async (gate, [id = ''], folder) => {
    await gate.db.query('update jobs set indexed = 1');
    await gate.db.query('create table copied as select * from jobs');
    for (let n = 0; n < 130; n += 1) {
      await gate.db.query('update copied set id = $1', [`${id}-${String(n).padStart(3, '0')}`]);
      await gate.db.query('insert into jobs select * from copied');
    }
    const from: unknown[] = [];
    const db: Queryable = {
      async query(sql, values) {
        if (sql.startsWith('update jobs set indexed = 0')) from.push(values?.[0]);
        return gate.db.query(sql, values);
      },
    };
    const index = indexBeside(gate.db, folder);
    await createBuilder(gate, index, { db }).builder.indexPending();
    assert.deepEqual(from, ['', `${id}-048`, `${id}-098`]);
    await index.close();
  });
});

test('an unreadable job does not block others and is retried later', async () => {
  await withCrawls(2, async (gate, [broken], folder) => {
    let isBroken = true;
    let ms = 0;
    const index = indexBeside(gate.db, folder);
    const { builder, reported } = createBuilder(gate, index, {
      clock: { ...SYSTEM_CLOCK, now: gate.clock.now, monotonic: () => ms },
      results: {
        readHead: async (id) => gate.results.readHead(id),
        async readPage(list, bounds) {
          if (isBroken && list.jobId === broken) throw new Error('a broken disk');
          return gate.results.readPage(list, bounds);
        },
      },
    });
    const toIndex = async () => (await gate.db.query('select id from jobs where indexed = 0')).length;
    await builder.indexPending();
    assert.match(String(reported), /a broken disk/);
    assert.equal(await toIndex(), 1);
    assert.deepEqual(await findUrls(index, 'porridge', gate.tenant), ['mill.example/oats']);
    isBroken = false;
    await builder.indexPending();
    assert.equal(await toIndex(), 1);
    ms += 61_000;
    await builder.indexPending();
    assert.equal(await toIndex(), 0);
    assert.equal(reported.length, 1);
    await index.close();
  });
});

/** An index that rejects one page. */
class Picky extends SearchIndex {
  override async add(part: PreparedBatch, signal: AbortSignal): Promise<void> {
    refuseRye(part);
    return super.add(part, signal);
  }

  override async addWithProgress(part: PreparedBatch, progress: ProgressStep, signal: AbortSignal): Promise<boolean> {
    refuseRye(part);
    return super.addWithProgress(part, progress, signal);
  }
}

function refuseRye({ pages }: PreparedBatch): void {
  if (pages.some(({ title }) => title === 'Rye')) throw new Error('no rye');
}

test('a page that cannot be indexed is reported and skipped; other pages are found', async () => {
  await withCrawls(1, async (gate, _ids, folder) => {
    const store = openSqliteIndex(join(folder, 'search.db'), SYSTEM_CLOCK);
    const index = new Picky({ store, now: () => 1 });
    const { builder, reported } = createBuilder(gate, index);
    assert.equal(await builder.indexPending(), false);
    assert.match(String(reported), /^Error: https:\/\/mill.example\/rye was not indexed$/);
    assert.deepEqual(await findUrls(index, 'porridge', gate.tenant), ['mill.example/oats']);
    assert.deepEqual(await gate.db.query('select id from jobs where indexed = 0'), []);
    await index.close();
  });
});

test('an index that cannot be written skips no page and delays no job', async () => {
  await withCrawls(1, async (gate, _ids, folder) => {
    const place = join(folder, 'away');
    const index = new SearchIndex({ store: openSqliteIndex(join(place, 'search.db'), SYSTEM_CLOCK), now: () => 1 });
    const { builder, reported } = createBuilder(gate, index);
    await assert.rejects(builder.indexPending(), StoreUnavailable);
    await mkdir(place);
    assert.equal(await builder.indexPending(), false);
    assert.deepEqual(reported, []);
    assert.deepEqual(await findUrls(index, 'porridge', gate.tenant), ['mill.example/oats']);
    assert.deepEqual(await gate.db.query('select id from jobs where indexed = 0'), []);
    await index.close();
  });
});

test('without engine and index, the error names the settings to change, and the search costs nothing', async () => {
  await withGate({}, async (gate) => {
    const { code, error } = await gate.ask(getOperation('fast-search'), { search: 'rye' });
    assert.equal(code, 'backend_unavailable');
    assert.match(error?.message ?? '', /QUERN_SEARCH_FILE.*QUERN_SEARCH_INDEX=on/);
    assert.deepEqual(await gate.spent(), [0, 0]);
  });
});

test('every page number is accepted: below one is the first, beyond the last is empty', async () => {
  await withSearch({}, async (gate) => {
    await crawl(gate, ['markdown']);
    await untilFound(gate, 'porridge', ['/oats']);
    for (const [page, count] of [
      [1, 1],
      [0, 1],
      [-5, 1],
      [Number.MIN_SAFE_INTEGER, 1],
      [2, 0],
      [Number.MAX_SAFE_INTEGER, 0],
    ]) {
      const { answer, error } = await gate.ask(getOperation('fast-search'), { search: 'porridge', page });
      assert.equal(error, null);
      assert.equal(Found.parse(answer?.body).organic_results.length, count, String(page));
    }
  });
});

test('a country code is accepted, and an unknown country is rejected with the parameter name', async () => {
  await withSearch({}, async (gate) => {
    const long = await gate.ask(getOperation('fast-search'), {
      search: `rye ${'mill '.repeat(600)}`,
      language: 'english',
    });
    assert.equal(long.code, 'ok');
    assert.equal(z.looseObject({ language: z.string() }).parse(long.answer?.body['meta_data']).language, 'en');
    const { answer } = await gate.ask(getOperation('fast-search'), { search: 'rye', country_code: 'uk' });
    assert.match(JSON.stringify(answer?.body), /"country_code":"GB"/);
    const { code, error } = await gate.ask(getOperation('fast-search'), { search: 'rye', country_code: 'XX' });
    assert.equal(code, 'invalid_request');
    assert.match(error?.message ?? '', /^country_code: is not a known country/);
    assert.deepEqual(await gate.spent(), [10, 0]);
  });
});

test('a monitor on a search reports a new result', async () => {
  await withSearch({}, async (gate) => {
    await gate.fetch({ url: 'https://mill.example/rye' });
    await untilFound(gate, 'bread porridge', ['/rye']);
    const monitors = createMonitorCalls(gate);
    const target = { operation: 'fast-search', input: { search: 'bread porridge' } };
    const watch = { fields: ['organic_results'], array_fields: { organic_results: { key: 'url' } } };
    const { answer, error } = await monitors.ask('create', { target, watch, cron: '0 * * * *' });
    if (answer === null) throw error ?? new Error('no answer');
    const id = String(answer.body['id']);
    assert.deepEqual(await runAll(gate), ['ok']);
    await gate.fetch({ url: 'https://mill.example/oats' });
    await untilFound(gate, 'hulled', ['/oats']);
    assert.deepEqual(await pass(gate, 65 * 60_000), ['ok']);
    const [change] = await monitors.changes(id);
    assert.match(JSON.stringify(change), /mill\.example\/oats/);
  });
});
