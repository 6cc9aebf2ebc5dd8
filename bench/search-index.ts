/**
 * Finds known pages again in the full-text index: each by the words of its title, and by six words from the middle of its
 * text. `npm run bench -- search-index [--postgres URL]` reads every page of the corpus, and prints for both stores the mean
 * reciprocal rank among ten, the time of a query, pages a second while adding, and the size against the text.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPage } from '#extract/read-page.ts';
import { toTextRequest } from '#features/search/index/page-text.ts';
import { openPostgresIndex } from '#features/search/index/postgres-index.ts';
import { SearchIndex } from '#features/search/index/search-index.ts';
import type { ReadyPart } from '#features/search/index/search-index.ts';
import type { IndexText } from '#features/search/index/put-pages.ts';
import type { IndexStore } from '#features/search/index/index-store.ts';
import { openSqliteIndex } from '#features/search/index/sqlite-index.ts';
import { wordsIn } from '#features/search/words.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { readAhead } from '#kernel/read-ahead.ts';
import { openPostgres, PATIENT_LIMITS } from '#store/postgres.ts';
import { startPostgres } from '#testkit/postgres.ts';
import { CONTENT_SUITES, corpusFolder, FACT_SUITES, readSuite } from './extraction/corpus.ts';

const PART = 50;
const TENANT = 'ten_measure';
const WORDS = 6;

const { values: options } = parseArgs({ options: { postgres: { type: 'string' } } });
const folder = corpusFolder();
if (folder === null) throw new Error('QUERN_CORPUS: names no corpus of pages');

function readTexts(from: string): readonly IndexText[] {
  const samples = [...CONTENT_SUITES, ...FACT_SUITES, 'structured'].flatMap((suite) => readSuite(from, suite));
  return samples.map(({ url, body }) => {
    const { outputs, metadata } = readPage(toTextRequest({ body: body(), contentType: 'text/html', url }));
    const { title, description, language, published_date: publishedAt } = metadata;
    return { url, title: title ?? '', description: description ?? '', body: outputs.text ?? '', language, publishedAt };
  });
}

const signal = AbortSignal.timeout(900_000);

async function* partsOf(index: SearchIndex, pages: readonly IndexText[]): AsyncGenerator<ReadyPart> {
  for (let at = 0; at < pages.length; at += PART) {
    const part = pages.slice(at, at + PART).map((page) => ({ ...page, source: 'job:1' }));
    yield await index.ready({ tenant: TENANT, pages: part });
  }
}

/** Adds the pages as the service does: the next ones are made ready while the last are added. */
async function fill(index: SearchIndex, pages: readonly IndexText[]): Promise<number> {
  const startedAt = performance.now();
  for await (const part of readAhead(partsOf(index, pages))) await index.add(part, signal);
  await index.settle(signal);
  return performance.now() - startedAt;
}

async function rankOf(index: SearchIndex, page: IndexText, query: string, times: number[]): Promise<number> {
  const startedAt = performance.now();
  const { ids } = await index.find(TENANT, query, signal);
  const shown = await index.show(TENANT, ids.slice(0, 10), signal);
  times.push(performance.now() - startedAt);
  const rank = shown.findIndex(({ url }) => url === page.url);
  return rank < 0 ? 0 : 1 / (rank + 1);
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const atShare = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

/** The index of a store, and its end. */
type OpenIndex = { readonly store: IndexStore; readonly close: () => Promise<void> };

async function openSqlite(): Promise<OpenIndex> {
  const place = await mkdtemp(join(tmpdir(), 'quern-search-'));
  const store = openSqliteIndex(join(place, 'search.db'), SYSTEM_CLOCK);
  return {
    store,
    async close() {
      await store.close();
      await rm(place, { recursive: true, force: true });
    },
  };
}

/** On the server that is given, else on one of our own. */
async function openServer(): Promise<OpenIndex> {
  const own = options.postgres === undefined ? await startPostgres('as installed') : null;
  const url = options.postgres ?? own?.url ?? '';
  const db = openPostgres(url, { ...PATIENT_LIMITS, report: (error) => console.error(error), clock: SYSTEM_CLOCK });
  return {
    store: openPostgresIndex(db),
    async close() {
      await db.close();
      await own?.stop();
    },
  };
}

type Measured = {
  readonly asked: number;
  readonly title: number;
  readonly body: number;
  readonly p50: number;
  readonly p95: number;
  readonly rate: number;
  readonly bytes: number;
};

async function measure({ store }: OpenIndex, pages: readonly IndexText[]): Promise<Measured> {
  const index = new SearchIndex({ store, now: () => Date.now() });
  const ms = await fill(index, pages);
  const asked = pages.filter(({ title, body }) => wordsIn(title).length >= 3 && wordsIn(body).length >= 100);
  const byTitle: number[] = [];
  const byBody: number[] = [];
  const times: number[] = [];
  for (const page of asked) {
    const body = wordsIn(page.body);
    const from = Math.floor(body.length / 2);
    byTitle.push(await rankOf(index, page, page.title, times));
    byBody.push(await rankOf(index, page, body.slice(from, from + WORDS).join(' '), times));
  }
  return {
    asked: asked.length,
    title: meanOf(byTitle),
    body: meanOf(byBody),
    p50: atShare(times, 0.5),
    p95: atShare(times, 0.95),
    rate: (pages.length * 1000) / ms,
    bytes: await index.bytes(signal),
  };
}

const all = readTexts(folder);
const pages = [...new Map(all.map((page) => [page.url, page])).values()];
const textBytes = pages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
const measured: Measured[] = [];
for (const open of [openSqlite, openServer]) {
  const opened = await open();
  measured.push(await measure(opened, pages).finally(opened.close));
}
const row = (name: string, value: (one: Measured) => string): void =>
  console.log(`| ${[name, ...measured.map(value)].join(' | ')} |`);
console.log(`${pages.length} pages, ${measured[0]?.asked} asked for, ${(textBytes / 1e6).toFixed(1)} MB of text\n`);
console.log('| | SQLite | PostgreSQL |\n|---|---|---|');
row('mean reciprocal rank among ten, by title', ({ title }) => title.toFixed(3));
row('the same by body', ({ body }) => body.toFixed(3));
row('a query with its ten pages', ({ p50, p95 }) => `${p50.toFixed(1)} ms p50, ${p95.toFixed(1)} ms p95`);
row('pages added a second', ({ rate }) => rate.toFixed(0));
row('size against the text', ({ bytes }) => (bytes / textBytes).toFixed(2));
